"""The cells of a submission while they are mended, and their way back into a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_notebook

from coursekit.grading.intake import reading
from coursekit.grading.intake.notes import Note
from coursekit.grading.intake.template import Known, Template

TEXT = 200_000  # characters of a cell's text that are kept
CODE = 1_000_000  # of code, where a cut would break what works
IDENTIFIER = re.compile(r"[a-zA-Z0-9_-]{1,64}")
DEFINED = re.compile(
    r"^(?:async +)?(?:def|class) +(\w+)|^(\w+(?: *, *\w+)*) *(?::[^=\n]*)?=(?!=)", re.MULTILINE
)


@dataclass(eq=False)
class Draft:
    """A cell: `claim` is the grade_id that it came with, `known` the course's cell that it is.

    `settings` is the nbgrader metadata that it came with.
    """

    kind: str
    source: str
    claim: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    attachments: dict[str, Any] = field(default_factory=dict)
    identifier: str = ""
    known: Known | None = None
    _defined: tuple[str, set[str]] | None = None

    @property
    def name(self) -> str:
        """The grade_id of the course's cell that it is, or ""."""
        return self.known.name if self.known else ""

    @property
    def names(self) -> set[str]:
        """The names that its code defines at the top level."""
        if self.kind != "code":
            return set()
        if self._defined is None or self._defined[0] is not self.source:
            self._defined = self.source, names_defined(self.source)  # asked for by every check
        return self._defined[1]

    @property
    def untouched(self) -> bool:
        """Whether it still has the course's text, spaces and line ends aside."""
        return self.known is not None and same(self.source, self.known)


def names_defined(source: str) -> set[str]:
    """The names that code assigns, or defines as functions and classes, without indentation."""
    found = DEFINED.findall(source)
    return {name.strip() for single, several in found for name in (single or several).split(",")}


def same(source: str, known: Known) -> bool:
    """Whether a text is the course's, with its hidden tests or without them."""
    return reading.squeezed(source) in {
        reading.squeezed(known.released),
        reading.squeezed(known.source),
    }


def drafts(content: dict[str, Any]) -> tuple[list[Draft], list[Note]]:
    """The cells of a notebook's JSON, and notes on what was cut from them."""
    notes: list[Note] = []
    return [_draft(cell, notes) for cell in reading.cells_of(content)], notes


def _draft(cell: dict[str, Any], notes: list[Note]) -> Draft:
    claim, kind = reading.grade_id_of(cell), reading.kind_of(cell)
    source, most = reading.source_of(cell), CODE if kind == "code" else TEXT
    if len(source) > most:
        source = source[:most]
        where = f"the cell `{claim}`" if claim else "a cell"
        notes.append(
            Note(claim, f"The text of {where} is too long: what follows {most:,} letters was cut.")
        )
    identifier = cell.get("id")
    return Draft(
        kind,
        source,
        claim,
        reading.nbgrader_of(cell),
        reading.attachments_of(cell),
        identifier if isinstance(identifier, str) else "",
    )


def fenced(kind: str, source: str) -> str:
    """A text as Markdown that shows it and runs nothing."""
    if kind != "code":
        return source
    longest = max((len(run) for run in re.findall("`+", source)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{source.strip(chr(10))}\n{fence}"


def notebook(cells: Iterable[Draft], template: Template) -> NotebookNode:
    """The notebook of these cells: nbformat 4.5, no outputs, the course's kernel."""
    made = new_notebook(metadata=from_dict({"kernelspec": template.kernelspec}))
    made.nbformat, made.nbformat_minor = 4, 5
    taken: set[str] = set()
    for index, draft in enumerate(cells):
        identifier = _identifier(draft.identifier, index, taken)
        taken.add(identifier)
        made.cells.append(_node(draft, identifier))
    return made


def _identifier(wanted: str, index: int, taken: set[str]) -> str:
    if IDENTIFIER.fullmatch(wanted) and wanted not in taken:
        return wanted
    number = index
    while f"cell-{number}" in taken:
        number += 1
    return f"cell-{number}"


def _node(draft: Draft, identifier: str) -> NotebookNode:
    content: dict[str, Any] = {
        "cell_type": draft.kind,
        "id": identifier,
        "metadata": _metadata(draft),
        "source": draft.source,
    }
    if draft.kind == "code":
        content |= {"outputs": [], "execution_count": None}
    elif draft.attachments:
        content["attachments"] = draft.attachments
    return from_dict(content)


def _metadata(draft: Draft) -> dict[str, Any]:
    """The course's metadata. A student's is dropped: tags there can hide a cell or skip it."""
    known = draft.known
    if known is None:
        return {}
    metadata = {**known.metadata}
    if known.name:
        metadata["nbgrader"] = known.nbgrader()
        metadata["deletable"] = False
    if known.locked:
        metadata["editable"] = False
    if known.locked or not known.name:
        metadata["coursekit"] = {"role": "course"}
    elif known.is_answer and known.kind == "code":
        metadata["coursekit"] = {"asks": list(known.asks)}
    return metadata
