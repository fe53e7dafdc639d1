"""Files and objects -> tables.

This module holds the public readers. `sources` finds and opens files, `guess` recognises a format, `formats` reads it,
`objects` and `frames` convert Python objects and data frames; `checked_columns` checks every value. `definition`
says what a format is.

Read this module first, then `formats/trec`.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, cast

from cranfield.errors import InputError
from cranfield.read.definition import FORMATS, Role, named
from cranfield.read.guess import guess
from cranfield.read.options import Keywords, ReadOptions, TextsLike
from cranfield.read.sources.content import Content, Readable, as_utf8, fetch
from cranfield.read.sources.encodings import for_role
from cranfield.read.sources.paths import expand
from cranfield.read.sources.run_names import with_distinct_names
from cranfield.read.sources.runs import files

if TYPE_CHECKING:
    from cranfield.read.accepted import FrameLike, QrelsLike, RunsLike
    from cranfield.tables.judgments import Judgments
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.run import Run, Runs
    from cranfield.tables.side.documents import Documents
    from cranfield.tables.side.intents import Intents
    from cranfield.tables.side.latencies import Latencies
    from cranfield.tables.side.pool import Pool
    from cranfield.tables.side.probabilities import Probabilities
    from cranfield.tables.side.topics import Topics

__all__ = [
    "FORMATS",
    "ReadOptions",
    "from_contexts",
    "read_documents",
    "read_intents",
    "read_judgments",
    "read_latencies",
    "read_pool",
    "read_probabilities",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_topics",
]


def read_run(source: "Readable | RunsLike", **options: Unpack[Keywords]) -> "Run":
    """One run from a file, standard input (`-`), an open file, or any object that `evaluate` takes.

    Options: `format`, `columns`, `encoding` (or several, `"utf-8,old/*=latin-1"`), `max_errors`, `max_size`, `name`,
    `name_by`; `topics`, whose ids stand for the query texts of formats without ids (Quepid, samples).

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_run(io.StringIO("301 Q0 FT911-3 1 14.25 bm25"))
    Run 'bm25': 1 topic, 1 document
    """
    runs = read_runs(source, **options)
    if not runs:
        raise InputError("E121", "no run was given", hint="give a path, '-', or an open file")
    if len(runs) > 1:
        problem = f"holds {len(runs)} runs: {', '.join(runs)}"
        raise InputError("E121", problem, path=runs.members[0].source.name, hint="read_runs reads all of them")
    return runs.members[0]


def read_runs(*sources: "Readable | RunsLike | Sequence[Readable]", **options: Unpack[Keywords]) -> "Runs":
    """Several runs from files, globs, directories of partitions, `NAME=path`, lists of them, or any object.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_runs(io.StringIO("301 Q0 a 1 2.5 bm25"), io.StringIO("301 Q0 b 1 0.9 dense"))
    Runs: 2 systems (bm25, dense)
    """
    from cranfield.tables.run import Runs

    chosen = ReadOptions(**options)
    named: list[Any] = []
    for source in sources:
        named += (
            source if isinstance(source, list | tuple) and not _is_rows(source) else [source]
        )  # no list: one of them
    if all(map(_is_file, named)):
        return Runs(with_distinct_names([*files(named, chosen).open()]))
    from cranfield.read.objects import as_sources

    found = [run for source in named for run in as_sources(source, chosen).open()]
    return Runs(with_distinct_names([run.renamed(chosen.name) for run in found] if chosen.name else found))


def from_contexts(
    samples: "Readable | Sequence[Mapping[str, Any]] | FrameLike",
    *,
    topics: TextsLike | None = None,
    docs: TextsLike | None = None,
    name: str = "run",
) -> "Run":
    """The run in samples of a RAG framework: a question, and what was retrieved for it, best first.

    Args:
        samples: records or a data frame with `user_input` and `retrieved_context_ids` or `retrieved_contexts`, or a
            file of JSON lines.
        topics: `{id: question}` or a file of topics; without them a question is its own id.
        docs: `{id: text}` or a file of documents, where samples hold texts; without them a text is its own id.
        name: of the run.

    >>> import cranfield as cf
    >>> samples = [{"user_input": "far away?", "retrieved_contexts": ["Oslo is far.", "Rome is near."]}]
    >>> run = cf.from_contexts(samples, topics={"q1": "far away?"}, docs={"d1": "Rome is near.", "d2": "Oslo is far."})
    >>> run.topics, list(run.document)
    (('q1',), ['d2', 'd1'])
    """
    return read_run(samples, topics=topics, docs=docs, name=name)


def read_qrels(source: "Readable | QrelsLike", **options: Unpack[Keywords]) -> "Qrels":
    """The judgments in a file, standard input (`-`), an open file, or any object that `evaluate` takes.

    Options: `format`, `columns`, `encoding`, `max_errors`, `max_size`, `grades` (`int` or `float`); `topics`, whose
    ids stand for the query texts of formats without ids (OpenSearch, Quepid, RRE); `docs` and `map` for labels of
    umbrela.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_qrels(io.StringIO("301 0 FT911-3 1"))
    Qrels: 1 topic, 1 judgment, grades 1…1
    """
    chosen = ReadOptions(**options)
    if not _is_file(source):
        from cranfield.read.objects import as_qrels

        return as_qrels(source, chosen.grades, chosen)
    qrels: Qrels = load(one(cast("Readable", source)), "qrels", chosen)  # a file, as was found out above
    return qrels


def read_judgments(source: Readable, **options: Unpack[Keywords]) -> "Judgments":
    """The judgments of all assessors in a JSONL, CSV, TSV or Parquet file; failed ones are kept, without a grade.

    Options are those of `read_qrels`, and `missing`: words in the grade column that stand for no judgment.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_judgments(io.StringIO("topic,doc,assessor,grade\\n301,a,ann,1\\n301,a,bob,0"))
    Judgments: 2 assessors, 1 topic, 2 judgments
    """
    chosen = ReadOptions(**options)
    content = fetch(one(source), chosen.max_size)
    if content.head(4) == b"PAR1":
        from cranfield.read.frames import frame_judgments, parquet

        table = frame_judgments(parquet(content), chosen, content.name)
        return replace(table, source=content.source("qrels-parquet", lines=False, assessors=table.source.assessors))
    from cranfield.read.formats.tabular import read_all_judgments

    return read_all_judgments(as_utf8(content, for_role(chosen.encoding, "qrels")), chosen)


def read_topics(source: Readable, **options: Unpack[Keywords]) -> "Topics":
    """The topics in a file: TREC SGML, XML, TSV, or BEIR's queries.jsonl.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_topics(io.StringIO("q1\\tcheap flights to oslo"))["q1"].query
    'cheap flights to oslo'
    """
    topics: Topics = load(one(source), "topics", ReadOptions(**options))
    return topics


def read_documents(source: Readable, **options: Unpack[Keywords]) -> "Documents":
    """The documents in a JSONL or TSV file or a directory; only their positions are kept, and text is read on access.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_documents(io.StringIO('{"_id": "d1", "title": "Oslo", "text": "Far away."}'))["d1"].title
    'Oslo'
    """
    chosen = ReadOptions(**options)
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        from cranfield.read.formats.documents.lines import read_directory

        return read_directory(source, chosen)
    from cranfield.read.sources.on_disk import on_disk

    content = on_disk(one(source), for_role(chosen.encoding, "documents"), chosen.max_size)
    format = named(chosen.format, "documents") if chosen.format else guess(content, "documents", chosen)
    found: Documents = format.reader(content, chosen)
    return found


def read_pool(source: Readable, **options: Unpack[Keywords]) -> "Pool":
    """The pool in a TSV file.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_pool(io.StringIO("301\\tFT911-3\\tdepth20\\t1.0"))
    Pool: 1 topic, 1 pair (depth20)
    """
    pool: Pool = load(one(source), "pool", ReadOptions(**options))
    return pool


def read_probabilities(source: Readable, **options: Unpack[Keywords]) -> "Probabilities":
    """Label probabilities from a JSONL file.

    >>> import io
    >>> import cranfield as cf
    >>> len(cf.read_probabilities(io.StringIO('{"topic": "301", "doc": "FT911-3", "p": [0.7, 0.2, 0.1]}')))
    1
    """
    found: Probabilities = load(one(source), "estimate", ReadOptions(**options))
    return found


def read_intents(source: Readable, **options: Unpack[Keywords]) -> "Intents":
    """Intent probabilities: how likely each subtopic is what the searcher wants.

    >>> import io
    >>> import cranfield as cf
    >>> cf.read_intents(io.StringIO("201 1 0.75\\n201 2 0.25")).of_topic("201")
    {'1': 0.75, '2': 0.25}
    """
    found: Intents = load(one(source), "intents", ReadOptions(**options))
    return found


def read_latencies(source: Readable, **options: Unpack[Keywords]) -> "Latencies":
    """Latencies per run and topic, and facts about the index, from a JSONL or CSV file.

    >>> import io
    >>> import cranfield as cf
    >>> len(cf.read_latencies(io.StringIO('{"run": "bm25", "topic": "301", "latency_ms": 12.5}')))
    1
    """
    found: Latencies = load(one(source), "efficiency", ReadOptions(**options))
    return found


def _is_file(source: object) -> bool:
    """Whether a source is a path or an open file; everything else is an object in memory."""
    return isinstance(source, str | os.PathLike) or hasattr(source, "read")


def _is_rows(source: Sequence[Any]) -> bool:
    """Whether a list holds the rows of one table, not several sources."""
    return bool(source) and (isinstance(source[0], Mapping) or hasattr(source[0], "query_id"))


def one(source: Readable) -> Readable:
    """The single file that a path or glob names; an error if there are several."""
    found = expand([source])
    if len(found) > 1:
        raise InputError("E121", f"{source!r} matches {len(found)} files, expected one")
    return found[0].path


def load(source: Readable | Content, role: Role, options: ReadOptions) -> Any:  # the table that the role stands for
    """The table in a file: fetch (unless already fetched), decode, recognise the format, read."""
    content = source if isinstance(source, Content) else fetch(source, options.max_size)
    wanted = None if options.format is None else named(options.format, role)
    if wanted is None and content.head(4) == b"PAR1":
        wanted = named("parquet", role)
    if wanted is not None and wanted.binary:
        return wanted.reader(content, options)
    text = as_utf8(content, for_role(options.encoding, role))
    wanted = wanted or guess(text, role, options)
    table = wanted.reader(text, options)
    if not wanted.by_text or options.topics is None:
        return table
    from cranfield.read.formats.search_tools.texts import with_topic_ids

    return with_topic_ids(table, options.topics, content.name)
