"""The header of a run: blank lines, blocks that are not closed."""

import io

import pytest

import cranfield as cf

ROW = "1 Q0 d 1 1 a\n"


def header(*lines):
    return cf.read_run(io.StringIO("".join(f"#{line}\n" for line in lines) + ROW)).source.metadata


def test_a_blank_line_inside_the_block_is_none_of_it():
    found = header(" ir_metadata.start", " tag: bm25", "", "   ", " actor:", "   name: x", " ir_metadata.end")
    assert found == {"tag": "bm25", "actor": {"name": "x"}}


@pytest.mark.parametrize("lines", [(" ir_metadata.start", " tag: bm25"), (" tag: bm25", " ir_metadata.end"), (" tag",)])
def test_a_block_without_begin_or_end_is_a_comment(lines):
    assert header(*lines) == {}


def test_a_name_further_left_ends_what_is_inside():
    found = header(" ir_metadata.start", " actor:", "   fields:", "     - search", " tag: bm25", " ir_metadata.end")
    assert found == {"actor": {"fields": ["search"]}, "tag": "bm25"}


@pytest.mark.parametrize("lines", [("-",), ("fields:", "  -"), ("fields:", "- a", "-"), ("fields:", "- a", "  - b")])
def test_a_list_with_an_empty_member_or_of_two_depths_stays_text(lines):
    found = header(" ir_metadata.start", *(f" {line}" for line in lines), " ir_metadata.end")
    assert found == {"text": "\n".join(lines)}


def test_an_empty_block_holds_nothing():
    assert header(" ir_metadata.start", " ir_metadata.end") == {"text": ""}
