"""The scanner against the plain reading of the same bytes, line by line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.read.formats import scan as module
from cranfield.read.formats.scan import scan

PIECES = st.lists(st.sampled_from([b"a", b"bb", b"#", b"\xc3\xa9", b" ", b"\t", b"\r", b"\n", b"\n", b"\v", b"\0"]))
BLANKS = b" \t\r\n\v\f"


def by_hand(data: bytes, columns: int):
    """Rows and wrong lines as a loop over lines finds them."""
    rows, lines, wrong = [], [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        tokens = (
            line.split(None)
            if b"\0" not in line
            else [t for t in line.translate(bytes.maketrans(BLANKS, b" " * 6)).split(b" ") if t]
        )
        if line.startswith(b"#") or not tokens:
            continue
        if len(tokens) == columns:
            rows.append(tokens)
            lines.append(number)
        else:
            wrong.append((number, len(tokens)))
    return rows, lines, wrong


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
@given(pieces=PIECES, columns=st.integers(1, 4))
def test_the_scanner_finds_what_a_loop_over_lines_finds(block, pieces, columns):
    data = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        found = scan(np.frombuffer(data, dtype=np.uint8), columns)
    rows, lines, wrong = by_hand(data, columns)
    starts, lengths = np.array(found.start).T.tolist(), np.array(found.length).T.tolist()
    assert [[data[s : s + n] for s, n in zip(*row, strict=True)] for row in zip(starts, lengths, strict=True)] == rows
    assert (list(range(1, len(rows) + 1)) if found.line is None else found.line.tolist()) == lines
    assert list(zip(found.wrong_line.tolist(), found.wrong_columns.tolist(), strict=True)) == wrong


def test_a_column_that_nobody_wants_is_not_located():
    found = scan(np.frombuffer(b"a bb c\nd e ff\n", dtype=np.uint8), 3, [2, 0])
    assert [column.tolist() for column in found.start] == [[5, 11], [0, 7]]
    assert [column.tolist() for column in found.length] == [[1, 2], [1, 1]]


def test_a_column_can_be_dropped_without_the_others():
    found = scan(np.frombuffer(b"a b\nc d\n", dtype=np.uint8), 2)
    assert not np.shares_memory(found.start[0].base, found.start[1].base)


def test_a_wrong_line_is_located_by_its_first_byte():
    found = scan(np.frombuffer(b"a b\n\n c\nd e\n", dtype=np.uint8), 2)
    assert found.wrong_start.tolist() == [5]
    assert found.line is not None
    assert found.line.tolist() == [1, 4]


@pytest.mark.parametrize("block", [4, 8, 16])
def test_lines_are_counted_across_pieces(block, monkeypatch):
    """A piece without comments before and after one with a comment."""
    monkeypatch.setattr(module, "BLOCK", block)
    found = scan(np.frombuffer(b"a b\nc d\n#xx\ne f\ng h\ni j\n", dtype=np.uint8), 2)
    assert found.line is not None
    assert found.line.tolist() == [1, 2, 4, 5, 6]
