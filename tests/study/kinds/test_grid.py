"""Grids over g: the points, what has to agree (SPEC 16.8), single values, and the topic sets of FFM14 (SPEC 19.3)."""

from itertools import product

import pytest

import cranfield as cf
from cranfield import study
from cranfield.errors import PolicyError
from cranfield.stats.orders.correlation import correlate
from cranfield.study.data.collection import Collection
from cranfield.study.kinds.grid import Grid
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


@pytest.fixture(scope="module")
def graded():
    """Grades to 3, with two topics where grade 2 or 3 is rare."""
    qrels, runs = small(topics=8, runs=7, judged=40)
    for number, topic in enumerate(qrels):
        qrels[topic] |= {f"d{n}": 3 for n in range(3, 5 + number)}
    qrels["q6"] = {f"d{n}": 1 for n in range(40)} | {"d7": 2, "d8": 2, "d30": 0}
    qrels["q7"] = {f"d{n}": 1 for n in range(40)} | {"d9": 3, "d30": 0}
    return qrels, runs


def test_the_points_of_the_papers(graded):
    qrels, runs = graded
    data = Collection.of(qrels, runs, "AP")
    assert len(Grid(highest=2).points(data)) == 11
    three = Grid(highest=3).points(data)
    assert (len(three), {sum(point) for point in three}, len(set(three))) == (21, {5}, 21)
    assert Grid().grades(data) == 3


@pytest.mark.parametrize("highest", [2, 3])
def test_where_all_users_want_one_grade_the_three_agree(graded, highest):
    """SPEC 16.8: one g_i = 1 gives tau 1 among the three, g_1 = 1 also with AP."""
    table = study.grid(*graded, highest=highest).table()
    grades = [f"g{grade}" for grade in range(1, highest + 1)]
    alone = table.filter(table.select(cf_max=_largest(grades))["cf_max"] == 1)
    assert len(alone.filter(alone["other"] == "GAP")) == highest * 3 * highest
    same = alone.filter(alone["other"] == "GAP")
    assert set(same["value"].to_list()) <= {1, None}, "undefined where no topic has what all users want"
    assert set(same.filter(same["topics"] == "all")["value"].to_list()) == {1}
    first = alone.filter((alone["g1"] == 1) & (alone["other"] == "AP"))
    assert set(first["value"].to_list()) == {1}
    assert len(table.filter(table["value"] < 0.9)) > 0


def _largest(columns):
    import polars

    return polars.max_horizontal(columns)


def test_a_cell_is_the_coefficient_of_two_measures(graded):
    qrels, runs = graded
    table = study.grid(qrels, runs, ["AP", "nDCG"], highest=2).table()
    g = "{1: 0.3, 2: 0.7}"
    for name, other in product(("GAP", "xGAP", "eGAP"), ("AP", "nDCG")):
        scores = cf.evaluate(qrels, runs, [f"{name}(g={g})", other])
        row = table.filter(
            (table["g2"] == 0.7) & (table["measure"] == name) & (table["other"] == other) & (table["topics"] == "all")
        )
        assert row["value"].item() == pytest.approx(correlate(*scores.means.T))


def test_condensed_lists_are_condensed_for_all_measures(graded):
    qrels, runs = graded
    table = study.grid(qrels, runs, "AP", highest=2, unjudged="condensed").table()
    same = table.filter((table["g1"] == 1) & (table["other"] == "AP'"))
    assert set(same["value"].to_list()) == {1}


def test_a_step_has_to_divide_one(graded):
    with pytest.raises(PolicyError, match="does not divide 1"):
        study.grid(*graded, step=0.3)
    with pytest.raises(PolicyError, match="too fine"):
        study.grid(*graded, highest=9, step=0.1)


def test_two_processes_find_the_same(graded):
    one = study.grid(*graded, step=0.5, jobs=1)
    assert one.table().equals(study.grid(*graded, step=0.5, jobs=2).table())
    assert list(one.findings.drawings) == ["all", "few-of-grade-2", "few-of-grade-3"]


def test_the_topic_sets_of_web_2012(shared):
    """SPEC 19.3: 50 topics, 10 with few highly relevant documents, 7 with few key documents."""
    folder = shared / "data" / "web2012"
    runs = [cf.read_run(path, name=path.stem) for path in sorted((folder / "runs").iterdir())]
    table = study.grid(folder / "qrels.gz", runs, "AP", step=1).table()
    sizes = dict(zip(table["topics"], table["n"], strict=True))
    assert list(sizes.values()) == [50, 10, 7]
    assert set(table.filter((table["g1"] == 1) & (table["other"] == "AP"))["value"].to_list()) == {1}
