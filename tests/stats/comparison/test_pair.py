"""One record of a pair: a field that is declared stands in every form of a comparison."""

import csv
import io
from dataclasses import dataclass, field, fields, replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.arrays import Bools
from cranfield.cli.schemas.compare import compare_schema, declared_record
from cranfield.missing.joined.pair import RangedPair
from cranfield.stats.comparison.compare import compare
from cranfield.stats.comparison.declared import Shown, declare, declared, in_tables
from cranfield.stats.comparison.pair import Pair, PairRecord, Pairs
from cranfield.stats.comparison.run_means import RunMeans
from cranfield.stats.comparison.sheets.topic_sheet import TopicDifferences
from tests.stats.scored import draw, scored

MAY_TURN = declare("flag", "whether it may turn", shown=Shown("turns?"), after="p")


@dataclass(frozen=True, eq=False)
class TurningPair(Pair):
    turns: bool | None = field(default=None, metadata=MAY_TURN)


@dataclass(frozen=True, eq=False)
class TurningPairs(Pairs):
    single = TurningPair

    turns: Bools | None = field(default=None, metadata=MAY_TURN)


def everything(**choices):
    """A comparison in which every optional field was asked for."""
    scores = scored(draw(1, measures=2), measures=("AP", "RR"))
    return compare(scores, **{"baseline": "run0", "equivalence": 0.1, "rope": 0.05, "risk": 1, **choices})


def header(comparison):
    return next(csv.reader(io.StringIO(comparison.to_csv())))


def in_csv(name, about):
    stem = name.removesuffix("_ci")
    return [f"{stem}_low", f"{stem}_high"] if about.kind == "interval" else [name]


def joined(comparison, evidence):
    """The comparison with a column that a layer further right brings."""
    found = [
        replace(each, pairs=TurningPairs(**vars(each.pairs), turns=np.arange(len(each.pairs)) == 0))
        for each in evidence
    ]
    return replace(comparison, evidence=tuple(found))


def test_one_pair_and_all_pairs_have_the_declared_fields_and_no_others():
    names = list(declared(PairRecord))
    assert names == [each.name for each in fields(Pair)] == [each.name for each in fields(Pairs)]


def test_every_field_is_described_in_words():
    for record in (Pair, TopicDifferences):
        assert all(about.about for about in declared(record).values())


def test_every_declared_field_stands_in_json_and_its_schema():
    pair = everything().result()["pairs"][0]
    schema = compare_schema()["properties"]["pairs"]["items"]
    assert list(pair) == list(declared(Pair)) == schema["required"]
    assert list(schema["properties"]) == list(declared(RangedPair))  # which `missing` adds to


def test_the_schema_says_what_a_field_is_and_which_choice_brings_it():
    schema = compare_schema()["properties"]["pairs"]["items"]["properties"]
    assert all(schema[name]["description"].startswith(about.about) for name, about in declared(Pair).items())
    assert schema["trisk"]["description"] == "urisk over its standard error; null unless `risk` is given"


def test_every_tabled_field_stands_in_csv():
    expected = [part for name, about in in_tables(Pair).items() if about.tabled for part in in_csv(name, about)]
    of_runs = ["mean", "baseline_mean", "judged", "baseline_judged"]
    assert sorted(header(everything())) == sorted([*expected, *of_runs])


def test_what_is_declared_of_a_run_stands_in_json_its_schema_and_csv():
    names = list(declared(RunMeans))
    assert list(everything().result()["runs"][0]) == names
    schema = compare_schema()["properties"]["runs"]["items"]
    assert schema["required"] == list(schema["properties"]) == names
    assert all(schema["properties"][name]["description"] for name in names)
    assert {part for name in names[2:] for part in (name, f"baseline_{name}")} < set(header(everything()))


def test_the_judged_shares_of_both_runs_stand_in_csv_as_in_json():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
    runs = {"new": {topic: ["x", "a"] for topic in qrels}, "old": {topic: ["b", "a"] for topic in qrels}}
    comparison = compare(qrels, runs, ["P@30", "AP"], baseline="old")
    shares = {(row["run"], row["measure"]): row["judged"] for row in comparison.result()["runs"]}
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert [(row["judged"], row["baseline_judged"], row["looks_at"]) for row in rows] == [
        ("0.5", "1.0", "first 30"),
        ("0.5", "1.0", "whole list"),
    ]
    for row in rows:
        assert float(row["judged"]) == shares[row["run"], row["measure"]]
        assert float(row["baseline_judged"]) == shares[row["baseline"], row["measure"]]


def test_every_shown_field_has_a_title_in_the_printed_table():
    comparison = everything()
    text = comparison.sheet().text()
    titles = [about.shown.title.format(method=comparison.method) for about in declared(Pair).values() if about.shown]
    assert all(title in text for title in titles if title != "topics")  # which are shown where they differ
    assert {"Δ", "W/T/L", "p(|Δ|<0.1)", "P(|Δ|<0.05)", "P(better)"} < set(titles)


@pytest.mark.parametrize("option", ["equivalence", "rope", "risk"])
def test_what_nobody_asked_for_has_no_column(option):
    brought = {name for name, about in declared(Pair).items() if about.option == option}
    comparison = everything(**{option: None})
    assert brought
    assert not brought & set(header(comparison))
    assert brought < set(header(everything()))
    assert all(comparison.result()["pairs"][0][name] is None for name in brought)


def test_a_field_that_is_declared_elsewhere_appears_in_every_form():
    plain = everything()
    comparison = joined(plain, plain.evidence)
    pair = comparison.pair("run1", "run0", "AP")
    assert isinstance(pair, cf.Pair)
    assert {each.as_dict()["turns"] for each in comparison.pairs("AP")} == {True, False}
    assert pair.reversed().as_dict()["turns"] == pair.as_dict()["turns"]
    head = comparison.sheet().text().splitlines()[2]
    assert head.index("d_z") < head.index(" p ") < head.index("turns?") < head.index("p(|Δ|<0.1)")
    names = header(comparison)
    assert names[names.index("p") + 1] == "turns"
    assert comparison.result()["pairs"][0]["turns"] in (True, False)
    assert declared_record(TurningPair)["properties"]["turns"]["type"] == ["boolean", "null"]


def test_topics_have_the_declared_fields_in_every_form():
    comparison = everything()
    names = list(declared(TopicDifferences))
    assert next(csv.reader(io.StringIO(comparison.topic_sheet().csv()))) == names
    assert list(comparison.result(per_topic=True)["topics"][0]) == names
    assert list(compare_schema()["properties"]["topics"]["items"]["properties"]) == names


def test_a_sum_beside_a_mean_has_no_posterior():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
    runs = {"new": {topic: ["a", "b"] for topic in qrels}, "old": {topic: ["b", "a"] for topic in qrels}}
    runs["old"]["q1"] = ["a"]
    for measures in (["AP", "NumRet"], ["NumRet", "AP"]):
        comparison = compare(qrels, runs, measures, rope=0.1, baseline="old")
        rows = {row["measure"]: row for row in csv.DictReader(io.StringIO(comparison.to_csv()))}
        assert rows["NumRet"]["probability_better"] == ""
        assert float(rows["AP"]["probability_better"]) > 0.9
        assert str(comparison.pair("new", "old", "NumRet").probability_better) == "nan"
        assert comparison.sheet().text().count("P(better)") == 1


def test_pairs_are_equal_if_their_values_are_even_where_these_are_undefined():
    one, again, other = (compare(scored(draw(seed)), test="t") for seed in (1, 1, 2))
    for first, second, third in zip(one.pairs(), again.pairs(), other.pairs(), strict=True):
        assert np.isnan(first.permutation_p)
        assert first == second
        assert len({first, second, first.reversed().reversed()}) <= 2  # rounding may part the last
        assert first != third
        assert first != replace(first, permutation_p=0.5)
        assert first != replace(first, equivalence_p=float("nan"))  # asked for and undefined
        assert first != replace(first, ci=(float("nan"), first.ci[1]))
        assert replace(first, ci=(float("nan"), 1.0)) == replace(second, ci=(float("nan"), 1.0))
        assert first != first.as_dict()
    assert set(one.pairs()) == set(again.pairs())
    assert next(one.pairs()) != next(joined(one, one.evidence).pairs())  # of another class
