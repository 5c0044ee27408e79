"""Every lesson against its bank: right answers earn all, wrong ones are found out and told why.

A lesson is tested as soon as tests/lessons/<assignment>.py exists. All variants of a lesson run
together once, so its tests should stay in one process (`--dist loadgroup` with pytest-xdist).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

import pytest

from coursekit.authoring import check, notebooks, release, verdicts
from coursekit.authoring.bank import Bank, load
from coursekit.authoring.lesson import source, untouched
from coursekit.authoring.outcomes import Run
from coursekit.authoring.runner import run
from coursekit.errors import CourseError

ROOT = Path(__file__).parents[1]
LESSONS = sorted(path.stem for path in (ROOT / "tests" / "lessons").glob("[a-z]*.py"))


@functools.cache
def bank(lesson: str) -> Bank:
    return load(lesson, ROOT)


@functools.cache
def runs(lesson: str) -> dict[str, Run]:
    """One run of each variant of a lesson, with its own solutions and with none besides."""
    path = source(lesson, ROOT)
    nb = notebooks.read(path)
    variants = {"reference": {}, "untouched": untouched(nb, ROOT), **bank(lesson).variants()}
    return run(nb, variants, folder=path.parent)


def by_lesson(lesson: str, *values: object, name: str = "") -> object:
    group = pytest.mark.xdist_group(f"lesson-{lesson}")
    return pytest.param(lesson, *values, id=f"{lesson}-{name}" if name else lesson, marks=group)


def variants(kind: str) -> list[object]:
    """The alternatives or mutants of all banks; `test_no_fault` tells of a bank that is broken."""
    found = []
    for lesson in LESSONS:
        try:
            found += [by_lesson(lesson, v, name=v.name) for v in getattr(bank(lesson), kind)]
        except CourseError:
            continue
    return found


def expect_none(faults: Iterable[object]) -> None:
    """Fail with all the sentences at once, without a traceback of this file."""
    told = "\n".join(str(fault) for fault in faults)
    if told:
        pytest.fail(told, pytrace=False)


each_lesson = pytest.mark.parametrize("lesson", [by_lesson(lesson) for lesson in LESSONS])


@pytest.mark.parametrize("assignment", release.assignments(ROOT))
def test_every_assignment_has_a_bank(assignment):
    assert assignment in LESSONS


@each_lesson
def test_no_fault(lesson):
    expect_none(check.faults(lesson, ROOT))


@each_lesson
def test_the_solutions_earn_full_marks(lesson):
    expect_none(verdicts.full_marks(runs(lesson)["reference"]))


@each_lesson
def test_the_untouched_release_earns_nothing(lesson):
    expect_none(verdicts.not_attempted(runs(lesson)["untouched"]))


@pytest.mark.parametrize(("lesson", "alternative"), variants("alternatives"))
def test_an_alternative_earns_full_marks(lesson, alternative):
    expect_none(verdicts.full_marks(runs(lesson)[alternative.name]))


@pytest.mark.parametrize(("lesson", "mutant"), variants("mutants"))
def test_a_mutant_is_found_out(lesson, mutant):
    expect_none(verdicts.found_out(mutant, runs(lesson)[mutant.name]))
