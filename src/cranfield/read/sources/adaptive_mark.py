"""The mark of judgments whose documents were chosen by looking at earlier judgments: estimators refuse them.

An export of a lab carries it in `FILE.meta.json` beside the qrels, because most formats of qrels have no place for it;
qrels that come straight from a lab carry it in the metadata of their source.
"""

import json
import os

from cranfield.tables.source import Source

EXPORT_SCHEMA = "cranfield-export/1"
SIDE_FILE = ".meta.json"
_KEY = "chosen_by"
_LONGEST = 1 << 24  # bytes; a side file is much shorter


def marked(strategies: list[str]) -> dict[str, list[str]]:
    """The mark, as the metadata of a source and as a field of a side file; empty if nothing was chosen adaptively."""
    return {_KEY: strategies} if strategies else {}


def adaptive_mark(source: Source) -> str:
    """How the documents were chosen, if it was by looking at judgments; empty otherwise.

    >>> adaptive_mark(Source("lab.db", metadata=marked(["swing"]))), adaptive_mark(Source("qrels.txt"))
    ('swing', '')
    """
    said = source.metadata.get(_KEY) or _in_side_file(source.name)
    return ", ".join(map(str, said)) if isinstance(said, list) else ""


def _in_side_file(name: str) -> object:
    path = f"{name}{SIDE_FILE}"
    if not name or not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(_LONGEST))
    except (OSError, ValueError):  # not ours
        return None
    ours = isinstance(found, dict) and found.get("schema") == EXPORT_SCHEMA
    return found.get(_KEY) if ours else None
