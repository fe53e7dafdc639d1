"""The name under which a person can start this program again."""

import sys
from pathlib import Path
from shlex import quote
from shutil import which

NAME = "cranfield"


def called() -> str:
    """How a person starts the program from where they stand: by its name, or by its path where no search finds it."""
    if which(NAME) or Path(sys.argv[0]).name != NAME:
        return NAME
    path = Path(sys.argv[0]).absolute()
    return quote(str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path))
