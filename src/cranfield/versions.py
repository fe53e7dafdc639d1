"""The versions of packages that can change a number, for the audit of every result."""

import platform
import sys
from functools import cache

import numpy as np


def versions(*packages: str) -> dict[str, str]:
    """The versions of this package, Python, NumPy, and the given further packages.

    >>> list(versions()), list(versions("scipy"))
    (['cranfield', 'python', 'numpy'], ['cranfield', 'python', 'numpy', 'scipy'])
    """
    import cranfield

    always = {"cranfield": cranfield.__version__, "python": platform.python_version(), "numpy": np.__version__}
    return always | {name: installed(name) for name in packages}


@cache
def installed(package: str) -> str:
    """The version of an installed package, without importing it."""
    if package in sys.modules:
        return str(sys.modules[package].__version__)
    from importlib.metadata import version  # slow to load, and seldom needed

    return version(package)
