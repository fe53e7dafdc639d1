"""Results are written whole, or the exit code says that they are not: full disks, closed and slow streams."""

import os
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="streams are closed and filled differently on Windows")
resource = pytest.importorskip("resource")

COMMAND = [sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())"]
TOPICS = range(10_000)
LONG = ["evaluate", "qrels.txt", "long.run", "-m", "AP", "--per-topic", "--format", "csv", "-q"]
SHORT = ["evaluate", "qrels.txt", "long.run", "-m", "AP", "-q"]
TREC = ["trec_eval", "-q", "qrels.txt", "long.run"]
VERBS = pytest.mark.parametrize("arguments", [LONG, SHORT, TREC, ["--help"], ["--version"], ["measures", "AP"]])
BUFFERING = pytest.mark.parametrize("unbuffered", ["", "1"])
FULL = "/dev/full"


@pytest.fixture
def long(folder):
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 d 1\n" for topic in TOPICS))
    (folder / "long.run").write_text("".join(f"{topic} Q0 d 1 1 long\n" for topic in TOPICS))
    return folder


def environment(unbuffered: str = "") -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": unbuffered}


def shell(folder, arguments, redirection, unbuffered=""):
    """The command with streams as the shell connects or closes them."""
    line = " ".join(f"'{word}'" for word in [*COMMAND, *arguments]) + f" {redirection}"
    words = ["/bin/sh", "-c", line]
    return subprocess.run(words, cwd=folder, capture_output=True, env=environment(unbuffered), check=False)


def expected(folder, arguments) -> bytes:
    return subprocess.run([*COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, check=True).stdout


@BUFFERING
@VERBS
@pytest.mark.skipif(not os.path.exists(FULL), reason="there is no device that is always full")
def test_a_full_device_is_said(long, arguments, unbuffered):
    done = shell(long, arguments, f">{FULL}", unbuffered)
    assert done.returncode == 4
    assert done.stderr.decode().splitlines()[0] == (
        "cranfield: error E120: <stdout>: cannot be written: no space left on device"
    )
    assert len(done.stderr.splitlines()) == 1


@BUFFERING
@pytest.mark.parametrize("arguments", [LONG, TREC])
def test_a_disk_that_fills_up_half_way_is_said(long, arguments, unbuffered):
    """The first write is short, and only the next one fails."""
    whole = expected(long, arguments)
    limit = len(whole) // 3

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with (long / "out").open("wb") as file:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=long,
            stdout=file,
            stderr=subprocess.PIPE,
            env=environment(unbuffered) | {"PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=limited,
            check=False,
        )
    assert done.returncode == 4
    assert done.stderr == b"cranfield: error E120: <stdout>: cannot be written: file too large\n"
    assert (long / "out").read_bytes() == whole[:limit]


def test_a_file_that_is_too_large_for_the_disk_is_not_left_behind(long):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = subprocess.run(
        [*COMMAND, *LONG, "-o", "out.csv"],
        cwd=long,
        capture_output=True,
        env=environment() | {"PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limited,
        check=False,
    )
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"E120: out.csv: cannot be written: file too large" in done.stderr
    assert sorted(os.listdir(long)) == ["long.run", "qrels.txt", "runs"]


@BUFFERING
@VERBS
def test_a_closed_standard_output_is_said(long, arguments, unbuffered):
    done = shell(long, arguments, ">&-", unbuffered)
    assert done.returncode == 4
    assert done.stderr == b"cranfield: error E120: <stdout>: cannot be written: it is closed\n"


def test_a_result_in_a_file_needs_no_standard_output(long):
    done = shell(long, [*LONG, "-o", "out.csv"], ">&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (long / "out.csv").read_bytes() == expected(long, LONG)


@BUFFERING
@pytest.mark.parametrize("redirection", ["2>&-", f"2>{FULL}"])
def test_notes_that_cannot_be_said_change_nothing(long, redirection, unbuffered):
    (long / "few.run").write_text("0 Q0 d 1 1 few\n")
    arguments = ["evaluate", "qrels.txt", "few.run", "-m", "AP", "-v"]
    done = shell(long, arguments, redirection, unbuffered)
    assert (done.returncode, done.stdout) == (0, expected(long, arguments))
    wrong = shell(long, ["evaluate", "qrels.txt", "nowhere.run"], redirection, unbuffered)
    assert (wrong.returncode, wrong.stdout) == (4, b"")
    assert shell(long, [*SHORT, "--fail-if", "AP < 2"], redirection, unbuffered).returncode == 1


def test_all_three_streams_may_be_closed(long):
    assert shell(long, [*LONG, "-o", "out.csv", "-v"], "<&- >&- 2>&-").returncode == 0
    assert (long / "out.csv").read_bytes() == expected(long, LONG)
    assert shell(long, LONG, "<&- >&- 2>&-").returncode == 4


def test_a_closed_standard_input_is_said_where_it_is_needed(long):
    done = shell(long, LONG, "<&-")
    assert (done.returncode, done.stdout) == (0, expected(long, LONG))
    done = shell(long, ["evaluate", "-", "long.run"], "<&-")
    assert (done.returncode, done.stdout) == (4, b"")
    assert done.stderr == b"cranfield: error E120: there is no standard input\n"


@BUFFERING
@pytest.mark.parametrize("arguments", [LONG, TREC])
def test_a_pipe_that_does_not_wait_gets_everything(long, arguments, unbuffered):
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    command = subprocess.Popen(
        [*COMMAND, *arguments], cwd=long, stdout=theirs, stderr=subprocess.PIPE, env=environment(unbuffered)
    )
    os.close(theirs)
    assert command.stderr is not None
    time.sleep(1.5)  # long enough for the pipe to be full; too short only makes the test weaker
    with open(ours, "rb") as file:
        found = file.read()
    assert (command.stderr.read(), command.wait()) == (b"", 0)
    command.stderr.close()
    assert found == expected(long, arguments)


@BUFFERING
@pytest.mark.parametrize("arguments", [LONG, TREC])
def test_a_reader_who_goes_away_is_no_error(long, arguments, unbuffered):
    """CLI-4."""
    command = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=long,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(unbuffered),
    )
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.readline()
    command.stdout.close()
    assert (command.stderr.read(), command.wait()) == (b"", 0)
    command.stderr.close()


@pytest.mark.skipif(not os.path.exists(FULL), reason="there is no device that is always full")
def test_a_failure_that_something_else_caught_is_said_by_the_exit_code(long):
    """What is written after the first failure is discarded, so the result would be missing without a word."""
    (long / "own.py").write_text("try:\n    print('loaded', flush=True)\nexcept OSError:\n    pass\n")
    assert shell(long, [*SHORT, "--load", "own.py"], f">{FULL}").returncode == 4


def test_a_failed_gate_on_a_full_disk_is_no_failed_gate(long):
    assert shell(long, [*SHORT, "--fail-if", "AP < 2"], f">{FULL}").returncode == 4
