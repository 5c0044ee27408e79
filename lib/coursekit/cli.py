"""The `coursekit` command: one short function for each thing that a person may want done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from coursekit.errors import CourseError

app = typer.Typer(
    help="Release, check and grade the course's notebooks.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
Names = Annotated[
    list[str] | None, typer.Argument(metavar="[ASSIGNMENT]...", help="All by default.")
]


@app.command()
def demo() -> None:
    """Release the lessons, take in a sample class, grade it and write feedback."""
    from coursekit.demo import run

    run()


@app.command(context_settings=PASSED_ON)
def test(context: typer.Context) -> None:
    """Run the tests; what follows is passed on to pytest."""
    from coursekit import tools

    raise typer.Exit(tools.test(context.args))


@app.command(context_settings=PASSED_ON)
def lab(context: typer.Context) -> None:
    """Open the released lessons in JupyterLab as a student; what follows is passed on."""
    from coursekit import lab as student_lab

    raise typer.Exit(student_lab.run(context.args))


@app.command()
def lint() -> None:
    """Check the style of Python files and source notebooks."""
    from coursekit import tools

    raise typer.Exit(tools.lint())


@app.command("format")
def format_() -> None:
    """Format Python files and source notebooks."""
    from coursekit import tools

    raise typer.Exit(tools.format())


@app.command()
def release(names: Names = None) -> None:
    """Write release/ from source/."""
    from coursekit import paths, progress
    from coursekit.authoring.release import generate

    root = paths.root()
    made = generate(names, root / "release", root, progress.tracker("Releasing"))
    for folder in made.values():
        print(f"Released {folder.relative_to(root)}")


@app.command()
def check(names: Names = None) -> None:
    """Check source notebooks, their figures and their release."""
    from coursekit.authoring import check as checker

    checker.run(names)


@app.command()
def grade(
    assignments: Annotated[list[str], typer.Argument(metavar="ASSIGNMENT...")],
    jobs: Annotated[
        int | None, typer.Option(help="Notebooks at once; one for each core by default.")
    ] = None,
    student: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only this student; may be repeated.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade unchanged work again.")] = False,
    dask: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Run on the workers of this Dask scheduler.")
    ] = "",
    require_isolation: Annotated[
        bool, typer.Option("--require-isolation", help="Refuse where a protection is missing.")
    ] = False,
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Write feedback pages for what was graded.")
    ] = False,
) -> None:
    """Grade all submissions, or go on where an interrupted run stopped."""
    if jobs is not None and jobs < 1:
        raise CourseError(f"--jobs {jobs} is not possible: name a number from 1 on.")
    from coursekit import paths
    from coursekit.grading import command
    from coursekit.grading.class_run import Options

    options = Options(jobs or 0, force, require_isolation, dask)
    raise typer.Exit(command.grade(paths.root(), assignments, student, options, feedback))


@app.command()
def report(
    assignments: Annotated[list[str], typer.Argument(metavar="ASSIGNMENT...")],
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to; build/report by default.")
    ] = None,
) -> None:
    """Write a page on the class, and tables of grades, checks and marks."""
    from coursekit import paths
    from coursekit.grading import command

    root = paths.root()
    raise typer.Exit(command.report(root, assignments, to or root / "build" / "report"))


@app.command()
def validate(
    notebook: Annotated[Path, typer.Argument(metavar="NOTEBOOK")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """Say of each question what grading would; exit status 1 where something is to be done."""
    from coursekit.grading import command

    raise typer.Exit(command.validate(notebook, json))


@app.command()
def doctor() -> None:
    """Say what this machine protects from student code."""
    from coursekit.grading.sandbox import doctor as examine

    print(examine())


@app.command()
def clean(
    everything: Annotated[
        bool, typer.Option("--all", help="Remove .venv and build/lab too.")
    ] = False,
) -> None:
    """Remove build/ and caches; the notebooks of `coursekit lab` stay."""
    from coursekit import tools

    tools.clean(everything)


def main() -> None:
    """Run the command; an error that a user can act on is one sentence and exit status 1."""
    try:
        app()
    except CourseError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or 'A file'} cannot be used ({error.strerror or error}).")


def _fail(sentence: str) -> None:
    print(f"coursekit: {sentence}", file=sys.stderr)
    sys.exit(1)
