"""`holes --next N --to LAB.db`: a fixed list of documents is queued in a lab."""

import json

import jsonschema
import pytest

import cranfield as cf
from tests.judging.exporting.labs import judge, served_elsewhere

HOLES = ("holes", "qrels.txt", "runs/*.run", "-m", "P@3")


@pytest.fixture
def lab(folder):
    """A lab of the judged pairs, and runs with documents that the qrels lack."""
    (folder / "runs/new.run").write_text("301 Q0 d8 1 3 new\n301 Q0 d1 2 2 new\n302 Q0 d9 1 3 new\n302 Q0 d3 2 2 new\n")
    pool = [("301", "d1"), ("301", "d2"), ("302", "d3"), ("302", "d4")]
    topics = {"301": "organized crime", "302": "polio"}
    return cf.Lab.create(folder / "lab.db", pool, topics, {name: "text" for _, name in pool})


def test_the_documents_are_queued_and_the_line_says_how_to_go_on(cli, lab):
    result = cli(*HOLES, "--next", "2", "--to", "lab.db")
    assert result.code == 0
    assert ' 2 pairs queued in lab.db (queue "holes 1", 2 topics). Start: cranfield judge lab.db\n' in result.out
    state = lab.status().queues[-1]
    assert (state.queue.name, state.queue.kind, state.queue.adaptive, state.pairs) == ("holes 1", "list", True, 2)
    assert cli(*HOLES, "--next", "1", "--to", "lab.db", "-q").code == 0
    assert lab.status().queues[-1].queue.name == "holes 2"


def test_the_queue_stays_marked_adaptive_in_the_export(cli, lab, folder):
    cli(*HOLES, "--next", "2", "--to", "lab.db")
    judge(lab, *(("ann", pair.topic, pair.document, 1) for pair in lab.snapshot().pairs))
    cli("judge", "export", "lab.db", "-o", "out.txt")
    refused = cli("evaluate", "out.txt", "runs/*.run", "-m", "statAP")
    assert refused.code == 3
    assert "E210: statAP needs a random sample, out.txt was built by" in refused.err


def test_documents_that_the_lab_lacks_get_their_texts_from_a_file(cli, lab, folder):
    assert "2 documents without a text in lab.db" in cli(*HOLES, "--next", "2", "--to", "lab.db").err
    (folder / "docs.jsonl").write_text('{"_id":"d8","text":"eight"}\n{"_id":"d9","text":"nine"}\n')
    assert "without a text" not in cli(*HOLES, "--next", "2", "--to", "lab.db", "--docs", "docs.jsonl").err


def test_the_json_envelope_names_the_queue(cli, lab):
    envelope = json.loads(cli(*HOLES, "--next", "2", "--to", "lab.db", "--json").out)
    jsonschema.Draft202012Validator(json.loads(cli("holes", "--json-schema").out)).validate(envelope)
    assert envelope["result"]["queued"] == {
        "lab": "lab.db",
        "queue": "holes 1",
        "pairs": 2,
        "topics": 2,
        "without_text": 2,
    }


def test_e404_a_lab_that_is_served_is_refused_before_anything_is_computed(cli, lab):
    with served_elsewhere(lab):
        result = cli(*HOLES, "--next", "2", "--to", "lab.db")
    assert result.code == 4
    assert "E404: lab.db is served by process" in result.err
    assert result.out == ""


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--to", "lab.db"), "--to has no effect without --next"),
        (("--next", "2", "--docs", "d.jsonl"), "--docs has no effect without --to"),
    ],
)
def test_an_option_without_effect_is_refused(cli, lab, folder, arguments, problem):
    (folder / "d.jsonl").write_text("")
    result = cli(*HOLES, *arguments)
    assert result.code == 2
    assert problem in result.err


def test_a_file_that_is_no_lab_is_refused(cli, lab):
    assert "E406" in cli(*HOLES, "--next", "2", "--to", "qrels.txt").err
