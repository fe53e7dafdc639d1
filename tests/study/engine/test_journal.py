"""The journal of a study: what cannot be read is cut off, done again, and named."""

import zlib

import numpy as np
import pytest

from cranfield.errors import DataWarning
from cranfield.study.engine.journal import NAME, Journal

FOUND = {"a": np.array([1.0, 2.0])}


def line(text: bytes) -> bytes:
    return b"%08x %s\n" % (zlib.crc32(text), text)


def journal_of(folder, units):
    journal = Journal(folder, "x")
    for unit in range(units):
        journal.add(unit, FOUND)
    journal.close()
    return (folder / NAME).read_bytes()


NO_RECORDS = [
    b"[1, 2]",
    b"null",
    b'"unit"',
    b"7",
    b"{}",
    b'{"unit": "3", "found": {}}',
    b'{"unit": 3, "found": []}',
    b'{"unit": 3, "found": {"a": 1}}',
    b'{"unit": 3, "found": {"a": {"type": "<f8", "shape": [2], "data": "AAAA"}}}',
    b'{"unit": 3, "found": {"a": {"type": "nonsense", "shape": [0], "data": ""}}}',
    b'{"unit": 3, "found": {"a": {"type": "|O", "shape": [1], "data": "AAAAAAAAAAA="}}}',
    b"not JSON",
    b"\xff",
    b"[" * 100_000,
]


@pytest.mark.parametrize("text", NO_RECORDS)
def test_a_record_that_is_none_of_ours_is_cut_off_with_what_follows(tmp_path, text):
    whole = journal_of(tmp_path, 2)
    with (tmp_path / NAME).open("ab") as file:
        file.write(line(text) + b"more\n")
    with pytest.warns(DataWarning, match="W130") as said:
        journal = Journal(tmp_path, "x")
    journal.close()
    assert sorted(journal.found) == [0, 1]
    assert (tmp_path / NAME).read_bytes() == whole
    assert len(said) == 1
    assert str(said[0].message) == (
        f"W130: {tmp_path / NAME}: could not be read from byte {len(whole):,} on and was cut back there; units kept: 2"
    )


@pytest.mark.parametrize("text", [b"[1, 2]", b"null", b"not JSON"])
def test_a_first_line_that_is_no_record_begins_the_journal_anew(tmp_path, text):
    (tmp_path / NAME).write_bytes(line(text))
    with pytest.warns(DataWarning, match="W130: .* from byte 0 on .* units kept: 0"):
        journal = Journal(tmp_path, "x")
    journal.close()
    assert (tmp_path / NAME).read_bytes() == journal_of(tmp_path, 0)


def test_a_whole_journal_is_resumed_without_a_word(tmp_path):
    journal_of(tmp_path, 3)
    journal = Journal(tmp_path, "x")
    journal.close()
    assert sorted(journal.found) == [0, 1, 2]
