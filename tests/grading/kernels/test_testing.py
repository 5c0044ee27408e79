"""Marks come from what a test computes: not from what it, or anything else, prints."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.xdist_group("kernels")

SQUARE = "def square(x):\n    return x * x"
WRONG = "def square(x):\n    return -1"
PLAIN = "assert square(2) == 4\nassert square(3) == 9"
PARTLY_HIDDEN = (
    "assert square(2) == 4 or square(2) == -1\n"
    "### BEGIN HIDDEN TESTS\nassert square(3) == 9, 'nine'\n### END HIDDEN TESTS"
)
CHECKS = (
    "from coursekit.checks import check\n"
    "c = check('square', points=2)\n"
    "c.case('two', 2.0, expect=4.0)\n"
    "c.hidden('a negative number', -3.0, expect=9.0, hint='the sign goes')\n"
    "c.score()"
)
STYLES = pytest.mark.parametrize("test", [PLAIN, CHECKS], ids=["plain", "checks"])


def graded(run, answer, test, points=2, **options):
    run(answer)
    return run(test, "t1", points=points, **options)


@STYLES
def test_right_and_wrong(run, test):
    assert graded(run, SQUARE, test).verdict.score == 2
    assert graded(run, WRONG, test).verdict.score == 0


NOISE = {
    "warning": "import warnings\ndef square(x):\n    warnings.warn('old')\n    return x * x",
    "numpy": "import numpy as np\ndef square(x):\n    np.log(np.zeros(1))\n    return x * x",
    "torch": "import torch\ndef square(x):\n    torch.tensor(torch.ones(1))\n    return x * x",
    "stderr": "import sys\ndef square(x):\n    print('!', file=sys.stderr)\n    return x * x",
    "descriptor": "import os\ndef square(x):\n    os.write(2, b'!')\n    return x * x",
    "logging": "import logging\ndef square(x):\n    logging.warning('!')\n    return x * x",
    "display": "import sys\ndef square(x):\n    sys.displayhook(0.0)\n    return x * x",
    "result": (
        "from IPython.display import display\ndef square(x):\n    display(0.5)\n    return x * x"
    ),
    "thread": (
        "import sys, threading, time\n"
        "def talk():\n    while True:\n        print('!', file=sys.stderr); time.sleep(0.005)\n"
        f"threading.Thread(target=talk, daemon=True).start()\n{SQUARE}"
    ),
}


@STYLES
@pytest.mark.parametrize("answer", NOISE.values(), ids=NOISE)
def test_noise_costs_nothing(run, answer, test):
    run(answer)
    import time

    time.sleep(0.03)
    assert run(test, "t1", points=2).verdict.score == 2


FORGED = {
    "displayhook": "import sys\ndef square(x):\n    sys.displayhook(2.0)\n    return -1",
    "print": "def square(x):\n    print('2.0')\n    return -1",
    "everything shown": ("get_ipython().ast_node_interactivity = 'all'\ndef square(x): return -1"),
    "no traceback": (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.showtraceback = lambda *a, **k: None\ndef square(x): return -1"
    ),
    "handler": (
        "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)\ndef square(x): return -1"
    ),
    "exit": "def square(x):\n    raise SystemExit(0)",
    "interrupt": "def square(x):\n    raise KeyboardInterrupt",
    "generator exit": "def square(x):\n    raise GeneratorExit",
}


@STYLES
@pytest.mark.parametrize("answer", FORGED.values(), ids=FORGED)
def test_forging_earns_nothing(run, answer, test):
    told = graded(run, answer, test)
    assert told.verdict.score == 0
    assert told.verdict.why


@pytest.mark.parametrize(
    ("last", "score"),
    [
        ("True", 3),
        ("False", 0),
        ("square(2) == 5", 0),
        ("'some text'", 3),
        ("None", 3),
        ("np.float64(0.5)", 0.5),
        ("np.mean([1, 2])", 1.5),
        ("float('nan')", 0),
        ("-5", 0),
        ("200", 3),
        ("2.0;", 3),
        ("x = 2", 3),
        ("# only a remark", 3),
    ],
)
def test_the_last_value_is_the_mark(run, last, score):
    told = graded(run, SQUARE, f"import numpy as np\n{last}", points=3)
    assert told.verdict.score == score


@pytest.mark.parametrize(
    ("answer", "test", "hidden", "why"),
    [
        (WRONG, PLAIN, False, "This does not hold: `square(2) == 4`"),
        (
            WRONG,
            "assert square(2) == 4, 'two'",
            False,
            "hold: `square(2) == 4` (two)",
        ),
        (WRONG, PARTLY_HIDDEN, True, "AssertionError in a check that is partly hidden."),
        (
            "def square(x): return x",
            PARTLY_HIDDEN,
            True,
            "`square(2) == 4 or square(2) == -1`",
        ),
        ("", PLAIN, False, "NameError: name 'square' is not defined"),
        ("raise NotImplementedError('x')\n" + SQUARE, PLAIN, False, "NameError"),
        ("def square(x): raise NotImplementedError('later')", PLAIN, False, "Not attempted yet."),
        ("square = None", CHECKS, True, "square: Not attempted yet."),
        (WRONG, CHECKS, True, "two. square(2) returned -1, expected 4."),
        (
            "def square(x): return 4",
            CHECKS,
            True,
            "Hidden case: a negative number. The value is wrong. Hint: the sign goes.",
        ),
        (SQUARE, "raise ValueError('odd')", False, "ValueError: odd"),
        (SQUARE, "def broken(:", False, "SyntaxError"),
    ],
)
def test_missing_points_are_explained(run, answer, test, hidden, why):
    told = graded(run, answer, test, hidden=hidden)
    assert told.verdict.score < 2
    assert why.casefold() in told.verdict.why.casefold()


def test_the_reader_of_the_graded_notebook_sees_the_test_lines(run):
    told = graded(run, WRONG, PLAIN)
    assert "assert square(2) == 4" in "\n".join(told.outputs[-1]["traceback"])


def test_only_the_test_itself_gives_a_result_that_nbgrader_could_read(run):
    told = graded(run, FORGED["displayhook"].replace("-1", "x * x"), CHECKS)
    results = [out for out in told.outputs if out["output_type"] == "execute_result"]
    assert [out["data"]["text/plain"] for out in results] == ["2"]


def test_a_test_may_wait_and_use_magics(run):
    assert run("import asyncio\nawait asyncio.sleep(0)\n0.5", points=1).verdict.score == 0.5
    assert run("%matplotlib inline\nassert True", points=1).verdict.score == 1


def test_the_text_of_a_test_is_not_to_be_found_later(run):
    run(SQUARE)
    run("# swordfish\n" + PLAIN, "t1", points=2)
    look = (
        "import linecache\n"
        "print('sword' + 'fish' in repr(In), 'sword' + 'fish' in repr(linecache.cache),"
        " 'sword' + 'fish' in repr(get_ipython().history_manager.input_hist_raw))"
    )
    assert "".join(out.get("text", "") for out in run(look).outputs) == "False False False\n"


def test_later_cells_have_what_a_test_has_bound_where_students_see_it(run):
    run(SQUARE)
    run(
        "import math as m\nfrom numpy.testing import assert_allclose\nC = square(3)\n"
        "def helper(x): return x + 1\n"
        "### BEGIN HIDDEN TESTS\nsecret = 41\n### END HIDDEN TESTS",
        points=1,
        hidden=True,
    )
    shown = run("print(m.pi > 3, C, helper(1), 'secret' in globals())")
    assert "".join(out.get("text", "") for out in shown.outputs) == "True 9 2 False\n"
    later = run("assert_allclose(helper(C), 10)\nassert secret == 41", points=1, hidden=True)
    assert later.verdict.score == 1


def test_what_a_test_has_bound_is_the_courses(run):
    run("import math as m\nassert m.pi > 3", points=1, course=True)
    run("m = 5")
    told = run("assert m.pi > 3", points=1, course=True)
    assert told.verdict.score == 1 and "`m`" in told.notes[0]
