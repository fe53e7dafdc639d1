"""`study jarvelin2002`: gain by rank, averages and significant pairs, against `curve`, `evaluate` and `conover`."""

import numpy as np
import pytest
from scipy.stats import f_oneway

import cranfield as cf
from cranfield import study
from cranfield.errors import PolicyError
from cranfield.stats.several.anova import anova
from cranfield.stats.several.friedman import conover
from cranfield.study.data.collection import Collection
from cranfield.study.papers.jarvelin2002.gain_curves import GainCurves, Scheme
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # a run lacks a topic


def test_gain_curves_are_those_of_evaluate():
    qrels, runs = small()
    curves = GainCurves.of(Collection.of(qrels, runs, "AP"), Scheme("0-1-10"), 2.0, 20)
    drawn = cf.curve(qrels, runs, "dcg(dcg='jk', b=2, gains={1: 1, 2: 10})@20")
    for at, run in enumerate(curves.runs):
        assert np.allclose(curves.gained[at], drawn[run])
        assert np.allclose(curves.ideal, drawn.ideal[run])
    normalised = cf.curve(qrels, runs, "ndcg(dcg='jk', b=2, gains={1: 1, 2: 10})@20")
    assert np.allclose(curves.normalised, normalised.means["norm_of_mean"][0])
    assert np.allclose(curves.by_topic, normalised.means["mean_of_norm"][0])


def test_the_averages_of_the_case_study_are_those_of_evaluate():
    qrels, runs = small()
    made = study.jarvelin2002(qrels, runs, schemes=["0-1-10"], bases=[2], last=30, ranks=10)
    scores = cf.evaluate(qrels, runs, "nDCG(dcg='jk', b=2, gains={1: 1, 2: 10}, avg_pos=True)@30")
    rows = made.table().filter(made.table()["measure"] == "nDCG 0-1-10, b = 2")
    assert np.allclose(rows["mean"].to_numpy(), scores.means[:, 0])


def test_significant_pairs_are_those_of_the_comparison():
    qrels, runs = small(topics=12)
    made = study.jarvelin2002(qrels, runs, schemes=["0-1-1"], bases=[2], last=20, ranks=10)
    said = dict(
        zip(*(column.raw for column in made.findings.shown if column.name in ("measure", "sign.")), strict=True)
    )
    data = Collection.of(qrels, runs, ["nCG(gains={1: 1, 2: 1}, avg_pos=True)@20"])
    pairs = conover(data.full[:, :, 0])
    letters = "ABCDE"
    better = {
        f"{letters[i]}>{letters[j]}"
        for i, j in zip(*np.nonzero((pairs.pvalue < 0.05) & (pairs.difference > 0) & pairs.permitted), strict=True)
    }
    found = set()
    for part in filter(None, said["nCG 0-1-1"].split("; ")):
        winners, loser = part.rstrip("* ").split(">")
        found |= {f"{winner}>{loser}" for winner in winners.split(",")}
    assert found == better


def test_a_run_has_one_colour_in_all_figures_and_the_ideal_none_of_theirs():
    qrels, runs = small(topics=4, runs=8)
    made = study.jarvelin2002(qrels, runs, schemes=["0-1-1", "0-1-100"], bases=[2], last=20, ranks=10)
    orders = {
        tuple(curve.label for curve in drawing.curves if not curve.ideal) for drawing in made.findings.drawings.values()
    }
    assert len(orders) == 1
    gained = made.findings.drawings["cg-0-1-1"].curves
    assert [curve.label for curve in gained if curve.ideal] == ["ideal"]


def test_the_analysis_of_variance_is_named_and_stands_beside_the_one_without_topics():
    qrels, runs = small(topics=12)
    made = study.jarvelin2002(qrels, runs, schemes=["0-1-1"], bases=[2], last=20, ranks=10)
    shown = {column.name: column.raw for column in made.findings.shown}
    data = Collection.of(qrels, runs, ["nCG(gains={1: 1, 2: 1}, avg_pos=True)@20"])
    scores = data.full[:, :, 0]
    assert shown["two-way ANOVA p"][0] == pytest.approx(anova(scores).pvalue)
    assert shown["one-way p"][0] == pytest.approx(f_oneway(*scores).pvalue)
    assert {"anova", "anova_one_way"} <= set(made.table().columns)


@pytest.mark.parametrize("scheme", ["1-2", "0-2-1", "0-0", "0", "a-b", ""])
def test_what_is_no_scheme_of_gains_is_refused(scheme):
    with pytest.raises(PolicyError) as caught:
        study.jarvelin2002(*small(), schemes=[scheme])
    assert caught.value.code == "E242"
