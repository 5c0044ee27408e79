"""The runner marks and reports as the kernels of grading do, and nothing can hang it."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import pytest

from coursekit.authoring.outcomes import outcome_of
from coursekit.authoring.runner import run
from coursekit.errors import CourseError
from coursekit.grading.kernels.cells import Cell
from coursekit.grading.kernels.client import Kernels
from coursekit.grading.kernels.session import Session


@pytest.fixture
def doubling(cells):
    return cells.notebook(
        cells.text("# Doubling", "title"),
        cells.code(
            "from pathlib import Path\nruns = 1\nPath('mark').write_text('prefix')", "setup"
        ),
        cells.answer("double", "def double(x):\n    return 2 * x"),
        cells.test("double_one", "assert double(1) == 2\nprint('one')"),
        cells.answer("triple", "def triple(x):\n    return 3 * x"),
        cells.test("triple_one", "1.5 if triple(1) == 3 else 0.25", points=1.5),
        cells.code("runs += 1", "tail"),
    )


def scores(run):
    return {name: outcome.score for name, outcome in run.outcomes.items()}


def one(nb, **options):
    return run(nb, {"it": {}}, **options)["it"]


def graded(cells, source, points=2):
    return one(cells.notebook(cells.test("mark", source, points))).outcomes["mark"]


def test_every_variant_is_marked_by_its_own_answers(doubling):
    runs = run(
        doubling,
        {
            "reference": {},
            "wrong": {"double": "def double(x):\n    return x"},
            "late": {"triple": "def triple(x):\n    return x"},
            "both": {"double": "double = None", "triple": "raise NotImplementedError('stub')"},
        },
    )
    assert list(runs) == ["reference", "wrong", "late", "both"]
    assert scores(runs["reference"]) == {"double_one": 1.0, "triple_one": 1.5}
    assert scores(runs["wrong"]) == {"double_one": 0.0, "triple_one": 1.5}
    assert scores(runs["late"]) == {"double_one": 1.0, "triple_one": 0.25}
    assert scores(runs["both"]) == {"double_one": 0.0, "triple_one": 0.0}
    assert runs["wrong"].outcomes["double_one"].error == "AssertionError"
    assert runs["late"].outcomes["double_one"].text == "one\n"
    assert runs["both"].cells["triple"].error == "NotImplementedError: stub"
    assert not any(r.stopped for r in runs.values())


def test_shared_cells_run_once_and_variants_do_not_see_each_other(cells, tmp_path):
    log = tmp_path / "log"
    nb = cells.notebook(
        cells.code(f"log = open({str(log)!r}, 'a'); print('prefix', file=log, flush=True)", "one"),
        cells.answer("a", "state = []"),
        cells.test("a_ok", "state.append(1)\nfloat(len(state))", points=5),
        cells.code("print('tail', file=log, flush=True)", "two"),
    )
    variants = {str(n): {"a": f"state = [0] * {n}"} for n in range(4)}
    runs = run(nb, variants)
    assert [r.outcomes["a_ok"].score for r in runs.values()] == [1, 2, 3, 4]
    assert log.read_text().split().count("prefix") == 1
    assert log.read_text().split().count("tail") == 4


def test_values_are_those_at_the_end_of_a_run_without_replacements(doubling):
    expressions = [
        "runs",
        "(double(2), {1.5})",
        "__import__('numpy').arange(3.)",
        "nothing",
        "double",
    ]
    runs = run(doubling, {"it": {}, "other": {"double": ""}}, evaluate=expressions)
    assert runs["it"].values == {
        "runs": 2,
        "(double(2), {1.5})": [4, [1.5]],
        "__import__('numpy').arange(3.)": [0.0, 1.0, 2.0],
    }
    assert runs["it"].failed == {
        "nothing": "NameError: name 'nothing' is not defined",
        "double": "TypeError: is function, not numbers",
    }
    assert runs["other"].values == {}


def test_each_variant_has_its_own_copy_of_the_folder(cells, tmp_path):
    (tmp_path / "data.csv").write_text("1,2")
    (tmp_path / "own.ipynb").write_text("{}")
    nb = cells.notebook(
        cells.answer("a", "from pathlib import Path"),
        cells.test("kept", "assert Path('data.csv').read_text() == '1,2'"),
        cells.test("no_notebook", "assert not Path('own.ipynb').exists()"),
    )
    wipe = "from pathlib import Path\nPath('data.csv').write_text('')"
    runs = run(nb, {"wipe": {"a": wipe}, "it": {}}, folder=tmp_path, workers=1)
    assert scores(runs["wipe"]) == {"kept": 0, "no_notebook": 1}
    assert scores(runs["it"]) == {"kept": 1, "no_notebook": 1}
    assert (tmp_path / "data.csv").read_text() == "1,2"


@pytest.mark.parametrize(
    ("source", "score"),
    [
        ("1.25", 1.25),
        ("0.0", 0.0),
        ("x = 1", 2.0),
        ("None", 2.0),
        ("False", 0.0),
        ("import numpy as np\nnp.float64(0.5)", 0.5),
        ("-1.0", 0.0),
        ("3.0", 2.0),
        ("1.25;", 2.0),
        ("raise ValueError('no')", 0.0),
        ("import sys\nprint('oh', file=sys.stderr)\n1.0", 1.0),
        ("import warnings\nwarnings.warn('oh')\n1.0", 1.0),
        ("import os\n_ = os.write(2, b'oh')", 2.0),
        ("import logging\nlogging.warning('oh')", 2.0),
        ("def broken(:", 0.0),
        ("import sys\nsys.exit()", 0.0),
    ],
)
def test_marks_come_from_values_and_errors(cells, source, score):
    assert graded(cells, source).score == score


def test_stderr_and_stdout_are_kept_apart(cells):
    outcome = graded(
        cells, "import os, sys\nprint('a'); print('b', file=sys.stderr)\n_ = os.write(1, b'c')"
    )
    assert (outcome.text, outcome.stderr) == ("a\nc", "b\n")


def test_a_mark_above_the_points_is_told(cells):
    assert graded(cells, "3.0").odd == ("the test gave 3 of 2 points; it counts as 2",)


def test_the_shell_is_known_to_the_code_in_cells(cells):
    nb = cells.notebook(
        cells.code("secret = 3\ndef f(): return 1", "one"),
        cells.test("ip", "assert get_ipython().user_ns['secret'] == 3 and __name__ == '__main__'"),
        cells.test(
            "magic",
            "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()",
        ),
        cells.test("source", "import inspect\nassert 'return 1' in inspect.getsource(f)"),
        cells.test("awaits", "import asyncio\nawait asyncio.sleep(0)\n0.5"),
    )
    assert scores(one(nb)) == {"ip": 1, "magic": 1, "source": 1, "awaits": 0.5}


def test_pictures_are_not_rendered(cells):
    nb = cells.notebook(
        cells.code(
            "class Plot:\n"
            "    def _repr_mimebundle_(self, **_): raise SystemExit\n"
            "    def __repr__(self): return 'a line'\nPlot()",
            "plot",
        )
    )
    outcome = one(nb).cells["plot"]
    assert (outcome.value, outcome.error) == ("a line", "")


def test_a_dead_child_costs_only_its_own_variant(doubling):
    runs = run(doubling, {"dead": {"triple": "import os; os._exit(3)"}, "it": {}})
    assert runs["dead"].stopped == "the process died"
    assert scores(runs["dead"]) == {"double_one": 1.0, "triple_one": 0.0}
    assert runs["dead"].outcomes["triple_one"].error == "the process died"
    assert scores(runs["it"]) == {"double_one": 1.0, "triple_one": 1.5}


def test_exit_ends_only_its_own_cell(doubling):
    runs = run(doubling, {"gone": {"double": "exit()"}, "it": {}})
    assert scores(runs["gone"]) == {"double_one": 0.0, "triple_one": 1.5}
    assert scores(runs["it"]) == {"double_one": 1.0, "triple_one": 1.5}


def test_a_hang_is_killed_and_the_cells_before_it_keep_their_marks(doubling):
    hang = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass"
    began = time.monotonic()
    runs = run(doubling, {"hang": {"triple": hang}, "it": {}}, seconds=3)
    assert time.monotonic() - began < 15
    assert runs["hang"].stopped == "time limit: the run took more than 3 seconds"
    assert scores(runs["hang"]) == {"double_one": 1.0, "triple_one": 0.0}
    assert scores(runs["it"]) == {"double_one": 1.0, "triple_one": 1.5}


def test_an_endless_cell_is_interrupted_and_the_run_goes_on(doubling):
    endless = "def triple(x):\n    return 3 * x\nwhile True: pass"
    it = run(doubling, {"v": {"triple": endless}}, cell_seconds=2)["v"]
    assert it.cells["triple"].error == "KeyboardInterrupt"
    assert (scores(it), it.stopped) == ({"double_one": 1.0, "triple_one": 1.5}, "")


def test_a_hang_in_the_source_itself_is_told(cells):
    nb = cells.notebook(
        cells.code("while True: pass", "endless"),
        cells.answer("a", "a = 1"),
        cells.test("t", "1.0"),
    )
    it = run(nb, {"v": {"a": "a = 2"}}, seconds=4)["v"]
    assert it.stopped == "cell endless of the source ran for more than 4 seconds"
    assert scores(it) == {"t": 0.0}


def test_endless_printing_is_cut(cells):
    outcome = graded(cells, "for _ in range(400_000): print('x' * 10)")
    assert len(outcome.text) < 200_100
    assert "the rest of what this cell printed was cut" in outcome.text


def test_processes_left_running_are_ended(cells, tmp_path):
    nb = cells.notebook(
        cells.code(
            "import subprocess, pathlib\np = subprocess.Popen(['sleep', '60'])\n"
            f"_ = pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(p.pid))",
            "start",
        )
    )
    one(nb)
    status = Path(f"/proc/{(tmp_path / 'pid').read_text()}/status")
    time.sleep(0.1)
    assert not status.exists() or "Z" in status.read_text().split("State:")[1][:5]


def test_torch_works_before_and_after_the_fork(cells):
    step = (
        "w = torch.ones(300, 300, requires_grad=True)\n"
        "loss = (torch.randn(300, 300) @ w).square().mean()\nloss.backward()"
    )
    nb = cells.notebook(
        cells.code(f"import torch\ntorch.manual_seed(0)\n{step}", "prefix"),
        cells.answer("a", "n = 0"),
        cells.test("again", f"{step}\nassert w.grad.isfinite().all()\nfloat(n)", points=9),
    )
    runs = run(nb, {str(n): {"a": f"n = {n}"} for n in (1, 2, 3)})
    assert [r.outcomes["again"].score for r in runs.values()] == [1, 2, 3]


def test_torch_is_loaded_before_the_variants_that_need_it(cells):
    nb = cells.notebook(
        cells.answer("a", "def a(): return 0"),
        cells.test(
            "quick", "import time\nbegan = time.time()\na()\nfloat(time.time() - began)", 60
        ),
    )
    runs = run(nb, {"torch": {"a": "def a():\n    import torch\n    return torch.ones(1)"}})
    assert runs["torch"].outcomes["quick"].score < 0.3


def test_an_answer_without_a_cell_is_refused(doubling):
    with pytest.raises(
        CourseError, match='replaces the answer cell "twice".*it has: double, triple'
    ):
        run(doubling, {"v": {"twice": ""}})


SAME = {
    "prints": "print('a'); print('b', end=''); 1.5",
    "stderr": "import sys, warnings\nprint('x')\nprint('y', file=sys.stderr)\n1.0",
    "raises": "print('before')\n{}['key']",
    "syntax": "def f(:",
    "exits": "raise SystemExit(2)",
    "value": "import numpy as np\nnp.float64(1.0)",
    "text": "'1.0'",
    "array": "np.arange(3)",
    "quiet": "3.0;",
    "shows": "from IPython.display import display\ndisplay(7)\n0.5",
    "last": "_ + 1",
    "files": "from pathlib import Path\nPath('f').write_text('1')\nopen('f').read()",
    "class": "class A:\n    def __repr__(self): return '0.25'\nA()",
}


def test_a_kernel_of_grading_gives_the_same(cells):
    nb = cells.notebook(*(cells.test(name, source, 5) for name, source in SAME.items()))
    mine = one(nb).outcomes
    with Kernels(("numpy",), isolate=False) as kernels, Session(kernels) as session:
        for name, cell in zip(SAME, nb.cells, strict=True):
            graded = asdict(session.run(Cell(cell.source, name, course=True, points=5)))
            assert (name, mine[name]) == (name, outcome_of(cell, graded))
