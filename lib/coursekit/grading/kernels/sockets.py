"""The five sockets of a Jupyter kernel, bound before anybody is told where they are."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TypeAlias

import zmq

Socket: TypeAlias = zmq.Socket[bytes]
SOCKETS = {
    "shell": zmq.ROUTER,
    "control": zmq.ROUTER,
    "stdin": zmq.ROUTER,
    "hb": zmq.ROUTER,
    "iopub": zmq.XPUB,
}
LINGER = 500  # milliseconds that last messages have to leave
TO_REBIND = 3.0  # seconds in which a restarted kernel gets its old ports back


@dataclass(frozen=True)
class Address:
    """Where a front listens: an IP address, or for `ipc` the start of a path. Port 0 is any."""

    transport: str = "tcp"
    ip: str = "127.0.0.1"
    ports: dict[str, int] = field(default_factory=dict)


def new_socket(kind: int) -> Socket:
    """A socket of this process's one context."""
    socket: Socket = zmq.Context.instance().socket(kind)
    socket.linger = LINGER
    socket.sndhwm = 0  # a cell's thousandth output is kept too
    return socket


def bind(address: Address) -> tuple[dict[str, Socket], dict[str, int]]:
    """Bound sockets and their ports by name. Raises zmq.ZMQError where a port is not to be had."""
    sockets: dict[str, Socket] = {}
    ports: dict[str, int] = {}
    for index, (name, kind) in enumerate(SOCKETS.items(), 1):
        sockets[name] = new_socket(kind)
        port = address.ports.get(name) or (index if address.transport == "ipc" else 0)
        try:
            ports[name] = _bind(sockets[name], address, port)
        except zmq.ZMQError:
            for opened in sockets.values():
                opened.close(0)
            raise
    return sockets, ports


def _bind(socket: Socket, address: Address, port: int) -> int:
    if address.transport != "tcp":
        socket.bind(f"{address.transport}://{address.ip}-{port}")
        return port
    if not port:
        return socket.bind_to_random_port(f"tcp://{address.ip}")
    until = time.monotonic() + TO_REBIND
    while True:
        try:
            socket.bind(f"tcp://{address.ip}:{port}")
            return port
        except zmq.ZMQError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
