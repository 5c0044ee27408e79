"""A class run: who is graded, what is done already, and one writer for all results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

from coursekit.errors import CourseError
from coursekit.grading import course
from coursekit.grading.class_run import roster
from coursekit.grading.class_run.book import Writer
from coursekit.grading.class_run.examples import ENOUGH, examples
from coursekit.grading.class_run.keep import Record, Store
from coursekit.grading.class_run.lesson import TIMESTAMP, Found, Lesson, provisioner
from coursekit.grading.class_run.pool import Pool, threads
from coursekit.grading.class_run.results import clash, dealt_with, unread
from coursekit.grading.class_run.roster import Entry
from coursekit.grading.class_run.stop import Stop, on_interrupt
from coursekit.grading.class_run.tasks import Executed, failed
from coursekit.grading.recorded import Kept, recorded
from coursekit.grading.status import Result

Progress = Callable[[Result, int, int], None]
POLL = 0.2  # seconds between looks at whether the run is to end


@dataclass(frozen=True)
class Options:
    """How to grade. `jobs` are notebooks at once, one for each core where it is 0.

    `force` grades again what is graded, `require_isolation` refuses a machine that cannot confine
    kernels in full, `dask` is the address of a scheduler whose workers execute.
    """

    jobs: int = 0
    force: bool = False
    require_isolation: bool = False
    dask: str = ""


@dataclass
class Outcome:
    """How a run ended. `fresh` are the submissions executed now, by student and assignment.

    `interrupted` says that some were not reached; `results` then has only those that were.
    """

    results: list[Result] = field(default_factory=list)
    fresh: list[tuple[str, str]] = field(default_factory=list)
    interrupted: bool = False


def grade(
    root: Path,
    assignments: Sequence[str],
    students: Sequence[str] | None = None,
    options: Options = Options(),
    progress: Progress = lambda result, done, total: None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Outcome:
    """Grade the submissions of assignments; results are in the order of students.

    All students of the gradebook and of the folder of submissions are graded, or those named. What
    was graded before and is unchanged is kept. Nothing that is wrong with one submission ends the
    run: that is its status. Raises CourseError where the run as a whole cannot be done.
    """
    if options.jobs < 0:
        raise CourseError(f"{options.jobs} jobs at once are not possible: name 1 or more.")
    with course.gradebook(root) as book:
        run = _Run(root, book, list(dict.fromkeys(assignments)), students, options)
        again = run.outdated()
        if again:
            say(again)
        stop = Stop()
        with on_interrupt(stop), _pool(run.config, options, stop) as pool, stop.on_error():
            run.go(pool, stop, progress)
        return run.outcome


def _pool(config: Config, options: Options, stop: Stop) -> AbstractContextManager[Pool]:
    kernel = provisioner(config)
    if options.dask:
        from coursekit.grading.class_run.cluster import cluster

        return cluster(options.dask, tuple(kernel.preload), kernel.isolate)
    return threads(kernel, options.jobs or os.cpu_count() or 1, stop)


@dataclass(frozen=True)
class _Job:
    """A submission under way."""

    lesson: Lesson
    found: Found


class _Run:
    """One run over a course."""

    def __init__(
        self,
        root: Path,
        book: Gradebook,
        assignments: Sequence[str],
        students: Sequence[str] | None,
        options: Options,
    ) -> None:
        self.options = options
        self.config = course.configuration(root)
        self.lessons = [Lesson.of(root, assignment) for assignment in assignments]
        self.writers = {name: Writer(book, name, self.config) for name in assignments}
        self.kept = {name: recorded(book, name) for name in assignments}
        self.store = store_of(self.lessons[0].api)
        self.plan = plan(self.lessons, [student.id for student in book.students], students)
        self.outcome = Outcome()
        book.db.rollback()

    def outdated(self) -> str:
        """A sentence where graded submissions were graded with other points or tests."""
        records = [(lesson, self._record(lesson, entry)) for lesson, entry in self.plan]
        count = sum(found is not None and found.templates != of.digests for of, found in records)
        if not count:
            return ""
        were, it = ("was", "it is") if count == 1 else ("were", "they are")
        submissions = f"{count} graded submission{'' if count == 1 else 's'}"
        return f"{submissions} {were} graded with other points or tests: {it} graded again."

    def go(self, pool: Pool, stop: Stop, progress: Progress) -> None:
        """Grade everything, or until the run is to end."""
        self.store.tidy()
        self._prepare(pool)
        for result in self._results(pool, stop):
            self.outcome.results.append(result)
            progress(result, len(self.outcome.results), len(self.plan))
        places = {(e.student, of.assignment): i for i, (of, e) in enumerate(self.plan)}
        self.outcome.results.sort(key=lambda result: places[result.student, result.assignment])
        self.outcome.interrupted = len(self.outcome.results) < len(self.plan)

    def _prepare(self, pool: Pool) -> None:
        """Before a large class, let kernels keep what is the same for all."""
        module = provisioner(self.config).pictures
        for lesson in self.lessons if module else ():
            entries = [entry for of, entry in self.plan if of is lesson]
            left = sum(self.options.force or not self._record(lesson, entry) for entry in entries)
            if left >= ENOUGH:
                pool.prepare(examples(lesson, module))

    def _results(self, pool: Pool, stop: Stop) -> Iterator[Result]:
        """Each result as soon as it is written; no more submissions are held than fit the pool."""
        pending: dict[int, _Job] = {}
        steps = iter(self.plan)
        left = len(self.plan)
        while (left and not stop.wanted) or pending:
            while left and not stop.wanted and len(pending) < pool.width:
                left -= 1
                step = self._begun(*next(steps))
                if isinstance(step, Result):
                    yield step
                else:
                    task = step.lesson.task(step.found, self.options.require_isolation)
                    pending[pool.submit(task)] = step
            for number, executed in pool.finished(POLL) if pending else ():
                job = pending.pop(number)
                if executed is not None:
                    yield self._written(job, executed)

    def _record(self, lesson: Lesson, entry: Entry) -> Record | None:
        return self.store.load(lesson.assignment, entry.student)

    def _begun(self, lesson: Lesson, entry: Entry) -> Result | _Job:
        """The result where it is known already, else what is to be executed."""
        if entry.clash:
            return clash(lesson.assignment, entry)
        try:
            found = lesson.find(entry)
            kept = self.kept[lesson.assignment].get(entry.student)
            if found.submission.status is not None:
                return unread(lesson.assignment, found, kept)
            record = self._record(lesson, entry)
            if self.options.force or kept is None or not lesson.current(found, record):
                return _Job(lesson, found)
            assert record is not None
            kept = self._settled(lesson, found, kept)
            return dealt_with(lesson.assignment, entry.student, record, kept)
        except CourseError:
            raise
        except Exception as error:
            return _result(failed(lesson.assignment, entry.student, error))

    def _settled(self, lesson: Lesson, found: Found, kept: Kept) -> Kept:
        """Let a new time of hand-in or a new due date change the penalty of what is graded."""
        moved = found.handed_in is not None and found.handed_in != kept.handed_in
        if moved and found.stamp is not None:
            target = lesson.folder("autograded", found.entry.student)
            self.store.put(target / TIMESTAMP, found.stamp)
        if moved or kept.seconds_late or kept.penalty:
            return self.writers[lesson.assignment].settle(found.entry.student, found.handed_in)
        return kept

    def _written(self, job: _Job, executed: Executed) -> Result:
        """Write what became of a submission into gradebook, folder and records."""
        self.outcome.fresh.append((executed.student, executed.assignment))
        try:
            return self._write(job, executed)
        except CourseError:
            raise
        except Exception as error:
            return _result(failed(executed.assignment, executed.student, error))

    def _write(self, job: _Job, executed: Executed) -> Result:
        lesson, found = job.lesson, job.found
        kept, stamps = None, {}
        if executed.notebooks:
            writer = self.writers[lesson.assignment]
            kept = writer.save(executed.student, executed.marks, found.handed_in)
            target = lesson.folder("autograded", executed.student)
            stamps = self.store.lay(target, found.files, executed.notebooks)
        record = Record(
            executed.status,
            executed.digest,
            lesson.digests,
            lesson.settings,
            executed.note,
            executed.notes,
            executed.flags,
            executed.seconds,
            datetime.now().astimezone().isoformat(" ", "seconds"),
            stamps,
        )
        self.store.save(lesson.assignment, executed.student, record)
        return dealt_with(lesson.assignment, executed.student, record, kept)


def _result(executed: Executed) -> Result:
    return Result(executed.student, executed.assignment, executed.status, note=executed.note)


def store_of(nbgrader: NbGraderAPI) -> Store:
    """Where a course keeps graded work."""
    coursedir = nbgrader.coursedir
    return Store(Path(coursedir.root, coursedir.autograded_directory), coursedir.groupshared)


def plan(
    lessons: Sequence[Lesson], known: Sequence[str], wanted: Sequence[str] | None
) -> list[tuple[Lesson, Entry]]:
    """What there is to grade, student by student. Raises CourseError for an unknown student."""
    students = list(known)
    entries: dict[str, dict[str, Entry]] = {}
    for lesson in lessons:
        found = roster.folders(lesson.api.coursedir, lesson.assignment)
        by_student = {entry.student: entry for entry in roster.entries(students, found)}
        students += [student for student in by_student if student not in students]
        entries[lesson.assignment] = by_student
    picked = roster.chosen(sorted(students), wanted)
    return [
        (lesson, entries[lesson.assignment].get(student, Entry(student, student)))
        for student in picked
        for lesson in lessons
    ]
