"""Pools, label probabilities, latencies, intents: every column, and what is refused."""

import io
import json

import pytest

import cranfield as cf
from cranfield.errors import InputError
from cranfield.read import load
from cranfield.read.options import ReadOptions

POOL = "301\td1\tdepth20\t1.0\n302\td2\tsampled\t0.5\n"


def read(role, text, **options):
    return load(io.StringIO(text), role, ReadOptions(**options))


def refused(role, text, **options):
    with pytest.raises(InputError) as caught:
        read(role, text, **options)
    return caught.value


@pytest.mark.parametrize("header", ["", "topic\tdocument\tstratum\tprobability\n", "Topic\tDocument\tx\ty\n"])
def test_a_pool_has_every_row_with_and_without_a_header(header):
    pool = read("pool", header + POOL, format="pool-tsv")
    assert ([pool.topics[code] for code in pool.topic], list(pool.document)) == (["301", "302"], ["d1", "d2"])
    assert (list(pool.stratum), pool.probability.tolist()) == (["depth20", "sampled"], [1.0, 0.5])
    first = 1 if not header else 2
    assert pool.line is None or pool.line.tolist() == [first, first + 1]


@pytest.mark.parametrize("row", ["\td1\tdepth20\t1", "301\t\tdepth20\t1"])
def test_a_pool_names_topics_and_documents(row):
    error = refused("pool", POOL + row + "\n", format="pool-tsv")
    assert (error.code, error.line) == ("E119", 3)


def estimates(*records):
    return "".join(json.dumps(dict(zip(("topic", "doc", "p"), record, strict=False))) + "\n" for record in records)


def test_probabilities_have_topic_document_and_a_column_for_each_grade():
    found = read("estimate", estimates(("1", "d", [1, 0]), ("2", "e", [0.25, 0.75])), format="estimate-jsonl")
    assert (found.topics, found.topic.tolist(), list(found.document)) == (("1", "2"), [0, 1], ["d", "e"])
    assert found.chance.tolist() == [[1.0, 0.0], [0.25, 0.75]]


@pytest.mark.parametrize(
    "record", [("1", "d", [1.5, -0.5]), ("1", "d", [0.5, 0.6]), ("1", "d", []), ("1", "d", "x"), ("1", "", [1]), ("1",)]
)
def test_records_without_ids_or_probabilities_are_refused(record):
    error = refused("estimate", estimates(record), format="estimate-jsonl")
    assert (error.code, error.line) == ("E119", 1)


def test_a_pair_has_its_probabilities_once():
    error = refused("estimate", estimates(("1", "d", [1, 0]), ("2", "d", [1, 0]), ("1", "d", [1, 0])))
    assert (error.code, error.line) == ("E119", 3)
    assert "document 'd' of topic '1' has its probabilities at line 1 already" in str(error)


def test_every_record_has_as_many_grades():
    error = refused("estimate", estimates(("1", "d", [1, 0]), ("1", "e", [0.5, 0.25, 0.25])))
    assert (error.code, error.line) == ("E119", 2)


def test_a_file_of_probabilities_is_recognised_by_what_it_holds(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text(estimates(("1", "d", [0.25, 0.75])))
    (report,) = cf.check(path).files
    assert (report.role, report.format, report.rows) == ("estimate", "estimate-jsonl", 1)
    assert report.summary == "1 topic, 1 document, grades 0…1"
    path.write_text(estimates(("1", "d", [0.25, 0.5])))
    (finding,) = cf.check(path).files[0].findings
    assert (finding.code, finding.line) == ("E119", 1)
    path.write_text(estimates(("1", "d", [0.25, 0.75])))
    with pytest.raises(InputError, match="label probabilities"):
        cf.convert(path, output=tmp_path / "labels.csv")
    assert not (tmp_path / "labels.csv").exists()


def test_no_more_errors_are_shown_than_were_asked_for():
    error = refused("estimate", estimates(*[("1", "d", [2])] * 9), format="estimate-jsonl", max_errors=3)
    assert len(error.more) == 2


def test_a_file_of_blank_lines_holds_no_rows():
    for role in ("estimate", "efficiency"):
        assert refused(role, "\n\n", format=f"{role}-jsonl").code == "E104"


@pytest.mark.parametrize("field", ["run", "topic", "latency_ms"])
def test_half_a_character_is_no_id(field):
    record = {"run": "a", "topic": "1", "latency_ms": 5, field: "\ud800"}
    error = refused("efficiency", json.dumps(record) + "\n", format="efficiency-jsonl")
    assert (error.code, error.line) == ("E119", 1)


def test_intents_of_other_topics_are_refused_by_the_name_of_their_file(tmp_path):
    qrels, file = cf.Qrels.of(["q"], ["a"], [1], ["1"]), tmp_path / "intents.txt"
    file.write_text("other 1 1\n", encoding="utf-8")
    for given, path in ((file, str(file)), ({"other": {"1": 1}}, "intents")):
        with pytest.raises(InputError) as caught:
            cf.evaluate(qrels, {"q": ["a"]}, "ERR_IA@2", intents=given)
        assert caught.value.path == path


def test_an_intent_may_have_no_chance_and_a_sure_one():
    qrels = cf.Qrels.of(["q", "q"], ["a", "b"], [1, 1], ["1", "2"])
    intents = {"q": {"1": 0, "2": 1}}
    found = cf.evaluate(qrels, {"q": ["b", "a"]}, "ERR_IA@2", intents=intents)
    assert found.means[0, 0] > 0
    for wrong in (-0.1, 1.1):
        with pytest.raises(InputError, match="is not a number between 0 and 1"):
            cf.evaluate(qrels, {"q": ["b", "a"]}, "ERR_IA@2", intents={"q": {"1": wrong, "2": 1 - wrong}})
