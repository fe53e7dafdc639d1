"""Every format says which columns it holds: those come back, and what else a table has is named (FMT-4)."""

import io
import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import read
from cranfield.errors import DataWarning, Error
from cranfield.read import FORMATS
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Subtopic, Topic, Topics
from cranfield.tables.text import Text
from cranfield.write import WRITERS, render, write_table
from cranfield.write.columns import COLUMNS, lost, made_ranks

ALL = list(WRITERS)
RUN = Run.of("bm25", ["1", "2", "1"], ["d1", "d2", "d3"], [0.5, -np.inf, 7.25], rank=[3, 1, 2])
QRELS = replace(
    Qrels.of(["1", "2", "1"], ["d1", "d2", "d3"], [2, 0, -1], iteration=["0", "7", "0"]),
    stratum=Text.of(["a", "b", "a"]),
    probability=np.array([0.25, 1.0, 0.1]),
)
TOPICS = Topics.of(
    [
        Topic("q1", "flights", "cheap ones", "to Oslo", "faceted", (Subtopic("1", "fares", "inf"),), {"note": "x"}),
        Topic("q2", "trains"),
    ]
)
DOCUMENTS = Documents.of(
    [Document("d1", "far\naway", "Oslo", "http://x", "html", {"price": 3, "tags": ["a"]}), Document("d2", "near")]
)
POOL = Pool.of(["1", "2", "1"], ["d1", "d2", "d3"], ["depth", "depth", "more"], [1.0, np.nan, 0.1])
FULL: dict[str, Any] = {"run": RUN, "qrels": QRELS, "topics": TOPICS, "documents": DOCUMENTS, "pool": POOL}
READ: dict[str, Any] = {
    "run": read.read_run,
    "qrels": read.read_qrels,
    "topics": read.read_topics,
    "documents": read.read_documents,
    "pool": read.read_pool,
}

GROUPED = ("run-json", "qrels-json", "qrels-rank_eval", "qrels-opensearch", "qrels-rre")  # by topic


def there_and_back(table: Any, format: str, **options: Any) -> tuple[Any, list[str]]:
    """The table that was read again, and what was said to be lost."""
    file = io.BytesIO()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        write_table(table, file, format)
    told = [str(entry.message.message) for entry in said if isinstance(entry.message, DataWarning)]
    file.seek(0)
    return READ[FORMATS[format].role](file, format=format, **options), told


def reduced(table: Any, role: str, held: set[str]) -> Any:
    """What is left of a table in a format that holds some of the columns."""
    if role == "run":
        table = table if "name" in held else table.renamed("<file>")
        table = table if "rank" in held else replace(table, rank=None)
        return table if "score" in held else replace(table, score=-np.asarray(ranks(table), dtype=np.float64))
    if role == "qrels":
        return replace(table, **{name: None for name in ("iteration", "stratum", "probability") if name not in held})
    if role == "topics":
        blank = Topic("", "")
        lacking = {name: value for name, value in vars(blank).items() if name not in held}
        return Topics.of(replace(topic, **lacking) for topic in table.values())
    return table


def ranks(run: Run) -> Any:
    return made_ranks(run) if run.rank is None else run.ranks()


def by_topic(table: Any) -> Any:
    """The same rows, topic by topic, as a dictionary holds them."""
    order = np.argsort(table.topic, kind="stable")
    columns = ("topic", "document", "score", "grade", "rank", "iteration", "stratum", "probability")
    there = {name: getattr(table, name) for name in columns if getattr(table, name, None) is not None}
    return replace(table, **{n: c.take(order) if isinstance(c, Text) else c[order] for n, c in there.items()})


@pytest.mark.parametrize("format", ALL)
def test_a_table_with_every_column_comes_back_with_those_the_format_holds(format):
    role, held = FORMATS[format].role, set(WRITERS[format].holds)
    table = by_topic(FULL[role]) if format in GROUPED else FULL[role]
    back, told = there_and_back(table, format)
    assert back == reduced(table, role, held)
    beyond = [column.noun for column in COLUMNS[role] if column.name not in held and is_missed(column.name, table)]
    assert told == ([f"{format} cannot hold {', '.join(beyond)}"] if beyond else [])


def is_missed(name: str, table: Any) -> bool:
    """Whether somebody misses the column; the name of a run may be that of the file."""
    parts = list(table.values()) if hasattr(table, "values") else [table]
    return name != "name" and any(getattr(part, name, None) is not None for part in parts)


@pytest.mark.parametrize("format", ALL)
def test_a_format_holds_columns_that_its_tables_have(format):
    known = [column.name for column in COLUMNS[FORMATS[format].role]]
    assert [name for name in known if name in WRITERS[format].holds] == list(WRITERS[format].holds)


IDS = st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0#"), min_size=1, max_size=5)
MAYBE = st.none() | st.just(True)


@st.composite
def qrels(draw):
    """Qrels with any choice of columns, whole grades or real ones."""
    rows = draw(st.dictionaries(st.tuples(st.sampled_from("abc"), IDS), st.none(), min_size=1, max_size=5))
    topic, document = map(list, zip(*rows, strict=True))
    number = draw(st.sampled_from([st.integers(-9, 9), st.floats(-1e9, 1e9)]))
    column = lambda values: draw(MAYBE) and draw(st.lists(values, min_size=len(rows), max_size=len(rows)))  # noqa: E731
    grade = draw(st.lists(number, min_size=len(rows), max_size=len(rows)))
    table = Qrels.of(topic, document, grade, column(IDS))
    stratum, probability = column(IDS), column(st.floats(0, 1) | st.just(math.nan))
    return replace(
        table,
        stratum=stratum and Text.of(stratum),
        probability=None if probability is None else np.array(probability),
    )


@pytest.mark.parametrize("format", [name for name in ALL if FORMATS[name].role == "qrels"])
@given(table=qrels())
def test_qrels_with_any_columns_come_back_or_are_refused(format, table):
    held = set(WRITERS[format].holds)
    table = by_topic(table) if format in GROUPED else table
    kind = "float" if table.grade.dtype.kind == "f" else "int"
    needed = {"qrels-stratum": "stratum", "qrels-probability": "probability", "qrels-prels": "probability"}.get(format)
    if needed and getattr(table, needed) is None:
        with pytest.raises(Error, match="E118"):
            there_and_back(table, format)
        return
    back, told = there_and_back(table, format, grades=kind)
    if table.iteration is None and back.iteration is not None:
        assert set(back.iteration) == {"0"}
        back = replace(back, iteration=None)
    assert back == reduced(table, "qrels", held)
    assert bool(told) == bool(lost(table, "qrels", held))


@st.composite
def runs(draw):
    """Runs with and without ranks."""
    rows = draw(st.dictionaries(st.tuples(st.sampled_from("abc"), IDS), st.floats(allow_nan=False), min_size=1))
    topic, document = map(list, zip(*rows, strict=True))
    rank = draw(st.none() | st.lists(st.integers(-9, 99), min_size=len(rows), max_size=len(rows)))
    return Run.of(draw(IDS), topic, document, list(rows.values()), rank)


@pytest.mark.parametrize("format", [name for name in ALL if FORMATS[name].role == "run"])
@given(run=runs())
def test_runs_with_and_without_ranks_come_back(format, run):
    held = set(WRITERS[format].holds)
    run = by_topic(run) if format in GROUPED else run
    back, told = there_and_back(run, format)
    if run.rank is None and back.rank is not None:
        assert (back.ranks() == made_ranks(run)).all()
        run = replace(run, rank=back.rank)
    assert back == reduced(run, "run", held)
    assert bool(told) == bool(lost(run, "run", held))


JUDGMENTS = Judgments.of(
    *(["1", "1", "2"], ["d1", "d1", "d2"], ["ann", "model", "ann"], [2, 0, -1]),
    kind=["human", "llm", "human"],
    status=["judged", "failed", "judged"],
    at=["2026-03-02T10:11:12.345Z", "", "later"],
)


@pytest.mark.parametrize("format", [name for name in ALL if FORMATS[name].role == "qrels"])
def test_judgments_of_several_assessors_come_back_whole_or_are_refused(format):
    file, about = io.BytesIO(), {"assessor", "kind", "status", "at"}
    if about <= set(WRITERS[format].holds):
        write_table(JUDGMENTS, file, format)
        file.seek(0)
        assert read.read_judgments(file, format=format) == JUDGMENTS
        return
    assert not about & set(WRITERS[format].holds)
    with pytest.raises(Error, match=f"E118: {format} cannot hold the judgments of several assessors"):
        write_table(JUDGMENTS, file, format)
    assert file.getvalue() == b""


@pytest.mark.parametrize("format", [name for name in ALL if FORMATS[name].role == "run"])
def test_several_runs_come_back_with_their_names_or_are_refused(format):
    several = Runs([by_topic(RUN), Run.of("b", ["2"], ["d9"], [0.5], [1])])
    if format in ("run-trec", "run-msmarco"):
        with pytest.raises(Error, match=f"E121: {format} holds one run, got 2"):
            render(several, format)
        return
    back = read.read_runs(io.BytesIO(render(several, format)), format=format)
    held = {*WRITERS[format].holds, "name"}
    assert back == Runs(reduced(run, "run", held) for run in several.values())


def test_ranks_that_only_some_runs_have_are_named():
    several = Runs([RUN, Run.of("b", ["2"], ["d9"], [0.5])])
    with pytest.warns(DataWarning, match="W108: run-csv cannot hold ranks that only some of the runs have"):
        write_table(several, io.BytesIO(), "run-csv")


def test_what_the_other_columns_tell_is_not_lost(tmp_path):
    plain = Run.of("bm25", ["1", "1"], ["d1", "d2"], [2.0, 1.0], rank=[1, 2])
    write_table(plain, tmp_path / "bm25.json")  # the ranks follow from the scores
    assert read.read_run(tmp_path / "bm25.json") == replace(plain, rank=None)
    write_table(replace(plain, score=np.array([-1.0, -2.0])), tmp_path / "bm25.tsv", "run-msmarco")
    write_table(Qrels.of(["1", "1"], ["d1", "d2"], [1, 0], iteration=["0", "Q0"]), tmp_path / "q.json")
    with pytest.warns(DataWarning, match=r"x.json: run-json cannot hold ranks$"):
        write_table(replace(plain, rank=np.array([2, 1])), tmp_path / "x.json")


def test_ranks_that_a_run_does_not_have_are_not_missed(tmp_path):
    write_table(replace(RUN, rank=None), tmp_path / "x.json")
    assert lost(replace(RUN, rank=None), "run", ["topic", "document", "score"]) == []


def spoilt(table: Any, name: str, text: str) -> Any:
    """The table with another text in a column of its first row."""
    if isinstance(table, Topics):
        return Topics.of([Topic(text if name == "id" else "q1", text if name == "query" else "flights")])
    if name == "name":
        return table.renamed(text)
    if name == "topic":
        return replace(table, topics=(text, *table.topics[1:]))
    return replace(table, **{name: Text.of([text, *list(getattr(table, name))[1:]])})


TABS = {
    "run-tsv": ("name", "topic", "document"),
    "qrels-tsv": ("topic", "document", "iteration", "stratum"),
    "qrels-beir": ("topic", "document"),
    "pool-tsv": ("topic", "document", "stratum"),
    "topics-tsv": ("id", "query"),
}
BLANKS = {
    "run-trec": ("name", "topic", "document"),
    "run-msmarco": ("topic", "document"),
    "qrels-trec": ("topic", "document", "iteration"),
    "qrels-stratum": ("topic", "document", "iteration", "stratum"),
    "qrels-probability": ("topic", "document", "iteration"),
    "qrels-prels": ("topic", "document"),
}


@pytest.mark.parametrize("text", ["", "a\tb", "a\nb", "a\rb"])
@pytest.mark.parametrize(("format", "name"), [(format, name) for format in TABS for name in TABS[format]])
def test_what_would_break_a_tab_separated_line_is_refused(format, name, text):
    text = text or (
        "\n" if format == "qrels-tsv" else ""
    )  # a judgment that failed has no grade: there cells may be empty
    with pytest.raises(Error, match="E117"):
        render(spoilt(FULL[FORMATS[format].role], name, text), format)


@pytest.mark.parametrize("text", ["", *(f"a{blank}b" for blank in " \t\n\v\f\r")])
@pytest.mark.parametrize(("format", "name"), [(format, name) for format in BLANKS for name in BLANKS[format]])
def test_what_would_break_a_line_of_words_is_refused(format, name, text):
    with pytest.raises(Error, match="E117"):
        render(spoilt(FULL[FORMATS[format].role], name, text), format)


@pytest.mark.parametrize("format", list(BLANKS))
def test_a_topic_that_would_begin_a_comment_is_refused(format):
    with pytest.raises(Error, match="E117: topic id '#1' would begin a comment line"):
        render(spoilt(FULL[FORMATS[format].role], "topic", "#1"), format)


@pytest.mark.parametrize("format", [name for name in ALL if name.endswith(("csv", "jsonl", "parquet"))])
def test_any_text_comes_back_from_formats_that_quote(format):
    role = FORMATS[format].role
    names = {"run": ("name", "topic", "document"), "qrels": ("topic", "document", "iteration")}.get(role, ())
    for name, text in ((name, text) for name in names for text in ("a,b", 'a"b', "a\tb", "a\nb", " a ", "#1", "é")):
        table = spoilt(FULL[role], name, text)
        assert there_and_back(table, format)[0] == reduced(table, role, set(WRITERS[format].holds)), (name, text)


def test_json_lines_write_numbers_as_numbers_and_leave_out_what_is_not_known():
    assert render(QRELS, "qrels-jsonl").splitlines()[0] == (
        b'{"topic":"1","doc":"d1","grade":2,"iteration":"0","stratum":"a","probability":0.25}'
    )
    assert render(JUDGMENTS, "qrels-jsonl").splitlines()[1] == (
        b'{"topic":"1","doc":"d1","assessor":"model","kind":"llm","status":"failed","grade":null}'
    )
    assert render(RUN, "run-jsonl").splitlines()[1] == (
        b'{"topic":"2","doc":"d2","score":-Infinity,"rank":1,"run":"bm25"}'
    )
    assert render(TOPICS, "topics-jsonl").splitlines()[1] == b'{"_id":"q2","text":"trains"}'
    assert render(DOCUMENTS, "documents-jsonl").splitlines()[1] == b'{"_id":"d2","text":"near"}'


def test_json_keeps_letters_as_they_are_and_one_run_needs_no_name():
    run = Run.of("a", ["é"], ["d"], [1.0])
    assert render(Runs([run]), "run-json") == render(run, "run-json") == '{"é": {"d": 1.0}}\n'.encode()
    both = render(Runs([run, run.renamed("b")]), "run-json")
    assert both == '{"a": {"é": {"d": 1.0}}, "b": {"é": {"d": 1.0}}}\n'.encode()
    assert render(Topics.of([Topic("é", "à")]), "topics-jsonl") == '{"_id":"é","text":"à"}\n'.encode()


def test_a_format_that_is_only_read_names_those_of_its_kind_that_are_written():
    with pytest.raises(Error) as caught:
        write_table(TOPICS, io.BytesIO(), "topics-xml")
    assert caught.value.hint == "can be written: topics-tsv, topics-jsonl"


def test_json_lines_name_a_probability_that_is_not_known():
    table = replace(Qrels.of(["1"], ["d"], [1], ["0"]), probability=np.array([np.nan]))
    assert b'"probability":"NA"' in render(table, "qrels-jsonl")
