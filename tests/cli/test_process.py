"""The command as a process: exit codes, closed pipes, interruption, colours, terminals."""

import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())"]
HERE = ["evaluate", "qrels.txt", "runs/bm25.run"]


def call(*arguments: str, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, check=False, **options)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (HERE, 0),
        ([*HERE, "--fail-if", "AP < 2"], 1),
        ([*HERE, "--no-such-option"], 2),
        (["evaluate", "qrels.txt", "broken.run"], 3),
        (["evaluate", "qrels.txt", "nowhere.run"], 4),
    ],
)
def test_the_exit_code_tells_how_it_ended(folder, arguments, code):
    (folder / "broken.run").write_text("one two\n")
    assert call(*arguments, cwd=folder).returncode == code


def test_the_package_is_the_command_where_its_script_is_not_found(folder):
    module = [sys.executable, "-m", "cranfield"]
    for arguments in (HERE, ["--help"], ["evaluate", "qrels.txt", "nowhere.run"]):
        done = subprocess.run([*module, *arguments], cwd=folder, capture_output=True, check=False)
        same = call(*arguments, cwd=folder)
        assert (done.returncode, done.stdout, done.stderr) == (same.returncode, same.stdout, same.stderr)


def test_a_closed_pipe_ends_silently(folder):
    topics = range(30_000)
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 d 1\n" for topic in topics))
    (folder / "runs/bm25.run").write_text("".join(f"{topic} Q0 d 1 1 bm25\n" for topic in topics))
    command = subprocess.Popen(
        [*COMMAND, *HERE, "--per-topic", "-q"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert command.stdout is not None
    assert command.stderr is not None
    assert command.stdout.readline().startswith(b" run")
    command.stdout.close()
    assert (command.stderr.read(), command.wait()) == (b"", 0)
    command.stderr.close()


def test_a_closed_pipe_does_not_hide_a_failed_gate(folder):
    topics = range(30_000)
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 d 1\n" for topic in topics))
    (folder / "runs/bm25.run").write_text("".join(f"{topic} Q0 d 1 1 bm25\n" for topic in topics))
    arguments = [*COMMAND, *HERE, "--per-topic", "-q", "--fail-if", "AP < 2"]
    command = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.close()
    assert (command.stderr.read(), command.wait()) == (b"", 1)
    command.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
def test_interruption_leaves_no_file(folder):
    """A named pipe that nobody writes to keeps the command waiting."""
    os.mkfifo(folder / "slow.run")
    command = subprocess.Popen(
        [*COMMAND, "evaluate", "qrels.txt", "slow.run", "-o", "out.csv"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    time.sleep(1.5)  # long enough to be reading; too short only makes the test weaker
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=30)
    assert (command.returncode, out) == (130, b"")
    assert err.decode().splitlines()[-1] == "interrupted"
    assert sorted(os.listdir(folder)) == ["qrels.txt", "runs", "slow.run"]


def test_a_terminal_of_little_learning_is_no_reason_to_fail(folder):
    (folder / "runs/bm25.run").write_text((folder / "runs/bm25.run").read_text().replace("bm25", "検索"))
    done = call(*HERE, cwd=folder, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0
    assert b"\\u691c\\u7d22" in done.stdout


def on_terminal(folder: Path, *arguments: str, command: Sequence[str] = COMMAND, **environment: str) -> bytes:
    """What is written when stdout and stderr are a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environ = (
        {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | environment
    )
    process = subprocess.Popen([*command, *arguments], cwd=folder, stdout=theirs, stderr=theirs, env=environ)
    os.close(theirs)
    written = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not block:
            break
        written += block
    os.close(ours)
    process.wait()
    return written


def test_the_best_value_is_bold_on_a_terminal_and_check_shows_its_colours(folder):
    both = ["evaluate", "qrels.txt", "runs/dense.run", "runs/bm25.run", "-q", "-m", "AP"]
    assert on_terminal(folder, *both).splitlines()[1].startswith(b" bm25   \x1b[1m0.7500\x1b[22m")
    assert b"\x1b[32m\x1b[1mGREEN\x1b[0m   qrels.txt" in on_terminal(folder, "check", "qrels.txt")
    assert b"\x1b" not in on_terminal(folder, *both, "--no-color")
    assert b"\x1b" not in call(*both, cwd=folder).stdout


@pytest.mark.parametrize("verb", ["evaluate", "compare", "holes"])
def test_tables_fit_the_terminal_and_files_are_not_cut(folder, verb):
    wide = [verb, "qrels.txt", "runs/dense.run", "a-name-of-many-letters-that-fills-half-a-line=runs/bm25.run", "-q"]
    printed = on_terminal(folder, *wide, "--no-color", COLUMNS="60").decode()
    assert max(map(len, printed.splitlines())) <= 60
    assert b"a-name-of-many-letters-that-fills-half-a-line" in call(*wide, cwd=folder).stdout


def test_colour_is_for_terminals_that_want_it(folder):
    gate = [*HERE, "-q", "--fail-if", "AP < 2"]
    assert b"\x1b[" in on_terminal(folder, *gate)
    assert b"\x1b[" not in on_terminal(folder, *gate, "--no-color")
    assert b"\x1b[" not in on_terminal(folder, *gate, NO_COLOR="1")
    assert b"\x1b[" not in on_terminal(folder, *gate, TERM="dumb")
    assert b"\x1b[" not in call(*gate, cwd=folder).stdout


def test_parquet_is_not_thrown_at_a_terminal(folder):
    assert b"parquet is not for a terminal" in on_terminal(folder, *HERE, "--format", "parquet")


def test_a_progress_bar_vanishes(folder):
    program = (
        "import time; import cranfield.cli.printing.progress as p; p.PATIENCE = 0.0\n"
        "from cranfield.cli.printing.console import Console\n"
        "with p.progress(Console(), 'reading') as step:\n"
        "    for number in range(3): step('{odd} [name]', number, 3); time.sleep(0.15)\n"
        "print('done')"
    )
    written = on_terminal(folder, command=[sys.executable, "-c", program])
    assert b"reading" in written
    assert b"{odd} [name]" in written
    assert b"\x1b[2K" in written.split(b"reading")[-1]  # the line is cleared


def test_progress_names_the_run_and_its_rate_on_a_narrow_terminal(folder):
    program = (
        "import time; import cranfield.cli.printing.progress as p; p.PATIENCE = 0.0\n"
        "from cranfield.cli.printing.console import Console\n"
        "with p.progress(Console(), 'evaluating') as step:\n"
        "    for number in range(4): step('a-run-with-a-rather-long-name', number, 4); time.sleep(0.15)\n"
    )
    written = on_terminal(folder, command=[sys.executable, "-c", program], COLUMNS="60").decode()
    last = written.split("evaluating")[-1]
    assert "a-run-with-a…r-long-name" in last
    assert "3/4" in last
    assert "/s" in last or "s each" in last


def test_no_progress_is_drawn_into_a_pipe(folder):
    assert call(*HERE, "-m", "AP", cwd=folder).stderr == b""


INTERRUPTED = """
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

for name in ("contextlib", "typing", "types", "functools"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Interrupted())
from {module} import {function} as main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "imported",
    ["cranfield", "typing", "contextlib", "cranfield.cli", "cranfield.standard_streams", "cranfield.cli.run"],
)
def test_an_interruption_in_the_first_moments_leaves_no_traceback(imported):
    """The interruption comes while the command imports a module, its own or Python's."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, function = project["project"]["scripts"]["cranfield"].partition(":")
    program = INTERRUPTED.format(module=module, function=function)
    done = subprocess.run([sys.executable, "-c", program, imported], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")
