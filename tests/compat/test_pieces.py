"""Large runs: evaluated in pieces, they come out as if they had been read as a whole."""

import numpy as np
import pytest

from cranfield.compat.trec_eval import pieces, program, run
from cranfield.compat.trec_eval.arguments import parse
from cranfield.compat.trec_eval.pieces import in_pieces
from cranfield.compat.trec_eval.reader import read_qrels
from cranfield.read.sources import pieces as reading
from tests.kernel.paths import needs_compiled

pytestmark = needs_compiled
ROWS = [f"{topic} Q0 d{(7 * row + topic) % 40} 0 {(row * row) % 11} sys" for topic in range(8, 14) for row in range(20)]
LINES = {
    "regular": ROWS,
    "without a last newline": [*ROWS[:-1], ROWS[-1] + "\v"],
    "more topics than judged": [*ROWS, "99 Q0 d1 1 3 sys"],
    "several tags": [row.replace("sys", f"sys{number}") for number, row in enumerate(ROWS)],
    "a topic that comes back": [*ROWS, "8 Q0 e1 1 3 sys"],
    "a document twice": [*ROWS, ROWS[-1]],
    "a comment": [*ROWS[:50], "# nothing", *ROWS[50:]],
    "a number only C reads": [*ROWS[:50], "10 Q0 e1 1 0x10 sys", *ROWS[50:]],
    "a topic missing": [row for row in ROWS if not row.startswith("10 ")],
    "a short line": [*ROWS[:90], "12 Q0 d1", *ROWS[90:]],
    "one topic only": ROWS[:20],
}
QRELS = [f"{topic} 0 d{row} {(topic + row) % 5 - 1}" for topic in range(8, 14) for row in range(0, 40, 3)]
FLAGS = {
    "plain": [],
    "complete": ["-c"],
    "judged only": ["-c", "-J"],
    "cut": ["-c", "-M", "5"],
    "cut to nothing": ["-c", "-M", "0"],
    "level": ["-l", "2"],
    "groups": ["-R", "qrels_jg", "-m", "map_avgjg"],
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write q and r into the working directory; sizes are those of a test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pieces, "LARGE", 1)

    def write(rows, judged=QRELS):
        (tmp_path / "q").write_text("".join(f"{row}\n" for row in judged))
        (tmp_path / "r").write_text("\n".join(rows).removesuffix("\v") + "\n" * (not rows[-1].endswith("\v")))

    return write


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS.keys())
@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize("rows", LINES.values(), ids=LINES.keys())
def test_the_output_is_that_of_the_whole_file(files, monkeypatch, capfdbinary, rows, version, flags):
    files(rows)
    measures = [] if "-R" in flags else ["-m", "all_trec", "-m", "relstring.20"]
    arguments = ["--as", version, "-q", *measures, *flags, "q", "r"]
    with monkeypatch.context() as patched:
        patched.setattr(program, "in_pieces", lambda judgments, options: None)
        whole = run(arguments), capfdbinary.readouterr()
    for size in (50, 700, 1 << 20):
        monkeypatch.setattr(reading, "PIECE", size)
        assert (run(arguments), capfdbinary.readouterr()) == whole


@pytest.mark.parametrize("size", [50, 700, 1 << 20])
def test_a_regular_file_is_evaluated_in_pieces(files, monkeypatch, size):
    files(ROWS)
    monkeypatch.setattr(reading, "PIECE", size)
    found = in_pieces(read_qrels("q", 10), parse(["q", "r"]))
    assert found is not None
    assert found.topics == ("10", "11", "12", "13", "8", "9")
    np.testing.assert_array_equal(found.hits.retrieved, [20] * 6)


@pytest.mark.parametrize("name", ["a topic that comes back", "a document twice", "a comment", "a topic missing"])
def test_an_irregular_file_is_left_to_the_reader_of_whole_files(files, monkeypatch, name):
    files(LINES[name])
    monkeypatch.setattr(reading, "PIECE", 700)
    assert in_pieces(read_qrels("q", 10), parse(["q", "r"])) is None


def test_judgments_of_a_document_twice_are_left_to_the_reader_of_whole_files(files):
    files(ROWS, [*QRELS, QRELS[0]])
    assert in_pieces(read_qrels("q", 10), parse(["q", "r"])) is None


def test_small_files_are_read_as_a_whole(files, monkeypatch):
    files(ROWS)
    monkeypatch.setattr(pieces, "LARGE", 1 << 20)
    assert in_pieces(read_qrels("q", 10), parse(["q", "r"])) is None
