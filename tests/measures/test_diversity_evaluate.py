"""Evaluating with judgments of subtopics: which measures get what, and what is refused."""

import numpy as np
import pytest

import cranfield as cf

ROWS = ["d1 1", "d2 1", "d2 2", "d4 3", "d5 1", "d6 2", "d7 2", "d7 3"]
DOCUMENTS = [*(row.split()[0] for row in ROWS), "d3"]
SUBTOPICS = [*(row.split()[1] for row in ROWS), "1"]
QRELS = cf.Qrels.of(["13"] * 9, DOCUMENTS, [*[1] * len(ROWS), 0], SUBTOPICS)
RUN = {"13": ["d1", "d2", "d3", "d4", "d5"]}
INTENTS = {"13": {"1": 0.5, "2": 0.3, "3": 0.2}}


def refusal(*given, **options) -> cf.Error:
    with pytest.raises(cf.Error) as caught:
        cf.evaluate(*given, **options)
    return caught.value


def qrels_of(*rows: str) -> cf.Qrels:
    """Judgments as lines `topic subtopic document grade`."""
    topic, subtopic, document, grade = zip(*(row.split() for row in rows), strict=True)
    return cf.Qrels.of(topic, document, list(map(int, grade)), subtopic)


def test_documents_are_joined_with_their_subtopics():
    scores = cf.evaluate(QRELS, RUN, ["alpha_nDCG@3", "ERR_IA@5", "AP_IA"])
    np.testing.assert_allclose(scores.means[0], [0.608934, 0.496218, 0.386111], atol=5.1e-7)
    assert scores.relevant.tolist() == [[6, 6, 6]]


def test_several_topics_and_runs_are_joined_each_with_its_own():
    twice = cf.Qrels.of([*["13"] * 9, *["14"] * 9], DOCUMENTS * 2, [*QRELS.grade.tolist()] * 2, SUBTOPICS * 2)
    runs = {"a": {"14": RUN["13"], "13": ["x", *RUN["13"]]}, "b": {"13": RUN["13"][::-1]}}
    with pytest.warns(cf.DataWarning):
        values = cf.evaluate(twice, runs, ["alpha_nDCG@3", "P_IA@5"]).values
    alone = [
        cf.evaluate(QRELS, {"13": order}, ["alpha_nDCG@3", "P_IA@5"], unjudged="nonrelevant").values[0, 0]
        for order in (RUN["13"], RUN["13"][::-1])
    ]
    np.testing.assert_allclose(values[0, 1], alone[0])
    np.testing.assert_allclose(values[1, 0], alone[1])
    np.testing.assert_array_equal(values[1, 1], 0)
    assert (values[0, 0] < values[0, 1]).all()


def test_a_measure_of_single_documents_beside_one_of_diversity_is_refused_by_its_name():
    error = refusal(QRELS, RUN, ["alpha_nDCG@3", "nDCG@10"])
    assert error.code == "E115"
    assert error.problem == "column 2 holds subtopics 1…3, nDCG@10 needs one judgment per document"


@pytest.mark.parametrize("how", ["any", "max"])
def test_collapsing_serves_both_kinds_of_measures_in_one_call(how):
    graded = cf.Qrels.of(["13"] * 9, DOCUMENTS, QRELS.grade * 2, SUBTOPICS)
    both = cf.evaluate(graded, RUN, ["alpha_nDCG@3", "DCG@3", "StRecall(rel=2)@3"], collapse=how)
    assert both.means[0, 0] == cf.evaluate(graded, RUN, "alpha_nDCG@3").means[0, 0]
    assert both.means[0, 1] == pytest.approx((1 + 1 / np.log2(3)) * (1 if how == "any" else 2))
    assert both.means[0, 2] == pytest.approx(2 / 3)
    assert both.relevant.tolist() == [[6, 6, 6]]
    assert both.audit.inputs[0]["collapse"] == how
    assert both.audit.inputs[0]["rows"] == 9


def test_topics_without_relevant_documents_are_told_by_the_subtopics_whatever_was_collapsed():
    graded = cf.Qrels.of(["13"] * 9, DOCUMENTS, QRELS.grade * 2, SUBTOPICS)
    scores = cf.evaluate(graded, RUN, ["StRecall(rel=2)@3", "AP"], collapse="any", no_relevant="error")
    assert scores.means[0, 0] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("qrels", "where"),
    [
        ({"13": {"d1": 1}}, "these judgments have"),
        (qrels_of("13 0 d1 1"), "column 2 holds"),
        (qrels_of("13 Q0 d1 1", "13 Q0 d2 0"), "column 2 holds"),
    ],
)
def test_judgments_without_subtopics_are_refused_in_one_line(qrels, where):
    error = refusal(qrels, {"13": ["d1"]}, ["AP", "alpha_nDCG@20"])
    assert (error.code, error.exit) == ("E123", 3)
    assert error.problem == f"{where} no subtopics, alpha_nDCG@20 needs them"
    assert "TOPIC SUBTOPIC DOC GRADE" in error.hint


def test_a_measure_of_diversity_called_on_hits_without_subtopics_says_so():
    from cranfield.align.hits import Hits

    with pytest.raises(cf.MeasureError, match="E123"):
        cf.parse("StRecall@5")(Hits.of([[(1, 1)]], levels=[[0, 1]], retrieved=[1]))


def test_one_subtopic_in_all_topics_is_enough():
    assert cf.evaluate(qrels_of("13 1 d1 1"), {"13": ["d1"]}, "StRecall@5").means[0, 0] == 1


def test_contradictory_judgments_of_one_subtopic_are_refused():
    error = refusal(qrels_of("13 1 d1 1", "13 2 d1 0", "13 1 d1 0"), {"13": ["d1"]}, "StRecall@5")
    assert error.code == "E109"


def test_a_judgment_repeated_word_for_word_counts_once_and_is_said_once():
    qrels = qrels_of("13 1 d1 1", "13 2 d2 1", "13 1 d1 1")
    with pytest.warns(cf.DataWarning) as caught:
        scores = cf.evaluate(qrels, {"13": ["d2", "d1"]}, ["P_IA@2", "AP"])
    assert [str(w.message) for w in caught] == ["W104: 1 judgments are repeated word for word"]
    assert scores.means.tolist() == [[0.5, 1.0]]
    assert scores.audit.repeated_judgments == 1


def test_negative_grades_follow_the_policy():
    qrels = qrels_of("13 1 d1 -2", "13 2 d1 1", "13 1 d2 -1", "13 2 d2 -1", "13 1 d3 1")
    run = {"13": ["d2", "d1", "d3"]}
    with pytest.warns(cf.DataWarning):  # a third was never judged
        scores = cf.evaluate(qrels, run, ["StRecall@2", "StRecall'@1"])
    assert scores.means.tolist() == [[0.5, 0.5]]
    assert scores.audit.negative_grades == 3
    assert cf.evaluate(qrels, run, ["StRecall@2", "StRecall'@1"], negative="nonrelevant").means.tolist() == [[0.5, 0.0]]
    assert refusal(qrels, run, "StRecall@2", negative="error").code == "E116"


@pytest.mark.parametrize(("policy", "expected"), [("zero", 0.5), ("exclude", 1.0)])
@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_topics_without_relevant_documents_follow_the_policy(policy, expected):
    qrels = qrels_of("13 1 d1 1", "14 1 d1 0", "14 2 d1 0")
    scores = cf.evaluate(qrels, {"13": ["d1"], "14": ["d1"]}, "alpha_nDCG@5", no_relevant=policy)
    assert scores.means[0, 0] == expected
    assert refusal(qrels, {"13": ["d1"]}, "alpha_nDCG@5", no_relevant="error").code == "E214"


def test_intent_probabilities_shape_the_numbers_and_are_listed_among_the_inputs():
    plain, likely = (cf.evaluate(QRELS, RUN, "AP_IA", intents=given) for given in (None, INTENTS))
    assert plain.means[0, 0] == pytest.approx(0.386111, abs=5.1e-7)
    assert likely.means[0, 0] == pytest.approx(0.5 * 0.866667 + 0.3 * 0.166667 + 0.2 * 0.125, abs=1e-6)
    assert [entry["role"] for entry in likely.audit.inputs] == ["qrels", "intents", "run"]


def test_topics_without_intent_probabilities_have_equal_ones():
    twice = cf.Qrels.of([*["13"] * 9, *["14"] * 9], DOCUMENTS * 2, [*QRELS.grade.tolist()] * 2, SUBTOPICS * 2)
    scores = cf.evaluate(twice, {"13": RUN["13"], "14": RUN["13"]}, "AP_IA", intents=INTENTS)
    assert scores.values[0, 1, 0] == pytest.approx(0.386111, abs=1e-6)
    assert refusal(QRELS, RUN, "AP_IA", intents={"99": {"1": 1}}).code == "E128"


def test_a_subtopic_with_relevant_documents_needs_a_probability():
    error = refusal(QRELS, RUN, "AP_IA", intents={"13": {"1": 0.5, "2": 0.5}})
    assert error.code == "E124"
    assert error.problem == "no probability for subtopic '3' of topic '13', which has relevant documents"


def test_intents_without_a_measure_that_uses_them_are_refused():
    assert refusal(QRELS, RUN, "AP", collapse="any", intents=INTENTS).code == "E244"


def test_an_unknown_way_to_collapse_is_refused():
    assert refusal(QRELS, RUN, "AP", collapse="mean").code == "E213"


def test_topics_that_nobody_judged_are_undefined_under_union():
    with pytest.warns(cf.DataWarning):
        scores = cf.evaluate(QRELS, RUN | {"15": ["d1"]}, "alpha_nDCG@3", topic_set="union")
    assert scores.values[0, :, 0].tolist() == pytest.approx([0.608934, 0], abs=5.1e-7)


def test_the_order_of_the_judgments_does_not_matter():
    rng = np.random.default_rng(3)
    names = ["alpha_nDCG(alpha=0.2)@5", "nNRBP", "DSharp@5", "AP_IA"]
    expected = cf.evaluate(QRELS, RUN, names, intents=INTENTS).values
    for _ in range(5):
        order = rng.permutation(len(QRELS)).tolist()
        rows = [(DOCUMENTS[row], int(QRELS.grade[row]), SUBTOPICS[row]) for row in order]
        shuffled = cf.Qrels.of(["13"] * 9, *map(list, zip(*rows, strict=True)))
        np.testing.assert_allclose(cf.evaluate(shuffled, RUN, names, intents=INTENTS).values, expected, rtol=1e-12)
