"""Names of files: globs expanded by us, `NAME=path` taken apart, and helpful words where nothing is found."""

import glob
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

from cranfield.errors import InputError, PolicyError
from cranfield.read.compressed import ENDINGS


@dataclass(frozen=True)
class Input:
    """One file to read, and the name given to it by hand."""

    path: "str | os.PathLike[str] | IO[Any]"  # an open file may be of either kind
    name: str | None = None


def expand(sources: "Iterable[str | os.PathLike[str] | IO[Any]]") -> list[Input]:
    """The files that paths, globs and `NAME=path` stand for, in order; standard input at most once.

    >>> expand(["-", "bm25=-"])
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E122: standard input can be read only once
      hint: write one of the inputs to a file first
    """
    found = [item for source in sources for item in _expanded(source)]
    if sum(item.path == "-" for item in found) > 1:
        problem = "standard input can be read only once"
        raise PolicyError("E122", problem, hint="write one of the inputs to a file first")
    return found


def stem(path: str) -> str:
    """The name of a file without folder, compression ending and format ending.

    >>> stem("runs/bm25.run.gz"), stem("input.sys3.gz"), stem("a.b.txt")
    ('bm25', 'input.sys3', 'a.b')
    """
    name = os.path.basename(path)
    for endings in (ENDINGS, FORMAT_ENDINGS):
        root, ending = os.path.splitext(name)
        if root and ending.lower() in endings:
            name = root
    return name


def ending(path: str) -> str:
    """The ending that tells the format, in lower case, compression endings apart.

    >>> ending("runs/bm25.JSONL.gz"), ending("qrels")
    ('.jsonl', '')
    """
    root, last = os.path.splitext(os.path.basename(path))
    return os.path.splitext(root)[1].lower() if last.lower() in ENDINGS else last.lower()


FORMAT_ENDINGS = (
    *(".run", ".txt", ".trec", ".res", ".ranking", ".qrels", ".qrel", ".top", ".pool"),
    *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".xml", ".sgml"),
)


def missing(path: Path) -> InputError:
    """The error for a file that does not exist, with the nearest name beside it."""
    hint = ""
    try:
        names = os.listdir(path.parent)
    except OSError:
        names = []
        if not path.parent.exists():
            hint = f"there is no directory {path.parent}"
    if close := get_close_matches(path.name, names, n=1, cutoff=0.6):
        hint = f"did you mean {path.with_name(close[0])}?"
    return InputError("E101", "no such file", path=path, hint=hint)


def _expanded(source: "str | os.PathLike[str] | IO[Any]") -> list[Input]:
    if not isinstance(source, str):
        return [Input(source)]
    if source == "-" or os.path.exists(source):
        return [Input(source)]
    name, equals, path = source.partition("=")
    if equals and name and path and not any(c in name for c in "/\\*?["):
        return [Input(item.path, name) for item in _expanded(path)]
    if not glob.has_magic(source):
        return [Input(source)]
    matches = sorted(match for match in glob.glob(source, recursive=True) if not os.path.isdir(match))
    if not matches:
        raise InputError("E103", f"'{source}': no file matches", hint=_endings(Path(source).parent))
    return [Input(match) for match in matches]


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
