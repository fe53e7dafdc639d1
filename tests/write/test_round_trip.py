"""Export then import gives equal data, for every format that can be written (FMT-4, FMT-5, FMT-7)."""

import io
import json
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataWarning, Error
from cranfield.read import (
    FORMATS,
    read_documents,
    read_judgments,
    read_pool,
    read_qrels,
    read_run,
    read_topics,
)
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Subtopic, Topic, Topics
from cranfield.write import WRITERS, render, write_table

BLANKS = " \t\n\v\f\r\0"
CHARACTERS = st.characters(codec="utf-8", exclude_characters=BLANKS)
IDS = st.text(CHARACTERS, min_size=1, max_size=6) | st.sampled_from(
    ["a/b", "50%", "x#1", 'say"so"', "﻿d", "née", "1.0", "-"]
)
TOPICS = IDS.filter(lambda text: not text.startswith(("#", "\ufeff")))  # a comment; a mark of two files joined
ANY = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6)
SCORES = st.floats(allow_nan=False) | st.sampled_from([np.inf, -np.inf, 5e-324, 1.7976931348623157e308, -0.0, 0.1])
GRADES = st.integers(-(2**53) + 1, 2**53 - 1)
EITHER, NOTHING = st.booleans(), st.none()


@st.composite
def runs(draw, topics=TOPICS, documents=IDS, names=IDS, ranked=EITHER):
    per_topic = draw(
        st.dictionaries(topics, st.dictionaries(documents, SCORES, min_size=1, max_size=4), min_size=1, max_size=3)
    )
    rows = [(t, d, s) for t, inner in per_topic.items() for d, s in inner.items()]
    rank = list(range(1, len(rows) + 1)) if draw(ranked) else None
    topic, document, score = map(list, zip(*rows, strict=True))
    return Run.of(draw(names), topic, document, score, rank)


@st.composite
def qrels(draw, topics=TOPICS, documents=IDS, grades=GRADES, iteration=NOTHING):
    per_topic = draw(
        st.dictionaries(topics, st.dictionaries(documents, grades, min_size=1, max_size=4), min_size=1, max_size=3)
    )
    rows = [(t, d, g) for t, inner in per_topic.items() for d, g in inner.items()]
    topic, document, grade = map(list, zip(*rows, strict=True))
    column = draw(st.one_of(iteration, st.lists(IDS, min_size=len(rows), max_size=len(rows))))
    return Qrels.of(topic, document, grade, column)


def reread(table, format, read, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # what is lost has its own test
        return read(io.BytesIO(render(table, format)), format=format, **options)


def test_every_format_said_to_be_writable_is_written_and_no_other():
    assert {name for name, item in FORMATS.items() if item.writable} == set(WRITERS)


@given(run=runs())
def test_a_trec_run_comes_back_as_it_was(run):
    back = reread(run, "run-trec", read_run)
    assert back.name == run.name
    assert back.same_rows(run)


@pytest.mark.parametrize("format", ["run-csv", "run-jsonl", "run-parquet"])
@given(run=runs(ANY, ANY, ANY))
def test_runs_with_any_ids_come_back_from_formats_that_quote(format, run):
    assert reread(run, format, read_run) == run


@given(run=runs(ranked=st.just(False)))
def test_a_run_comes_back_from_a_tab_separated_table(run):
    assert reread(run, "run-tsv", read_run) == run


@given(run=runs(ANY, ANY, st.just("run"), ranked=st.just(False)))
def test_a_run_comes_back_from_a_dictionary(run):
    assert reread(run, "run-json", read_run, name="run") == run


@given(run=runs())
def test_an_ms_marco_run_keeps_order_but_not_scores(run):
    back = reread(run, "run-msmarco", read_run, name=run.name)
    assert (back.topics, back.topic.tolist(), list(back.document)) == (
        run.topics,
        run.topic.tolist(),
        list(run.document),
    )
    assert reread(back, "run-msmarco", read_run, name=run.name) == back


@given(table=qrels(iteration=st.none()))
def test_trec_qrels_come_back_as_they_were(table):
    assert reread(table, "qrels-trec", read_qrels).same_rows(table)


@pytest.mark.parametrize("format", ["qrels-csv", "qrels-jsonl", "qrels-parquet"])
@given(table=qrels(ANY, ANY))
def test_qrels_with_any_ids_come_back_from_formats_that_quote(format, table):
    assert reread(table, format, read_qrels) == table


@pytest.mark.parametrize("format", ["qrels-tsv", "qrels-beir"])
@given(table=qrels())
def test_qrels_come_back_from_tab_separated_tables(format, table):
    assert reread(table, format, read_qrels).same_rows(table)


@pytest.mark.parametrize("format", ["qrels-json", "qrels-rank_eval", "qrels-quepid"])
@given(table=qrels(ANY, ANY))
def test_qrels_with_any_ids_come_back_from_formats_that_hold_no_iteration(format, table):
    assert reread(table, format, read_qrels).same_rows(table)


@st.composite
def judgments(draw):
    rows = draw(
        st.lists(
            st.tuples(ANY, ANY, ANY, st.sampled_from(["human", "llm"]), st.booleans(), GRADES, ANY),
            min_size=1,
            max_size=5,
        )
    )
    topic, document, assessor, kind, judged, grade, at = map(list, zip(*rows, strict=True))
    status = ["judged" if ok else "failed" for ok in judged]
    return Judgments.of(topic, document, assessor, grade, kind=kind, status=status, at=at)


@pytest.mark.parametrize("format", ["jsonl", "csv"])
@given(table=judgments())
def test_judgments_of_all_assessors_come_back(format, table):
    assert reread(table, f"qrels-{format}", read_judgments) == table


@given(st.lists(st.tuples(TOPICS, IDS, IDS, st.floats(0, 1) | st.just(np.nan)), min_size=1, max_size=5))
def test_a_pool_comes_back(rows):
    table = Pool.of(*map(list, zip(*rows, strict=True)))
    if table.topics[0].lower() != "topic":
        assert reread(table, "pool-tsv", read_pool) == table


def test_topics_and_documents_come_back(tmp_path):
    plain = Topics.of([Topic("q1", "cheap flights"), Topic("q/2", 'the "best" #1')])
    write_table(plain, tmp_path / "topics.tsv")
    assert read_topics(tmp_path / "topics.tsv") == plain
    rich = Topics.of(
        [
            Topic(
                "13",
                "harbour bridge",
                "main reading",
                "wide",
                "faceted",
                (Subtopic("1", "facts", "inf"),),
                {"note": "x"},
            )
        ]
    )
    write_table(rich, tmp_path / "queries.jsonl")
    assert read_topics(tmp_path / "queries.jsonl") == rich
    documents = Documents.of(
        [
            Document("d1", "Oslo\nfar", "T", "http://x"),
            Document("é", "<p>", kind="html", fields={"price": 3, "tags": ["a"]}),
        ]
    )
    write_table(documents, tmp_path / "corpus.jsonl.gz")
    assert read_documents(tmp_path / "corpus.jsonl.gz") == documents


def test_blanks_in_ids_are_refused_with_the_line_they_came_from(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("topic,doc,score\n1,d1,1\n1,d 2,2\n")
    with pytest.raises(Error) as caught:
        write_table(read_run(path), tmp_path / "r.run")
    assert str(caught.value).splitlines()[0] == f"E117: {path}:3: document id 'd 2' contains a blank"
    assert not (tmp_path / "r.run").exists()


def test_a_topic_that_would_become_a_comment_is_refused():
    with pytest.raises(Error, match="E117: topic id '#1' would begin a comment line"):
        render(Run.of("a", ["#1"], ["d"], [1.0]), "run-trec")


@pytest.mark.parametrize("name", ["", "my run"])
def test_a_name_that_cannot_be_a_tag_is_refused(name):
    with pytest.raises(Error, match="E117: run name"):
        render(Run.of(name, ["1"], ["d"], [1.0]), "run-trec")


def test_what_a_format_cannot_hold_is_named(tmp_path):
    run = Run.of("a", ["1"], ["d"], [14.5])
    with pytest.warns(DataWarning, match="W108: .*run-msmarco cannot hold scores"):
        write_table(run, str(tmp_path / "x"), "msmarco")
    table = replace(Qrels.of(["1"], ["d"], [1], ["7"]), probability=np.array([0.5]))
    with pytest.warns(DataWarning, match="qrels-beir cannot hold the iteration column, inclusion probabilities"):
        write_table(table, str(tmp_path / "y"), "beir")
    with pytest.warns(DataWarning, match="topics-tsv cannot hold descriptions$"):
        write_table(Topics.of([Topic("1", "q", "long")]), str(tmp_path / "z.tsv"))


def test_a_document_listed_twice_does_not_fit_into_a_dictionary():
    with pytest.raises(Error, match="E108"):
        render(Run.of("a", ["1", "1"], ["d", "d"], [1.0, 2.0]), "run-json")


def test_ranks_are_made_from_scores_where_the_run_has_none():
    run = Run.of("a", ["1", "1", "2", "1"], ["d1", "d2", "d3", "d9"], [1.0, 3.0, 9.0, 1.0])
    ranks = [line.split()[3] for line in render(run, "run-trec").decode().splitlines()]
    assert ranks == ["3", "1", "1", "2"]  # equal scores: d9 before d1


def test_formats_that_are_only_read_say_so(tmp_path):
    with pytest.raises(Error, match="E118: format topics-xml is read only"):
        write_table(Topics.of([Topic("1", "q")]), tmp_path / "t.xml", "xml")
    with pytest.raises(Error, match="E118: unknown format 'word'"):
        write_table(Run.of("a", ["1"], ["d"], [1.0]), tmp_path / "t", "word")
    with pytest.raises(Error, match="E121"):
        write_table({"a": 1}, tmp_path / "t")  # type: ignore[arg-type]  # a wrong type, on purpose


def test_json_lines_are_json():
    run = Run.of("a", ["1"], ['d"\n'], [0.1], [1])
    record = json.loads(render(run, "run-jsonl"))
    assert record == {"topic": "1", "doc": 'd"\n', "score": 0.1, "rank": 1, "run": "a"}


def test_tab_separated_tables_refuse_tabs_in_ids():
    with pytest.raises(Error, match=r"E117: document id 'a\\tb' \(row 1\) is empty or holds a tab or line break"):
        render(Run.of("a", ["1"], ["a\tb"], [1.0]), "run-tsv")


def test_what_a_format_needs_must_be_there():
    plain = Qrels.of(["1", "1"], ["d", "d"], [1, 0])
    for format, code in (("qrels-stratum", "E118"), ("qrels-prels", "E118"), ("qrels-json", "E109")):
        with pytest.raises(Error) as caught:
            render(plain, format)
        assert caught.value.code == code
    with pytest.raises(Error, match="E118: qrels-trec cannot hold the judgments of several assessors"):
        render(Judgments.of(["1"], ["d"], ["a"], [1]), "qrels-trec")


@pytest.mark.parametrize("form", ["run-json", "run-jsonl", "qrels-json", "qrels-jsonl"])
def test_people_can_read_the_ids_in_json(form):
    table = Run.of("née", ["é"], ["ü"], [1.0]) if form.startswith("run") else Qrels.of(["é"], ["ü"], [1])
    assert "é" in render(table, form).decode()
    assert "ü" in render(table, form).decode()
    assert b"\\u" not in render(table, form)


def test_ranks_are_made_within_topics():
    """Whatever the order of the rows, and whatever scores other topics have."""
    run = Run.of("a", ["1", "2", "1", "2", "1"], ["a", "b", "c", "d", "e"], [1.0, 2.0, 3.0, 4.0, 3.0])
    ranks = [line.split()[3] for line in render(run, "run-trec").decode().splitlines()]
    assert ranks == ["3", "2", "2", "1", "1"]


def test_an_ending_of_another_kind_of_table_is_refused(tmp_path):
    run = Run.of("a", ["1"], ["d"], [1.0])
    with pytest.raises(Error, match=r"E118: the ending .qrels is for qrels, and this is a run"):
        write_table(run, tmp_path / "a.qrels")
    for ending in (".txt", ".unknown", ""):
        write_table(run, tmp_path / f"a{ending}")
        assert (tmp_path / f"a{ending}").read_bytes() == b"1 Q0 d 1 1.0 a\n"


def test_a_binary_format_is_not_compressed_by_its_name(tmp_path):
    run = Run.of("a", ["1"], ["d"], [1.0])
    write_table(run, tmp_path / "a.parquet.gz")
    assert (tmp_path / "a.parquet.gz").read_bytes().startswith(b"PAR1")
    assert read_run(tmp_path / "a.parquet.gz") == run


@pytest.mark.parametrize("table", [Run.of("a", ["1"], ["d"], [1.0]), Qrels.of(["1"], ["d"], [1])])
def test_parquet_says_what_it_needs(table, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(Error, match="a Parquet file needs"):
        render(table, f"{'run' if isinstance(table, Run) else 'qrels'}-parquet")
