"""Several runs of one system as one row of scores (issue 15, point 9)."""

import json
from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.cli.schemas.compare import compare_schema
from cranfield.errors import Error

QRELS = {f"q{n}": {"a": 1, "b": 0, "c": 0} for n in range(1, 7)}
ORDERS = {  # ranks of the relevant document, by topic
    "bm25": (3, 3, 2, 3, 1, 2),
    "dense-1": (1, 1, 2, 1, 2, 1),
    "dense-2": (1, 2, 2, 1, 1, 3),
    "dense-3": (2, 1, 1, 1, 1, 1),
}


def _ranked(rank):
    """The three documents with the relevant one at that rank."""
    listed = ["b", "c"]
    listed.insert(rank - 1, "a")
    return listed


RUNS = {
    name: {topic: _ranked(rank) for topic, rank in zip(QRELS, ranks, strict=True)} for name, ranks in ORDERS.items()
}
PATTERN = {"dense-*": "dense"}


def scores(measures="RR", **choices):
    return cf.evaluate(QRELS, RUNS, measures, replicates=PATTERN, **choices)


def behind(found):
    """The runs behind systems."""
    assert found.replicates is not None
    return found.replicates


def first(comparison):
    """The first pair."""
    return next(iter(comparison.pairs()))


def test_a_system_has_the_mean_of_its_replicates_on_each_topic():
    plain, found = cf.evaluate(QRELS, RUNS, "RR"), scores()
    assert found.runs == ("bm25", "dense")
    expected = np.mean([plain[f"dense-{n}", "RR"] for n in (1, 2, 3)], axis=0)
    assert found["dense", "RR"] == pytest.approx(expected)
    assert found["bm25", "RR"].tolist() == plain["bm25", "RR"].tolist()
    assert behind(found).runs == plain.runs
    assert behind(found).counts(2) == [1, 3]
    assert found == cf.with_replicates(plain, PATTERN)


def test_the_spread_is_that_of_the_means_of_replicates():
    plain, found = cf.evaluate(QRELS, RUNS, "RR"), scores()
    assert behind(found).sd(1, 0) == pytest.approx(np.std(plain.means[1:, 0], ddof=1))
    assert np.isnan(behind(found).sd(0, 0))
    assert behind(found).ends(1, 0) == pytest.approx((plain.means[1:, 0].min(), plain.means[1:, 0].max()))


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ({"splade-*": "splade"}, "no run is called 'splade-*'"),
        ({"dense-*": "dense", "dense-1": "first"}, "run 'dense-1' is a replicate of two systems"),
        ({"dense-*": "bm25"}, "'bm25' is the name of a run that no pattern matches"),
        ({}, "no pattern of replicates was given"),
    ],
)
def test_patterns_that_do_not_fit_are_refused(patterns, said):
    with pytest.raises(Error, match="E248") as caught:
        cf.evaluate(QRELS, RUNS, "RR", replicates=patterns)
    assert said in str(caught.value)


def test_two_patterns_of_one_system_are_united():
    found = cf.evaluate(QRELS, RUNS, "RR", replicates={"dense-1": "dense", "dense-[23]": "dense"})
    assert found == scores()


def test_scores_with_replicates_have_none_twice():
    with pytest.raises(Error, match="E248"):
        cf.with_replicates(scores(), PATTERN)


@pytest.mark.parametrize("choices", [{"average": "median"}, {"average": "micro"}, {"unjudged": "bounds"}])
def test_what_is_no_mean_over_topics_has_no_replicates(choices):
    with pytest.raises(Error, match="E244"):
        scores("P@1", **choices)


def test_a_bootstrap_over_topics_alone_is_refused():
    with pytest.raises(Error, match="E244"):
        scores(ci="bootstrap")


def test_the_interval_of_a_system_is_wider_than_that_over_topics_alone():
    found = cf.with_intervals(scores()).intervals
    alone = cf.with_intervals(replace(scores(), replicates=None)).intervals
    assert found is not None
    assert alone is not None
    assert found[0, 0] == pytest.approx(alone[0, 0])  # one run
    assert np.ptp(found[1, 0]) >= np.ptp(alone[1, 0])


def test_a_topic_counts_if_all_replicates_have_a_value():
    plain = cf.evaluate(QRELS, RUNS, "RR")
    values = plain.values.copy()
    values[1, 0, 0] = np.nan
    found = cf.with_replicates(replace(plain, values=values), PATTERN)
    assert np.isnan(found["dense", "RR"][0])
    assert not np.isnan(found["dense", "RR"][1:]).any()


def test_a_replicate_that_lacks_a_topic_counts_as_the_policy_says():
    runs = {**RUNS, "dense-2": {topic: listed for topic, listed in RUNS["dense-2"].items() if topic != "q1"}}
    with pytest.warns(cf.DataWarning, match="dense-2: 1 judged topic missing"):
        found = cf.evaluate(QRELS, runs, "RR", replicates=PATTERN)
    assert found["dense", "RR"][0] == pytest.approx((1 + 0 + 0.5) / 3)
    assert "dense-2" in repr(found)


def test_saved_scores_keep_their_replicates(tmp_path):
    found = cf.with_intervals(scores(["RR", "P@1"]))
    found.save(tmp_path / "s.json")
    again = cf.load_scores(tmp_path / "s.json")
    assert again == found
    assert behind(again).counts(2) == [1, 3]
    assert again != cf.with_intervals(cf.evaluate(QRELS, RUNS, ["RR", "P@1"]))
    assert cf.compare(again, baseline="bm25").result() == cf.compare(found, baseline="bm25").result()


def test_selections_take_the_replicates_along():
    found = scores(["RR", "P@1"])
    assert behind(found.select("P@1")).values.shape == (4, 6, 1)
    assert behind(found.on_topics(["q2", "q1"])).values[:, 1].tolist() == behind(found).values[:, 0].tolist()
    best = found.sorted("RR")
    assert best.runs == ("dense", "bm25")
    assert behind(best).counts(2) == [3, 1]


def test_a_comparison_names_its_replicates_and_its_test():
    found = cf.compare(QRELS, RUNS, "RR", baseline="bm25", replicates=PATTERN)
    said = repr(found)
    assert "t test over topics and replicates, two-sided" in said
    assert "dense: 3 replicates (dense-1, dense-2, dense-3)." in said
    assert "bm25: one run; verdicts are about this run, not about others that the system could give." in said
    assert "with few replicates p is careful: it may be too large, and is not too small." in said
    assert "decides differently" not in said  # a test over topics alone answers another question
    assert found.result()["replicates"][1]["runs"].keys() == {"dense-1", "dense-2", "dense-3"}
    assert first(found).as_dict() == first(cf.compare(scores(), baseline="bm25")).as_dict()
    assert cf.compare(cf.evaluate(QRELS, RUNS, "RR"), baseline="bm25", replicates=PATTERN).result() == found.result()


def test_replicates_are_not_compared_as_systems():
    assert len([*cf.compare(QRELS, RUNS, "RR", replicates=PATTERN).pairs()]) == 1
    assert len([*cf.compare(QRELS, RUNS, "RR").pairs()]) == 6


def test_a_difference_within_the_spread_of_replicates_is_said():
    runs = {**RUNS, "bm25": RUNS["dense-1"]}
    said = repr(cf.compare(QRELS, runs, "RR", baseline="bm25", replicates=PATTERN))
    assert "is no larger than the distance between replicates of dense" in said
    assert "is no larger than" not in repr(cf.compare(QRELS, RUNS, "RR", baseline="bm25", replicates=PATTERN))


def test_other_tests_say_that_they_take_replicates_as_they_are():
    said = repr(cf.compare(QRELS, RUNS, "RR", replicates=PATTERN, test="permutation"))
    assert "permutation takes the replicates as they are: only topics are random." in said


def test_one_replicate_of_each_system_gives_the_paired_t_test_and_says_so():
    runs = {name: RUNS[name] for name in ("bm25", "dense-1")}
    found = cf.compare(QRELS, runs, "RR", baseline="bm25", replicates=PATTERN)
    plain = cf.compare(QRELS, runs, "RR", baseline="bm25")
    assert "no system has two replicates" in repr(found)
    assert first(found).p == pytest.approx(first(plain).p)
    assert first(found).ci == pytest.approx(first(plain).ci)


def test_identical_replicates_give_the_paired_t_test():
    runs = {"bm25": RUNS["bm25"], "dense-1": RUNS["dense-1"], "dense-2": RUNS["dense-1"]}
    found = first(cf.compare(QRELS, runs, "RR", baseline="bm25", replicates=PATTERN))
    plain = first(cf.compare(QRELS, {name: runs[name] for name in ("bm25", "dense-1")}, "RR", baseline="bm25"))
    assert (found.p, found.ci) == (pytest.approx(plain.p), pytest.approx(plain.ci))


def test_saved_systems_are_compared_with_their_replicates(tmp_path):
    scores().save(tmp_path / "s.json")
    found = cf.compare(QRELS, {"new": RUNS["dense-3"]}, "RR", against=str(tmp_path / "s.json"))
    assert behind(found.scores).counts(3) == [1, 1, 3]


def test_forms_show_the_spread():
    found = scores()
    assert "RR replicate sd" in found.sheet().csv()
    assert "3 replicates" in found.to_latex()
    assert "| sd" in found.to_markdown()
    compared = cf.compare(found, baseline="bm25")
    assert "sd" in compared.to_markdown()
    assert "3 replicates" in compared.to_latex()
    assert "<th" in compared._repr_html_()
    assert json.loads(json.dumps(compared.to_dict()))["result"]["replicates"][0]["system"] == "bm25"
    assert '"replicates": {"type": "array"' in json.dumps(compare_schema())


def test_groups_say_where_replicates_are_random():
    groups = {topic: "odd" if int(topic[1:]) % 2 else "even" for topic in QRELS}
    said = "within a group topics and replicates are random, in the mean of groups only topics."
    assert said in repr(cf.by_group(scores(), groups))
    assert said not in repr(cf.by_group(cf.evaluate(QRELS, RUNS, "RR"), groups))
    assert said in repr(cf.by_group(scores(), groups).compare(baseline="bm25"))
