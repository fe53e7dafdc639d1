"""A real scheduler with real worker processes: the same numbers as here, also where a worker is killed midway."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import distributed
import numpy as np
import pytest

import cranfield as cf
from cranfield.cli import main
from cranfield.workers.cluster import Cluster

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="processes are killed differently on Windows"),
    pytest.mark.filterwarnings("ignore"),
]

QRELS = "".join(
    f"{topic} 0 d{document} {(topic * document) % 3 - 1}\n" for topic in range(40) for document in range(20)
)
MEASURES = ["nDCG@10", "AP", "infAP", "RBP"]


class Machines:
    """A scheduler, and workers that can be killed."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self.file, self.environment = folder, folder / "scheduler.json", environment
        place = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self.file)]
        self.scheduler = self._start("distributed.cli.dask_scheduler", "--port", "0", *place)
        self.workers: list[subprocess.Popen] = []
        deadline = time.monotonic() + 240
        while not (written := self.file.read_text() if self.file.exists() else "").endswith("}"):
            assert self.scheduler.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self.address = json.loads(written)["address"]

    def _start(self, module: str, *arguments: str) -> subprocess.Popen:
        command = [sys.executable, "-m", module, *arguments]
        log = (self.folder / f"{time.monotonic_ns()}.log").open("w")
        around = {**os.environ, **self.environment}
        return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, env=around)  # not our directory

    def hire(self) -> None:
        """One more worker."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        self.workers.append(self._start("distributed.cli.dask_worker", "--scheduler-file", str(self.file), *options))

    def kill(self) -> None:
        """End the oldest worker without a word."""
        worker = self.workers.pop(0)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()

    def ready(self, count: int) -> None:
        """Wait until exactly so many workers are known."""
        with distributed.Client(self.address, set_as_default=False) as client:
            deadline = time.monotonic() + 240
            while len(client.scheduler_info(n_workers=-1)["workers"]) != count:
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory) -> Iterator[Machines]:
    found = Machines(tmp_path_factory.mktemp("cluster"))
    try:
        yield found
    finally:
        found.close()


@pytest.fixture
def two(machines) -> Machines:
    """A cluster of two workers."""
    while len(machines.workers) < 2:
        machines.hire()
    machines.ready(len(machines.workers))
    return machines


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Two runs, one of them in partitions by topic, with scores that tie and topics that nobody judged."""
    monkeypatch.chdir(tmp_path)
    chance = np.random.default_rng(7)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "dense").mkdir()
    texts = {
        topic: "".join(f"{topic} Q0 d{d} 0 {chance.integers(9)} dense\n" for d in chance.permutation(30))
        for topic in range(3, 43)
    }
    for topic, text in texts.items():
        (tmp_path / f"dense/part-{topic:02d}.run").write_text(text)
    (tmp_path / "bm25.run").write_text("".join(texts.values()).replace("dense", "bm25"))
    return tmp_path


def same(one: cf.Scores, other: cf.Scores) -> bool:
    arrays = ("values", "scored", "judged", "retrieved", "relevant")
    equal = all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in arrays)
    return equal and one.audit == other.audit and one.to_json() == other.to_json()


def test_the_cluster_scores_what_is_scored_here(two, folder):
    for topic_set in ("qrels", "union"):
        here = cf.evaluate("qrels.txt", ["bm25.run", "dense"], MEASURES, topic_set=topic_set)
        there = cf.evaluate("qrels.txt", ["bm25.run", "dense"], MEASURES, topic_set=topic_set, cluster=two.address)
        assert same(here, there)


def test_tables_and_a_client_of_ones_own_will_do(two, folder):
    run = {"3": {"d1": 2.0, "d2": 1.0}}
    here = cf.evaluate("qrels.txt", run, MEASURES)
    with distributed.Client(two.address, set_as_default=False) as client:
        assert same(here, cf.evaluate("qrels.txt", run, MEASURES, cluster=client))
        assert client.status == "running"


def test_a_killed_worker_changes_nothing(two, folder):
    killed = []

    def kill_midway(label: str, number: int, total: int) -> None:
        if number == 3:
            two.kill()
            killed.append((label, total))

    here = cf.evaluate("qrels.txt", "dense", MEASURES)
    assert same(here, cf.evaluate("qrels.txt", "dense", MEASURES, cluster=two.address, progress=kill_midway))
    assert killed == [("dense/part-06.run", 40)]


def test_what_a_killed_worker_was_doing_is_done_by_another(two):
    def slow(factor: int, piece: int) -> tuple[int, int]:
        time.sleep(0.2)
        return os.getpid(), factor * piece

    doomed = two.workers[0].pid
    results = Cluster(two.address).map(slow, 2, range(8), [1] * 8)
    done = [next(results)]
    two.kill()
    done += results
    assert [number for _, number in done] == [2 * piece for piece in range(8)]
    assert doomed not in {process for process, _ in done[3:]}


def test_a_piece_that_ends_its_workers_is_given_up(tmp_path):
    def deadly(_: None, piece: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    machines = Machines(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    try:
        machines.hire()
        with pytest.raises(cf.Error, match=r"E218: .* lost its workers repeatedly"):
            list(Cluster(machines.address).map(deadly, None, [1], [1]))
    finally:
        machines.close()


def test_work_goes_on_where_every_worker_is_killed_and_another_comes(two, folder):
    def kill_all(label: str, number: int, total: int) -> None:
        if number == 3:
            while two.workers:
                two.kill()
            two.hire()

    here = cf.evaluate("qrels.txt", "dense", MEASURES)
    assert same(here, cf.evaluate("qrels.txt", "dense", MEASURES, cluster=two.address, progress=kill_all))


def test_the_first_error_is_that_of_the_first_input_and_says_what_it_says_here(two, folder):
    (folder / "dense/part-24.run").write_text("24 Q0 d1 0 abc dense\n")
    (folder / "dense/part-37.run").write_text("37 Q0 d1\n")
    errors = []
    for cluster in (None, two.address):
        with pytest.raises(cf.InputError) as caught:
            cf.evaluate("qrels.txt", "dense", MEASURES, cluster=cluster)
        errors.append(str(caught.value))
    assert errors[0].startswith("E106: dense/part-24.run:1: score 'abc'")
    assert errors[0] == errors[1]


def test_a_measure_of_ones_own_goes_along(two, folder):
    (folder / "own.py").write_text(
        "import cranfield as cf\n"
        "@cf.measure('Top', cutoff=True)\n"
        "def top(r):\n"
        "    'Share of relevant documents.'\n"
        "    return float((r.grades(default=0)[: r.k] >= 1).mean()) if len(r.ids) else 0.0\n"
    )
    command = ["evaluate", "qrels.txt", "dense", "--load", "own.py", "-m", "Top@5 P@5", "--format", "csv", "-q"]
    try:
        assert main([*command, "-o", "here.csv"]) == 0
        assert main([*command, "-o", "there.csv", "--cluster", two.address]) == 0
    finally:
        cf.forget("Top")
    assert (folder / "here.csv").read_bytes() == (folder / "there.csv").read_bytes()


def test_a_cluster_without_workers_or_without_a_scheduler_is_an_error(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("cranfield.workers.cluster.PATIENCE", 0.5)
    with pytest.raises(cf.Error, match=r"E218: the cluster at tcp://127\.0\.0\.1:1 cannot be reached"):
        cf.evaluate("qrels.txt", "dense", "AP", cluster="tcp://127.0.0.1:1")
    (tmp_path / "empty").mkdir()
    alone = Machines(tmp_path / "empty")
    try:
        with pytest.raises(cf.Error, match=r"E218: .* has no workers"):
            cf.evaluate("qrels.txt", "dense", "AP", cluster=alone.address)
    finally:
        alone.close()


def test_another_version_on_a_worker_is_an_error(two, folder, monkeypatch):
    monkeypatch.setattr(cf, "__version__", "0.0.1", raising=False)
    with pytest.raises(cf.Error, match=r"E218: .* has cranfield 0\.0\.1 here and .* on worker tcp://"):
        list(Cluster(two.address).map(pow, 2, [3], [1]))


def test_an_error_keeps_all_its_parts_on_the_way(folder):
    error = cf.InputError("E105", "x", path="a", line=3, text="t", hint="h", more=[cf.InputError("E104", "y")])
    there = pickle.loads(pickle.dumps(error))
    assert (str(there), type(there), str(there.more[0])) == (str(error), cf.InputError, "E104: y")


@pytest.mark.parametrize(
    "address", ["garbage", "tcp://", "tcp://127.0.0.1:port", "tcp://127.0.0.1:99999", "http://x:1"]
)
def test_what_is_no_address_is_refused_at_once(folder, capsys, address):
    assert main(["evaluate", "qrels.txt", "bm25.run", "--cluster", address]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"cranfield: error E242: --cluster {address} is not the address of a scheduler\n")


def test_a_scheduler_that_is_lost_is_one_line_and_the_study_resumes(folder, tmp_path):
    machines = Machines(folder / "..", DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="2s")
    machines.hire()
    try:
        machines.ready(1)
        words = ["study", "reduction", "qrels.txt", "bm25.run", "dense", "-m", "AP", "--draws", "3000", "-o", "made"]
        program = "import sys; from cranfield.cli import main; sys.exit(main(sys.argv[1:]))"
        command = subprocess.Popen(
            [sys.executable, "-c", program, *words, "--cluster", machines.address],
            stderr=subprocess.PIPE,
            env={**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"},
            text=True,
        )
        journal, deadline = folder / "made/units.jsonl", time.monotonic() + 240
        while not (journal.exists() and journal.stat().st_size > 10_000):
            assert command.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        machines.scheduler.kill()
        _, said = command.communicate(timeout=240)
    finally:
        machines.close()
    assert command.returncode == 4, said
    first, second = said.splitlines()
    assert first.startswith("cranfield: error E218: the cluster at tcp://")
    assert second == "  hint: --jobs works without a cluster"
    done = journal.stat().st_size
    assert main([*words, "--jobs", "2"]) == 0
    assert journal.stat().st_size > done
