"""What an nbgrader configuration file needs for checks that explain themselves: a call for each."""

from __future__ import annotations

import warnings
from pathlib import Path

import nbgrader
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    GetGrades,
    IgnorePattern,
    LimitOutput,
)
from nbgrader.validator import Validator
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from coursekit.grading import told
from coursekit.grading.autograde import ExecuteFairly, SaveVerdicts, ShowNotes
from coursekit.grading.explain import (
    DemoteCopies,
    ExplainFailures,
    FeedbackSummary,
    HideHiddenTests,
)
from coursekit.grading.kernels.manager import WarmKernelManager
from coursekit.grading.pages import harmless, marked_up, mathml, safe_html

TEMPLATES = Path(__file__).parent / "templates"
FORMGRADER = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
REPAIR = "coursekit.grading.intake.preprocessor.Repair"
# Pictures before HTML: a plot has both, and the picture is the smaller one.
PRIORITY = ["image/svg+xml", "image/png", "image/jpeg", "text/html", "text/markdown", "text/plain"]


class FeedbackExporter(HTMLExporter):
    """Pages of feedback; a class of its own, so that the formgrader's pages stay as they are."""


def warm_kernels(c: Config) -> None:
    """Grade in warm, confined kernels, with marks from what tests return and not what they print.

    Holds for `nbgrader autograde`, the formgrader's button and the Validate button. Limits are
    `c.Execute.timeout` (seconds for a cell) and the options of `c.WarmProvisioner`.
    """
    c.Autograde.sanitize_preprocessors = [REPAIR, CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [
        ExecuteFairly,
        IgnorePattern,
        ClearMetadataPreprocessor,
        LimitOutput,
        SaveVerdicts,
        ShowNotes,
        AssignLatePenalties,
        CheckCellMetadata,
    ]
    c.ExecutePreprocessor.kernel_manager_class = WarmKernelManager
    # Where a course clears metadata, what grading noted stays.
    c.ClearMetadataPreprocessor.preserve_nb_metadata_mask = {("language_info", "name"), told.KEY}
    c.ClearMetadataPreprocessor.preserve_cell_metadata_mask = {"nbgrader", told.KEY}
    explain_validation(c)
    safe_formgrader(c)
    warnings.filterwarnings("ignore", category=SAWarning, module=r"nbgrader\..*")


def explain_validation(c: Config) -> None:
    """Let the Validate button say what grading would say, in the kernel that grading uses."""
    # nbgrader lists the preprocessors of its Validator but does not offer them as an option.
    Validator.preprocessors.tag(config=True)
    c.Validator.preprocessors = [
        ClearOutput,
        DemoteCopies,
        CheckCellMetadata,
        ExecuteFairly,
        ExplainFailures,
    ]


def safe_formgrader(c: Config) -> None:
    """Let nothing that a student wrote act in a grader's browser; formulas need no network."""
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES / "safe"), str(FORMGRADER)]
    # nbgrader's template shows text cells as they are, but for the filter that they go through.
    c.HTMLExporter.filters = {"strip_files_prefix": harmless, "clean_html": safe_html}


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
    c.FeedbackExporter.filters = {
        "mathml": mathml,
        "safe_html": safe_html,
        "clean_html": safe_html,
        "marked_up": marked_up,
    }
    c.FeedbackExporter.sanitize_html = True
    c.WidgetsDataTypeFilter.display_data_priority = PRIORITY
