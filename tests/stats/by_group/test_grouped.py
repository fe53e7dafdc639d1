"""Scores and tests by group of topics: a group is what it is alone; their mean is that of a stratified sample."""

import json

import numpy as np
import pytest
import scipy.stats

import cranfield as cf
from cranfield.stats.by_group.stratified import StratifiedMean
from cranfield.stats.comparison.corrections import CORRECTIONS

RNG = np.random.default_rng(5)
TOPICS = [f"q{n:02d}" for n in range(24)]
QRELS = {topic: {f"d{n}": int(RNG.integers(0, 3)) for n in range(12)} for topic in TOPICS}
RUNS = {
    run: {topic: [f"d{n}" for n in RNG.permutation(12)] for topic in TOPICS} for run in ("bm25", "dense", "rrf", "ql")
}
GROUPS = {topic: "head" if at < 5 else "torso" if at < 12 else "tail" for at, topic in enumerate(TOPICS)}
MEASURES = ["nDCG@5", "AP"]


@pytest.fixture(scope="module")
def scores() -> cf.Scores:
    return cf.evaluate(QRELS, RUNS, MEASURES)


@pytest.mark.parametrize("group", ["head", "torso", "tail"])
def test_a_group_is_scored_as_if_it_were_alone(scores, group):
    own = [topic for topic in TOPICS if GROUPS[topic] == group]
    alone = cf.evaluate(QRELS, RUNS, MEASURES, only_topics=own)
    found = cf.by_group(scores, GROUPS, ci="t")
    assert found.part(group).same_values(alone)
    at = found.groups.index(group)
    assert np.array_equal(found.means[:, at], alone.means)
    assert found.part(group) == cf.with_intervals(alone, "t")
    assert found.part(group).audit.topics_in_mean == len(own)


def test_the_mean_of_groups_and_its_interval_are_those_of_a_stratified_sample(scores):
    found = cf.by_group(scores, GROUPS, ci="t")
    for column, measure in enumerate(MEASURES):
        for row, run in enumerate(scores.runs):
            parts = [scores[run, measure][[GROUPS[t] == g for t in scores.topics]] for g in found.groups]
            mean = sum(part.mean() for part in parts) / 3
            terms = [part.var(ddof=1) / len(part) for part in parts]
            error = np.sqrt(sum(terms)) / 3
            freedom = sum(terms) ** 2 / sum(v**2 / (len(p) - 1) for v, p in zip(terms, parts, strict=True))
            half = scipy.stats.t.ppf(0.975, freedom) * error
            assert found.mean_of_groups[row, column] == pytest.approx(mean)
            assert found.intervals_of_groups[row, column] == pytest.approx([max(mean - half, 0), min(mean + half, 1)])


def test_two_groups_of_differences_give_welchs_degrees_of_freedom():
    """With the second group turned around, the mean of two groups is half of Welch's difference."""
    first, second = RNG.normal(0.1, 1, 7), RNG.normal(0.4, 3, 12)
    values = np.concatenate([first, -second])[None]
    found = StratifiedMean.of(values, [np.arange(7), np.arange(7, 19)])
    welch = scipy.stats.ttest_ind(first, second, equal_var=False)
    assert found.t[0] == pytest.approx(welch.statistic)
    assert found.pvalue[0] == pytest.approx(welch.pvalue)
    assert found.freedom[0] == pytest.approx(welch.df)


def test_one_group_is_the_paired_t_test(scores):
    alone = cf.by_group(scores, dict.fromkeys(TOPICS, "all")).compare(baseline="bm25")
    plain = cf.compare(scores, baseline="bm25")
    for pair in alone.pairs:
        expected = plain.pair(pair.run, pair.baseline, pair.measure)
        assert (pair.difference, pair.p_raw, pair.p) == pytest.approx((expected.difference, expected.p_raw, expected.p))
        assert pair.ci == pytest.approx(expected.ci)


def test_p_values_are_corrected_over_all_groups(scores):
    compared = cf.by_group(scores, GROUPS).compare(baseline="bm25")
    for measure in MEASURES:
        raw, corrected = [], []
        for group in compared.grouped.groups:
            alone = cf.compare(compared.grouped.part(group), baseline="bm25")
            for pair in compared.part(group).pairs(measure):
                assert pair.p_raw == alone.pair(pair.run, "bm25", measure).p_raw
                raw.append(pair.p_raw)
                corrected.append(pair.p)
        assert corrected == pytest.approx(CORRECTIONS["holm"](np.array(raw)).tolist())
    together = cf.by_group(scores, GROUPS).compare(baseline="bm25", family="all")
    every = [pair for part in together.parts for pair in part.pairs()]
    assert [p.p for p in every] == pytest.approx(CORRECTIONS["holm"](np.array([p.p_raw for p in every])).tolist())


def test_the_stratified_test_keeps_its_level():
    """Groups of 4 and 20 topics, with variances 1 and 9: the share rejected under the null, of 20,000."""
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.normal(0, 1, (20_000, 4)), rng.normal(0, 3, (20_000, 20))], axis=1)
    found = StratifiedMean.of(values, [np.arange(4), np.arange(4, 24)])
    assert np.mean(found.pvalue < 0.05) == pytest.approx(0.05, abs=0.006)  # 4 standard errors


def test_topics_in_no_group_are_named_and_are_not_in_the_mean_of_groups(scores):
    some = {topic: group for topic, group in GROUPS.items() if group != "torso"}
    with pytest.warns(cf.DataWarning, match="W129.*7 topics in no group"):
        found = cf.by_group(scores, some)
    assert found.groups == ("head", "tail")
    assert found.mean_of_groups == pytest.approx((found.means[:, 0] + found.means[:, 1]) / 2)


def test_a_file_says_which_topic_belongs_where(scores, tmp_path):
    path = tmp_path / "groups.tsv"
    path.write_text("".join(f"{topic}\t{group}\n" for topic, group in GROUPS.items()))
    assert np.array_equal(cf.by_group(scores, path).means, cf.by_group(scores, GROUPS).means)
    path.write_text("q00\thead\nq00\ttail\n")
    with pytest.raises(cf.InputError, match=r"E119.*:2.*belongs to 'head' and to 'tail'"):
        cf.by_group(scores, path)
    with pytest.raises(cf.InputError, match="E128"):
        cf.by_group(scores, {"z1": "head"})


def test_means_of_other_kinds_are_refused():
    sums = cf.evaluate(QRELS, RUNS, ["NumRet"])
    with pytest.raises(cf.PolicyError, match="NumRet is no mean"):
        cf.by_group(sums, GROUPS)


def test_the_plain_data_are_json_and_the_table_has_a_row_for_each_cell(scores):
    found = cf.by_group(scores, GROUPS)
    records = found.to_records()
    assert len(records) == 4 * 2 * (3 + 1)
    assert records[3]["group"] == "mean of groups"
    assert json.loads(found.to_json())["result"]["groups"][0] == {"group": "head", "topics": 5}
    compared = found.compare()
    assert len(compared.to_records()) == 6 * 2 * 4
    assert json.loads(compared.to_json())["result"]["groups"][2]["topics"] == 12


def test_notes_say_which_group_they_are_about(scores):
    text = str(cf.by_group(scores, GROUPS).compare(baseline="bm25", test="permutation"))
    assert "head · nDCG@5 · 5 topics · sign-flip permutation test, exact, two-sided · Holm over 9 comparisons" in text
    assert "nDCG@5 · mean of 3 groups · 24 topics · stratified t, two-sided · Holm over 3 comparisons" in text


def test_many_groups_stand_below_each_other(scores):
    text = str(cf.by_group(scores, {topic: f"g{at % 8}" for at, topic in enumerate(TOPICS)}))
    assert " group            topics    bm25   dense     rrf      ql" in text
    assert " mean of groups       24 " in text
