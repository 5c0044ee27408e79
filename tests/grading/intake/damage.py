"""What tests do to a notebook and ask of a mended one."""

from __future__ import annotations

import nbformat
from nbgrader.nbgraderformat import MetadataValidator

from coursekit.grading.intake.repair import repair


def claim(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def at(book, name):
    """The index of the cell with a grade_id."""
    return [claim(cell) for cell in book["cells"]].index(name)


def cell_of(book, name):
    return book["cells"][at(book, name)]


def settings(book, name):
    return cell_of(book, name)["metadata"]["nbgrader"]


def remove(book, *names):
    book["cells"] = [cell for cell in book["cells"] if claim(cell) not in names]
    return book


def texts(done, cell=None):
    return [note.text for note in done.notes if cell is None or note.cell == cell]


def mend(raw, template):
    """Repair, and hold what must be true of every result with something to grade."""
    done = repair(raw, template)
    nbformat.validate(done.nb)
    MetadataValidator().validate_nb(done.nb)
    assert (done.nb.nbformat, done.nb.nbformat_minor) == (4, 5)
    assert done.nb.metadata.kernelspec == template.kernelspec
    assert done.status is None and done.why == ""
    ids = [claim(cell) for cell in done.nb.cells if claim(cell)]
    assert sorted(ids) == sorted(template.named)
    for name, known in template.named.items():
        cell = cell_of(done.nb, name)
        assert cell.metadata.nbgrader == known.nbgrader()
        assert cell.cell_type == known.kind
        if known.locked:
            assert cell.source == known.source
            assert cell.metadata.coursekit == {"role": "course"}
        elif known.kind == "code":
            assert cell.metadata.coursekit == {"asks": known.asks}
        else:
            assert "coursekit" not in cell.metadata
    assert done.nb.metadata.coursekit.notes == [vars(note) for note in done.notes]
    assert done.nb.metadata.coursekit.flags == [vars(flag) for flag in done.flags]
    return done
