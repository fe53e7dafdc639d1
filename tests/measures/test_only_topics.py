"""`only_topics`: the same numbers as judgments that hold these topics alone, and nothing is said of the others."""

import numpy as np
import pytest

import cranfield as cf

QRELS = {f"q{n}": {"a": 1, "b": 0, "c": n % 2} for n in range(6)}
RUNS = {
    "new": {topic: ["a", "b", "c"] for topic in QRELS},
    "old": {topic: ["b", "c", "a"] for topic in [*QRELS, "q99"]},
}
MEASURES = ["AP", "nDCG@2", "P@1"]
pytestmark = pytest.mark.filterwarnings("ignore:W102", "ignore:W105")


@pytest.mark.parametrize("chosen", [["q1", "q4"], ("q4", "q1"), "q1,q4", "q1 q4"])
def test_the_scores_are_those_of_judgments_of_these_topics(chosen):
    some = cf.evaluate(QRELS, RUNS, MEASURES, only_topics=chosen)
    alone = cf.evaluate({topic: QRELS[topic] for topic in ("q1", "q4")}, RUNS, MEASURES)
    assert some == alone
    assert some.audit.topics_left_out == 4
    assert some.audit.topics_extra == {"old": ["q99"]}  # topics that were left out are not among them


def test_a_file_holds_one_topic_on_each_line(tmp_path):
    names = tmp_path / "some.txt"
    names.write_text("# chosen\nq1\nq4 and why\n")
    assert cf.evaluate(QRELS, RUNS, "AP", only_topics=names).topics == ("q1", "q4")
    assert cf.evaluate(QRELS, RUNS, "AP", only_topics=str(names)).topics == ("q1", "q4")


def test_unknown_topics_are_warned_of_and_refused_if_none_is_known():
    with pytest.warns(cf.DataWarning, match="W128.*q77"):
        cf.evaluate(QRELS, RUNS, "AP", only_topics=["q1", "q77"])
    with pytest.raises(cf.InputError, match="E128"):
        cf.evaluate(QRELS, RUNS, "AP", only_topics=["q77"])
    with pytest.raises(cf.InputError, match="no topic was chosen"):
        cf.evaluate(QRELS, RUNS, "AP", only_topics=[])


def test_the_footer_says_how_many_topics_were_judged():
    assert "2 topics in the mean of 6 judged" in str(cf.evaluate(QRELS, RUNS, "AP", only_topics="q1,q4"))


def test_ranges_are_of_the_chosen_topics():
    some = cf.evaluate(QRELS, {"new": {topic: ["x", "a"] for topic in QRELS}}, "RR", only_topics="q1,q4")
    assert some.bounds("RR").rows() == [("new", "RR", 0.5, 0.5, 1.0, True)]


def test_lines_of_chosen_judgments_are_those_of_the_file(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 1\nq2 0 a 1\nq2 0 b 0\n")
    some = cf.read_qrels(path).only(["q2"])
    assert [some.line_of(row) for row in range(2)] == [2, 3]
    assert np.array_equal(some.topic, [0, 0])
