"""Every name of a measure in another program means the same number here, or is refused with what to write instead."""

import contextlib
import json
import re
import warnings

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import cranfield as cf
from cranfield.errors import MeasureError
from cranfield.measures.grammar import parse_many
from tests.golden.peers import DIFFERENT, FORMATS, NAMES, QRELS, RECORD, RUN, SUBTOPICS, needs_subtopics, tolerance

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
RANX = RECORDED["ranx"]["values"]
BEIR = ("NDCG@3", "MAP@3", "Recall@3", "P@3", "MRR@3", "R_cap@3", "Hole@3", "Accuracy@3")
# docs/explanation/differences-from-other-tools.md tells of these: gdeval's highest grade, and the square of beta
TOLD = ("ERR@3", "SetF(beta=2.0)")
IR_MEASURES = (
    *(name + at for name in ir_measures.measures.registry for at in ("", "@3") if name != "IPrec"),
    *("IPrec@0.5", "IPrec@0.0"),
    *("AP(rel=2)", "AP(rel=2)@3", "AP(judged_only=True)@3", "P(rel=2)@3", "P(judged_only=True)@3", "R(rel=2)@3"),
    *("nDCG(dcg='exp-log2')@3", "nDCG(gains={1: 5, 2: 1})@3", "nDCG(judged_only=True)@3", "RR(rel=2)@3"),
    *("RBP(rel=1)", "RBP(rel=1, p=0.5)", "RBP(rel=2, p=0.95)@3", "Rprec(rel=2)", "Bpref(rel=2)", "Success(rel=2)@3"),
    *("SetP(relative=True)", "SetP(rel=2)", "SetR(rel=2)", "SetF(rel=2)", "SetF(beta=2.0)", "NumRet(rel=1)"),
    *("Compat(p=0.8)", "Compat(p=0.8, normalize=False)", "IPrec(rel=2)@0.1", "infAP(rel=2)", "NumRel(rel=2)"),
    *("BPM(T=2, max_rel=3)@3", "SDCG(max_rel=3)@3", "NERR8(max_rel=3)@3", "NERR9(max_rel=3)@3"),
)
_TOPIC, _PART, _DOCUMENT, _GRADE = zip(*SUBTOPICS, strict=True)
DIVERSE = cf.Qrels.of(_TOPIC, _DOCUMENT, list(_GRADE), _PART)
THEIRS = ir_measures.providers.FallbackProvider(
    [provider for provider in ir_measures.DefaultPipeline.providers if provider.NAME != "cranfield"]
)


def ours(name: str) -> float | str:
    """The value over the topics, or the hint of a refusal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.DataWarning)  # few documents of the small world are judged
            scores = cf.evaluate(DIVERSE if needs_subtopics(name) else QRELS, RUN, name)
            undefined = np.isnan(scores.values).any()  # counts as 0 in ranx
            return float(np.nan_to_num(scores.values).mean() if undefined else scores.means[0, 0])
    except cf.Error as error:  # a measure of diversity needs subtopics
        return error.hint


def written(hint: str) -> str | None:
    """The measure that a hint says to write."""
    found = re.match(r"write (\S+?(?:\(.*?\))?(?:@[\d.]+)?)(?:[,;:]|$)", hint)
    return found and found[1]


def same_or_refused(name: str, value: float | None) -> None:
    here = ours(name)
    if isinstance(here, float):
        assert value is None or here == pytest.approx(value, abs=1e-9), name
        return
    assert here, f"{name} is refused without a hint"
    if instead := written(here):
        cf.parse(instead)


@pytest.mark.parametrize("name", RANX)
def test_a_name_of_ranx(name):
    same_or_refused(name, RANX[name])


@pytest.mark.parametrize("name", [name for name in RANX if "-l" in name and not name.startswith("rbp")])
def test_what_stands_in_the_hint_for_a_name_of_ranx_gives_its_number(name):
    instead = written(str(ours(name)))
    assert instead is not None
    if "@" in name or "@" not in instead:  # without a cut-off the hint shows one as an example
        assert ours(instead) == pytest.approx(RANX[name], abs=1e-9)


@pytest.mark.parametrize("name", ["rbp.95", "RBP.8", "rbp@95", "rbp.95@10"])
def test_a_persistence_is_no_cut_off(name):
    with pytest.raises(MeasureError, match="cannot read") as caught:
        cf.parse(name)
    assert f"RBP(p=0.{re.findall(r'[0-9]+', name)[0]})" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("F2@5", "write F(beta=2)@5"),
        ("F0.5@5", "write F(beta=0.5)@5"),
        ("F.5", "write F(beta=0.5)@10, or F@5 for the first 5 documents"),
        ("F_5", "write F(beta=5)@10, or F@5 for the first 5 documents"),
        ("rbp95", "write RBP(p=0.95)"),
        ("rbp_95", "write RBP(p=0.95), or RBP@95 for the first 95 documents"),
        ("compat.95", "write Compat(p=0.95)"),
        ("INST.3", "write INST(T=3)"),
        ("P@10(rel=1)", "write P(rel=1)@10"),
        ("nDCG@10(dcg='jk', b=3)", "write nDCG(dcg='jk', b=3)@10"),
        ("AP,nDCG@10", "one measure is asked for, and these are several: AP nDCG@10"),
        ("P@5,10", "one measure is asked for, and these are several: P@5 P@10"),
    ],
)
def test_a_number_in_the_wrong_place_is_refused_with_the_right_one(name, hint):
    with pytest.raises(MeasureError) as caught:
        cf.parse(name)
    assert caught.value.hint.startswith(hint)
    if instead := written(caught.value.hint):
        cf.parse(instead)


@pytest.mark.parametrize(
    ("name", "read"), [("rbp_0.8", "RBP(p=0.8)"), ("set_F_0.5", "SetF(beta=0.7071067811865476)"), ("f1@5", "F@5")]
)
def test_a_number_that_another_program_writes_so_is_read(name, read):
    assert cf.parse(name) == cf.parse(read)


@pytest.mark.parametrize("name", sorted(pytrec_eval.supported_measures))
def test_a_name_of_pytrec_eval(name):
    found = pytrec_eval.RelevanceEvaluator(QRELS, {name}).evaluate(RUN)
    several = name not in found["q1"]
    for full in found["q1"]:
        values = [found[topic][full] for topic in QRELS]
        number = full not in ("runid", "relstring")
        value = pytrec_eval.compute_aggregated_measure(full, values) if number else None
        same_or_refused(full, value)
        if several:
            stem, _, last = full.rpartition("_")
            same_or_refused(f"{stem}.{last}", value)
    if several:  # trec_eval prints one line for each of several cut-offs
        assert isinstance(ours(name), str)


@pytest.mark.parametrize("name", IR_MEASURES)
def test_a_name_of_ir_measures(name):
    value = None
    with contextlib.suppress(Exception), warnings.catch_warnings():  # what it does not compute
        warnings.simplefilter("ignore")
        measure = ir_measures.parse_measure(name)
        value = THEIRS.calc_aggregate([measure], QRELS, RUN)[measure]
    if name in TOLD:
        return
    same_or_refused(name, value)


@pytest.mark.parametrize("name", BEIR)
def test_a_name_of_beir(name):
    """BEIR hands all but the last three to pytrec_eval and computes MRR and R_cap as here; the others are refused."""
    counts = {"q1": (1, 4), "q2": (1, 2), "q3": (1, 1)}  # relevant documents found in the first 3, and all
    capped = sum(found / min(every, 3) for found, every in counts.values()) / 3
    same_or_refused(name, capped if name == "R_cap@3" else None)
    assert isinstance(ours(name), str) == (name in ("Hole@3", "Accuracy@3"))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("hit_rate", "write Success@10"),
        ("Accuracy@10", "write Success@10, which says whether a relevant document is among the first 10"),
        ("precision", "write P@10, or SetP for the whole list"),
        ("recall", "write R@10, or SetR for the whole list"),
        ("f1", "write F@10, or SetF for the whole list"),
        ("p10", "did you mean P@10?"),
        ("Hole@10", "Unj@10 is the share of the first 10 that is not judged for the topic"),
    ],
)
def test_a_hint_names_the_measure_that_was_meant(name, hint):
    assert str(ours(name)).startswith(hint)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        *((f"{name}@10", "Success@10") for name in ("hit_rate", "HR", "hr", "Hit", "hit_ratio", "accuracy", "acc")),
        ("hits", "Hits"),
        ("hits@10", "Hits@10"),
        ("top_k_accuracy@5", "Success@5"),
        ("accuracy_at_5", "Success@5"),
        ("ndcg_burges", "nDCG(dcg='exp-log2')"),
        ("ndcg_burges@10", "nDCG(dcg='exp-log2')@10"),
        ("DCG_burges@10", "DCG(dcg='exp-log2')@10"),
        ("ndcg_at_10", "nDCG@10"),
        ("map_at_100", "AP@100"),
        ("recall_at_20", "R@20"),
        ("precision_at_1", "P@1"),
        ("mrr_at_10", "RR@10"),
        ("hit_rate_at_3", "Success@3"),
        ("recall_cap@10", "RelativeP@10"),
        ("R_cap@10", "RelativeP@10"),
        ("r_precision", "Rprec"),
        ("r-precision", "Rprec"),
        ("MRR", "RR"),
        ("mean_average_precision", "AP"),
        ("Judged", "Judged"),
    ],
)
def test_a_name_that_people_bring_along_is_read(name, read):
    assert str(cf.parse(name)) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("ndcg_cut.5,10", "nDCG@5 nDCG@10"),
        ("ndcg_cut_5,10", "nDCG@5 nDCG@10"),
        ("NDCG@10,MAP", "nDCG@10 AP"),
        ("NDCG@10, MAP ,P@5", "nDCG@10 AP P@5"),
        ("P@5,10 recall.100,1000", "P@5 P@10 R@100 R@1000"),
        ("iprec_at_recall.0.1,0.2", "IPrec@0.1 IPrec@0.2"),
        ("AP,nDCG(dcg='jk', b=3)@10,11pt,", "AP nDCG(dcg='jk', b=3)@10 11pt"),
    ],
)
def test_a_comma_separates_measures_and_numbers(text, read):
    assert " ".join(str(measure) for measure in parse_many(text)) == read
    assert " ".join(str(measure) for measure in parse_many([text])) == read
    assert parse_many(read) == parse_many(text)


@pytest.mark.parametrize("text", ["utility.1,-1,0,0", "5,10", "AP,5", "map,,5"])
def test_a_comma_that_separates_no_measures_is_refused(text):
    with pytest.raises(MeasureError):
        parse_many(text)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # few documents of the small lists are judged
def test_judged_without_a_cut_off_looks_at_the_whole_list():
    scores = cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1", "d2", "d3", "d4"]}, "Judged Judged@2 Judged@9")
    assert scores.means.tolist() == [[0.25, 0.5, 0.25]]


@pytest.mark.parametrize(("program", "name"), [(program, name) for program, names in NAMES.items() for name in names])
def test_every_name_gives_the_recorded_number_or_is_refused_with_a_hint(program, name):
    value = RECORDED[program]["values"][name]
    here = ours(name)
    if isinstance(here, str):
        assert here
    elif name in DIFFERENT:
        assert here != pytest.approx(value, abs=1e-9)
    elif value is not None:
        assert here == pytest.approx(value, abs=tolerance(program, name))


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_spelling_named_for_a_name_that_differs_is_equal(name):
    assert ours(DIFFERENT[name][1]) == pytest.approx(
        RECORDED["ir_measures"]["values"][name], abs=tolerance("ir_measures", name)
    )


def test_only_names_that_ir_measures_hands_to_no_program_have_no_recorded_number():
    values = RECORDED["ir_measures"]["values"]
    without = [name for name, value in values.items() if value is None]
    assert [name for name in without if isinstance(ours(name), float)] == ["RBP", "RBP(rel=2, p=0.95)@3", "RBP@3"]


def test_every_measure_of_the_installed_packages_is_in_the_record():
    known = {name.partition("@")[0].partition("(")[0] for name in NAMES["ir_measures"]}
    assert known == set(ir_measures.measures.registry)
    stems = {re.sub(r"_[\d.]+$", "", name) for name in NAMES["pytrec_eval"]}
    assert stems == set(pytrec_eval.supported_measures)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_forms_of_other_programs_are_read(tmp_path):
    assert {program for program, *_ in FORMATS} == set(NAMES)
    mean = cf.evaluate(QRELS, RUN, "nDCG").means[0, 0]
    rows = [(topic, document, grade) for topic, judged in QRELS.items() for document, grade in judged.items()]
    listed = [(topic, document, score) for topic, row in RUN.items() for document, score in row.items()]
    tsv = tmp_path / "test.tsv"
    tsv.write_text("query-id\tcorpus-id\tscore\n" + "".join(f"{t}\t{d}\t{g}\n" for t, d, g in rows), encoding="utf-8")
    assert cf.evaluate(tsv, RUN, "nDCG").means[0, 0] == mean
    qrels = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame(listed, columns=["query_id", "doc_id", "score"])
    assert cf.evaluate(qrels, run, "nDCG").means[0, 0] == mean
    judged, ranked = [ir_measures.Qrel(*row) for row in rows], [ir_measures.ScoredDoc(*row) for row in listed]
    assert cf.evaluate(judged, ranked, "nDCG").means[0, 0] == mean
    parts = [ir_measures.Qrel(topic, document, grade, part) for topic, part, document, grade in SUBTOPICS]
    assert cf.evaluate(parts, ranked, "StRecall@3").means[0, 0] == pytest.approx(ours("StRecall@3"))
    frame = run.rename(columns={"query_id": "q_id"})
    assert cf.evaluate(qrels.rename(columns={"query_id": "q_id"}), frame, "nDCG").means[0, 0] == mean
    (tmp_path / "run.json").write_text(json.dumps(RUN), encoding="utf-8")
    assert cf.evaluate(tsv, tmp_path / "run.json", "nDCG").means[0, 0] == mean
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "tv"}\n', encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "a"}\n', encoding="utf-8")
    assert cf.read_topics(tmp_path / "queries.jsonl")["q1"].query == "tv"
    assert cf.read_documents(tmp_path / "corpus.jsonl")["d1"].text == "a"
    with pytest.raises(cf.Error):
        cf.evaluate(np.zeros((2, 3)), np.zeros((2, 3)), "nDCG")  # type: ignore[arg-type]  # which is the point
