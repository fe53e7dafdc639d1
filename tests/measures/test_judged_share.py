"""What each measure looks at, and how much of that was judged."""

import re
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align.hits import Hits
from cranfield.measures.facts.looks_at import (
    JudgedDocuments,
    NoDocument,
    SameAs,
    UserAttention,
)
from cranfield.measures.grammar import build, parse
from cranfield.measures.judged_share import judged_share, looks_at
from tests.laws.worlds import BUILT_IN, World, bare, measures, needed, worlds

HITS = Hits.of([[(1, 1), (4, 0), (6, 1)]], levels=[[1, 3]], retrieved=[8])


@pytest.mark.parametrize(
    ("name", "words", "share"),
    [
        ("nDCG@5", "first 5", 2 / 5),
        ("ERR@20", "first 20", 3 / 8),  # there are only eight
        ("AP", "whole list", 3 / 8),
        ("R@100", "first 100", 3 / 8),
        ("Rprec", "first R", 1 / 3),
        ("RprecMult@2", "first 2R", 3 / 6),
        ("Compat(depth=4)", "first 4", 2 / 4),
        ("RBP(p=0.5)", "weight", (1 + 1 / 8 + 1 / 32) / (2 - 1 / 128)),
        ("RBP(p=0.5)@4", "weight", (1 + 1 / 8) / (2 - 1 / 8)),
        ("SDCG@2", "weight", 1 / (1 + 1 / np.log2(3))),
        ("EU(model='RBP(p=0.5)')", "weight", (1 + 1 / 8 + 1 / 32) / (2 - 1 / 128)),
        ("EU(model='P@4')", "first 4", 2 / 4),
        ("ED(model='AP')", "whole list", 3 / 8),
        ("nDCG'@2", "first 2 judged", 2 / 4),  # the second judged document stands at rank 4
        ("nDCG'@10", "first 10 judged", 3 / 8),  # there are only three, so the whole list was gone through
        ("AP'", "judged documents", 3 / 8),
        ("RBP'", "judged documents", 3 / 8),
        ("Bpref", "judged documents", 3 / 8),
        ("NumRel", "no document", np.nan),
    ],
)
def test_the_share_is_that_of_what_the_measure_looks_at(name, words, share):
    assert looks_at(parse(name)) == words
    np.testing.assert_allclose(judged_share(parse(name), HITS), [share], rtol=1e-14)


def test_attention_depends_on_what_was_found():
    found, nothing = (Hits.of([[(1, grade)]], levels=[[1, 1]], retrieved=[2]) for grade in (1, 0))
    measure = parse("NERR10(p=0.5)")  # who finds something at rank 1 does not go on
    np.testing.assert_allclose(judged_share(measure, found), [1.0])
    np.testing.assert_allclose(judged_share(measure, nothing), [1 / 1.5])


def test_an_empty_list_has_no_share():
    empty = Hits.of([[]], levels=[[1, 1]], retrieved=[0])
    for definition in BUILT_IN.values():
        assert np.isnan(judged_share(bare(definition), empty)).all(), definition.name


def test_a_user_model_of_ones_own_is_weighed_by_its_attention():
    @cf.user_model("Halving")
    def halving(i):
        return 0.5 + 0 * i

    try:
        np.testing.assert_allclose(judged_share(parse("Halving"), HITS), judged_share(parse("RBP(p=0.5)"), HITS))
    finally:
        cf.forget("Halving")


@given(worlds(), measures())
def test_the_share_is_the_weight_of_the_judged_ranks_over_that_of_all(world, several):
    hits = world.hits()
    for measure in map(parse, several):
        weights = rank_weights(measure, world)
        for number, (row, share) in enumerate(zip(weights or (), judged_share(measure, hits), strict=bool(weights))):
            judged = [document is not None and document >= 0 for document in world.documents(number)]
            expected = row[judged].sum() / row.sum() if row.sum() else np.nan
            np.testing.assert_allclose(share, expected, rtol=1e-12, err_msg=str(measure))


def rank_weights(measure, world: World):
    """What a measure declares that each rank of each list counts; None where it looks at judged documents or none."""
    hits, parameters = world.hits(), measure.arguments
    declared = measure.definition.looks_at
    if isinstance(declared, SameAs):
        return rank_weights(parse(parameters[declared.parameter]), world)
    if isinstance(declared, JudgedDocuments | NoDocument):
        return None
    if isinstance(declared, UserAttention):
        model = declared.model(**parameters)
        rows = []
        for number in range(len(hits)):
            gains = gains_of(measure, world, number)
            rows.append(model.functions(gains).W[: len(gains)] if gains else np.zeros(0))
            rows[-1] = np.append(rows[-1], np.zeros(len(gains) - len(rows[-1])))
        return rows
    depth = declared.depth(hits, **parameters)
    return [
        declared.weights(np.arange(1.0, n + 1), **parameters) * (np.arange(1, n + 1) <= last)
        for n, last in zip(hits.retrieved, depth, strict=True)
    ]


def gains_of(measure, world: World, number: int) -> list[float]:
    from cranfield.measures.users.dense import share

    hits = world.hits()
    gains = np.zeros(hits.retrieved[number])
    own = hits.ranking == number
    gains[hits.rank[own] - 1] = share(hits, *(measure.arguments.get(n) for n in ("rel", "max_rel", "gains")))[own]
    return gains.tolist()


@st.composite
def exchanged_documents(draw):
    """A world, and the same with one document of a list replaced by another of its topic that the list has not."""
    world = draw(worlds())
    number = draw(st.integers(0, len(world.rankings) - 1))
    topic, places = world.rankings[number]
    others = [place for place in range(len(world.topics[topic])) if place not in places]
    if not places or not others:
        return world, world, number, 0
    at, other = draw(st.integers(0, len(places) - 1)), draw(st.sampled_from(others))
    changed = (*places[:at], other, *places[at + 1 :])
    rankings = tuple((topic, changed) if n == number else kept for n, kept in enumerate(world.rankings))
    return world, World(world.topics, rankings), number, at


@given(exchanged_documents(), measures())
def test_a_document_that_is_not_looked_at_never_changes_the_value(exchanged, several):
    before, after, number, at = exchanged
    for measure in map(parse, several):
        weights = rank_weights(measure, before)
        if weights is None:
            unseen = outside_judged(measure, before, after, number, at)
        else:
            unseen = len(weights[number]) <= at or weights[number][at] == 0
        if unseen:
            first, second = (measure(world.hits())[number] for world in (before, after))
            np.testing.assert_allclose(first, second, rtol=1e-12, err_msg=str(measure))


def outside_judged(measure, before: World, after: World, number: int, at: int) -> bool:
    """Whether the exchange is one of unjudged documents, or the measure looks at no document."""
    if isinstance(measure.definition.looks_at, NoDocument):
        return True
    states = [world.documents(number)[at : at + 1] for world in (before, after)]
    return all(state in ([], [None], [-1]) for state in states)


def one_exchange_each() -> tuple[World, np.ndarray]:
    """Lists of four, then each with the document of one rank exchanged; and (list, rank) of every such exchange."""
    topics = [(*found, 2, 1, 0) for found in product((0, 1, None), repeat=4)]
    rankings: list[tuple[int, tuple[int, ...]]] = [(topic, (0, 1, 2, 3)) for topic in range(len(topics))]
    exchanges = list(product(range(len(topics)), range(3), (4, 5, 6)))
    rankings += [(topic, tuple(other if n == at else n for n in range(4))) for topic, at, other in exchanges]
    return World(tuple(topics), tuple(rankings)), np.array([(topic, at) for topic, at, _ in exchanges])


@pytest.mark.parametrize("name", [n for n, d in BUILT_IN.items() if not isinstance(d.looks_at, NoDocument)])
def test_a_document_that_is_looked_at_can_change_the_value(name):
    world, exchanges = one_exchange_each()
    hits, definition = world.hits(), BUILT_IN[name]
    levels = [{"rel": 1}, {"rel": 2}] if "rel" in definition.parameters else [{}]  # one document has grade 2
    differs = np.zeros(len(exchanges), dtype=bool)
    for measure in (bare(definition), *(build(definition, needed(definition) | level) for level in levels)):
        values = measure(hits)
        before, after = values[exchanges[:, 0]], values[len(values) - len(exchanges) :]
        differs |= ~np.isclose(before, after, rtol=1e-12, atol=1e-12, equal_nan=True)
    assert {*exchanges[differs, 1].tolist()} == {0, 1, 2}


QRELS = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
HOLED = {topic: ["a", "x", "b", "y"] for topic in QRELS}  # unjudged at ranks 2 and 4


def noted(measures, run=HOLED):
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        scores = cf.evaluate(QRELS, {"holed": run}, measures)
    return scores, [str(warning.message) for warning in met if "W105" in str(warning.message)]


def test_each_measure_has_the_share_of_its_own_beside_it():
    scores, _ = noted(["nDCG@1", "P@3", "AP", "R@3", "RBP(p=0.5)", "P'@2", "Bpref", "NumRel"])
    table = scores.sheet()
    shown = {column.name: column.cells for column in table.columns if re.match("judged|dropped", column.name)}
    assert shown == {
        "judged@1": ["100.0 %"],
        "judged@3": ["66.7 %"],  # of P and of R
        "judged": ["50.0 %"],
        "judged weight": ["66.7 %"],  # (1 + 1/4) of (1 + 1/2 + 1/4 + 1/8)
        "dropped@2": ["33.3 %"],  # two of three ranks kept
        "dropped": ["50.0 %"],
    }


def test_several_weights_are_told_apart_by_their_measures():
    scores, _ = noted(["RBP(p=0.5)", "RBP(p=0.9)"])
    names = [column.name for column in scores.sheet().columns]
    assert names[3:] == ["judged weight RBP(p=0.5)", "judged weight RBP(p=0.9)"]


def test_judged_at_k_as_a_measure_needs_no_second_column():
    scores, _ = noted(["P@3", "Judged@3"])
    assert [column.name for column in scores.sheet().columns] == ["run", "P@3", "Judged@3"]


def test_the_audit_has_the_share_at_every_cutoff():
    scores, _ = noted(["P@1", "nDCG'@3", "AP"])
    assert scores.audit.judged_at_k == {"holed": {1: 1.0, 3: pytest.approx(2 / 3)}}
    assert noted(["AP"])[0].audit.judged_at_k == {"holed": {10: 0.5}}


def test_shares_and_what_they_are_of_survive_saving(tmp_path):
    scores, _ = noted(["P@3", "AP'"])
    scores.save(tmp_path / "s.json")
    again = cf.load_scores(tmp_path / "s.json")
    assert again.looks_at == scores.looks_at == ("first 3", "judged documents")
    assert again.sheet().text() == scores.sheet().text()
    assert scores.to_dict()["result"]["looks_at"] == {"P@3": "first 3", "AP'": "judged documents"}


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("P@3", "only 66.7 % of the first 3 documents were judged"),
        ("RBP(p=0.5)", "only 66.7 % of the weight of RBP(p=0.5) was judged"),
        (
            ["P@3", "R@3", "RBP(p=0.5)"],
            "only 66.7 % of the first 3 documents and 66.7 % of the weight of RBP(p=0.5) were judged",
        ),
    ],
)
def test_few_judged_among_the_first_or_by_weight_is_a_warning(measures, message):
    assert noted(measures)[1] == [f"W105: holed: {message}"]


def test_whole_lists_deep_cutoffs_and_condensed_lists_do_not_warn():
    assert noted(["AP", "R@100", "nDCG@21", "P'@3", "Bpref", "Rprec"])[1] == []
    assert noted(["nDCG@20"])[1] != []


def test_a_user_sees_what_a_measure_looks_at_on_its_page():
    assert cf.describe("Rprec").looks_at == "as many ranks of each topic as its formula says"
    assert ("looks at", "every rank, by its weight") in cf.describe("RBP").facts()


def test_the_share_of_first_documents_is_said_in_the_plural():
    with pytest.warns(cf.DataWarning, match=r"only 0\.0 % of the first documents were judged$"):
        cf.evaluate({"q": {"a": 1}}, {"q": ["x", "a"]}, "P@1")
