"""What an nbgrader configuration file needs for checks that explain themselves: two calls."""

from __future__ import annotations

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    Execute,
    GetGrades,
)
from nbgrader.validator import Validator
from traitlets.config import Config

from coursekit.grading.explain import ExplainFailures, FeedbackSummary, mathml

TEMPLATES = Path(__file__).parent / "templates"
# Pictures before HTML: a plot has both, and only the picture passes the cleaning of HTML.
PRIORITY = ["image/svg+xml", "image/png", "image/jpeg", "text/html", "text/markdown", "text/plain"]


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
        ClearHiddenTests,
        CSSHTMLHeaderPreprocessor,
    ]
    c.HTMLExporter.template_name = "feedback"
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES)]
    c.HTMLExporter.filters = {"mathml": mathml}
    c.HTMLExporter.sanitize_html = True
    c.NbConvertBase.display_data_priority = PRIORITY
