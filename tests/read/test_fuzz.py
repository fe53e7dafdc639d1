"""Whatever the bytes: a table, or one of our errors; and no line disappears."""

import bz2
import gzip
import io
import lzma
import warnings
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cranfield import read
from cranfield.errors import DataWarning, Error
from cranfield.read import FORMATS
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.write import write_table

READERS: dict[str, Any] = {
    "run": read.read_runs,
    "qrels": read.read_qrels,
    "topics": read.read_topics,
    "documents": read.read_documents,
    "pool": read.read_pool,
    "estimate": read.read_probabilities,
    "efficiency": read.read_latencies,
    "intents": read.read_intents,
}
SAMPLES = {
    name: item.sample.replace("…", "x")
    for name, item in FORMATS.items()
    if not item.binary and name != "documents-directory"
}
SAMPLES["run-csv"] = "topic,doc,score,run\n1,d1,2.5,a\n1,d2,1,a"
SAMPLES["run-tsv"] = "topic\tdoc\tscore\trun\n1\td1\t2.5\ta"
SAMPLES["qrels-csv"] = "topic,doc,grade,assessor\n1,d1,1,ann"
SAMPLES["qrels-tsv"] = "topic\tdoc\tgrade\n1\td1\t1"
SAMPLES["qrels-beir"] = "query-id\tcorpus-id\tscore\n1\td1\t1"
SAMPLES["run-quepid"] += "\nMay,2024-05-01,7,tv,d1,1"
SAMPLES["qrels-quepid"] += "\ntv,d1,1"
SAMPLES["qrels-umbrela"] = '{"topic":"1","doc":"d1","query":"x","passage":"x","judgment":2,"result_status":1}'
SAMPLES["intents-ntcir"] = "201 1 1"
SAMPLES["efficiency-csv"] = "run,topic,latency_ms\na,1,2.5"
SAMPLES["topics-xml"] = (
    '<topics><topic number="1" type="faceted"><query>a</query><subtopic number="1">x</subtopic></topic></topics>'
)


def attempt(role, data, **options):
    """Read the bytes; anything but a table or an error of ours fails the test by escaping."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        try:
            return READERS[role](io.BytesIO(data), **options)
        except Error as error:
            said = error
    assert str(said)
    assert said.exit in (2, 3)
    return None


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_of_a_format_is_read_by_its_reader(name):
    role = FORMATS[name].role
    table = READERS[role](io.BytesIO(SAMPLES[name].encode()), format=name)
    rows = sum(map(len, table.members)) if role == "run" else len(table)
    assert rows == (2 if name == "run-csv" else 1)


@pytest.mark.parametrize("name", [name for name in SAMPLES if FORMATS[name].guessed and name != "efficiency-csv"])
def test_the_sample_of_a_format_is_recognised(name):
    table = READERS[FORMATS[name].role](io.BytesIO(SAMPLES[name].encode()))
    source = table.members[0].source if FORMATS[name].role == "run" else table.source
    assert source.format == name


@pytest.mark.parametrize("role", READERS)
@given(data=st.binary(max_size=200))
@example(data=b"\x1f\x8b")
@example(data=b"BZh9")
@example(data=b"\x28\xb5\x2f\xfd")
@example(data=b"\xfd7zXZ\x00")
@example(data=b"PAR1")
@example(data=b"\xef\xbb\xbf")
@example(data=b"{")
@example(data=b"<")
@example(data=b"<top>")
def test_random_bytes_never_break_a_reader(role, data):
    attempt(role, data)


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
@settings(max_examples=80)
def test_damaged_files_never_break_a_reader(name, data):
    sample = SAMPLES.get(name, "PAR1").encode() + b"\n"
    lines = data.draw(st.lists(st.just(sample), min_size=1, max_size=3))
    whole = bytearray(b"".join(lines))
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(whole)))
        piece = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"nan", b'"', b"\n", b"\t", b"#", b"{", b"1e999", b"\\ud800"])
        )
        whole[place : place + data.draw(st.integers(0, 3))] = piece
    attempt(FORMATS[name].role, bytes(whole), format=name)
    attempt(FORMATS[name].role, bytes(whole))


@given(
    lines=st.lists(
        st.sampled_from(["1 Q0 d 1 2 t", "", "# c", "1 Q0 d 1 2", " ", "\t1\tQ0 d  1 -inf t\r", "x"]), max_size=8
    )
)
def test_every_line_is_read_skipped_or_refused(lines):
    data = "\n".join(lines).encode()
    wanted = [line for line in lines if line.strip() and not line.startswith("#")]
    runs = attempt("run", data, format="run-trec")
    if runs is not None:
        assert len(runs.members[0]) == len(wanted) > 0
    else:
        assert not wanted or any(len(line.split()) != 6 for line in wanted)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@given(cut=st.integers(1, 60), flip=st.integers(0, 200))
def test_cut_or_damaged_compressed_data_are_never_half_read(pack, cut, flip):
    whole = pack(b"301 Q0 d1 1 1.5 t\n" * 50)
    with pytest.raises(Error) as caught:
        read.read_run(io.BytesIO(whole[: max(6, len(whole) - cut)]))
    assert caught.value.code in ("E301", "E104")
    damaged = bytearray(whole)
    damaged[flip % len(whole)] ^= 0x55
    runs = attempt("run", bytes(damaged))
    assert runs is None or len(runs.members[0]) == 50  # header bytes that carry no data


def test_cut_zstandard_data_are_never_half_read(tmp_path):
    write_table(Run.of("a", ["1"] * 500, [f"d{n}" for n in range(500)], range(500)), tmp_path / "a.run.zst")
    whole = (tmp_path / "a.run.zst").read_bytes()
    assert len(read.read_run(tmp_path / "a.run.zst")) == 500
    for cut in (1, 10, len(whole) // 2):
        with pytest.raises(Error, match="E301"):
            read.read_run(io.BytesIO(whole[:-cut]))


@pytest.mark.parametrize("role", ["run", "qrels"])
@given(cut=st.integers(1, 2000))
@settings(max_examples=40)
def test_parquet_that_ends_early_is_refused(role, cut):
    table = Run.of("a", ["1"], ["d"], [1.0]) if role == "run" else Qrels.of(["1"], ["d"], [1])
    packed = io.BytesIO()
    write_table(table, packed, f"{role}-parquet")
    whole = packed.getvalue()
    assert attempt(role, whole[: -(cut % len(whole) or 1)], format="parquet") is None
