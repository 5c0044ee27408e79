"""Rules about test cells: what they call, what they hide, and that they rely on nobody's names."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from nbformat import NotebookNode

from coursekit.authoring.lesson import Fault, Lesson
from coursekit.authoring.notebooks import Kind, lines, of_kind, released


def _parsed(lesson: Lesson) -> Iterator[tuple[NotebookNode, ast.Module]]:
    """The test cells that are valid Python, with and without their hidden part."""
    for cell in of_kind(lesson.notebook, Kind.TEST):
        try:
            tree = ast.parse(cell.source)
            ast.parse(released(cell.source))
        except SyntaxError:
            continue
        yield cell, tree


def _calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    """The calls of functions or methods of these names, in order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in names:
                yield node


def _argument(call: ast.Call, name: str, position: int) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[position] if position < len(call.args) else None


def cells_are_python(lesson: Lesson) -> Iterator[Fault]:
    """Test cells are plain Python, with and without their hidden part."""
    for cell in of_kind(lesson.notebook, Kind.TEST):
        for source, part in (
            (cell.source, ""),
            (released(cell.source), " without its hidden part"),
        ):
            try:
                ast.parse(source)
            except SyntaxError as error:
                what = f"line {error.lineno} is not Python{part} ({error.msg})"
                yield lesson.fault(cell, what, "write the cell in plain Python")
                break


def cells_end_in_a_score(lesson: Lesson) -> Iterator[Fault]:
    """The last line of a test cell is `c.score()`."""
    for cell, tree in _parsed(lesson):
        last = tree.body[-1] if tree.body else None
        call = last.value if isinstance(last, ast.Expr) else None
        right = isinstance(call, ast.Call) and list(_calls(call, "score"))[:1] == [call]
        seen = released(cell.source).rstrip().split("\n")[-1]
        if not right or "score" not in seen or seen.rstrip().endswith(";"):
            yield lesson.fault(cell, "does not end in a score", "let its last line be `c.score()`")


def points_agree(lesson: Lesson) -> Iterator[Fault]:
    """One check per cell, worth what the cell's metadata say."""
    for cell, tree in _parsed(lesson):
        checks = list(_calls(tree, "check", "answer"))
        if len(checks) != 1:
            what = f"makes {len(checks)} checks"
            yield lesson.fault(cell, what, "call `check(...)` or `answer(...)` exactly once")
            continue
        points, worth = _argument(checks[0], "points", 1), cell.metadata.nbgrader.points
        if not isinstance(points, ast.Constant) or points.value != worth:
            said = "no number" if points is None else ast.unparse(points)
            what = f"the check says points={said}, the cell is worth {worth:g}"
            yield lesson.fault(cell, what, "make both the same")


def hidden_cases_are_hidden(lesson: Lesson) -> Iterator[Fault]:
    """`hidden` is called inside hidden regions only, `case` outside only, and each has its hint."""
    for cell, tree in _parsed(lesson):
        secret = {line.number for line in lines(cell.source) if line.region == "hidden"}
        calls = list(_calls(tree, "hidden"))
        for call in calls:
            if not set(range(call.lineno, (call.end_lineno or 0) + 1)) <= secret:
                what = f"line {call.lineno} calls `hidden` outside the hidden tests"
                yield lesson.fault(cell, what, "move it between BEGIN and END HIDDEN TESTS")
            hint = _argument(call, "hint", len(call.args))
            if hint is None or (isinstance(hint, ast.Constant) and not hint.value):
                what = f"the hidden case in line {call.lineno} has no hint"
                yield lesson.fault(cell, what, 'add `hint="..."`')
        for call in _calls(tree, "case"):
            if call.lineno in secret:
                what = f"line {call.lineno} calls `case` inside the hidden tests"
                yield lesson.fault(cell, what, "call `hidden` there, with a hint")
        if secret and not calls:
            yield lesson.fault(cell, "the hidden tests call no `hidden`", "add a hidden case")


def a_case_is_visible(lesson: Lesson) -> Iterator[Fault]:
    """Each test cell shows at least one case."""
    for cell, tree in _parsed(lesson):
        if not list(_calls(tree, "case")):
            yield lesson.fault(cell, "shows no case to the student", "add a `c.case(...)`")


def _bound(tree: ast.AST) -> set[str]:
    names = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def unbound(source: str) -> list[str]:
    """Names that a piece of code uses without defining them, in order of use."""
    tree = ast.parse(source)
    bound = _bound(tree)
    used = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id not in bound]
    return list(dict.fromkeys(used))


def cells_stand_alone(lesson: Lesson) -> Iterator[Fault]:
    """A test cell defines or imports all names that it uses, so that no student can change them."""
    for cell, _ in _parsed(lesson):
        names = dict.fromkeys(unbound(cell.source) + unbound(released(cell.source)))
        for name in names:
            what = f"uses `{name}` of the notebook, which a student can change"
            yield lesson.fault(cell, what, "import or define it in the visible part of the cell")


RULES = [
    cells_are_python,
    cells_end_in_a_score,
    points_agree,
    hidden_cases_are_hidden,
    a_case_is_visible,
    cells_stand_alone,
]
