"""Where student code could change what tests rely on."""

from __future__ import annotations

# Names that end in `.*` mean all below; those that start with `-` leave out what starts so.
_TRUSTED = """
    builtins math cmath random statistics operator functools copy types inspect collections
    collections.abc contextlib dataclasses decimal fractions numbers json re string itertools
    os posixpath time traceback linecache signal threading unittest unittest.case dis ast
    unittest.util unittest.loader unittest.suite unittest.result unittest.runner pytest doctest

    numpy numpy.* -numpy.f2py -numpy._typing -numpy.typing -numpy.ma -numpy.polynomial -numpy.char
    -numpy.rec -numpy._pyinstaller -numpy.testing._private.ext -numpy.lib._iotools -numpy.ctypeslib
    -numpy._distributor -numpy.lib._npyio -numpy.lib._format -numpy.testing.overrides
    torch torch._tensor torch.functional torch.linalg torch.autograd torch.autograd.functional
    torch.nn torch.nn.functional torch.nn.init torch.nn.parameter torch.nn.modules.*
    torch.testing torch.testing._comparison torch.optim torch.optim.sgd torch.optim.adam
    torch.optim.optimizer torch.random
    pandas pandas.testing pandas._testing pandas._testing.asserters scipy sklearn.metrics

    IPython IPython.core.interactiveshell IPython.core.displayhook IPython.core.displaypub
    IPython.core.inputtransformer2 IPython.core.formatters IPython.core.events
    IPython.core.compilerop IPython.core.getipython

    coursekit coursekit.* -coursekit.grading -coursekit.authoring -coursekit.cli
"""
# What is looked at again after each call of student code inside a test.
_CORE = """
    builtins math unittest.case numpy numpy.testing numpy.testing._private.utils numpy.linalg
    numpy._core.numeric numpy._core.fromnumeric torch torch.testing torch.testing._comparison
    torch._tensor coursekit.checks coursekit.checks.*
"""
TRUSTED, CORE = _TRUSTED.split(), _CORE.split()
