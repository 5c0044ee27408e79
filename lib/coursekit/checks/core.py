"""The check of one answer: its cases, its report and its score."""

from __future__ import annotations

import os
import types
import weakref
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coursekit.checks import telling
from coursekit.checks.call import Called, TimeLimit, call
from coursekit.checks.diagnose import (
    arity_problem,
    changed_problem,
    error_problem,
    printed_instead,
    warning_notes,
)
from coursekit.checks.expect import Expectation, expectation, raises
from coursekit.checks.namespace import (
    MISSING,
    code_of,
    globals_read,
    not_found,
    notebook_namespace,
    restored,
    shadowed,
)
from coursekit.checks.problem import NOT_ATTEMPTED, Problem
from coursekit.checks.report import Outcome, first_fault, report
from coursekit.checks.show import a_kind, show_call

LIMIT_AFTER_A_STOP = 1.0
# Functions that once ran too long: later cells of the notebook need not wait as long again.
_stopped: weakref.WeakSet[types.CodeType] = weakref.WeakSet()
# Sentences that open with one of these go on from the call: "predict(...) returned ...".
VERBS = {"returned", "raised", "printed", "stopped", "waits", "never", "ends", "calls", "changed"}


@dataclass
class Check:
    """A running check of the answer called `name`; made by `check` or `answer`.

    Each `case` or `hidden` runs at once and is remembered; `score` prints the report and returns
    the points. A fault in one case never keeps another from running.
    """

    name: str
    points: float
    called: bool = True
    pure: bool = False
    limit: float = 10.0
    lists: Collection[int] = ()
    namespace: MutableMapping[str, Any] = field(default_factory=notebook_namespace)
    outcomes: list[Outcome] = field(default_factory=list)

    def case(
        self,
        label: str,
        *args: Any,
        expect: Any,
        tol: float | None = None,
        hint: str = "",
        weight: float = 1.0,
        kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        """Run one case that the student sees.

        `args` are the inputs (lists of numbers arrive as float64 arrays), `expect` a value or an
        expectation, `tol` the relative and absolute tolerance, `hint` a sentence for wrong answers.
        A case of weight 0 looks at the form of an answer and earns nothing by itself.
        """
        self._run(label, args, kwargs or {}, expectation(expect, tol), hint, weight, hidden=False)

    def hidden(
        self,
        label: str,
        *args: Any,
        expect: Any,
        hint: str,
        tol: float | None = None,
        weight: float = 1.0,
        kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        """Run one case of which the student sees label and hint, never inputs or values."""
        self._run(label, args, kwargs or {}, expectation(expect, tol), hint, weight, hidden=True)

    def score(self) -> float:
        """Print the report and return the points: a plain float between 0 and `points`."""
        earned = round(self.points * fraction(self.outcomes), 2)
        graded = os.environ.get("NBGRADER_EXECUTION") == "autograde"
        print(report(self.name, self.outcomes, earned, self.points, more=not graded))
        telling.sentences += first_fault(self.name, self.outcomes)
        return float(min(max(earned, 0.0), self.points))

    def _run(
        self,
        label: str,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        wanted: Expectation,
        hint: str,
        weight: float,
        hidden: bool,
    ) -> None:
        problem, notes, printed = self._try(args, kwargs, wanted)
        self.outcomes.append(Outcome(label, weight, hidden, problem, hint, notes, printed))

    def _try(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], wanted: Expectation
    ) -> tuple[Problem | None, list[Problem], str]:
        target = self.namespace.get(self.name, MISSING)
        if target is MISSING:
            return Problem.same(not_found(self.name, self.namespace)), [], ""
        if target is None or target is Ellipsis:
            return Problem.same(NOT_ATTEMPTED), [], ""
        if not self.called:
            return _judge(wanted, target), [], ""
        if not callable(target):
            said = (
                f"`{self.name}` is {a_kind(target)}, expected a function: was the name used again?"
            )
            return Problem.same(said), [], ""
        return self._call(target, args, kwargs, wanted)

    def _call(
        self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], wanted: Expectation
    ) -> tuple[Problem | None, list[Problem], str]:
        wrong_arity = arity_problem(function, args, kwargs)
        if wrong_arity is not None:
            said = f"`{self.name}` {wrong_arity.shown}"
            return Problem.same(said), [], ""
        problem, called = self._once(function, args, kwargs, wanted)
        notes = warning_notes(called)
        overwritten = shadowed(self.namespace) if problem is not None else {}
        if overwritten:
            with restored(self.namespace, overwritten):
                again, called_again = self._once(function, args, kwargs, wanted)
            if again is None:
                problem, called = None, called_again
                names = ", ".join(f"`{name}`" for name in overwritten)
                notes.append(
                    Problem.same(
                        f"{names} got another value in this notebook; the check used the original. "
                        "Choose another name and restart the kernel"
                    )
                )
        if problem is not None:
            notes += self._globals_note(function)
            problem = _in_context(problem, self.name, args, kwargs)
        elif called.changed and not self.pure:
            changed = changed_problem(called, function)
            notes += [Problem.same(f"your function {changed.shown}")] if changed else []
        return problem, notes, called.printed

    def _once(
        self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], wanted: Expectation
    ) -> tuple[Problem | None, Called]:
        code = code_of(function)
        limit = min(self.limit, LIMIT_AFTER_A_STOP) if code in _stopped else self.limit
        called = call(function, args, kwargs, limit, self.lists)
        if isinstance(called.error, TimeLimit) and code is not None:
            _stopped.add(code)
        if called.error is not None:
            if isinstance(wanted, raises) and isinstance(called.error, wanted.error):
                return None, called
            return error_problem(called, self.name, self.namespace, limit), called
        problem = _judge(wanted, called.value)
        if problem is not None:
            problem = printed_instead(called) or problem
        elif self.pure:
            problem = changed_problem(called, function)
        return problem, called

    def _globals_note(self, function: Any) -> list[Problem]:
        names = globals_read(function, self.namespace)
        if not names:
            return []
        listed = ", ".join(f"`{name}`" for name in names[:3])
        return [
            Problem.same(
                f"the function uses {listed} of the notebook, not of its arguments; is that meant?"
            )
        ]


def _judge(wanted: Expectation, value: Any) -> Problem | None:
    try:
        return wanted.problem(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return Problem.same(f"returned {a_kind(value)}, which cannot be compared")


def _in_context(
    problem: Problem, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Problem:
    if problem.shown.startswith(NOT_ATTEMPTED):
        return problem
    said = problem.shown
    if said.startswith("got "):
        said = f"returned {said[4:]}"
    gap = " " if said.split(" ")[0] in VERBS else ": "
    return Problem(f"{show_call(name, args, kwargs)}{gap}{said}", problem.closed)


def fraction(outcomes: Sequence[Outcome]) -> float:
    """The share of the weight that was earned, between 0 and 1; without weights, all or nothing."""
    total = sum(outcome.weight for outcome in outcomes)
    if total:
        return sum(outcome.weight for outcome in outcomes if outcome.problem is None) / total
    return float(bool(outcomes) and all(outcome.problem is None for outcome in outcomes))


def check(
    name: str,
    points: float,
    *,
    pure: bool = False,
    limit: float = 10.0,
    lists: Collection[int] = (),
) -> Check:
    """Start the check of a function that the student writes.

    `name` is looked up in the notebook; `points` are what the test cell is worth; `pure=True` fails
    a function that changes its inputs (the exercise must say so); `limit` is in seconds per case,
    and one second once a case of the same function ran that long; `lists` has the places
    (from 0) of arguments that are lists of arrays, such as the weights of several layers.
    """
    return Check(name, points, pure=pure, limit=limit, lists=lists)


def answer(name: str, points: float) -> Check:
    """Start the check of a value that the student gives a name to."""
    return Check(name, points, called=False)
