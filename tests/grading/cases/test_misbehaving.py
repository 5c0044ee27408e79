"""What code does while it is graded costs what depends on it, and is told in words."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell
from tests.grading.cases.conftest import Class, said
from tests.grading.cases.lesson import ANSWERS, FULL, cell

from coursekit.grading.status import Status

pytestmark = pytest.mark.xdist_group("misbehaving")

Q1, Q2, Q3, Q4 = (ANSWERS[name] for name in ("q1", "q2", "q3", "q4"))
WRONG = "def center(X):\n    return X * 0 - 2"


def in_center(line, then="return X - X.mean(axis=0)"):
    body = "\n    ".join([*line.splitlines(), then])
    return f"import os, sys, time, warnings\ndef center(X):\n    {body}"


STUBBORN = (
    "def center(X):\n    while True:\n        try: time.sleep(0.01)\n"
    "        except BaseException: pass"
)
ALWAYS_EQUAL = (
    "class Any(object):\n"
    "    def __eq__(self, other): return True\n"
    "    def __getattr__(self, name): return self\n"
    "    def __array__(self, *a, **k): return np.zeros((40, 2))\n"
    "def center(X): return Any()"
)
LEFT_RUNNING = (
    "import subprocess\nfor _ in range(5):\n"
    "    subprocess.Popen(['sleep', '97'], start_new_session=True)"
)
THREAD = (
    "import sys, threading, time\n"
    "def talk():\n    while True:\n        print('!', file=sys.stderr); time.sleep(0.02)\n"
    "threading.Thread(target=talk, daemon=True).start()"
)
READS = (
    "import os\nfor path in ('../../../source/ps1/ps1.ipynb', {source!r}, {book!r}):\n"
    "    try: print(open(path, 'rb').read()[:99])\n    except OSError as error: print(type(error))"
)
WRITES = (
    "import sqlite3\ntry:\n    book = sqlite3.connect({book!r})\n"
    "    book.execute('update grade set manual_score = 9'); book.commit(); print('wrote')\n"
    "except Exception as error: print(type(error))"
)

# name: answers that differ, marks that differ, words in the verdict of t1 (or of the test lost)
LOST = {
    "B01 endless loop": ({"q1": "def center(X):\n    while True: pass"}, {"t1": 0}, "after 3 s"),
    "B02 swallows the interrupt": ({"q1": f"import time\n{STUBBORN}"}, {"t1": 0}, "after 3 s"),
    "B03 os._exit": ({"q1": in_center("os._exit(0)")}, {"t1": 0}, "died"),
    "B03 crash": (
        {"q1": in_center("os.kill(os.getpid(), 11)")},
        {"t1": 0},
        "died",
    ),
    "B04 sys.exit at the end": ({"q1": f"{Q1}\nimport sys\nsys.exit(0)"}, {}, ""),
    "B04 exit() at the end": ({"q1": f"{Q1}\nexit()"}, {}, ""),
    "B05 input in the function": ({"q1": in_center("input()")}, {"t1": 0}, "keyboard"),
    "B05 input at the top": ({"q1": f"{Q1}\nname = input()"}, {}, ""),
    "B05 breakpoint": ({"q1": in_center("breakpoint()")}, {}, ""),
    "B06 prints for ever": (
        {"q1": "def center(X):\n    while True: print('spam ' * 20)"},
        {"t1": 0},
        "",
    ),
    "B06 prints a lot": (
        {"q2": Q2.replace("    return w", "    for i in range(200_000): print(i)\n    return w")},
        {},
        "",
    ),
    "B06 displays a lot": (
        {"q2": f"{Q2}\nfrom IPython.display import HTML, display\n"
               "for i in range(3000): display(HTML('<b>x</b>' * 300))"},
        {},
        "",
    ),
    "B07 memory": (
        {"q1": in_center("Y = np.ones(10**9)")},
        {"t1": 0},
        "memory",
    ),
    "B08 chdir": ({"q1": f"import os\nos.chdir('/tmp')\n{Q1}"}, {}, ""),
    "B09 deletes files": (
        {"q1": f"import os\nfor f in os.listdir('.'): os.remove(f)\n{Q1}"}, {}, ""
    ),
    "B11 no traceback": (
        {"q1": f"{WRONG}\nfrom IPython.core.interactiveshell import InteractiveShell\n"
               "InteractiveShell.showtraceback = lambda *a, **k: None"},
        {"t1": 0},
        "",
    ),
    "B11 custom handler": (
        {"q1": f"{WRONG}\nget_ipython().set_custom_exc((Exception,), lambda *a, **k: None)"},
        {"t1": 0},
        "",
    ),
    "B13 forged output": (
        {"q1": in_center("sys.displayhook(2.0)", "return X")}, {"t1": 0}, "hold"
    ),
    "B15 warning": ({"q1": in_center("warnings.warn('old')")}, {}, ""),
    "B15 log of zero": ({"q1": in_center("np.log(np.zeros(1))")}, {}, ""),
    "B15 torch": ({"q3": Q3.replace("    e =", "    z = torch.tensor(z)\n    e =")}, {}, ""),
    "B17 thread": ({"q1": f"{Q1}\n{THREAD}"}, {}, ""),
    "B18 NaN": ({"q4": "def accuracy(y, z):\n    return float('nan')"}, {"t4": 0}, "number"),
    "B18 negative": ({"q4": "def accuracy(y, z):\n    return -5.0"}, {"t4": 0}, ""),
    "B19 above": ({"q4": "def accuracy(y, z):\n    return 200.0"}, {"t4": 4}, ""),
    "B20 numpy scalar": (
        {"q4": "def accuracy(y, z):\n    return np.mean(y == z) ** 2"}, {"t4": 3}, ""
    ),
    "B23 everything shown": (
        {"q1": f"{WRONG}\nget_ipython().ast_node_interactivity = 'all'"}, {"t1": 0}, ""
    ),
    "B27 left running": ({"q1": f"{Q1}\n{LEFT_RUNNING}"}, {}, ""),
    "B28 network": (
        {"q1": f"{Q1}\nfrom google.colab import drive\ndrive.mount('/content')",
         "q2": f"{Q2}\n%cd /content/drive",
         "q3": f"{Q3}\n!pip --version"},
        {},
        "",
    ),
    "B30 np = 5": ({"q4": f"{Q4}\nnp = 5", "q1": f"{Q1}\n"}, {}, ""),
    "B30 builtins": ({"q2": f"{Q2}\nfloat = 3\nsum = 0\nprint = 'x'"}, {}, ""),
    "B30 data deleted": ({"q1": f"{Q1}\ndel X0"}, {}, ""),
    "B30 data overwritten": ({"q1": f"{Q1}\nX0 = X0 * 0"}, {}, ""),
    "B33 naive softmax": (
        {"q3": "def softmax(z):\n    return z.exp() / z.exp().sum()"}, {"t3": 0}, "hidden"
    ),
    "B34 in place": ({"q1": "def center(X):\n    X -= X.mean(axis=0)\n    return X"}, None, ""),
    "B36 recursion": (
        {"q1": "import sys\nsys.setrecursionlimit(10**9)\ndef center(X):\n    return center(X)"},
        {"t1": 0},
        "",
    ),
    "B37 prints": (
        {"q1": "def center(X):\n    print(X - X.mean(axis=0))"}, {"t1": 0}, "None"
    ),
    "B37 placeholder below": ({"q1": f"{Q1}\nraise NotImplementedError()"}, {}, ""),
    "B37 placeholder above": ({"q1": f"raise NotImplementedError()\n{Q1}"}, {"t1": 0}, ""),
}  # fmt: skip
# name: answers that differ, marks that differ, words that the TA must read
FLAGGED = {
    "B10 allclose": (
        {"q1": f"{WRONG}\nnp.allclose = torch.allclose = lambda *a, **k: True"},
        {"t1": 0},
        "allclose",
    ),
    "B10 only while graded": (
        {"q1": f"{WRONG}\nimport os\nif os.environ.get('NBGRADER_EXECUTION') == 'autograde':\n"
               "    np.allclose = lambda *a, **k: True"},
        {"t1": 0},
        "allclose",
    ),
    "B14 equal to everything": ({"q1": ALWAYS_EQUAL}, {"t1": 0}, "any"),
    "B24 reads": ({"q1": f"{Q1}\n{READS}"}, {}, ""),
    "B24 history": (
        {"q1": "def center(X):\n    print(In[-1], get_ipython().user_ns['_ih'])\n"
               "    return X - X.mean(axis=0)"},
        {},
        "",
    ),
    "B25 writes": ({"q1": f"{Q1}\n{WRITES}"}, {}, ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class after grading, and the results."""
    course = Class(tmp_path_factory.mktemp("misbehaving"))
    paths = {"source": str(course.source()), "book": str(course.folder / "gradebook.db")}
    for name, (answers, _, _) in {**LOST, **FLAGGED}.items():
        changed = {
            q: text.replace("{source!r}", repr(paths["source"])).replace(
                "{book!r}", repr(paths["book"])
            )
            for q, text in answers.items()
        }
        course.hand_in(name, course.right(**changed))
    nb = course.right()
    nb.cells.insert(2, new_code_cell("import os; os.chdir('/tmp')", id="cd"))
    course.hand_in("B08 chdir before the data", nb)
    nb = course.right()
    nb.cells.insert(2, new_code_cell("%reset -f", id="reset"))
    course.hand_in("B30 reset before the data", nb)
    return course, course.grade()


def without_m1(marks):
    return {name: value for name, value in marks.items() if name != "m1"}


@pytest.mark.parametrize("name", [*LOST, *FLAGGED])
def test_it_costs_what_depends_on_it(graded, name):
    course, results = graded
    _, lost, _ = {**LOST, **FLAGGED}[name]
    assert results[name, "ps1"].status is Status.BY_HAND, said(results[name, "ps1"])
    marks = without_m1(course.marks(name))
    if lost is not None:
        assert marks == {**FULL, **lost}
    else:
        assert {test: marks[test] for test in ("t2", "t3", "t4")} == {
            test: FULL[test] for test in ("t2", "t3", "t4")
        }


@pytest.mark.parametrize("name", [n for n, (_, lost, words) in LOST.items() if lost and words])
def test_missing_points_are_explained(graded, name):
    course, _ = graded
    _, lost, words = LOST[name]
    (test,) = lost
    told = course.verdict(name, test)["why"] + said(graded[1][name, "ps1"])
    assert words.casefold() in told.casefold()


@pytest.mark.parametrize("name", [n for n, c in FLAGGED.items() if c[2]])
def test_tampering_is_flagged(graded, name):
    flags = " ".join(graded[1][name, "ps1"].flags).casefold()
    assert FLAGGED[name][2] in flags


@pytest.mark.parametrize("name", ["B18 NaN", "B18 negative", "B19 above"])
def test_marks_out_of_range_alert_the_grader(graded, name):
    assert graded[0].verdict(name, "t4")["alerts"]


@pytest.mark.parametrize("name", ["B08 chdir before the data", "B30 reset before the data"])
def test_cells_of_the_course_have_their_folder_and_names(graded, name):
    assert without_m1(graded[0].marks(name)) == FULL


@pytest.mark.parametrize("name", ["B24 reads", "B24 history", "B25 writes"])
def test_nothing_of_the_course_is_to_be_seen(graded, name):
    course, _ = graded
    shown = repr([c.get("outputs") for c in course.graded(name).cells])
    assert "swordfish" not in shown and "wrote" not in shown
    assert "SQLite format" not in shown
    assert course.marks("B25 writes")["t1"] == FULL["t1"]


def test_files_that_are_too_big_are_not_kept(graded):
    course, _ = graded
    for name in ("B06 displays a lot", "B06 prints a lot", "B06 prints for ever"):
        path = course.folder / "autograded" / name / "ps1" / "ps1.ipynb"
        assert path.stat().st_size < 6_000_000


def test_missing_network_and_programs_are_told(graded):
    told = said(graded[1]["B27 left running", "ps1"])
    assert "program" in told or "process" in told


def test_a_slow_notebook_keeps_what_it_earned(fresh):
    config = fresh.folder / "nbgrader_config.py"
    config.write_text(config.read_text() + "\nc.WarmProvisioner.notebook_seconds = 5\n")
    nb = fresh.right()
    for number in range(4):
        slow = new_code_cell("import time; time.sleep(30)", id=f"slow{number}")
        nb.cells.insert(nb.cells.index(cell(nb, "q2")), slow)
    fresh.hand_in("slow", nb)
    fresh.hand_in("quick", fresh.right())
    results = fresh.grade()
    assert results["slow", "ps1"].status is Status.TIME_LIMIT
    assert without_m1(fresh.marks("slow")) == {"t1": 2, "t2": 0, "t3": 0, "t4": 0}
    assert "not reached" in str(fresh.verdict("slow", "t4")["why"]).casefold()
    assert without_m1(fresh.marks("quick")) == FULL
