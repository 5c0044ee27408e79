"""A sample class made from the bank of right and wrong solutions, dressed as students."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from coursekit.authoring import notebooks
from coursekit.authoring.bank import Alternative, Bank, Mutant

ENDLESS = '''def {name}(*arguments):
    """Counts up to a number that it never reaches."""
    steps = 0
    while steps >= 0:
        steps = steps + 1
    return steps
'''


@dataclass(frozen=True)
class Student:
    """A student of the sample class: a name, and how the student works.

    `habit` is "right" (every exercise solved), "slips" (a wrong solution in every `every`-th
    exercise), "half" (the second half not attempted), "endless" (one loop without end), "broken" (a
    file cut off in the middle), "late" (right, after the due date), "absent" (nothing handed in) or
    "untouched" (handed in as released).
    """

    id: str
    first: str
    last: str
    habit: str
    every: int = 2


CLASS: Sequence[Student] = (
    Student("ada", "Ada", "Okafor", "right"),
    Student("bela", "Béla", "Novák", "right"),
    Student("chen", "Chen", "Wei", "slips", every=4),
    Student("dora", "Dora", "Marquez", "slips", every=3),
    Student("emil", "Emil", "Sørensen", "slips", every=2),
    Student("fatima", "Fatima", "El Amrani", "slips", every=1),
    Student("goran", "Goran", "Petrović", "half"),
    Student("hana", "Hana", "Suzuki", "late"),
    Student("ines", "Inês", "Carvalho", "endless"),
    Student("jonas", "Jonas", "Weber", "broken"),
    Student("kofi", "Kofi", "Mensah", "untouched"),
    Student("lena", "Lena", "Haddad", "absent"),
)

UNSURE = "I think it was not trained for long enough."


@dataclass(frozen=True)
class Lesson:
    """What students can hand in for a lesson.

    `solutions` has the reference solution of each exercise by grade id, `alternatives` and
    `mutants` the sources of the bank's variants. `written` are model answers by grade id. `loop` is
    an exercise and its function, which little else in the notebook calls.
    """

    solutions: Mapping[str, str]
    alternatives: Mapping[str, Sequence[str]]
    mutants: Mapping[str, Sequence[str]]
    written: Mapping[str, str]
    loop: tuple[str, str]


def lesson_of(source: NotebookNode, bank: Bank) -> Lesson:
    """The lesson of a source notebook and its bank."""
    cells = {notebooks.grade_id(cell): cell.source for cell in source.cells}
    exercises = [name for name, tests in notebooks.exercises(source).items() if tests]
    written = notebooks.of_kind(source, notebooks.Kind.WRITTEN)
    return Lesson(
        {name: _unmarked(cells[name]) for name in exercises},
        _by_exercise(bank.alternatives),
        _by_exercise(bank.mutants),
        {notebooks.grade_id(cell): _model_answer(cell.source) for cell in written},
        _least_called(source, {name: cells[name] for name in exercises}),
    )


def _unmarked(source: str) -> str:
    return "\n".join(line.text for line in notebooks.lines(source))


def _model_answer(source: str) -> str:
    told = [line.text for line in notebooks.lines(source) if line.region == "solution"]
    return "\n".join(told).split("**Rubric")[0].replace("**Model answer.**", "").strip()


def _by_exercise(variants: Sequence[Alternative] | Sequence[Mutant]) -> dict[str, list[str]]:
    """The sources of the variants that replace one exercise only, by that exercise."""
    found: dict[str, list[str]] = {}
    for variant in variants:
        if len(variant.answers) == 1:
            [(exercise, source)] = variant.answers.items()
            found.setdefault(exercise, []).append(source.strip())
    return found


def _least_called(source: NotebookNode, answers: Mapping[str, str]) -> tuple[str, str]:
    """The exercise whose function fewest plain cells of the notebook mention, and that function."""
    plain = [cell.source for cell in source.cells if notebooks.kind(cell) is notebooks.Kind.PLAIN]
    text = "\n".join(plain + list(answers.values()))
    named = [(e, m[1]) for e, s in answers.items() if (m := re.search(r"^def (\w+)", s, re.M))]
    return min(named, key=lambda pair: len(re.findall(rf"\b{pair[1]}\(", text)))


def answers_of(student: Student, number: int, lesson: Lesson) -> Mapping[str, str]:
    """The answer cells a student hands in: grade id -> source. `number` varies the choices.

    One exercise is solved in the student's own style, the others as in the reference, so that the
    marks follow from the bank.
    """
    chosen: dict[str, str] = {}
    exercises = list(lesson.solutions)
    attempted = exercises[: len(exercises) // 2] if student.habit == "half" else exercises
    for place, exercise in enumerate(attempted):
        own = place == number % len(exercises)
        pool = lesson.alternatives[exercise] if own else [lesson.solutions[exercise]]
        if student.habit == "slips" and (place + number) % student.every == 0:
            pool = lesson.mutants[exercise]
        chosen[exercise] = pool[number % len(pool)]
    if student.habit == "endless":
        exercise, function = lesson.loop
        chosen[exercise] = ENDLESS.format(name=function)
    return chosen


def hand_in(student: Student, number: int, lesson: Lesson, released: Path, folder: Path) -> None:
    """Write a student's submission of one assignment into `folder`.

    `released` is the notebook as students get it.
    """
    notebook = nbformat.read(released, as_version=4)
    if student.habit != "untouched":
        answers = dict(answers_of(student, number, lesson))
        unsure = student.habit == "slips"
        answers |= {name: UNSURE if unsure else text for name, text in lesson.written.items()}
        for cell in notebook.cells:
            cell.source = answers.get(notebooks.grade_id(cell), cell.source)
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    kept = len(text) // 3 if student.habit == "broken" else len(text)
    folder.mkdir(parents=True)
    (folder / released.name).write_text(text[:kept], encoding="utf-8")
