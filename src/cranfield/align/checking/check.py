"""Find mistakes in runs, qrels, topics and documents."""

import codecs
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from cranfield.align.checking.collection import CollectionRecord, TextCounts
from cranfield.align.checking.crosscheck import cross_findings, heads
from cranfield.align.checking.findings import CheckReport, FileReport, Finding, limited
from cranfield.align.checking.inspect import qrels_findings, run_findings
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.errors import DataWarning, Error, PolicyError
from cranfield.errors.wording import setting
from cranfield.read import load, read_documents
from cranfield.read.definition import Role
from cranfield.read.options import GeneralKeywords, ReadOptions
from cranfield.read.roles import fitting, role_of
from cranfield.read.sources.content import Content, Readable, as_utf8, fetch
from cranfield.read.sources.paths import NamedPath, expand
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.topics import Topics

_GONE = 4  # exit code of what is not there at all: no file, no finding
_EXTRA = "E212"  # a package is missing, which is no fault of the file
_DEPTH = 10  # errors of a file that are counted, as a multiple of those that are shown


def check(
    *files: Readable,
    qrels: Sequence[Readable] = (),
    runs: Sequence[Readable] = (),
    topics: Sequence[Readable] = (),
    docs: Sequence[Readable] = (),
    limit: int = 20,
    columns: str | Sequence[str] = (),
    format: str | Sequence[str] = (),
    **options: Unpack[GeneralKeywords],
) -> CheckReport:
    """Check files, alone and against each other.

    Args:
        files: paths and globs whose role is guessed from what they hold.
        qrels: judgments.
        runs: runs.
        topics: topics.
        docs: documents.
        limit: how many messages of a kind are kept for each file.
        columns: layouts, each used for the role it describes.
        format: names of formats, each used for its role.
        options: other options of the readers (`encoding`, `grades`, `name_by`, `max_size`).

    >>> import io
    >>> import cranfield as cf
    >>> report = cf.check(qrels=[io.StringIO("1 0 a 1"), io.StringIO("1 0 a 1\\n1 0 a 0")])
    >>> report.status, report.files[1].findings[0].message
    ('red', "topic '1', document 'a' has grade 0 here and 1 at line 1")
    """
    if limit < 1:
        raise PolicyError("E240", f"{setting('limit', limit)} must be at least 1")
    options.setdefault("max_errors", limit * _DEPTH)
    reading = _HowToRead(ReadOptions(**options), _several(format), _several(columns))
    roles: tuple[tuple[Role | None, Sequence[Readable]], ...] = (
        (None, files),
        ("qrels", qrels),
        ("run", runs),
        ("topics", topics),
        ("documents", docs),
    )
    looked = [_look(item, role, reading, limit) for role, sources in roles for item in _files(sources, role)]
    tables = [table for one in looked for table in one.tables]
    judged = [table for table in tables if isinstance(table, Qrels)]
    told = [table for table in tables if isinstance(table, Topics)]
    held = [table for table in tables if isinstance(table, Documents)]
    across = cross_findings(judged, [ranked for one in looked for ranked in one.lists], told, held)
    record = CollectionRecord.of(judged, told, [counts for one in looked for counts in one.texts])
    return CheckReport(tuple(one.report for one in looked), limited(list(across), limit), record)


@dataclass(frozen=True)
class _HowToRead:
    options: ReadOptions
    formats: Sequence[str]
    layouts: Sequence[str]


@dataclass(frozen=True)
class _Looked:
    report: FileReport
    tables: tuple[object, ...] = ()
    lists: tuple[Rankings, ...] = ()  # the first documents of each run
    texts: tuple[TextCounts, ...] = ()  # of each table of documents


def _several(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _files(sources: Sequence[Readable], role: Role | None) -> list[NamedPath]:
    if role == "documents":  # a folder of documents is one input
        return [
            item for source in sources for item in ([NamedPath(source)] if _is_folder(source) else expand([source]))
        ]
    return expand(sources)


def _look(item: NamedPath, role: Role | None, reading: _HowToRead, limit: int) -> _Looked:
    """Read one file and check it alone; a file that cannot be read is a finding, a missing one is an error."""
    name = str(getattr(item.path, "name", item.path))
    content: Content | None = None
    found: Role | None = role
    findings: list[Finding] = []
    lists: list[Rankings] = []
    texts: list[TextCounts] = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", DataWarning)
        try:
            if role == "documents" and _is_folder(item.path):
                tables = _tables(read_documents(item.path, encoding=reading.options.encoding))
            else:
                content = fetch(item.path, reading.options.max_size)
                found = role or role_of(_text(content, reading.options), reading.formats)
                options = fitting(reading.options, found, reading.formats, reading.layouts)
                tables = _tables(load(content, found, options.named(item.name)))
            for table in tables:
                if isinstance(table, Run):
                    run = table if item.name is None else table.renamed(table.name)
                    ranked = Rankings.of(run, Policy(duplicates="first"))
                    findings += run_findings(ranked)
                    lists.append(heads(ranked))
                elif isinstance(table, Qrels):
                    findings += qrels_findings(table)
                elif isinstance(table, Documents):
                    texts.append(TextCounts.of(table))
        except Error as error:
            if error.exit == _GONE or error.code == _EXTRA:
                raise
            tables, lists, texts, findings = (), [], [], [Finding.of(each) for each in (error, *error.more)]
    findings += [Finding("warning", w.code, w.message, w.code) for w in _distinct(said)]
    shown = limited([*findings, *(_encoding(content) if content else ())], limit)
    if content is not None:
        shown = _quoted(shown, content, reading.options)
    report = FileReport(
        name=content.name if content else name,
        role=found or "unknown",
        guessed=role is None,
        format=next((table.source.format for table in tables), ""),
        rows=sum(len(table) for table in tables),
        sha256=content.sha256 if content else None,
        summary="; ".join(_summary(table) for table in tables[:3]) + ("; …" if len(tables) > 3 else ""),
        findings=shown,
    )
    return _Looked(report, tables, tuple(lists), tuple(texts))


def _text(content: Content, options: ReadOptions) -> Content:
    """The content as UTF-8 text; a Parquet file is left as it is."""
    return content if content.head(4) == b"PAR1" else as_utf8(content, options.encoding)


def _tables(loaded: Any) -> tuple[Any, ...]:  # one table, or the runs of one file
    return tuple(loaded) if isinstance(loaded, list) else (loaded,)


def _quoted(findings: tuple[Finding, ...], content: Content, options: ReadOptions) -> tuple[Finding, ...]:
    """The findings, each error with the text of its line; only for those shown, because finding a line is slow."""
    if not any(finding.level == "error" and finding.line and finding.text is None for finding in findings):
        return findings
    text = _text(content, options)
    return tuple(
        replace(finding, text=text.line_at(finding.line))
        if finding.level == "error" and finding.line and finding.text is None
        else finding
        for finding in findings
    )


def _encoding(content: Content) -> list[Finding]:
    """Marks and line ends that other programs may trip over."""
    notes = []
    if content.head(3) == codecs.BOM_UTF8:
        notes.append("begins with a byte-order mark, which other programs may take for part of the first id")
    if b"\r\n" in content.head(1 << 16):
        notes.append("has the line ends of Windows")
    return [Finding("note", "encoding", f"the file {note}") for note in notes]


def _distinct(said: Sequence[warnings.WarningMessage]) -> list[DataWarning]:
    met = [entry.message for entry in said if isinstance(entry.message, DataWarning)]
    return list({str(warning): warning for warning in met}.values())


def _summary(table: Any) -> str:  # any of the tables
    return repr(table) if isinstance(table, Run) else repr(table).partition(": ")[2]


def _is_folder(source: Readable) -> bool:
    return isinstance(source, str | os.PathLike) and os.path.isdir(source)
