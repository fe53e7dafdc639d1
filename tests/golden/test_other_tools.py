"""Our values beside those of ranx 0.3.21, cwl-eval 1.0.12 and pyNTCIREVAL 0.0.3."""

import pytest

from tests.golden.beside import Case, cases, differences, values_of

RANX = {
    "AP": "map",
    "AP@5": "map@5",
    "AP@10": "map@10",
    "DCG@10": "dcg@10",
    "DCG(dcg='exp-log2')@10": "dcg_burges@10",
    "F@5": "f1@5",
    "F@10": "f1@10",
    "P@5": "precision@5",
    "P@10": "precision@10",
    "R@5": "recall@5",
    "R@10": "recall@10",
    "RR": "mrr",
    "RR@5": "mrr@5",
    "RR@10": "mrr@10",
    "Rprec": "r-precision",
    "Success@5": "hit_rate@5",
    "Success@10": "hit_rate@10",
    "nDCG": "ndcg",
    "nDCG@5": "ndcg@5",
    "nDCG@10": "ndcg@10",
    "nDCG(dcg='exp-log2')": "ndcg_burges",
    "nDCG(dcg='exp-log2')@5": "ndcg_burges@5",
    "nDCG(dcg='exp-log2')@10": "ndcg_burges@10",
}


def printed(several: list[Case], tool: str) -> set[str]:
    """The measures a tool has a value for in some case."""
    return {name for case in several for row in case.expected[tool].values() for name in row}


def test_ranx(shared):
    found: list[str] = []
    several = cases(shared, "ranx")
    assert set(RANX.values()) <= printed(several, "ranx")
    for case in several:
        found += differences(case, "ranx", values_of(case, RANX), RANX)
    assert found == []


# lists of cwl-eval: expected utility first, its residual sixth
UTILITY, RESIDUAL = 0, 5


@pytest.mark.parametrize(("tool", "binary"), [("cwl_graded", False), ("cwl_binary", True)])
def test_expected_utility_and_residual_of_cwl_eval(shared, tool, binary):
    compared = 0
    for case in cases(shared, tool):
        level = "rel=1" if binary else f"max_rel={case.top_grade}"  # a gain is the share of the top of the scale
        names = {f"RBP(p={p}, {level})": (f"RBP@{p}", UTILITY) for p in (0.5, 0.8, 0.95)}
        names |= {f"RBPResidual(p={p})": (f"RBP@{p}", RESIDUAL) for p in (0.5, 0.8, 0.95)}
        if binary or case.top_grade == 1:  # with grades, P is the mean gain and RR its first one
            names |= {f"P@{k}": (f"P@{k}", UTILITY) for k in (1, 5, 10, 20)} | {"RR": ("RR", UTILITY)}
        ours = values_of(case, names, depth=1000)  # the tool looks at 1000 documents
        for topic in case.topics:
            theirs = case.expected[tool].get(topic) or {}
            for name, (other, place) in names.items():
                if theirs.get(other) is not None:
                    assert ours[topic][name] == pytest.approx(theirs[other][place], abs=1e-9), (case.name, topic, name)
                    compared += 1
    assert compared > 3000


def ntcir(prime: str = "") -> dict[str, str]:
    names = {f"RR{prime}": "RR", f"AP{prime}": "AP", f"P{prime}@10": "P@10", f"Success{prime}@10": "Hit@10"}
    names |= {f"AP{prime}(denominator='min')@{k}": f"AP@{k}" for k in (5, 10, 20)}
    names |= {f"nDCG{prime}(dcg='jk')@{k}": f"nDCG@{k}" for k in (5, 10, 20, 1000)}
    names |= {f"nDCG{prime}@{k}": f"MSnDCG@{k}" for k in (5, 10, 20, 1000)}
    return names | {f"nDCG{prime}(dcg='jk', b=10)@20": "nDCG(b=10)@20"}


@pytest.mark.parametrize(("tool", "prime"), [("pyntcireval", ""), ("pyntcireval_condensed", "'")])
def test_pyntcireval(shared, tool, prime):
    found: list[str] = []
    several = cases(shared, tool)
    assert set(ntcir().values()) <= printed(several, tool)
    for case in several:  # the gain of RBP is the share of the top of the scale
        names = ntcir(prime) | {f"RBP{prime}(p=0.95, max_rel={case.top_grade})": "RBP(p=0.95)"}
        found += differences(case, tool, values_of(case, names), names)
    assert found == []
