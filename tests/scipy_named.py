"""Run as a script: make each result in a process of its own, and print those that use SciPy and do not name it."""

import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import cranfield as cf

TOPICS = [f"q{n}" for n in range(12)]
QRELS = {topic: {"a": 1, "b": n % 2, "c": 0} for n, topic in enumerate(TOPICS)}
PEOPLE = {topic: {"a": int(topic != "q4"), "b": 0} for topic in TOPICS[:6]}
RUNS = {"new": {topic: ["a", "b", "d"] for topic in TOPICS}, "old": {topic: ["b", "e", "a"] for topic in TOPICS}}
GROUPS = {topic: "even" if n % 2 else "odd" for n, topic in enumerate(TOPICS)}
GRADES = {"a": 1, "b": 0, "c": 0, "d": 1, "e": 0}


def ask(topic: str, document: str) -> int:
    """The grade that an assessor gives."""
    return GRADES[document]


def scores() -> Any:
    """Scores of both runs."""
    return cf.evaluate(QRELS, RUNS, ["AP", "nDCG@10"])


CALLS: dict[str, Callable[[], Any]] = {
    "agree": lambda: cf.agree(QRELS, PEOPLE, samples=10),
    "bounds": lambda: cf.evaluate(QRELS, RUNS, "AP", unjudged="bounds"),
    "by_group": lambda: cf.by_group(scores(), GROUPS),
    "by_group intervals": lambda: cf.by_group(scores(), GROUPS, ci="t"),
    "compare": lambda: cf.compare(scores()),
    "compare groups": lambda: cf.by_group(scores(), GROUPS).compare(),
    "curve": lambda: cf.curve(QRELS, RUNS, "cg"),
    "decide": lambda: cf.decide(QRELS, {"new": RUNS["new"]}, {"old": RUNS["old"]}, "nDCG@10", ask=ask, draws=20),
    "estimate": lambda: cf.evaluate(QRELS, RUNS, "nDCG@10", unjudged="estimate"),
    "evaluate": scores,
    "holes": lambda: cf.holes(QRELS, RUNS, "nDCG@10"),
    "intervals": lambda: cf.with_intervals(scores()),
    "pool": lambda: cf.pool(RUNS, depth=2, qrels=QRELS),
    "prediction_powered": lambda: cf.prediction_powered(PEOPLE, QRELS, RUNS, "P@2"),
    "reproduce": lambda: cf.reproduce(QRELS, {"new": RUNS["new"]}, {"old": RUNS["old"]}, "AP"),
    "sampling_errors": lambda: cf.sampling_errors(QRELS, RUNS, "infAP", draws=2),
    "standardize": lambda: cf.standardize(scores(), "phi"),
    "study": lambda: cf.study.reduction(QRELS, RUNS, "AP", levels=[50], draws=2),
}


def hides_scipy(call: Callable[[], Any]) -> bool:
    """Whether a call uses SciPy, in a child process, and its result does not name it."""
    child = os.fork()
    if child == 0:
        versions = call().audit.versions
        os._exit(int("scipy" in sys.modules and "scipy" not in versions))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(" ".join(name for name, call in CALLS.items() if hides_scipy(call)))
