"""Running a test cell: its verdict comes from its value or its error, never from what it shows."""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any

from coursekit.checks import telling
from coursekit.grading.kernels import marks
from coursekit.grading.kernels.cells import Cell, Verdict
from coursekit.grading.kernels.recorder import TooMuchOutput
from coursekit.grading.kernels.shell import Shell
from coursekit.grading.trust import Guard
from coursekit.grading.trust.plain import guarded
from coursekit.grading.trust.scope import Scope

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass(frozen=True)
class Ended:
    """How a test cell ended: with a value, or with an error."""

    value: Any = None
    error: BaseException | None = None


def run_test(shell: Shell, cell: Cell, guard: Guard) -> tuple[Verdict, list[str], list[str]]:
    """Run a test cell and judge it; returns the verdict, notes and flags.

    Its text goes neither into the history nor to where tracebacks find source lines, so that the
    code it calls cannot look it up.
    """
    points = float(cell.points or 0)
    telling.sentences.clear()
    with guard.test(shell) as watch:
        source = plain_python(shell, cell.source)
        ended = _run(source, cell, guard, watch.namespace)
        verdict = _verdict(ended, cell, points)
    guard.share(watch.namespace.bound, visible_names(source), shell.user_ns)
    if watch.spoiled:
        verdict = Verdict(0.0, points, "This test could not be counted.", verdict.alerts)
        verdict.alerts.append(watch.spoiled)
    _show(shell, cell, ended, verdict)
    shell.execution_count += 1
    return verdict, list(watch.notes), list(watch.flags)


def plain_python(shell: Shell, source: str) -> str:
    """The source without IPython's own notation, such as magics."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return str(shell.transform_cell(source))
    return source


def _run(source: str, cell: Cell, guard: Guard, namespace: Scope) -> Ended:
    try:
        return Ended(_value(source, cell, guard, namespace))
    except BaseException as error:
        return Ended(error=error)


def _value(source: str, cell: Cell, guard: Guard, namespace: Scope) -> Any:
    """The value of the last line where that is an expression, None otherwise."""
    name = _file_name(cell)
    tree = ast.parse(source, name)
    quiet = cell.source.rstrip().endswith(";")
    tree = guarded(tree, namespace, guard)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    _evaluate(namespace, compile(tree, name, "exec", FLAGS))
    if not isinstance(last, ast.Expr):
        return None
    value = _evaluate(namespace, compile(ast.Expression(last.value), name, "eval", FLAGS))
    return None if quiet else value


def _evaluate(namespace: Scope, code: CodeType) -> Any:
    # The same mapping twice: Python then asks the scope itself for names, as no plain dict would.
    value = eval(code, namespace, namespace)
    if code.co_flags & inspect.CO_COROUTINE:
        return asyncio.new_event_loop().run_until_complete(value)
    return value


def _file_name(cell: Cell) -> str:
    return f"<test {cell.name}>"


def _verdict(ended: Ended, cell: Cell, points: float) -> Verdict:
    if ended.error is not None:
        return Verdict(0.0, points, sentence(ended.error, cell))
    verdict = marks.from_value(ended.value, points)
    if verdict.score < points and telling.sentences:
        verdict.why = telling.sentences[0]
    return verdict


def sentence(error: BaseException, cell: Cell) -> str:
    """What went wrong, for the student: without anything that a hidden part says."""
    kind = type(error).__name__
    if isinstance(error, NotImplementedError):
        return marks.UNTOUCHED
    if isinstance(error, TooMuchOutput):
        return f"Stopped: {error}."
    line = _line_of(error, cell)
    if cell.hidden and not _visible(line, cell.source):
        return f"{kind} in a check that is partly hidden."
    said, claim = _said(error), _claim(line, cell)
    if isinstance(error, AssertionError) and claim:
        return f"This does not hold: `{claim}`" + (f" ({said})" if said else "")
    return f"{kind}: {said}" if said else kind


def _said(error: BaseException) -> str:
    try:
        return str(error).strip()[:300]
    except BaseException:
        return ""


def _line_of(error: BaseException, cell: Cell) -> int:
    """The line of the test cell at which the error arose, 0 if at none."""
    lines = [
        line
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == _file_name(cell)
    ]
    return lines[-1] if lines else 0


def _visible(line: int, source: str) -> bool:
    """Whether a line stands outside the hidden parts."""
    hidden = False
    for text in source.split("\n")[:line]:
        hidden = "BEGIN HIDDEN TESTS" in text or (hidden and "END HIDDEN TESTS" not in text)
    return line > 0 and not hidden


def visible_names(source: str) -> set[str]:
    """The names that a test cell binds outside its hidden parts, functions inside left out."""
    try:
        nodes = list(_outside_functions(ast.parse(source)))
    except SyntaxError:
        return set()
    found: set[str] = set()
    for node in nodes:
        if not _visible(getattr(node, "lineno", 0), source):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, DEFINITIONS):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.split(".")[0])
    return found


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            yield from _outside_functions(node)


def _claim(line: int, cell: Cell) -> str:
    """The condition of the assertion at a line, if it is one."""
    try:
        nodes = list(ast.walk(ast.parse(cell.source)))
    except SyntaxError:
        return ""
    for node in nodes:
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
            return ast.unparse(node.test)[:200]
    return ""


def _show(shell: Shell, cell: Cell, ended: Ended, verdict: Verdict) -> None:
    """Record value or error, for whoever reads the graded notebook."""
    for output in shell.recorder.outputs:
        # Only the test's own value may look like a result: nbgrader reads marks from those.
        if output["output_type"] in ("execute_result", "error"):
            output.update(_as_display(output))
            output.pop("execution_count", None)
    if ended.error is not None:
        shell.recorder.add(
            "error",
            ename=type(ended.error).__name__,
            evalue=_said(ended.error),
            traceback=_traceback(ended.error, cell),
        )
    elif ended.value is not None:
        text = f"{verdict.score:g}" if marks.as_number(ended.value) is not None else _repr(ended)
        shell.recorder.add(
            "execute_result",
            data={"text/plain": text},
            metadata={},
            execution_count=shell.recorder.count,
        )


def _as_display(output: dict[str, Any]) -> dict[str, Any]:
    if output["output_type"] == "error":
        text = "\n".join(output.get("traceback", []))
        return {"output_type": "stream", "name": "stderr", "text": text}
    return {"output_type": "display_data", "metadata": output.get("metadata", {})}


def _repr(ended: Ended) -> str:
    try:
        return repr(ended.value)[:1000]
    except BaseException:
        return f"<{type(ended.value).__name__}>"


def _traceback(error: BaseException, cell: Cell) -> list[str]:
    """The lines of a traceback from the test cell on, with the test's own lines."""
    name = _file_name(cell)
    linecache.cache[name] = (len(cell.source), None, _lines(cell.source), name)
    try:
        start: TracebackType | None = error.__traceback__
        while start is not None and start.tb_frame.f_code.co_filename != name:
            start = start.tb_next
        told = traceback.format_exception(type(error), error, start or error.__traceback__)
        return _short([line.rstrip("\n") for line in told])
    except BaseException:
        return [f"{type(error).__name__}: {_said(error)}"]
    finally:
        linecache.cache.pop(name, None)


def _lines(source: str) -> list[str]:
    return [line + "\n" for line in source.split("\n")]


def _short(lines: Sequence[str], most: int = 60) -> list[str]:
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most // 2], "…", *lines[-most // 2 :]]
