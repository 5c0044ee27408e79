"""A kernel manager that starts warm kernels, whatever kernel a notebook asks for.

It is chosen by configuration alone: `c.ExecutePreprocessor.kernel_manager_class`.
"""

from __future__ import annotations

import time
from importlib.metadata import EntryPoint
from queue import Empty
from typing import Any

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import KernelProvisionerFactory
from traitlets import default

from coursekit.grading.kernels import provisioner

# The package's metadata say the same; this holds also where it was not installed anew since.
ENTRY = EntryPoint(
    provisioner.NAME, f"{provisioner.__name__}:WarmProvisioner", KernelProvisionerFactory.GROUP_NAME
)
KernelProvisionerFactory.provisioners.setdefault(ENTRY.name, ENTRY)


class WarmKernelClient(AsyncKernelClient):
    """A client that is ready as soon as the kernel has answered on both channels."""

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        until = None if timeout is None else time.monotonic() + timeout
        while not await self._answered():
            if not await self._async_is_alive():
                raise RuntimeError("Kernel died before replying to kernel_info")
            if until is not None and time.monotonic() > until:
                raise RuntimeError(f"Kernel didn't respond in {timeout} seconds")

    wait_for_ready = _async_wait_for_ready

    async def _answered(self) -> bool:
        """Whether the kernel told of itself, and was heard to be idle again."""
        asked = self.kernel_info()
        try:
            reply = await self.shell_channel.get_msg(timeout=1)
            while reply["parent_header"].get("msg_id") != asked:
                reply = await self.shell_channel.get_msg(timeout=1)
            said: dict[str, Any] = {}
            while said.get("execution_state") != "idle":
                message = await self.iopub_channel.get_msg(timeout=0.2)
                said = message["content"] if message["parent_header"].get("msg_id") == asked else {}
        except Empty:
            return False
        self._handle_kernel_info_reply(reply)
        return True


class WarmKernelManager(AsyncKernelManager):
    """Starts a kernel of the warm server under any name, also one that is not installed."""

    @default("client_class")
    def _client_class_default(self) -> str:
        return f"{__name__}.WarmKernelClient"

    @default("client_factory")
    def _client_factory_default(self) -> type[WarmKernelClient]:
        return WarmKernelClient

    @default("transport")
    def _transport_default(self) -> str:
        return "ipc"  # files in a folder of the user's own: no ports that others may meet

    @property
    def kernel_spec(self) -> KernelSpec:
        """The same for every name."""
        if self._kernel_spec is None:
            chosen = {"kernel_provisioner": {"provisioner_name": provisioner.NAME}}
            self._kernel_spec = KernelSpec(
                argv=[provisioner.NAME], display_name="Python 3", language="python", metadata=chosen
            )
        return self._kernel_spec
