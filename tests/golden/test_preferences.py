"""Preferences: the worked example of the specification, and every measure beside a plain loop over pairs."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.arrays import Floats
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.catalogue import ENTRIES
from cranfield.compat.trec_eval.evaluation import evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure
from cranfield.compat.trec_eval.preferences.measures import PREFERENCES
from cranfield.compat.trec_eval.preferences.table import Preferences
from cranfield.compat.trec_eval.preferences.units import numbered
from cranfield.compat.trec_eval.reader import read_prefs
from cranfield.read import read_qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text


def values(rows, ranked, scores=None, version=10):
    """Every measure of one topic: `rows` are (group, subgroup, document, level), `ranked` the list."""
    groups, subgroups, documents, levels = zip(*rows, strict=True)
    number = np.array(levels, dtype=np.float64)
    columns = (Text.of(["1"] * len(rows)), Text.of(groups), Text.of(subgroups), Text.of(documents))
    scores = scores or [-float(place) for place in range(len(ranked))]
    run = Run.of("r", ["1"] * len(ranked), ranked, scores) if ranked else Run.of("r", ["0"], ["x"], [1.0])
    options = TrecOptions(version=version, judgment_format="prefs", complete=True)
    lists = evaluation(Preferences.of(*columns, number), run, options)
    found: dict[str, Floats] = {n: ENTRIES[n].columns(lists, RequestedMeasure(n))[0].values for n in PREFERENCES}
    return {name.removeprefix("prefs_"): float(value[0]) for name, value in found.items()}


def test_the_example_of_one_group_with_four_levels():
    found = values([("g", "s", "a", 3), ("g", "s", "b", 2), ("g", "s", "c", 1), ("g", "s", "d", 0)], list("baxc"))
    assert found["num_prefs_poss"] == 6
    assert found["num_prefs_ful"] == 5  # 2 of the 3 between a, b, c; all 3 over d, which was not retrieved
    assert found["num_prefs_ful_ret"] == 2
    assert found["simp"] == pytest.approx(0.833333, abs=1e-6)
    assert found["simp_ret"] == pytest.approx(0.666667, abs=1e-6)
    assert found["avgjg_Rnonrel"] == pytest.approx(11 / 12)  # three nonrelevant documents instead of one


def test_a_preference_follows_from_two_others_of_the_same_group():
    rows = [("g", "1", "a", 2), ("g", "1", "b", 1), ("g", "2", "b", 9), ("g", "2", "c", 3)]
    assert values(rows, ["a"])["num_prefs_poss"] == 3
    apart = [(document, subgroup, document, level) for _, subgroup, document, level in rows]
    assert values(apart, ["a"])["num_prefs_poss"] == 0  # nobody compared anything


def test_a_pair_counts_once_in_a_group_and_once_for_each_group():
    rows = [("g", subgroup, document, level) for subgroup in "12" for document, level in (("a", 1), ("b", 0))]
    assert values(rows, ["a"])["num_prefs_poss"] == 1
    assert values([*rows, ("h", "1", "a", 1), ("h", "1", "b", 0)], ["a"])["num_prefs_poss"] == 2


def test_contradictions_inside_a_group_all_count():
    rows = [("g", "1", "a", 1), ("g", "1", "b", 0), ("g", "2", "b", 1), ("g", "2", "a", 0)]
    found = values(rows, ["a", "b"])
    assert (found["num_prefs_poss"], found["num_prefs_ful"], found["simp"], found["pair"]) == (2, 1, 0.5, 0.5)


def test_equal_scores_are_ordered_by_document_id_from_low_to_high():
    rows = [("g", "s", "a", 1), ("g", "s", "b", 0)]
    assert values(rows, ["b", "a"], [1.0, 1.0])["num_prefs_ful"] == 1
    assert values(rows, ["b", "a"], [1.0, 1.0 - 1e-9])["num_prefs_ful"] == 0
    assert values(rows, ["b", "a"], [1.0, 1.0 - 1e-9], version=9)["num_prefs_ful"] == 1  # a tie in single precision


# --- beside a plain loop ---------------------------------------------------------------------------------------------


def mean(shares):
    shares = list(shares)
    return sum(shares, Fraction(0)) / len(shares) if shares else Fraction(0)


def share(fulfilled, possible):
    return Fraction(fulfilled, possible) if possible else Fraction(0)


class Loops:
    """The same numbers by looking at each pair in turn."""

    def __init__(self, rows, ranked):
        self.rank = {document: place for place, document in enumerate(ranked)}
        self.groups = {g: [row for row in rows if row[0] == g] for g in {row[0] for row in rows}}
        self.wishes = {g: self.consequences(mine) for g, mine in self.groups.items()}

    @staticmethod
    def consequences(rows):
        wishes = {(a, b) for _, s, a, x in rows for _, t, b, y in rows if s == t and x > y}
        while len({s for _, s, _, _ in rows}) > 1:
            more = {(a, d) for a, b in wishes for c, d in wishes if b == c} - wishes
            if not more:
                break
            wishes |= more
        return {(a, b) for a, b in wishes if a != b}

    def met(self, wish):
        a, b = wish
        return a in self.rank and (b not in self.rank or self.rank[a] < self.rank[b])

    def scope(self, suffix):
        least = {"": 0, "_imp": 1, "_ret": 2}[suffix]
        return {g: {w for w in ws if sum(d in self.rank for d in w) >= least} for g, ws in self.wishes.items()}

    def simple(self, suffix):
        every = [wish for wishes in self.scope(suffix).values() for wish in wishes]
        return share(sum(map(self.met, every)), len(every))

    def by_group(self, suffix):
        return mean(share(sum(map(self.met, wishes)), len(wishes)) for wishes in self.scope(suffix).values())

    def by_pair(self, suffix):
        every = [wish for wishes in self.scope(suffix).values() for wish in wishes]
        pairs = {frozenset(wish) for wish in every}
        return mean(mean(Fraction(self.met(w)) for w in every if frozenset(w) == pair) for pair in pairs)

    def nonrelevant(self, suffix):
        return mean(self.nonrelevant_of(g, suffix) for g in self.groups)

    def nonrelevant_of(self, g, suffix):
        wishes = self.scope(suffix)[g]
        relevant = {d for _, _, d, level in self.groups[g] if level > 0}
        documents = {d for _, _, d, _ in self.groups[g]}
        if suffix == "_ret":
            documents = {d for d in documents if d in self.rank}
        near, far = relevant & documents, documents - relevant
        found = [d for d in near if d in self.rank]
        if len(far) > len(near) and len({s for _, s, _, _ in self.groups[g]}) == 1:
            first = sorted(far, key=lambda d: self.rank.get(d, 99))[: len(near)]
            wishes = {w for w in wishes if set(w) <= near}
            odd = [(a, b) for a in documents for b in first]
            met = sum(self.met(w) for w in wishes) + sum(self.met(w) for w in odd)
            return share(met, len(wishes) + len(odd))
        missing = max(len(near) - len(far), 0)
        return share(sum(map(self.met, wishes)) + len(found) * missing, len(wishes) + len(relevant) * missing)


judgments = st.tuples(st.sampled_from("gh"), st.sampled_from("12"), st.sampled_from("abcdef"), st.integers(0, 3))


@given(
    st.lists(judgments, min_size=1, max_size=14, unique_by=lambda r: r[:3]),
    st.lists(st.sampled_from("abcdefx"), unique=True, max_size=6),
)
def test_every_measure_is_that_of_a_loop_over_pairs(rows, ranked):
    found, loops = values(rows, ranked), Loops(rows, ranked)
    every = [wish for wishes in loops.wishes.values() for wish in wishes]
    expected = {
        "num_prefs_poss": len(every),
        "num_prefs_ful": sum(map(loops.met, every)),
        "num_prefs_ful_ret": sum(loops.met(w) for ws in loops.scope("_ret").values() for w in ws),
        **{f"simp{suffix}": loops.simple(suffix) for suffix in ("", "_ret", "_imp")},
        **{f"pair{suffix}": loops.by_pair(suffix) for suffix in ("", "_ret", "_imp")},
        **{f"avgjg{suffix}": loops.by_group(suffix) for suffix in ("", "_ret", "_imp")},
        **{f"avgjg_Rnonrel{suffix}": loops.nonrelevant(suffix) for suffix in ("", "_ret")},
    }
    assert found == pytest.approx({name: float(value) for name, value in expected.items()}, abs=1e-12)


def test_our_reader_finds_the_same_rows_as_the_drop_in(shared):
    path = shared / "conformance" / "trec_eval_test" / "prefs.test"
    qrels, preferences = read_qrels(path, format="prefs", grades="float"), read_prefs(str(path), 10)
    assert (qrels.topics, qrels.document) == (preferences.topics, preferences.document)
    assert np.array_equal(qrels.grade, preferences.level)
    assert qrels.iteration is not None
    assert qrels.stratum is not None
    assert np.array_equal(numbered(qrels.topic, qrels.iteration), preferences.group)
    assert len(set(qrels.stratum)) == 3
