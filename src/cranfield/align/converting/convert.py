"""Convert files to another format of the same role; a warning names what the new format cannot hold."""

import os
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Unpack, get_args

from cranfield.align.combining.combine import collapse as collapse_subtopics
from cranfield.align.combining.combine import combine
from cranfield.align.combining.rules import ASSESSOR, GRADE_RULES
from cranfield.align.converting.mapping import Names, match_map, read_map, renamed
from cranfield.align.converting.merge import Mergeable, merged
from cranfield.align.policy import Collapse
from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.warning import warn
from cranfield.errors.wording import either, setting
from cranfield.read import load, read_documents
from cranfield.read.definition import FORMATS, NOUNS, Role, named, with_assessors
from cranfield.read.formats.tabular import read_all_judgments
from cranfield.read.options import Keywords, ReadOptions, TextsLike
from cranfield.read.roles import role_of
from cranfield.read.sources.content import Content, Readable, as_utf8, fetch
from cranfield.read.sources.paths import NamedPath, ending, expand, stem
from cranfield.registry import one_of
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Runs
from cranfield.tables.words import counted
from cranfield.whole_files import make_folder, same_file
from cranfield.write import write_table
from cranfield.write.write import target


@dataclass(frozen=True)
class Written:
    """One file that was written."""

    path: str
    format: str
    rows: int


@checked_methods
@dataclass(frozen=True)
class Conversion:
    """What was read, what was written, and what was left behind."""

    role: str  # what the tables hold, such as `run`
    inputs: tuple[dict[str, Any], ...]  # role, name, rows, sha256
    outputs: tuple[Written, ...]  # the files that were written
    dropped: tuple[str, ...]  # what the format cannot carry

    def __repr__(self) -> str:
        names = [entry["name"] for entry in self.inputs]
        if len(self.outputs) == 1:
            names = [", ".join(names[:3]) + (", …" if len(names) > 3 else "")]
        pairs = zip(names, self.outputs, strict=True)
        lines = [f"{name} -> {out.path}: {out.format}, {counted(out.rows, 'row')}" for name, out in pairs]
        return "\n".join([*lines, *(f"not carried over: {what}" for what in self.dropped)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"role": self.role, "outputs": [asdict(out) for out in self.outputs], "dropped": list(self.dropped)}


def convert(
    *sources: Readable,
    output: "str | os.PathLike[str]",
    to: str | None = None,
    role: Role | None = None,
    map_topics: Readable | None = None,
    map_docs: Readable | None = None,
    rule: str | None = None,
    collapse: Collapse | None = None,
    **options: Unpack[Keywords],
) -> Conversion:
    """Write the tables of some files in another format of the same role.

    Args:
        sources: paths, globs, `-`; several become one table.
        output: the file, `-`, or a directory (`out/`), which gets one file for each source.
        to: the format; by default that of the ending of `output`.
        role: `run`, `qrels`, `topics`, `documents` or `pool`; by default guessed from the first source.
        map_topics: a file of two columns that gives topics new ids.
        map_docs: the same for documents.
        rule: how several assessors become one grade: `majority`, `median`, `max`, `min`, `mean`, `assessor:NAME`.
        collapse: how subtopics become one grade: `any` or `max`.
        options: those of the readers (`format`, `columns`, `encoding`, `grades`, `docs`, `map` …); `topics` also turns
            ids into query texts, for formats that hold no ids.

    >>> import tempfile, pathlib
    >>> import cranfield as cf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     old, new = pathlib.Path(folder, "qrels.txt"), pathlib.Path(folder, "qrels.csv")
    ...     _ = old.write_text("301 0 FT911-3 1\\n")
    ...     done = cf.convert(old, output=new)
    ...     print(new.read_text())
    topic,doc,grade,iteration
    301,FT911-3,1,0
    <BLANKLINE>
    >>> done.outputs[0].format, done.dropped
    ('qrels-csv', ())
    """
    chosen = ReadOptions(**options)
    if role is not None:
        one_of("role", role, get_args(Role))
    items = expand(sources)
    if not items:
        raise PolicyError("E200", "there is nothing to convert", hint="name at least one file")
    topics, documents = ({} if source is None else read_map(source) for source in (map_topics, map_docs))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", DataWarning)
        loaded = [_load(item, _told(role, to, chosen), chosen, keep_assessors=rule is not None) for item in items]
        for names, noun, source in ((topics, "topic", map_topics), (documents, "document", map_docs)):
            match_map(names, [each.table for each in loaded], noun, str(source))
        tables = [_reworked(each.table, topics, documents, rule, collapse) for each in loaded]
        jobs = _jobs(loaded, tables, output, to)
        _refuse_inputs([path for path, _ in jobs], [*items, *_paths(map_topics, map_docs)])
        outputs = tuple(_write(table, path, to, chosen.topics) for path, table in jobs)
    kept = {each.name for each in loaded if isinstance(each.table, Judgments)}  # their failed judgments are still there
    every = [entry.message for entry in said if isinstance(entry.message, DataWarning)]
    met = [each for each in every if not (each.code == "W109" and each.where in kept)]
    for warning in {str(each): each for each in met}.values():
        warn(warning)
    dropped = [each.message for each in met if each.code in ("W108", "W109")]
    return Conversion(loaded[0].role, tuple(each.entry for each in loaded), outputs, tuple(dict.fromkeys(dropped)))


@dataclass(frozen=True, eq=False)
class _Loaded:
    role: Role
    name: str
    sha256: str | None
    table: Mergeable

    @property
    def entry(self) -> dict[str, Any]:
        rows = sum(map(len, self.table.values())) if isinstance(self.table, Runs) else len(self.table)
        return {"role": self.role, "name": self.name, "rows": rows, "sha256": self.sha256}


def _told(role: Role | None, to: str | None, options: ReadOptions) -> Role | None:
    """The role that the caller named, directly or through the name of a format."""
    for name in (to, options.format):
        if role is None and name is not None and (known := FORMATS.find(name)):
            role = known.role
    return role


def _load(item: NamedPath, role: Role | None, options: ReadOptions, keep_assessors: bool) -> _Loaded:
    if isinstance(item.path, str | os.PathLike) and os.path.isdir(item.path) and role in (None, "documents"):
        return _Loaded("documents", str(item.path), None, read_documents(item.path))
    content = fetch(item.path, options.max_size)
    packed = content.head(4) == b"PAR1"
    text = content if packed else as_utf8(content, options.encoding)
    found = role or role_of(text)
    if not any(item.writable for item in FORMATS.values() if item.role == found):
        raise InputError("E118", f"{NOUNS[found]} cannot be converted: no other format holds them", path=content.name)
    own = options.named(item.name)
    table = load(content, found, own)
    if isinstance(table, list):
        table = Runs(table if item.name is None else (run.renamed(run.name) for run in table))
    if metadata := [run for run in (table.values() if isinstance(table, Runs) else ()) if run.source.metadata]:
        _lost(f"the ir_metadata header of {metadata[0].source.name}")
    if isinstance(table, Qrels) and not packed:
        table = _with_assessors(text, table, own, keep_assessors)
    return _Loaded(found, content.name, content.sha256, table)


def _with_assessors(content: Content, qrels: Qrels, options: ReadOptions, wanted: bool) -> Qrels | Judgments:
    """The judgments of each assessor if the file names assessors, else the qrels."""
    if (format := FORMATS.find(qrels.source.format)) is None or format.columns is None:
        if wanted:
            hint = f"judgments of several assessors come as one of {with_assessors()}"
            raise InputError("E118", f"{qrels.source.format} names no assessors", path=content.name, hint=hint)
        return qrels
    judgments = read_all_judgments(content, options)
    plain = not any(judgments.assessor.codes()[0]) and bool(judgments.judged.all())
    return qrels if plain and not wanted else judgments


def _reworked(table: Mergeable, topics: Names, documents: Names, rule: str | None, collapse: str | None) -> Mergeable:
    """New ids, one grade for several assessors, one grade for several subtopics."""
    table = renamed(table, topics, documents)
    if rule is not None and isinstance(table, Judgments):
        done = combine(table, rule)
        _say_ungraded(table)
        if done.disputed:
            topic, document = done.disputed[0]
            _lost(f"{counted(len(done.disputed), 'pair')} without a winning grade (first: {topic} {document})")
        table = done.qrels
    if collapse is not None:
        if not isinstance(table, Qrels):
            raise PolicyError("E244", f"{setting('collapse')} is for qrels with subtopics")
        table = collapse_subtopics(table, collapse)
    return table


def _jobs(
    loaded: Sequence[_Loaded], tables: Sequence[Mergeable], output: "str | os.PathLike[str]", to: str | None
) -> list[tuple[str, Mergeable]]:
    """The table for each output file: all tables in one file, or one file for each table."""
    path = os.fspath(output)
    if not (path.endswith(("/", os.sep)) or os.path.isdir(path)):
        return [(path, merged(tables))]
    if to is None:
        raise PolicyError(
            "E244",
            f"{path} is a directory, so it has no ending that names a format",
            hint=f"name the format: {setting('to', 'jsonl')}",
        )
    suffix = _ending(named(to, loaded[0].role).name)
    make_folder(path)
    jobs = [(str(Path(path, stem(each.name) + suffix)), table) for each, table in zip(loaded, tables, strict=True)]
    if len({name for name, _ in jobs}) < len(jobs):
        raise PolicyError("E243", "two inputs would be written to one file", hint="convert them one by one")
    return jobs


def _ending(format: str) -> str:
    own = FORMATS[format].all_endings
    kind = format.partition("-")[2]
    return own[0] if own else {"beir": ".tsv", "trec": ".txt"}.get(kind, f".{kind}")


def _write(table: Mergeable, path: str, to: str | None, topics: TextsLike | None) -> Written:
    single = table.members[0] if isinstance(table, Runs) and len(table) == 1 else table
    probe = Qrels.of([], [], []) if isinstance(single, Judgments) else single  # no other qrels have another ending
    format = target(probe, ending(path) if path != "-" else "", to).name
    if isinstance(single, Judgments) and FORMATS[format].columns is None:
        single = _without_assessors(single, format)
    write_table(single, path, format, topics=topics)
    rows = sum(map(len, single.values())) if isinstance(single, Runs) else len(single)
    return Written(path, format, rows)


def _without_assessors(table: Judgments, format: str) -> Qrels:
    """Qrels of judgments that one assessor made; those of several need a rule."""
    if len(table.assessor.codes()[0]) > 1:
        hint = f"{setting('rule', *GRADE_RULES, f'{ASSESSOR}NAME')} makes one grade of several"
        raise PolicyError("E118", f"{format} cannot hold the judgments of several assessors", hint=hint)
    _lost("the name of the assessor and the time of each judgment")
    _say_ungraded(table)
    return table.qrels()


def _say_ungraded(table: Judgments) -> None:
    if left := len(table) - int(table.judged.sum()):
        _lost(f"judgments that failed or are open: {left:,}")


def _refuse_inputs(outputs: Sequence[str], inputs: Sequence[NamedPath]) -> None:
    for path in outputs:
        for item in inputs:
            if isinstance(item.path, str | os.PathLike) and path != "-" and same_file(path, item.path):
                subject = either(python=f"output={path!r}", command=f"-o {path}")
                raise PolicyError("E211", f"{subject} would overwrite an input", hint="choose another name")


def _paths(*sources: Readable | None) -> list[NamedPath]:
    return [NamedPath(source) for source in sources if source is not None]


def _lost(what: str) -> None:
    warn(DataWarning("W108", what))
