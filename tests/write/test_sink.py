"""Where bytes go: a file is there whole or not at all, and nothing else is left behind."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cranfield.errors import Error
from cranfield.read import read_run
from cranfield.tables.run import Run
from cranfield.whole_files import UNFINISHED, append_whole, same_file, write_whole
from cranfield.write import write_table
from cranfield.write.sink import ending, put

RUN = Run.of("a", ["1"], ["d"], [1.0])
LINE = b"1 Q0 d 1 1.0 a\n"


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".xz", ".zst"])
def test_the_ending_chooses_the_compression(tmp_path, ending):
    run = Run.of("bm25", ["1", "2"], ["d é", "d,2"], [1.5, np.inf])
    path = tmp_path / f"a.csv{ending}"
    write_table(run, path)
    assert path.read_bytes().startswith(b"topic") == (ending == "")
    assert read_run(path) == run
    assert [item.name for item in tmp_path.iterdir()] == [path.name]


def test_writing_twice_gives_the_same_bytes(tmp_path):
    run = Run.of("a", ["1"], ["d"], [1.0])
    write_table(run, tmp_path / "a.run.gz")
    write_table(run, tmp_path / "b.run.gz")
    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()


def test_a_file_that_cannot_be_written_is_an_error_of_ours(tmp_path):
    run = Run.of("a", ["1"], ["d"], [1.0])
    with pytest.raises(Error, match="E120"):
        write_table(run, tmp_path / "no" / "such" / "a.run")
    with pytest.raises(Error, match="E102"):
        write_table(run, tmp_path)


def test_a_failed_write_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("old")
    with pytest.raises(Error, match="E117"):
        write_table(Run.of("a", ["1 2"], ["d"], [1.0]), path)
    assert path.read_text() == "old"


def test_standard_output_is_written_with_a_dash(capfdbinary):
    write_table(Run.of("a", ["1"], ["d"], [1.0]), "-")
    assert capfdbinary.readouterr().out == b"1 Q0 d 1 1.0 a\n"


def test_a_link_stays_a_link_and_a_file_keeps_its_mode(tmp_path):
    real, link = tmp_path / "real.run", tmp_path / "link.run"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_table(Run.of("a", ["1"], ["d"], [1.0]), link)
    assert link.is_symlink()
    assert real.read_text() == "1 Q0 d 1 1.0 a\n"
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.run", "real.run"]


@pytest.mark.parametrize(
    ("suffix", "unpack"), [(".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress)]
)
def test_what_is_packed_is_what_was_given(tmp_path, suffix, unpack):
    path = tmp_path / f"a.run{suffix.upper()}"
    put(LINE, path)
    assert unpack(path.read_bytes()) == LINE
    put(LINE, path, compress=False)
    assert path.read_bytes() == LINE


@pytest.mark.parametrize("data", [b"", b"\n", b"a\n\nb\n", b'x,"y"\n', "é\n".encode(), b"no end of line"])
def test_lines_packed_with_zstandard_come_back(tmp_path, data):
    from cranfield.read.sources.content import fetch

    put(data, tmp_path / "a.zst")
    found = fetch(tmp_path / "a.zst")
    assert bytes(found.buffer[: found.size]).removesuffix(b"\n") == data.removesuffix(b"\n")


def test_gzip_carries_no_time(tmp_path):
    put(LINE, tmp_path / "a.gz")
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)


def test_an_open_file_gets_the_bytes_and_stays_open():
    file = io.BytesIO()
    put(LINE, file)
    put(LINE, file)
    assert file.getvalue() == LINE * 2
    assert not file.closed


def test_standard_output_is_flushed(monkeypatch):
    class Slow(io.BytesIO):
        flushed = b""

        def flush(self):
            Slow.flushed = self.getvalue()

    class Out:
        buffer = Slow()

    monkeypatch.setattr("sys.stdout", Out())
    put(LINE, "-")
    assert Slow.flushed == LINE


def test_the_ending_of_an_open_file_tells_nothing():
    assert (ending("x.CSV.gz"), ending(Path("q.qrels")), ending(io.BytesIO())) == (".csv", ".qrels", "")


@pytest.mark.parametrize("step", ["write_all", "os.chmod", "os.fsync", "os.replace"])
def test_a_write_that_fails_half_way_leaves_nothing_behind(tmp_path, monkeypatch, step):
    path = tmp_path / "a.run"
    path.write_bytes(b"old")
    seen: list[str] = []

    def broken(*arguments):
        seen.extend(name for name in os.listdir(tmp_path) if name.endswith(UNFINISHED))
        if step == "write_all":
            arguments[0].write(LINE[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"cranfield.whole_files.{step}", broken)
    with pytest.raises(Error) as caught:
        write_whole(path, LINE)
    monkeypatch.undo()
    assert str(caught.value) == (
        f"E120: {path}: cannot be written: no space left on device\n  hint: choose a place you may write to"
    )
    assert len(seen) == 1
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.run"]


def test_an_error_without_words_of_the_system_is_said_as_it_is(tmp_path, monkeypatch):
    def broken(*_):
        raise OSError("Device Gone")

    monkeypatch.setattr("cranfield.whole_files.write_all", broken)
    with pytest.raises(Error, match="cannot be written: device gone"):
        write_whole(tmp_path / "a", b"")


def test_the_longest_names_can_be_written(tmp_path):
    path = tmp_path / ("n" * 251 + ".csv")
    write_whole(path, LINE)
    write_whole(path, LINE * 2)
    assert path.read_bytes() == LINE * 2
    assert os.listdir(tmp_path) == [path.name]


def test_nobody_can_foresee_the_name_of_an_unfinished_file(tmp_path, monkeypatch):
    seen, rename = [], os.replace

    def watched(part, target):
        seen.append(Path(part).name)
        rename(part, target)

    monkeypatch.setattr(os, "replace", watched)
    for _ in range(20):
        write_whole(tmp_path / "a", LINE)
    assert len(set(seen)) == 20
    assert all(name.endswith(UNFINISHED) and str(os.getpid()) + "." not in name for name in seen)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_that_somebody_planted_is_not_followed(tmp_path, monkeypatch):
    """Even if the name could be foreseen."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / f".{bytes(8).hex()}{UNFINISHED}").symlink_to(victim)
    with pytest.raises(Error, match=r"E120: .*/a: cannot be written: file exists"):
        write_whole(tmp_path / "a", LINE)
    assert victim.read_bytes() == b"precious"
    assert len(os.listdir(tmp_path)) == 2  # what was planted is not ours to remove


def test_the_bytes_and_the_name_are_on_the_disk_before_it_returns(tmp_path, monkeypatch):
    synced, sync = [], os.fsync

    def watched(number):
        synced.append(os.fstat(number).st_ino)
        sync(number)

    monkeypatch.setattr(os, "fsync", watched)
    write_whole(tmp_path / "a", LINE)
    expected = [(tmp_path / "a").stat().st_ino, tmp_path.stat().st_ino]
    assert synced == (expected[:1] if os.name == "nt" else expected)


@pytest.mark.skipif(os.name == "nt", reason="permissions differ")
def test_a_new_file_has_the_permissions_that_the_user_wants(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a", LINE)
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.path.isdir("/dev"), reason="there are no devices")
def test_a_device_that_is_not_there_is_not_made():
    with pytest.raises(Error, match="E120: /dev/cranfield-no-such-device: cannot be written: no such file"):
        write_whole("/dev/cranfield-no-such-device", LINE)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
def test_a_command_that_is_told_to_end_leaves_nothing_behind(tmp_path):
    (tmp_path / "q").write_text("1 0 d 1\n")
    (tmp_path / "r").write_text("1 Q0 d 1 1 r\n")
    program = (
        "import os, signal, sys, time\n"
        "from cranfield.cli import main\n"
        "def slow(number):\n"
        "    print(sum(name.endswith('.part') for name in os.listdir('.')), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    time.sleep(10)\n"
        "os.fsync = slow\n"
        "sys.exit(main(['evaluate', 'q', 'r', '-o', 'out.csv']))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, b"1\n", b"terminated\n")
    assert sorted(os.listdir(tmp_path)) == ["q", "r"]


def test_an_interrupted_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", LINE)
    assert os.listdir(tmp_path) == []


def test_the_new_bytes_are_written_beside_the_target_and_then_renamed(tmp_path, monkeypatch):
    path, seen, rename = tmp_path / "a.run", [], os.replace

    def watched(part, target):
        seen.append((Path(part).parent, Path(part).read_bytes(), path.exists()))
        rename(part, target)

    monkeypatch.setattr(os, "replace", watched)
    write_whole(path, LINE)
    assert seen == [(tmp_path, LINE, False)]
    assert path.read_bytes() == LINE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_written_to_and_stays_one(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(path, LINE)
        assert os.read(reader, 100) == LINE
    finally:
        os.close(reader)
    assert not path.is_file()


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="standard output has no name here")
def test_standard_output_is_written_by_its_name_too():
    program = f"from cranfield.whole_files import write_whole; write_whole('/dev/stdout', {LINE!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, LINE, b"")


# appending ------------------------------------------------------------------------------------------------------


def test_something_comes_between_only_where_something_is(tmp_path):
    for expected in (b"a", b"a|a", b"a|a|a"):
        append_whole(tmp_path / "new", b"a", between=b"|")
        assert (tmp_path / "new").read_bytes() == expected


@pytest.mark.parametrize("before", [None, b"", b"before"])
def test_what_cannot_be_appended_whole_is_taken_back(tmp_path, monkeypatch, before):
    path = tmp_path / "a"
    if before is not None:
        path.write_bytes(before)

    def broken(file, data):
        file.write(data[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cranfield.whole_files.write_all", broken)
    with pytest.raises(Error, match=r"E120: .*/a: cannot be written: no space left on device"):
        append_whole(path, LINE)
    assert (path.read_bytes() if path.exists() else None) == before


def test_what_another_appended_is_not_taken_back(tmp_path, monkeypatch):
    path = tmp_path / "a"

    def broken(file, data):
        file.write(data[:3])
        with path.open("ab") as other:
            other.write(b"theirs")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cranfield.whole_files.write_all", broken)
    with pytest.raises(Error, match="E120"):
        append_whole(path, LINE)
    assert path.read_bytes() == LINE[:3] + b"theirs"


def test_what_is_appended_is_on_the_disk_before_it_returns(tmp_path, monkeypatch):
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    append_whole(tmp_path / "a", LINE)
    assert synced == [len(LINE)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_appended_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        append_whole(path, LINE, between=b"|")
        assert os.read(reader, 100) == LINE
    finally:
        os.close(reader)


# which file, and which number ----------------------------------------------------------------------------------


def test_a_file_called_by_a_hyphen_is_not_standard_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not same_file("./-", "-")
    assert not same_file("-", "./-")
    assert same_file("./-", "././-")


@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/1"])
def test_a_file_that_is_open_is_written_and_not_replaced(tmp_path, name):
    if not os.path.exists(name):
        pytest.skip(f"there is no {name} here")
    program = f"from cranfield.whole_files import write_whole; write_whole({name!r}, {LINE!r})"
    with (tmp_path / "out").open("wb") as file:
        before = os.fstat(file.fileno()).st_ino
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert ((tmp_path / "out").stat().st_ino, (tmp_path / "out").read_bytes()) == (before, LINE)
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the open files are not listed here")
def test_no_file_stays_open(tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        write_whole(tmp_path / "a", LINE)
        append_whole(tmp_path / "b", LINE)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_name_without_a_folder_that_cannot_be_written_is_not_said_to_lack_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("taken").mkdir()
    with pytest.raises(Error, match="taken") as refused:
        write_whole("taken", b"x")
    assert "there is no folder" not in str(refused.value)
