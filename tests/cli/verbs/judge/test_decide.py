"""`cranfield judge decide`: runs and a measure become a queue of what decides them."""

import json

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.store.deciding import kept_runs
from cranfield.judging.store.queues import queue_states
from tests.judging.exporting.labs import served_elsewhere


@pytest.fixture
def lab(cli, folder):
    """The demo as a lab with an empty pool of one pair."""
    cli("demo", "d", "--simulate")
    (folder / "pool.txt").write_text("".join(f"q{number:02} d001\n" for number in range(1, 21)))
    assert cli("judge", "init", "lab.db", "--pool", "pool.txt", "--topics", "d/topics.tsv", "--grades", "0-2").code == 0
    return folder / "lab.db"


RUNS = ("d/runs/lexical.run", "d/runs/hybrid.run")


def test_a_question_becomes_a_queue(cli, lab):
    result = cli("judge", "decide", "lab.db", *RUNS, "-m", "P@5", "--qrels", "d/qrels.txt")
    assert result.code == 0
    assert "lab.db: queue 'decide 1' with " in result.out
    assert "The difference lexical – hybrid lies between" in " ".join(result.out.split())
    assert "without a text: assessors see the id alone" in result.out
    with Lab.open(lab).reading() as connection:
        state = queue_states(connection)[-1]
        assert (state.queue.kind, state.queue.adaptive, state.queue.k) == ("decide", True, 1)
        assert set(kept_runs(connection)) == {"lexical", "hybrid"}


def test_the_same_as_json(cli, lab):
    told = json.loads(cli("judge", "decide", "lab.db", *RUNS, "--qrels", "d/qrels.txt", "--json").out)["result"]
    assert told["measure"] == "nDCG@10"
    assert 0 < told["left"] < told["pairs"]


def test_mul_1_several_assessors_can_judge_each_document(cli, lab):
    result = cli("judge", "decide", "lab.db", *RUNS, "--qrels", "d/qrels.txt", "--assessors", "3")
    assert "pairs, each for 3 assessors\n" in result.out
    with Lab.open(lab).reading() as connection:
        assert queue_states(connection)[-1].queue.k == 3


def test_rel_11_a_question_is_refused_while_a_room_serves_the_lab(cli, lab):
    with served_elsewhere(Lab.open(lab)):
        refused = cli("judge", "decide", "lab.db", *RUNS, "--qrels", "d/qrels.txt")
    assert refused.code == 4
    assert "E404: lab.db is served by process" in refused.err
    with Lab.open(lab).reading() as connection:
        assert not kept_runs(connection)


def test_a_name_that_a_queue_has_is_refused(cli, lab):
    refused = cli("judge", "decide", "lab.db", *RUNS, "--qrels", "d/qrels.txt", "--name", "pool")
    assert refused.code == 2
    assert "E206: there is a queue 'pool' already" in refused.err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((RUNS[0],), "two runs or more"),
        ((*RUNS, "--baseline", "bm25"), "bm25"),
        ((*RUNS, "--stop", "0.7"), "no probability below 0.5"),
        ((*RUNS, "-m", "P@5 AP"), "one measure decides"),
    ],
)
def test_mistakes_are_named(cli, lab, more, words):
    result = cli("judge", "decide", "lab.db", *more)
    assert result.code == 2
    assert words in result.err
