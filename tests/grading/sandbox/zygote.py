"""A process with the libraries imported that forks a confined child for each piece of code.

It reads requests as lines of JSON and answers each with what the child said, or how it died.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from coursekit.grading.kernels.cells import Limits
from coursekit.grading.sandbox import Policy, confine, prepare

NOBODY = 65534


def child(request, to):
    folder = Path(request["folder"])
    os.chdir(folder)
    os.environ.update(HOME=str(folder), TMPDIR=str(folder))
    if request["nobody"]:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    readable = tuple(map(Path, request["readable"]))
    began = time.perf_counter()
    applied = confine(Policy(folder, readable, Limits(**request["limits"])))
    names = {"applied": applied, "took": time.perf_counter() - began, "parent": os.getppid()}
    names |= request["names"]
    try:
        exec(compile(request["code"], "<student>", "exec"), names)
        answer = {"error": "", "text": "", "value": names.get("value")}
    except BaseException as error:
        answer = {"error": type(error).__name__, "text": str(error), "value": None}
    os.write(to, json.dumps(answer).encode())
    os._exit(0)


def main():
    import matplotlib

    matplotlib.use("agg")
    import IPython  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import numpy  # noqa: F401
    import torch  # noqa: F401

    prepare()
    for line in sys.stdin:
        get, to = os.pipe()
        pid = os.fork()
        if pid == 0:
            child(json.loads(line), to)
        os.close(to)
        with open(get, "rb") as answer:
            said = answer.read()
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        died = {"error": f"died {code}", "text": "", "value": None}
        print(said.decode() if said else json.dumps(died), flush=True)


if __name__ == "__main__":
    main()
