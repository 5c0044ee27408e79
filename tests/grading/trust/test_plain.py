"""Honest test cells mean the same after they were rewritten; dishonest objects end them."""

from __future__ import annotations

import ast
import asyncio
import inspect

import pytest

from coursekit.grading.trust.plain import guarded
from coursekit.grading.trust.values import Values

HONEST = [
    "assert 1 < f(1) <= 3 < 4",
    "assert not (3 < f(1) < 4)",
    "assert (n := f(3)) == 4 and n > 3 or f(0)",
    "assert [f(i) for i in range(3) if f(i) > 1] == [2, 3]",
    "assert {k: f(v) for k, v in {'a': 1}.items()} == {'a': 2}",
    "with open(__import__('os').devnull) as file:\n    assert file.read() == ''",
    "import pytest\nwith pytest.raises(ZeroDivisionError, match='division'):\n    f(1) / 0",
    "import pytest\nassert f(0.1) == pytest.approx(1.1)",
    "import unittest\ntc = unittest.TestCase()\ntc.assertEqual(f(1), 2)\n"
    "tc.assertAlmostEqual(f(.1), 1.1)"
    "\nwith tc.assertRaises(TypeError):\n    f('x')",
    "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
    "        super().setUp()\n        self.assertEqual(f(1), 2)\nr = unittest.TestResult()\n"
    "T('test').run(r)\nassert r.wasSuccessful()",
    "import numpy as np\nnp.testing.assert_allclose(f(np.ones(2)), [2, 2])\n"
    "assert np.all(-f(np.ones(2)) == -2) and f(np.ones(2)).shape == (2,)",
    "import asyncio\nasync def go():\n    await asyncio.sleep(0)\n    return f(1)\n"
    "assert await go() == 2",
    "match f(1):\n    case 2 if f(1) == 2:\n        ok = True\n"
    "    case _:\n        ok = False\nassert ok",
    "total = 0\nfor i in range(3):\n    total += f(i)\nelse:\n    total *= 1\nassert total == 6",
    "def check(x, *rest, key=1, **more):\n    return f(x) + key\n"
    "assert check(1, *[2], **{'key': 2}) == 4",
    "x = f(1) if f(0) else 0\nassert x == 2, f'got {f(1)}'",
    "assert f(1) in (2, 3) and f(1) is not None and 5 not in [f(1)]",
    "values = sorted([3, 1], key=lambda v: f(v))\nassert values == [1, 3]\n"
    "assert (lambda: f(1))() == 2",
    "while f(1) > 2:\n    break\nassert -f(1) == -2 and ~f(1) == -3 and +f(1) == 2",
]
WRONG = [
    "assert f(1) == 3",
    "assert 1 < f(1) < 2",
    "import numpy as np\nnp.testing.assert_allclose(f(np.ones(2)), 3)",
    "import unittest\nunittest.TestCase().assertEqual(f(1), 3)",
    "assert not f(1)",
]


# Made before the classes below: to it, all classes of this moment are libraries'.
VALUES = Values(lambda function: "/lib/" in function.__code__.co_filename)


class Guard:
    """Stands in for the guard: looks at values and remembers what spoiled the test."""

    def __init__(self):
        self.spoiled, self.calls = "", 0

    def strange(self, value, allowed):
        return VALUES.strange(value, allowed)

    def spoil(self, why):
        self.spoiled = why

    def called(self):
        self.calls += 1


def run(source, **names):
    """Run a test cell as it is rewritten; returns the guard."""
    guard = Guard()
    names = {"__name__": "__main__", **names}
    for value in names.values():
        if inspect.isfunction(value):
            value.__module__ = "__main__"
    tree = guarded(ast.parse(source), names, guard)
    code = compile(tree, "<t>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(code, names)
    if inspect.iscoroutine(result):
        asyncio.run(result)
    return guard


def f(x):
    return x + 1


@pytest.mark.parametrize("source", HONEST)
def test_an_honest_test_passes(source):
    assert run(source, f=f).spoiled == ""


@pytest.mark.parametrize("source", WRONG)
def test_a_wrong_answer_still_fails(source):
    with pytest.raises(AssertionError) as caught:
        run(source, f=f)
    assert "notebook's own" not in str(caught.value)


@pytest.mark.parametrize("source", HONEST + WRONG)
def test_lines_and_columns_stay(source):
    tree = ast.parse(source)
    places = {(n.lineno, n.col_offset) for n in ast.walk(tree) if hasattr(n, "lineno")}
    rewritten = guarded(ast.parse(source), {"f": f}, Guard())
    found = {(n.lineno, n.col_offset) for n in ast.walk(rewritten) if hasattr(n, "lineno")}
    assert found <= places | {
        (n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.expr)
    }


class Same:
    __hash__ = None

    def __eq__(self, other):
        return True

    def __bool__(self):
        return True

    def __abs__(self):
        return 0.0

    __sub__ = __lt__ = __array__ = __eq__


class SameNumber(float):
    def __eq__(self, other):
        return True

    def __ge__(self, other):
        return True


class Plain:
    def __repr__(self):
        return "a plain thing"


CLAIMS = [
    "assert g() == 3",
    "assert 3 == g()",
    "assert abs(g() - 3) < 1",
    "assert g()",
    "assert [g()] == [3]",
    "x = g()\nassert x == 3",
    "import numpy as np\nassert np.allclose(g(), 3)",
    "import unittest\nunittest.TestCase().assertEqual(g(), 3)",
    "import unittest\nunittest.TestCase().assertTrue(g())",
    "assert not g() or g() == 4",
    "if g() != 3:\n    raise AssertionError\nassert g() == 3",
    "assert all([g() == 3])",
]


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("made", [Same, lambda: SameNumber(7)])
def test_an_object_that_equals_everything_ends_the_test(claim, made):
    with pytest.raises(AssertionError, match="comparisons are the notebook's own"):
        run(claim, g=lambda: made())


@pytest.mark.parametrize("nest", ["[{}]", "({},)", "{{'a': {}}}", "[[{}]]"])
def test_it_is_found_inside_containers(nest):
    def g():
        return eval(nest.format("Same()"), {"Same": Same})

    with pytest.raises(AssertionError, match="`g` returned an object of the class `Same`"):
        run(f"assert g() == {nest.format('3')}", g=g)


def test_a_class_that_the_test_names_may_compare_as_it_likes():
    assert run("assert g() == Same()", g=lambda: Same(), Same=Same).spoiled == ""


def test_a_class_without_comparisons_is_no_matter():
    thing = Plain()
    assert run("assert g() is thing and g() == thing", g=lambda: thing, thing=thing).spoiled == ""


def test_student_code_is_looked_after_each_time_it_ran():
    assert run("f(1)\nassert f(2) == 3 and len([f(3)]) == 1", f=f).calls == 3
