"""The decide study: hidden judgments answer, and the paths are those of `cranfield.decide`."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.errors import PolicyError
from cranfield.missing.universe import Universe
from cranfield.study.data.judged_runs import JudgedRuns
from cranfield.study.kinds.fewer_judgments.decide.answers import Answers
from cranfield.study.kinds.fewer_judgments.decide.paths import Paths
from tests.study.kinds.fewer_judgments.test_depth import top
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
FEW: dict[str, Any] = {"draws": 200, "jobs": 1}


def path(low, high, probability, holes=9):
    columns = {"low": low, "high": high, "probability": probability}
    return {**{name: np.array(values) for name, values in columns.items()}, "holes": np.array(holes)}


def paths(found, difference, stops=(0.01, 0.05)):
    """The paths of pairs that all have the first run; the other runs differ from it by what came out."""
    means = np.array([[0.0], *([-each] for each in difference)])
    pair = np.array([[0, at + 1] for at in range(len(found))])
    runs = tuple(f"r{at}" for at in range(len(means)))
    return Paths(("P@1",), runs, np.zeros(len(found), dtype=np.int64), pair, tuple(found), means, stops)


def test_the_number_of_judgments_is_that_of_the_first_step_at_which_a_rule_stops():
    one = path([-0.2, -0.2, -0.1, 0.1], [0.5, 0.4, 0.4, 0.2], [0.6, 0.96, 0.995, 1.0])
    found = paths([one], [0.1])
    assert [found.at(alpha).asked.tolist() for alpha in (0.0, 0.01, 0.05)] == [[3], [2], [1]]
    assert found.open.tolist() == [True]


def test_a_stop_is_wrong_if_the_known_judgments_say_the_opposite_and_not_if_they_say_equal():
    early = path([-0.2, 0.0], [0.5, 0.0], [0.97, 0.5])
    assert paths([early] * 3, [-0.1, 0.1, 0.0]).at(0.05).wrong.tolist() == [True, False, False]
    assert paths([early] * 3, [-0.1, 0.1, 0.0]).at(0.0).wrong.tolist() == [False, False, False]


def test_a_path_that_ends_without_a_stop_is_undecided_and_never_wrong():
    stops = paths([path([-0.2, -0.2], [0.5, 0.4], [0.6, 0.7])], [-0.1]).at(0.05)
    assert (stops.asked.tolist(), stops.decided.tolist(), stops.wrong.tolist()) == ([1], [False], [False])


def test_pairs_that_are_open_at_first_are_counted_alone_too():
    sure, open_ = path([0.1], [0.4], [1.0], holes=3), path([-0.1, 0.1], [0.4, 0.3], [0.6, 1.0], holes=5)
    rows = study_rows(paths([sure, open_], [0.2, 0.2], stops=()))
    assert [(row["over"], row["pairs"], row["mean"], row["holes"]) for row in rows] == [
        ("all", 2, 0.5, 4.0),
        ("open", 1, 1.0, 5.0),
    ]


def study_rows(found):
    columns = found.findings("", ()).tidy
    return [
        dict(zip([c.name for c in columns], row, strict=True)) for row in zip(*(c.values for c in columns), strict=True)
    ]


def test_the_study_asks_what_decide_asks_and_the_hidden_judgments_answer():
    qrels, runs = small(runs=3)
    made = study.decide(qrels, runs, ["P@5"], hide=50, seed=3, stops=[0.05], **FEW)
    answers = Answers.at_random(JudgedRuns.of(qrels, runs, "P@5"), 50, seed=3)
    rows = {(row["a"], row["b"], row["until"]): row for row in made.table("pairs").to_dicts()}
    for a, b in (("r0", "r1"), ("r0", "r2"), ("r1", "r2")):
        again = cf.decide(
            answers.shown,
            cf.Run.of(a, *columns(runs[a])),
            cf.Run.of(b, *columns(runs[b])),
            "P@5",
            ask=lambda topic, document: qrels[topic].get(document, 0),
            scale=[0, 1, 2],
            draws=200,
            seed=3,
        )
        row = rows[a, b, "certain"]
        assert (row["asked"], row["holes"]) == (again.asked, again.holes)
        assert rows[a, b, "0.95"]["asked"] <= row["asked"]
        full = cf.evaluate(qrels, runs, "P@5")
        known = dict(zip(full.runs, full.means[:, 0].tolist(), strict=True))
        assert row["difference"] == pytest.approx(known[a] - known[b])


def columns(run):
    rows = [(topic, document, score) for topic, scores in run.items() for document, score in scores.items()]
    return tuple(zip(*rows, strict=True))


def test_no_certain_stop_is_wrong_of_a_measure_that_knows_no_ideal():
    qrels, runs = small(topics=5, runs=4)
    made = study.decide(qrels, runs, ["P@5"], hide=60, **FEW)
    rows = [row for row in made.table().to_dicts() if row["until"] == "certain"]
    assert [row["wrong"] for row in rows] == [0, 0]
    assert all(row["undecided"] == 0 for row in rows)  # unknown holes are answered too


def test_holes_that_nobody_judged_can_stay_open():
    qrels, runs = small(topics=5, runs=4)
    made = study.decide(qrels, runs, ["P@10"], hide=20, unknown="open", **FEW)
    row = next(row for row in made.table().to_dicts() if row["until"] == "certain")
    assert row["undecided"] > 0


def test_a_share_of_each_topic_is_hidden_and_other_seeds_hide_others():
    qrels, runs = small()
    data = JudgedRuns.of(qrels, runs, "P@5")
    shown = Answers.at_random(data, 40, seed=1).shown
    assert shown.topics == data.qrels.topics
    assert np.bincount(shown.topic).tolist() == [18] * 6  # of 30
    other = Answers.at_random(data, 40, seed=2).shown
    assert list(shown.document) != list(other.document)


def test_a_topic_all_of_whose_judgments_are_hidden_stays_in_the_mean():
    qrels, runs = small(topics=3, runs=2)
    made = study.decide(qrels, runs, ["P@5"], hide=100, **FEW)
    full = cf.evaluate(qrels, runs, "P@5")
    row = made.table("pairs").to_dicts()[0]
    assert row["difference"] == pytest.approx(full.means[0, 0] - full.means[1, 0])
    assert made.table().to_dicts()[0]["wrong"] == 0


def test_judgments_outside_of_a_pool_are_hidden():
    qrels, runs = small(runs=2)
    answers = Answers.pooled(JudgedRuns.of(qrels, runs, "P@5"), 3)
    for topic, document in zip(answers.shown.topic.tolist(), answers.shown.document, strict=True):
        name = answers.shown.topics[topic]
        assert any(document in top(run, name, 3) for run in runs.values())


def test_a_file_of_later_judgments_answers_and_what_was_judged_stays(tmp_path):
    later = tmp_path / "later.txt"
    later.write_text("q1 0 a 0\nq1 0 x 1\nq9 0 x 1\n")
    data = JudgedRuns.of({"q1": {"a": 1, "b": 0}}, {"r": {"q1": ["a", "x"]}, "s": {"q1": ["b", "x"]}}, "P@2")
    with pytest.warns(cf.DataWarning):
        answers = Answers.later(data, str(later))
    assert (len(answers.shown), len(answers.known)) == (2, 3)
    assert [answers.grade("q1", document) for document in "abx"] == [1, 0, 1]
    assert answers.complete(data, data.measures[0]).tolist() == [True, True]


def test_only_pairs_of_completely_known_runs_are_kept_if_asked():
    qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    runs = {"x": {"q1": ["a"]}, "y": {"q1": ["b"]}, "z": {"q1": ["u"]}}
    made = study.decide(qrels, runs, ["P@1"], complete=True, **FEW)
    assert {(row["a"], row["b"]) for row in made.table("pairs").to_dicts()} == {("x", "y")}


def test_at_most_so_many_pairs_are_asked_about():
    qrels, runs = small()
    made = study.decide(qrels, runs, ["P@5"], pairs=3, budget=2, **FEW)
    assert made.table().to_dicts()[0]["pairs"] == 3
    assert max(row["asked"] for row in made.table("pairs").to_dicts()) <= 2


def test_two_ways_of_hiding_exclude_each_other():
    qrels, runs = small(runs=2)
    with pytest.raises(PolicyError, match="exclude each other"):
        study.decide(qrels, runs, ["P@5"], hide=50, pool_depth=3)


def test_a_certain_order_that_the_ideal_reversed_is_explained():
    sure = path([0.1], [0.4], [1.0])
    notes = [paths([sure], [difference]).findings("", ()).notes for difference in (0.2, -0.2)]
    assert [any("only others list changed the ideal" in note for note in each) for each in notes] == [False, True]


def test_a_wider_universe_asks_for_more_and_is_what_decide_does():
    qrels, runs = small(runs=3)
    made = {each: study.decide(qrels, runs, ["nDCG@5"], hide=50, universe=each, **FEW) for each in ("runs", "open:4")}
    asked = {each: [row["asked"] for row in found.table("pairs").to_dicts()] for each, found in made.items()}
    assert sum(asked["open:4"]) > sum(asked["runs"])
    assert all(wide >= narrow for wide, narrow in zip(asked["open:4"], asked["runs"], strict=True))
    answers = Answers.at_random(JudgedRuns.of(qrels, runs, "nDCG@5"), 50, seed=0)
    a, b = (cf.Run.of(name, *columns(runs[name])) for name in ("r0", "r1"))
    again = cf.decide(answers.shown, a, b, "nDCG@5", ask=answers.ask(0.0), universe="open:4", draws=200)
    assert made["open:4"].table("pairs").to_dicts()[0]["asked"] == again.asked
    words = "universe=open:4: only documents in the first 5 of these runs, and 4 unseen ones per topic, may be relevant"
    assert words in made["open:4"].findings.notes


def test_the_pool_of_a_universe_is_an_input_and_a_changed_one_is_noticed(tmp_path):
    qrels, runs = small(topics=2, runs=2)
    pool = tmp_path / "pool.txt"
    pool.write_text(
        "".join(f"{topic}\t{document}\tdepth5\t1.0\n" for topic in qrels for document in ("d5", "u1", "u2"))
    )
    made = study.decide(qrels, runs, ["P@5"], hide=50, universe=f"pool:{pool}", **FEW)
    assert [(each["role"], each["name"]) for each in made.settings["inputs"]][-1] == ("universe", str(pool))
    assert study.repeat(made, qrels, runs).to_csv() == made.to_csv()
    pool.write_text("q0\tu9\tdepth5\t1.0\n")
    with pytest.raises(cf.InputError, match="is not what the study was made from"):
        study.repeat(made, qrels, runs)


def test_an_unknown_universe_is_refused():
    with pytest.raises(PolicyError, match='universe="open:0" is out of range'):
        study.decide(*small(), ["P@5"], universe="open:0")


def test_why_a_certain_order_was_reversed_depends_on_the_universe():
    gone = paths([path([0.1], [0.2], [1.0])], [-0.1])
    assert "that only others list" in " ".join(gone.findings("", ()).notes)
    wide = replace(gone, universe=Universe(unseen=1))
    assert "outside of the universe" in " ".join(wide.findings("", ()).notes)
