"""Filters for pages: text of students made harmless, code and formulas set without scripts."""

from __future__ import annotations

import html
import re

import nh3
from latex2mathml.converter import convert as to_mathml
from markupsafe import Markup
from nbconvert.filters import strip_files_prefix

SCHEMES = {"http", "https", "mailto"}
ATTRIBUTES = {
    "*": {"id", "class", "title", "lang", "dir"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "ol": {"start"},
}
MATH = re.compile(
    r"(?P<code><(?P<tag>pre|code)\b.*?</(?P=tag)>)|\$\$(?P<block>.+?)\$\$|\$(?P<line>[^$\n]+?)\$",
    re.DOTALL,
)


def safe_html(page: str) -> str:
    """HTML without scripts, handlers and frames: a student's text cannot act in a grader's browser.

    A filter for nbconvert templates. Pictures may carry their data in their address.
    """
    return nh3.clean(
        page, attributes=ATTRIBUTES, attribute_filter=_kept, url_schemes={*SCHEMES, "data"}
    )


def harmless(page: str) -> str:
    """Rendered text of a student for a grader's page: no scripts, and formulas as MathML.

    Stands in for nbconvert's filter `strip_files_prefix`, and does what that does too.
    """
    return mathml(safe_html(strip_files_prefix(page)))


def _kept(tag: str, attribute: str, value: str) -> str | None:
    """The value of an attribute, None where it has to go: only pictures may be data."""
    if value.lstrip().lower().startswith("data:"):
        return value if (tag, attribute) == ("img", "src") and "image/" in value[:16] else None
    return value


def marked_up(text: str) -> Markup:
    """A sentence of a check for a page: escaped, and its `code` set as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text)))


def mathml(page: str) -> str:
    """Turn the LaTeX in rendered text into MathML, which browsers show without script or network.

    A filter for nbconvert templates. Code keeps its dollar signs; a formula that cannot be turned
    is shown as its source.
    """
    return MATH.sub(_formula, page)


def _formula(match: re.Match[str]) -> str:
    if match["code"]:
        return match[0]
    block = match["block"] is not None
    latex = html.unescape((match["block"] if block else match["line"]).strip())
    try:
        return str(to_mathml(latex, display="block" if block else "inline"))
    except Exception:
        return f"<code>{html.escape(latex)}</code>"
