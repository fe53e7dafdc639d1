"""The versions that can change a number of a study."""

import platform

import numpy as np


def versions() -> dict[str, str]:
    """Of this package, of NumPy (whose streams are drawn from) and of Python."""
    import cranfield

    return {"cranfield": cranfield.__version__, "numpy": np.__version__, "python": platform.python_version()}
