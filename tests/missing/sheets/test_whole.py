"""All that `holes` prints, put together."""

from dataclasses import replace

import pytest

from cranfield.missing.coverage import Coverage
from cranfield.missing.pairs.verdicts import Verdict
from cranfield.missing.sheets.ranges import PossibleRange
from cranfield.missing.sheets.whole import MeasureRanges, whole_sheet
from cranfield.pooling.candidates import Candidates
from cranfield.read.objects import as_qrels, as_sources
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.screen import Screen

RUNS = {"bm25": {"1": ["a", "b"]}, "dense": {"1": ["c", "a"]}}
NDCG = MeasureRanges(
    "nDCG@10",
    "only documents in the first 10 of these runs may be relevant",
    (0, 1, 2),
    (PossibleRange("bm25", 0.3702, 0.4117, 0.4139, 0.4168), PossibleRange("dense", 0.344, 0.448, 0.5022, 0.5544)),
    (0.98, 0.5),
    (Verdict("dense", "bm25", "open", None, 0.0363, -0.061, 0.142, flips=31),),
)


@pytest.fixture
def coverage():
    candidates = Candidates.of(as_sources(RUNS).open(lambda *_: None), 20)
    return Coverage.of(candidates, as_qrels({"1": {"a": 1, "b": 0}}))


def test_the_tables_stand_one_below_the_other(coverage):
    assert whole_sheet(coverage, [NDCG], "runs", ["1 topic in the mean"]).text().splitlines() == [
        " judged share of the top k      1      3      5     10     20",
        " bm25                       100 %  100 %  100 %  100 %  100 %",
        " dense                        0 %   50 %   50 %   50 %   50 %",
        "",
        " nDCG@10   lowest   as judged   condensed   highest  0.34                                0.56",
        " bm25      0.3702      0.4117      0.4139    0.4168       ├───────●┤",
        " dense     0.3440      0.4480      0.5022    0.5544   ├─────────────────●──────────────────┤",
        "",
        " pair            Δ now  Δ possible        verdict",
        " dense – bm25  +0.0363  [−0.061, +0.142]  open: 31 documents can reverse it",
        "",
        " documents that can reverse a pair: the smallest set found; fewer may do",
        " bm25 can fall although almost fully judged: relevant documents found by others raise the ideal",
        " universe=runs: only documents in the first 10 of these runs may be relevant",
        " grades 0–2 · exact bounds",
        " 1 topic in the mean",
    ]


def test_programs_get_the_rows_of_one_table(coverage):
    assert whole_sheet(coverage, [NDCG], "runs").records()[0] == {
        "measure": "nDCG@10",
        "run": "bm25",
        "lowest": 0.3702,
        "as_judged": 0.4117,
        "condensed": 0.4139,
        "highest": 0.4168,
        "exact": True,
        "certified": True,
        "judged": 0.98,
    }
    assert whole_sheet(coverage, [NDCG], "runs", only="pairs").csv().splitlines() == [
        "measure,a,b,delta,low,high,status,winner,exact,flips,smallest,certified",
        "nDCG@10,dense,bm25,0.0363,-0.061,0.142,open,,True,31,False,True",
    ]
    assert whole_sheet(coverage, [NDCG], "runs", only="coverage").records()[0]["depth"] == 1


def test_one_table_alone(coverage):
    text = whole_sheet(coverage, [NDCG], "runs", only="pairs").text()
    assert text.startswith(" pair")
    assert "lowest" not in text
    assert "universe=runs" in text
    assert "universe" not in whole_sheet(coverage, [NDCG], "runs", only="coverage").text()
    assert "reverse" not in whole_sheet(coverage, [NDCG], "runs", only="ranges").text()


def test_several_measures_are_told_apart(coverage):
    ap = replace(NDCG, measure="AP", universe="only documents in these runs may be relevant")
    text = whole_sheet(coverage, [NDCG, ap], "runs").text()
    assert " pair, AP " in text
    assert text.count("judged share of the top k") == 1
    assert "\n universe=runs\n" in text
    assert "\n AP: only documents in these runs may be relevant · grades 0–2 · exact bounds" in text


@pytest.mark.parametrize(
    ("exact", "words"),
    [
        ((True, True, True), "exact bounds"),
        ((False, True, True), "exact and outer bounds"),
        ((False, False, False), "outer bounds"),
    ],
)
def test_the_kind_of_bounds_is_said(exact, words):
    first, second, pair = exact
    ranges = tuple(replace(row, exact=e) for row, e in zip(NDCG.ranges, (first, second), strict=True))
    verdicts = (replace(NDCG.verdicts[0], exact=pair),)
    assert replace(NDCG, ranges=ranges, verdicts=verdicts).method == words


def test_only_a_run_that_is_almost_fully_judged_and_can_fall_is_named():
    assert not [note for note in replace(NDCG, judged=(0.94, 0.5)).notes() if "can fall" in note]
    steady = tuple(replace(row, lowest=row.as_judged) for row in NDCG.ranges)
    assert not [note for note in replace(NDCG, ranges=steady).notes() if "can fall" in note]


def test_one_run_has_ranges_and_no_verdict(coverage):
    alone = replace(NDCG, ranges=NDCG.ranges[:1], judged=(0.5,), verdicts=())
    assert "verdict" not in whole_sheet(coverage, [alone], "runs").text()
    assert whole_sheet(coverage, [alone], "runs", only="pairs").records() == []


def test_every_form_for_people_fits_or_holds_whole_names(coverage):
    name = "a-long-name-" * 9
    ranges = (replace(NDCG.ranges[0], run=name), replace(NDCG.ranges[1], run=f"{name}2"))
    verdicts = (replace(NDCG.verdicts[0], a=name, b=f"{name}2"),)
    sheet = whole_sheet(
        replace(coverage, runs=(name, f"{name}2")), [replace(NDCG, ranges=ranges, verdicts=verdicts)], "runs"
    )
    for columns in (60, 80, 100):
        tables = sheet.text(Screen(columns)).split("\n documents that can")[0]
        assert max(map(width, tables.splitlines())) <= columns
    for form in (sheet.text(), sheet.markdown(), sheet.latex(), sheet.html(), sheet.csv()):
        assert name in form
