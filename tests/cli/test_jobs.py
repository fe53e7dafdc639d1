"""`--jobs` and `--cluster`: who does the work never shows in the result."""

import os
import signal
import subprocess
import sys
import time

import pytest

from cranfield.cli import main

HERE = ("evaluate", "qrels.txt", "runs/bm25.run", "runs/dense.run")
COMMAND = [sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())"]


@pytest.mark.parametrize("form", [("--json",), ("--per-topic", "--format", "csv"), ("--format", "parquet"), ("-v",)])
def test_the_same_bytes_whatever_the_jobs(cli, form):
    """CLI-8, CLI-9."""
    results = [cli(*HERE, *form, *jobs) for jobs in ((), ("--jobs", "1"), ("--jobs", "2"), ("--jobs", "4"))]
    assert len({result.raw for result in results}) == 1
    notes = [[line for line in result.err.splitlines() if " s " not in line] for result in results]
    assert all(lines == notes[0] for lines in notes)


def test_v_tells_of_every_file_in_order(cli):
    loud = cli(*HERE, "-v", "--jobs", "2").err.splitlines()
    assert loud[0] == "cranfield: qrels.txt: qrels-trec, 4 rows"
    assert [line for line in loud if line.startswith("cranfield: runs/")] == [
        "cranfield: runs/bm25.run: run-trec, 4 rows",
        "cranfield: runs/dense.run: run-trec, 2 rows",
    ]


def test_a_directory_of_partitions_is_a_run(cli, folder):
    (folder / "both").mkdir()
    rows = (folder / "runs/bm25.run").read_text().splitlines(keepends=True)
    (folder / "both/part-0.run").write_text("".join(rows[:2]))
    (folder / "both/part-1.run").write_text("".join(rows[2:]))
    table = ("-m", "AP", "--format", "csv")
    assert cli("evaluate", "qrels.txt", "both", *table).out == cli("evaluate", "qrels.txt", "runs/bm25.run", *table).out
    assert cli("evaluate", "qrels.txt", "x=both", *table).out.splitlines()[1].startswith("x,")


@pytest.mark.parametrize("wrong", ["0", "-2", "many"])
def test_a_number_of_jobs_is_a_whole_number_from_one(cli, wrong):
    assert cli(*HERE, "--jobs", wrong).code == 2


def test_a_cluster_needs_the_extra(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = cli(*HERE, "--cluster", "tcp://127.0.0.1:8786")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "cranfield: error E212: --cluster needs dask.distributed, which is not installed: "
        "pip install 'cranfield[cluster]'\n"
    )


def test_jobs_and_cluster_exclude_each_other(cli):
    assert "--jobs and --cluster exclude each other" in cli(*HERE, "--jobs", "2", "--cluster", "tcp://127.0.0.1:1").err


def test_curves_are_drawn_here(cli):
    assert "--curve and --cluster exclude each other" in cli(*HERE, "--curve", "pr", "--cluster", "x").err


def test_evaluating_files_loads_nothing_heavy(folder):
    program = (
        "import sys; from cranfield.cli import main; main(sys.argv[1:]);"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    command = [sys.executable, "-c", program, *HERE, "--jobs", "2"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"polars", "scipy", "altair", "starlette", "narwhals", "rich", "distributed", "dask", "asyncio"}


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently on Windows")
def test_interruption_ends_threads_that_are_still_at_work(folder):
    """CLI-14: two named pipes that nobody writes to keep two threads waiting."""
    for name in ("slow1.run", "slow2.run"):
        os.mkfifo(folder / name)
    command = subprocess.Popen(
        [*COMMAND, *HERE[:3], "slow1.run", "slow2.run", "--jobs", "3", "-o", "out.csv"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(1.5)  # long enough to be reading; too short only makes the test weaker
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=30)
    assert (command.returncode, out) == (130, b"")
    assert err.decode().splitlines()[-1] == "interrupted"
    assert not (folder / "out.csv").exists()


def test_an_error_is_the_same_whatever_the_jobs(cli, folder):
    (folder / "a.run").write_text("301 Q0 d1 1 x a\n")
    (folder / "b.run").write_text("301 Q0 d1\n")
    results = [cli("evaluate", "qrels.txt", *HERE[2:], "a.run", "b.run", "--jobs", jobs) for jobs in ("1", "4")]
    assert results[0] == results[1]
    assert results[0].err.startswith("cranfield: error E106: a.run:1: score 'x' is not a number\n")
    assert main([*HERE, "-q"]) == 0
