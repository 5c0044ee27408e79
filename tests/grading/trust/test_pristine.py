"""The snapshot notices what is replaced, puts it back, and lets libraries be."""

from __future__ import annotations

import sys
import types

import pytest

from coursekit.grading.trust import tags
from coursekit.grading.trust.contents import loaded, snapshot_of

SOURCE = """
import math
LIMIT = 3
RATIO = 0.5
def outer(x):
    def inner(y, *, z=1):
        return x(y) + z
    return inner
def helper(a, b=2, *, c=3):
    return a + b + c
made = outer(helper)
class Base:
    def method(self):
        return 1
    def __len__(self):
        return 3
class Kind(Base):
    size = 4
    @property
    def half(self):
        return 2
"""


@pytest.fixture(params=[True, False], ids=["counted", "compared"])
def library(request, monkeypatch):
    """A small module, and its snapshot."""
    monkeypatch.setattr("coursekit.grading.trust.pristine.TAGS", request.param and tags.available())
    module = types.ModuleType("a_library")
    exec(SOURCE, vars(module))
    monkeypatch.setitem(sys.modules, "a_library", module)
    return module, snapshot_of(loaded(["a_library"]))


CHANGES = {
    "helper = len": "replaced `a_library.helper`",
    "del helper": "replaced `a_library.helper`",
    "math = None": "replaced `a_library.math`",
    "RATIO = 9.0": "replaced `a_library.RATIO`",
    "Kind = Base": "replaced `a_library.Kind`",
    "all = len": "added `a_library.all`",
    "Kind.half = 3": "replaced `a_library.Kind.half`",
    "Base.method = len": "replaced `a_library.Base.method`",
    "Kind.method = len": "added `a_library.Kind.method`",
    "Kind.__eq__ = len": "added `a_library.Kind.__eq__`",
    "helper.__kwdefaults__['c'] = 9": "replaced `a_library.helper.__kwdefaults__.c`",
    "made.__closure__[0].cell_contents = len": "replaced what a function of a library uses",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_named_and_undone(library, change):
    module, snapshot = library
    before = dict(vars(module))
    exec(change, vars(module))
    assert snapshot.restore() == [CHANGES[change]]
    assert snapshot.restore() == []
    assert all(vars(module)[name] is value for name, value in before.items())
    assert "all" not in vars(module)
    assert module.helper(1) == 6 and module.made(1) == 7 and len(module.Kind()) == 3


@pytest.mark.parametrize(
    "change",
    ["LIMIT = 4", "new = 5", "Kind.size = 9", "Kind.fresh = 3", "import json", "def mine(): pass"],
)
def test_what_libraries_do_themselves_is_let_be(library, change):
    module, snapshot = library
    exec(change, vars(module))
    assert snapshot.restore() == []
    exec("sum = len", vars(module))
    assert snapshot.restore() == ["added `a_library.sum`"]


def test_another_code_in_a_function_is_undone_once_the_hook_has_told_of_it(library):
    module, snapshot = library
    code = module.helper.__code__
    module.helper.__code__ = (lambda a, b, *, c: 0).__code__
    snapshot.touched(module.helper, "__code__")
    assert snapshot.restore() == ["replaced `__code__` of `a_library.helper`"]
    assert module.helper.__code__ is code


def test_a_module_put_in_place_of_another_is_undone(library):
    module, snapshot = library
    sys.modules["a_library"] = types.ModuleType("a_library")
    assert snapshot.restore() == ["replaced `sys.modules.a_library`"]
    assert sys.modules["a_library"] is module


def test_an_object_that_equals_everything_is_noticed_as_replacement(library):
    module, snapshot = library
    module.helper = type("Same", (), {"__eq__": lambda self, other: True, "__hash__": None})()
    assert snapshot.restore() == ["replaced `a_library.helper`"]
