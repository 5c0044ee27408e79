"""What an nbgrader configuration file needs for checks that explain themselves: a call for each."""

from __future__ import annotations

import warnings
from pathlib import Path

from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    Execute,
    GetGrades,
)
from nbgrader.validator import Validator
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from coursekit.grading.explain import (
    ExplainFailures,
    FeedbackSummary,
    HideHiddenTests,
)
from coursekit.grading.pages import marked_up, mathml, safe_html

TEMPLATES = Path(__file__).parent / "templates"
# Pictures before HTML: a plot has both, and the picture is the smaller one.
PRIORITY = ["image/svg+xml", "image/png", "image/jpeg", "text/html", "text/markdown", "text/plain"]


class FeedbackExporter(HTMLExporter):
    """Pages of feedback; a class of its own, so that the formgrader's pages stay as they are."""


def quiet_kernels(c: Config) -> None:
    """Keep what kernels and SQLAlchemy note at every start out of the log of a class run."""
    c.Execute.extra_arguments = [
        "--HistoryManager.hist_file=:memory:",
        "--IPKernelApp.log_level=ERROR",
    ]
    warnings.filterwarnings("ignore", category=SAWarning, module=r"nbgrader\..*")


def explain_validation(c: Config) -> None:
    """Let the Validate button tell the report of a failed check."""
    # nbgrader lists the preprocessors of its Validator but does not offer them as an option.
    Validator.preprocessors.tag(config=True)
    c.Validator.preprocessors = [CheckCellMetadata, ClearOutput, Execute, ExplainFailures]


def explain_feedback(c: Config) -> None:
    """Write feedback pages with a table of results, without hidden cases, scripts or network."""
    c.GenerateFeedback.preprocessors = [
        GetGrades,
        FeedbackSummary,
        HideHiddenTests,
        CSSHTMLHeaderPreprocessor,
    ]
    c.GenerateFeedback.exporter_class = FeedbackExporter
    # With stored states a page would load widget code from the network; so pictures stand in.
    c.Execute.store_widget_state = False
    c.FeedbackExporter.template_name = "feedback"
    c.FeedbackExporter.extra_template_basedirs = [str(TEMPLATES)]
    c.FeedbackExporter.filters = {"mathml": mathml, "safe_html": safe_html, "marked_up": marked_up}
    c.FeedbackExporter.sanitize_html = True
    c.WidgetsDataTypeFilter.display_data_priority = PRIORITY
