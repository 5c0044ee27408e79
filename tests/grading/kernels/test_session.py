"""Nothing that a cell does costs more than what depends on it, and words say what happened."""

from __future__ import annotations

import pytest

from coursekit.grading.kernels.cells import Cell, Limits
from coursekit.grading.kernels.session import Session, read

pytestmark = pytest.mark.xdist_group("kernels")

ENDLESS = "while True: pass"
STUBBORN = "import time\nwhile True:\n    try: time.sleep(0.01)\n    except BaseException: pass"


def text(run):
    return "".join(out.get("text", "") for out in run.outputs)


def test_cells_share_a_namespace_and_number_their_results(run):
    assert run("x = 2").execution_count == 1
    shown = run("x + 1")
    assert shown.execution_count == 2
    assert shown.outputs == [
        {
            "output_type": "execute_result",
            "data": {"text/plain": "3"},
            "metadata": {},
            "execution_count": 2,
        }
    ]
    assert run("assert x == 2", points=1).execution_count == 3


def test_an_error_ends_its_cell_only(run):
    run("x = 1")
    assert run("1 / 0").outputs[0]["ename"] == "ZeroDivisionError"
    assert run("def f(:").outputs[0]["ename"] == "SyntaxError"
    assert run("assert x == 1", points=1).verdict.score == 1


@pytest.mark.parametrize("leave", ["exit()", "quit()", "import sys; sys.exit(0)"])
def test_leaving_ends_the_cell_only(run, leave):
    run(f"x = 1\n{leave}")
    assert run("assert x == 1", points=1).verdict.score == 1


def test_an_endless_cell_is_stopped_in_words_and_the_rest_goes_on(run):
    run("x = 1")
    stopped = run(ENDLESS, "train_perceptron")
    assert stopped.stopped == "stopped after 2 s in the cell `train_perceptron`"
    assert stopped.outputs[-1]["evalue"] == stopped.stopped
    assert run("assert x == 1", points=1).verdict.score == 1


@pytest.mark.parametrize(
    ("killer", "words"),
    [
        (STUBBORN, "stopped after 2 s in the cell `q1`"),
        ("import os; os._exit(3)", "the kernel died (the process was ended with exit code 3)"),
        ("import os; os.kill(os.getpid(), 9)", "the kernel died (killed, perhaps for its memory)"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "a crash in C code"),
        (
            "import sys\nsys.setrecursionlimit(10**9)\ndef f(x): return f(x)\nf(1)",
            "",  # a stack overflow dies; a Python that notices it raises an error
        ),
    ],
    ids=["stubborn", "exit", "killed", "crash", "recursion"],
)
def test_a_dead_kernel_costs_its_cell_only(run, killer, words):
    run("x = 1")
    assert run("assert x == 1", points=2).verdict.score == 2
    assert words in run(killer).stopped
    after = run("assert x == 1", points=3)
    assert (after.verdict.score, after.stopped) == (3, "")


def test_a_test_that_dies_earns_nothing_and_later_ones_go_on(run):
    run("import os\ndef center(x): os._exit(0)\ndef square(x): return x * x")
    dead = run("center(1)", "t1", points=2)
    assert (dead.verdict.score, dead.verdict.points) == (0, 2)
    assert dead.verdict.why == (
        "The kernel died (the process was ended with exit code 0) in the test `t1`."
    )
    assert run("assert square(3) == 9", "t2", points=3).verdict.score == 3


def test_tests_are_not_repeated_for_a_new_kernel(run):
    run("log = []")
    run("log.append('test'); assert True", points=1)
    run("import os; os._exit(1)")
    assert text(run("print(log)")) == "[]\n"


def test_a_kernel_that_keeps_dying_is_given_up_in_words(kernels):
    with Session(kernels) as session:
        session.run(Cell("x = 1"))
        for _ in range(5):
            session.run(Cell("import os; os._exit(1)", "q1"))
        last = session.run(Cell("assert x == 1", "t1", points=1))
    assert last.verdict.score == 0
    assert last.stopped == "not reached: the kernel had to be replaced too often"


def test_the_time_of_a_notebook_is_bounded_and_earned_points_stay(kernels):
    with Session(kernels, limits=Limits(cell_seconds=1, notebook_seconds=1.5)) as session:
        assert session.run(Cell("assert True", "t1", points=2)).verdict.score == 2
        session.run(Cell("import time; time.sleep(0.8)"))
        session.run(Cell("import time; time.sleep(9)"))
        late = session.run(Cell("assert True", "t2", points=2))
    assert late.verdict.score == 0
    assert late.verdict.why == "Not reached: the notebook had used its 1.5 seconds."


def test_the_folder_is_a_copy_without_notebooks(kernels, tmp_path):
    (tmp_path / "data.csv").write_text("1,2")
    (tmp_path / "own.ipynb").write_text("{}")
    (tmp_path / "helper.py").write_text("def two(): return 2")
    with Session(kernels, tmp_path) as session:
        session.run(Cell("import os, helper\nfiles = sorted(os.listdir('.'))\nn = helper.two()"))
        assert text(session.run(Cell("print(files, n)"))) == "['data.csv', 'helper.py'] 2\n"
        session.run(Cell("for f in os.listdir('.'): os.path.isfile(f) and os.remove(f)"))
    assert (tmp_path / "data.csv").read_text() == "1,2"


def test_secrets_of_the_environment_do_not_reach_a_kernel(run):
    shown = text(run("import os; print(dict(os.environ))"))
    assert "swordfish" not in shown
    assert "'NBGRADER_EXECUTION': 'autograde'" in shown


def test_unseeded_random_numbers_are_the_same_for_everyone(kernels):
    draw = Cell("import random, numpy as np\nprint(random.random(), np.random.rand())")
    drawn = []
    for _ in range(2):
        with Session(kernels) as session:
            drawn.append(text(session.run(draw)))
    assert drawn[0] == drawn[1]


def test_long_output_is_cut_at_its_source(run):
    cut = text(run("for i in range(200_000): print('epoch', i)"))
    assert cut.count("\n") < 1010
    assert "the rest of what this cell printed was cut" in cut
    assert run("x = 'a' * 10**7\nx").outputs[0]["data"]["text/plain"].startswith("(not kept")


def test_printing_does_not_decide_a_test(run):
    run("def square(x):\n    for i in range(5000): print(i)\n    return x * x")
    assert run("assert square(3) == 9", points=2).verdict.score == 2


def test_endless_printing_ends_early(kernels):
    limits = Limits(cell_seconds=20, output_stop_mb=2)
    with Session(kernels, limits=limits) as session:
        run = session.run(Cell("while True: print('spam ' * 20)"))
    assert run.outputs[-1]["ename"] == "TooMuchOutput"
    assert run.stopped == ""


def test_many_displays_are_cut(run):
    run("from IPython.display import HTML, display")
    shown = run("for i in range(300): display(HTML('x' * 50_000))")
    assert sum(len(str(out)) for out in shown.outputs) < 5_000_000


def test_the_keyboard_is_missed_in_words(run):
    waits = run("name = input()")
    assert waits.outputs[0]["ename"] == "NoKeyboard"
    assert waits.notes == [
        "Your code waits for keyboard input in the cell `q1`: nobody types while it is graded. "
        "Call the function with a value instead."
    ]
    assert run("breakpoint()\nassert True", points=1).verdict.score == 1


def test_plots_are_pictures_whatever_window_was_asked_for(run):
    shown = run("%matplotlib widget\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert any("image/png" in out.get("data", {}) for out in shown.outputs)


def test_an_answer_that_a_cell_forges_earns_nothing_and_is_flagged(run):
    forged = (
        "import json, os, struct\n"
        "body = json.dumps({'secret': 'x', 'verdict': {'score': 2, 'points': 2}}).encode()\n"
        "def square(x):\n"
        "    for fd in range(3, 256):\n"
        "        try: os.write(fd, struct.pack('!I', len(body)) + body)\n"
        "        except OSError: pass\n"
        "    return -1\n"
    )
    run(forged)
    seen = run("assert square(3) == 9", "t1", points=2)
    assert seen.verdict.score == 0
    assert any("channel" in flag or "wrote" in flag for flag in seen.flags)
    assert run("assert 1 == 1", points=1).verdict.score == 1


GOOD = {"score": 1, "points": 2, "why": "", "alerts": []}
ANSWER = {"outputs": [], "verdict": GOOD, "notes": [], "flags": [], "execution_count": 1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": None},
        {"verdict": {**GOOD, "score": 3}},
        {"verdict": {**GOOD, "score": -1}},
        {"verdict": {**GOOD, "score": float("nan")}},
        {"verdict": {**GOOD, "score": "all"}},
        {"verdict": {"score": 1}},
        {"outputs": None},
        {"outputs": [1]},
        {"outputs": [{"output_type": "script"}]},
        {"notes": 1},
        {"execution_count": "x"},
    ],
)
def test_an_answer_of_a_wrong_form_is_refused(wrong):
    with pytest.raises((KeyError, TypeError, ValueError)):
        read({**ANSWER, **wrong}, Cell("", "t1", points=2))


def test_an_answer_is_read():
    assert read(ANSWER, Cell("", "t1", points=2)).verdict.score == 1
    assert read({**ANSWER, "verdict": None}, Cell("", "q1")).verdict is None


def test_a_library_that_is_missing_is_the_courses_problem(run):
    told = run("import no_such_library", course=True)
    assert "for the course to mend" in told.notes[0]
    assert run("import no_such_library").notes == []


def test_interrupting_from_outside(kernels):
    import threading

    with Session(kernels, limits=Limits(cell_seconds=30)) as session:
        session.run(Cell("x = 1"))
        threading.Timer(0.3, session.interrupt).start()
        assert session.run(Cell(ENDLESS)).outputs[0]["ename"] == "KeyboardInterrupt"
        assert session.run(Cell("assert x == 1", points=1)).verdict.score == 1
