"""Top-heaviness: the curves of SPEC 6.6, the ideal lists of SPEC 6.5, and the same lists written as files."""

import pytest

import cranfield as cf
from cranfield import study
from cranfield.errors import MeasureError, PolicyError

NDCG = "nDCG(dcg='jk', b=2)"
NAMES = ("RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)", "AP", "Q", NDCG)
TEN = {  # SPEC 6.6
    1: (0.5, 0.2, 0.05, 0.1, 0.1, 0.19031),
    2: (0.25, 0.16, 0.0475, 0.05, 0.05, 0.19031),
    3: (0.125, 0.128, 0.04512, 0.03333, 0.03333, 0.12007),
    10: (0.00098, 0.02684, 0.03151, 0.01, 0.01, 0.05729),
    11: (0.00049, 0.02147, 0.02994, 0.00909, 0.00952, 0.05501),
    20: (0.00000, 0.00288, 0.01887, 0.005, 0.00667, 0.04403),
}
HUNDRED = {  # AP = Q, nDCG
    1: (0.01, 0.0459),
    2: (0.005, 0.0459),
    3: (0.00333, 0.02896),
    10: (0.001, 0.01382),
    11: (0.00091, 0.01327),
    20: (0.0005, 0.01062),
}


@pytest.fixture(scope="module")
def made():
    return study.topheavy()


def value(table, relevant, rank, measure):
    row = table.filter((table["relevant"] == relevant) & (table["rank"] == rank) & (table["measure"] == measure))
    return row["value"].item()


@pytest.mark.parametrize("rank", TEN)
def test_the_curves_of_sk08(made, rank):
    table = made.table()
    for name, printed in zip(NAMES, TEN[rank], strict=True):
        assert value(table, 10, rank, name) == pytest.approx(printed, abs=5.1e-6)
    ap, ndcg = HUNDRED[rank]
    assert value(table, 100, rank, "AP") == pytest.approx(ap, abs=5.1e-6)
    assert value(table, 100, rank, "Q") == value(table, 100, rank, "AP")
    assert value(table, 100, rank, NDCG) == pytest.approx(ndcg, abs=5.1e-6)


def test_q_leaves_ap_behind_rank_r_and_ncg_is_flat(made):
    table = made.table()
    same = [rank for rank in range(1, 21) if value(table, 10, rank, "Q") == pytest.approx(value(table, 10, rank, "AP"))]
    assert same == list(range(1, 11))
    flat = table.filter((table["measure"] == "nCG@1000") & (table["relevant"] == 10))
    assert set(flat["value"].to_list()) == {0.1}


def test_the_ideal_lists_of_sk08(made):
    """SPEC 6.5, SK08 Table 1."""
    table = made.table("ideal")
    for p, printed in {0.5: (0.5, 0.9990, 1, 1), 0.8: (0.2, 0.8926, 1, 1), 0.95: (0.05, 0.4013, 0.9941, 1)}.items():
        row = table.filter(table["measure"] == f"RBP(p={p})")
        assert row["relevant"].to_list() == [1, 10, 100, 1000]
        assert row["value"].to_list() == pytest.approx(printed, abs=5.1e-5)


@pytest.mark.parametrize("measure", ["AP", "Bpref", "Bpref10", "BprefN", "ERR", "P@3", "INST", "RBP", "nDCG@5", "11pt"])
def test_a_list_scores_as_it_does_from_a_file(measure):
    relevant, rank = 4, 6
    good = [f"g{n}" for n in range(relevant)]
    bad = [f"b{n}" for n in range(999)]
    qrels = {"t": {**dict.fromkeys(good, 1), **dict.fromkeys(bad, 0)}}
    run = {"t": [*bad[: rank - 1], good[0], *bad[rank - 1 :]]}
    scores = cf.evaluate(qrels, {"x": run}, measure)
    table = study.topheavy(measure, relevant=[relevant], ranks=8).table()
    assert value(table, relevant, rank, str(cf.parse(measure))) == pytest.approx(scores["x", measure])


def test_half_of_the_score_is_forgotten_somewhere(made):
    columns = {column.name: column.raw for column in list(made.findings.aside.values())[1]}
    assert dict(zip(columns["measure"], columns["R = 10"], strict=True)) == {
        "RBP(p=0.5)": 3,
        "RBP(p=0.8)": 5,
        "RBP(p=0.95)": 15,
        "AP": 3,
        "Q": 3,
        NDCG: 5,
        "nCG@1000": None,
    }


def test_what_cannot_be_done_is_refused():
    with pytest.raises(MeasureError, match="E230"):
        study.topheavy("alpha_nDCG@10")
    with pytest.raises(PolicyError, match="E240"):
        study.topheavy(relevant=[0])
    with pytest.raises(PolicyError, match="E245"):
        study.topheavy("AP", keep="ag07")  # type: ignore[call-arg]  # wrong on purpose


def test_it_is_repeated_from_its_settings(tmp_path):
    made = study.topheavy(["AP", "RR"], ranks=3, folder=tmp_path / "one")
    again = study.repeat(tmp_path / "one" / "study.json")
    assert again.table().equals(made.table())
    assert (tmp_path / "one" / "relevant-10.png").read_bytes().startswith(b"\x89PNG")
