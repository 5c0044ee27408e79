"""pyproject.toml, constraints.txt and environment.yml agree on what is installed."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
# What conda-forge calls by another name.
ON_CONDA = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}


def project() -> dict[str, Requirement]:
    """The packages of pyproject.toml, those for development included."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*table["dependencies"], *table["optional-dependencies"]["dev"]]
    return {canonicalize_name(each.name): each for each in map(Requirement, lines)}


def constraints() -> dict[str, Version]:
    """The exact versions of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    needed = [Requirement(line) for line in lines if line and not line.startswith("#")]
    found = {}
    for each in needed:
        (only,) = each.specifier
        assert only.operator == "==", each
        found[canonicalize_name(each.name)] = Version(only.version)
    assert len(found) == len(needed), "a package is listed twice"
    return found


def conda() -> dict[str, Requirement]:
    """The packages of environment.yml by their names on the package index, Python among them."""
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    (by_pip,) = (each["pip"] for each in listed if isinstance(each, dict))
    lines = [each for each in listed if isinstance(each, str)]
    lines += [each for each in by_pip if not each.startswith("-")]
    assert "-e ." in by_pip
    found = {}
    for line in lines:
        each = Requirement(re.sub(r"(?<![<>=!])=(?!=)", "==", line))
        found[canonicalize_name(ON_CONDA.get(each.name, each.name))] = each
    return found


def test_conda_users_get_the_same_packages() -> None:
    others = conda()
    python = others.pop("python")
    others.pop("pip")
    assert not python.specifier.contains("3.10")
    assert python.specifier.contains("3.11")
    ours = project()
    assert sorted(others) == sorted(ours)
    assert {n: str(r.specifier) for n, r in others.items()} == {
        n: str(r.specifier) for n, r in ours.items()
    }


def test_constraints_hold_a_version_that_each_range_allows() -> None:
    versions = constraints()
    for name, needed in project().items():
        assert name in versions, f"{name} is not in constraints.txt"
        assert needed.specifier.contains(versions[name]), needed


def test_ranges_have_a_lower_bound() -> None:
    for needed in project().values():
        assert any(each.operator in (">=", "==") for each in needed.specifier), needed


def test_torch_is_the_same_everywhere() -> None:
    assert str(project()["torch"].specifier) == "==2.13.0"
    assert str(conda()["torch"].specifier) == "==2.13.0"
    assert str(constraints()["torch"]) == "2.13.0"


def test_constraints_name_no_place() -> None:
    text = (ROOT / "constraints.txt").read_text()
    assert not re.search(r"://|@|\+cpu|^-|file:", text, re.MULTILINE)


def test_the_versions_run_on_the_oldest_python_and_on_new_ones() -> None:
    """Debian's Python 3.11.2 among them, for which some packages have no newest version."""
    for name in constraints():
        try:
            needed = metadata.metadata(name).get("Requires-Python") or ""
        except metadata.PackageNotFoundError:  # not for this machine
            continue
        for python in ("3.11.0", "3.12.0", "3.13.0"):
            assert SpecifierSet(needed).contains(python), f"{name} needs Python {needed}"


def test_constraints_cover_all_that_is_installed_here() -> None:
    """Every package that the course's packages need on this machine has its exact version."""
    versions = constraints()
    todo, seen = [*project()], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        assert name in versions, f"{name} is not in constraints.txt"
        for line in metadata.requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                todo.append(canonicalize_name(needed.name))
