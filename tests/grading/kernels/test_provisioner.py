"""Warm kernels under Jupyter's own clients: started, restarted, interrupted, ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import AsyncKernelManager, KernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config

from coursekit.errors import CourseError
from coursekit.grading.kernels import provisioner
from coursekit.grading.kernels.manager import WarmKernelManager

pytestmark = pytest.mark.xdist_group("kernels")


class Shared:
    """A pool with one server, that of the other tests."""

    def __init__(self, kernels):
        self.kernels, self.users = kernels, 0

    @contextlib.contextmanager
    def using(self, preload, isolate) -> Iterator[object]:
        self.users += 1
        yield self.kernels
        self.users -= 1


@pytest.fixture(autouse=True)
def pool(kernels, monkeypatch):
    shared = Shared(kernels)
    monkeypatch.setattr(provisioner, "POOL", shared)
    yield shared
    assert shared.users == 0


def notebook(*sources: str, kernel: str = "conda-env-ml-py") -> NotebookNode:
    spec = {"name": kernel, "display_name": kernel}
    return new_notebook(
        cells=[new_code_cell(text) for text in sources], metadata={"kernelspec": spec}
    )


def execute(nb: NotebookNode, folder: Path | None = None, **options) -> NotebookNode:
    options.setdefault("kernel_manager_class", WarmKernelManager)
    resources = {"metadata": {"path": str(folder)}} if folder else {}
    return NotebookClient(nb, allow_errors=True, resources=resources, **options).execute()


def text(cell: NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def test_a_notebook_that_names_an_unknown_kernel_runs(tmp_path):
    nb = execute(notebook("x = 3\nprint(x)", "x + 1", "1/0"), tmp_path)
    assert text(nb.cells[0]) == "3\n"
    assert nb.cells[1].outputs[0].data["text/plain"] == "4"
    assert nb.cells[2].outputs[0].ename == "ZeroDivisionError"
    assert [cell.execution_count for cell in nb.cells] == [1, 2, 3]
    nbformat.validate(nb)


def test_a_notebook_without_a_kernelspec_runs(tmp_path):
    nb = notebook("print(1)")
    nb.metadata.clear()
    assert text(execute(nb, tmp_path).cells[0]) == "1\n"


def test_files_beside_the_notebook_are_there_and_stay_as_they_are(tmp_path):
    (tmp_path / "data.txt").write_text("data")
    (tmp_path / "other.ipynb").write_text("{}")
    look = "import os\nprint(open('data.txt').read(), sorted(os.listdir()))"
    nb = execute(notebook(look, "open('data.txt', 'w').write('changed')"), tmp_path)
    assert text(nb.cells[0]) == "data ['data.txt']\n"
    assert (tmp_path / "data.txt").read_text() == "data"


def test_without_a_folder_the_files_of_the_clients_own_are_there(tmp_path, monkeypatch):
    (tmp_path / "data.txt").write_text("data")
    monkeypatch.chdir(tmp_path)
    assert text(execute(notebook("print(open('data.txt').read())")).cells[0]) == "data\n"


def test_a_cell_reads_what_it_is_run_for(tmp_path, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    nb = execute(notebook("import os\nprint(os.environ['NBGRADER_EXECUTION'])"), tmp_path)
    assert text(nb.cells[0]) == "validate\n"


def test_a_dead_or_endless_cell_costs_itself_only(tmp_path):
    sources = ["x = 1", "import os; os._exit(3)", "print(x)", "while True: pass", "print(x + 1)"]
    nb = execute(notebook(*sources), tmp_path, config=Config({"WarmProvisioner": LIMITS}))
    assert [text(cell) for cell in nb.cells] == ["", "", "1\n", "", "2\n"]
    assert "died" in nb.cells[1].outputs[0].evalue
    assert "stopped after 1 s" in nb.cells[3].outputs[0].evalue


LIMITS = {"cell_seconds": 1.0, "output_lines": 5}


def test_limits_come_from_the_configuration(tmp_path):
    many = notebook("for i in range(100): print(i)")
    nb = execute(many, tmp_path, config=Config({"WarmProvisioner": LIMITS}))
    assert len(text(nb.cells[0]).splitlines()) < 20


def test_a_flood_of_outputs_arrives_whole(tmp_path):
    flood = "from IPython.display import display\nfor i in range(1500): display(i)"
    nb = execute(notebook(flood, "print('after')"), tmp_path)
    assert len(nb.cells[0].outputs) == 1500 and text(nb.cells[1]) == "after\n"


@pytest.fixture
def installed(tmp_path, monkeypatch) -> str:
    """The name of a kernel that is installed and names the provisioner."""
    spec = {
        "argv": ["python", "-m", "nothing"],
        "display_name": "Warm",
        "language": "python",
        "metadata": {"kernel_provisioner": {"provisioner_name": "coursekit-warm"}},
    }
    folder = tmp_path / "jupyter" / "kernels" / "warm"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    return "warm"


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_a_plain_manager_starts_it_by_its_kernelspec(installed, transport, tmp_path):
    manager = KernelManager(kernel_name=installed, transport=transport)
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=30)
    client.execute("x = 1")
    assert client.get_shell_msg(timeout=30)["content"]["status"] == "ok"
    assert manager.is_alive()
    ports = manager.ports
    manager.restart_kernel()
    client.wait_for_ready(timeout=30)
    client.execute("x")
    assert client.get_shell_msg(timeout=30)["content"]["ename"] == "NameError"
    assert manager.ports == ports
    client.stop_channels()
    manager.shutdown_kernel()
    assert not manager.is_alive() and not manager.has_kernel


def test_nbclient_uses_it_by_the_notebooks_kernelspec(installed, tmp_path):
    nb = notebook("import os\nprint(os.path.basename(os.getcwd()))", kernel=installed)
    nb = execute(nb, tmp_path, kernel_manager_class=AsyncKernelManager)
    assert text(nb.cells[0]) == "work\n"


def test_an_interrupt_ends_the_cell_and_not_the_kernel(tmp_path):
    async def run() -> list[str]:
        manager = WarmKernelManager(kernel_name="any")
        await manager.start_kernel(cwd=str(tmp_path))
        client = manager.client()
        client.start_channels()
        await client.wait_for_ready(timeout=30)
        client.execute("print('begun')\nwhile True: pass", stop_on_error=False)
        client.execute("1 + 1")
        replies = []
        while not replies:
            await asyncio.sleep(0.3)
            await manager.interrupt_kernel()
            with contextlib.suppress(Exception):
                replies.append(await client.get_shell_msg(timeout=0.1))
        replies.append(await client.get_shell_msg(timeout=30))
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
        return [reply["content"]["status"] for reply in replies]

    assert asyncio.run(run()) == ["error", "ok"]


def test_where_no_server_starts_a_sentence_says_so(pool, monkeypatch, tmp_path):
    def broken():
        raise CourseError("the server of the kernels does not start: no memory")

    monkeypatch.setattr(pool, "kernels", type("Broken", (), {"start": staticmethod(broken)})())
    with pytest.raises(CourseError, match="does not start: no memory"):
        execute(notebook("1"), tmp_path)


CLIENT = """
import sys
from coursekit.grading.kernels.manager import WarmKernelManager
from coursekit.grading.kernels.pool import POOL

def servers():
    return [kernels._process.pid for kernels in POOL._servers.values()]

from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config

SMALL = Config({"WarmProvisioner": {"preload": ["json"]}})
pids = set()
for _ in range(3):
    nb = new_notebook(cells=[new_code_cell("import os; print(os.getppid())")])
    NotebookClient(nb, kernel_manager_class=WarmKernelManager, config=SMALL).execute()
    pids.add(int(nb.cells[0].outputs[0].text))
assert pids == set(servers()), (pids, servers())
manager = WarmKernelManager(config=SMALL)
run_sync(manager._async_start_kernel)()
client = manager.client()
client.start_channels()
run_sync(client.wait_for_ready)(timeout=60)
client.execute("while True: pass")
print(*pids, flush=True)
sys.stdin.read()
"""


def running(server: int) -> list[int]:
    """The processes that a server has forked, once there are any."""
    children = Path(f"/proc/{server}/task/{server}/children")
    while not children.read_text().split():
        time.sleep(0.05)
    return [int(pid) for pid in children.read_text().split()]


def ended(pid: int, seconds: float = 20) -> bool:
    """Whether a process is gone, after some time at most."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", ["exit", "kill"])
def test_one_server_for_all_kernels_of_a_client_and_it_ends_with_it(how, tmp_path):
    command = [sys.executable, "-c", CLIENT]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, **pipes) as client:
        server = int(client.stdout.readline())
        children = running(server)
        if how == "kill":
            client.send_signal(signal.SIGKILL)
        else:
            client.stdin.close()
            assert client.wait(60) == 0
    assert all(ended(pid) for pid in [server, *children])
