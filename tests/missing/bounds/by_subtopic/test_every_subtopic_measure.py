"""A law over the measures that judge by subtopic: all grades of all holes for all subtopics are gone through."""

import zlib

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.policy import Policy
from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import parse
from cranfield.missing.bounds.by_subtopic.codes import by_subtopics, one_grade
from cranfield.missing.bounds.by_subtopic.facets import BySubtopic
from cranfield.missing.bounds.grids import completions_of
from cranfield.missing.bounds.method import method_of
from cranfield.missing.situation import Situation
from cranfield.missing.universe import read_universe
from cranfield.pooling.candidates import Candidates
from cranfield.read.formats.intents import as_intents
from cranfield.read.objects import as_sources
from cranfield.tables.qrels import Qrels
from tests.missing.laws import A, B, check_ends, values_of_rows
from tests.missing.small_cases import ends_of

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
WITH_SETTINGS = [
    *("ERR_IA(form='binary')@3", "ERR_IA(form='graded')@3", "alpha_DCG(normalisation='ideal_ideal')@2", "alpha_nDCG@2"),
    *("alpha_nDCG(alpha=0)@3", "AP_IA@2", "AP_IA(rel=2)", "StRecall(rel=2)@2", "nNRBP(beta=0.8)", "DnDCG@2"),
    *("DSharp(gamma=0.3)@2", "P_IA'@2", "alpha_nDCG'@3"),
]
NAMES = [
    each.name + ("@3" if any(p.required for p in each.parameters.values()) else "")
    for each in MEASURES.values()
    if each.needs_subtopics
] + WITH_SETTINGS
EXACT = ("StRecall", "P_IA", "AP_IA", "ERR_IA", "NRBP", "alpha_DCG", "DnDCG")


def random_case(rng, *, subtopics=2, top=2, documents=6, likely=False):
    """Judgments of some documents for each subtopic, two runs, and perhaps probabilities."""
    names = [f"d{number}" for number in range(documents)]
    judged = [name for name in names if rng.random() < 0.6] or names[:1]
    cells = [
        (name, subtopic, int(rng.integers(0, top + 1)))
        for name in judged
        for subtopic in range(1, subtopics + 1)
        if rng.random() < 0.8 or subtopic == 1
    ]
    qrels = Qrels.of(["1"] * len(cells), [c[0] for c in cells], [c[2] for c in cells], [str(c[1]) for c in cells])
    runs = {run: {"1": [str(name) for name in rng.permutation(names)[: int(rng.integers(1, 5))]]} for run in "ab"}
    used = {str(c[1]) for c in cells}
    chances = dict.fromkeys(sorted(used), 1.0)
    if likely:
        chances = {name: float(rng.integers(1, 4)) for name in sorted(used)}
    total = sum(chances.values())
    intents = as_intents({"1": {name: chance / total for name, chance in chances.items()}}) if likely else None
    return qrels, runs, intents


def situation_of(qrels, runs, name, universe="runs", intents=None, **policies):
    policy, sources, measure = Policy(**policies), as_sources(runs).kept(), parse(name)
    single = one_grade(qrels, [measure])
    candidates = Candidates.of(sources.open(), 1 << 40, policy, single)
    grade = candidates.grades(single, policy)
    found = Situation.of(candidates, grade, single.topics, measure, read_universe(universe), policy)
    return by_subtopics(found, candidates, qrels, intents=intents)


def cases(name, number, **choices):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    graded = parse(name).arguments.get("rel") is None or "graded" in name
    made = 0
    while made < number:
        likely = bool(rng.random() < 0.3)
        qrels, runs, intents = random_case(rng, top=1 if graded else 2, likely=likely)
        universe = ("runs", "runs:2", "open:1")[int(rng.integers(3))]
        situation = situation_of(qrels, runs, name, universe, intents, **choices)
        topic = situation.of_topic(0)
        if 4 ** (topic.holes + topic.unseen) <= 4**4:
            made += 1
            yield situation, topic, rng


def codes_of(situation):
    scale = situation.subtopics
    assert scale is not None
    return np.arange(float(len(scale.levels) ** int(scale.size[0])))


def every(situation, topic):
    listed = np.arange(topic.holes + topic.unseen)
    return completions_of(listed, topic.holes, topic.unseen, codes_of(situation))


@pytest.mark.parametrize("policy", ["zero", "exclude"])
@pytest.mark.parametrize("name", NAMES)
def test_bounds_contain_every_completion_and_exact_ends_are_attained(name, policy):
    for situation, topic, _ in cases(name, 25, no_relevant=policy):
        check_ends(situation, topic, every(situation, topic))


@pytest.mark.parametrize("name", NAMES)
def test_outer_bounds_contain_every_completion_too(name):
    for situation, topic, _ in cases(name, 40):
        method = method_of(situation)
        assert isinstance(method, BySubtopic)
        method.most = 0  # nothing is gone through
        found = method.ends(topic, A, B)
        assert np.isfinite(found.low).all()
        assert np.isfinite(found.high).all()
        for row, column in enumerate(values_of_rows(situation, topic, every(situation, topic))):
            if (truth := ends_of(column)) is not None:
                assert found.low[row] <= truth[0] + 1e-9
                assert found.high[row] >= truth[1] - 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_one_more_judgment_never_widens_a_range(name):
    for situation, topic, rng in cases(name, 10):
        method = method_of(situation)
        if not topic.holes:
            continue
        before = method.ends(topic, A, B)
        code = float(rng.integers(len(codes_of(situation))))
        after = method.ends(topic.judged(int(rng.integers(topic.holes)), code), A, B)
        known = ~np.isnan(after.low)
        assert (after.low[known] >= before.low[known] - 1e-9).all()
        assert (after.high[known] <= before.high[known] + 1e-9).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_range_of_a_difference_lies_inside_the_difference_of_the_ranges(name):
    for situation, topic, _ in cases(name, 15):
        found = method_of(situation).ends(topic, A, B)
        assert not found.low[2] < found.low[0] - found.high[1] - 1e-9
        assert not found.high[2] > found.high[0] - found.low[1] + 1e-9


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(EXACT)])
def test_sums_and_means_over_subtopics_are_exact_with_many_holes(name):
    qrels = Qrels.of(["1"] * 4, ["a", "a", "b", "c"], [1, 0, 2, 0], ["1", "2", "2", "3"])
    runs = {"r": {"1": ["a", *(f"x{n}" for n in range(40))]}, "s": {"1": [*(f"y{n}" for n in range(40)), "b"]}}
    situation = situation_of(qrels, runs, name)
    assert method_of(situation).ends(situation.of_topic(0), A[:2], B[:2]).exact.all()


@pytest.mark.parametrize("name", ["StRecall@3", "P_IA@3", "AP_IA", "ERR_IA@3", "alpha_nDCG@3", "DnDCG@3"])
def test_a_witness_is_a_set_of_judgments_that_evaluate_scores_at_the_end(name):
    rng = np.random.default_rng(5)
    for _ in range(10):
        qrels, runs, _ = random_case(rng)
        found = cf.holes(qrels, runs, name)
        ranges = found.bounds()
        for high in (False, True):
            for number, run in enumerate(found.runs):
                full = cf.evaluate(found.witness(run, high=high), runs, name, no_relevant="zero")
                assert full.means[number, 0] == pytest.approx(ranges["highest" if high else "lowest"][number], abs=1e-9)


def test_the_footer_says_which_subtopics_a_hole_may_be_relevant_to():
    qrels, runs, _ = random_case(np.random.default_rng(3))
    assert "to any judged subtopic of their topic" in str(cf.holes(qrels, runs, "alpha_nDCG@3"))
    assert cf.holes(qrels, runs, "alpha_nDCG@3").verdict("a", "b").status in ("open", "certain", "equal", "unresolved")


def test_estimates_and_decisions_need_one_grade_for_each_document():
    qrels, runs, _ = random_case(np.random.default_rng(3))
    with pytest.raises(cf.MeasureError, match="E230: estimates need one grade for each document, StRecall@3 judges by"):
        cf.holes(qrels, runs, "StRecall@3").estimate()


def test_compared_runs_have_the_column_unless_subtopics_are_collapsed_or_have_probabilities():
    topics, documents, grades, subtopics = [], [], [], []
    for topic in "123":
        for document, subtopic, grade in (("a", "1", 1), ("b", "2", 1), ("c", "1", 0)):
            topics += [topic]
            documents += [document]
            grades += [grade]
            subtopics += [subtopic]
    qrels = Qrels.of(topics, documents, grades, subtopics)
    runs = {"r": {t: ["a", "x"] for t in "123"}, "s": {t: ["c", "b"] for t in "123"}}
    scores = cf.evaluate(qrels, runs, "StRecall@2", unjudged="bounds")
    assert scores.possible is not None
    assert scores.possible.low[:, 0].tolist() == [0.5, 0.5]
    assert scores.possible.high[:, 0].tolist() == [1.0, 0.5]
    likely = cf.evaluate(qrels, runs, "AP_IA", unjudged="bounds", intents={t: {"1": 0.5, "2": 0.5} for t in "123"})
    assert "the ranges of AP_IA do not support probabilities of subtopics" in str(likely)
    gone = cf.evaluate(qrels, runs, ["AP_IA", "P@2"], unjudged="bounds", collapse="max")
    assert "the subtopics that AP_IA needs were collapsed" in str(gone)
