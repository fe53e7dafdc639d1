"""`--load my_measures.py`: run a Python file that the user names."""

import runpy
import traceback
from pathlib import Path

from cranfield.errors import Error, InputError, PolicyError


def load(path: str) -> None:
    """Run a Python file; what it defines with `cranfield.measure` can then be used by name."""
    if not Path(path).is_file():
        raise InputError(
            "E101", "no such file", path=path, hint="--load takes a Python file that uses cranfield.measure"
        )
    try:
        runpy.run_path(path)
    except (Error, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit in the user's module is a mistake too
        raise PolicyError(
            "E215",
            f"{type(error).__name__}: {error}",
            path=path,
            line=_line(error, path),
            hint=f"'python {path}' shows the whole traceback",
        ) from error


def _line(error: BaseException, path: str) -> int | None:
    """The line of the file in which the error occurred."""
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)
