"""A sample class made from the bank of right and wrong solutions, dressed as students."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

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

WRITTEN = {
    "right": "The demands on the parameters contradict each other, so nothing satisfies all of "
    "them; more training cannot find what does not exist.",
    "slips": "I think it did not train for long enough.",
}


def answers_of(
    student: Student, number: int, bank: Bank, exercises: Sequence[str]
) -> Mapping[str, str]:
    """The answer cells a student hands in: grade id -> source. `number` varies the choices."""
    alternatives, mutants = by_exercise(bank.alternatives), by_exercise(bank.mutants)
    chosen: dict[str, str] = {}
    for place, exercise in enumerate(exercises):
        if student.habit == "half" and place >= len(exercises) // 2:
            continue
        slips = student.habit == "slips" and (place + number) % student.every == 0
        pool = mutants[exercise] if slips else alternatives[exercise]
        chosen[exercise] = pool[number % len(pool)][exercise].strip()
    return chosen


def by_exercise(
    variants: Sequence[Alternative] | Sequence[Mutant],
) -> dict[str, list[Mapping[str, str]]]:
    """The sources of the variants that replace one exercise only, by that exercise."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for variant in variants:
        if len(variant.answers) == 1:
            found.setdefault(next(iter(variant.answers)), []).append(variant.answers)
    return found


def hand_in(
    student: Student,
    released: Path,
    folder: Path,
    answers: Mapping[str, str],
    names: Mapping[str, str],
) -> None:
    """Write a student's submission of one assignment into `folder`.

    `released` is the notebook as students get it; `names` maps each exercise to the function that
    it asks for, which the student with the endless loop needs.
    """
    notebook = nbformat.read(released, as_version=4)
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    if student.habit != "untouched":
        for exercise, source in answers.items():
            cells[exercise].source = source
        for cell in written_cells(notebook):
            cell.source = WRITTEN["slips" if student.habit == "slips" else "right"]
    if student.habit == "endless":
        exercise, function = next(iter(names.items()))
        cells[exercise].source = ENDLESS.format(name=function)
    folder.mkdir(parents=True)
    target = folder / released.name
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    target.write_text(
        text[: len(text) // 3] if student.habit == "broken" else text, encoding="utf-8"
    )


def written_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells for written answers."""
    return [
        cell
        for cell in notebook.cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution")
    ]
