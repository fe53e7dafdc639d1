"""REP-5: each sentence of the first paragraph is there if a result supports it, and only then."""

import pytest

import cranfield as cf

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
TOPICS = [f"q{n}" for n in range(1, 21)]
QRELS = {topic: {"a": 1, "b": 0} for topic in TOPICS}
CERTAINLY, NOT_KNOWN = "certainly", "is not known"


def lists(*firsts: str) -> dict[str, list[str]]:
    """A run whose first document is one of these, for as many topics each as there are letters after it: `a*18`."""
    documents = [document for each in firsts for document in [each.split("*")[0]] * int(each.split("*")[1])]
    return {topic: [document] for topic, document in zip(TOPICS, documents, strict=True)}


def said(runs, measures="P@1", *, holes=True, compared=True, qrels=QRELS, **choices) -> str:
    scores = cf.evaluate(qrels, runs, measures)
    comparison = cf.compare(scores, test="sign", **choices) if compared else None
    missing = cf.holes(qrels, runs, scores.measures[0], baseline=choices.get("baseline", ())) if holes else None
    return cf.report(scores, comparison, missing).summary


def test_a_run_is_certainly_better_only_if_no_judgment_can_reverse_it():
    assert "It is certainly better than old" in said(
        {"new": lists("a*20"), "old": lists("b*19", "x*1")}, baseline="old"
    )
    open_pair = said({"new": lists("a*11", "b*9"), "old": lists("a*10", "x*10")}, baseline="old")
    assert CERTAINLY not in open_pair
    assert "Whether new is better than old is not known" in open_pair


def test_the_number_of_documents_that_reverse_an_order_is_that_of_the_verdict():
    """11 of 20 against 10 of 20: two of ten unjudged documents must be relevant."""
    runs = {"new": lists("a*11", "b*9"), "old": lists("a*10", "x*10")}
    assert cf.holes(QRELS, runs, "P@1").verdict("new", "old").flips == 2
    assert "2 unjudged documents could reverse the order" in said(runs, baseline="old")


def test_documents_that_can_only_make_a_tie_are_not_said_to_reverse():
    text = said({"new": lists("a*12", "b*8"), "old": lists("a*10", "b*8", "x*2")}, baseline="old")
    assert "2 unjudged documents could make them equal" in text


@pytest.mark.parametrize(
    ("better", "word"), [(20, "and the difference is significant"), (3, "but the difference is not")]
)
def test_certain_on_these_topics_is_not_the_same_as_significant(better, word):
    text = said({"new": lists(f"a*{better}", f"b*{20 - better}"), "old": lists("b*20")}, baseline="old")
    assert f"certainly better than old on these topics, {word}" in text


def test_a_certain_order_names_the_documents_that_it_does_not_depend_on():
    """Documents that no run lists could be relevant too: nothing is certain about these."""
    text = said({"new": lists("a*12", "x*8"), "old": lists("b*20")}, baseline="old")
    documents = "the unjudged documents in the first 1 of these runs"
    assert f"certainly better than old on these topics, whatever {documents} turn out to be, and" in text


def test_a_worse_run_is_called_worse_and_one_where_less_is_better_is_not():
    assert "new is certainly worse than old" in said({"new": lists("b*20"), "old": lists("a*20")}, baseline="old")
    runs = {"new": {topic: ["a", "b"] for topic in TOPICS}, "old": {topic: ["b", "a"] for topic in TOPICS}}
    text = said(runs, "ESL", baseline="old", holes=False)
    assert "new has the lower ESL of 2 runs" in text
    assert "new scores significantly better than old" in text


def test_a_significant_difference_that_can_be_reversed_is_named():
    text = said({"new": lists("a*12", "b*8"), "old": lists("x*20")}, baseline="old")
    assert "is not known" in text
    assert "As judged, the difference of old is significant nevertheless" in text or "of new is significant" in text
    assert "nevertheless" not in said({"new": lists("a*11", "b*9"), "old": lists("a*10", "x*10")}, baseline="old")


def test_equal_runs_share_the_first_place_and_score_the_same():
    text = said({"one": lists("a*20"), "two": lists("a*20")})
    assert "All 2 runs have the same P@1, 1.000" in text
    assert "certainly scores the same" in text
    third = said({"one": lists("a*20"), "two": lists("a*20"), "three": lists("b*20")})
    assert "one and two share the highest P@1 of 3 runs" in third
    assert "It is" not in third


def test_without_holes_nothing_is_certain_and_the_report_says_that_nothing_was_examined():
    text = said({"new": lists("a*20"), "old": lists("b*20")}, holes=False)
    assert CERTAINLY not in text
    assert "As judged, new scores significantly better than old" in text
    assert "Whether unjudged documents could change this was not examined" in text
    assert "was not examined" not in said({"new": lists("a*20"), "old": lists("b*20")})


def test_runs_that_a_test_does_not_tell_apart_are_not_called_better():
    text = said({"new": lists("a*11", "b*9"), "old": lists("a*10", "b*10")}, holes=False)
    assert "cannot be told apart" in text
    assert "significantly" not in text


def test_complete_judgments_are_named_and_incomplete_ones_counted():
    assert "All documents in the first 1 of these runs were judged." in said(
        {"new": lists("a*20"), "old": lists("b*20")}
    )
    part = said({"new": lists("a*20"), "old": lists("b*15", "x*5")})
    assert "75.0 % (old) to 100.0 % were judged" in part
    assert "No unjudged document" not in part


def test_all_orders_are_counted_where_no_baseline_was_named():
    runs = {"one": lists("a*20"), "two": lists("b*20"), "three": lists("x*20")}
    assert "Of the 3 orders of two runs, 1 is certain" in said(runs)
    assert "orders of two runs" not in said(runs, baseline="two")


def test_a_topic_without_a_list_is_named_with_what_it_counts():
    short = dict(list(lists("a*20").items())[:-1])
    assert "new has no list for 1 topic, which counts as 0" in said({"new": short, "old": lists("b*20")})
    assert "no list" not in said({"new": lists("a*20"), "old": lists("b*20")})


def test_one_run_is_described_without_an_order():
    text = said({"only": lists("a*10", "b*10")}, compared=False)
    assert text.startswith("only has P@1 0.500 on 20 topics.")
    assert "better" not in text


def test_of_many_runs_a_few_are_named_and_the_others_counted():
    runs = {f"r{n:02d}": lists("b*20") for n in range(8)} | {"best": lists("a*20")}
    assert "than r00, r01, r02 and 5 others" in said(runs)


def test_an_unresolved_pair_is_neither_certain_nor_open(monkeypatch):
    from cranfield.missing.joined import join

    monkeypatch.setattr(join, "flip_of", lambda *_, **__: "unresolved")
    text = said({"new": lists("a*12", "b*8"), "old": lists("x*20")}, baseline="old")
    assert "Whether unjudged documents could reverse the order of new and old is not resolved" in text
    assert CERTAINLY not in text
    assert NOT_KNOWN not in text
