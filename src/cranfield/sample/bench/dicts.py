"""From dictionaries to values: call every package in turn on the same dictionaries.

It runs as a separate process, so that nothing else is in its memory. Its argument is a JSON request; it prints costs
and problems as JSON.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from cranfield.sample.bench.agreement import COMPUTED, Values, difference
from cranfield.sample.bench.contenders import MEASURES, OURS, RANX
from cranfield.sample.bench.lists import blocks, judgments, tag
from cranfield.sample.bench.shapes import SHAPES, Shape

JudgedDict = dict[str, dict[str, int]]
Listed = dict[str, dict[str, float]]
DROP_IN = "cranfield.compat.pytrec_eval"


@dataclass(frozen=True)
class Caller:
    """A timed call, and how its result is read (not timed)."""

    name: str
    call: Callable[[JudgedDict, dict[str, Listed]], Any]  # whatever the package returns
    values: Callable[[Any], Values]


def dictionaries(shape: Shape, seed: int) -> tuple[JudgedDict, dict[str, Listed]]:
    """The contents of the files: grades by topic and document, and for each run scores by topic and document."""
    topics, documents, grades = judgments(shape, seed)
    judged: JudgedDict = {
        str(topic): dict(zip(map(str, row), values, strict=True))
        for topic, row, values in zip(topics.tolist(), documents.tolist(), grades.tolist(), strict=True)
    }
    runs: dict[str, Listed] = {}
    for number in range(shape.runs):
        listed = runs.setdefault(tag(number), {})
        for block in blocks(shape, number, seed):
            for topic, row, scores in zip(block.topics.tolist(), block.documents, block.scores, strict=True):
                listed[str(topic)] = dict(zip(map(str, row.tolist()), scores.tolist(), strict=True))
    return judged, runs


def callers(peers: Sequence[str]) -> list[Caller]:
    """Ours first: the others are compared with it."""
    known = {
        "pytrec_eval": Caller("pytrec_eval", _evaluator("pytrec_eval"), _by_topic),
        "ir_measures": Caller("ir_measures", _ir_measures, _records),
        "ranx": Caller("ranx", _ranx, _ranx_values),
    }
    ours = [Caller(OURS, _ours, _scores), Caller(DROP_IN, _evaluator(DROP_IN), _by_topic)]
    return [*ours, *(caller for name, caller in known.items() if name in peers)]


def compete(
    everybody: Sequence[Caller], judged: JudgedDict, runs: dict[str, Listed], repeats: int
) -> tuple[dict[str, list[tuple[float, float]]], dict[str, str]]:
    """CPU and wall time of each call, and the problems of packages that failed or differ from the first."""
    costs: dict[str, list[tuple[float, float]]] = {caller.name: [] for caller in everybody}
    problems: dict[str, str] = {}
    expected: Values | None = None
    for repeat in range(repeats):
        for caller in everybody:
            if caller.name in problems:
                continue
            wall, cpu = time.perf_counter(), time.process_time()
            try:
                result = caller.call(judged, runs)
            except Exception as error:  # a peer may raise anything
                problems[caller.name] = f"{type(error).__name__}: {error}"
                continue
            costs[caller.name].append((time.process_time() - cpu, time.perf_counter() - wall))
            if repeat == 0:
                values = caller.values(result)
                expected = values if expected is None else expected
                if problem := difference(expected, values, MEASURES.values(), COMPUTED):
                    problems[caller.name] = problem
            del result
    return costs, problems


def _ours(judged: JudgedDict, runs: dict[str, Listed]) -> Any:
    from cranfield.measures.evaluate import evaluate

    return evaluate(judged, runs, list(MEASURES.values()))


def _scores(result: Any) -> Values:
    return {
        (measure, topic, number): value
        for number, run in enumerate(result.values)
        for topic, row in zip(result.topics, run.tolist(), strict=True)
        for measure, value in zip(result.measures, row, strict=True)
    }


def _evaluator(module: str) -> Callable[[JudgedDict, dict[str, Listed]], Any]:
    """The class that pytrec_eval and our drop-in both have; the drop-in is imported by name, because of the layers."""

    def call(judged: JudgedDict, runs: dict[str, Listed]) -> Any:
        evaluator = import_module(module).RelevanceEvaluator(judged, set(MEASURES))
        return [evaluator.evaluate(run) for run in runs.values()]

    return call


def _by_topic(result: Any) -> Values:
    return {
        (MEASURES[name], topic, number): value
        for number, scores in enumerate(result)
        for topic, values in scores.items()
        for name, value in values.items()
    }


def _ir_measures(judged: JudgedDict, runs: dict[str, Listed]) -> Any:
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES.values()]
    return [list(ir_measures.iter_calc(measures, judged, run)) for run in runs.values()]


def _records(result: Any) -> Values:
    return {
        (str(metric.measure), metric.query_id, number): metric.value
        for number, metrics in enumerate(result)
        for metric in metrics
    }


def _ranx(judged: JudgedDict, runs: dict[str, Listed]) -> Any:
    ranx = import_module("ranx")
    qrels, tables = ranx.Qrels(judged), [ranx.Run(run) for run in runs.values()]
    for table in tables:
        ranx.evaluate(qrels, table, list(RANX))
    return [table.scores for table in tables]


def _ranx_values(result: Any) -> Values:
    names = dict(zip(RANX, MEASURES.values(), strict=True))
    return {
        (names[name], topic, number): value
        for number, scores in enumerate(result)
        for name, values in scores.items()
        for topic, value in values.items()
    }


def main(asked: dict[str, Any]) -> dict[str, Any]:  # JSON both ways
    """Call every package once on little data, so that imports are not timed; then time them."""
    warnings.simplefilter("ignore")
    everybody = callers(asked["peers"])
    compete(everybody, *dictionaries(SHAPES["XS"], asked["seed"]), repeats=1)
    costs, problems = compete(everybody, *dictionaries(SHAPES[asked["size"]], asked["seed"]), repeats=asked["repeats"])
    return {"costs": costs, "problems": problems}


if __name__ == "__main__":
    json.dump(main(json.loads(sys.argv[1])), sys.stdout)
