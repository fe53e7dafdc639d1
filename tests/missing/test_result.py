"""The result of `holes` in all forms."""

import warnings

import pytest

import cranfield as cf

QRELS = {"1": {"a": 1, "b": 0, "c": 0}, "2": {"a": 1, "b": 0, "c": 0}}
RUNS = {"x": {"1": ["a", "b"], "2": ["a", "b"]}, "y": {"1": ["b", "c", "a"], "2": ["b", "c", "a"]}}


def test_where_less_is_better_the_lower_run_is_the_certain_winner():
    h = cf.holes(QRELS, RUNS, ["ESL", "P@1"])
    assert [(v.status, v.winner) for v in (h.verdict("x", "y"), h.verdict("y", "x"))] == [("certain", "x")] * 2
    assert h.verdict("x", "y", "P@1").winner == "x"


def test_no_hole_at_all_leaves_nothing_open():
    h = cf.holes(QRELS, RUNS, "nDCG@10")
    assert h.bounds().select("lowest", "as_judged", "highest").rows() == [(1.0, 1.0, 1.0), (0.5, 0.5, 0.5)]
    assert [verdict.status for verdict in h.verdicts()] == ["certain"]


def test_the_coverage_of_a_result_is_a_table_by_run_topic_or_rank():
    h = cf.holes(QRELS, RUNS, "P@2", at=[1, 2])
    assert h.coverage().columns == ["run", "depth", "judged", "pooled", "unpooled"]
    assert h.coverage("topic")["topic"].to_list() == ["1", "1", "2", "2"]
    assert h.coverage("rank")["rank"].to_list() == [1, 2, 1, 2]


def test_one_table_is_made_without_the_others():
    h = cf.holes(QRELS, RUNS, "P@2")
    assert "verdict" not in h.sheet("ranges").text()
    assert "_everything" not in vars(h)  # verdicts take longest
    assert "verdict" in h.sheet().text()


@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "json"])
def test_every_form_holds_the_ranges(form):
    h = cf.holes(QRELS, RUNS, "P@2")
    assert "0.5" in getattr(h, f"to_{form}")()


def many(number):
    """Runs that put the relevant document deeper and deeper, and return a hole."""
    documents = [f"d{n}" for n in range(number)]
    runs = {f"r{n:02}": {"1": [*documents[:n], "a", "x"]} for n in range(number)}
    return cf.holes({"1": {"a": 1, **dict.fromkeys(documents, 0)}}, runs, "RR")


def test_of_many_runs_neighbours_are_shown_and_the_others_counted():
    text = many(12).sheet("pairs").text()
    assert len([line for line in text.splitlines() if " – " in line]) == 11
    assert "neighbours in the order of scores; of all 66 pairs " in text
    assert '% are certain; pairs="all" prints all' in text
    assert "neighbours" not in many(10).sheet().text()


def test_all_pairs_of_many_runs_can_be_asked_for():
    assert len(many(12).verdicts("all")) == 66


def test_a_chart_of_what_was_judged():
    figure = cf.holes(QRELS, RUNS, "P@2").plot("coverage", title="Judged")
    assert (type(figure).__name__, figure.title) == ("Figure", "Judged")
    with pytest.raises(cf.PolicyError, match='E213: kind="deltas" is unknown'):
        cf.holes(QRELS, RUNS, "P@2").plot("deltas")


def test_a_run_that_answers_no_topic_fully_is_described_without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", cf.DataWarning)
        h = cf.holes(QRELS, {"x": RUNS["x"], "z": {"1": ["q"]}}, ["nDCG@10", "NumRel"])
        assert "z" in h.sheet().text()


def test_a_share_that_was_not_judged_is_no_warning_here_and_a_missing_topic_is():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        cf.holes(QRELS, {"x": {"1": ["q", "a"]}}, "nDCG@10")
    assert [str(warning.message)[:4] for warning in said] == ["W101"]
