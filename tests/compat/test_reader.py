"""Files as trec_eval reads them: the compiled kernel and the exact reader agree on whatever is in them."""

import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.compat.trec_eval import run
from cranfield.compat.trec_eval.quit import Quit
from cranfield.compat.trec_eval.reader import read_qrels, read_run
from tests.kernel.paths import needs_compiled, pure

pytestmark = needs_compiled
RUNS = {
    "regular": "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n2 Q0 a 1 .5 x\n",
    "without a last newline": "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 xyz",
    "several tags": "1 Q0 a 1 2.5 first\n1 Q0 b 2 1.5 second\n",
    "tabs and carriage returns": "1\tQ0\ta\t1\t2.5\tx\r\n 1 Q0  b 2 1.5 x \r\n",
    "more columns": "1 Q0 a 1 2.5 x y z\n1 Q0 b 2 1.5 x\n",
    "blank lines": "\n1 Q0 a 1 2.5 x\n   \n1 Q0 b 2 1.5 x\n\n",
    "comments": "1 Q0 a 1 2.5 x\n# a b c d e f\n1 Q0 b 2 1.5 x\n",
    "numbers only C reads": "1 Q0 a 1 0x10 x\n1 Q0 b 2 12abc x\n1 Q0 c 3 zero x\n1 Q0 d 4 -inf x\n1 Q0 e 5 1e400 x\n",
    "no number": "1 Q0 a 1 1.0 x\n1 Q0 b 2 nan x\n1 Q0 c 3 2.0 x\n1 Q0 d 4 nan x\n1 Q0 e 5 0.5 x\n",
    "topics apart": "1 Q0 a 1 2.5 x\n2 Q0 b 1 1.5 x\n1 Q0 c 2 3.5 x\n",
    "a document twice": "1 Q0 a 1 2.5 x\n2 Q0 a 1 2.5 x\n1 Q0 a 2 1.5 x\n",
    "long names": f"1 Q0 {'a' * 300} 1 2.5 x\n{'t' * 300} Q0 b 1 2.5 {'x' * 300}\n",
    "too few columns": "1 Q0 a 1 2.5 x\n1 Q0 b 2\n",
}
QRELS = {
    "regular": "2 0 a 1\n1 0 a 2\n1 0 b 0\n10 0 c -1\n",
    "numbers only C reads": "1 0 a 2.9\n1 0 b 1e2\n1 0 c +1\n1 0 d yes\n1 0 e 99999999999999999999\n",
    "comments": "# by hand\n1 0 a 1\n2 0 b 1\n",
    "a document twice": "1 0 a 1\n2 0 a 1\n2 0 b 0\n2 0 a 1\n",
    "groups": "1 ann a 1\n1 bob a 0\n1 ann b 0\n",
}


@pytest.fixture
def without_kernel():
    """Calls a function without the kernel; the result, or how the program ends."""

    def call(function, *arguments):
        with pure():
            return outcome(function, *arguments)

    return call


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Quit as ending:
        return ending.code, ending.text


@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize("content", RUNS.values(), ids=RUNS.keys())
def test_a_run_is_read_alike_with_and_without_the_kernel(tmp_path, without_kernel, content, version):
    (tmp_path / "r").write_bytes(content.encode())
    with_, without = outcome(read_run, str(tmp_path / "r"), version), without_kernel(read_run, tmp_path / "r", version)
    if isinstance(with_, tuple):
        assert with_ == without
        return
    assert (with_.name, with_.topics, with_.topic.tolist()) == (without.name, without.topics, without.topic.tolist())
    assert list(with_.document) == list(without.document)
    assert list(map(repr, with_.score.tolist())) == list(map(repr, without.score.tolist()))


@pytest.mark.parametrize(
    "flags", [[], ["-c"], ["-c", "-M", "1"], ["-M", "0"], ["-R", "qrels_jg", "-m", "map_avgjg"]], ids=str
)
@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize("qrels", QRELS.values(), ids=QRELS.keys())
@pytest.mark.parametrize("content", RUNS.values(), ids=RUNS.keys())
def test_the_output_is_the_same_with_and_without_the_kernel(
    tmp_path, monkeypatch, capfdbinary, without_kernel, content, qrels, version, flags
):
    (tmp_path / "q").write_bytes(qrels.encode())
    (tmp_path / "r").write_bytes(content.encode())
    monkeypatch.chdir(tmp_path)
    arguments = ["--as", version, "-q", *flags, "q", "r"]
    code = run(arguments), capfdbinary.readouterr()
    assert code == (without_kernel(run, arguments), capfdbinary.readouterr())


def test_a_run_can_come_through_a_pipe(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=[RUNS["regular"]])
    writer.start()
    assert list(read_run(str(tmp_path / "pipe"), 10).document) == ["a", "b", "a"]
    writer.join()


@given(st.lists(st.integers(-(10**25), 10**25).map(str) | st.text("0123456789+-.e", min_size=1), min_size=1))
def test_grades_are_read_alike_with_and_without_the_kernel(tmp_path_factory, grades):
    path = tmp_path_factory.getbasetemp() / "grades.txt"
    path.write_text("".join(f"1 0 d{row} {grade}\n" for row, grade in enumerate(grades)))
    with_ = read_qrels(str(path), 10).grade.tolist()
    with pure():
        assert read_qrels(str(path), 10).grade.tolist() == with_
