"""The kernel provisioner `coursekit-warm`: Jupyter's way to a kernel of the warm server."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Bool, Float, Integer, List, Unicode

from coursekit.grading.kernels.cells import Limits
from coursekit.grading.kernels.client import PRELOAD
from coursekit.grading.kernels.front import Front
from coursekit.grading.kernels.pool import POOL
from coursekit.grading.kernels.session import Session
from coursekit.grading.kernels.sockets import SOCKETS, Address

NAME = "coursekit-warm"


class WarmProvisioner(KernelProvisionerBase):
    """Starts kernels whose libraries are imported already, and which keep to limits."""

    preload = List(Unicode(), list(PRELOAD), help="Modules to import once.").tag(config=True)
    pictures = Unicode(
        "", help="Module that keeps plots which many kernels draw alike, for class runs."
    ).tag(config=True)
    isolate = Bool(True, help="Confine kernels as far as this machine can.").tag(config=True)
    cell_seconds = Float(Limits.cell_seconds, help="Time for a cell.").tag(config=True)
    notebook_seconds = Float(Limits.notebook_seconds, help="Time for a notebook.").tag(config=True)
    memory_mb = Integer(Limits.memory_mb, help="Memory that cells may add.").tag(config=True)
    file_mb = Integer(Limits.file_mb, help="Size of a file that cells write.").tag(config=True)
    output_lines = Integer(Limits.output_lines, help="Lines that a cell shows.").tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._front: Front | None = None
        self._held = ExitStack()
        self._folder: str | None = None  # of the sockets, where they are files

    @property
    def has_process(self) -> bool:
        """Whether a kernel was started and not yet waited for."""
        return self._front is not None

    async def poll(self) -> int | None:
        """None while the kernel serves, 0 afterwards."""
        return None if self._front is not None and self._front.alive else 0

    async def wait(self) -> int | None:
        """Wait for the kernel's end."""
        while await self.poll() is None:
            await asyncio.sleep(0.005)
        self._front = None
        return 0

    async def send_signal(self, signum: int) -> None:
        """SIGINT interrupts the cell that runs, SIGTERM and SIGKILL end the kernel."""
        if self._front is None or signum == 0:
            return
        if signum == signal.SIGINT:
            self._front.interrupt()
        elif signum in (signal.SIGTERM, signal.SIGKILL):
            self._front.stop()

    async def kill(self, restart: bool = False) -> None:
        """End the kernel."""
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        """End the kernel."""
        await self.send_signal(signal.SIGTERM)

    async def shutdown_requested(self, restart: bool = False) -> None:
        """Let the kernel end by itself: it has been told to."""
        for _ in range(200):
            if await self.poll() is not None:
                return
            await asyncio.sleep(0.005)

    async def cleanup(self, restart: bool = False) -> None:
        """Give back what the kernel held."""
        if self._front is not None:
            self._front.stop()
            self._front = None
        self._held.close()

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Add the command that Jupyter asks for; nothing is run by it."""
        return await super().pre_launch(cmd=[NAME], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start a kernel in a copy of the folder `cwd`, for cells of at most `cell_seconds`.

        Raises CourseError where no server can be started.
        """
        try:
            return self._launch(**kwargs)
        except BaseException:
            self._held.close()
            raise

    def _launch(self, **kwargs: Any) -> KernelConnectionInfo:
        purpose = kwargs.get("env", {}).get("NBGRADER_EXECUTION", "")
        kernels = self._held.enter_context(POOL.using(self.preload, self.isolate))
        kernels.start()
        files = Path(kwargs.get("cwd") or os.getcwd())
        session = Session(kernels, files, self._limits(kwargs.get("cell_seconds")), purpose)
        manager: Any = self.parent
        key, scheme = manager.session.key, manager.session.signature_scheme
        address = self._address(manager)
        self._front = Front(session, address, key, scheme)
        self._front.start()
        where: dict[str, Any] = {"transport": address.transport, "ip": address.ip}
        where |= {f"{name}_port": port for name, port in self._front.ports.items()}
        where |= {"key": key, "signature_scheme": scheme}
        self.connection_info = cast(KernelConnectionInfo, where)
        return self.connection_info

    def _limits(self, cell_seconds: float | None) -> Limits:
        return Limits(
            cell_seconds=self.cell_seconds if cell_seconds is None else cell_seconds,
            notebook_seconds=self.notebook_seconds,
            memory_mb=self.memory_mb,
            file_mb=self.file_mb,
            output_lines=self.output_lines,
        )

    def _address(self, manager: Any) -> Address:
        """Where the manager wants the kernel; a kernel that is restarted stays where it was."""
        ports = {name: getattr(manager, f"{name}_port") for name in SOCKETS}
        if manager.transport != "ipc":
            return Address(manager.transport, manager.ip, ports)
        if self._folder is None:
            self._folder, ports = tempfile.mkdtemp(prefix="coursekit-"), {}
        self._held.callback(shutil.rmtree, self._folder, ignore_errors=True)
        Path(self._folder).mkdir(mode=0o700, exist_ok=True)
        return Address("ipc", str(Path(self._folder, "kernel")), ports)
