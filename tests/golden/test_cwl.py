"""User models beside cwl-eval 1.0.12, ir_measures 0.4.3 and pyNTCIREVAL 0.0.3; each difference is a rule of the tool.

cwl-eval looks at 1000 ranks: attention adds up to 1 over those, so `pad=1000` gives its EU, EC and ED. Its L is that of
a user who may go on after rank 1000, so ETU and ETC lose what such a user would still gain and pay: `as_cut_off` takes
the same sum. Its AP divides by the relevant documents found, not by all, which is what a user model must do; its TrAP
is AP. Its U-measure weighs a document by where it begins, ours by where it ends. That its dynamic BPM moves T where K
is meant does not show in these cases.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from cranfield.measures.grammar import parse
from cranfield.measures.users.cwl import UserModel
from cranfield.measures.users.models import average_precision_model
from tests.golden.beside import Case, Ranked, cases, differences, values_of

RANKS = 1000
MODELS = {
    "AP": average_precision_model().C,
    "RR": lambda gain: gain <= 0,
    "TBG-H@5": lambda cost: 0.5 ** (cost / 5),  # gain halves with every five units of cost
    **{f"RBP@{p}": (lambda p=p: p) for p in (0.5, 0.8, 0.95)},
    **{f"P@{k}": f"P@{k}" for k in (1, 5, 10, 20)},
    **{f"NDCG-k@{k}": f"SDCG@{k}" for k in (5, 10, 20)},  # not nDCG
    **{f"INST-T={T}.0": f"INST(T={T}, pad=1000)" for T in (1, 2, 3)},
    **{f"INSQ-T={T}.0": f"INSQ(T={T}, pad=1000)" for T in (1, 2, 3)},
    "BPM-Static-T=1.0-K=10": "BPM(T=1)@10",
    "BPM-Static-T=2.0-K=20": "BPM(T=2)@20",
    "BPM-Dynamic-T=1-K=10-hb=1.0-hc=1.0": "BPM(T=1, hb=1, hc=1)@10",
    "NERR-EQ8@k=10": "NERR8@10",
    "NERR-EQ9@k=10": "NERR9@10",
    "NERR-EQ10@phi=0.9": "NERR10(p=0.9, pad=1000)",
    "NERR-EQ11@T=1.0": "NERR11(T=1, pad=1000)",
    "IFT-C1-T=2.0-b1=0.9-R1=10": "IFTGoal(T=2, b1=0.9, R1=10, pad=1000)",
    "IFT-C2-A=0.2-b2=0.9-R2=10": "IFTRate(A=0.2, b2=0.9, R2=10, pad=1000)",
    "IFT-C1-C2-T=2.0-b1=0.9-R1=10-A=0.2-b2=0.9-R2=10": "IFT(T=2, b1=0.9, R1=10, A=0.2, b2=0.9, R2=10, pad=1000)",
}
NOT_DEFINED = ("NPV-r@0.1", "SET-k@10-b@0.5", "TrAP")


def model(name: str) -> UserModel:
    """Our model, going on after the last rank as cwl-eval's does, without reading anything there."""
    if name == "U-L@50":
        return UserModel(W=lambda total_cost, cost: np.maximum(0, 1 - (total_cost - cost) / 50), pad=RANKS)
    given = MODELS[name]
    ours = UserModel.of(given) if isinstance(given, str) else UserModel(given, pad=RANKS)
    return ours if ours.cutoff is not None or ours.C is None else replace(ours, tail=lambda: 0.0)


def ranked_gains(case: Case, topic: str, binary: bool) -> list[float]:
    """The gains of a list by score, then document id descending; NaN is unjudged, as is a negative grade."""
    ordered = sorted(case.run[topic].items(), key=lambda pair: (pair[1], pair[0].encode()), reverse=True)
    grades = [case.qrels[topic].get(document, -1) for document, _ in ordered[:RANKS]]
    return [np.nan if g < 0 else float(g >= 1) if binary else g / case.top_grade for g in grades]


def as_cut_off(user: UserModel, gains: np.ndarray) -> np.ndarray:
    """EU, ETU, EC, ETC and ED; the totals with the L of a user who may go on after the last rank."""
    _, W, L = user.functions(gains)
    padded = np.zeros(len(W))
    padded[: len(gains)] = gains[: len(W)]
    rank = np.arange(1, len(W) + 1)
    return np.array([W @ padded, L @ np.cumsum(padded), 1.0, L @ rank, 1 / W[0]])


@pytest.mark.parametrize(("tool", "binary"), [("cwl_graded", False), ("cwl_binary", True)])
def test_all_ten_numbers_of_every_model_of_cwl_eval(shared, tool, binary):
    compared: set[str] = set()
    users = {name: model(name) for name in [*MODELS, "U-L@50"]}
    for case in cases(shared, tool):
        for topic in case.topics:
            theirs = case.expected[tool].get(topic) or {}
            known = np.array(ranked_gains(case, topic, binary))
            worst = np.nan_to_num(known)
            best = np.append(np.where(np.isnan(known), 1.0, known), np.ones(RANKS))[:RANKS]
            for name, user in users.items():
                if theirs.get(name) is None:
                    continue
                low, high = as_cut_off(user, worst), as_cut_off(user, best)
                expected = pytest.approx(theirs[name], rel=1e-9, abs=1e-9)
                assert [*low, *(high - low)] == expected, (case.name, topic, name)
                compared.add(name)
    every = {name for case in cases(shared, tool) for row in case.expected[tool].values() for name in row}
    assert compared == every - set(NOT_DEFINED)


def test_our_totals_are_those_of_cwl_eval_and_what_it_leaves_out_after_rank_1000(shared):
    seen = 0
    for case in cases(shared, "cwl_graded")[:60]:
        for topic in case.topics:
            theirs = (case.expected["cwl_graded"].get(topic) or {}).get("INST-T=2.0")
            if theirs is None:
                continue
            gains = np.nan_to_num(ranked_gains(case, topic, binary=False))
            user = UserModel.of("INST(T=2, pad=1000)")
            expected = user.expect(gains)
            C, _, L = UserModel(user.C, pad=1001).functions(gains)
            after = L[999:].sum() * C[999]  # who reads rank 1000 and goes on
            assert expected.total_utility[0] - theirs[1] == pytest.approx(after * gains.sum(), abs=1e-9)
            assert expected.total_cost[0] - theirs[3] == pytest.approx(after * 1000, abs=1e-9)
            assert expected.total_cost[0] == pytest.approx(expected.items[0]) == pytest.approx(theirs[4])
            seen += 1
    assert seen > 50


def test_average_precision_is_called_trap_by_cwl_eval(shared):
    compared = 0
    for case in cases(shared, "cwl_binary"):
        ours = values_of(case, ["AP"], depth=RANKS)
        for topic in case.topics:
            theirs = (case.expected["cwl_binary"].get(topic) or {}).get("TrAP")
            if theirs is not None:
                assert ours[topic]["AP"] == pytest.approx(theirs[0], abs=1e-9), (case.name, topic)
                compared += 1
    assert compared > 100


# --- ir_measures -----------------------------------------------------------------------------------------------

PADDED = re.compile(r"(INST|INSQ|NERR10|NERR11)\((.*)\)")  # ir_measures asks cwl-eval


def names_of(case: Case, shape: str) -> set[str]:
    found = {name for topic in case.topics for name in case.expected["ir_measures"].get(topic, {})}
    return {name for name in found if re.match(shape, name)}


def test_models_of_ir_measures(shared):
    found: list[str] = []
    names: set[str] = set()
    for case in cases(shared, "ir_measures"):  # ties in the order of the file; a negative grade is 0
        ours = {PADDED.sub(r"\1(\2, pad=1000)", n): n for n in names_of(case, r"BPM|INSQ|INST|NERR\d|SDCG")}
        run = case.ordered(lambda document, score: -score)
        values = values_of(case, ours, run=run, negative="nonrelevant", depth=RANKS)
        found += differences(case, "ir_measures", values, ours)
        names |= {parse(name).definition.name for name in ours}
    assert found == []
    assert names == {"BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "SDCG"}


def test_expected_reciprocal_rank_of_gdeval(shared):
    found: list[str] = []
    compared = 0
    for case in cases(shared, "ir_measures"):  # gdeval reads topics as numbers; its highest grade is 4; five decimals
        topics = set(case.qrels) | set(case.run)
        if all(topic.isdigit() for topic in topics) and len({int(topic) for topic in topics}) == len(topics):
            ours = {name.replace("ERR@", "ERR(max_rel=4)@"): name for name in names_of(case, "ERR@")}
            found += differences(case, "ir_measures", values_of(case, ours), ours, 5.1e-6) if ours else []
            compared += len(ours)
    assert found == []
    assert compared > 1000


def overlap(one: Sequence[str], other: Sequence[str], p: float, depth: int) -> float:
    terms = [p ** (i - 1) * len(set(one[:i]) & set(other[:i])) / i for i in range(1, depth + 1)]
    return sum(terms) / sum(p ** (i - 1) for i in range(1, depth + 1))


def ideal_of_ir_measures(case: Case, topic: str) -> list[str]:
    """Equal grades by score, where what was not retrieved has the score 0, then in the order of the judgments."""
    grades, scores = case.qrels[topic], case.run[topic]
    relevant = [document for document, grade in grades.items() if grade > 0]
    return sorted(relevant, key=lambda document: (-grades[document], -scores.get(document, 0.0)))


def clear(case: Case, topic: str) -> bool:
    """Whether scores alone put the relevant documents found into the order of the list, above those not found."""
    found = [(case.qrels[topic][d], s) for d, s in case.run[topic].items() if case.qrels[topic].get(d, 0) > 0]
    return len(set(found)) == len(found) and all(score > 0 for _, score in found)


def test_compatibility_of_ir_measures(shared):
    agree = differ = 0
    for case in cases(shared, "ir_measures"):
        run: Ranked = case.ordered(lambda document, score: (-score, document))  # ties ascending
        values = values_of(case, ["Compat", "Compat(p=0.8)", "Compat(normalize=False)"], run=run)
        for topic in case.topics:
            for name, ours in values[topic].items():
                theirs = case.expected["ir_measures"].get(topic, {}).get(name)
                if not isinstance(theirs, int | float):
                    continue
                if abs(ours - theirs) <= 1e-9:
                    agree += 1
                    continue
                assert not clear(case, topic), (case.name, topic, name)
                listed, ideal = sorted(run[topic], key=lambda d: -run[topic][d]), ideal_of_ir_measures(case, topic)
                p, depth = parse(name).arguments["p"], max(len(listed), len(ideal))
                best = overlap(ideal, ideal, p, depth) if parse(name).arguments["normalize"] else 1
                assert theirs == pytest.approx(overlap(listed, ideal, p, depth) / best, abs=1e-9)
                differ += 1
    assert agree > 3000
    assert 0 < differ < agree / 10


# --- pyNTCIREVAL -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tool", "prime"), [("pyntcireval", ""), ("pyntcireval_condensed", "'")])
def test_expected_reciprocal_rank_of_pyntcireval(shared, tool, prime):
    found: list[str] = []
    for case in cases(shared, tool):  # the user stops with probability g / (highest + 1)
        how = f"(stop='linear', max_rel={case.top_grade})"
        ours = {f"ERR{prime}{how}": "ERR"} | {f"nERR{prime}{how}@{k}": f"nERR@{k}" for k in (5, 10, 20)}
        found += differences(case, tool, values_of(case, ours), ours)
    assert found == []
