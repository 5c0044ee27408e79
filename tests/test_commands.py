"""The `coursekit` command: what a person types, what goes wrong, and what is said then."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from coursekit import cli, tools
from coursekit.errors import CourseError

Course = Callable[..., Path]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command in this process: exit status, stdout, stderr."""
    before, sys.argv = sys.argv, ["coursekit", *arguments]
    try:
        with pytest.raises(SystemExit) as stop:
            cli.main()
            raise SystemExit(0)
    finally:
        sys.argv = before
    told = capsys.readouterr()
    return int(stop.value.code or 0), told.out, told.err


def one_sentence(result: tuple[int, str, str]) -> str:
    """The sentence with which a command failed."""
    status, _, stderr = result
    assert status == 1
    assert stderr.startswith("coursekit: ")
    assert stderr.count("\n") == 1, stderr
    return stderr


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def course(tiny_course: Course, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of two lessons, in which the commands run."""
    folder = tiny_course("doubling", "halving")
    monkeypatch.chdir(folder)
    return folder


def test_release_writes_every_lesson(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "release")
    assert (status, err) == (0, "")
    assert out == "Released release/doubling\nReleased release/halving\n"
    first = tree(course / "release")
    assert sorted(first) == ["doubling/doubling.ipynb", "halving/halving.ipynb"]
    assert run(capsys, "release")[0] == 0
    assert tree(course / "release") == first
    assert not (course / "gradebook.db").exists()
    assert not list(course.glob(".release-*"))


def test_release_of_one_lesson_leaves_the_others(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "release", "halving")[0] == 0
    assert [path.name for path in (course / "release").iterdir()] == ["halving"]


def test_commands_work_from_a_folder_inside(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(course / "source" / "halving")
    assert run(capsys, "release", "doubling")[0] == 0
    assert (course / "release" / "doubling").is_dir()


def test_an_unknown_assignment(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("release", "check"):
        said = one_sentence(run(capsys, command, "dubling"))
        assert "no assignment 'dubling'" in said
        assert "did you mean doubling?" in said
    assert "choose from doubling, halving" in one_sentence(run(capsys, "release", "xyz"))
    assert not (course / "release").exists()


def test_another_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COURSE_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    for command in ("release", "check", "test", "lab", "lint", "format", "clean", "demo"):
        said = one_sentence(run(capsys, command))
        assert f"{tmp_path} is not in a course: change into the course's folder" in said
    assert list(tmp_path.iterdir()) == []


def test_course_root_from_the_environment(
    course: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COURSE_ROOT", str(course))
    assert run(capsys, "release", "halving")[0] == 0
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    assert "COURSE_ROOT names" in one_sentence(run(capsys, "release"))


def test_broken_json(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "release")
    before = tree(course / "release")
    path = course / "source" / "halving" / "halving.ipynb"
    path.write_text(path.read_text()[:-40])
    said = one_sentence(run(capsys, "release"))
    assert str(path) in said
    assert "not valid JSON" in said
    assert tree(course / "release") == before


def test_duplicate_grade_ids(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = course / "source" / "doubling" / "doubling.ipynb"
    nb = nbformat.read(path, as_version=4)
    nb.cells[2].metadata.nbgrader.grade_id = "double"
    nbformat.write(nb, path)
    said = one_sentence(run(capsys, "release"))
    assert f"{path}: cells 2 and 3 both have the grade id 'double'" in said
    assert not (course / "release").exists()


def test_what_only_nbgrader_finds(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "release")
    before = tree(course / "release")
    path = course / "source" / "halving" / "halving.ipynb"
    stored = json.loads(path.read_text())
    stored["cells"][1]["source"] = [
        line for line in stored["cells"][1]["source"] if "END SOLUTION" not in line
    ]
    path.write_text(json.dumps(stored))
    said = one_sentence(run(capsys, "release"))
    assert f"cannot release {path.parent} (no end solution statement found)" in said
    assert tree(course / "release") == before
    assert not list(course.glob(".release-*"))


def test_a_broken_configuration(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "nbgrader_config.py").write_text("c = get_config(\n")
    said = one_sentence(run(capsys, "release"))
    assert "nbgrader_config.py cannot be used" in said


def test_a_folder_that_cannot_be_written(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "release").write_text("a file, which stops root as well")
    said = one_sentence(run(capsys, "release"))
    assert f"{course / 'release'} cannot be used" in said


def test_a_read_only_folder(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "exchange").mkdir()
    course.chmod(0o555)
    if os.access(course, os.W_OK):
        pytest.skip("root may write everywhere")
    try:
        assert "Permission denied" in one_sentence(run(capsys, "release"))
    finally:
        course.chmod(0o755)


def test_a_swap_that_fails_leaves_all_as_it_was(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "release")
    before = tree(course / "release")
    path = course / "source" / "doubling" / "doubling.ipynb"
    path.write_text(path.read_text().replace("Doubling", "Twice"))
    rename = Path.rename

    def fail_at_the_end(self: Path, target: Path) -> Path:
        if self.parent.name == "new" and self.name == "halving":
            raise OSError(28, "No space left on device", str(target))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_at_the_end)
    assert "No space left" in one_sentence(run(capsys, "release"))
    assert tree(course / "release") == before


def test_an_interruption_says_nothing_more(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from coursekit.authoring import release

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(release, "_generate_into", interrupt)
    status, _, err = run(capsys, "release")
    assert status in (1, 130)
    assert "Traceback" not in err


def test_an_unknown_command_or_option(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["relaese"], ["release", "--al"]):
        status, _, err = run(capsys, *words)
        assert status == 2
        assert "No such" in err


def test_help_is_quick_and_names_every_command() -> None:
    code = "import sys; sys.argv = ['coursekit', '--help']; import coursekit.cli as c\n"
    code += "try: c.main()\nexcept SystemExit: pass\n"
    code += "print([n for n in ('torch', 'nbgrader', 'numpy', 'nbformat') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.rstrip().endswith("[]"), done.stdout + done.stderr
    for name in ("demo", "test", "lab", "lint", "format", "release", "check", "clean"):
        assert f" {name} " in done.stdout


def test_arguments_are_passed_on_to_pytest(
    course: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (course / "test_it.py").write_text("def test_good(): pass\n\ndef test_bad(): assert False\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")
    assert tools.test(["test_it.py", "-k", "good", "-n", "0"]) == 0
    assert "1 passed" in capfd.readouterr().out
    assert tools.test(["test_it.py", "-n", "0"]) == 1
    assert "1 failed, 1 passed" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("cores", "arguments", "workers"),
    [(1, [], []), (2, ["-k", "x"], ["-n", "2"]), (4, ["--pdb"], []), (8, ["-n4"], [])],
)
def test_all_cores_are_used(
    monkeypatch: pytest.MonkeyPatch, cores: int, arguments: list[str], workers: list[str]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert tools.parallel(arguments)[:2] == workers


def test_lint_and_format(course: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (course / "lib").mkdir()
    code = course / "lib" / "a.py"
    code.write_text("import sys\nimport os\nprint( os, sys )\n")
    assert tools.lint() == 1
    tools.format()
    assert code.read_text().endswith("print(os, sys)\n")
    capfd.readouterr()


def test_clean_keeps_what_cannot_be_made_again(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["source/doubling/doubling.ipynb", "release/r", "gradebook.db", "submitted/s"]
    kept += [".venv/v", "build/lab/student/doubling/doubling.ipynb"]
    gone = ["build/demo/x", "lib/__pycache__/x.pyc", ".ruff_cache/x", "source/.ipynb_checkpoints/x"]
    for name in [*kept, *gone]:
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).touch()
    assert run(capsys, "clean")[0] == 0
    assert all((course / name).exists() for name in kept)
    assert not any((course / name).parent.exists() for name in gone)
    assert run(capsys, "clean", "--all")[0] == 0
    assert not (course / ".venv").exists() and not (course / "build" / "lab").exists()


def test_errors_are_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(_: object = None) -> None:
        raise CourseError("Nothing works: go home.")

    monkeypatch.setattr("coursekit.paths.root", fail)
    assert one_sentence(run(capsys, "clean")) == "coursekit: Nothing works: go home.\n"
