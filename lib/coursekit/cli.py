"""The `coursekit` command: one short function for each thing that a person may want done."""

from __future__ import annotations

import sys
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
