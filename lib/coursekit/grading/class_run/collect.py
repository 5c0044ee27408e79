"""What is known of a class without grading anything now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from coursekit.grading import course
from coursekit.grading.class_run.lesson import Lesson
from coursekit.grading.class_run.results import so_far
from coursekit.grading.class_run.run import plan, store_of
from coursekit.grading.recorded import recorded
from coursekit.grading.status import Result


def known(
    root: Path, assignments: Sequence[str], students: Sequence[str] | None = None
) -> list[Result]:
    """The results of assignments, student by student, from folders, records and gradebook.

    Raises CourseError for an assignment or a student that the course does not know.
    """
    with course.gradebook(root) as book:
        lessons = [Lesson.of(root, assignment) for assignment in dict.fromkeys(assignments)]
        kept = {lesson.assignment: recorded(book, lesson.assignment) for lesson in lessons}
        names = [student.id for student in book.students]
    store = store_of(lessons[0].api)
    return [
        so_far(
            lesson,
            entry,
            store.load(lesson.assignment, entry.student),
            kept[lesson.assignment].get(entry.student),
        )
        for lesson, entry in plan(lessons, names, students)
    ]
