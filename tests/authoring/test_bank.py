"""A bank is loaded by path, and each of its faults is a sentence."""

from __future__ import annotations

import pytest

from coursekit.authoring import bank
from coursekit.authoring.bank import Alternative, Bank, Figure, Mutant, load
from coursekit.errors import CourseError

GOOD = """
from coursekit.authoring.bank import Alternative, Figure, Mutant

ALTERNATIVES = [Alternative(f"a{n}", {"double": str(n)}) for n in range(2)]
MUTANTS = [Mutant(f"m{n}", {"double": str(n)}, {"double_one"}, ["no"], n == 0) for n in range(4)]
FIGURES = [Figure("two", text="2", value="two")]
"""


@pytest.fixture
def nb(cells):
    return cells.notebook(cells.answer("double", "d = 1"), cells.test("double_one", "1.0"))


@pytest.fixture
def lesson(tmp_path):
    def write(source):
        path = tmp_path / "tests" / "lessons" / "tiny.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return tmp_path

    return write


def test_a_good_bank_has_no_fault(lesson, nb):
    loaded = load("tiny", lesson(GOOD))
    assert list(bank.faults(loaded, nb)) == []
    assert list(loaded.variants()) == ["a0", "a1", "m0", "m1", "m2", "m3"]
    assert loaded.figures[0].text == "2"


def test_a_missing_bank_says_so(tmp_path):
    with pytest.raises(CourseError, match=r"tiny\.py: missing; add the bank"):
        load("tiny", tmp_path)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 / 0", r"cannot be imported \(ZeroDivisionError: division by zero\)"),
        ("def (", r"cannot be imported \(SyntaxError"),
        ("MUTANTS = ['m']", r"MUTANTS holds 'm', expected Mutant\(\.\.\.\)"),
    ],
)
def test_a_broken_bank_says_so(lesson, source, said):
    with pytest.raises(CourseError, match=said):
        load("tiny", lesson(source))


def mutant(name="m", answers=("double",), loses=("double_one",), says=("no",)):
    return Mutant(name, dict.fromkeys(answers, "x"), set(loses), says)


@pytest.mark.parametrize(
    ("banked", "said"),
    [
        (
            {"alternatives": [Alternative("m", {"double": "x"})], "mutants": [mutant()]},
            '2 entries are called "m"',
        ),
        ({"figures": [Figure("f", "1", "1")] * 2}, '2 entries are called "f"'),
        ({"mutants": [mutant(answers=())]}, '"m" replaces no answer'),
        ({"mutants": [mutant(answers=["twice"])]}, '"m" replaces "twice", which is not an answer'),
        ({"mutants": [mutant(loses=["double"])]}, '"m" loses "double", which is not a test cell'),
        ({"mutants": [mutant(loses=())]}, '"m" loses no test cell'),
        ({"mutants": [mutant(says=())]}, '"m" says nothing'),
        ({"mutants": [mutant(says="no")]}, '"m" says nothing'),
        ({}, 'the exercise "double" has 0 alternatives; write at least 2'),
        ({"mutants": [mutant()]}, 'the exercise "double" has 1 mutants; write at least 4'),
        ({"mutants": [mutant()]}, 'the exercise "double" needs one mutant with `memorises_visible'),
    ],
)
def test_each_fault_of_a_bank_is_told(nb, tmp_path, banked, said):
    assert any(fault.startswith(said) for fault in bank.faults(Bank(tmp_path, **banked), nb))
