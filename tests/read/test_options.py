"""The keyword arguments and the options are one list."""

from dataclasses import fields

from cranfield.read.options import Keywords, ReadOptions, roles_of


def test_every_option_is_a_keyword_of_the_reading_functions():
    assert set(Keywords.__annotations__) == {field.name for field in fields(ReadOptions)}  # their order is Python's


def test_the_query_is_the_topic_also_beside_the_user_who_asked():
    found = roles_of(["query", "user", "doc", "score"], ("topic", "doc"), ReadOptions(), "r.csv", qrels=False)
    assert (found["topic"], found["doc"]) == (0, 2)
