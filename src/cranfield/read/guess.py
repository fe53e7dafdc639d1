"""Which format a file has: by its ending, then by its first 50 lines."""

import re
from collections import Counter
from collections.abc import Sequence

from cranfield.errors import InputError
from cranfield.errors.wording import verb
from cranfield.read.definition import FORMATS, Format, Role, unrecognised
from cranfield.read.options import ROLES, ReadOptions
from cranfield.read.sources.content import Content
from cranfield.read.sources.paths import ending

LINES = 50
_NEAR = 4096  # bytes in which that many lines usually stand
_MARKED = 1 << 16  # bytes in which words tell a format
_KNOWN = {spelling for spellings in ROLES.values() for spelling in spellings}
# a record begins with a plain value, a dictionary of dictionaries with another dictionary or list
_RECORD = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s{\[]'


def guess(content: Content, role: Role, options: ReadOptions) -> Format:
    """The format of a file that should hold a table of the given role; a file of another role is an error."""
    if told := _by_ending(content, ending(content.name)):
        if role not in told:
            raise unrecognised(content, role)
        return told[role]
    lines = first_lines(content)
    if content.head(4) == b"PAR1":
        return _of(content, role, "parquet")
    if marked := [item for item in by_marks(content, lines) if item.role == role]:
        return marked[0]
    if lines and lines[0].lstrip().startswith("{"):
        whole = role in ("run", "qrels") and not re.match(_RECORD, lines[0])
        return _of(content, role, "json" if whole else "jsonl")
    if lines and lines[0].lstrip().startswith("<") and role == "topics":
        return _of(
            content, role, "sgml" if "<top>" in content.head(1 << 16).decode("utf-8", "replace").lower() else "xml"
        )
    if role == "documents" and lines and lines[0].lstrip().startswith("<") and trec_documents(content):
        return _of(content, role, "trec")
    if options.names:
        return _of(content, role, _separator(lines))
    if role == "intents":
        return FORMATS["intents-ntcir"]
    if role not in ("run", "qrels"):
        return _of(content, role, "tsv")
    data = [line for line in lines if line.strip() and not line.startswith("#")]
    if data and _is_header(data[0]):
        if role == "qrels" and data[0].lower().split("\t")[:3] == ["query-id", "corpus-id", "score"]:
            return _of(content, role, "beir")
        return _of(content, role, _separator(data))
    if options.columns:
        return _of(content, role, "trec")
    return _by_width(content, role, data)


def by_marks(content: Content, lines: Sequence[str]) -> list[Format]:
    """The formats that the header of a CSV, or words at the beginning of JSON or a list for learning to rank, tell."""
    first = next((line for line in lines if not _says_nothing(line)), "")
    if not first.lstrip().startswith("{") and " qid:" not in first and "," not in first:
        return []
    head = content.head(_MARKED)
    return [item for item in FORMATS.values() if item.recognises(head, first)]


def trec_documents(content: Content) -> bool:
    """Whether the beginning of a file holds a `<DOC>` element."""
    return b"<doc>" in content.head(1 << 16).lower()


def _by_ending(content: Content, ending: str) -> dict[Role, Format]:
    """The formats of a file ending, one for each role; only modules that declare this ending are imported.

    Of several formats for one role, that counts which the file itself tells.
    """
    declared = FORMATS.declaring("endings", ending) if ending else {}
    found = [item for item in declared.values() if ending in item.endings]
    plain = {item.role: item for item in found if not item.told_by_content}
    if len(plain) == len(found):
        return plain
    head, first = content.head(_MARKED), next(iter(first_lines(content, 1)), "")
    return plain | {item.role: item for item in found if item.recognises(head, first)}


def first_lines(content: Content, count: int = LINES) -> list[str]:
    """The first lines without line ends; more of them if all are comments or blank."""
    near = content.head(_NEAR).decode("utf-8", "replace").split("\n")[:-1]
    lines = [line.rstrip("\r") for line in near[:count]]
    if len(lines) == count and not all(map(_says_nothing, lines)):
        return lines
    lines, start = [], 0  # few or long lines, or a long metadata header
    while start < content.size and len(lines) < count:
        lines.append(content.line_from(start))
        start = content.buffer.find(b"\n", start, content.size) + 1 or content.size
        if len(lines) == count and all(map(_says_nothing, lines)):
            count += LINES
    return lines


def _says_nothing(line: str) -> bool:
    return line.startswith("#") or not line.strip()


def _by_width(content: Content, role: Role, data: Sequence[str]) -> Format:
    """The format by the number of columns: runs have six (MS MARCO three), qrels four; most lines decide."""
    widths = Counter(len(_split(line)) for line in data)
    common = max(widths, key=widths.__getitem__, default=0)
    if role == "qrels":
        if common == 6 and 4 not in widths:
            hint = "the order is QRELS RUN…; did you swap them?"
            raise InputError("E112", "looks like a run (6 columns), expected qrels", path=content.name, hint=hint)
        return FORMATS["qrels-trec"]
    if common == 4 and 6 not in widths:
        hint = f"to measure agreement of two qrels use {verb('agree')}"
        raise InputError("E113", "looks like qrels (4 columns), expected a run", path=content.name, hint=hint)
    if set(widths) == {3} and all(_split(line)[2].isdigit() for line in data):
        return FORMATS["run-msmarco"]
    return FORMATS["run-trec"]


def _of(content: Content, role: Role, kind: str) -> Format:
    found = FORMATS.find(f"{role}-{kind}")
    if found is None:
        raise unrecognised(content, role)
    return found


def _split(line: str) -> list[bytes]:
    return line.encode("utf-8", "replace").split()  # bytes: only ASCII white space separates


def _is_header(line: str) -> bool:
    for separator in ("\t", ","):
        names = [name.strip().strip('"').lower() for name in line.split(separator)]
        if len(names) > 1 and sum(name in _KNOWN for name in names) >= 2:
            return True
    return False


def _separator(lines: Sequence[str]) -> str:
    return "tsv" if lines and "\t" in lines[0] else "csv"
