"""The two paths of the kernel, for tests that compare them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cranfield import kernel
from cranfield.kernel import pure as numpy_path

COMPILED = kernel.active() == "compiled"
needs_compiled = pytest.mark.skipif(not COMPILED, reason="the kernel is switched off or was not compiled")


@contextmanager
def pure() -> Iterator[None]:
    """The path in NumPy."""
    with tables_in_between():
        steps, kernel.steps = kernel.steps, numpy_path
        try:
            yield
        finally:
            kernel.steps = steps


@contextmanager
def tables_in_between() -> Iterator[None]:
    """Dictionaries become tables, as they do where nothing is compiled."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kernel, "dicts", lambda: numpy_path)
        yield
