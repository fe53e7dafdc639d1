"""Topics: every field of every form, and what is refused."""

import io

import pytest

import cranfield as cf
from cranfield.errors import InputError


def topic(text, form):
    (found,) = cf.read_topics(io.StringIO(text), format=f"topics-{form}").members
    return found


@pytest.mark.parametrize(
    "inside", ["<desc>long</desc><narr>longer</narr>", "<description>long</description><narrative>longer</narrative>"]
)
def test_both_spellings_of_a_field_are_known(inside):
    found = topic(f'<topic number="1"><query>short</query>{inside}</topic>', "xml")
    assert (found.query, found.description, found.narrative, found.other) == ("short", "long", "longer", {})


def test_the_number_of_a_topic_is_its_attribute_before_its_element():
    found = topic('<topic number="1"><num>2</num><query>q</query></topic>', "xml")
    assert (found.id, found.other) == ("1", {"num": "2"})
    for name in ("num", "number", "id"):
        found = topic(f'<topic {name}="2" type="t" lang="en"><query>q</query></topic>', "xml")
        assert (found.id, found.other) == ("2", {"lang": "en"})
        assert topic(f"<topic><{name}>Number: 2</{name}><query>q</query></topic>", "xml").id == "2"


def test_subtopics_without_a_number_are_counted():
    text = '<topic number="1"><query>q</query><subtopic>a</subtopic><subtopic number="x">b</subtopic>'
    found = topic(text + '<subtopic type="nav">c</subtopic></topic>', "xml")
    assert [(each.number, each.text, each.type) for each in found.subtopics] == [
        ("1", "a", ""),
        ("x", "b", ""),
        ("3", "c", "nav"),
    ]


def test_further_keys_of_a_json_topic_are_kept():
    found = topic('{"_id":"1","text":"q","metadata":{"a":1},"other":{"x":"y"},"author":"B."}\n', "jsonl")
    assert found.other["author"] == "B."
    assert found.other["x"] == "y"
    assert set(found.other) == {"x", "author", "metadata"}


@pytest.mark.parametrize(
    ("form", "text", "said"),
    [
        ("sgml", "no element\n", "E104: <file>: the file holds no <top> element"),
        ("sgml", "<top>\n<title> a\n</top>\n", "E119: <file>:1: a topic has no number"),
        (
            "sgml",
            "<top>\n<num> 1\n<title> a\n</top>\n\n<top>\n<title> b\n</top>\n",
            "E119: <file>:6: a topic has no number",
        ),
        ("xml", "<topics></topics>", "E104: <file>: the file holds no <topic> element"),
        ("tsv", "\n\n", "E104: <file>: the file holds no rows"),
        ("tsv", "1\ta\tb\tc\n", "E105: <file>:1: expected 2 columns, found 4"),
        ("tsv", "1\ta\n2 b\n", "E105: <file>:2: expected 2 columns, found 1"),
    ],
)
def test_a_file_without_topics_is_refused(form, text, said):
    with pytest.raises(InputError) as caught:
        cf.read_topics(io.StringIO(text), format=f"topics-{form}")
    assert str(caught.value).startswith(said)
