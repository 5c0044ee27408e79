"""Each thing that can be wrong with an answer has its own sentence."""

from __future__ import annotations

import pytest

from coursekit.checks import all_of, close, holds, kind, one_of, parts, raises, sequence

ONE = "def f(x):\n    return "

WRONG = {
    "nothing returned": (ONE + "None", 1.0, "returned None: is a `return` missing?"),
    "printed": ("def f(x):\n    print(7)", 7, "printed '7' but returned None: use `return`"),
    "dots": (ONE + "...", 1.0, "not attempted yet"),
    "placeholder": ("def f(x):\n    raise NotImplementedError('x')", 1.0, "not attempted yet"),
    "text for a number": (ONE + "'1.0'", 1.0, "returned a text, expected a number"),
    "list for a number": (ONE + "[1, 2]", 1.0, "shape (2,), expected a single number"),
    "number for an array": (ONE + "3.0", [1.0, 2.0], "a single number, shape (), expected (2,)"),
    "dictionary": (ONE + "{}", [1.0], "returned a dictionary, expected an array of numbers"),
    "ragged": (ONE + "[[1], [1, 2]]", [1.0], "returned a list, expected an array of numbers"),
    "generator": (ONE + "(i for i in [1])", [1.0], "until you write `list(...)` around it"),
    "function": (ONE + "abs", 1.0, "returned a function (written without its brackets?)"),
    "column": (ONE + "np.ones((3, 1))", [1, 1, 1], "shape (3, 1), expected (3,)"),
    "truth values": (ONE + "np.array([True])", [1.0], "returned True or False, expected numbers"),
    "numbers for truth": (ONE + "1", True, "returned numbers, expected True or False"),
    "complex": (ONE + "1j", 1.0, "returned complex numbers, expected real ones"),
    "nan": (ONE + "np.array([1, np.nan])", [1, 2], "contains NaN (not a number) at [1]"),
    "inf": (ONE + "float('inf')", 1.0, "contains infinity"),
    "value": (ONE + "1.5", 1.25, "f(0) returned 1.5, expected 1.25"),
    "many values": (
        ONE + "np.arange(20.0) + (np.arange(20) == 7)",
        list(range(20)),
        "1 of 20 values are wrong, first at [7]: got 8, expected 7",
    ),
    "flipped sign": (ONE + "[-1, 2]", [1, -2], "the sign is flipped"),
    "transposed": (ONE + "[[1, 3], [2, 4]]", [[1, 2], [3, 4]], "it looks transposed"),
    "scaled": (ONE + "[2, 4, 6]", [1, 2, 3], "every value is 2 times the expected one"),
    "half": (ONE + "0.5", 1.0, "it is 0.5 times the expected one"),
    "shifted": (ONE + "[2, 3, 5]", [1, 2, 4], "off by one"),
    "reversed": (ONE + "[3, 2, 5]", [5, 2, 3], "the order is reversed"),
    "order": (ONE + "[2, 3, 5]", [5, 2, 3], "right values in a wrong order"),
    "zero": (ONE + "[0, 0]", [1, 2], "everything is zero"),
    "exception": (ONE + "1 / x", 1.0, "raised ZeroDivisionError: division by zero"),
    "sizes that do not fit": (
        ONE + "np.ones((2, 2)) @ np.ones(3)",
        1.0,
        "raised ValueError: sizes 2 and 3 do not fit together for `@`",
    ),
    "too many": (ONE + "[1]", [], "expected an empty list"),
    "unknown name": (ONE + "z + 1", 1.0, "raised NameError: name 'z' is not defined"),
    "missing module": ("def f(x):\n    import nosuch", 1.0, "only the packages of the course"),
    "recursion": (ONE + "f(x)", 1.0, "never stops calling itself: is a stopping case missing?"),
    "keyboard": (ONE + "input()", 1.0, "waits for keyboard input: take out `input()`"),
    "breakpoint": ("def f(x):\n    breakpoint()", 1.0, "waits for keyboard input"),
    "exit": ("def f(x):\n    raise SystemExit", 1.0, "ends Python itself"),
    "arguments": ("def f():\n    return 1.0", 1.0, "calls it with 1 argument(s)"),
    "not a function": ("f = 3", 1.0, "`f` is a whole number, expected a function"),
    "not there": (
        "g = 3",
        1.0,
        "f: not defined: run the cell that gives `f` a value.",
    ),
    "own class": (
        "class A:\n    __eq__ = lambda s, o: True\n    __float__ = lambda s: 1.0\n" + ONE + "A()",
        1.0,
        "returned an object of type A, expected a number",
    ),
    "text": (ONE + "'blue'", "red", "returned 'blue', expected 'red'"),
    "too few results": (ONE + "(1, 2)", parts(a=1, b=2, c=3), "2 results, expected 3: a, b, c"),
    "one result": (ONE + "1", parts(a=1, b=2), "returned a whole number, expected 2 results: a, b"),
    "a wrong part": (ONE + "(1, 5)", parts(a=1, b=2), "f(0): `b` is wrong: got 5, expected 2"),
    "two wrong parts": (ONE + "(0, 5)", parts(a=1, b=2), "`a` is wrong: got 0, expected 1"),
    "length": (ONE + "[[1]]", sequence([[1], [1, 2]]), "1 items, expected 2"),
    "an item": (ONE + "[[1], [1, 3]]", sequence([[1], [1, 2]]), "item 1 is wrong: got [1, 3]"),
    "property": (ONE + "-3", holds("it is positive", lambda v: v > 0), "this should hold: it is"),
    "property that fails": (ONE + "[]", holds("first is 1", lambda v: v[0] == 1), "first is 1"),
    "property of numbers": (ONE + "'a'", holds("x", lambda v: True, numeric=True), "a text"),
    "nan in a property": (ONE + "np.nan", holds("x", lambda v: True, numeric=True), "NaN"),
    "kind": (ONE + "2.5", kind(int), "expected a whole number, got 2.5"),
    "kind of truth": (ONE + "1", kind(bool), "expected True or False, got 1"),
    "truth is no number": (ONE + "True", kind(int), "expected a whole number, got True"),
    "no error": (ONE + "1", raises(ValueError), "expected it to raise ValueError"),
    "none of several": (ONE + "3", one_of(1, 2), "returned 3, expected 1"),
    "one of all": (ONE + "3", all_of(kind(int), 2), "returned 3, expected 2"),
    "dtype": (
        ONE + "np.ones(2)",
        close([1, 1], dtype="float32"),
        "dtype float64, expected float32",
    ),
    "numpy asked for": (ONE + "[1.0]", close([1], kind="numpy"), "a list, expected a NumPy array"),
    "torch asked for": (ONE + "np.ones(1)", close([1], kind="torch"), "expected a torch tensor"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_answer_earns_nothing_and_is_told_why(verdict, case):
    cell, expect, sentence = WRONG[case]
    score, text = verdict(cell, 0, expect=expect)
    assert score == 0.0
    assert sentence in text


@pytest.mark.parametrize("case", [name for name in WRONG if name != "not there"])
def test_a_hidden_case_names_the_kind_of_fault_but_no_value(verdict, case):
    cell, expect, _ = WRONG[case]
    score, text = verdict(cell, 987654, expect=expect, hidden=True)
    assert score == 0.0
    assert "987654" not in text
    assert "not attempted" in text or "Hint: think." in text or "expects" in text


def test_hidden_expected_values_never_appear(verdict):
    for answer in ("0.0", "[0.0, 0.0]", "-31.4159", "62.8318", "np.full(2, 3)", "'x'"):
        for expect in (31.4159, [31.4159, 2.71828], [[31.4159], [2.71828]]):
            _, text = verdict(ONE + answer, 5551.25, expect=expect, hidden=True)
            assert not any(number in text for number in ("31.4", "2.718", "5551", "62.8"))


def test_an_error_text_that_quotes_a_hidden_input_is_not_shown(verdict):
    leak = "def f(x):\n    raise ValueError(f'input was {x}')"
    assert "123.25" in verdict(leak, 123.25, expect=1)[1]
    hidden = verdict(leak, 123.25, expect=1, hidden=True)[1]
    assert "raised ValueError" in hidden.replace("Raised", "raised")
    assert "123.25" not in hidden


def test_an_error_class_named_after_a_hidden_input_is_not_shown(verdict):
    leak = "def f(x):\n    raise type(f'E{x}', (Exception,), {})()"
    assert "12325" not in verdict(leak, 12325, expect=1, hidden=True)[1]


def test_printing_a_hidden_input_shows_nothing(verdict):
    assert "777" not in verdict("def f(x):\n    print(x)", 777, expect=1, hidden=True)[1]
    assert "777" not in verdict("def f(x):\n    print(x); return 2", 777, expect=1, hidden=True)[1]


def test_a_warning_that_quotes_a_hidden_input_is_not_shown(verdict):
    leak = "def f(x):\n    import warnings; warnings.warn(str(x)); return 1"
    score, text = verdict(leak, 777, expect=1, hidden=True)
    assert score == 1.0
    assert "777" not in text and "warned" in text


def test_the_message_names_the_line_of_the_student(notebook, verdict, tmp_path):
    source = "def f(x):\n    y = x + 1\n    return y[0]\n"
    path = tmp_path / "cell.py"
    path.write_text(source)
    exec(compile(source, str(path), "exec"), notebook.names)
    text = verdict("pass", 1, expect=1)[1]
    assert "in your line 3: `return y[0]`" in text


def test_a_placeholder_left_above_real_code_is_told_from_an_empty_one(verdict, notebook, tmp_path):
    source = "def f(x):\n    raise NotImplementedError('x')\n    return x\n"
    path = tmp_path / "cell.py"
    path.write_text(source)
    exec(compile(source, str(path), "exec"), notebook.names)
    text = verdict("pass", 1, expect=1)[1]
    assert "not attempted yet, or the placeholder line" in text


def test_code_after_a_finished_function_may_keep_its_placeholder(verdict):
    cell = "def f(x):\n    return x\n    raise NotImplementedError('x')"
    assert verdict(cell, 1, expect=1)[0] == 1.0


def test_an_unfinished_helper_is_named(verdict):
    cell = "def g(x):\n    raise NotImplementedError('x')\ndef f(x):\n    return g(x)"
    assert "calls `g`, which is not attempted yet" in verdict(cell, 1, expect=1)[1]


def test_an_abstract_method_of_a_library_is_no_placeholder(verdict):
    cell = "import torch\ndef f(x):\n    return torch.nn.Module()(torch.ones(1))"
    text = verdict(cell, 1, expect=1)[1]
    assert "raised NotImplementedError" in text and "not attempted" not in text


def test_a_misspelled_name_gets_a_suggestion(verdict):
    notebook_cell = "def predictt(x):\n    return x"
    text = verdict(notebook_cell, 1, expect=1)[1]
    assert "f: not defined" in text


def test_a_near_name_is_suggested(notebook, capsys):
    notebook.run("def predikt(x):\n    return x")
    c = notebook.check("predict")
    c.case("a", 1, expect=1)
    assert c.score() == 0.0
    assert "There is a `predikt`" in capsys.readouterr().out


def test_reading_a_global_instead_of_an_argument_is_noted(verdict):
    text = verdict("w = 5.0\ndef f(x):\n    return x + w", 1, expect=3)[1]
    assert "the function uses `w` of the notebook" in text
