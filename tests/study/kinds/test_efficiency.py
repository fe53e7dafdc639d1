"""Efficiency: the quantiles of SPEC 18.1, resampled medians by a loop, fronts, files, and what they lack."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import study
from cranfield.errors import InputError, PolicyError
from cranfield.study.kinds.efficiency.costs import Timings, front, read_facts, throughput
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def latencies(runs=("r0", "r1", "r2", "r3", "r4")):
    """r0 takes 10, 20, 30, 40, 100, 100 ms, every other run a tenth more than the one before."""
    times = (10, 20, 30, 40, 100, 100)
    return [
        {"run": run, "topic": f"q{n}", "latency_ms": ms * (1 + at / 10)}
        for at, run in enumerate(runs)
        for n, ms in enumerate(times)
    ]


def test_the_quantiles_of_the_specification():
    """SPEC 18.1: 10, 20, 30, 40, 100 have mean 40, median 30, p90 76."""
    found = Timings(np.array([10.0, 20, 30, 40, 100]), np.arange(5)).summary()
    assert (found["mean"], found["median"], found["max"]) == (40, 30, 100)
    assert found["p90"] == pytest.approx(76)
    assert found["p95"] == pytest.approx(88)
    assert found["p99"] == pytest.approx(97.6)


@given(st.integers(0, 10_000))
def test_a_resampled_median_is_that_of_the_repeated_values(seed):
    chance = np.random.default_rng(seed)
    values, topic = np.sort(chance.integers(1, 50, size=9) / 2), chance.integers(0, 4, size=9)
    counts = chance.multinomial(4, [0.25] * 4, size=20).astype(float)
    expected = [np.median(np.repeat(values, row[topic].astype(int))) if row[topic].any() else np.nan for row in counts]
    assert Timings(values, topic).medians(counts) == pytest.approx(np.array(expected), nan_ok=True)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_a_run_is_on_the_front_if_none_dominates_it(points):
    effect, cost = np.array(points, dtype=float).T
    expected = [not any(e2 >= e and c2 <= c and (e2 > e or c2 < c) for e2, c2 in points) for e, c in points]
    assert front(effect, cost).tolist() == expected


def test_runs_without_a_latency_are_on_no_front():
    assert front(np.array([0.9, 0.1]), np.array([np.nan, 1.0])).tolist() == [False, True]


def test_throughput_needs_measurements():
    assert np.isnan(throughput(Timings(np.empty(0), np.empty(0, dtype=int)), {"wall_seconds": 3.0}))


def test_a_whole_study(tmp_path):
    facts = [{"run": "r0", "index_bytes": 200, "collection_bytes": 1000, "peak_bytes": 500, "index_seconds": 9}]
    path = written(tmp_path / "times.jsonl", [*latencies(), *facts])
    qrels, runs = small()
    made = study.efficiency(qrels, runs, ["AP", "P@5"], latencies=path, boot=200, folder=tmp_path / "out")
    rows = made.to_dict()["result"]["rows"]
    assert [(row["run"], row["measure"]) for row in rows][:3] == [("r0", "AP"), ("r0", "P@5"), ("r1", "AP")]
    first = rows[0]
    assert (first["latency_mean"], first["latency_median"], first["latency_max"]) == (50, 35, 100)
    assert first["latency_median_low"] <= 35 <= first["latency_median_high"]
    assert first["queries_per_second"] == pytest.approx(6 / 0.3)
    assert (first["overhead"], first["peak_overhead"], first["index_seconds"]) == (0.2, 0.5, 9)
    assert rows[2]["overhead"] is None
    best = {name: max(rows, key=lambda row: row["mean"] if row["measure"] == name else -1) for name in ("AP", "P@5")}
    assert all(row["front"] == 1 for row in best.values())
    assert all(row["front"] == 1 for row in rows if row["run"] == "r0"), "nothing is as fast"
    pairs = made.table("pairs")
    assert pairs["difference"].to_list()[0] == pytest.approx(35 - 38.5)
    assert pairs["difference_high"].to_list()[0] < 0, "on the same topics r1 is slower in every resample"
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"front.png", "front-P@5.svg", "pairs.csv", "efficiency.csv", "study.json"} <= names
    recorded = json.loads((tmp_path / "out" / "study.json").read_text())["inputs"][-1]
    assert (recorded["role"], len(recorded["sha256"])) == ("latencies", 64)


def test_csv_files(tmp_path):
    times, index = tmp_path / "times.csv", tmp_path / "index.csv"
    times.write_text(
        "run,topic,latency_ms\n" + "".join(f"{r['run']},{r['topic']},{r['latency_ms']}\n" for r in latencies())
    )
    index.write_text("run,index_bytes,collection_bytes,concurrency\nr0,300,1000,2\nr1,,1000,\n")
    made = study.efficiency(*small(), "AP", latencies=str(times), index=str(index), boot=20)
    first, second = made.to_dict()["result"]["rows"][:2]
    assert (first["overhead"], second["overhead"]) == (0.3, None)
    assert first["queries_per_second"] == pytest.approx(2 * 6 / 0.3)
    assert any("2 at a time" in note for note in made.findings.notes)


def test_warm_up_and_runs_that_are_missing(tmp_path):
    path = written(tmp_path / "times.jsonl", latencies(("r0", "other")))
    made = study.efficiency(*small(), "AP", latencies=path, warm_up=2, boot=20)
    row, lone = made.to_dict()["result"]["rows"][:2]
    assert (row["measurements"], row["latency_median"], lone["latency_median"]) == (4, 70, None)
    notes = " ".join(made.findings.notes)
    assert "The first 2 measurements of each run are left out." in notes
    assert "Without latencies: r1, r2, r3, r4." in notes
    assert "Latencies of runs that are not here: other." in notes


def test_several_measurements_of_a_topic_are_drawn_together(tmp_path):
    """Two topics, many measurements each: a resample of topics has three outcomes."""
    rows = [{"run": "r0", "topic": f"q{n % 2}", "latency_ms": 10 + 80 * (n % 2)} for n in range(40)]
    made = study.efficiency(*small(), "AP", latencies=written(tmp_path / "t.jsonl", rows), boot=100)
    first = made.to_dict()["result"]["rows"][0]
    assert (first["latency_median_low"], first["latency_median_high"]) == (10, 90)


def test_what_cannot_be_done_is_refused(tmp_path):
    with pytest.raises(PolicyError, match="latencies are missing"):
        study.efficiency(*small(), "AP")
    path = written(tmp_path / "times.jsonl", latencies(("other",)))
    with pytest.raises(InputError, match="no run here is named in it"):
        study.efficiency(*small(), "AP", latencies=path)
    with pytest.raises(InputError, match="E101"):
        study.efficiency(*small(), "AP", latencies=str(tmp_path / "nowhere.jsonl"))


@pytest.mark.parametrize(("text", "code"), [("name,x\na,1\n", "E303"), ("run,x\na,much\n", "E119")])
def test_facts_that_cannot_be_read(tmp_path, text, code):
    path = tmp_path / "index.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=code) as refused:
        read_facts(path)
    assert refused.value.line == 2


def test_the_chart_has_a_mark_for_each_run_and_steps_along_the_front(tmp_path):
    slower = {f"r{at}": 5 - at for at in range(5)}  # r0 is the best run, and now the slowest
    rows = [{"run": run, "topic": f"q{n}", "latency_ms": 10 * by} for run, by in slower.items() for n in range(6)]
    made = study.efficiency(*small(), "AP", latencies=written(tmp_path / "t.jsonl", rows), boot=20)
    chart = made.plot().chart.to_dict()
    layers = {layer.get("name"): layer for layer in chart["layer"]}
    marks, lines = (chart["datasets"][layers[name]["data"]["name"]] for name in ("points0", "lines0"))
    assert sorted(row["label"] for row in marks) == ["r0", "r1", "r2", "r3", "r4"]
    assert layers["points0"]["mark"]["type"] == "point"
    corners = [(row["x"], row["y"]) for row in lines if row["label"] == "front"]
    assert corners[-1] == next((row["x"], row["y"]) for row in marks if row["label"] == "r0")
    assert all(now[0] == then[0] or now[1] == then[1] for now, then in pairwise(corners))


def test_a_front_of_one_run_is_its_mark(tmp_path):
    rows = [{"run": f"r{at}", "topic": f"q{n}", "latency_ms": 10 * (at + 1)} for at in range(5) for n in range(6)]
    made = study.efficiency(*small(), "AP", latencies=written(tmp_path / "t.jsonl", rows), boot=20)
    assert made.findings.drawings["front"].curves[0].label == "r0"
