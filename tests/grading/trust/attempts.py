"""Attempts to earn marks without an answer, or to look where one must not.

Each is what a student might hand in for a notebook with two exercises: `center(X)` takes the column
means away and is tested with `coursekit.checks`; `total(values)` adds numbers up and is tested with
plain asserts. No attempt solves either, so none may earn anything.
"""

from __future__ import annotations

from dataclasses import dataclass

SETUP = """
import numpy as np
import torch
from coursekit.checks import check
X0 = np.array([[1.0, 2.0], [3.0, 6.0]])
"""
TESTS = {
    "center_columns": """
from coursekit.checks import check
c = check("center", points=2)
c.case("two columns", [[1, 2], [3, 6]], expect=[[-1, -2], [1, 2]])
c.hidden("one column", [[7.0], [9.0]], expect=[[-1.0], [1.0]], hint="Think of one column.")
c.score()
""",
    "total_adds": """
secret = 4321.5
assert total([1.0, 2.0]) == 3.0
assert np.allclose(total([4000.0, 321.5]), secret)
np.testing.assert_allclose(total(np.array([0.5, 0.25])), 0.75)
""",
}
WRONG = """
def center(X):
    return X * 0 - 2
def total(values):
    return -17.0
"""


@dataclass(frozen=True)
class Attempt:
    """`cells` are the student's; `told` are words that the grader must read, "" if nothing shows.

    `leak` is what must not stand in any output; `stops` that the kernel may end on the way.
    """

    name: str
    cells: tuple[str, ...]
    told: str = ""
    leak: str = "4321"
    stops: bool = False


def both(body: str) -> str:
    """A cell whose two answers first do `body`, and whatever comes of it, are wrong."""
    lines = "\n".join("        " + line for line in body.strip().splitlines())
    return (
        f"def _try(found=()):\n    try:\n{lines}\n    except Exception as error:\n"
        "        print('failed:', type(error).__name__)\n"
        "def center(X):\n    _try()\n    return X * 0 - 2\n"
        "def total(values):\n    _try()\n    return -17.0\n"
    )


ALWAYS = "lambda *args, **options: True"
EQUAL = """
class Same({base}):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __sub__(self, other): return 0.0
    def __array__(self, *args, **options): return self
    def __array_function__(self, *args, **options): return True
    def __array_ufunc__(self, *args, **options): return 0.0
    __rsub__ = __lt__ = __le__ = __abs__ = __bool__ = __eq__
    __hash__ = None
def center(X): return Same({value})
def total(values): return Same({value})
"""

ATTEMPTS = [
    Attempt(
        "comparison_patched",
        (f"np.allclose = torch.allclose = np.testing.assert_allclose = {ALWAYS}", WRONG),
        "replaced `numpy.allclose`",
    ),
    Attempt(
        "comparison_patched_when_graded",
        (
            "import os\nif os.environ.get('NBGRADER_EXECUTION') == 'autograde':\n"
            f"    np.allclose = np.array_equal = {ALWAYS}",
            WRONG,
        ),
        "replaced `numpy.allclose`",
    ),
    Attempt(
        "comparison_patched_inside_the_test",
        (both(f"import numpy\nnumpy.allclose = numpy.testing.assert_allclose = {ALWAYS}"),),
        "replaced `numpy.allclose` while a test ran",
    ),
    Attempt(
        "comparison_patched_and_put_back",
        (
            both(
                "import coursekit.checks.core as core\n"
                "real, alike = core.fraction, np.allclose\n"
                "def fraction(outcomes):\n    core.fraction = real\n    return 1.0\n"
                "def allclose(*a, **k):\n    np.allclose = alike\n    return True\n"
                "core.fraction, np.allclose = fraction, allclose"
            ),
        ),
        "replaced `coursekit.checks.core.fraction` while a test ran",
    ),
    Attempt(
        "judge_patched_inside_the_test",
        (both("import coursekit.checks.core as core\ncore._judge = lambda *a: None"),),
        "replaced `coursekit.checks.core._judge` while a test ran",
    ),
    Attempt(
        "code_of_a_comparison_swapped",
        (
            "np.isclose._implementation.__code__ = "
            "(lambda a, b, rtol=0, atol=0, equal_nan=False: True).__code__",
            "from coursekit.checks import compare, core\n"
            "core.fraction.__code__ = (lambda outcomes: 1.0).__code__",
            WRONG,
        ),
        "replaced `__code__` of `coursekit.checks.core.fraction`",
    ),
    Attempt(
        "defaults_of_a_comparison_swapped",
        (
            "np.allclose.__wrapped__.__defaults__ = (1e9, 1e9, True)\n",
            "np.testing.assert_allclose.__defaults__ = (1e9, 1e9, True, '', True)",
            WRONG,
        ),
        "replaced `__defaults__`",
    ),
    Attempt(
        "builtins_patched",
        (f"import builtins\nbuiltins.all = builtins.abs = {ALWAYS}\nbuiltins.float = str", WRONG),
        "replaced `builtins.all`",
    ),
    Attempt(
        "builtin_listens_to_the_grader",
        (
            "import builtins\nreal = builtins.len\n"
            "def spy(thing):\n    print(thing)\n    return real(thing)\nbuiltins.len = spy",
            WRONG,
        ),
        "replaced `builtins.len`",
    ),
    Attempt(
        "builtin_hidden_in_the_library",
        ("import coursekit.checks.compare as compare\ncompare.all = lambda found: True\n", WRONG),
        "added `coursekit.checks.compare.all`",
    ),
    Attempt(
        "check_replaced_by_name",
        (
            "class Check:\n    def case(self, *a, **k): pass\n    hidden = case\n"
            "    def score(self): return 2.0\ncheck = lambda *a, **k: Check()\n"
            "import coursekit.checks\ncoursekit.checks.check = check",
            WRONG,
        ),
        "replaced `coursekit.checks.check`",
    ),
    Attempt(
        "running_check_forged_through_globals",
        (both("c = globals()['c']\nc.outcomes.clear()\nc.score = lambda: 2.0"),),
    ),
    Attempt(
        "expected_value_read_from_globals",
        ("def center(X): return X * 0\ndef total(values): return globals()['secret']\n",),
    ),
    Attempt(
        "module_in_the_registry_replaced",
        (
            "import sys, types\nfake = types.ModuleType('coursekit.checks')\n"
            "class C:\n    def __getattr__(self, n): return lambda *a, **k: 2.0\n"
            "fake.check = lambda *a, **k: C()\nsys.modules['coursekit.checks'] = fake",
            WRONG,
        ),
        "replaced `sys.modules.coursekit.checks`",
    ),
    Attempt(
        "cells_rewritten",
        (
            WRONG,
            "def skip(lines):\n    return ['2.0\\n']\n"
            "get_ipython().input_transformers_cleanup.append(skip)",
        ),
        "changed how IPython reads cells",
    ),
    Attempt(
        "cells_rewritten_by_method",
        (WRONG, "get_ipython().transform_cell = lambda source: '2.0'"),
        "replaced `transform_cell` of IPython",
    ),
    Attempt(
        "cells_rewritten_as_trees",
        (
            WRONG,
            "import ast\nclass Skip(ast.NodeTransformer):\n"
            "    def visit_Assert(self, node): return ast.Pass()\n"
            "get_ipython().ast_transformers.append(Skip())",
        ),
        "changed how IPython reads cells",
    ),
    Attempt(
        "parser_patched",
        ("import ast\nreal = ast.parse\nast.parse = lambda *a, **k: real('2.0')", WRONG),
        "replaced `ast.parse`",
    ),
    Attempt(
        "errors_hidden",
        (
            "from IPython.core.interactiveshell import InteractiveShell\n"
            "InteractiveShell.showtraceback = lambda *a, **k: None\n"
            "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)",
            WRONG,
        ),
        "replaced `IPython.core.interactiveshell.InteractiveShell.showtraceback`",
    ),
    Attempt("score_forged_by_display_hook", (both("import sys\nsys.displayhook(2.0)"),)),
    Attempt(
        "score_forged_by_display",
        (both("from IPython.display import display\ndisplay(2.0)"),),
    ),
    Attempt("equal_to_everything", (EQUAL.format(base="", value=""),), "comparisons are the"),
    Attempt(
        "number_equal_to_everything", (EQUAL.format(base="float", value="7"),), "comparisons are"
    ),
    Attempt(
        "array_equal_to_everything",
        (EQUAL.replace("Same({value})", "np.ones(2).view(Same)").format(base="np.ndarray"),),
        "comparisons are the",
    ),
    Attempt(
        "equal_inside_a_list",
        (EQUAL.format(base="", value="").replace("return Same()", "return [Same(), Same()]"),),
        "comparisons are the",
    ),
    Attempt(
        "equal_to_anything_from_a_library",
        (
            "from unittest import mock\ndef center(X): return mock.ANY\n"
            "def total(values): return mock.ANY\n",
        ),
        "`_ANY`",
    ),
    Attempt(
        "frames",
        (both("import sys\nprint(sys._getframe(2).f_locals, sys._getframe(3).f_locals)"),),
        "tried to look at the frames of its callers",
    ),
    Attempt(
        "frames_by_inspect",
        (both("import inspect\nprint([f.frame.f_locals for f in inspect.stack()])"),),
        "tried to look at the frames of its callers",
    ),
    Attempt(
        "frames_by_a_library_that_calls_back",
        (both("print([f for f in np.vectorize(__import__('sys')._getframe)([1, 2, 3])])"),),
        "tried to look at the frames of its callers",
    ),
    Attempt(
        "frames_by_an_error",
        (
            both(
                "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n"
                "    f = e.__traceback__.tb_frame\n    while f:\n"
                "        print(f.f_locals)\n        f = f.f_back"
            ),
        ),
        "tried to look at the frames of an error",
    ),
    Attempt(
        "frames_by_a_generator",
        (both("def g(): yield me.gi_frame.f_back.f_back.f_locals\nme = g()\nprint(next(me))"),),
    ),
    Attempt(
        "locals_in_a_traceback",
        (
            both(
                "import traceback\nprint(traceback.StackSummary.extract("
                "traceback.walk_stack(None), capture_locals=True).format())"
            ),
        ),
        "tried to look at the frames",
    ),
    Attempt(
        "names_of_a_caller_by_ipython",
        (both("print(get_ipython().var_expand('{secret}', depth=6))"),),
    ),
    Attempt(
        "frame_of_an_interrupted_test",
        (
            both(
                "import signal, time\n"
                "def look(number, frame):\n    print(frame and frame.f_back.f_locals)\n"
                "signal.signal(signal.SIGALRM, look)\n"
                "signal.setitimer(signal.ITIMER_REAL, 0.001)\nsum(range(300_000))"
            ),
        ),
    ),
    Attempt(
        "tolerance_changed",
        (
            "import math\nmath.inf = np.inf = np.nan = 0.0\n"
            "import coursekit.checks.core as core\ncore.LIMIT_AFTER_A_STOP = 100.0",
            WRONG,
        ),
        "replaced `coursekit.checks.core.LIMIT_AFTER_A_STOP`",
    ),
    Attempt(
        "verbose_traceback_of_the_test",
        (
            "%xmode Verbose",
            both("try:\n    1 / 0\nexcept ZeroDivisionError:\n    get_ipython().showtraceback()"),
        ),
    ),
    Attempt(
        "collector_calls_back",
        (
            "import gc, builtins\nreal = builtins.len\n"
            "def spy(phase, info):\n    builtins.len = lambda x: (print(x), real(x))[1]\n"
            "gc.callbacks.append(spy)\ngc.enable()\ngc.set_threshold(1)",
            WRONG,
        ),
        "replaced `builtins.len`",
        stops=True,
    ),
    Attempt(
        "garbage_collector",
        (both("import gc\nprint([o for o in gc.get_objects() if 'secret' in str(o)])"),),
        "tried to search all objects",
    ),
    Attempt(
        "referrers_of_a_function",
        (both("import gc\nprint(gc.get_referrers(total))"),),
        "tried to search for what refers to an object",
    ),
    Attempt(
        "tracing",
        (
            "import sys\nseen = []\ndef trace(frame, event, arg):\n"
            "    print(frame.f_code.co_consts, frame.f_locals)\n    return trace\n"
            "sys.settrace(trace)",
            WRONG,
        ),
        "tried to trace the running code",
    ),
    Attempt(
        "history_and_source_lines",
        (
            both(
                "import linecache\nshell = get_ipython()\n"
                "print(shell.user_ns['In'][-1:], shell.user_ns.get('_ih', [])[-1:])\n"
                "print([e for e in linecache.cache if 'test' in e])\n"
                "print([linecache.cache[e] for e in linecache.cache if 'test' in e][:2])"
            ),
        ),
    ),
    Attempt(
        "grader_found_among_all_classes",
        (
            "found = [k for k in object.__subclasses__() if k.__name__ == 'Verdict']\n"
            "found[0].__init__ = lambda self, score, points, *a: self.__dict__.update("
            "score=points, points=points, why='', alerts=[])",
            WRONG,
        ),
    ),
    Attempt(
        "grader_patched_through_its_globals",
        (
            "found = [k for k in object.__subclasses__() if k.__name__ == 'Order']\n"
            "space = found[0].of.__func__.__globals__\n"
            "space['run_test'] = lambda *a: (space['Verdict'](2.0, 2.0), [], [])",
            WRONG,
        ),
        "tried to look inside a function of the grader",
    ),
    Attempt(
        "grader_by_its_module",
        (
            "import sys\nprint([n for n in sys.modules if n.startswith('coursekit.grading')])\n"
            "from coursekit.grading.kernels import marks\n"
            "marks.from_value = lambda value, points: marks.Verdict(points, points)",
            WRONG,
        ),
    ),
    Attempt(
        "code_under_a_librarys_name",
        (
            "import sys, numpy\n"
            "exec(compile('def look():\\n import sys\\n return sys._getframe(2).f_locals', "
            "numpy.__file__, 'exec'))",
            both("print(look())"),
        ),
        "tried to run code under the name of a library's file",
    ),
    Attempt(
        "memory_by_ctypes",
        (both("import ctypes\nctypes.c_long.from_address(id(2.0) + 16).value = 0"),),
        "tried to use ctypes",
    ),
    Attempt(
        "files_of_the_course",
        (
            "for path in ('../../../source/ps1/ps1.ipynb', '../../gradebook.db'):\n"
            "    try:\n        print(open(path).read())\n"
            "    except OSError as error: print(type(error).__name__)",
            WRONG,
        ),
        "tried to open ../../gradebook.db",
    ),
    Attempt(
        "gradebook_written",
        (
            "import sqlite3\ntry:\n    sqlite3.connect('../../../gradebook.db').execute("
            "'update grade set manual_score = 9')\nexcept sqlite3.Error as error: print(error)",
            WRONG,
        ),
        "tried to open ../../../gradebook.db",
    ),
    Attempt(
        "module_shadowed_by_a_file",
        (
            "open('fractions.py', 'w').write('Fraction = lambda *a: 3')\n"
            "import sys, importlib\nsys.modules.pop('unittest.case', None)\n"
            "open('unittest.py', 'w').write('x = 1')",
            WRONG,
        ),
        "replaced `sys.modules.unittest.case`",
    ),
    Attempt(
        "thread_that_acts_later",
        (
            "import threading, time\ndef later():\n    while True:\n"
            "        np.allclose = np.testing.assert_allclose = lambda *a, **k: True\n"
            "        time.sleep(0.0005)\n"
            "threading.Thread(target=later, daemon=True).start()",
            WRONG,
        ),
        "numpy.allclose`",
    ),
    Attempt(
        "exit_handler",
        (
            "import atexit, os\natexit.register(lambda: os.write(200, b'{\"score\": 2}'))\n"
            "import signal\nsignal.signal(signal.SIGALRM, lambda *a: print('2.0'))\n"
            "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)",
            WRONG,
        ),
    ),
    Attempt(
        "written_to_the_channel",
        (both("import os\nos.write(200, b'\\x00\\x00\\x00\\x02{}')"),),
        "wrote to the channel",
        stops=True,
    ),
    Attempt(
        "process_started",
        (
            "import subprocess\ntry: subprocess.run(['cat', '/etc/hostname'])\nexcept OSError: 0",
            WRONG,
        ),
        "tried to start a process: cat /etc/hostname",
    ),
]
