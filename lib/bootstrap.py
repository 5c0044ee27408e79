"""Set up .venv once: the packages of pyproject.toml at the versions of constraints.txt.

Needs the standard library alone. It must parse on any Python, so that an old one can be
told that it is too old: no f-strings and no annotations here.
"""

import hashlib
import os
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "coursekit.stamp")
LOG = os.path.join(ROOT, "build", "setup.log")

STEPS = ("Collecting", "Downloading", "Installing", "Obtaining", "Preparing", "Processing")
AGAIN = "then run the same command again"
# What a failure's output says, and the sentence for it; {rest} is the word that follows.
CAUSES = (
    ("No space left on device", "The disk is full: free about 3 GB"),
    ("Disk quota exceeded", "The disk quota is used up: free about 3 GB"),
    ("ermission denied", "{root} cannot be written: copy the course to a folder of your own"),
    ("Read-only file system", "{root} is read-only: copy the course to a folder of your own"),
    ("File exists: ", "A file is in the place of the folder {rest}: move it away"),
    ("Not a directory: ", "A file is in the place of the folder {rest}: move it away"),
    ("ConnectionError", "The package index cannot be reached: connect to the network"),
    ("ConnectTimeout", "The package index cannot be reached: connect to the network"),
    ("ReadTimeout", "The package index does not answer: check the network connection"),
    ("ProxyError", "The network's proxy refuses the package index: check the proxy settings"),
    ("No matching distribution found for ", "Package {rest} was not found: check the network"),
)


class SetupError(Exception):
    """One sentence: what is wrong and what to do."""


def check_version(version=sys.version_info):
    """Raise SetupError for a Python that is too old."""
    if version < (3, 11):
        raise SetupError(
            "Python 3.11 or newer is needed, and %s is Python %d.%d: install a newer one, or name "
            "one as in `make PYTHON=python3.12 demo`." % (sys.executable, version[0], version[1])
        )


def check_venv():
    """Raise SetupError where the venv module or the pip that it installs is missing."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise SetupError(
            "Python's venv module is missing: install it (on Debian and Ubuntu: "
            "`sudo apt install python3-venv`), %s." % AGAIN
        )


def fingerprint():
    """What the set-up depends on: where it is, for which Python, and which packages."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        with open(os.path.join(ROOT, name), "rb") as stream:
            digest.update(stream.read())
    return ROOT + "\n" + digest.hexdigest() + "\n"


def read(path):
    """The text of a file, "" where there is none."""
    try:
        with open(path, "rb") as stream:
            return stream.read().decode("utf-8", "replace")
    except (IOError, OSError):
        return ""


def write(path, text):
    """Write a small text file."""
    with open(path, "wb") as stream:
        stream.write(text.encode("utf-8"))


def is_done():
    """Whether .venv was set up completely, here, for these packages."""
    return os.path.exists(VENV_PYTHON) and read(STAMP) == fingerprint()


def can_be_kept():
    """Whether .venv was set up completely, here: then installing into it is enough."""
    return os.path.exists(VENV_PYTHON) and read(STAMP).split("\n")[0] == ROOT


class Progress(object):
    """One line that says what goes on, rewritten on a terminal, written once elsewhere."""

    def __init__(self, stream):
        self.stream, self.live = stream, stream.isatty()
        self.step, self.started, self.stop = "", time.time(), threading.Event()

    def __enter__(self):
        if self.live:
            self.thread = threading.Thread(target=self.run)
            self.thread.daemon = True
            self.thread.start()
        else:
            self.stream.write("Setting up .venv (log: build/setup.log)\n")
            self.stream.flush()
        return self

    def run(self):
        """Rewrite the line until told to stop: a large download is silent for minutes."""
        while not self.stop.wait(0.2):
            seconds = int(time.time() - self.started)
            line = "Setting up .venv %d:%02d  %s" % (seconds // 60, seconds % 60, self.step)
            self.stream.write("\r" + line[:78].ljust(78))
            self.stream.flush()

    def __exit__(self, *exception):
        self.stop.set()
        if self.live:
            self.thread.join()
            self.stream.write("\r" + " " * 78 + "\r")
            self.stream.flush()


def run(command, log, progress):
    """Run a command with its output in the log; raise SetupError with the cause if it fails."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output = []
    try:
        for line in process.stdout:
            log.write(line)
            log.flush()
            output.append(line.decode("utf-8", "replace").strip())
            if output[-1].startswith(STEPS):
                progress.step = " ".join(output[-1].split()[:3])
    finally:
        if process.poll() is None and sys.exc_info()[0]:
            process.terminate()
        failed = process.wait()
    if failed:
        raise SetupError(cause(output))


def cause(output):
    """The sentence that explains the output of a failed command, given as lines."""
    text = "\n".join(output)
    for sign, advice in CAUSES:
        if sign in text:
            rest = text.split(sign, 1)[1].split("\n")[0].split(" (from ")[0].strip("'")
            return advice.format(root=ROOT, rest=rest) + ", " + AGAIN + "."
    errors = [line for line in output if line.lower().startswith("error")] or output[-1:] or ["?"]
    return "Setting up .venv failed (%s): see build/setup.log." % errors[0]


def install():
    """Make .venv where there is none that can be kept, and install the packages into it."""
    pip = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    if not os.path.isdir(os.path.dirname(LOG)):
        os.makedirs(os.path.dirname(LOG))
    with open(LOG, "wb") as log, Progress(sys.stdout) as progress:
        if can_be_kept():
            os.remove(STAMP)  # an interrupted set-up must not pass for a complete one
        else:
            progress.step = "making the environment"
            run([sys.executable, "-m", "venv", "--clear", VENV], log, progress)
        run(pip + ["install", "-e", ".[dev]", "-c", "constraints.txt"], log, progress)
    write(STAMP, fingerprint())


def main():
    """Set up .venv unless it is done; the exit status, with one sentence where it fails."""
    try:
        if not is_done():
            check_version()
            check_venv()
            install()
    except SetupError as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return fail("Interrupted: the next run starts over.", 130)
    except (IOError, OSError) as error:
        return fail(cause(["%s: %s" % (error.strerror, error.filename or LOG)]))
    return 0


def fail(sentence, status=1):
    """Print one sentence on stderr."""
    sys.stderr.write("setup: %s\n" % sentence)
    return status


if __name__ == "__main__":
    sys.exit(main())
