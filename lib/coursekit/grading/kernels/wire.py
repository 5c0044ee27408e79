"""Messages between the grader and its kernels: JSON after its length, over a socket."""

from __future__ import annotations

import array
import json
import select
import socket
import struct
import time
from typing import Any

HEAD = struct.Struct("!I")
LARGEST = 256 * 1024 * 1024  # bytes; more than the limits on output let a cell tell


class Closed(Exception):
    """The other side is gone."""


class Garbled(Exception):
    """What arrived is no message of ours."""


def send(to: socket.socket, message: dict[str, Any], *descriptors: int) -> None:
    """Send one message, and open file descriptors with it. Raises Closed."""
    body = json.dumps(message).encode("utf-8", "surrogatepass")
    extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    try:
        sent = to.sendmsg([HEAD.pack(len(body))], extra if descriptors else [])
        to.sendall(HEAD.pack(len(body))[sent:] + body)
    except OSError:
        raise Closed from None


def receive(source: socket.socket, until: float | None = None) -> dict[str, Any]:
    """The next message. Raises Closed, Garbled, or TimeoutError at the monotonic time `until`."""
    (length,) = HEAD.unpack(_bytes(source, HEAD.size, until))
    if length > LARGEST:
        raise Garbled
    return _message(_bytes(source, length, until))


def receive_with_descriptors(source: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next message and the file descriptors that came with it. Raises Closed or Garbled."""
    try:
        head, descriptors, _, _ = socket.recv_fds(source, HEAD.size, 4)
    except OSError:
        raise Closed from None
    if not head:
        raise Closed
    head += _bytes(source, HEAD.size - len(head), None)
    return _message(_bytes(source, HEAD.unpack(head)[0], None)), list(descriptors)


def _message(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        raise Garbled from None
    if not isinstance(message, dict):
        raise Garbled
    return message


def _bytes(source: socket.socket, count: int, until: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        wait = None if until is None else max(0.0, until - time.monotonic())
        if not select.select([source], [], [], wait)[0]:
            raise TimeoutError
        try:
            part = source.recv(min(count - len(parts), 1 << 20))
        except OSError:
            raise Closed from None
        if not part:
            raise Closed
        parts += part
    return bytes(parts)
