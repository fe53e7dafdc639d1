"""The compiled kernel and the path in NumPy: the same tables, the same errors, the same scores."""

import gzip
import io
import math
import sys
import warnings
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import kernel
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.tie_groups import count_ties
from cranfield.read.options import ReadOptions
from cranfield.read.sources import pieces
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text
from tests.align import worlds
from tests.kernel.paths import needs_compiled, pure

pytestmark = needs_compiled

BLANKS = st.sampled_from([" ", "\t", "  ", " \t ", "\v", "\f"])
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", "\n# note\n", " \n"])
NUMERALS = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.floats(allow_nan=False, width=32).map(str),
    st.integers(-(10**25), 10**25).map(str),
    st.from_regex(r"[+-]?[0-9]{0,20}\.?[0-9]{0,22}([eE][+-]?[0-9]{1,4})?", fullmatch=True),
    st.sampled_from(["abc", "1_0", "0x10", "nan", "inf", "-Infinity", "1e", ".", "+", "1e999", "-1e-999", "9" * 70]),
)
IDS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=20),
    st.sampled_from(
        ["d", "1234567", "12345678", "123456789", "x" * 255, "x" * 256, "x" * 257, "x" * 70_000, "\x01", "a\x1fb"]
    ),
)
TOPICS = st.sampled_from(["301", "302", "q", "é", "a-very-long-topic-name-of-more-than-eight-bytes"])


def outcome(function, *arguments, **keywords):
    """What a function gives, or how it fails."""
    try:
        return function(*arguments, **keywords)
    except cf.Error as error:
        return [str(e) for e in (error, *error.more)]


def assert_same_run(here, there):
    if isinstance(here, list) or isinstance(there, list):
        assert here == there
        return
    assert here == there
    assert here.source.sha256 == there.source.sha256
    assert [here.line_of(row) for row in range(len(here))] == [there.line_of(row) for row in range(len(there))]
    assert here.document.hash.tolist() == there.document.hash.tolist()


lines_of_runs = st.lists(
    st.tuples(
        TOPICS, st.just("Q0"), IDS, st.integers(0, 99).map(str), NUMERALS, st.sampled_from(["tag", "tag", "other"])
    ),
    min_size=1,
    max_size=12,
)


@given(lines_of_runs, st.lists(BLANKS, min_size=5, max_size=5), ENDS, st.sampled_from(["", "\n", " "]), st.booleans())
def test_a_run_is_read_alike(rows, blanks, end, last, packed):
    text = (
        end.join("".join(word + blank for word, blank in zip(row, [*blanks, ""], strict=True)) for row in rows) + last
    )
    data = gzip.compress(text.encode()) if packed else text.encode()
    here = outcome(cf.read_run, io.BytesIO(data), format="run-trec")
    with pure():
        assert_same_run(here, outcome(cf.read_run, io.BytesIO(data), format="run-trec"))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_alike(data):
    for format in ("run-trec", "run-msmarco"):
        here = outcome(cf.read_run, io.BytesIO(data), format=format)
        with pure():
            assert_same_run(here, outcome(cf.read_run, io.BytesIO(data), format=format))


@given(st.one_of(NUMERALS.filter(str.strip), st.sampled_from(["1", "+7", "-0", "1.0", "1e2", "9007199254740993"])))
def test_a_rank_is_a_whole_number_alike(rank):
    data = io.BytesIO(f"1 a {rank}\n".encode()), io.BytesIO(f"1 a {rank}\n".encode())
    here = outcome(cf.read_run, data[0], format="run-msmarco")
    with pure():
        assert_same_run(here, outcome(cf.read_run, data[1], format="run-msmarco"))


@given(st.lists(st.tuples(TOPICS, st.sampled_from(["0", "1"]), IDS, NUMERALS), min_size=1, max_size=8), ENDS)
def test_qrels_are_read_alike(rows, end):
    data = end.join(" ".join(row) for row in rows).encode()
    for grades in ("int", "float"):
        here = outcome(cf.read_qrels, io.BytesIO(data), format="qrels-trec", grades=grades)
        with pure():
            there = outcome(cf.read_qrels, io.BytesIO(data), format="qrels-trec", grades=grades)
        assert here == there
        if isinstance(here, Qrels):
            assert here.grade.dtype == there.grade.dtype


@given(st.lists(NUMERALS.filter(lambda text: text.strip()), min_size=1, max_size=30))
def test_every_numeral_is_rounded_as_python_rounds_it(numerals):
    good = [text for text in numerals if _is_number(text)]
    data = "".join(f"1 Q0 d{number} 1 {text} t\n" for number, text in enumerate(good)).encode()
    if good:
        score = cf.read_run(io.BytesIO(data), format="run-trec").score
        assert [s.hex() for s in score.tolist()] == [float(text).hex() for text in good]


def _is_number(text):
    try:
        return "_" not in text and not math.isnan(float(text))
    except ValueError:
        return False


@given(worlds.runs, st.sampled_from(["trec", "trec9", "given", "file"]), st.randoms(use_true_random=False))
def test_lists_are_ordered_alike(rows, ties, random):
    items = list(rows.items())
    random.shuffle(items)
    ranks = [random.randrange(9) for _ in items]
    run = Run.of("r", [t for (t, _), _ in items], [d for (_, d), _ in items], [s for _, s in items], ranks)
    policy = Policy(ties=ties, depth=random.choice([None, 1, 3]))
    here = Rankings.of(run, policy)
    with pure():
        there = Rankings.of(run, policy)
        expected = count_ties(there, 2)
    assert (here.order is None) == (there.order is None)
    assert (here.row.tolist(), here.begin.tolist()) == (there.row.tolist(), there.begin.tolist())
    assert count_ties(here, 2) == expected


@given(st.lists(st.sampled_from([1.0, math.nan, 2.0, -math.inf]), min_size=1, max_size=40))
def test_scores_that_are_no_numbers_come_last_as_they_stand(scores):
    run = Run("r", ("1",), np.zeros(len(scores), np.int64), Text.of(map(str, range(len(scores)))), np.array(scores))
    here = Rankings.of(run)
    with pure():
        assert here.row.tolist() == Rankings.of(run).row.tolist()


def test_many_rows_are_sorted_and_equal_scores_keep_the_order_of_documents():
    rng = np.random.default_rng(1)
    documents = [f"d{number}" for number in rng.permutation(5000)]
    topics = [f"{number}" for number in rng.integers(0, 7, 5000)]
    run = Run.of("r", topics, documents, rng.integers(0, 40, 5000).astype(float))
    for ties in ("trec", "file"):
        here = Rankings.of(run, Policy(ties=ties))
        with pure():
            assert here.row.tolist() == Rankings.of(run, Policy(ties=ties)).row.tolist()


@given(worlds.qrels, worlds.runs)
def test_the_same_documents_are_found(judgments, rows):
    qrels = Qrels.of([t for t, _ in judgments], [d for _, d in judgments], list(judgments.values()))
    run = Run.of("r", [t for t, _ in rows], [d for _, d in rows], list(rows.values()))
    here = JudgmentIndex.of(qrels).hits(Rankings.of(run))
    with pure():
        fresh = Text(run.document.buffer, run.document.start, run.document.length)
        again = Run(run.name, run.topics, run.topic, fresh, run.score)
        there = JudgmentIndex.of(qrels).hits(Rankings.of(again))
    for field in fields(here):
        if field.name != "lists":
            assert np.array_equal(getattr(here, field.name), getattr(there, field.name)), field.name


TWICE = b"1 Q0 a 1 3 t\n2 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n"


@pytest.mark.parametrize("duplicates", ["error", "first", "last", "best"])
def test_a_document_listed_twice_is_found_alike(duplicates):
    def lists():
        return Rankings.of(cf.read_run(io.BytesIO(TWICE)), Policy(duplicates=duplicates)).row.tolist()

    here = outcome(lists)
    with pure():
        assert here == outcome(lists)


def scores_of(tmp_path, judged, data, **policies):
    path = tmp_path / "some.run"
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return outcome(cf.evaluate, judged, str(path), ["AP", "nDCG@2", "RBP(p=0.8)", "Bpref", "Judged@2"], **policies)


def assert_same_scores(here, there):
    if isinstance(here, list) or isinstance(there, list):
        assert here == there
        return
    assert np.array_equal(here.values, there.values, equal_nan=True)
    known, other = here.audit.as_dict(), there.audit.as_dict()
    known.pop("versions"), other.pop("versions")  # they name the path
    assert known == other


LINE = st.tuples(
    st.sampled_from(["1", "2", "3", "x"]),
    st.sampled_from("abcdefgh"),
    st.sampled_from(["3", "2.5", "-inf", "1e0", "zero"]),
)


@pytest.mark.parametrize("size", [24, 64, 1 << 20])
@given(data=st.data())
def test_a_file_is_scored_alike_in_pieces_as_a_whole_and_without_the_kernel(size, data, tmp_path_factory):
    rows = data.draw(st.lists(LINE, min_size=1, max_size=25))
    if data.draw(st.booleans()):  # most files hold topics together, and no document twice
        rows = sorted({(topic, document): (topic, document, score) for topic, document, score in rows}.values())
    text = "".join(f"{topic} Q0 {document} 1 {score} t\n" for topic, document, score in rows).encode()
    if data.draw(st.booleans()):
        text = text.removesuffix(b"\n")
    judged = {"1": {"a": 1, "b": 0}, "2": {"c": 2, "a": -1}, "9": {"z": 1}}
    folder = tmp_path_factory.mktemp("pieces")
    policy = {"ties": data.draw(st.sampled_from(["trec", "trec9", "given", "file"])), "duplicates": "best"}
    usual, pieces.PIECE = pieces.PIECE, size
    try:
        here = scores_of(folder, judged, text, **policy)
    finally:
        pieces.PIECE = usual
    with pure():
        assert_same_scores(here, scores_of(folder, judged, text, **policy))


def test_a_regular_file_is_read_in_pieces_of_whole_topics(tmp_path, monkeypatch):
    path = tmp_path / "long.run"
    path.write_bytes(
        b"".join(b"%d Q0 d%d 1 %d tag\n" % (topic, rank, -rank) for topic in range(40) for rank in range(9))
    )
    monkeypatch.setattr(pieces, "PIECE", 500)
    seen = [(run.topics, len(run), run.source.sha256) for run in pieces.in_pieces(path, ReadOptions())]
    assert len(seen) > 5
    assert [topic for topics, _, _ in seen for topic in topics] == [str(topic) for topic in range(40)]
    assert sum(rows for _, rows, _ in seen) == 360
    assert {known for _, _, known in seen} == {cf.read_run(path).source.sha256}


@pytest.mark.parametrize(
    "text",
    [
        b"1 Q0 a 1 2 t\n2 Q0 a 1 1 t\n1 Q0 b 1 1 t\n",
        b"1 Q0 a 1 2 t\n" + b"2 Q0 a 1 1 t\n3 Q0 b 1 1 t\n4 Q0 b 1 1 u\n5 Q0 b 1 1 u\n",
        b"# x: 1\n1 Q0 a 1 2 t\n",
    ],
    ids=["a topic that comes back", "two tags", "a header"],
)
def test_an_irregular_file_is_left_to_the_reader_of_whole_files(text, tmp_path, monkeypatch):
    path = tmp_path / "odd.run"
    path.write_bytes(text)
    monkeypatch.setattr(pieces, "PIECE", 16)
    with pytest.raises(pieces.Irregular):
        list(pieces.in_pieces(path, ReadOptions()))
    assert not isinstance(scores_of(tmp_path, {"1": {"a": 1}}, text), list)


def test_a_measure_that_needs_whole_lists_gets_them(tmp_path):
    text = b"1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n"
    (tmp_path / "tied.run").write_bytes(text)
    judged = {"1": {"a": 0, "b": 1, "c": 0}}
    found = cf.evaluate(judged, str(tmp_path / "tied.run"), ["ESL", "AP"])
    with pure():
        assert found.values.tolist() == cf.evaluate(judged, str(tmp_path / "tied.run"), ["ESL", "AP"]).values.tolist()


def test_the_audit_says_which_path_ran():
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 1.0}}
    assert cf.evaluate(qrels, run, "AP").audit.versions["kernel"] == "compiled"
    with pure():
        assert cf.evaluate(qrels, run, "AP").audit.versions["kernel"] == "pure"


def test_a_big_endian_machine_takes_the_path_in_numpy(monkeypatch):
    monkeypatch.setattr(sys, "byteorder", "big")
    assert kernel.compiled("_steps") is None
