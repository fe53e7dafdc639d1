"""Small collections for tests of the report."""

import warnings
from typing import Any

import cranfield as cf


def made(runs: int = 3, topics: int = 8, **choices: Any) -> cf.Report:
    """A report on a simulated collection with holes."""
    world = cf.simulate("tiny", seed=3, topics=topics, systems=runs, families=runs, novel=1, depth=4, length=20)
    return reported(world.qrels, world.runs, **choices)


def reported(qrels: Any, runs: Any, *, baseline: str | None = None, measures: Any = ("nDCG@10", "AP"), **choices: Any):
    """A report with all that scores, comparison and holes can give."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        scores = cf.evaluate(qrels, runs, measures)
        holes = cf.holes(qrels, runs, scores.measures, baseline=baseline or ())
        return cf.report(scores, cf.compare(scores, baseline=baseline), holes, **choices)
