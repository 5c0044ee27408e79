"""Mend a notebook that a student changed where it must not be changed, and say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from nbformat import NotebookNode, from_dict

from coursekit.grading.intake import order, reading, sentences
from coursekit.grading.intake.drafts import TEXT, Draft, drafts, fenced, names_defined, notebook
from coursekit.grading.intake.match import absent, recognise
from coursekit.grading.intake.notes import Note
from coursekit.grading.intake.template import Known, Template
from coursekit.grading.intake.typed import Typed, older, typed
from coursekit.grading.status import Status

JUDGED = ("grade", "solution", "locked", "task", "points")  # settings that change a mark


@dataclass(frozen=True)
class Repaired:
    """A notebook that can be graded.

    `nb` is valid nbformat 4.5 without outputs, every grade id once. `notes` are for student and
    grader, `flags` for the grader; both are in the metadata of `nb` too. `recovered` are grade ids
    found without their name. `status` is None, or Status.NO_CELLS where nothing of the course was
    found: then `why` says so, and nothing was put back.
    """

    nb: NotebookNode
    notes: list[Note] = field(default_factory=list)
    flags: list[Note] = field(default_factory=list)
    recovered: list[str] = field(default_factory=list)
    status: Status | None = None
    why: str = ""


def repair(raw: bytes | Mapping[str, Any], template: Template) -> Repaired:
    """Mend a submitted notebook by what the course knows of it.

    `raw` is a file's content, or a notebook of any nbformat. Raises reading.Unreadable for bytes
    that are no notebook.
    """
    content = reading.parse(raw) if isinstance(raw, bytes) else dict(raw)
    cells, notes = drafts(content)
    return _Repair(cells, notes, template).result()


class _Repair:
    """One notebook while it is mended."""

    def __init__(self, cells: list[Draft], notes: list[Note], template: Template) -> None:
        self.cells, self.notes, self.template = cells, notes, template
        self.flags: list[Note] = []
        self.recovered: list[str] = []

    def result(self) -> Repaired:
        recognise(self.cells, self.template)
        if self.template.named and not any(draft.name for draft in self.cells):
            return self._made(Status.NO_CELLS, sentences.nothing(self.template.name))
        self._tell_recovered()
        self._tell_copies()
        for draft in list(self.cells):
            self._mend(draft, draft.known) if draft.known else self._demote(draft)
        self._restore()
        self.notes += order.disorder(self.cells, self.template)
        return self._made()

    def _made(self, status: Status | None = None, why: str = "") -> Repaired:
        places = {name: index for index, name in enumerate(self.template.named)}
        self.notes.sort(key=lambda note: places.get(note.cell, -1))
        made = notebook(self.cells, self.template)
        made.metadata["coursekit"] = from_dict(
            {
                "notes": [asdict(note) for note in self.notes],
                "flags": [asdict(flag) for flag in self.flags],
                "verdicts": {},
                "stopped": "",
            }
        )
        return Repaired(made, self.notes, self.flags, self.recovered, status, why)

    def _note(self, cell: str, text: str) -> None:
        self.notes.append(Note(cell, text))

    def _tell_recovered(self) -> None:
        """Notes on cells that were recognised though they lacked their name or had another's."""
        found = [draft for draft in self.cells if draft.name and draft.claim != draft.name]
        self.recovered += [draft.name for draft in found]
        lost = [draft.name for draft in found if not draft.claim]
        for draft in found:
            if draft.claim:
                self._note(draft.name, sentences.renamed(draft.name))
        if lost:
            self._note(lost[0] if len(lost) == 1 else "", sentences.recognised(lost))

    def _tell_copies(self) -> None:
        """A note on each name that more than one cell has."""
        for name, known in self.template.named.items():
            copies = [d for d in self.cells if d.claim == name and d.name in ("", name)]
            if len(copies) > 1 and any(draft.name for draft in copies):
                self._note(name, sentences.copies(known, len(copies)))

    def _demote(self, draft: Draft) -> None:
        """Make a plain cell of one that is not the course's, or text of a check unknown to it."""
        settings, draft.settings = draft.settings, {}
        graded = any(settings.get(key) for key in JUDGED)
        if not draft.claim or draft.claim in self.template.named or not graded:
            return
        is_check = bool(settings.get("grade") and not settings.get("solution"))
        if is_check:
            draft.source, draft.kind = fenced(draft.kind, draft.source), "markdown"
        self._note("", sentences.unknown(draft.claim, text=is_check))

    def _mend(self, draft: Draft, known: Known) -> None:
        """Give a cell of the course its type, its text where that is locked, and its settings."""
        if draft.kind != known.kind:
            self._note(known.name, sentences.turned(known, draft.kind))
            draft.kind = known.kind
        self._check_settings(draft, known)
        if known.locked:
            self._lock(draft, known)
        elif draft.untouched:
            draft.source = known.released
            draft.attachments = draft.attachments or known.attachments

    def _check_settings(self, draft: Draft, known: Known) -> None:
        """A note and a flag where settings were changed, not where one is missing."""
        right = {key: value for key, value in known.nbgrader().items() if key in JUDGED}
        changed = {
            key: draft.settings[key]
            for key in right.keys() & draft.settings.keys()
            if draft.settings[key] not in (right[key], known.written.get(key, right[key]))
        }
        if changed and draft.claim == known.name:
            self._note(known.name, sentences.settings(known.name))
            self.flags.append(Note(known.name, sentences.settings_flag(known.name, changed)))

    def _lock(self, draft: Draft, known: Known) -> None:
        """Put the course's text back; what the student typed there stays visible, or counts."""
        found = Typed()
        if not draft.untouched and older(draft.source, draft.kind, draft.settings):
            self._note(known.name, sentences.outdated(known.name))
        elif not draft.untouched:
            found = typed(draft.source, known, self.template)
            kept = bool(found.before or found.after)
            self._note(known.name, sentences.overwritten(known.name, kept))
        draft.source, draft.attachments = known.source, known.attachments
        at = self.cells.index(draft)
        for text, where in ((found.after, at + 1), (found.before, at)):
            if text:
                self._keep(text, where, draft)

    def _keep(self, text: str, where: int, beside: Draft) -> None:
        """Keep text typed into a read-only cell: as an answer that is missing, or to be seen."""
        for known in absent(self.cells, self.template):
            wanted = names_defined(known.released) if known.kind == "code" else set()
            if known.is_answer and wanted & names_defined(text):
                self.cells.insert(where, Draft("code", text, known.name, known=known))
                self.recovered.append(known.name)
                self._note(known.name, sentences.found_in(known.name, beside.name))
                return
        title = f"*Typed into the read-only cell `{beside.name}`, and not run:*\n\n"
        kept = Draft("markdown", title + fenced(beside.kind, text[: TEXT - len(title) - 100]))
        self.cells.insert(self.cells.index(beside) + 1, kept)

    def _restore(self) -> None:
        """Put back the cells that are missing, in the order of the source."""
        for known in absent(self.cells, self.template):
            draft = self._fresh(known)
            self.cells.insert(order.place(known, self.cells, self.template), draft)

    def _fresh(self, known: Known) -> Draft:
        """A missing cell as the course has it, or with a pointer to where its answer is."""
        elsewhere = self._given_elsewhere(known)
        if elsewhere is not None:
            where = f"the cell `{elsewhere.name}`" if elsewhere.name else "another cell"
            self._note(known.name, sentences.elsewhere(known.name, where))
            text = f"# The answer to {known.name} is in {where}."
            return Draft("code", text, known.name, known=known)
        self._note(known.name, sentences.missing(known))
        text = known.source if known.locked else known.released
        return Draft(known.kind, text, known.name, attachments=known.attachments, known=known)

    def _given_elsewhere(self, known: Known) -> Draft | None:
        """The student's cell with what a missing answer is to define: its stub would undo that."""
        if not known.is_answer or known.kind != "code":
            return None
        wanted = names_defined(known.released)
        own = [d for d in self.cells if d.kind == "code" and (not d.known or d.known.is_answer)]
        return next((draft for draft in own if wanted & _beyond_its_own(draft)), None)


def _beyond_its_own(draft: Draft) -> set[str]:
    """The names that a cell defines besides those that its own stub does."""
    return draft.names - (names_defined(draft.known.released) if draft.known else set())
