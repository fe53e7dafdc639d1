"""Many runs in one call: the same numbers whatever the jobs, errors in the order of the inputs, memory that stays."""

import gzip
import json
import os
import subprocess
import sys
import warnings
import weakref
from contextlib import suppress
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures.definition import MEASURES as MEASURES_KNOWN
from cranfield.measures.scoring import EvaluationPlan
from cranfield.read.sources.runs import RunFile

MEASURES = ["nDCG@10", "AP", "RBP(p=0.8)", "infAP", "bpref", "P@5", "num_ret"]
QRELS = {f"q{t}": {f"d{d}": (t * d) % 4 - 1 for d in range(9)} for t in range(6)}


def lines(name: str, topics, seed: int = 0) -> str:
    order = np.random.default_rng(seed)
    rows = [(topic, document) for topic in topics for document in order.permutation(12)]
    return "".join(f"q{t} Q0 d{d} 0 {order.integers(4)} {name}\n" for t, d in rows)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(7):
        (tmp_path / f"{number}.run").write_text(lines(f"run{number}", range(number % 3, 7 - number % 2), number))
    return [f"{number}.run" for number in range(7)]


def same(one: cf.Scores, other: cf.Scores) -> bool:
    """The same to the last bit, the audit included."""
    arrays = ("values", "scored", "judged", "retrieved", "relevant")
    return (
        all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in arrays)
        and one.to_json() == other.to_json()
        and {k: v.tobytes() for k, v in one.residuals.items()} == {k: v.tobytes() for k, v in other.residuals.items()}
    )


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("topic_set", ["qrels", "intersection", "union"])
def test_the_number_of_jobs_changes_nothing(runs, topic_set):
    alone = cf.evaluate(QRELS, cf.read_runs(*runs), MEASURES, topic_set=topic_set)
    for jobs in (None, 1, 2, 4):
        assert same(alone, cf.evaluate(QRELS, runs, MEASURES, topic_set=topic_set, jobs=jobs))


def every_measure() -> list[str]:
    """One of each definition that needs nothing but grades."""
    found = []
    for name, definition in MEASURES_KNOWN.items():
        for form in (name, f"{name}@10", f"{name}(recall=0.5)"):
            if not definition.needs_subtopics and not definition.needs_sample and name not in ("TBG", "UMeasure"):
                with suppress(cf.MeasureError):
                    found.append(str(cf.parse(form)))
                    break
    return found


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
def test_a_run_is_scored_as_it_is_scored_alone(runs, unjudged):
    names = every_measure()
    together = cf.evaluate(QRELS, runs, names, jobs=2, unjudged=unjudged)
    assert len(names) > 60
    for number, path in enumerate(runs):
        alone = cf.evaluate(QRELS, path, names, unjudged=unjudged)
        assert alone.values.tobytes() == together.values[number].tobytes()
        assert alone.judged.tobytes() == together.judged[number].tobytes()


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize(("measures", "calls"), [(["AP", "nDCG@10"], [4]), (["AP", "TBG"], [1, 1, 1, 1])])
def test_packed_files_are_scored_together_unless_their_lists_are_needed(runs, tmp_path, monkeypatch, measures, calls):
    for path in runs[:4]:
        (tmp_path / f"{path}.gz").write_bytes(gzip.compress((tmp_path / path).read_bytes()))
    lengths = dict.fromkeys((f"d{d}" for d in range(12)), 100.0) if "TBG" in measures else None
    expected = cf.evaluate(QRELS, runs[:4], measures, lengths=lengths)
    scored: list[int] = []
    score = EvaluationPlan.score

    def counted(plan, joined):
        scored.append(len(joined))
        return score(plan, joined)

    monkeypatch.setattr(EvaluationPlan, "score", counted)
    found = cf.evaluate(QRELS, [f"{path}.gz" for path in runs[:4]], measures, jobs=1, lengths=lengths)
    assert found.values.tobytes() == expected.values.tobytes()
    assert scored[: len(calls)] == calls


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_a_packed_file_without_judged_topics_is_named_before_a_damaged_one_behind_it(runs, tmp_path):
    (tmp_path / "other.run.gz").write_bytes(gzip.compress(b"x1 Q0 d1 1 1.0 other\n"))
    (tmp_path / "damaged.run.gz").write_bytes(gzip.compress(b"q1 Q0 d1 1 1.0 x\n")[:-4])
    with pytest.raises(cf.InputError, match=r"E114: other\.run\.gz"):
        cf.evaluate(QRELS, [runs[0], "other.run.gz", "damaged.run.gz"], "AP")
    with pytest.raises(cf.InputError, match=r"E301: damaged\.run\.gz"):
        cf.evaluate(QRELS, [runs[0], "damaged.run.gz", "other.run.gz"], "AP")


def test_a_measure_that_counts_can_leave_topics_out():
    scores = cf.evaluate({"q0": {"d0": 1}, "q1": {"d0": 1}}, {"q0": {"d0": 1.0}}, "num_ret", topic_set="intersection")
    assert scores["run", "NumRet"][0] == 1
    assert np.isnan(scores["run", "NumRet"][1])


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@given(cuts=st.sets(st.integers(1, 6)), jobs=st.integers(1, 3), seed=st.integers(0, 99))
def test_partitions_score_what_the_whole_run_scores(tmp_path_factory, cuts, jobs, seed):
    folder = tmp_path_factory.mktemp("run")
    bounds = [0, *sorted(cuts), 8]
    texts = [lines("whole", range(*bound), seed) for bound in pairwise(bounds)]
    (folder / "parts").mkdir()
    for number, text in enumerate(texts):
        (folder / f"parts/part-{number}.run").write_text(text)
    (folder / "whole.run").write_text("".join(texts))
    for topic_set in ("qrels", "union"):
        whole = cf.evaluate(QRELS, folder / "whole.run", MEASURES, topic_set=topic_set)
        parts = cf.evaluate(QRELS, folder / "parts", MEASURES, topic_set=topic_set, jobs=jobs)
        assert parts.values.tobytes() == whole.values.tobytes()
        assert parts.audit.as_dict() == whole.audit.as_dict()
        assert parts.audit.inputs[1]["rows"] == whole.audit.inputs[1]["rows"]
    tables = cf.evaluate(QRELS, cf.read_runs(folder / "parts"), MEASURES)  # put together before it is scored
    assert same(tables, cf.evaluate(QRELS, folder / "parts", MEASURES, jobs=jobs))


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_a_parquet_dataset_by_run_is_several_runs(runs, tmp_path):
    tables = cf.read_runs(*runs)
    for name, run in tables.items():
        (tmp_path / f"log/run={name}").mkdir(parents=True)
        rows = {"topic": [run.topics[t] for t in run.topic], "doc": list(run.document), "score": run.score}
        pl.DataFrame(rows).write_parquet(tmp_path / f"log/run={name}/0.parquet")
    scores = cf.evaluate(QRELS, "log", MEASURES, jobs=2)
    assert scores.runs == tuple(tables)
    assert scores.values.tobytes() == cf.evaluate(QRELS, tables, MEASURES).values.tobytes()
    assert {entry["name"] for entry in scores.audit.inputs[1:]} == {"log"}


def test_partitions_without_judged_topics_are_fine_and_a_run_of_them_is_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dense").mkdir()
    (tmp_path / "dense/part-0.run").write_text("x1 Q0 d1 1 1.0 dense\n")
    (tmp_path / "dense/part-1.run").write_text("x2 Q0 d1 1 1.0 dense\n")
    with pytest.raises(cf.InputError, match="E114: dense: none of its 2 topics occurs in the qrels"):
        cf.evaluate(QRELS, "dense", "AP")
    (tmp_path / "dense/part-2.run").write_text("q2 Q0 d1 1 1.0 dense\n")
    with pytest.warns(cf.DataWarning, match="W102: dense: 2 topics without judgments"):
        cf.evaluate({"q2": {"d1": 1}}, "dense", "AP")


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_the_first_error_is_that_of_the_first_input(runs, tmp_path, jobs):
    (tmp_path / "3.run").write_text("q1 Q0 d1 1 1.0 x\nq1 Q0 d1 2 0.5 x\n")
    (tmp_path / "5.run").write_text("q1 Q0 d1 1 abc x\n")
    with pytest.raises(cf.InputError, match=r"E108: 3\.run:2"):
        cf.evaluate(QRELS, runs, jobs=jobs)
    with pytest.raises(cf.InputError, match=r"E106: 5\.run:1"):
        cf.evaluate(QRELS, [*runs[:3], *runs[4:], "nowhere.run"], jobs=jobs)
    with pytest.raises(cf.PolicyError, match=r"E206: two runs are called 'run1': 1\.run, 1\.run"):
        cf.evaluate(QRELS, [*runs[:3], "1.run"], jobs=jobs)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("together", [1, 1 << 30])
def test_an_error_of_a_measure_comes_behind_those_of_the_files_before_it(runs, tmp_path, monkeypatch, together):
    monkeypatch.setattr("cranfield.measures.evaluate.TOGETHER", together)
    with pytest.raises(cf.MeasureError, match="E216: UMeasure needs the length"):
        cf.evaluate(QRELS, runs, "UMeasure")
    (tmp_path / "0.run").write_text("q1 Q0 d1 1 abc x\n")
    with pytest.raises(cf.InputError, match=r"E106: 0\.run:1"):
        cf.evaluate(QRELS, runs, "UMeasure")


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_names_given_by_hand_are_those_of_files_that_are_not_open_yet(runs):
    names = cf.evaluate(QRELS, {"a": runs[0], "b": cf.read_run(runs[3]), "c": {"q1": ["d1"]}}, jobs=2).runs
    assert names == ("a", "b", "c")
    with pytest.raises(cf.InputError, match="'a' stands for 7 runs: run0, run1"):
        cf.evaluate(QRELS, {"a": "*.run"})


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_progress_is_told_in_order_by_the_calling_thread(runs):
    told = []
    cf.evaluate(QRELS, runs, progress=lambda *step: told.append(step), jobs=3)
    assert told == [(path, number, len(runs)) for number, path in enumerate(runs)]


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_more_runs_are_open_than_there_are_jobs(runs, monkeypatch, jobs):
    opened: list[weakref.ref] = []
    alive: list[int] = []
    read = RunFile.open

    def watched(self: RunFile) -> tuple[cf.Run, ...]:
        found = read(self)
        opened.extend(weakref.ref(run) for run in found)
        alive.append(sum(run() is not None for run in opened))
        return found

    monkeypatch.setattr(RunFile, "open", watched)
    cf.evaluate(QRELS, runs, "AP", ties="given", jobs=jobs)  # by rank: whole files are opened
    assert len(alive) == len(runs)
    assert max(alive) <= jobs
    assert not any(run() for run in opened)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_a_pipe_is_read_once_even_where_topics_are_needed_first(runs, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(tmp_path / "pipe.run")
    writer = subprocess.Popen(["cp", "0.run", "pipe.run"], cwd=tmp_path)
    scores = cf.evaluate(QRELS, ["pipe.run", "1.run"], "AP", topic_set="union")
    assert writer.wait() == 0
    assert scores.values.tobytes() == cf.evaluate(QRELS, runs[:2], "AP", topic_set="union").values.tobytes()


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_measure_of_ones_own_may_look_at_the_lists_and_warns_in_the_order_of_the_runs(runs, jobs):
    @cf.measure("Loud")
    def loud(ranking: cf.Ranking) -> float:
        """Says which document is first."""
        warnings.warn(f"first is {ranking.ids[0]}", UserWarning, stacklevel=1)
        return 0.0

    first = [next(iter(cf.read_run(path).document)) for path in runs[:3]]
    texts = [f"q1 Q0 {document} 0 1 {path}\n" for path, document in zip(runs, first, strict=False)]
    for path, text in zip(runs, texts, strict=False):
        with open(path, "w") as file:
            file.write(text)
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", UserWarning)
            cf.evaluate({"q1": {"d1": 1}}, runs[:3], "Loud", jobs=jobs)
    finally:
        cf.forget("Loud")
    assert [str(note.message) for note in said if note.category is UserWarning] == [f"first is {d}" for d in first]


PEAK = """
import json, resource, sys, warnings
warnings.simplefilter("ignore")
import cranfield as cf
paths, jobs = json.loads(sys.argv[1])
cf.evaluate({f"q{t}": {"d1": 1, "d2": 0} for t in range(40)}, {path: path for path in paths}, jobs=jobs)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is counted in other units elsewhere")
def test_memory_does_not_grow_with_the_number_of_runs(tmp_path):
    text = "".join(f"q{t} Q0 d{d} {d} {2000 - d} x\n" for t in range(40) for d in range(2000))
    paths = [str(tmp_path / f"{number}.run") for number in range(24)]
    for path in paths:
        with open(path, "w") as file:
            file.write(text)

    def peak(count: int, jobs: int) -> int:
        command = [sys.executable, "-c", PEAK, json.dumps([paths[:count], jobs])]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    few, many, two = peak(2, 1), peak(24, 1), peak(24, 2)
    size = len(text) // 1024  # kilobytes, as the peak is counted
    assert many < few + size
    assert two < few + 8 * size  # a second run in memory, and not 22 more
