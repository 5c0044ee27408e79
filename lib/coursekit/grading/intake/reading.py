"""From bytes to the JSON of a notebook, whatever an editor, an upload or a merge did to them."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

CONFLICT = re.compile(rb"^(<{7}|>{7})( |\r?$)", re.MULTILINE)


class Unreadable(Exception):
    """Why bytes are no notebook, to be read after the file's name: "is empty"."""


def parse(raw: bytes) -> dict[str, Any]:
    """The JSON object of a notebook of any nbformat, in UTF-8, UTF-16 or UTF-32, with a BOM or not.

    Raises Unreadable.
    """
    if not raw.strip(b"\0 \t\r\n"):
        raise Unreadable("is empty")
    try:
        text = raw.decode(json.detect_encoding(raw), "replace")
        content = json.loads(text.rstrip("\0"), strict=False)
    except RecursionError:
        raise Unreadable("is nested too deeply to be a notebook") from None
    except ValueError:
        if CONFLICT.search(raw):
            raise Unreadable("holds the conflict marks of a merge (<<<<<<<)") from None
        raise Unreadable("is cut off or damaged") from None
    if not isinstance(content, dict) or not _holds_cells(content):
        raise Unreadable("is not a notebook")
    return content


def _holds_cells(content: dict[str, Any]) -> bool:
    return any(isinstance(content.get(key), list) for key in ("cells", "worksheets"))


def cells_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells in order, also those of nbformat 3; what is no cell is left out."""
    found = content.get("cells")
    if not isinstance(found, list):
        sheets = content.get("worksheets")
        sheets = sheets if isinstance(sheets, list) else []
        lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        found = [cell for cells in lists if isinstance(cells, list) for cell in cells]
    return [cell for cell in found if isinstance(cell, dict)]


def text_of(value: object) -> str:
    """A cell's text, stored as one string or a list of lines, as clean text.

    Line ends become newlines, NUL characters go, and halves of emoji become a replacement mark.
    """
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    if not isinstance(value, str):
        return ""
    value = value.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return value if value.isascii() else whole(value)


def whole(text: str) -> str:
    """Text in which every surrogate pair is one character and none stands alone."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def squeezed(text: str) -> str:
    """A text for comparing, in which spaces and line ends do not count."""
    return " ".join(text.split())


def source_of(cell: dict[str, Any]) -> str:
    """The text of a cell; nbformat 3 calls it `input` in code cells, and has headings."""
    text = text_of(cell.get("source", cell.get("input", "")))
    level = cell.get("level") if cell.get("cell_type") == "heading" else 0
    return f"{'#' * min(level, 6)} {text}" if isinstance(level, int) and level > 0 else text


def kind_of(cell: dict[str, Any]) -> str:
    """The type of a cell: code, markdown or raw. A heading of nbformat 3 is Markdown."""
    kind = cell.get("cell_type")
    if kind in ("heading", "html"):
        return "markdown"
    return str(kind) if kind in ("code", "markdown", "raw") else _guessed(cell)


def _guessed(cell: dict[str, Any]) -> str:
    return "code" if "outputs" in cell or "execution_count" in cell else "markdown"


def nbgrader_of(cell: dict[str, Any]) -> dict[str, Any]:
    """The nbgrader metadata of a cell, {} where there is none that can be used.

    A value that is no plain one becomes None.
    """
    metadata = cell.get("metadata")
    found = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    found = found if isinstance(found, dict) else {}
    return {str(k): v if isinstance(v, (str, int, float)) else None for k, v in found.items()}


def attachments_of(cell: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The pictures of a cell that have the right form: {name: {type: data}}."""
    found = cell.get("attachments")
    found = found if isinstance(found, dict) else {}
    return {
        whole(str(name)): {whole(str(kind)): text_of(data) for kind, data in each.items()}
        for name, each in found.items()
        if isinstance(each, dict)
    }


def grade_id_of(cell: dict[str, Any]) -> str:
    """The grade_id of a cell, "" where it has none."""
    found = nbgrader_of(cell).get("grade_id")
    return whole(found) if isinstance(found, str) else ""


def slim(content: dict[str, Any]) -> bytes:
    """What is graded of a notebook as JSON of nbformat 4: no outputs, no foreign metadata."""
    cells = []
    for cell in cells_of(content):
        kept: dict[str, Any] = {"cell_type": kind_of(cell), "source": source_of(cell)}
        settings, attachments = nbgrader_of(cell), attachments_of(cell)
        kept["metadata"] = {"nbgrader": settings} if settings else {}
        kept |= {"attachments": attachments} if attachments else {}
        kept |= {"id": cell["id"]} if isinstance(cell.get("id"), str) else {}
        cells.append(kept)
    made = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made).encode()


def fingerprint(content: dict[str, Any]) -> str:
    """A digest of what is graded of a notebook: texts, types, attachments, nbgrader's settings."""
    parts = [
        [kind_of(cell), source_of(cell), attachments_of(cell), nbgrader_of(cell)]
        for cell in cells_of(content)
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
