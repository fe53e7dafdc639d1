"""A question to a lab: which runs, which topics, and what is refused."""

import pytest

import cranfield as cf
from cranfield.errors import InputError, UnknownNameError
from cranfield.judging.deciding.asking import AskedQuestion, lists_of, run_of
from cranfield.judging.deciding.queueing import asked_question, decide_queue
from cranfield.tables.run import Runs
from tests.judging.deciding.worlds import decide_lab, judged, named_runs, truth


@pytest.fixture
def lab(tmp_path):
    return decide_lab(tmp_path / "lab.db")


def test_a_question_is_kept_as_json_and_read_again(lab):
    with lab.reading() as connection:
        asked = asked_question(connection, named_runs("hybrid", "title"), "P@5", judged=judged(), alpha=0.05)
    assert AskedQuestion.read(asked.data()) == asked
    assert max(len(documents) for lists in asked.runs.values() for documents in lists.values()) <= 100


def test_lists_keep_the_order_of_a_run():
    run = named_runs("vector")[0]
    assert lists_of(run_of("vector", lists_of(run, 10)), 10) == lists_of(run, 10)


def test_the_pairs_are_the_documents_that_nobody_judged(lab):
    with lab.reading() as connection:
        asked = asked_question(connection, named_runs("hybrid", "title"), "P@5", judged=judged())
        queue = decide_queue(connection, asked)
    expected = cf.holes(judged(), Runs(tuple(named_runs("hybrid", "title"))), "P@5").bounder().situation.holes
    assert len(queue.pairs) == expected
    assert queue.row.name == "decide 2"
    assert {pair.probability for pair in queue.pairs} == {None}


def test_a_question_can_be_asked_before_anything_is_judged(lab):
    with lab.reading() as connection:
        asked = asked_question(connection, named_runs("hybrid", "title"), "P@5")
        queue = decide_queue(connection, asked)
    assert queue.state.topics == len(truth())
    assert queue.state.reason is None


def test_mistakes_are_named(lab):
    with lab.reading() as connection:
        with pytest.raises(cf.PolicyError, match="two runs or more"):
            asked_question(connection, named_runs("vector"), "P@5")
        with pytest.raises(cf.PolicyError, match="names of their own"):
            asked_question(connection, named_runs("vector", "vector"), "P@5")
        with pytest.raises(UnknownNameError, match="bm25"):
            asked_question(connection, named_runs("hybrid", "title"), "P@5", baseline="bm25")
        other = [run_of(name, {"elsewhere": ["d001"]}) for name in ("a", "b")]
        with pytest.raises(InputError, match="none of the topics"):
            asked_question(connection, other, "P@5")
