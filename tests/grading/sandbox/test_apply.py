"""Real attempts of a confined process, and real work in it.

The attempts are such that they do no harm where they succeed.
"""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from coursekit.grading.sandbox import files, missing, syscalls

pytestmark = [
    pytest.mark.xdist_group("sandbox"),
    pytest.mark.skipif(
        not files.version() or syscalls.prepare() is None, reason="no Landlock or no seccomp here"
    ),
]


@pytest.fixture
def outside(tmp_path):
    """A file of somebody else, with a name and a content that must not get out."""
    path = tmp_path / "gradebook.db"
    path.write_text("secret")
    return path


READING = {
    "open": "open(outside).read()",
    "low level": "import os; os.open(outside, os.O_RDONLY)",
    "folder": "import os, pathlib; os.listdir(pathlib.Path(outside).parent)",
    "parent's environment": "open(f'/proc/{parent}/environ', 'rb').read()",
    "parent's memory": "open(f'/proc/{parent}/mem', 'rb').read(1)",
    "parent's files": "import os; os.listdir(f'/proc/{parent}/fd')",
    "processes": "import os; os.listdir('/proc')",
    "home": "import os, pwd; os.listdir(pwd.getpwuid(os.getuid()).pw_dir)",
    "temporary files": "import os; os.listdir('/tmp')",
    "passwords": "open('/etc/shadow').read()",
    "shared memory": "import os; os.listdir('/dev/shm')",
    "by way of own root": "open('/proc/self/root' + outside).read()",
    "library": "import numpy; numpy.fromfile(outside, dtype='u1')",
    "watch": (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True); n = c.inotify_init()\n"
        "if c.inotify_add_watch(n, outside.encode(), 2) < 0:\n"
        "    raise OSError(ctypes.get_errno(), '')"
    ),
}


@pytest.mark.parametrize("code", READING.values(), ids=READING)
def test_nothing_outside_can_be_read(confined, outside, code):
    assert confined(code, outside=outside).error == "PermissionError"


WRITING = {
    "open": "open(outside, 'w')",
    "append": "open(outside, 'a')",
    "new": "open(outside + '.new', 'w')",
    "truncate": "import os; os.truncate(outside, 0)",
    "delete": "import os; os.remove(outside)",
    "rename in": "import os; os.rename(outside, 'mine')",
    "rename out": "import os; open('mine', 'w'); os.rename('mine', outside)",
    "hard link in": "import os; os.link(outside, 'mine')",
    "folder": "import os; os.mkdir(outside + '.d')",
    "symlink": "import os; os.symlink(outside, 'mine')",
    "pipe": "import os; os.mkfifo('mine')",
    "owner": "import os; os.chown(outside, 1, 1)",
    "library": "import sys; open(sys.modules['numpy'].__file__, 'a')",
    "temporary files": "open('/tmp/coursekit-test', 'w')",
    "shared memory": "open('/dev/shm/coursekit-test', 'w')",
}


@pytest.mark.parametrize("code", WRITING.values(), ids=WRITING)
def test_nothing_outside_can_be_written(confined, outside, code):
    before = sorted(outside.parent.iterdir())
    said = confined(code, outside=outside)
    assert said.error in {"PermissionError", "OSError"}
    assert outside.read_text() == "secret"
    assert sorted(outside.parent.iterdir()) == before


def test_modes_and_times_of_files_outside_stay(confined, outside):
    before = outside.stat()
    said = confined("import os; os.chmod(outside, 0); os.utime(outside, (1, 1))", outside=outside)
    assert said.error == ""  # it says so, but nothing has happened
    after = outside.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_a_link_in_the_folder_does_not_lead_out(confined, outside):
    (outside.parent / "inside" / "link").symlink_to(outside)
    for code in ("open('link').read()", "open('link', 'w')"):
        assert confined(code).error == "PermissionError"
    assert outside.read_text() == "secret"


def test_more_can_be_opened_for_reading_alone(confined, outside):
    read = confined("value = open(outside).read()", [outside], outside=outside)
    assert read.value == "secret"
    assert confined("open(outside, 'a')", [outside], outside=outside).error == "PermissionError"


NETWORK = {
    "internet": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "udp": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "unix": "import socket; socket.socket(socket.AF_UNIX)",
    "datagram pair": "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "internet pair": "import socket; socket.socketpair(socket.AF_INET)",
    "listen on a pair": "import socket; socket.socketpair()[0].listen()",
}


@pytest.mark.parametrize("code", NETWORK.values(), ids=NETWORK)
def test_there_is_no_network(confined, code):
    assert confined(code).error == "PermissionError"


def test_an_inherited_socket_does_not_connect(confined, tmp_path):
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        code = "import socket; a, b = socket.socketpair(); a.connect(path)"
        assert confined(code, path=path).error == "PermissionError"


CALL = (
    "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
    "if c.{} == -1:\n"
    "    raise OSError(ctypes.get_errno(), '')"
)
PROCESSES = {
    "fork": "import os; os.fork() or os._exit(0)",
    "subprocess": "import subprocess, sys; subprocess.run([sys.executable, '-V'])",
    "spawn": "import os, sys; os.posix_spawn(sys.executable, ['p', '-V'], {})",
    "exec": "import os, sys; os.execv(sys.executable, ['p', '-V'])",
    "namespace": CALL.format("unshare(0x10000000)"),
    "kill the parent": "import os; os.kill(int(parent), 0)",
    "kill all": "import os; os.kill(-1, 0)",
    "kill the group": "import os; os.killpg(0, 0)",
    "kill init": "import os; os.kill(1, 0)",
    "signal a process": "import os, signal; signal.pidfd_send_signal(0, 0)",
    "trace": CALL.format("ptrace(16, int(parent), 0, 0)"),
    "memory": CALL.format("process_vm_readv(int(parent), 0, 0, 0, 0, 0)"),
    "limits": "import resource as r; r.prlimit(int(parent), r.RLIMIT_CPU)",
    "processors": "import os; os.sched_setaffinity(int(parent), os.sched_getaffinity(0))",
    "priority": "import os; os.setpriority(os.PRIO_USER, 0, os.getpriority(os.PRIO_USER, 0))",
    "file owner": "import fcntl; fcntl.fcntl(0, fcntl.F_SETOWN, int(parent))",
    "typing": "import fcntl; fcntl.ioctl(0, 0x5412, b'x')",
    "shared memory": CALL.format("shmget(77, 4096, 0)"),
    "nameless file": "import os; os.memfd_create('x')",
    "filter": CALL.format("syscall(317 if __import__('os').uname().machine == 'x86_64' else 277)"),
}


@pytest.mark.parametrize("code", PROCESSES.values(), ids=PROCESSES)
def test_other_processes_and_new_ones_are_out_of_reach(confined, code):
    assert confined(code).error == "PermissionError"


ROOT = {
    "user": "import os; os.setuid(0)",
    "groups": "import os; os.setgroups([])",
    "root folder": "import os; os.chroot('.')",
    "mount": CALL.format("mount(b'none', b'.', b'no such type', 0, 0)"),
    "host name": "import socket; socket.sethostname(socket.gethostname())",
    "clock": "import time; time.clock_settime(time.CLOCK_MONOTONIC, 0)",
    "more memory": "import resource as r; r.setrlimit(r.RLIMIT_AS, (r.RLIM_INFINITY,) * 2)",
    "more files": "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (9999, 9999))",
}


@pytest.mark.parametrize("code", ROOT.values(), ids=ROOT)
def test_root_has_no_rights_of_root(confined, code):
    assert confined(code).error in {"PermissionError", "ValueError"}


def test_no_capability_is_left(confined):
    said = confined("value = open('/proc/self/status').read()")
    status = dict(line.split(":\t") for line in said.value.splitlines())
    assert {int(status[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {0}
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"


def test_a_normal_user_is_confined_as_well(confined, outside, tmp_path):
    if os.getuid() != 0:
        assert missing() == []
        return
    with tempfile.TemporaryDirectory() as name:
        # Where the user may go, but for Landlock.
        Path(name).chmod(0o777)
        path = Path(name, "theirs")
        path.write_text("secret")
        path.chmod(0o666)
        for code in ("open(outside)", "open(outside, 'w')", "import os; os.fork()"):
            assert confined(code, nobody=True, outside=path).error == "PermissionError"
        assert confined("value = applied", nobody=True).value == confined("value = applied").value
        status = confined("value = open('/proc/self/status').read()", nobody=True)
        assert "Uid:\t65534" in status.value


LIMITS = {
    "array": ("import numpy; numpy.ones(10**9)", "MemoryError"),
    "list": ("x = [0] * 10**9", "MemoryError"),
    "tensor": ("import torch; torch.ones(10**9)", "RuntimeError"),
    "map": ("import mmap; mmap.mmap(-1, 8 * 10**9)", "OSError"),
    "big file": ("open('big', 'wb').write(bytes(2 * 10**6))", "OSError"),
    "hole": ("open('big', 'wb').truncate(2 * 10**6)", "OSError"),
    "files": ("x = [open('a', 'w') for _ in range(10_000)]", "OSError"),
}


@pytest.mark.parametrize(("code", "error"), LIMITS.values(), ids=LIMITS)
def test_resources_have_limits(confined, code, error):
    said = confined(code, limits={"memory_mb": 1024, "file_mb": 1, "open_files": 64})
    assert said.error == error


def test_memory_is_counted_from_what_the_process_has(confined):
    half = "import numpy; value = float(numpy.ones(64 * 2**20 // 8).sum())"
    assert confined(half, limits={"memory_mb": 128}).value == 2.0**23
    assert confined(half, limits={"memory_mb": 32}).error == "MemoryError"


WORK = {
    "threads": """
import threading
got = []
threads = [threading.Thread(target=got.append, args=(i,)) for i in range(20)]
[t.start() for t in threads]
[t.join() for t in threads]
value = sorted(got) == list(range(20))
""",
    "pool": """
from concurrent.futures import ThreadPoolExecutor
value = list(ThreadPoolExecutor(4).map(abs, [-1, 2])) == [1, 2]
""",
    "numpy": "import numpy as np; a = np.ones((500, 500)); value = float((a @ a)[0, 0]) == 500",
    "torch": """
import torch
layer = torch.nn.Linear(300, 300)
layer(torch.ones(2000, 300)).sum().backward()
value = tuple(layer.weight.grad.shape) == (300, 300)
""",
    "saving": """
import torch, numpy as np
torch.save({"a": torch.ones(3)}, "m.pt"); np.save("a.npy", np.ones(3))
value = torch.load("m.pt")["a"].tolist() == np.load("a.npy").tolist()
""",
    "figure": """
import os
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.title("$w_1$"); plt.savefig("a.png"); plt.savefig("a.pdf")
value = os.path.getsize("a.png") > 1000
""",
    "asyncio": """
import asyncio
async def later():
    await asyncio.sleep(0)
    return await asyncio.to_thread(abs, -1)
value = asyncio.run(later()) == 1
""",
    "data": "from sklearn.datasets import load_digits; value = len(load_digits().data) == 1797",
    "new import": """
import sys
value = "scipy.integrate" not in sys.modules and "wave" not in sys.modules
import scipy.integrate, wave
""",
    "temporary file": """
import os, tempfile
tempfile.tempdir = None
with tempfile.TemporaryDirectory() as d, tempfile.NamedTemporaryFile() as f:
    value = os.path.dirname(f.name) == os.path.dirname(d) == os.getcwd()
""",
    "copy": """
import os, shutil
os.makedirs("b/c"); open("b/c/a", "w").write("x")
shutil.copy("b/c/a", "d"); shutil.copy2("d", "e"); shutil.copytree("b", "f"); shutil.move("e", "f")
os.replace("d", "b/d"); os.link("b/d", "g"); shutil.rmtree("b")
value = open("f/c/a").read() + open("f/e").read() + open("g").read() == "xxx"
""",
    "own module": """
import sys
sys.path.insert(0, "")
open("mine_to_import.py", "w").write("def f(): return 3")
import mine_to_import
value = mine_to_import.f() == 3
""",
    "signals": """
import signal, os
got = []
signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
os.kill(os.getpid(), signal.SIGUSR1); signal.raise_signal(signal.SIGUSR1)
value = got == [1, 1]
""",
    "alarm": """
import signal
got = []
signal.signal(signal.SIGALRM, lambda *_: got.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause()
value = got == [1]
""",
    "system": """
import datetime, getpass, os, platform, random, ssl, uuid, zoneinfo
getpass.getuser(); uuid.uuid4(); ssl.create_default_context(); os.urandom(3)
open(os.devnull, "w").write("x")
value = str(zoneinfo.ZoneInfo("Europe/Berlin")) == "Europe/Berlin" and os.cpu_count() > 0
""",
    "memory read": "import psutil; value = psutil.Process().memory_info().rss > 0",
    "joblib": """
from joblib import Parallel, delayed
value = Parallel(2, prefer="threads")(delayed(abs)(i) for i in (-1, 2)) == [1, 2]
""",
}


@pytest.mark.parametrize("code", WORK.values(), ids=WORK)
def test_honest_work_goes_on(confined, code):
    said = confined(code)
    assert (said.error, said.text, said.value) == ("", "", True)


def test_the_names_of_what_was_applied(confined):
    assert confined("value = applied").value == [
        "memory",
        "file size",
        "open files",
        "core dumps",
        "processor time",
        "files",
        "no new privileges",
        "capabilities",
        "hidden memory",
        "system calls",
    ]


def test_confining_twice_is_possible(confined, tmp_path):
    code = """
from coursekit.grading.sandbox import Policy, confine
from pathlib import Path
value = confine(Policy(Path.cwd()))
open("a", "w")
"""
    said = confined(code)
    assert said.error == "" and "system calls" not in said.value
