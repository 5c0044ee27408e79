"""Which names of the course's cells its answer cells are meant to change."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

STORES = (ast.Store, ast.Del)


def asked_names(sources: Iterable[str]) -> frozenset[str]:
    """The names that these answer cells, with their solutions, give values or contents to.

    Counts `x = ...`, `x[0] = ...`, `x.a = ...`, `del x[0]`, and a method called for what it does,
    such as `x.append(1)`, outside of functions. A cell that cannot be read names nothing.
    """
    return frozenset(name for source in sources for name in _changed(source))


def _changed(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in _outside_functions(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", None), STORES):
            yield from _root(node)
        elif isinstance(node, ast.Expr):
            yield from _of_call(node.value)


def _of_call(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from _root(node.func)


def _root(node: ast.expr) -> Iterator[str]:
    """The name that `x`, `x[0]` or `x.a` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _outside_functions(node)
