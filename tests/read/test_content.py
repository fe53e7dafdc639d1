"""Bytes of inputs: paths, pipes, open files, encodings, limits."""

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import os
import sys
import tracemalloc
from pathlib import Path

import pytest

from cranfield import kernel
from cranfield.errors import Error
from cranfield.read import read_qrels, read_run, read_runs
from cranfield.read.options import ReadOptions
from cranfield.read.sources import compressed
from cranfield.read.sources import content as module
from cranfield.read.sources.content import as_utf8, check_lines, fetch
from cranfield.read.sources.paths import expand, stem
from cranfield.read.sources.pieces import Irregular, in_pieces

RUN = b"1 Q0 d1 1 2.5 bm25\n"


def refused(code: str, convert, *args, **options) -> Error:
    with pytest.raises(Error) as caught:
        convert(*args, **options)
    assert caught.value.code == code
    return caught.value


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_a_dash_reads_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Stdin(RUN))
    run = read_run("-", name_by="file")
    assert run.name == "<stdin>"
    assert len(run) == 1


def test_without_standard_input_a_dash_is_an_error_of_ours(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    refused("E120", read_run, "-")
    monkeypatch.setattr(sys, "stdin", io.StringIO(RUN.decode()))
    assert len(read_run("-")) == 1


def test_standard_input_is_read_once_only():
    refused("E122", read_runs, "-", "-")
    refused("E122", expand, ["a=-", "-"])


def test_the_fingerprint_is_that_of_the_file_on_disk(tmp_path):
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(RUN))
    assert read_run(path).source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_recognised_by_its_bytes_not_by_the_name(tmp_path, pack):
    path = tmp_path / "a.run"
    path.write_bytes(pack(RUN) + pack(RUN.replace(b"d1", b"d2")))  # two members are one file
    assert list(read_run(path).document) == ["d1", "d2"]


def test_zeros_after_compressed_data_are_padding():
    assert len(read_run(io.BytesIO(gzip.compress(RUN) + bytes(600)))) == 1


def test_anything_else_after_compressed_data_is_damage():
    assert "damaged, after line 1" in str(refused("E301", read_run, io.BytesIO(gzip.compress(RUN) + b"more")))


def test_a_byte_order_mark_is_accepted():
    assert read_run(io.BytesIO(codecs.BOM_UTF8 + RUN)).topics == ("1",)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252", "utf-8", "UTF8", "utf-8-sig"])
def test_other_encodings_are_decoded(encoding):
    data = "1 Q0 né 1 2.5 bm25\n".encode(encoding)
    assert list(read_run(io.BytesIO(data), encoding=encoding).document) == ["né"]


def test_an_encoding_nobody_knows_is_refused():
    refused("E213", read_run, io.BytesIO(RUN), encoding="klingon")
    refused("E213", read_run, io.BytesIO(RUN), encoding="rot13")
    refused("E111", read_run, io.BytesIO(b"abc"), encoding="utf-16")


def test_zero_bytes_are_no_text():
    error = refused("E111", read_run, io.BytesIO("1 Q0 d1 1 2.5 t\n".encode("utf-16-le")))
    assert error.hint == 'is this a binary file, or UTF-16? then try encoding="utf-16"'


def test_text_that_is_not_utf_8_is_found_in_any_block(monkeypatch):
    whole = ("1 Q0 né 1 2.5 t\n" * 100).encode()
    place = whole.rindex("é".encode())
    error = refused("E111", as_utf8, fetch(io.BytesIO(whole[:place] + b"\xff" + whole[place:])))
    assert (error.line, error.problem) == (100, "byte 0xFF at column 7 is not UTF-8")


def test_more_than_the_allowed_size_is_refused(tmp_path):
    bomb = gzip.compress(bytes(10_000_000))
    refused("E308", fetch, io.BytesIO(bomb), 1_000_000)
    path = tmp_path / "a"
    path.write_bytes(RUN * 10)
    refused("E308", fetch, path, 100)
    assert str(refused("E308", fetch, io.BytesIO(RUN), 3)).startswith("E308: <file>: more than 3 bytes of data")


def zstandard(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.compress(data)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard])
def test_a_bomb_is_unpacked_no_further_than_allowed(pack):
    bomb = pack(b"a" * 50_000_000)  # one line
    tracemalloc.start()
    try:
        refused("E308", fetch, io.BytesIO(bomb), 1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_a_file_of_very_many_tiny_streams_is_read():
    assert len(read_run(io.BytesIO(gzip.compress(b"") * 20_000 + gzip.compress(RUN)))) == 1


def test_text_in_zstandard_may_be_in_any_encoding():
    packed = zstandard("1 Q0 dé 1 2.5 a\n".encode("latin-1"))
    assert list(read_run(io.BytesIO(packed), encoding="latin-1").document) == ["dé"]
    refused("E111", read_run, io.BytesIO(packed))


@pytest.mark.parametrize("outer", [gzip.compress, zstandard])
@pytest.mark.parametrize(("inner", "name"), [(gzip.compress, "gz"), (bz2.compress, "bz2"), (zstandard, "zst")])
def test_what_is_compressed_twice_is_named(outer, inner, name):
    error = refused("E118", read_run, io.BytesIO(outer(inner(RUN))))
    assert f"is compressed twice: {name} inside" in str(error)
    assert error.hint == f"unpack it once, to a file that ends in .{name}"


def test_what_is_held_is_limited_by_the_memory_of_the_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "at_most", lambda: 100_000)
    monkeypatch.setattr(compressed, "LITTLE", 0)
    lines = b"".join(b"%d Q0 d%d 1 2.5 bm25\n" % (topic, doc) for topic in range(100) for doc in range(50))
    (tmp_path / "a.run").write_bytes(lines)
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(lines))
    (tmp_path / "q").write_bytes(b"1 0 d1 1\n")
    for name in ("a.run", "a.run.gz"):
        error = refused("E308", fetch, tmp_path / name)
        assert "more than 50,000 bytes of data, half of the memory there is" in str(error)
        assert "is read in pieces; max_size raises the limit" in error.hint
    assert fetch(tmp_path / "a.run.gz", 1_000_000).size == len(lines)  # whoever says so may try
    if kernel.active() == "compiled":  # which reads in pieces
        pieces = in_pieces(tmp_path / "a.run", ReadOptions())
        assert sum(len(piece) for piece in pieces) == 5_000


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no such device")
@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", "/dev/urandom"])
def test_a_device_that_never_ends_is_not_read(name):
    refused("E102", fetch, name)
    with open(name, "rb") as file:
        refused("E102", fetch, file)


def test_the_empty_device_is_an_empty_file():
    assert fetch(os.devnull).size == 0


def test_lines_up_to_the_limit_are_accepted(monkeypatch):
    monkeypatch.setattr(module, "MAX_LINE", 10)
    check_lines(fetch(io.BytesIO(b"a" * 10 + b"\n" + b"b" * 10 + b"\n" + b"c" * 10)))
    error = refused("E305", check_lines, fetch(io.BytesIO(b"a\n" * 7 + b"b" * 11 + b"\nc\n")))
    assert error.line == 8
    assert refused("E305", check_lines, fetch(io.BytesIO(b"c" * 11))).line == 1


def test_a_file_that_cannot_be_opened_is_an_error_of_ours():
    assert "cannot be read: " in str(refused("E120", read_run, "x" * 5000))


def test_names_that_are_no_paths_are_refused():
    refused("E101", read_run, "a\0b")
    refused("E121", read_run, 7)


def test_text_files_that_are_open_are_read(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(RUN)
    with path.open() as file:
        assert len(read_run(file)) == 1
    assert len(read_run(io.StringIO(RUN.decode()))) == 1


def test_pipes_are_read(tmp_path):
    read_end, write_end = os.pipe()
    os.write(write_end, RUN)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as file:
        assert len(read_run(file)) == 1


def test_globs_are_expanded_in_order_of_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b", "a", "c"):
        Path(f"{name}.run").write_bytes(RUN)
    Path("sub").mkdir()
    assert list(read_runs("*.run", name_by="file")) == ["a", "b", "c"]
    assert list(read_runs("x=a.run", "y=b.run")) == ["x", "y"]
    assert list(read_runs("*.run")) == ["a", "b", "c"]
    refused("E206", read_runs, "x=a.run", "x=b.run")


def test_a_file_whose_name_looks_like_a_glob_or_an_assignment_is_read_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a[1].run").write_bytes(RUN)
    Path("x=y.run").write_bytes(RUN)
    assert [item.path for item in expand(["a[1].run", "x=y.run"])] == ["a[1].run", "x=y.run"]


def test_only_endings_of_formats_are_taken_off_a_name():
    assert [stem(name) for name in ("a/input.sys.gz", "b.run", ".run", "c.v2", "d.CSV")] == [
        "input.sys",
        "b",
        ".run",
        "c.v2",
        "d",
    ]


def test_a_glob_that_matches_several_files_is_not_one_qrels_file(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.qrels").write_text("1 0 d 1\n")
    refused("E121", read_qrels, str(tmp_path / "*.qrels"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_what_begins_with_the_mark_of_utf_16_is_read_as_such(encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    run = read_run(io.BytesIO(f"{mark}1 Q0 dé 1 2.5 a\n".encode(encoding)))
    assert list(run.document) == ["dé"]
    refused("E111", read_run, io.BytesIO(b"\xff\xfe1"))


def test_a_byte_order_mark_inside_a_file_is_an_error(tmp_path):
    (tmp_path / "a.run").write_bytes(codecs.BOM_UTF8 + RUN + codecs.BOM_UTF8 + b"2 Q0 d1 1 2.5 bm25\n")
    error = refused("E111", read_run, tmp_path / "a.run")
    assert (error.line, error.problem) == (2, "a byte-order mark inside the file")
    (tmp_path / "b.run").write_bytes(RUN + codecs.BOM_UTF8 + b"2 Q0 d1 1 2.5 bm25\n")
    with pytest.raises(Irregular):
        list(in_pieces(tmp_path / "b.run", ReadOptions()))
