"""`ties=expected`, `best` and `worst`: every number is that of the orders inside groups of equal scores."""

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.definition import MEASURES
from cranfield.measures.ties.orders import SAMPLES
from cranfield.measures.ties.rules import TieRule

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
GRADES = {"a": 2, "b": 0, "c": 1, "d": 1, "e": 0, "f": 2, "g": -1, "z": 1}
SCORES = {"a": 3.0, "b": 5.0, "c": 3.0, "u": 3.0, "d": 1.0, "v": 1.0, "e": 0.5, "w": 3.0, "g": 1.0, "f": 0.5}
BY_FORMULA = (
    *("P@1", "P@3", "P@20", "R@4", "F(beta=2)@4", "Success@2", "Success@4", "RR", "RR@3", "RR(rel=2)", "Rprec"),
    *("AP", "AP@3", "AP(denominator='min')@3", "AP(rel=2)", "GMAP", "CG@4", "nCG@4", "DCG", "DCG@4", "nDCG", "nDCG@3"),
    *("nDCG(dcg='exp-log2')@4", "nDCG(dcg='jk', b=3)@6", "DCG(gains={0: -1, 1: 5})@4", "RBP", "RBP(p=0.5, rel=1)@3"),
    *("ERR", "ERR@3", "ERR(stop='linear')", "nERR@4", "iRBU", "AP'", "nDCG'@3", "RR'", "P'@2", "ERR'"),
    *("Judged@3", "Judged@20", "RBPResidual", "GenRecall", "GenRecall@3", "GenPrecision", "GenPrecision@3"),
    *("Fallout(collection=20)@3", "Fallout(collection=20)"),
)
BY_ENUMERATION = (  # with a depth, sets too
    "SetP",
    "NumRelRet",
    "Utility",
    "SetRelativeP",
    "NumNonrelJudgedRet",
    "INST",
    "Q",
    "Bpref",
    "infAP",
    "11pt",
    "IPrec@0.5",
    "Q'@3",
    "nDCG(avg_pos=True)@4",
    "RankedHalfLife",
)


def every_order(scores):
    """Every order inside the groups of equal scores, as lists of documents."""
    levels = [[d for d in scores if scores[d] == level] for level in sorted(set(scores.values()), reverse=True)]
    for chosen in product(*(permutations(level) for level in levels)):
        yield [document for level in chosen for document in level]


def by_hand(measure, grades, scores, **policies):
    """The value of every order, each given as an untied list."""
    runs = {str(n): {"q": {d: -float(i) for i, d in enumerate(o)}} for n, o in enumerate(every_order(scores))}
    return cf.evaluate({"q": grades}, runs, measure, **policies).values[:, 0, 0]


def under(ties, measure, grades=GRADES, scores=SCORES, **policies):
    scored = cf.evaluate({"q": grades}, {"r": {"q": scores}}, measure, ties=ties, **policies)
    return float(scored.values[0, 0, 0]), scored.audit


@cache
def all_orders(depth):
    """`[order, measure]`: all values of all orders."""
    runs = {str(n): {"q": {d: -float(i) for i, d in enumerate(o)}} for n, o in enumerate(every_order(SCORES))}
    return cf.evaluate({"q": GRADES}, runs, [*BY_FORMULA, *BY_ENUMERATION], depth=depth).values[:, 0]


@pytest.mark.parametrize("depth", [None, 1, 3, 8])
def test_a_value_is_the_mean_the_best_or_the_worst_of_all_orders_each_cut_at_the_depth(depth):
    names = [*BY_FORMULA, *BY_ENUMERATION]
    found = {
        ties: cf.evaluate({"q": GRADES}, {"q": SCORES}, names, ties=ties, depth=depth).values[0, 0]
        for ties in ("expected", "best", "worst")
    }
    for column, (measure, orders) in enumerate(zip(names, all_orders(depth).T, strict=True)):
        if np.isnan(orders).any():
            continue
        smaller = MEASURES[measure.partition("@")[0].partition("(")[0].rstrip("'")].smaller
        best, worst = (orders.min(), orders.max()) if smaller else (orders.max(), orders.min())
        wanted = {"expected": orders.mean(), "best": best, "worst": worst}
        assert {ties: found[ties][column] for ties in found} == pytest.approx(wanted, abs=1e-12), measure


def test_the_way_of_each_measure_is_in_the_audit():
    for measure in BY_FORMULA:
        assert set(next(iter(under("expected", measure)[1].tie_methods.values()))) <= {"exact"}, measure
        assert set(next(iter(under("best", measure)[1].tie_methods.values()))) <= {"exact"}, measure
    for measure in ("INST", "Q"):
        assert next(iter(under("expected", measure)[1].tie_methods.values())) == {"enumeration": 1}
    assert under("expected", "AP")[1].as_dict()["tie_methods"] == {"AP": {"exact": 1}}
    assert under("trec", "AP")[1].tie_methods == {}


def test_the_worked_example():  # groups [1], {1, 0, 0}, [1]; three relevant documents
    grades = {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1}
    scores = {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0, "e": 1.0}
    found = cf.evaluate({"q": grades}, {"q": scores}, ["AP", "RBP(p=0.8)", "P@2"], ties="expected")
    assert found.means[0].round(6).tolist() == [0.774074, 0.412053, 0.666667]


def test_tied_gain_is_averaged_as_scikit_learn_does():  # the examples of its documentation of dcg_score, ndcg_score
    grades = dict(zip("abcde", (10, 0, 0, 1, 5), strict=True))
    scores = dict(zip("abcde", (1.0, 0.0, 0.0, 0.0, 1.0), strict=True))
    found = cf.evaluate({"q": grades}, {"q": scores}, ["DCG@1", "nDCG@1"], ties="expected")
    assert found.means[0].tolist() == [7.5, 0.75]


def test_a_constant_scorer_is_scored_like_a_random_order():
    grades = {f"d{n}": int(n == 7) for n in range(10)}
    scores = dict.fromkeys(grades, 1.0)
    names = ["RR", "P@1", "Success@5", "AP"]
    found = cf.evaluate({"q": grades}, {"q": scores}, names, ties="expected").means[0]
    assert found == pytest.approx(
        [sum(1 / n for n in range(1, 11)) / 10, 0.1, 0.5, sum(1 / n for n in range(1, 11)) / 10]
    )
    assert cf.evaluate({"q": grades}, {"q": scores}, names, ties="best").means[0].tolist() == [1, 1, 1, 1]
    assert cf.evaluate({"q": grades}, {"q": scores}, names, ties="worst").means[0] == pytest.approx([0.1, 0, 0, 0.1])


def test_a_measure_without_a_formula_is_sampled_where_the_orders_are_many():
    grades = {f"d{n}": n % 3 for n in range(30)}
    scores = dict.fromkeys(grades, 1.0)
    value, audit = under("expected", "Q", grades, scores)
    assert audit.tie_methods == {"Q": {"sampling": 1}}
    error = audit.tie_standard_errors["r"]["Q"]
    assert 0 < error < 0.01
    assert under("expected", "Q", grades, scores)[0] == value
    assert under("worst", "Q", grades, scores)[0] < value < under("best", "Q", grades, scores)[0]
    other = cf.evaluate({"q": grades}, {"r": {"q": scores}}, "Q", ties="expected", seed=1).means[0, 0]
    assert other != value
    assert abs(other - value) < 6 * error


def test_the_footer_says_which_values_come_from_random_orders():
    grades = {f"d{n}": n % 3 for n in range(30)}
    runs = {"r": {"q": dict.fromkeys(grades, 1.0)}, "s": {"q": dict.fromkeys(grades, 1.0)}}
    footers = {t: str(cf.evaluate({"q": grades}, runs, ["Q", "AP"], ties=t)) for t in ("expected", "best", "worst")}
    assert f"Q: {SAMPLES:,} random orders in 2 lists, standard error of the mean at most 0.00" in footers["expected"]
    assert f"Q: the best of {SAMPLES:,} random orders in 2 lists" in footers["best"]
    assert f"Q: the worst of {SAMPLES:,} random orders in 2 lists" in footers["worst"]
    assert "AP:" not in footers["expected"]


def test_samples_agree_with_the_formula():
    grades = {f"d{n}": n % 3 for n in range(30)}
    scores = {name: float(n // 12) for n, name in enumerate(grades)}
    found = cf.evaluate({"q": grades}, {"r": {"q": scores}}, ["EU(model='RBP(p=0.8)')", "RBP(p=0.8)"], ties="expected")
    error = found.audit.tie_standard_errors["r"]["EU(model='RBP(p=0.8)')"]
    assert abs(found.means[0, 0] - found.means[0, 1]) < 5 * error


def test_where_nothing_is_tied_nothing_changes():
    rng = np.random.default_rng(3)
    qrels = {f"q{t}": {f"d{n}": int(g) for n, g in enumerate(rng.integers(0, 3, 20))} for t in range(5)}
    run = {
        topic: {d: float(s) for d, s in zip(docs, rng.permutation(20), strict=True)} for topic, docs in qrels.items()
    }
    names = ["AP", "nDCG@5", "INST", "RR", "ERR@3"]
    usual = cf.evaluate(qrels, {"r": run}, names)
    for ties in ("expected", "best", "worst"):
        assert np.array_equal(cf.evaluate(qrels, {"r": run}, names, ties=ties).values, usual.values)


def test_several_runs_and_jobs_give_what_each_gives_alone(tmp_path):
    rng = np.random.default_rng(5)
    qrels = {f"q{t}": {f"d{n}": int(g) for n, g in enumerate(rng.integers(0, 3, 30))} for t in range(4)}
    paths = []
    for name in ("one", "two", "three"):
        path = tmp_path / f"{name}.run"
        rows = [f"{t} Q0 {d} 1 {rng.integers(4)} {name}" for t in qrels for d in rng.permutation(list(qrels[t]))[:25]]
        path.write_text("\n".join(rows) + "\n")
        paths.append(path)
    names = ["AP", "Q", "nDCG@5"]
    together = cf.evaluate(qrels, paths, names, ties="expected", jobs=2)
    for row, path in enumerate(paths):
        assert np.array_equal(cf.evaluate(qrels, path, names, ties="expected").values[0], together.values[row])


def test_measures_that_look_at_whole_lists_see_every_order():
    @cf.measure("SecondId")
    def second(r: cf.Ranking) -> float:
        """The last letter of the second document."""
        return float(ord(r.ids[1][-1]))

    try:
        grades, scores = {"a": 1}, {"a": 3.0, "b": 2.0, "c": 2.0, "d": 2.0}
        orders = by_hand("SecondId", grades, scores)
        assert under("expected", "SecondId", grades, scores)[0] == pytest.approx(orders.mean())
        assert under("best", "SecondId", grades, scores)[0] == orders.max()
    finally:
        cf.forget("SecondId")


def test_lengths_follow_their_documents():
    grades, scores = {"a": 1, "b": 0}, {"a": 1.0, "b": 1.0, "u": 1.0}
    lengths = {"a": 100, "b": 1000, "u": 10}
    orders = by_hand("TBG", grades, scores, lengths=lengths)
    assert len(set(orders.round(9).tolist())) > 2
    assert under("expected", "TBG", grades, scores, lengths=lengths)[0] == pytest.approx(orders.mean())


def test_subtopics_follow_their_documents(tmp_path):
    (tmp_path / "q").write_text("1 1 a 1\n1 2 b 1\n1 2 c 1\n1 1 d 0\n")
    runs = {"r": {"1": dict.fromkeys("abcd", 1.0)}}
    each = {str(n): {"1": {d: -float(i) for i, d in enumerate(o)}} for n, o in enumerate(permutations("abcd"))}
    for measure in ("alpha_nDCG@3", "ERR_IA@2", "StRecall@2"):
        orders = cf.evaluate(tmp_path / "q", each, measure).values[:, 0, 0]
        found = {
            t: cf.evaluate(tmp_path / "q", runs, measure, ties=t).means[0, 0] for t in ("expected", "best", "worst")
        }
        assert found == pytest.approx({"expected": orders.mean(), "best": orders.max(), "worst": orders.min()})


def test_the_judged_share_is_that_of_the_orders():
    shares = {t: cf.evaluate({"q": GRADES}, {"q": SCORES}, "P@3", ties=t).judged[0, 0, 0] for t in ("expected", "best")}
    runs = {str(n): {"q": {d: -float(i) for i, d in enumerate(o)}} for n, o in enumerate(every_order(SCORES))}
    assert shares["expected"] == pytest.approx(cf.evaluate({"q": GRADES}, runs, "P@3").judged[:, 0, 0].mean())
    assert shares["best"] == 1.0


@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
def test_what_needs_one_order_refuses_many(ties):
    qrels, runs = {"q": GRADES}, {"r": {"q": SCORES}, "s": {"q": SCORES}}
    with pytest.raises(cf.PolicyError, match="one order"):
        cf.pool(runs, depth=3, ties=ties)
    with pytest.raises(cf.PolicyError, match="one order"):
        cf.study.describe(qrels, runs, ties=ties)
    with pytest.raises(cf.PolicyError, match="one order"):
        cf.curve(qrels, runs, "recall-precision", ties=ties)


def test_a_rule_says_what_the_mean_over_all_orders_is():
    made: type = type("NoMean", (TieRule,), {})
    with pytest.raises(TypeError, match=r"abstract method '?expected"):
        made()
