"""What honest notebooks meet: their course's names and folder back, no false alarms."""

from __future__ import annotations

import pytest

from coursekit.grading.kernels.cells import Cell
from coursekit.grading.kernels.session import Session

pytestmark = pytest.mark.xdist_group("kernels")
SETUP = """
import numpy as np
import torch
X0 = np.array([[1.0, 2.0], [3.0, 6.0]])
words = ["a", "b"]
T0 = torch.ones(2)
def helper(x):
    return x + 1
"""
ORDINARY = [
    "np.set_printoptions(precision=2)\nnp.seterr(all='raise')\nimport warnings",
    "import warnings\nwarnings.simplefilter('error')\nwarnings.filterwarnings('ignore', 'x')",
    "torch.manual_seed(3)\ntorch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)",
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
    "from numpy import *\nfrom math import *\nimport torch.nn.functional as F",
    "%load_ext autoreload\n%autoreload 2\n%timeit -n1 -r1 1 + 1",
    "from collections import namedtuple\nfrom dataclasses import dataclass\nimport enum, logging\n"
    "P = namedtuple('P', 'x y')\n@dataclass(order=True)\nclass D:\n    x: int = 0\n"
    "class E(enum.Enum):\n    A = 1\nlogging.getLogger().warning('said')\nassert P(1, 2) == (1, 2)",
    "import inspect, traceback\ndef f(x):\n    return x\n"
    "assert 'return x' in inspect.getsource(f)\n"
    "try:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\n"
    "    traceback.format_exc()",
    "model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())\n"
    "with torch.enable_grad():\n    model(torch.ones(1, 2, dtype=torch.float32).to("
    "model[0].weight.dtype)).sum().backward()",
    "import sys, signal, decimal\nsys.setrecursionlimit(5000)\ndecimal.getcontext().prec = 3",
    "import statistics, csv, sqlite3, colorsys, difflib, html.parser, xml.dom.minidom",
    "from sklearn.linear_model import LogisticRegression\n"
    "LogisticRegression().fit([[0.0], [1.0]], [0, 1]).predict([[2.0]])",
    "open('notes.txt', 'w').write('x')\nimport os\n"
    "os.makedirs('d', exist_ok=True)\nos.listdir('.')",
    "def decorated(g):\n    import functools\n    @functools.wraps(g)\n    def inner(*a):\n"
    "        return g(*a)\n    return inner\n@decorated\ndef h(x):\n    return x",
    "%prun sorted([3, 1])\n%time sum([1])\nimport functools, pickle, copy, types\n"
    "pickle.loads(pickle.dumps([1]))\nfunctools.partial(max, 1)(2)",
    "w = torch.ones(2, requires_grad=True)\nmodel = torch.nn.Linear(2, 1)\n"
    "o = torch.optim.Adam([*model.parameters(), w])\n"
    "for _ in range(2):\n    o.zero_grad()\n    (model(w) ** 2).sum().backward()\n    o.step()\n"
    "torch.save(model.state_dict(), 'm.pt')\nmodel.load_state_dict(torch.load('m.pt'))\n"
    "import copy\ncopy.deepcopy(model)",
    "from sklearn.model_selection import GridSearchCV, cross_val_score\n"
    "from sklearn.svm import SVC\nX = np.arange(12.0).reshape(-1, 1)\n"
    "y = (X[:, 0] % 2).astype(int)\n"
    "GridSearchCV(SVC(), {'C': [1, 2]}, cv=2).fit(X, y)",
    "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(2) as pool:\n    print([*pool.map(abs, [1, -2])])",
    "import asyncio\nasync def go():\n    await asyncio.sleep(0)\n    return 3\nprint(await go())",
    "from abc import ABC, abstractmethod\nfrom typing import NamedTuple, Protocol\n"
    "class N(NamedTuple):\n    x: int = 0\nclass A(ABC):\n    @abstractmethod\n"
    "    def f(self): ...\nclass B(A):\n    def f(self):\n        return super().__repr__()\n"
    "B().f()",
    "np.my_own = 3\nold = np.float64\nimport random\nrandom.seed(1)\nrandom.random()",
]


@pytest.fixture
def notebook(kernels):
    """Runs cells in one notebook: `notebook(source, ...)` returns the runs; a tuple is a test."""
    with Session(kernels) as session:
        session.run(Cell(SETUP, "setup", course=True))

        def run(*sources):
            return [
                session.run(Cell(s[0], "t", points=1.0) if isinstance(s, tuple) else Cell(s, "a"))
                for s in sources
            ]

        yield run


@pytest.mark.parametrize("source", ORDINARY)
def test_ordinary_code_runs_and_is_not_flagged(notebook, source):
    answer, test = notebook(source, ("assert X0.sum() == 12",))
    assert not [out for out in answer.outputs if out["output_type"] == "error"]
    assert (answer.flags, test.flags, test.notes, test.verdict.score) == ([], [], [], 1.0)


SHADOWS = {
    "np = 5": "np",
    "X0[:] = 0": "X0",
    "X0 = None": "X0",
    "del X0": "X0",
    "words.clear()": "words",
    "T0.zero_()": "T0",
    "float = 3; sum = 0; print = 'x'": "float",
    "%reset -f": "X0",
}


@pytest.mark.parametrize("source", SHADOWS)
def test_names_of_the_course_are_back_for_tests(notebook, source):
    claim = "assert np.mean(X0) == 3.0 and words == ['a', 'b'] and T0.sum() == float(sum([1, 1]))"
    _, test = notebook(source, (claim,))
    assert test.verdict.score == 1.0
    assert any(f"`{SHADOWS[source]}`" in note for note in test.notes)


def test_an_argument_that_a_function_changes_is_whole_for_the_next_test(notebook):
    answer = "def center(X):\n    m = X.mean(axis=0)\n    X[:] = 0\n    return -m"
    first, second = notebook(answer, ("center(X0)\nassert True",), ("assert X0[1, 1] == 6",))[1:]
    assert (first.verdict.score, second.verdict.score) == (1.0, 1.0)
    assert second.notes == ["`X0` was changed in this notebook; the test used the course's."]


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("X0 = X0 * 2", "assert X0[0, 0] == 2.0"),
        ("def helper(x):\n    return x + 2", "assert helper(1) == 3"),
        ("def sum(values):\n    return 99\ndef f():\n    return sum([1])", "assert f() == 99"),
        ("max = 10\ndef f():\n    return max", "assert f() == 10"),
        ("count = 0\ndef f():\n    global count\n    count += 1", "f()\nf()\nassert count == 2"),
    ],
)
def test_what_is_the_students_stays_the_students(notebook, source, claim):
    assert notebook(source, (claim,))[1].verdict.score == 1.0


def test_a_shadowed_builtin_is_still_the_students_in_the_next_cell(notebook):
    cells = notebook("sum = 4", ("assert sum([1, 2]) == 3",), "print(sum)")
    assert cells[1].verdict.score == 1.0
    assert cells[2].outputs[0]["text"] == "4\n"


def test_the_folder_is_back_for_course_cells_and_tests(notebook):
    files = "open('data.txt', 'w').write('7')\nimport os\nos.makedirs('d')\nos.chdir('d')"
    _, test = notebook(files, ("assert open('data.txt').read() == '7'",))
    assert test.verdict.score == 1.0


def test_names_of_a_hidden_part_are_not_seen_by_the_next_cells(notebook):
    hidden = "### BEGIN HIDDEN TESTS\nmine = 3\n### END HIDDEN TESTS\nassert mine == 3"
    _, cell = notebook((hidden,), "print('mine' in globals())")
    assert cell.outputs[0]["text"] == "False\n"


def test_a_thread_that_only_prints_costs_nothing_and_is_told(notebook):
    loop = (
        "import threading, time\ndef talk():\n    while True:\n        print('.')\n"
        "        time.sleep(0.01)\nthreading.Thread(target=talk, daemon=True).start()"
    )
    _, test = notebook(loop, ("import time\ntime.sleep(0.1)\nassert X0.sum() == 12",))
    assert test.verdict.score == 1.0
    assert "left a thread running while a test ran" in test.flags
