"""`study ahlgren2007`: a paper is its studies put together, beside what was printed."""

from typing import Any

import pytest

from cranfield import study
from cranfield.errors import InputError
from cranfield.study.papers.ahlgren2007.printed import PUBLISHED
from cranfield.study.papers.printed_value import PrintedValue, Published, agreeing, lined_up
from tests.study.small import small

BPREF = "Bpref10(variant='literal')"


def test_numbers_agree_to_the_printed_digit_or_as_far_as_chance_allows():
    table = Published("Table 1", "x", {"here": 0.25}, digits=2, within=0.02)
    assert [table.beside("here", x).verdict for x in (0.2549, 0.2551, 0.2552, 0.27, 0.271, float("nan"))] == [
        "yes",
        "yes",
        "within 0.02",
        "within 0.02",
        "no",
        "–",
    ]
    assert table.beside("elsewhere", 0.25).verdict == "–"
    rows = lined_up([table], "here", {"x": 0.26, "y": 1.0})
    assert agreeing(rows) == "0 of 1 printed numbers agree to the last digit, 1 more as far as chance allows"


def test_the_smallest_difference_may_be_one_bin_from_the_print_and_no_more():
    found = [each for each in PUBLISHED if each.what.startswith("δ of")]
    assert len(found) == 3
    for each in found:
        apart = [each.beside("TREC-8", each.values["TREC-8"] + bins * 0.002).verdict for bins in (-2, -1, 0, 1, 2)]
        assert apart == ["no", "within 0.002", "yes", "within 0.002", "no"]


def test_a_number_of_other_runs_is_no_contradiction_and_not_explained_by_chance():
    near, far = (PrintedValue("Table 8", "τ", 9, here, 0, within=5, other=True) for here in (8, 1))
    assert [near.verdict, far.verdict] == ["other data", "other data"]
    assert PrintedValue("Table 8", "τ", 9, 9.2, 0, other=True).verdict == "yes"
    assert agreeing([near, far]) == "0 of 2 printed numbers agree to the last digit, 2 are of other data"


def test_a_collection_with_other_runs_has_other_data_wherever_runs_are_needed():
    made = study.ahlgren2007(*long_lists(), levels=[100, 20], draws=1, sets=5, boot=0, beside="TREC-12")
    rows = made.table().to_dicts()
    assert {row["agree"] for row in rows if row["item"] not in ("Table 1", "Table 4")} <= {"yes", "other data", "–"}
    assert {row["agree"] for row in rows if row["item"] == "Table 1"} == {"no"}
    assert "are of other data" in made.findings.title


def test_a_digit_more_is_shown_where_only_rounding_tells_numbers_apart():
    assert PrintedValue("Table 5", "variance", 0.0252, 0.02525, 4).words == ("0.0252", "0.02525")
    assert PrintedValue("Table 5", "variance", 0.0252, 0.0253, 4).words == ("0.0252", "0.0253")


def test_a_reproduction_repeats_itself_and_is_the_same_on_two_processes(tmp_path):
    qrels, runs = long_lists()
    options: dict[str, Any] = {"levels": [100, 20], "draws": 3, "sets": 20, "boot": 10, "seed": 3}
    one = study.ahlgren2007(qrels, runs, **options, folder=tmp_path / "one", jobs=1)
    two = study.ahlgren2007(qrels, runs, **options, folder=tmp_path / "two", jobs=2)
    assert (tmp_path / "one" / "table.txt").read_bytes() == (tmp_path / "two" / "table.txt").read_bytes()
    assert study.repeat(one, qrels, runs).to_csv() == two.to_csv() == one.to_csv()
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert {"reduction.csv", "swap-bins.csv", "collection-ranks.svg", "reduction-agreement.svg"} <= names


def test_each_part_of_a_reproduction_is_what_its_study_finds_alone():
    qrels, runs = long_lists()
    made = study.ahlgren2007(qrels, runs, levels=[100, 20], draws=3, sets=20, boot=0, seed=3)
    measures = ["AP", BPREF, "RankEff"]
    alone = study.reduction(qrels, runs, measures, keep="ag07", levels=[100, 20], draws=3, seed=3)
    assert made.table("reduction").equals(alone.table())
    assert made.table("swap").equals(study.swap(qrels, runs, measures, keep="ag07", sets=20, seed=3).table())
    described = study.describe(qrels, runs, measures, keep="ag07", ties="given")
    assert made.table("collection").equals(described.table())


def test_a_reproduction_leaves_out_what_its_measures_cannot_say():
    qrels, runs = long_lists()
    made = study.ahlgren2007(qrels, runs, "AP", levels=[100, 20], draws=2, sets=20, boot=0)
    computed = dict(zip(made.table()["what"], made.table()["computed"], strict=True))
    assert computed["best MAP"] == pytest.approx(max(made.table("collection-runs")["AP"]))
    assert not {"best RankEff", "δ of RankEff", "τ of MAP and RankEff"} & computed.keys()


def test_runs_without_full_lists_leave_nothing_to_reproduce():
    with pytest.raises(InputError) as caught:
        study.ahlgren2007(*small(), levels=[100], draws=1, sets=5)
    assert caught.value.code == "E233"


def long_lists():
    """A small collection whose lists are long enough for the rule of the paper, and have ranks."""
    qrels, runs = small(topics=4, runs=4)
    runs["r1"]["q0"] = {"d0": 1.0}
    lists = {
        run: {t: sorted(scores, key=scores.__getitem__, reverse=True) for t, scores in topics.items()}
        for run, topics in runs.items()
    }
    for ranked in (ranked for topics in lists.values() for ranked in topics.values()):
        ranked.extend(f"long{n}" for n in range(1000 - len(ranked)))
    return qrels, lists
