"""The versions that can change a number, as the audit of every result names them."""

import platform
import sys
from functools import cache

import numpy as np


def versions(*packages: str) -> dict[str, str]:
    """Of this package, Python, NumPy, and the further packages that take part.

    >>> list(versions()), list(versions("scipy"))
    (['cranfield', 'python', 'numpy'], ['cranfield', 'python', 'numpy', 'scipy'])
    """
    import cranfield

    always = {"cranfield": cranfield.__version__, "python": platform.python_version(), "numpy": np.__version__}
    return always | {name: installed(name) for name in packages}


@cache
def installed(package: str) -> str:
    """The version of an installed package, which is not imported for it."""
    if package in sys.modules:
        return str(sys.modules[package].__version__)
    from importlib.metadata import version  # slow to load, and seldom needed

    return version(package)
