"""What there is to watch: modules with their classes and functions, and what is inside those."""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from coursekit.grading.trust.pristine import HEAP_TYPE, Attributes, Entries, Snapshot, named

GRADER = "coursekit.grading"  # leaves its package when the guard is armed
LEFT_ALONE = {"__dict__", "__weakref__", "__doc__", "__annotations__", "__abstractmethods__"}
# Libraries set these on classes or modules of their own accord.
REBOUND = {"_abc_impl", "__parameters__", "__warningregistry__", "__builtins__", "__path__"}
# Of these modules, numbers and texts must not change either, such as a tolerance.
ALL_COUNTS = ("coursekit.checks", "coursekit.data")
CONSTANTS = (bool, int, str, tuple, frozenset, set, dict, list, type(None))
BUILTINS = frozenset(vars(builtins))
_bases, _contents = operator.attrgetter("__bases__"), operator.attrgetter("cell_contents")


def snapshot_of(modules: Iterable[ModuleType]) -> Snapshot:
    """The state of modules, their classes and functions, and their places in `sys.modules`."""
    trusted = {module.__name__: module for module in modules}
    classes, functions = _parts(trusted)
    places: list[Entries | Attributes] = [
        *(of_module(name, module) for name, module in trusted.items()),
        *(of_class(kind) for kind in classes),
        Attributes(classes, _bases, "__bases__", _new_bases),
        *_inner(functions),
        _registry(trusted),
        *_tables(trusted),
    ]
    return Snapshot(places, functions)


def _tables(modules: Mapping[str, ModuleType]) -> Iterator[Entries]:
    """The dicts of constants in modules of which all counts."""
    for name, module in modules.items():
        for key, value in vars(module).items():
            if name.startswith(ALL_COUNTS) and type(value) is dict and not key.startswith("__"):
                put, take = value.__setitem__, value.__delitem__
                yield Entries(f"{name}.{key}", value, list(value), put, take)


def _registry(names: Iterable[str]) -> Entries:
    loaded_now = [name for name in names if name in sys.modules]
    put, take = sys.modules.__setitem__, sys.modules.__delitem__
    return Entries("sys.modules", sys.modules, loaded_now, put, take)


def of_module(name: str, module: ModuleType) -> Entries:
    """The functions, classes and modules that a module names; it may not shadow a builtin anew."""
    space = vars(module)
    own = name.startswith(ALL_COUNTS)
    names = [
        key
        for key, value in space.items()
        if _counts(key, value) or type(value) is float or (own and type(value) in CONSTANTS)
    ]
    sealed = BUILTINS if module is not builtins else frozenset()
    return Entries(name, space, names, space.__setitem__, space.__delitem__, sealed)


def of_class(kind: type) -> Entries:
    """The attributes of a class; it may not override anew what it inherits."""
    names = [
        key for key, value in vars(kind).items() if key not in LEFT_ALONE and _counts(key, value)
    ]

    def put(name: str, value: Any) -> None:
        type.__setattr__(kind, name, value)

    def take(name: str) -> None:
        type.__delattr__(kind, name)

    inherited = {key for base in kind.__mro__[1:] for key in vars(base)} | {"__bool__", "__len__"}
    sealed = frozenset(inherited - LEFT_ALONE - REBOUND)
    return Entries(named(kind), vars(kind), names, put, take, sealed)


def _counts(name: str, value: Any) -> bool:
    if name in REBOUND or (isinstance(value, ModuleType) and value.__name__ == GRADER):
        return False
    descriptors = (property, classmethod, staticmethod, ModuleType)
    return callable(value) or isinstance(value, descriptors)


def _parts(modules: Mapping[str, ModuleType]) -> tuple[list[type], list[FunctionType]]:
    """The changeable classes and the Python functions that belong to these modules."""
    classes: dict[int, type] = {}
    functions: dict[int, FunctionType] = {}
    for module in modules.values():
        for value in list(vars(module).values()):
            _collect(value, modules, classes, functions)
    return list(classes.values()), list(functions.values())


def _collect(
    value: Any,
    modules: Mapping[str, ModuleType],
    classes: dict[int, type],
    functions: dict[int, FunctionType],
) -> None:
    for function in _functions_of(value):
        if id(function) not in functions:
            functions[id(function)] = function
            for cell in function.__closure__ or ():
                _collect(_content(cell), modules, classes, functions)
    own = isinstance(value, type) and value.__flags__ & HEAP_TYPE
    if own and value.__module__ in modules and id(value) not in classes:
        classes[id(value)] = value
        for inner in list(vars(value).values()):
            _collect(inner, modules, classes, functions)


def _functions_of(value: Any) -> Iterator[FunctionType]:
    """The Python functions in a function, a method of a class, or a wrapper around one."""
    if isinstance(value, FunctionType):
        yield value
    if isinstance(value, property):
        for part in (value.fget, value.fset, value.fdel):
            yield from _functions_of(part)
    if isinstance(value, (type, ModuleType, BuiltinFunctionType)):
        return
    for name in ("__func__", "__wrapped__", "_implementation"):
        try:
            inner = object.__getattribute__(value, name)
        except Exception:
            continue
        if isinstance(inner, FunctionType):
            yield from _functions_of(inner)


def _new_bases(kind: type) -> str:
    return f"replaced the bases of `{named(kind)}`"


def _new_content(_: object) -> str:
    return "replaced what a function of a library uses"


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _inner(functions: list[FunctionType]) -> Iterator[Entries | Attributes]:
    """What can be changed inside functions unnoticed: closures, and defaults of keywords."""
    cells = {id(c): c for function in functions for c in function.__closure__ or ()}
    kept = [cell for cell in cells.values() if callable(_content(cell))]
    yield Attributes(kept, _contents, "cell_contents", _new_content)
    for function in functions:
        keywords = function.__kwdefaults__
        if keywords:
            owner = f"{named(function)}.__kwdefaults__"
            yield Entries(
                owner, keywords, list(keywords), keywords.__setitem__, keywords.__delitem__
            )


def loaded(names: Iterable[str]) -> list[ModuleType]:
    """The loaded modules with one of these names.

    A name that ends in `.*` means all below it; one that starts with `-` leaves out what starts so.
    """
    wanted = [name.removesuffix(".*") for name in names]
    not_wanted = tuple(name[1:] for name in names if name.startswith("-"))
    deep = tuple(f"{name.removesuffix('.*')}." for name in names if name.endswith(".*"))
    return [
        module
        for name, module in list(sys.modules.items())
        if (name in wanted or name.startswith(deep)) and type(module) is ModuleType
        if not name.startswith(not_wanted)
    ]
