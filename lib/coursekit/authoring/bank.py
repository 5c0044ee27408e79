"""The bank of a lesson: other right solutions, plausible wrong ones, and the figures it states."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from coursekit.authoring.notebooks import Kind, exercises, grade_id, of_kind
from coursekit.errors import CourseError

LEAST_ALTERNATIVES, LEAST_MUTANTS = 2, 4


@dataclass(frozen=True)
class Alternative:
    """A correct solution written differently: it must earn full marks without a word on stderr.

    `answers` maps grade ids of answer cells to the whole source that replaces the cell.
    """

    name: str
    answers: Mapping[str, str]


@dataclass(frozen=True)
class Mutant:
    """A plausible wrong solution, and how it must be found out.

    `loses` are the test cells that must take marks off, all others give theirs in full; each text
    in `says` must occur in what one of those cells prints, in any case of letters.
    `memorises_visible` marks the mutant that returns the visible examples' answers, nothing else.
    """

    name: str
    answers: Mapping[str, str]
    loses: frozenset[str] | set[str]
    says: Sequence[str]
    memorises_visible: bool = False


@dataclass(frozen=True)
class Figure:
    """A number that the text states, and the expression that computes it.

    `text` stands word for word in a markdown cell; `value` is evaluated in the notebook's namespace
    after its last cell. They agree to the digits printed, or within `rel` (relative) or `abs`
    (absolute). `upper`: the text states a bound that the value stays below; `lower`: above.
    """

    name: str
    text: str
    value: str
    rel: float | None = None
    abs: float | None = None
    upper: bool = False
    lower: bool = False


@dataclass(frozen=True)
class Bank:
    """All that a lesson's file under tests/lessons says."""

    path: Path
    alternatives: Sequence[Alternative] = field(default_factory=tuple)
    mutants: Sequence[Mutant] = field(default_factory=tuple)
    figures: Sequence[Figure] = field(default_factory=tuple)

    @property
    def solutions(self) -> list[Alternative | Mutant]:
        """Alternatives and mutants, in order."""
        return [*self.alternatives, *self.mutants]

    def variants(self) -> dict[str, Mapping[str, str]]:
        """The answers of every alternative and mutant by name, in order."""
        return {solution.name: solution.answers for solution in self.solutions}


def path_of(assignment: str, root: Path) -> Path:
    """Where the bank of an assignment is kept."""
    return root / "tests" / "lessons" / f"{assignment}.py"


def load(assignment: str, root: Path) -> Bank:
    """The bank of an assignment.

    Raises CourseError where the file is missing, cannot be imported, or lists other things.
    """
    path = path_of(assignment, root)
    if not path.is_file():
        raise CourseError(f"{path}: missing; add the bank of alternatives and mutants there.")
    spec = importlib.util.spec_from_file_location(f"lesson_bank_{assignment}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CourseError(
            f"{path}: cannot be imported ({type(error).__name__}: {error})."
        ) from None
    lists = {}
    for name, wanted in (("ALTERNATIVES", Alternative), ("MUTANTS", Mutant), ("FIGURES", Figure)):
        lists[name] = tuple(getattr(module, name, ()))
        for item in lists[name]:
            if not isinstance(item, wanted):
                raise CourseError(
                    f"{path}: {name} holds {item!r}, expected {wanted.__name__}(...)."
                )
    return Bank(path, lists["ALTERNATIVES"], lists["MUTANTS"], lists["FIGURES"])


def faults(bank: Bank, nb: NotebookNode) -> Iterator[str]:
    """What is wrong with a bank, seen against its notebook: one sentence each."""
    yield from _double_names(bank)
    yield from _unknown_cells(bank, nb)
    yield from _vague_mutants(bank)
    for exercise, tests in exercises(nb).items():
        if tests:
            yield from _too_few(bank, exercise)


def _double_names(bank: Bank) -> Iterator[str]:
    names = [solution.name for solution in bank.solutions]
    names += [f.name for f in bank.figures]
    for name, count in Counter(names).items():
        if count > 1:
            yield f'{count} entries are called "{name}"; give each a name of its own'


def _unknown_cells(bank: Bank, nb: NotebookNode) -> Iterator[str]:
    answers = {grade_id(cell) for cell in of_kind(nb, Kind.ANSWER)}
    tests = {grade_id(cell) for cell in of_kind(nb, Kind.TEST)}
    for variant in bank.solutions:
        if not variant.answers:
            yield f'"{variant.name}" replaces no answer; give it `answers`'
        for name in sorted(set(variant.answers) - answers):
            yield f'"{variant.name}" replaces "{name}", which is not an answer cell'
    for mutant in bank.mutants:
        for name in sorted(set(mutant.loses) - tests):
            yield f'"{mutant.name}" loses "{name}", which is not a test cell'


def _vague_mutants(bank: Bank) -> Iterator[str]:
    for mutant in bank.mutants:
        if not mutant.loses:
            yield f'"{mutant.name}" loses no test cell; name at least one in `loses`'
        if isinstance(mutant.says, str) or not mutant.says or not all(mutant.says):
            yield f'"{mutant.name}" says nothing; list words of its message in `says`'


def _too_few(bank: Bank, exercise: str) -> Iterator[str]:
    alternatives = sum(exercise in a.answers for a in bank.alternatives)
    mutants = [m for m in bank.mutants if exercise in m.answers]
    if alternatives < LEAST_ALTERNATIVES:
        yield (
            f'the exercise "{exercise}" has {alternatives} alternatives; '
            f"write at least {LEAST_ALTERNATIVES}"
        )
    if len(mutants) < LEAST_MUTANTS:
        yield (
            f'the exercise "{exercise}" has {len(mutants)} mutants; write at least {LEAST_MUTANTS}'
        )
    if not any(m.memorises_visible for m in mutants):
        yield (
            f'the exercise "{exercise}" needs one mutant with `memorises_visible=True`, '
            "which returns the visible examples' answers and nothing else"
        )
