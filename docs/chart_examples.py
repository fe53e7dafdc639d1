"""A small collection, made by rule, and every chart drawn from it for the reference."""

import re
import warnings
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path
from random import Random

import cranfield as cf
from cranfield.reporting.figure import Figure
from cranfield.tables.charts import CHARTS

FOLDER = Path(__file__).parent / "pictures" / "charts"
RUNS = {"bm25": 0.9, "dense": 1.2, "hybrid": 1.5, "title": 0.5, "letters": 0.3}  # name -> how much it sees of relevance
TOPICS = [f"t{number}" for number in range(1, 13)]
POOLED = ("bm25", "title", "letters")  # the runs whose first documents were judged
PREFIX, ENDING = "pictures/charts", ".svg"


@cache
def collection() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, list[str]]], dict[str, dict[str, int]]]:
    """Judgments of a pool, runs, and the judgments of a second assessor."""
    chance = Random(16)
    truth = {topic: {f"d{n}": max(0, chance.randrange(-5, 3)) for n in range(40)} for topic in TOPICS}
    runs = {
        run: {
            topic: sorted(grades, key=lambda document: -seen * grades[document] - chance.gauss(0, 1))[:20]
            for topic, grades in truth.items()
        }
        for run, seen in RUNS.items()
    }
    first: dict[str, dict[str, int]] = {}
    second: dict[str, dict[str, int]] = {}
    for topic in TOPICS:
        pool = sorted({document for run in POOLED for document in runs[run][topic][:8]})
        first[topic] = {document: truth[topic][document] for document in pool}
        second[topic] = {
            document: min(2, max(0, grade + chance.choice((-1, 0, 0, 0, 1))))
            for document, grade in first[topic].items()
        }
    return first, runs, second


def figures() -> dict[str, Figure]:
    """Every chart by name."""
    qrels, runs, second = collection()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        scores, holes = cf.evaluate(qrels, runs, "nDCG@10"), cf.holes(qrels, runs, "nDCG@10")
        ranged = cf.with_ranges(cf.compare(scores), holes)
        agreement = cf.agree({"ann": qrels, "bob": second}, runs=runs, measures="nDCG@10", samples=200)
        groups = {"short": TOPICS[::2], "long": TOPICS[1::2]}
        study = cf.study.reduction(qrels, runs, ["AP", "bpref"], levels=[100, 75, 50, 25], draws=10, seed=7)
        of_result: dict[str, Callable[[str], Figure]] = {
            "scores": lambda name: scores.plot(name, width=12),
            "curves": lambda name: cf.curve(qrels, runs, "ndcg@20", band="bounds").plot(width="two"),
            "comparison": lambda name: ranged.plot(name, width=12),
            "groups": lambda name: cf.by_group(scores, groups).plot(),
            "holes": lambda name: holes.plot(name, width=12),
            "agreement": agreement.plot,
            "prior": lambda name: holes.estimate(draws=100, seed=0).prior.plot(),
            "study": lambda name: study.plot(),
            "pool": cf.pool(runs, depth=10, qrels=qrels).plot,
        }
        other: dict[str, Callable[[str], Figure]] = {  # of another comparison
            "critical-difference": cf.compare(qrels, runs, "nDCG@10", adjust="nemenyi").plot,
            "significance": cf.compare(qrels, runs, ["nDCG@10", "P@5"]).plot,
        }
        return {name: (other.get(name) or of_result[chart.result])(name) for name, chart in CHARTS.items()}


def described(name: str) -> str:
    """The description in the picture of a chart; none if there is no picture."""
    path = FOLDER / f"{name}{ENDING}"
    found = re.search(r"<desc>(.*?)</desc>", path.read_text(encoding="utf-8"), re.DOTALL) if path.exists() else None
    return unescape(found[1]) if found else ""


def write() -> None:
    """Write the picture of every chart."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, figure in figures().items():
        figure.save(FOLDER / f"{name}{ENDING}")
