"""Fingerprints of files: computed when they are asked for, and never of another file than the one that was read."""

import hashlib
import os
import pickle
import time
from contextlib import nullcontext

import pytest

import cranfield as cf
from cranfield.errors import DataWarning
from cranfield.read.sources import fingerprints as fingerprint
from cranfield.read.sources import pieces
from cranfield.read.sources.fingerprints import Fingerprint

LINES = b"301 Q0 d1 1 2.5 a\n301 Q0 d2 2 1.5 a\n"


@pytest.fixture(autouse=True)
def old_enough(monkeypatch):
    """Files that a test has just written are taken for old ones."""
    monkeypatch.setattr(fingerprint, "RECENT", -1 << 62)


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "a.run"
    found.write_bytes(LINES)
    return found


def of(path):
    with open(path, "rb") as file:
        return Fingerprint(path, file.fileno())


def later(path):
    """Its clock a second on, as after a change that nobody sees in its size."""
    status = os.stat(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))


def test_it_is_the_sha256_of_the_file(path):
    assert of(path)() == hashlib.sha256(LINES).hexdigest()


def test_the_file_is_read_once_however_often_it_is_asked_for(path):
    found = of(path)
    first = found()
    path.unlink()
    assert found() == first


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.unlink(),
        lambda path: (path.write_bytes(LINES.replace(b"d1", b"d9")), later(path)),
        lambda path: path.write_bytes(LINES * 2),
        lambda path: (path.rename(path.with_suffix(".old")), path.write_bytes(LINES)),
    ],
    ids=["removed", "written to", "grown", "replaced"],
)
def test_of_a_file_that_has_changed_it_is_unknown_and_that_is_said(path, change):
    found = of(path)
    change(path)
    with pytest.warns(DataWarning, match="W114.*has changed since it was read"):
        assert found() is None


@pytest.mark.parametrize("age", [0, 3600])
def test_of_a_file_that_was_written_just_now_it_is_computed_at_once(path, monkeypatch, age):
    monkeypatch.setattr(fingerprint, "RECENT", 1_000_000_000)
    os.utime(path, (time.time() - age,) * 2)
    found = of(path)
    path.unlink()
    with pytest.warns(DataWarning) if age else nullcontext():
        assert (found() is None) == (age > 0)


def test_another_process_gets_what_was_computed(path):
    sent = pickle.dumps(of(path))
    path.unlink()
    assert pickle.loads(sent)() == hashlib.sha256(LINES).hexdigest()


def test_scores_have_the_fingerprints_of_their_inputs(path, tmp_path):
    judged = tmp_path / "q.qrels"
    judged.write_bytes(b"301 0 d1 1\n301 0 d2 0\n")
    found = {entry["role"]: entry["sha256"] for entry in cf.evaluate(judged, path, ["AP"]).audit.inputs}
    assert found == {
        "qrels": hashlib.sha256(judged.read_bytes()).hexdigest(),
        "run": hashlib.sha256(LINES).hexdigest(),
    }


def test_an_evaluation_that_nobody_asks_for_fingerprints_reads_each_file_once(path, tmp_path, monkeypatch):
    judged = tmp_path / "q.qrels"
    judged.write_bytes(b"301 0 d1 1\n301 0 d2 0\n")
    monkeypatch.setattr(Fingerprint, "_computed", lambda self: pytest.fail("it was asked for"))
    assert "1.0000" in str(cf.evaluate(judged, path, ["AP"]))


def test_a_dataset_with_a_part_that_has_changed_has_no_fingerprint(tmp_path):
    judged = tmp_path / "q.qrels"
    judged.write_bytes(b"301 0 d1 1\n301 0 d2 0\n")
    folder = tmp_path / "run"
    folder.mkdir()
    for number, topic in enumerate((b"301", b"302")):
        (folder / f"part-{number}").write_bytes(LINES.replace(b"301", topic))
    with pytest.warns(DataWarning, match="W102"):
        scores = cf.evaluate(judged, folder, ["AP"])
    (folder / "part-1").unlink()
    with pytest.warns(DataWarning, match="W114"):
        assert scores.audit.inputs[1]["sha256"] is None


def test_a_file_that_cannot_be_opened_in_pieces_is_left_to_the_reader_of_whole_files(path, tmp_path, monkeypatch):
    judged = tmp_path / "q.qrels"
    judged.write_bytes(b"301 0 d1 1\n301 0 d2 0\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    expected = cf.evaluate(judged, path, ["AP"])
    monkeypatch.setattr(pieces, "open", refuse, raising=False)
    assert cf.evaluate(judged, path, ["AP"]) == expected
