"""The course's nbgrader settings; each line can be overridden on the command line."""

import os
import sys

from coursekit.grading.settings import explain_feedback, warm_kernels

c = get_config()

# Where things are: beside this file, whatever folder a command is run from.
ROOT = os.path.dirname(os.path.abspath(__file__))
EXCHANGE = os.environ.get("COURSE_EXCHANGE") or os.path.join(ROOT, "exchange")
os.makedirs(EXCHANGE, exist_ok=True)

# nbgrader starts `alembic` by name: find it without an activated environment too.
BIN = os.path.dirname(sys.executable)
if BIN not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = BIN + os.pathsep + os.environ["PATH"]

c.CourseDirectory.root = ROOT
c.CourseDirectory.course_id = "mlp"
c.CourseDirectory.db_url = os.environ.get("COURSE_DB_URL") or f"sqlite:///{ROOT}/gradebook.db"
c.Exchange.root = EXCHANGE

# Never released, fetched, submitted or collected.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints", "__pycache__", "*.pyc", ".DS_Store", "Thumbs.db", ".git*", "*~",
    "feedback", "README.draft*", "*.draft.*",
]  # fmt: skip

# release/ is committed: generating it again must not be skipped, since it fills the gradebook.
c.GenerateAssignment.force = True

# What stands in the place of a solution.
c.ClearSolutions.code_stub = {
    "python": 'raise NotImplementedError("Not attempted yet: replace this line with your code.")'
}
c.ClearSolutions.text_stub = "*Write your answer here: replace this line.*"

# Kernels: warm, confined, and fair; limits are wall-clock seconds and megabytes.
warm_kernels(c)
c.Execute.timeout = 30
c.WarmProvisioner.preload.extend(["coursekit.checks", "coursekit.data", "coursekit.explorers"])
c.WarmProvisioner.pictures = "coursekit.figures.kept"
c.WarmProvisioner.notebook_seconds = 300
c.WarmProvisioner.memory_mb = 2048
c.LimitOutput.max_traceback = 100

# Reports of checks reach students: on feedback pages and behind the Validate button.
explain_feedback(c)
