"""Our values beside those of ir_measures 0.4.3 on 370 inputs; each translation of a name says why it is needed."""

import math
import re
from statistics import fmean

import pytest

from cranfield.errors import MeasureError
from cranfield.measures.grammar import parse
from tests.golden.beside import Case, cases, differences, values_of

TOOL = "ir_measures"
# compared in test_cwl (user models, ERR, Compat), in need of subtopics, or not defined here (Accuracy)
LATER = re.compile(r"(Accuracy|BPM|Compat|ERR|INSQ|INST|NERR\d+|SDCG|alpha_|AP_IA|P_IA|StRecall|n?NRBP|nERR)")


def names_of(case: Case) -> set[str]:
    found = {name for topic in case.topics for name in case.expected[TOOL].get(topic, {})}
    return {name for name in found if not LATER.match(name)}


def translated(name: str) -> str:
    """Our name for the same number."""
    if name.startswith("IPrec"):  # pytrec_eval holds the rule of trec_eval 9
        inside = re.search(r"\((.*)\)", name)
        settings = f"{inside[1]}, rule='te9'" if inside else "rule='te9'"
        return f"IPrec({settings})@{name.partition('@')[2]}"
    if name.startswith("SetF(beta"):  # trec_eval's parameter is the square of beta
        return re.sub(r"beta=([\d.]+)", lambda found: f"beta={float(found[1]) ** 0.5!r}", name)
    return name


def by_provider(case: Case) -> dict[str, set[str]]:
    """The names by the program behind them: each breaks ties, and reads negative grades, in its own way."""
    groups: dict[str, set[str]] = {
        "pytrec_eval": set(),
        "judged": set(),
        "msmarco": set(),
        "cwl": set(),
        "gdeval": set(),
    }
    for name in names_of(case):
        provider = (
            "gdeval"
            if "exp-log2" in name
            else {"Judged": "judged", "RBP": "cwl"}.get(re.split(r"\W", name)[0], "pytrec_eval")
        )
        groups["msmarco" if re.match(r"RR.*@", name) else provider].add(name)
    return groups


def compared(case: Case, names: set[str], tolerance: float = 1e-9, **how) -> list[str]:
    ours = {translated(name): name for name in names}
    values = values_of(case, ours, **how) if ours else {}
    return list(differences(case, TOOL, values, ours, tolerance)) if ours else []


def numeric(case: Case) -> bool:
    """gdeval reads topics as numbers: text fails, and `01` and `1` become one topic."""
    topics = set(case.qrels) | set(case.run)
    return all(topic.isdigit() for topic in topics) and len({int(topic) for topic in topics}) == len(topics)


def test_measures_of_pytrec_eval(shared):
    found = []
    for case in cases(shared, TOOL):  # scores in single precision, ties by document id descending
        found += compared(case, by_provider(case)["pytrec_eval"], ties="trec9")
    assert found == []


def test_the_share_of_judged_documents(shared):
    found = []
    for case in cases(shared, TOOL):  # ties ascending; a negative grade is a judgment there
        run = case.ordered(lambda document, score: (-score, document))
        found += compared(case, by_provider(case)["judged"], run=run, negative="nonrelevant")
    assert found == []


def test_reciprocal_rank_with_a_cutoff(shared):
    found = []
    for case in cases(shared, TOOL):  # ties ascending
        run = case.ordered(lambda document, score: (-score, document))
        found += compared(case, by_provider(case)["msmarco"], run=run)
    assert found == []


def test_rank_biased_precision(shared):
    found = []
    for case in cases(shared, TOOL):  # ties in the order of the file
        run = case.ordered(lambda document, score: -score)
        found += compared(case, by_provider(case)["cwl"], run=run)
    assert found == []


def test_exponential_gains(shared):
    found = []
    for case in filter(numeric, cases(shared, TOOL)):  # printed with five decimals
        found += compared(case, by_provider(case)["gdeval"], tolerance=5.1e-6)
    assert found == []


def test_means_are_taken_over_all_judged_topics(shared):
    checked = 0
    for case in cases(shared, TOOL):
        names = {name for name in by_provider(case)["pytrec_eval"] if not name.startswith("Num")}
        values = values_of(case, map(translated, names), ties="trec9")
        for name in names:
            expected = case.expected[TOOL].get("all", {}).get(name)
            if isinstance(expected, int | float):
                ours = fmean(values[topic][translated(name)] for topic in case.qrels)
                assert math.isclose(ours, expected, rel_tol=0, abs_tol=1e-9), (case.name, name)
                checked += 1
    assert checked > 10_000


def test_every_measure_of_the_comparison_was_compared(shared):
    compared_names = set().union(*map(names_of, cases(shared, TOOL)))
    assert {parse(translated(name)).definition.name for name in compared_names} == {
        *("AP", "Bpref", "IPrec", "Judged", "NumQ", "NumRel", "NumRet", "P", "R", "RBP", "RR", "Rprec"),
        *("SetAP", "SetF", "SetP", "SetR", "Success", "infAP", "nDCG"),
    }


def test_what_is_left_out_is_not_defined_here():
    with pytest.raises(MeasureError):
        parse("Accuracy@10")
