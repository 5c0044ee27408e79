"""What a cell shows, kept in nbformat's form and within limits."""

from __future__ import annotations

import base64
from typing import Any

from coursekit.grading.kernels.cells import Limits

CUT = "\n… the rest of what this cell printed was cut\n"
# Output that runs as a program in the browser of whoever opens the graded notebook.
PROGRAMS = {"application/javascript", "application/x-javascript", "text/javascript"}


class TooMuchOutput(BaseException):
    """A cell printed more than any reader or computer can use."""


class Recorder:
    """The outputs of the cell that runs now, cut at the limits."""

    def __init__(self, limits: Limits, count: int = 0) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.limits, self.count = limits, count
        self.characters = self.lines = self.shown = self.written = 0
        self.cut = False
        self._by_id: dict[str, list[dict[str, Any]]] = {}
        self._clear = False

    def stream(self, name: str, text: str) -> None:
        """Add text to a stream, joined to the last output where that is the same stream.

        Raises TooMuchOutput long after the limits on text are passed.
        """
        self.written += len(text)
        if self.written > self.limits.output_stop_mb * 1_000_000:
            raise TooMuchOutput(f"more than {self.limits.output_stop_mb} MB printed")
        text = self._within_limits(text)
        if not text:
            return
        self._clear_if_asked()
        last = self.outputs[-1] if self.outputs else {}
        if last.get("name") == name:
            last["text"] += text
        else:
            self.outputs.append({"output_type": "stream", "name": name, "text": text})

    def _within_limits(self, text: str) -> str:
        if self.cut:
            return ""
        kept = text[: max(0, self.limits.output_chars - self.characters)]
        lines = kept.count("\n")
        if self.lines + lines > self.limits.output_lines:
            left = max(0, self.limits.output_lines - self.lines)
            kept = "".join(kept.splitlines(keepends=True)[:left])
        self.characters += len(kept)
        self.lines += lines
        self.cut = len(kept) < len(text)
        return kept + CUT if self.cut else kept

    def add(self, kind: str, **content: Any) -> dict[str, Any]:
        """Add an output of another kind; the data of displays counts against their limit."""
        self._clear_if_asked()
        output = {"output_type": kind, **content}
        if "data" in content:
            content["data"] = output["data"] = self._small_enough(content["data"])
        self.outputs.append(output)
        return output

    def show(self, data: dict[str, Any], metadata: dict[str, Any], name: str, update: bool) -> None:
        """Add a display, or change the displays of that name."""
        if update:
            for output in self._by_id.get(name, []):
                output.update(data=self._small_enough(data), metadata=metadata)
            return
        output = self.add("display_data", data=data, metadata=metadata)
        if name:
            self._by_id.setdefault(name, []).append(output)

    def _small_enough(self, data: dict[str, Any]) -> dict[str, Any]:
        data = {kind: _text(value) for kind, value in data.items() if kind not in PROGRAMS}
        size = sum(len(value) for value in data.values() if isinstance(value, str))
        if self.shown + size > self.limits.display_mb * 1_000_000:
            return {"text/plain": f"(not kept: the displays of this cell are over "
                                  f"{self.limits.display_mb} MB)"}  # fmt: skip
        self.shown += size
        return data

    def clear(self, wait: bool) -> None:
        """Drop the outputs so far, now or when the next one comes."""
        self._clear = True
        if not wait:
            self._clear_if_asked()

    def _clear_if_asked(self) -> None:
        if self._clear:
            self.outputs.clear()
            self._by_id.clear()
            self._clear = False


def _text(value: Any) -> Any:
    """A form that JSON can hold."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return value if isinstance(value, str | dict | list | int | float) else str(value)
