"""Measures of one's own."""

import pytest

import cranfield as cf

QRELS = {"q": {"a": 2, "b": 1, "c": 0}}
RUN = {"q": {"x": 9.0, "a": 8.0, "c": 7.0, "b": 6.0}}

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture
def seen():
    """A measure that keeps the rankings it was shown."""
    kept = []

    @cf.measure("Seen", params={"rel": 1})
    def look(r):
        kept.append(r)
        return len(r.ids)

    yield kept
    cf.forget("Seen")


def test_a_ranking_shows_ids_scores_grades_and_the_recall_base(seen):
    cf.evaluate(QRELS, RUN, "Seen(rel=2)")
    ranking = seen[0]
    assert ranking.ids == ("x", "a", "c", "b")
    assert ranking.scores.tolist() == [9, 8, 7, 6]
    assert ranking.judged.tolist() == [False, True, True, True]
    assert ranking.grades(default=-5).tolist() == [-5, 2, 0, 1]
    assert (ranking.R, ranking.N, ranking.rel, ranking.k) == (1, 2, 2, None)
    assert ranking.ideal.tolist() == [2, 1, 0]


def test_a_condensed_ranking_has_only_judged_documents(seen):
    assert cf.evaluate(QRELS, RUN, "Seen'").means.tolist() == [[3]]
    assert seen[0].ids == ("a", "c", "b")
    assert seen[0].grades().tolist() == [2, 0, 1]


def test_a_hole_is_never_silently_a_zero(seen):
    cf.evaluate(QRELS, RUN, "Seen")
    with pytest.raises(cf.MeasureError, match="document 'x' is not judged"):
        seen[0].grades()


def test_an_attribute_that_is_no_parameter_is_an_error(seen):
    cf.evaluate(QRELS, RUN, "Seen")
    with pytest.raises(AttributeError):
        _ = seen[0].beta


def test_a_built_in_name_cannot_be_taken():
    with pytest.raises(cf.MeasureError, match="the name 'AP' is taken by AP"):
        cf.measure("AP")(lambda r: 0.0)


def test_a_measure_may_be_defined_again(seen):
    cf.measure("Seen")(lambda r: 0.25)
    assert cf.evaluate(QRELS, RUN, "Seen").means.tolist() == [[0.25]]


def test_something_that_is_no_number_is_refused(seen):
    cf.measure("Seen")(lambda r: "many")  # type: ignore[type-var]  # a wrong type, on purpose
    with pytest.raises(cf.MeasureError, match="which is not a number"):
        cf.evaluate(QRELS, RUN, "Seen")


def test_a_topic_the_run_lacks_scores_zero_without_being_asked(seen):
    scores = cf.evaluate({**QRELS, "p": {"a": 1}}, RUN, "Seen")
    assert scores["run", "Seen"].tolist() == [4, 0]
    assert len(seen) == 1


def test_a_function_that_fails_is_named_with_run_and_topic(seen):
    cf.measure("Seen")(lambda r: 1 / 0)
    with pytest.raises(cf.MeasureError, match="Seen failed for run 'run', topic 'q': ZeroDivisionError"):
        cf.evaluate(QRELS, RUN, "Seen")


@pytest.mark.parametrize("name", ["map", "My Measure", "a@b", "f(x)", ""])
def test_a_name_that_cannot_be_written_or_is_an_alias_is_refused(name):
    with pytest.raises(cf.MeasureError):
        cf.measure(name)(lambda r: 0.0)
