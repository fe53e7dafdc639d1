"""Documents that stay on disk: the text that was indexed, or an error; never another text, never a dead process."""

import io
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.read.sources import on_disk
from cranfield.read.sources.on_disk import FileBytes

COUNT = 20_000  # lines, more than a piece of a file


def jsonl(words: str) -> bytes:
    return "".join(json.dumps({"_id": f"d{n:05}", "text": f"{words} {n:05}" * 5}) + "\n" for n in range(COUNT)).encode()


def tsv(words: str) -> bytes:
    return "".join(f"d{n:05}\t{words} {n:05}" + " and more" * 8 + "\n" for n in range(COUNT)).encode()


def trec(words: str) -> bytes:
    return "".join(
        f"<DOC>\n<DOCNO> d{n:05} </DOCNO>\n<TEXT>\n{words} {n:05}" + " more" * 8 + "\n</TEXT>\n</DOC>\n"
        for n in range(COUNT)
    ).encode()


@pytest.fixture(params=["jsonl", "tsv", "trec"])
def collection(request, tmp_path):
    """A large file, how to write it, and its documents."""
    written = {"jsonl": jsonl, "tsv": tsv, "trec": trec}[request.param]
    path = tmp_path / f"docs.{request.param}"
    path.write_bytes(written("old"))
    assert path.stat().st_size > on_disk.WINDOW
    return path, written, cf.read_documents(path)


def test_a_file_that_became_shorter_does_not_end_the_process(tmp_path):
    """A mapped file would: the system sends a signal."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(jsonl("old"))
    program = (
        "import sys, os, cranfield as cf\n"
        "documents = cf.read_documents(sys.argv[1])\n"
        "os.truncate(sys.argv[1], 10)\n"
        "try: documents['d19999']\n"
        "except cf.InputError as error: print(error.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"E126\n", b"")


def test_a_file_that_is_shortened_while_it_is_indexed_is_an_error(tmp_path, monkeypatch):
    path = tmp_path / "docs.jsonl"
    path.write_bytes(jsonl("old"))
    usual = json.loads

    def loads(text):
        if "d10000" in text:
            os.truncate(path, 100)
        return usual(text)

    monkeypatch.setattr(json, "loads", loads)
    with pytest.raises(cf.InputError, match=r"E126: .* has changed since it was read"):
        cf.read_documents(path)


def test_a_file_that_was_written_over_is_an_error(collection):
    path, written, documents = collection
    assert documents["d00007"].text.startswith("old 00007")
    path.write_bytes(written("new"))
    with pytest.raises(cf.InputError) as caught:
        documents["d00007"]
    assert str(caught.value) == f"E126: {path}: has changed since it was read\n  hint: read the documents again"


@pytest.mark.parametrize("change", ["longer", "later"])
def test_a_changed_file_is_an_error_even_where_the_document_is_as_it_was(collection, change):
    path, written, documents = collection
    if change == "longer":
        status = path.stat()
        path.write_bytes(written("old") + b"\n")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    else:
        os.utime(path, ns=(1, 1))
    with pytest.raises(cf.InputError, match="E126"):
        documents["d00007"]


def test_size_and_time_do_not_hide_a_change(collection):
    path, written, documents = collection
    status = path.stat()
    with path.open("r+b") as file:  # in place
        file.write(written("new"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_ino) == (status.st_size, status.st_ino)
    with pytest.raises(cf.InputError, match="E126"):
        documents["d00007"]


def test_no_change_of_a_byte_is_missed(collection):
    """Neither of the text nor of the id: a document is what it was, or an error."""
    path, written, documents = collection
    status, whole = path.stat(), written("old")
    before = documents["d00007"]
    for place in range(whole.index(b"d00007"), whole.index(b"old 00007") + 9):
        with path.open("r+b") as file:
            file.seek(place)
            file.write(b"0" if whole[place : place + 1] != b"0" else b"1")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        with pytest.raises(cf.InputError, match="E126"):
            documents["d00007"]
        with path.open("r+b") as file:
            file.seek(place)
            file.write(whole[place : place + 1])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert documents["d00007"] == before


def test_another_document_in_its_place_is_an_error_even_if_the_hash_is_the_same(collection, monkeypatch):
    path, written, _ = collection
    monkeypatch.setattr("cranfield.read.formats.documents.lines.crc32", lambda raw: 0)
    documents = cf.read_documents(path)
    status = path.stat()
    with path.open("r+b") as file:
        file.write(written("old").replace(b"d00007", b"d99999"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert documents["d00006"].text.startswith("old 00006")
    with pytest.raises(cf.InputError, match="E126"):
        documents["d00007"]


def test_a_collection_is_never_held_as_a_whole(collection, monkeypatch):
    path, _, _ = collection
    sizes, read = [], FileBytes.read

    def watched(self, begin, end):
        sizes.append(end - begin)
        return read(self, begin, end)

    monkeypatch.setattr(FileBytes, "read", watched)
    monkeypatch.setattr(on_disk, "WINDOW", 10_000)
    documents = cf.read_documents(path)
    assert documents["d19999"].text.startswith("old 19999")
    assert len(sizes) > 100
    assert max(sizes) <= 1 << 16  # what is looked at to recognise the format


def test_another_file_in_its_place_is_an_error(collection, tmp_path):
    path, written, documents = collection
    (tmp_path / "other").write_bytes(written("new"))
    os.replace(tmp_path / "other", path)
    with pytest.raises(cf.InputError, match="E126"):
        documents["d00007"]
    path.unlink()
    with pytest.raises(cf.InputError, match=r"E126: .* is no longer there"):
        documents["d00007"]


def test_a_file_that_is_left_alone_is_read_from_anywhere(collection, monkeypatch, tmp_path):
    path, written, _ = collection
    monkeypatch.chdir(tmp_path)
    documents = cf.read_documents(path.name)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    held = cf.read_documents(io.BytesIO(written("old")), format=f"documents-{path.suffix[1:]}")
    assert all(documents[name] == held[name] for name in list(held)[::997])
    assert list(documents) == list(held)


def test_a_document_in_a_directory_is_the_one_that_was_listed(tmp_path):
    (tmp_path / "d1.txt").write_text("old")
    (tmp_path / "d2.txt").write_text("old")
    documents = cf.read_documents(tmp_path)
    (tmp_path / "d1.txt").write_text("another text")
    (tmp_path / "d2.txt").unlink()
    for name in documents:
        with pytest.raises(cf.InputError, match=f"E126: .*{name}.txt: has changed since it was read"):
            documents[name]


@given(st.data())
def test_a_file_is_looked_at_like_bytes(tmp_path_factory, data):
    raw = data.draw(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\t"]), max_size=40).map(b"".join))
    path = tmp_path_factory.mktemp("bytes") / "a"
    path.write_bytes(raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_disk, "WINDOW", 7)
        view = FileBytes(path)
        for _ in range(5):
            start, end = data.draw(st.integers(0, 90)), data.draw(st.integers(0, 90))
            assert view.find(b"\n", start, end) == raw.find(b"\n", start, end)
            assert view.rfind(b"\n", start, end) == raw.rfind(b"\n", start, end)
            assert view[start:end] == raw[start:end]
    assert (len(view), view[:], [view[n] for n in range(len(raw))]) == (len(raw), raw, list(raw))
