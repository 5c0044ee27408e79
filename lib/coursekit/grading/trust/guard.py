"""The guard of one notebook's kernel: what tests rely on is as it was before student code ran."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from coursekit.grading.trust.around import CourseCell, TestCell, go_to
from coursekit.grading.trust.contents import loaded, snapshot_of
from coursekit.grading.trust.defaults import Defaults
from coursekit.grading.trust.frames import Frames
from coursekit.grading.trust.handlers import hide_frames_from_handlers
from coursekit.grading.trust.hook import install
from coursekit.grading.trust.modules import Imported
from coursekit.grading.trust.names import Names
from coursekit.grading.trust.own import classes_of_the_grader, followed, hide_the_grader
from coursekit.grading.trust.places import CORE, TRUSTED
from coursekit.grading.trust.pristine import Snapshot
from coursekit.grading.trust.reach import Reach, own_places
from coursekit.grading.trust.scope import Scope
from coursekit.grading.trust.seal import seal
from coursekit.grading.trust.shellstate import ShellState
from coursekit.grading.trust.values import Values

MOST_FLAGS = 20  # of one cell
THOROUGH = 200  # calls of student code after which all of CORE is looked at; later ones in part


@dataclass
class Watch:
    """What was noticed around one test cell.

    `namespace` is what the cell is to run in. `notes` are for student and grader, `flags` for the
    grader, `spoiled` says why the test cannot count, "" where it can.
    """

    namespace: Scope
    notes: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    spoiled: str = ""
    calls: int = 0


class Guard:
    """Made after the libraries are loaded and before student code runs; one for each process.

    `modules` names what tests rely on, beyond Python, NumPy, torch and IPython; a name that ends in
    `.*` means all below it.
    """

    def __init__(self, modules: Sequence[str] = ()) -> None:
        self._seen: list[str] = []
        self._watch: Watch | None = None
        self._watch_calls()
        self._snapshot = snapshot_of(loaded([*TRUSTED, *modules]))
        self._core = snapshot_of(loaded([*CORE, *modules]))
        self._small = snapshot_of(loaded(["builtins", "coursekit.checks", "coursekit.checks.*"]))
        self._grader = classes_of_the_grader()
        self._frames, self._names = Frames(), Names()
        self._tests_own: dict[str, Any] = {}
        self._values = Values(self._ours)
        self.sealed = False

    def arm(self, shell: InteractiveShell, folder: Path) -> None:
        """Begin to watch this process, whose notebook runs in `shell` with its files in `folder`.

        There is no way back. The grader's modules leave `sys.modules`.
        """
        place = os.path.realpath(folder)
        self._folder = place
        self._frames.folder = place + os.sep
        self._defaults, self._imported = Defaults(), Imported(place)
        self._state = ShellState(shell, self._ours)
        self._threads = set(sys._current_frames())
        self.sealed = seal(self._grader)
        reach = Reach(place, self._frames.roots, own_places())
        hide_the_grader()
        hide_frames_from_handlers()
        install(self._frames, reach, self.suspect, self._touched)

    def work_in(self, folder: Path) -> None:
        """Take a folder below the one of `arm` for the notebook's own."""
        self._folder = os.path.realpath(folder)

    def allow(self, names: Collection[str]) -> None:
        """Let the student's cells change these names, and none of the course's but such."""
        self._names.asked = frozenset(self._names.asked or ()) | frozenset(names)

    def seen(self) -> list[str]:
        """What was noticed since the last call, in words for the grader.

        To be called when a cell has ended, before anything else is read: what the cell replaced is
        put back first, so that it cannot listen to the grader.
        """
        self._defaults.quiet()
        self._seen += self._snapshot.restore()
        found, self._seen = [*dict.fromkeys(self._seen)][:MOST_FLAGS], []
        return found

    def suspect(self, words: str) -> None:
        """Tell the grader of something, in words that go on from "the notebook"."""
        self._seen.append(words)

    def course_cell(self, namespace: MutableMapping[str, Any]) -> AbstractContextManager[None]:
        """Around a cell of the course that is no test: it finds all as it was."""
        return CourseCell(self, namespace)

    def test(self, shell: InteractiveShell) -> AbstractContextManager[Watch]:
        """Around a test cell: all is as it was before, and what changes meanwhile spoils it."""
        return TestCell(self, shell)

    def begin(self, namespace: MutableMapping[str, Any]) -> list[str]:
        """Put back all that a locked cell relies on; returns notes on the course's names."""
        self._defaults.quiet()
        self._seen += self._snapshot.restore() + self._state.restore()
        self._defaults.restore()
        self._left = go_to(self._folder)
        return self._names.restore(namespace)

    def go_back(self) -> None:
        """Let the notebook go on in the folder where it was before a locked cell."""
        if self._left:
            go_to(self._left)

    def learn(self, before: dict[str, Any], namespace: MutableMapping[str, Any]) -> None:
        """Remember the names that a cell of the course has bound since `before`."""
        self._names.learn(before, namespace)

    def watch(self, namespace: MutableMapping[str, Any], notes: list[str]) -> Watch:
        """Begin a test: whoever asks finds libraries, not modules of the same name."""
        aside = self._imported.set_aside()
        self._seen += [f"used a module of its own in place of `{name}`" for name in aside]
        self._path = [*sys.path]
        self._imported.libraries_first()
        self._watch = Watch(Scope(namespace, earlier=self._tests_own), notes)
        return self._watch

    def end(self, watch: Watch) -> None:
        """End a test."""
        self._after(watch, self._snapshot)
        watch.flags += [f"{said} while a test ran" for said in self._state.restore()]
        self._watch = None
        sys.path[:] = self._path
        self._look_for_threads()

    def strange(self, value: Any, allowed: frozenset[str]) -> type | None:
        """The class of the notebook's own that says itself how `value` compares, if any.

        Classes named in `allowed` or made by the course's own cells do not count.
        """
        kind = self._values.strange(value, allowed)
        return None if kind is None or kind.__name__ in self._names.known else kind

    def called(self) -> None:
        """Look again whether all is as it was: student code has just run inside a test."""
        watch = self._watch
        if watch is not None:
            watch.calls += 1
            self._after(watch, self._core if watch.calls <= THOROUGH else self._small)

    def share(
        self,
        bound: Mapping[str, Any],
        visible: Collection[str],
        namespace: MutableMapping[str, Any],
    ) -> None:
        """Let later cells have what a test has bound: all cells `visible` names, tests the others.

        To be called when the test's verdict is made.
        """
        shared = {name: bound[name] for name in visible if name in bound}
        namespace.update(shared)
        self._names.take(shared)
        self._tests_own.update(bound)

    def spoil(self, why: str) -> None:
        """Let the running test earn nothing; `why` goes to the grader."""
        if self._watch is not None:
            self._watch.spoiled = self._watch.spoiled or why
            self._watch.flags.append(why)

    def _after(self, watch: Watch, snapshot: Snapshot) -> None:
        for said in snapshot.restore():
            self.spoil(f"{said} while a test ran")

    def _touched(self, thing: Any, attribute: str) -> None:
        for snapshot in (self._snapshot, self._core, self._small):
            snapshot.touched(thing, attribute)

    def _ours(self, thing: Any) -> bool:
        function = getattr(thing, "__func__", thing)
        if isinstance(function, FunctionType):
            return function.__code__.co_filename.startswith(self._frames.roots)
        module = sys.modules.get(getattr(type(thing), "__module__", ""))
        file = getattr(module, "__file__", None) or ""
        return module is not None and file.startswith(self._frames.roots)

    def _look_for_threads(self) -> None:
        for thread, frame in sys._current_frames().items():
            if thread not in self._threads and self._frames.of_student(frame):
                self.suspect("left a thread running while a test ran")

    def _watch_calls(self) -> None:
        """Have student code that `coursekit.checks` calls looked after."""
        core: Any = sys.modules.get("coursekit.checks.core")
        if core is not None:
            core.call = followed(core.call, self.called)
