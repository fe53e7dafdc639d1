"""The grammar of measure names."""

import ir_measures
import pytest

from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import parse, parse_many
from tests.laws.worlds import BUILT_IN


@pytest.mark.parametrize(
    "name",
    [
        "AP",
        "AP@100",
        "AP'",
        "AP(rel=2)@10",
        "AP'(rel=2)@10",
        "AP(denominator='min')@10",
        "nDCG@10",
        "nDCG'@10",
        "nDCG(dcg='exp-log2')@10",
        "nDCG(dcg='jk', b=3)",
        "nDCG(gains={1: 1, 2: 10, 3: 100})@5",
        "DCG(gains={0: 1, 1: -1, 2: 0.5})",
        "RBP(p=0.8)",
        "RBP(p=0.5, rel=1)",
        "RBP(max_rel=4)@20",
        "Bpref10(variant='te')",
        "IPrec@0.5",
        "IPrec(rule='te9')@0.0",
        "11pt(rule='lround')",
        "SetF(beta=0.5)",
        "SetP(relative=True)",
        "NumRet(rel=1)",
        "Judged@10",
        "infAP",
    ],
)
def test_a_canonical_name_prints_back_as_it_is(name):
    assert str(parse(name)) == name
    assert repr(parse(name)) == name
    assert parse(name) == parse(str(parse(name)))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("AP(judged_only=True)", "AP'"),
        ("AP(judged_only=False)", "AP"),
        ("AP'(judged_only=True)", "AP'"),
        ("nDCG(judged_only=True)@10", "nDCG'@10"),
        ("AP(rel=2,judged_only=True)", "AP'(rel=2)"),
        ("AP(cutoff=10)", "AP@10"),
        ("AP(rel=2.0)", "AP(rel=2)"),
        ("RBP(rel=1,p=0.5)", "RBP(p=0.5, rel=1)"),
        ("RBP(rel=None)", "RBP"),
        ("nDCG(gains={3:7,2:3})@10", "nDCG(gains={2: 3, 3: 7})@10"),
        ("  map ", "AP"),
        ("NDCG@5", "nDCG@5"),
        ("IPrec@1", "IPrec@1.0"),
        ("SetF(beta=2.0)", "SetF(beta=2)"),
    ],
)
def test_other_spellings_have_one_canonical_name(written, canonical):
    assert str(parse(written)) == canonical


@pytest.mark.parametrize(
    ("trec", "canonical"),
    [
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("map_cut.10", "AP@10"),
        ("gm_map", "GMAP"),
        ("P_5", "P@5"),
        ("P.5", "P@5"),
        ("rbp.0.9", "RBP(p=0.9)"),
        ("set_F.0.25", "SetF(beta=0.5)"),  # there the number is the square
        ("recall_100", "R@100"),
        ("Rprec", "Rprec"),
        ("recip_rank", "RR"),
        ("bpref", "Bpref"),
        ("gm_bpref", "GMBpref"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("iprec_at_recall_0.00", "IPrec@0.0"),
        ("iprec_at_recall..25", "IPrec@0.25"),
        ("11pt_avg", "11pt"),
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("dcg", "DCG"),
        ("infAP", "infAP"),
        ("success_1", "Success@1"),
        ("set_P", "SetP"),
        ("set_recall", "SetR"),
        ("set_F", "SetF"),
        ("set_map", "SetAP"),
        ("num_q", "NumQ"),
        ("num_ret", "NumRet"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"),
        ("unj_10", "Unj@10"),
        ("rbp", "RBP"),
        ("rbp_resid", "RBPResidual"),
    ],
)
def test_names_of_trec_eval_are_aliases(trec, canonical):
    assert str(parse(trec)) == canonical
    assert str(parse(trec.upper())) == canonical


@pytest.mark.parametrize(
    ("measure", "canonical"),
    [
        (ir_measures.AP, "AP"),
        (ir_measures.AP(rel=2) @ 10, "AP(rel=2)@10"),
        (ir_measures.nDCG @ 10, "nDCG@10"),
        (ir_measures.nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (ir_measures.nDCG(judged_only=True) @ 10, "nDCG'@10"),
        (ir_measures.nDCG(gains={1: 2, 2: 5}) @ 10, "nDCG(gains={1: 2, 2: 5})@10"),
        (ir_measures.RBP(rel=1, p=0.5), "RBP(p=0.5, rel=1)"),
        (ir_measures.RR @ 10, "RR@10"),
        (ir_measures.P(rel=2) @ 5, "P(rel=2)@5"),
        (ir_measures.Bpref(rel=2), "Bpref(rel=2)"),
        (ir_measures.IPrec @ 0.2, "IPrec@0.2"),
        (ir_measures.SetF(beta=0.5), "SetF(beta=0.5)"),
        (ir_measures.SetP(relative=True), "SetP(relative=True)"),
        (ir_measures.NumRet(rel=1), "NumRet(rel=1)"),
        (ir_measures.Judged @ 10, "Judged@10"),
        (ir_measures.Success @ 5, "Success@5"),
        (ir_measures.infAP, "infAP"),
        (ir_measures.Rprec, "Rprec"),
    ],
)
def test_objects_of_ir_measures_pass_straight_through(measure, canonical):
    assert str(parse(measure)) == canonical


def test_several_names_are_split_at_blanks_outside_parentheses():
    several = parse_many("AP nDCG(dcg='jk', b=3)@10  P_5")
    assert [str(measure) for measure in several] == ["AP", "nDCG(dcg='jk', b=3)@10", "P@5"]


def test_the_same_measure_twice_is_one():
    assert parse_many(["map", "AP", ir_measures.AP]) == (parse("AP"),)


def test_measures_are_equal_exactly_when_their_names_are():
    assert parse("AP") == parse("map")
    assert hash(parse("AP")) == hash(parse("map"))
    assert parse("AP") != parse("AP'")
    assert parse("RBP(p=0.5)") != parse("RBP(p=0.6)")


def test_a_measure_that_is_parsed_again_is_itself():
    measure = parse("AP")
    assert parse(measure) is measure


def test_the_level_of_the_policy_reaches_binary_measures_that_have_none_of_their_own():
    assert str(parse("AP@10").at_level(2)) == "AP(rel=2)@10"
    assert str(parse("AP(rel=3)").at_level(2)) == "AP(rel=3)"
    for name in ("nDCG@10", "RBP", "NumRet", "Judged@10"):
        assert str(parse(name).at_level(2)) == name


def test_the_cutoff_and_level_of_a_measure_can_be_asked_for():
    assert parse("P(rel=2)@5").cutoff == 5
    assert parse("P(rel=2)@5").rel == 2
    assert parse("AP").cutoff is None
    assert parse("IPrec@1").cutoff is None
    assert 0 < parse("nDCG").rel < 1e-300  # any gain above 0


def test_every_alias_leads_to_its_measure_and_every_default_lies_in_its_domain():
    for definition in BUILT_IN.values():
        for alias in (definition.name, *definition.aliases):
            assert MEASURES.find(alias.swapcase()) is definition
        for parameter in definition.parameters.values():
            unset = parameter.required or parameter.default is None
            assert unset or parameter.domain is None or parameter.domain.contains(parameter.default)


def test_every_parameter_of_every_measure_has_a_domain():
    assert not [(d.name, p.name) for d in BUILT_IN.values() for p in d.parameters.values() if p.domain is None]
