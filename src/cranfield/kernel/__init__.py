"""Which way the three costly steps take: compiled, or the same in NumPy.

Scan a file into columns, rank inside topics, find the judged documents: each is one function at the edge of `read` and
`align` that asks here for the compiled kernel and has a path of its own without it. Both give the same tables, and
nothing else in the package knows which one runs. `CRANFIELD_KERNEL=pure` in the environment switches the kernel off.
"""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

A = TypeVar("A", bound=np.generic)

SKIP, TOPIC, TEXT, NUMBER, CONSTANT, WHOLE = range(6)  # what the scan makes of a column


def _compiled(name: str = "_steps") -> ModuleType | None:
    if os.environ.get("CRANFIELD_KERNEL") == "pure" or sys.byteorder != "little":
        return None
    try:
        return import_module(f"cranfield.kernel.{name}")
    except ImportError:  # it could not be compiled here
        return None


compiled: ModuleType | None = _compiled()
objects: ModuleType | None  # for runs that are dictionaries, looked for at the first; without it they become tables


def __getattr__(name: str) -> ModuleType | None:
    if name != "objects":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, _compiled("_dicts"))


def active() -> str:
    """The path that runs, for the audit and `cranfield --version`."""
    return "pure" if compiled is None else "compiled"


def flat(array: NDArray[A]) -> NDArray[A]:
    """The array as the kernel takes it: one stretch of memory."""
    return np.ascontiguousarray(array)
