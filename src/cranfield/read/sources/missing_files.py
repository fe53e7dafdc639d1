"""Errors for missing files, with the nearest name and the contents of the directory."""

import glob
import os
from collections import Counter
from pathlib import Path

from cranfield.errors import InputError
from cranfield.errors.names import nearest
from cranfield.read.sources.compressed import ENDINGS


def missing(name: str) -> InputError:
    """The error for a file that does not exist, with the nearest name beside it."""
    path, hint = Path(name), ""
    try:
        names = os.listdir(path.parent)
    except OSError:
        names = []
        if not path.parent.exists():
            hint = f"there is no directory {path.parent}"
    if near := nearest(path.name, names):
        hint = f"did you mean {path.with_name(near)}?"
    return InputError("E101", "no such file", path=path, hint=hint)


def no_match(pattern: str) -> InputError:
    """The error for a glob that matches no file, with the files in its directory."""
    return InputError("E103", f"'{pattern}': no file matches", hint=_endings(Path(pattern).parent))


def _endings(folder: Path) -> str:
    """What a directory holds, by ending."""
    if glob.has_magic(str(folder)):
        return ""
    if not folder.is_dir():
        return f"there is no directory {folder}/"
    files = [entry.name for entry in folder.iterdir() if entry.is_file()]
    count = Counter("".join(Path(file).suffixes[-2 if file.endswith(ENDINGS) else -1 :]) for file in files)
    if not files:
        return f"{folder}/ holds no files"
    listed = ", ".join(f"{ending or 'none'} ({number})" for ending, number in count.most_common(6))
    return f"{folder}/ holds {len(files)} file{'s' * (len(files) > 1)} with the endings {listed}"
