"""What student code does while it runs never harms the check, the class or the student."""

from __future__ import annotations

import os
import random
import sys

import numpy as np
import pytest

from coursekit.checks import answer, check, close, kind, parts
from coursekit.checks.core import Check

RIGHT = {
    "an array": "np.array([1.0, 2.0])",
    "a list": "[1, 2]",
    "a tuple": "(1.0, 2.0)",
    "float32": "np.array([1, 2], dtype='float32')",
    "integers": "np.array([1, 2])",
    "NumPy numbers in a list": "[np.float64(1), np.int32(2)]",
    "a matrix row": "np.matrix([1.0, 2.0]).A1",
    "a tensor": "__import__('torch').tensor([1.0, 2.0])",
    "a double tensor": "__import__('torch').tensor([1.0, 2.0]).double()",
    "a tensor with a gradient": "__import__('torch').tensor([1.0, 2.0], requires_grad=True)",
    "bfloat16": "__import__('torch').tensor([1.0, 2.0], dtype=__import__('torch').bfloat16)",
    "rounding": "[1 + 1e-9, 2 - 1e-9]",
}


@pytest.mark.parametrize("style", RIGHT)
def test_right_answers_in_any_style_pass(verdict, style):
    assert verdict(f"def f(x):\n    return {RIGHT[style]}", 0, expect=[1, 2])[0] == 1.0


def test_a_callable_object_and_a_lambda_pass(verdict):
    assert verdict("f = lambda x: x", 3, expect=3)[0] == 1.0
    assert (
        verdict("class F:\n    def __call__(self, x):\n        return x\nf = F()", 3, expect=3)[0]
        == 1.0
    )


def test_expected_infinity_and_nan_can_be_right(verdict):
    assert verdict("def f(x):\n    return np.inf", 0, expect=np.inf)[0] == 1.0
    assert verdict("def f(x):\n    return -np.inf", 0, expect=np.inf)[0] == 0.0
    assert verdict("def f(x):\n    return np.nan", 0, expect=np.nan)[0] == 1.0


def test_float32_gets_the_tolerance_of_single_precision(verdict):
    cell = "def f(x):\n    return np.float32(1) + np.float32(5e-6)"
    assert verdict(cell, 0, expect=1.0)[0] == 1.0
    assert verdict("def f(x):\n    return 1 + 5e-6", 0, expect=1.0)[0] == 0.0
    assert verdict("def f(x):\n    return 1 + 5e-6", 0, expect=1.0, tol=1e-5)[0] == 1.0


def test_partial_credit_is_a_plain_float_and_cases_go_on_after_an_error(notebook, capsys):
    notebook.run("def f(x):\n    return 1 / x")
    c = notebook.check("f", 3)
    c.case("zero", 0, expect=0)
    c.case("two", 2, expect=0.5)
    c.case("four", 4, expect=0.25)
    score = c.score()
    assert type(score) is float and score == 2.0
    out = capsys.readouterr().out
    assert "2 of 3 cases right, 2 of 3 points" in out
    assert out.index("✗ zero") < out.index("✓ two")


def test_weights_share_the_points(notebook):
    notebook.run("def f(x):\n    return abs(x)")
    c = notebook.check("f", 4)
    c.case("easy", 1, expect=1)
    c.case("hard", -1, expect=-1, weight=3)
    assert c.score() == 1.0


def test_a_case_of_weight_zero_earns_nothing_by_itself(notebook):
    notebook.run("n = 3")
    c = notebook.check("n", 2, called=False)
    c.case("a whole number", expect=kind(int), weight=0)
    assert c.score() == 2.0  # nothing else to go by in the student's own copy
    c.hidden("the number", expect=4, hint="count again")
    assert c.score() == 0.0


def test_a_check_without_cases_earns_nothing(notebook):
    assert notebook.check("f", 2).score() == 0.0


def test_warnings_cost_nothing_and_are_told(verdict):
    cell = (
        "def f(x):\n    import warnings; warnings.warn('old style'); return np.log(np.zeros(1))[0]"
    )
    score, text = verdict(cell, 0, expect=-np.inf)
    assert score == 1.0
    assert "UserWarning: old style" in text and "RuntimeWarning: divide by zero" in text


def test_stderr_and_stdout_of_student_code_stay_inside(verdict):
    cell = "def f(x):\n    import sys; print('a'); print('b', file=sys.stderr); return x"
    score, text = verdict(cell, 3, expect=3)
    assert score == 1.0 and " b" not in text.replace("cases", "")


def test_endless_printing_takes_no_memory(verdict):
    cell = "def f(x):\n    while True: print('spam' * 100)"
    score, text = verdict(cell, 3, expect=3, limit=0.3)
    assert score == 0.0 and len(text) < 1000
    assert "stopped after 0.3 s: does a loop never end?" in text


def test_an_endless_loop_stops_though_it_swallows_errors(verdict):
    cell = "def f(x):\n    while True:\n        try: x += 1\n        except Exception: pass"
    assert "does a loop never end?" in verdict(cell, 3, expect=3, limit=0.2)[1]


def test_after_a_stop_the_next_cases_get_less_time(notebook, capsys):
    notebook.run("def f(x):\n    while x: pass\n    return 0")
    c = notebook.check("f", 3, limit=1.2)
    c.case("never", 1, expect=0)
    c.case("never", 2, expect=0)
    c.case("at once", 0, expect=0)
    assert c.score() == 1.0
    out = capsys.readouterr().out
    assert "stopped after 1.2 s" in out and "stopped after 1 s" in out


def test_the_notebook_is_interrupted_by_its_user(notebook):
    notebook.run("def f(x):\n    raise KeyboardInterrupt")
    c = notebook.check("f")
    with pytest.raises(KeyboardInterrupt):
        c.case("a", 1, expect=1)


def test_each_case_gets_fresh_inputs(notebook):
    notebook.run("def f(x):\n    x += 1\n    return x")
    given = np.array([1.0, 2.0])
    c = notebook.check("f", 1)
    c.case("first", given, expect=[2, 3])
    c.case("second", given, expect=[2, 3])
    assert c.score() == 1.0 and given.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "argument", [[1.0, 2.0], np.array([1.0, np.nan]), {"a": [1.0]}], ids=["list", "nan", "dict"]
)
def test_a_change_in_place_is_noticed(notebook, capsys, argument):
    notebook.run(
        "def f(data):\n"
        "    if isinstance(data, dict): data['a'][0] = 5\n"
        "    else: data[0] = 5\n"
        "    return 1"
    )
    free, strict = notebook.check("f", 1), notebook.check("f", 1, pure=True)
    free.case("a", argument, expect=1)
    strict.case("a", argument, expect=1)
    assert (free.score(), strict.score()) == (1.0, 0.0)
    out = " ".join(capsys.readouterr().out.split())
    assert "note: your function changed its input `data` in place" in out
    assert ") changed its input `data` in place" in out


def test_a_changed_tensor_and_keyword_are_noticed(notebook):
    import torch

    notebook.run("def f(a, b=None):\n    b.add_(1)\n    return 1")
    c = notebook.check("f", 1, pure=True)
    c.case("a", 1, kwargs={"b": torch.ones(2)}, expect=1)
    assert c.score() == 0.0


def test_a_tensor_inside_a_graph_can_be_an_input(notebook):
    import torch

    notebook.run("def f(a):\n    return a.sum()")
    part = torch.ones(2, requires_grad=True) * 2
    c = notebook.check("f", 1)
    c.case("a", part, expect=4)
    assert c.score() == 1.0


def test_lists_arrive_as_float_arrays_and_tuples_as_they_are(notebook):
    notebook.run(
        "def f(rows, sizes, blocks):\n"
        "    assert rows.dtype == float and sizes == (4, 16)\n"
        "    return [block.shape[0] for block in blocks]"
    )
    c = notebook.check("f", 1)
    c.case("a", [[1, 2]], (4, 16), [[[1, 2]], [[1], [2]]], expect=[1, 2])
    assert c.score() == 1.0


def test_an_overwritten_library_or_builtin_is_put_back_for_the_check(verdict):
    cell = "np = 5\nsum = 0\nfloat = 3\ndef f(x):\n    return float(sum(np.array([x, 1])))"
    score, text = verdict(cell, 3, expect=4)
    assert score == 1.0
    assert "`np`" in text and "`sum`" in text and "got another value in this notebook" in text


def test_putting_back_names_leaves_the_notebook_as_it_was(notebook, verdict):
    verdict("np = 5\ndef f(x):\n    return np.abs(x)", -3, expect=3)
    assert notebook.names["np"] == 5


def test_a_function_named_like_a_builtin_is_left_alone(verdict):
    cell = "def sum(a):\n    return 10\ndef f(x):\n    return sum([x])"
    assert verdict(cell, 1, expect=10)[0] == 1.0
    assert verdict(cell, 1, expect=1)[0] == 0.0


def test_random_answers_are_the_same_in_each_run_and_the_generators_stay(verdict):
    cell = "import random\ndef f(x):\n    return [np.random.rand(), random.random()]"
    np.random.seed(7)
    random.seed(7)
    before = np.random.get_state()[1].copy(), random.getstate()
    first = verdict(cell, 0, expect=[0, 0])[1]
    assert first == verdict(cell, 0, expect=[0, 0])[1]
    assert (before[0] == np.random.get_state()[1]).all() and before[1] == random.getstate()


def test_input_works_again_after_a_check(verdict):
    before = input, sys.breakpointhook
    verdict("def f(x):\n    return input()", 0, expect=1)
    assert (input, sys.breakpointhook) == before


def test_grading_does_not_speak_of_more_cases(notebook, capsys, monkeypatch):
    notebook.run("def f(x):\n    return x")
    for environment, said in (("", True), ("validate", True), ("autograde", False)):
        monkeypatch.setitem(os.environ, "NBGRADER_EXECUTION", environment)
        c = notebook.check("f", 1)
        c.case("a", 1, expect=1)
        c.score()
        assert ("Grading may add cases" in capsys.readouterr().out) is said


def test_values_are_answers_too(notebook, capsys):
    notebook.run("n = None\nm = 4.0\nt = ' Yes '")
    for name, expect, score in (("n", 4, 0.0), ("m", 4, 1.0), ("t", "yes", 1.0), ("u", 1, 0.0)):
        c = notebook.check(name, 1, called=False)
        c.case("the value", expect=expect)
        assert c.score() == score
    out = capsys.readouterr().out
    assert "n: not attempted yet" in out and "u: not defined" in out


def test_the_report_of_an_untouched_exercise_is_one_line(notebook, capsys):
    notebook.run("def f(x):\n    raise NotImplementedError('x')")
    c = notebook.check("f", 2)
    c.case("one", 1, expect=1)
    c.hidden("two", 2, expect=2, hint="h")
    c.score()
    assert capsys.readouterr().out == "✗ f: not attempted yet. 0 of 2 points.\n"


def test_a_value_that_cannot_be_compared_is_a_fault_and_no_crash(notebook):
    class Bad:
        def problem(self, got):
            raise RuntimeError

    notebook.run("def f(x):\n    return x")
    c = notebook.check("f", 1)
    c.case("a", 1, expect=Bad())
    assert c.score() == 0.0


def test_a_subclass_that_equals_everything_earns_nothing(verdict):
    cell = (
        "class Same(np.ndarray):\n"
        "    def __array_ufunc__(self, *a, **k): return True\n"
        "    def __eq__(self, other): return True\n"
        "class Float(float):\n"
        "    def __eq__(self, other): return True\n"
        "    def __sub__(self, other): return 0.0\n"
    )
    assert (
        verdict(cell + "def f(x):\n    return np.zeros(2).view(Same)", 0, expect=[1, 2])[0] == 0.0
    )
    assert verdict(cell + "def f(x):\n    return Float(0)", 0, expect=1.0)[0] == 0.0


def test_checks_find_the_notebook_they_run_in(monkeypatch, capsys):
    import __main__

    monkeypatch.setattr(__main__, "double_for_test", lambda x: 2 * x, raising=False)
    monkeypatch.setattr(__main__, "n_for_test", 3, raising=False)
    c, a = check("double_for_test", points=1), answer("n_for_test", points=1)
    assert isinstance(c, Check)
    c.case("a", 2, expect=4)
    a.case("b", expect=3)
    assert (c.score(), a.score()) == (1.0, 1.0)


def test_expectations_say_what_authors_got_wrong(notebook):
    notebook.run("def f(x):\n    return x")
    with pytest.raises(TypeError, match="use holds"):
        notebook.check("f").case("a", 1, expect=object())


def test_parts_take_expectations(verdict):
    cell = "def f(x):\n    return [1.001, 'a']"
    assert verdict(cell, 0, expect=parts(a=close(1, tol=0.01), b="A"))[0] == 1.0


def test_importing_the_checks_does_not_load_torch_or_a_kernel():
    import subprocess

    code = (
        "import sys, coursekit.checks; "
        "print([m for m in ('torch', 'nbgrader', 'jupyter_client', 'IPython') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_loading_a_library_does_not_count_as_running(notebook, monkeypatch):
    monkeypatch.delitem(sys.modules, "sklearn.datasets", raising=False)
    notebook.run("def f(x):\n    import sklearn.datasets\n    return x")
    c = notebook.check("f", 1, limit=0.05)
    c.case("a", 1, expect=1)
    assert c.score() == 1.0


@pytest.mark.parametrize("answer", ["1628169", "1628171", "np.int64(1628169)", "1628169.0"])
def test_a_count_that_is_off_by_one_is_wrong_however_large(verdict, answer):
    score, text = verdict(f"def f(x):\n    return {answer}", 0, expect=1_628_170)
    assert score == 0.0
    assert "expected 1628170; off by one" in text


@pytest.mark.parametrize("answer", ["1628170", "np.int32(1628170)", "1628170.0", "1628170 + 1e-7"])
def test_a_count_may_be_a_float(verdict, answer):
    assert verdict(f"def f(x):\n    return {answer}", 0, expect=1_628_170)[0] == 1.0


def test_whole_numbers_of_any_size_are_compared_exactly(verdict):
    big = 29_718_737_788_805_825_958
    assert verdict(f"def f(x):\n    return {big}", 0, expect=big)[0] == 1.0
    assert verdict(f"def f(x):\n    return {big + 1}", 0, expect=big)[0] == 0.0


def test_whole_numbers_in_an_array_leave_room_for_rounding(verdict):
    assert verdict("def f(x):\n    return [3 - 1e-10, 1 + 1e-9]", 0, expect=[3, 1])[0] == 1.0


def test_arguments_that_are_lists_of_arrays_arrive_as_lists(notebook):
    notebook.run(
        "def f(weights, biases):\n"
        "    total = 0\n"
        "    while weights:\n"
        "        total += weights.pop(0).shape[0] + biases.pop().size\n"
        "    return total"
    )
    c = notebook.check("f", 1, lists=(0, 1))
    c.case("equal shapes", [[[1, 2]], [[3, 4]]], [[1, 2], [3, 4]], expect=6)
    c.case("one item", [[[1, 2]]], [[1, 2]], expect=3)
    assert c.score() == 1.0
    plain = notebook.check("f", 1)
    plain.case(
        "arrays in a list", [np.ones((1, 2)), np.ones((1, 2))], [np.ones(2), np.ones(2)], expect=6
    )
    assert plain.score() == 1.0


def test_a_model_is_shown_by_its_parts(verdict):
    from torch import nn

    text = verdict("def f(x):\n    return 0", nn.Sequential(nn.Linear(2, 1), nn.ReLU()), expect=1)[
        1
    ]
    assert "f(Sequential(Linear, ReLU)) returned 0" in text
