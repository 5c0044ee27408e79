"""What Jupyter's messages say of cells and of what they did: plain functions without sockets."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from typing import Any

from coursekit.errors import CourseError
from coursekit.grading.kernels.cells import Cell, CellRun

PROTOCOL = "5.3"
OURS = "coursekit"  # the key of our part in a request's metadata and a reply's content
OPTIONS = ("name", "course", "points", "hidden", "asks")
# What is asked of a kernel beside running cells; nobody types into this one.
MINIMAL: dict[str, dict[str, Any]] = {
    "complete_request": {"matches": [], "cursor_start": 0, "cursor_end": 0, "metadata": {}},
    "inspect_request": {"found": False, "data": {}, "metadata": {}},
    "history_request": {"history": []},
    "comm_info_request": {"comms": {}},
    "is_complete_request": {"status": "unknown"},
    "connect_request": {},
    "debug_request": {},
}


def kernel_info() -> dict[str, Any]:
    """The content of a kernel_info_reply."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    return {
        "status": "ok",
        "protocol_version": PROTOCOL,
        "implementation": "coursekit",
        "implementation_version": "1",
        "language_info": {
            "name": "python",
            "version": version,
            "mimetype": "text/x-python",
            "file_extension": ".py",
            "pygments_lexer": "ipython3",
            "codemirror_mode": {"name": "ipython", "version": 3},
            "nbconvert_exporter": "python",
        },
        "banner": f"Python {version}, forked from a warm server",
        "help_links": [],
    }


def minimal(msg_type: str) -> dict[str, Any] | None:
    """The content of a reply that has nothing to tell, None for an unknown request."""
    content = MINIMAL.get(msg_type)
    return None if content is None else {"status": "ok", **content}


def cell_of(request: dict[str, Any]) -> Cell:
    """The cell of an execute_request. Raises KeyError or TypeError where it has no code."""
    code = request["content"]["code"]
    if not isinstance(code, str):
        raise TypeError("code is no text")
    told = request["metadata"].get(OURS)
    told = told if isinstance(told, dict) else {}
    return Cell(code, **{key: told[key] for key in OPTIONS if key in told})


def published(output: dict[str, Any], count: int | None) -> tuple[str, dict[str, Any]]:
    """The type and content of the message that tells of one output in nbformat's form."""
    kind = output["output_type"]
    content = {key: value for key, value in output.items() if key != "output_type"}
    if kind == "execute_result":
        content = {"execution_count": count, "metadata": {}, **content}
    elif kind == "display_data":
        content = {"metadata": {}, "transient": {}, **content}
    return kind, plain(content)


def reply(run: CellRun) -> dict[str, Any]:
    """The content of an execute_reply."""
    errors = [output for output in run.outputs if output["output_type"] == "error"]
    ended: dict[str, Any] = {"status": "ok", "user_expressions": {}, "payload": []}
    if errors:
        ended = {"status": "error", **_error(errors[-1])}
    told = {
        "verdict": asdict(run.verdict) if run.verdict else None,
        "stopped": run.stopped,
        "notes": run.notes,
        "flags": run.flags,
    }
    return plain({**ended, "execution_count": run.execution_count or 0, OURS: told})


def no_kernel(error: Exception) -> dict[str, Any]:
    """The content of an execute_reply where the machine, not the student, is the trouble."""
    words = str(error) if isinstance(error, CourseError) else f"{type(error).__name__}: {error}"
    failed = {"ename": "NoKernel", "evalue": words, "traceback": [words]}
    return plain({"status": "error", "execution_count": 0, **failed, OURS: {"failed": words}})


def _error(output: dict[str, Any]) -> dict[str, Any]:
    return {key: output[key] for key in ("ename", "evalue", "traceback")}


def plain(value: Any) -> Any:
    """The same as values that any JSON may carry: no lone surrogates, no NaN."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {plain(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
