"""The repair of submissions as a step of `nbgrader autograde`."""

from __future__ import annotations

from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from coursekit.errors import CourseError
from coursekit.grading.intake.repair import repair
from coursekit.grading.intake.template import Template, from_gradebook, places


class Repair(NbGraderPreprocessor):
    """Mends a submitted notebook before it is run.

    It does what ClearOutput, DeduplicateIds, OverwriteKernelspec and OverwriteCells do, and takes
    their place in `c.Autograde.sanitize_preprocessors`. It comes first there, since the others
    fail where a notebook is damaged. What was mended is logged, and stands in the notebook's
    metadata "coursekit".
    """

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Mend `nb`. Raises CourseError where it has nothing of the assignment."""
        about = resources["nbgrader"]
        mended = repair(nb, self._template(about))
        if mended.status is not None:
            raise CourseError(mended.why)
        for note in (*mended.notes, *mended.flags):
            self.log.warning("%s: %s", about.get("student", about["notebook"]), note.text)
        return mended.nb, resources

    def _template(self, about: dict[str, Any]) -> Template:
        assignment, name = about["assignment"], about["notebook"]
        folders = places(self._coursedir(), assignment)
        with Gradebook(about["db_url"]) as book:
            found = from_gradebook(book, assignment, folders, self.config)
        if name not in found:
            raise CourseError(
                f"the gradebook does not know the notebook {name} of {assignment}: run "
                f"`nbgrader generate_assignment {assignment}`"
            )
        return found[name]

    def _coursedir(self) -> CourseDirectory:
        """The course folder of the converter at work, or the configured one."""
        owner = self.parent
        while owner is not None:
            if isinstance(getattr(owner, "coursedir", None), CourseDirectory):
                return owner.coursedir
            owner = getattr(owner, "parent", None)
        return CourseDirectory(config=self.config)
