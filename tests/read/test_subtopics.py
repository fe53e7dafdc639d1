"""Subtopics in files: diversity qrels, intent probabilities, faceted topics."""

import io

import pytest

import cranfield as cf
from cranfield.tables.side.intents import Intents
from cranfield.tables.side.topics import Subtopic

QRELS = "201 1 d1 1\n201 2 d1 0\n201 2 d2 2\n202 1 d1 -2\n"
TOPICS = """<topics>
 <topic number="12" type="single">
  <query>solar panel recycling</query>
  <description>longer wording of the same need, resolves ambiguity</description>
  <narrative>optional; criteria the assessor applies</narrative>
 </topic>
 <topic number="13" type="faceted">
  <query>harbour bridge</query>
  <description>the main reading</description>
  <subtopic number="1" type="inf">informational facet</subtopic>
  <subtopic number="2" type="nav">navigational facet</subtopic>
 </topic>
</topics>
"""


def refusal(call, *given, **options) -> cf.Error:
    with pytest.raises(cf.Error) as caught:
        call(*given, **options)
    return caught.value


def intents(text: str, **options) -> Intents:
    return cf.read_intents(io.StringIO(text), **options)


def test_column_two_of_diversity_qrels_holds_the_subtopic():
    qrels = cf.read_qrels(io.StringIO(QRELS))
    assert qrels.iteration is not None
    assert list(zip(qrels.iteration, qrels.document, qrels.grade.tolist(), strict=True)) == [
        ("1", "d1", 1),
        ("2", "d1", 0),
        ("2", "d2", 2),
        ("1", "d1", -2),
    ]


def test_diversity_qrels_are_written_as_they_were_read(tmp_path):
    cf.write_table(cf.read_qrels(io.StringIO(QRELS)), tmp_path / "q.qrels")
    assert (tmp_path / "q.qrels").read_text() == QRELS


def test_a_csv_file_may_call_the_column_subtopic():
    qrels = cf.read_qrels(io.StringIO("topic,subtopic,doc,grade\n201,1,d1,1\n201,2,d1,0"))
    assert qrels.iteration is not None
    assert list(qrels.iteration) == ["1", "2"]


def test_facets_of_a_topic_have_a_number_a_type_and_a_text():
    topics = cf.read_topics(io.StringIO(TOPICS))
    assert (topics["12"].type, topics["12"].subtopics) == ("single", ())
    assert topics["13"].type == "faceted"
    assert topics["13"].subtopics == (
        Subtopic("1", "informational facet", "inf"),
        Subtopic("2", "navigational facet", "nav"),
    )


def test_intent_probabilities_are_read_by_topic_and_subtopic():
    found = intents("201 1 0.75\n201 2 0.25\n202 7\t1\n")
    assert found.members == {"201": {"1": 0.75, "2": 0.25}, "202": {"7": 1.0}}
    assert found.source.format == "intents-ntcir"
    assert repr(found) == "Intents: 2 topics, 3 subtopics"
    assert found == intents("202 7 1\n201 1 0.75\n201 2 0.25\n", format="ntcir")


def test_probabilities_rounded_to_four_digits_are_accepted():
    assert len(intents("".join(f"1 {number} 0.1429\n" for number in range(7)))) == 7


def test_a_further_column_is_read_over_if_the_layout_says_so():
    text = "0001 1 0.4 nav\n0001 2 0.6 inf\n"
    assert intents(text, columns="topic,intent,probability,_").of_topic("0001") == {"1": 0.4, "2": 0.6}
    assert refusal(intents, text).code == "E105"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("201 1 0.5\n201 2 0.4\n", "E124", "the probabilities of topic '201' add up to 0.9, not to 1"),
        ("201 1 0.5\n201 1 0.5\n", "E124", "subtopic '1' of topic '201' is listed twice"),
        ("201 1 1.5\n", "E119", "probability '1.5' is not a number between 0 and 1"),
        ("201 1 nan\n", "E119", "probability 'nan' is not a number between 0 and 1"),
        ("201 1 half\n", "E119", "probability 'half' is not a number between 0 and 1"),
        ("201 1\n", "E105", "expected 3 columns, found 2"),
        ("", "E104", "the file is empty"),
    ],
)
def test_what_is_wrong_with_intent_probabilities_is_said_in_a_line(text, code, message):
    error = refusal(intents, text)
    assert (error.code, error.problem) == (code, message)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"1": {"1": 0.5}}, "E124"),
        ({"1": {"1": "1"}}, "E119"),
        ({"1": {"1": True}}, "E119"),
        ({"1": {"1": float("nan")}}, "E119"),
        ({"1": 0.5}, "E121"),
        ([("1", "1", 1.0)], "E121"),
        (Intents.of(["1"], ["1"], [0.5]), "E124"),
        ("nowhere/intents.txt", "E101"),
    ],
)
def test_objects_that_are_no_intent_probabilities_are_refused(given, code):
    qrels = cf.Qrels.of(["1", "1"], ["a", "b"], [1, 1], ["1", "2"])
    assert refusal(cf.evaluate, qrels, {"1": ["a", "b"]}, "DnDCG@2", intents=given).code == code
