"""The keyword arguments and the options are one list."""

from dataclasses import fields

from cranfield.read.options import Keywords, ReadOptions


def test_every_option_is_a_keyword_of_the_reading_functions():
    assert set(Keywords.__annotations__) == {field.name for field in fields(ReadOptions)}  # their order is Python's
