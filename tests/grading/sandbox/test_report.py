"""What the machine is said to offer."""

from __future__ import annotations

import pytest

from coursekit.grading import sandbox
from coursekit.grading.sandbox import files, report, syscalls


@pytest.fixture
def tried(monkeypatch):
    """Pretend what came of the trial."""

    def pretend(given):
        monkeypatch.setattr(report, "_trial", lambda: given)
        report.protections.cache_clear()

    yield pretend
    monkeypatch.undo()
    report.protections.cache_clear()


@pytest.mark.xdist_group("sandbox")
@pytest.mark.skipif(
    not files.version() or syscalls.prepare() is None, reason="no Landlock or no seccomp here"
)
def test_the_trial_finds_each_protection_here():
    report.protections.cache_clear()
    assert [p.name for p in sandbox.protections() if p.given] == list(report.WORDS)
    assert sandbox.missing() == []
    assert sandbox.doctor().endswith("All 10 protections are given.")


def test_what_is_missing_is_told_with_its_remedy(tried):
    tried({name: name not in {"reading", "network"} for name in report.WORDS})
    assert [p.name for p in sandbox.missing()] == ["reading", "network"]
    text = sandbox.doctor()
    assert "[NO] reading: can read every file that you can" in text
    assert "Linux 5.13" in text and "seccompy must be installed" in text
    assert "[yes] writing: cannot write" in text
    assert text.endswith("2 of 10 protections are missing: grade only code that you trust here.")


def test_a_trial_that_says_nothing_gives_nothing(tried):
    tried({})
    assert len(sandbox.missing()) == len(report.WORDS)


@pytest.mark.parametrize("text", ["", "no json", "[1"])
def test_an_answer_that_cannot_be_read_is_none(text):
    assert report._answer(text) == {}


def test_what_never_is_prevented_is_told(tried):
    tried(dict.fromkeys(report.WORDS, True))
    assert "Not prevented on any machine:" in sandbox.doctor()
