"""A machine, or an installation, that lacks a part."""

from __future__ import annotations

import pytest

from coursekit.grading.kernels.cells import Limits
from coursekit.grading.sandbox import Policy, files, limits, syscalls


@pytest.fixture(autouse=True)
def forget():
    """Find out again what there is."""
    for cached in (files.version, files.prepare, syscalls.prepare):
        cached.cache_clear()
    yield
    for cached in (files.version, files.prepare, syscalls.prepare):
        cached.cache_clear()


def test_without_the_packages_nothing_is_applied_and_nothing_breaks(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "landlock", None)
    monkeypatch.setattr(syscalls, "seccomp", None)
    assert files.restrict(Policy(tmp_path)) is False
    assert syscalls.restrict() is False


def test_a_kernel_without_landlock_is_version_0(tmp_path, monkeypatch):
    if files.landlock is None:
        pytest.skip("the package is not installed")
    monkeypatch.setattr(files.landlock, "abi_version", lambda: 0)
    assert files.version() == 0 and files.restrict(Policy(tmp_path)) is False


def test_without_limits_in_the_system_there_are_no_steps(monkeypatch):
    monkeypatch.setattr(limits, "resource", None)
    assert limits.steps(Limits()) == {}


def test_a_kind_of_limit_that_is_not_known_is_not_given(monkeypatch):
    assert limits._limit("RLIMIT_NO_SUCH", 1) is False


def test_endless_notebooks_have_a_large_limit_on_processor_time():
    assert limits._processor_seconds(float("inf")) == 10**9
