"""The compiled scan of long files, however they are spaced or edited: what a plain reading of the lines gives."""

import io
import re
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import kernel
from cranfield.kernel import CONSTANT, NUMBER, SKIP, TEXT, TOPIC, WHOLE
from cranfield.read.options import ReadOptions
from cranfield.read.sources import pieces
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import SPARE, Text
from tests.kernel.paths import needs_compiled, pure
from tests.kernel.test_both_paths import outcome

pytestmark = needs_compiled

steps: Any = kernel.steps  # the tests are skipped where there is none

NUMERALS = [
    *("1", "-3", "+2", ".5", "7.", "-.25", "0", "-0", "12345678.12345678", "1e-3", "2E+5", "12345678901234567"),
    *("0.1234567890123456789012345", "9007199254740993", "123456789012345678.5", "00000001", "1e22", "4.35e-30"),
    *("1234567890123456"[:place] + "." + "1234567890123456"[place:] for place in range(17)),
]
ODD = [
    "-",
    ".",
    "+",
    "1.2.3",
    "1e",
    "--1",
    "1\x01",
    "\x01",
    "1\x1f5",
    "nan",
    "inf",
    "1_0",
    "1e12345",
    "5" * 64,
    "1/2",
    ":1",
]
LAYOUTS = [
    (TOPIC, SKIP, TEXT, SKIP, NUMBER, CONSTANT),
    (TOPIC, TEXT, WHOLE),
    (TOPIC, TEXT, TEXT, NUMBER),
    (TEXT, TOPIC, NUMBER),
    (NUMBER, TEXT, TOPIC),
    (TEXT, CONSTANT, NUMBER, CONSTANT, TOPIC),
    (CONSTANT, TOPIC),
    (TEXT, NUMBER, SKIP, TOPIC, SKIP),
    (TOPIC, TEXT, CONSTANT),
]
BITS = [b"", b" ", b"  ", b"\t", b"\r", b"\v", b"\f", b"\n", b"\n\n", b"\r\n", b"#", b"\n#", b"\0", b"\x01", b"\x1f"]
BITS += [b"0", b"7", b"a", b"Z", b".", b"-", b"e", "é".encode(), b"\xff", b"\xc3", b"\x80", b" 1 ", b"x" * 70]
EDITS = st.tuples(st.integers(0, 2**13), st.sampled_from(BITS), st.integers(0, 3), st.booleans())
SEPARATORS = [" ", " ", " ", "\t", "  ", " \t", "\v", "\f", "\r", " \x01"]


@st.composite
def files(draw, layout):
    """A file of some sixty lines, regular but for a few edits, so that most lines are like the one before."""
    random = Random(draw(st.integers(0, 2**32)))
    style = draw(
        st.sets(
            st.sampled_from(["padded", "mixed", "odd", "notes", "returns", "tags", "long", "wide", "open"]), max_size=3
        )
    )
    blank, end = draw(st.sampled_from(SEPARATORS)), draw(st.sampled_from(["\n", "\n", "\r\n", " \n"]))
    first = draw(st.sampled_from(["", "", "", " ", "\t"]))
    topic = "t" * 70 if "long" in style else "30"
    numerals = [random.choice(NUMERALS) for _ in range(5)]
    lines, number = [], 0
    for row in range(random.randrange(30, 61)):
        if random.random() < 0.1:
            number = random.randrange(number + 1) if "returns" in style else number + 1
        words = []
        for kind in layout:
            if kind == TOPIC:
                words.append(f"{topic}{number}")
            elif kind == TEXT:
                words.append(
                    f"d{random.choice([row, 10**9 + row])}"
                    + "x" * random.choice([0, 0, 0, *([60, 250, 300] if "wide" in style else [])])
                )
            elif kind in (NUMBER, WHOLE):
                words.append(random.choice(numerals) if kind == NUMBER else str(random.randrange(10**9) - row))
                if "odd" in style and random.random() < 0.02:
                    words[-1] = random.choice(ODD)
            elif kind == SKIP:
                words.append(str(row))
            else:
                words.append("tag2" if "tags" in style and random.random() < 0.1 else "tag")
            if "padded" in style:
                words[-1] = words[-1].ljust(random.choice([6, 12]))
        spaces = [random.choice(SEPARATORS) if "mixed" in style and random.random() < 0.05 else blank for _ in words]
        lines.append(first + "".join(space + word for space, word in zip(["", *spaces], words, strict=False)) + end)
        if "notes" in style and random.random() < 0.1:
            lines.append(random.choice(["\n", "# note\n", " \n", "#\n", "\r\n"]))
    text = bytearray("".join(lines).encode())
    if "open" in style:
        del text[-1:]
    for place, bit, gone, aimed in draw(st.lists(EDITS, max_size=3)):
        at = place % len(text)
        if aimed:  # at what separates two columns: nothing else is as likely to be mistaken
            at = max(text.find(blank[:1].encode(), at), 0)
        text[at : at + (1 if aimed else gone)] = bit
    return bytes(text)


def number(word, kind):
    """A numeral that the kernel reads, else None: the exact reader has the rest."""
    syntax = rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?" if kind == NUMBER else rb"[+-]?[0-9]+"
    return float(word) if len(word) < 64 and re.fullmatch(syntax, word) else None


def plainly(data, layout):
    """What `scan` promises, line by line."""
    rows: list[Any] = []
    at, line_of = 0, []
    for line, text in enumerate(data.split(b"\n"), 1):
        found = [] if text.startswith(b"#") else [(w[0], w.start() + at) for w in re.finditer(rb"[^ \t-\r]+", text)]
        at += len(text) + 1
        if found and len(found) != len(layout):
            return None
        if found:
            rows.append(found)
            line_of.append(line)
    if not rows:
        return None
    names: dict[bytes, int] = {}
    columns, topic, any_long, together = [], [], False, True
    for place, kind in enumerate(layout):
        words = [row[place][0] for row in rows]
        made: Any = None
        if kind == TOPIC:
            topic = [names.setdefault(word, len(names)) for word in words]
            together = topic == sorted(topic)
        elif kind == TEXT:
            made = [row[place] for row in rows]
            any_long |= any(len(word) > 256 for word in words)
        elif kind in (NUMBER, WHOLE):
            made = [number(word, kind) for word in words]
            if None in made:
                return None
            made = [value.hex() for value in made]
        elif kind == CONSTANT and len(set(words)) == 1:
            made = words[0]
        columns.append(made)
    lines = None if line_of == [*range(1, len(rows) + 1)] else line_of
    return [*names], topic, columns, lines, any_long, data.isascii() and b"\0" not in data, together


def compiled(data, layout, room=None):
    """The same by the kernel, in memory that ends where the spare bytes end."""
    array = np.frombuffer(data + SPARE, dtype=np.uint8).copy()
    found = steps.scan(array, len(data), layout, room)
    if found is None:
        return None
    names, topic, columns, lines, *rest = found
    for place, (kind, column) in enumerate(zip(layout, columns, strict=True)):
        if kind == TEXT:
            text = Text(array, *column[:2])
            columns[place] = [*zip(text.raws(), column[0].tolist(), strict=True)]
            with pure():
                expected = Text(array, *column[:2]).hash.tolist()
            assert text.hashed(column[2], rest[0]).hash.tolist() == expected
        elif kind in (NUMBER, WHOLE):
            columns[place] = [value.hex() for value in column.tolist()]
    if lines is not None:
        lines = lines.tolist()
        lines = None if lines == [*range(1, len(topic) + 1)] else lines
    return names, topic.tolist(), columns, lines, *rest


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@given(data=st.data())
def test_a_long_file_is_scanned_as_its_lines_are_written(layout, data):
    text = data.draw(files(layout))
    assert compiled(text, layout) == plainly(text, layout)


@given(st.lists(st.sampled_from(LAYOUTS), min_size=2, max_size=3), st.data())
def test_arrays_that_are_used_again_hold_nothing_of_the_file_before(layouts, data):
    room: dict[object, Any] = {}
    for layout in layouts:
        text = data.draw(files(layout))
        assert compiled(text, layout, room) == plainly(text, layout)


def told(read, text, **options):
    """All that a table says of a file, or the error."""
    found = outcome(read, io.BytesIO(text), **options)
    if isinstance(found, list):
        return found
    rank = None if isinstance(found, Qrels) else [*found.rank]
    numbers = found.grade if isinstance(found, Qrels) else found.score
    name = "" if isinstance(found, Qrels) else found.name
    lines = [found.line_of(row) for row in range(len(found))]
    return (
        name,
        found.topics,
        found.topic.tolist(),
        [*found.document],
        [float(n).hex() for n in numbers.tolist()],
        rank,
        lines,
    )


@given(files(LAYOUTS[0]))
def test_a_long_run_is_read_alike(text):
    here = told(cf.read_run, text, format="run-trec")
    with pure():
        assert here == told(cf.read_run, text, format="run-trec")


@given(files((TOPIC, SKIP, TEXT, WHOLE)), st.sampled_from(["int", "float"]))
def test_long_qrels_are_read_alike(text, grades):
    here = told(cf.read_qrels, text, format="qrels-trec", grades=grades)
    with pure():
        assert here == told(cf.read_qrels, text, format="qrels-trec", grades=grades)


@given(text=files(LAYOUTS[0]), size=st.sampled_from([100, 300, 1000, 5000]))
def test_the_pieces_of_a_long_run_are_the_whole_run(text, size, tmp_path_factory):
    path = tmp_path_factory.mktemp("pieces") / "some.run"
    path.write_bytes(text)
    usual, pieces.PIECE = pieces.PIECE, size
    try:
        seen = [
            (run.name, run.topics[topic], document, score)
            for run in pieces.in_pieces(path, ReadOptions(format="run-trec"))
            for topic, document, score in zip(run.topic.tolist(), run.document, run.score.tolist(), strict=True)
        ]
    except pieces.Irregular:
        return
    finally:
        pieces.PIECE = usual
    with pure():
        run = cf.read_run(path, format="run-trec")
    rows = zip(run.topic.tolist(), run.document, run.score.tolist(), strict=True)
    assert seen == [(run.name, run.topics[topic], document, score) for topic, document, score in rows]


def test_files_of_different_formats_are_evaluated_one_after_the_other(tmp_path):
    (tmp_path / "trec.run").write_text("".join(f"1 Q0 d{rank} {rank} {-rank} t\n" for rank in range(1, 9)))
    (tmp_path / "msmarco.run").write_text("".join(f"1\td{rank}\t{rank}\n" for rank in range(1, 9)))
    judged = {"1": {f"d{rank}": int(rank == 2) for rank in range(1, 9)}}
    found = [cf.evaluate(judged, tmp_path / f"{name}.run", "AP") for name in ("trec", "msmarco", "trec")]
    assert [scores.values.item() for scores in found] == [0.5, 0.5, 0.5]
