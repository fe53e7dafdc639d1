"""Calls that mypy and pyright must accept, with the types that come out. Nothing here is run."""

# pyright: strict

from pathlib import Path
from typing import assert_type

import numpy as np
import polars as pl

import cranfield as cf
from cranfield.study.engine.result import StudyResult

QRELS = {"q1": {"d1": 1, "d2": 0}}
RUN = {"q1": {"d1": 2.5, "d2": 1.0}}


def inputs() -> None:
    """Every kind of judgments, runs and measures."""
    assert_type(cf.evaluate(QRELS, RUN), cf.Scores)
    cf.evaluate("qrels.txt", ["a.run", Path("b.run")], "AP nDCG@10")
    cf.evaluate(Path("qrels.txt"), "runs/*.run", ["AP", cf.parse("nDCG@10")])
    cf.evaluate({"q1": {"d1", "d2"}, "q2": ["d7"]}, {"bm25": RUN, "dense": "dense.run"})
    cf.evaluate({1: {"d1": np.int64(1)}}, {1: {"d1": np.float32(2.5)}})
    cf.evaluate(pl.DataFrame(), {"bm25": pl.DataFrame(), "dense": pl.LazyFrame()})
    cf.evaluate(cf.read_qrels("qrels.txt"), cf.read_runs("a.run", "b.run"))
    cf.evaluate(cf.read_judgments("judgments.jsonl"), cf.read_run("a.run"))


def passed_on(qrels: cf.QrelsLike, runs: cf.RunsLike, measures: cf.MeasuresLike) -> cf.Scores:
    """A function of one's own with the public types."""
    return cf.evaluate(qrels, runs, measures)


def policies() -> None:
    """Policies and options by name."""
    cf.evaluate(QRELS, RUN, ties="trec9", topic_set="intersection", rel=2, depth=None, policy=cf.Policy(depth=5))
    assert_type(cf.Policy().with_(ties="file"), cf.Policy)
    assert_type(cf.compare(QRELS, {"a": RUN, "b": RUN}, baseline="a", ties="given", average="macro"), cf.Comparison)
    cf.compare(cf.evaluate(QRELS, RUN), family="all", interval="bca")
    cf.curve(QRELS, RUN, "ndcg", dcg="jk", b=10, gains={1: 1, 2: 10}, rel=[1, 2], ties="file")
    cf.pool(RUN, depth=10, strategy="rrf", rel=2, groups={"r1": "g"})
    cf.check("a.run", qrels=["qrels.txt"], encoding="latin-1")
    cf.convert("a.run", output="a.csv", name_by="file", format="run-trec")
    cf.agree({"ann": QRELS, "bob": QRELS}, runs=RUN)
    cf.simulate("tiny", topics=3, noise=0.5)


def charts(curves: cf.Curves, comparison: cf.Comparison) -> None:
    """What a chart or a coefficient takes by name."""
    curves.plot(width=12, title="Gain", highlight=["a"], log=True)
    comparison.plot("deltas", run="a", baseline="b", measure="AP", width="two", title="")
    assert_type(cf.study.power().plot("significance", width=8.5), cf.Figure)
    cf.evaluate(QRELS, RUN).plot().save("scores.png", ppi=150)
    assert_type(cf.correlate([1, 2], [2, 1], "rbo", p=0.8), float)
    assert_type(cf.correlation_interval([[1, 2]], [[2, 1]], "tau-ap", ties="error"), cf.Correlation)


def studies() -> None:
    """Each kind with its own options and those of all."""
    assert_type(cf.study.reduction(QRELS, RUN, "AP", levels=[50], stratify="grade", draws=3, seed=7), StudyResult)
    cf.study.reduction(QRELS, RUN, levels="ag07", ties="trec9", keep="one-per-group", jobs=1)
    cf.study.leave_out("qrels.txt", "runs/*.run", condensed=True)
    cf.study.topheavy("AP", ranks=10)
    cf.study.power(difference=0.05, sd=0.2)
    assert_type(cf.study.swap.question, str)
    cf.study.repeat("study", jobs=2, folder=Path("again"))
