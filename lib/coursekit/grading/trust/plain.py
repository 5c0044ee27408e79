"""Test cells of plain asserts: their comparisons cannot be fooled.

A test such as `assert f(3) == 9` asks the object that `f` returned whether it equals 9. So what a
test compares, calculates with or hands to a library is looked at first: an object whose class
comes from the notebook and says itself how it compares ends the test.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, MutableMapping
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from coursekit.grading.trust.guard import Guard

LOOK, AFTER = "__coursekit_look__", "__coursekit_after__"
Expression = TypeVar("Expression", bound=ast.expr)


def guarded(tree: ast.Module, namespace: MutableMapping[str, Any], guard: Guard) -> ast.Module:
    """The test cell `tree`, where values of the notebook are looked at before they are used.

    `namespace` is the one in which the cell will run; what the cell calls for this is put there.
    The tree is changed in place, and line numbers stay.
    """
    used, bound = _names(tree)
    namespace[LOOK] = _looker(guard, frozenset(used))
    namespace[AFTER] = _follower(guard)
    rewritten = _Rewriter(namespace, bound).visit(tree)
    return ast.fix_missing_locations(rewritten)


def _looker(guard: Guard, allowed: frozenset[str]) -> Callable[[Any, str], Any]:
    def look(value: Any, said: str) -> Any:
        kind = guard.strange(value, allowed)
        if kind is None:
            return value
        words = (
            f"an object of the class `{kind.__name__}`, whose comparisons are the notebook's own"
        )
        guard.spoil(f"{said} {words}")
        raise AssertionError(f"{said} {words}")

    return look


def _follower(guard: Guard) -> Callable[[Any], Any]:
    def after(value: Any) -> Any:
        guard.called()
        return value

    return after


def _names(tree: ast.AST) -> tuple[set[str], set[str]]:
    """The names that the test cell itself uses or defines, and those that it gives a value."""
    used: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            used.add(node.id)
            if isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        elif isinstance(node, ast.Attribute):
            used.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            used.add(node.name)
            bound.add(node.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            bound.add(node.name)
    return used, bound


class _Rewriter(ast.NodeTransformer):
    def __init__(self, namespace: Mapping[str, Any], bound: set[str]) -> None:
        self._namespace, self._bound = namespace, bound

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        node.left = _looked(node.left)
        node.comparators = [_looked(one) for one in node.comparators]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        node.left, node.right = _looked(node.left), _looked(node.right)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.operand, ast.Constant):
            node.operand = _looked(node.operand)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        node.values = [_looked(one) for one in node.values]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        self.generic_visit(node)
        node.test = _looked(node.test)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        node.test = _looked(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.generic_visit(node)
        node.test = _looked(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        node.test = _looked(node.test)
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        node.subject = _looked(self.visit(node.subject))
        for case in node.cases:  # patterns are no expressions and stay as they are
            case.guard = self.visit(case.guard) if case.guard else None
            case.body = [self.visit(step) for step in case.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if self._of_notebook(node.func):
            call = ast.Call(ast.Name(AFTER, ast.Load()), [node], [])
            return ast.copy_location(call, node)
        node.args = [_looked(one) for one in node.args]
        for keyword in node.keywords:
            if keyword.arg is not None:
                keyword.value = _looked(keyword.value)
        return node

    def _of_notebook(self, callee: ast.expr) -> bool:
        """Whether the call goes to student code: then its arguments are none of our business."""
        root = callee
        while isinstance(root, ast.Attribute | ast.Subscript | ast.Call):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name) or root.id in self._bound:
            return False
        value = self._namespace.get(root.id, vars(builtins).get(root.id))
        if isinstance(value, ModuleType) or value is None:
            return False
        inner = getattr(value, "__wrapped__", value)
        made_here = isinstance(inner, FunctionType) and inner.__module__ == "__main__"
        return made_here or getattr(type(value), "__module__", "") == "__main__" or (
            isinstance(value, type) and value.__module__ == "__main__"
        )  # fmt: skip


def _looked(node: ast.expr) -> ast.expr:
    """An expression whose value is looked at; a value written in the test needs no look."""
    if isinstance(node, ast.Constant | ast.Starred | ast.Lambda | ast.JoinedStr | ast.Compare):
        return node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == LOOK:
        return node
    arguments: list[ast.expr] = [node, ast.Constant(_said(node))]
    return ast.copy_location(ast.Call(ast.Name(LOOK, ast.Load()), arguments, []), node)


def _said(node: ast.expr) -> str:
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == AFTER:
        node = node.args[0]
    if isinstance(node, ast.Call):
        return f"`{ast.unparse(node.func)}` returned"
    if isinstance(node, ast.Name):
        return f"`{node.id}` is"
    return "a value of the test is"
