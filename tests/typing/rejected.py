"""Calls that mypy and pyright must reject: `scripts/check` fails where one of them accepts a line.

Each wrong line silences both, and an ignore that silences nothing is an error. Nothing here is run.
"""

# pyright: strict

import cranfield as cf

QRELS = {"q1": {"d1": 1, "d2": 0}}
RUN = {"q1": {"d1": 2.5, "d2": 1.0}}


def names() -> None:
    """A name that is not there."""
    cf.evalute(QRELS, RUN)  # type: ignore[attr-defined]  # pyright: ignore
    cf.study.reducton(QRELS, RUN)  # type: ignore[attr-defined]  # pyright: ignore
    cf.evaluate(QRELS, RUN).mena()  # type: ignore[attr-defined]  # pyright: ignore


def inputs() -> None:
    """Neither judgments, nor runs, nor measures."""
    cf.evaluate(1, RUN)  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(None, RUN)  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, None)  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, 3.5)  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate({"q1": {"d1": "relevant"}}, RUN)  # type: ignore[dict-item]  # pyright: ignore
    cf.evaluate(QRELS, RUN, 10)  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, RUN, ["AP", 10])  # type: ignore[list-item]  # pyright: ignore
    cf.evaluate(QRELS)  # type: ignore[call-arg]  # pyright: ignore
    cf.read_qrels(5)  # type: ignore[arg-type]  # pyright: ignore
    cf.pool(5)  # type: ignore[arg-type]  # pyright: ignore
    cf.agree(1, 2)  # type: ignore[arg-type]  # pyright: ignore


def policies() -> None:
    """A policy, or a value of one, that does not exist."""
    cf.Policy(ties="trce")  # type: ignore[arg-type]  # pyright: ignore
    cf.Policy(rel="1")  # type: ignore[arg-type]  # pyright: ignore
    cf.Policy().with_(tie="trec")  # type: ignore[call-arg]  # pyright: ignore
    cf.evaluate(QRELS, RUN, ties="trce")  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, RUN, tie="trec")  # type: ignore[call-arg]  # pyright: ignore
    cf.evaluate(QRELS, RUN, topic_set="all")  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, RUN, rel=None)  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, RUN, average="mean")  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, RUN, collapse="sum")  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate(QRELS, RUN, grades="real")  # type: ignore[arg-type]  # pyright: ignore
    cf.curve(QRELS, RUN, "ndcg", dcg="log10")  # type: ignore[arg-type]  # pyright: ignore
    cf.curve(QRELS, RUN, "ndcg", cutof=10)  # type: ignore[call-arg]  # pyright: ignore
    cf.pool(RUN, duplicates="any")  # type: ignore[arg-type]  # pyright: ignore


def options() -> None:
    """An option that a function does not take."""
    cf.compare(QRELS, RUN, tst="t")  # type: ignore[call-arg]  # pyright: ignore
    cf.compare(QRELS, RUN, family="everything")  # type: ignore[arg-type]  # pyright: ignore
    cf.compare(QRELS, RUN, ties="trce")  # type: ignore[arg-type]  # pyright: ignore
    cf.check("run.txt", grade="int")  # type: ignore[call-arg]  # pyright: ignore
    cf.convert("run.txt")  # type: ignore[call-arg]  # pyright: ignore
    cf.convert("run.txt", output="run.csv", name_by="path")  # type: ignore[arg-type]  # pyright: ignore
    cf.read_run("run.txt", encodng="utf-8")  # type: ignore[call-arg]  # pyright: ignore
    cf.simulate("tiny", topic=3)  # type: ignore[call-arg]  # pyright: ignore


def charts(curves: cf.Curves, comparison: cf.Comparison) -> None:
    """A choice that a chart or a coefficient does not take."""
    curves.plot(wide=12)  # type: ignore[call-arg]  # pyright: ignore
    curves.plot(width="three")  # type: ignore[arg-type]  # pyright: ignore
    comparison.plot("deltas", highlight=["a"])  # type: ignore[call-arg]  # pyright: ignore
    comparison.plot("deltas", run=1)  # type: ignore[arg-type]  # pyright: ignore
    cf.study.power().plot(log=True)  # type: ignore[call-arg]  # pyright: ignore
    curves.plot().safe("curves.png")  # type: ignore[attr-defined]  # pyright: ignore
    cf.correlate([1, 2], [2, 1], "rbo", q=0.9)  # type: ignore[call-arg]  # pyright: ignore
    cf.correlate([1, 2], [2, 1], "tau-ap", ties="random")  # type: ignore[arg-type]  # pyright: ignore
    cf.correlation_interval([[1, 2]], [[2, 1]], "rbo", p="x")  # type: ignore[arg-type]  # pyright: ignore


def studies() -> None:
    """An option of another kind of study, or a value that it does not take."""
    cf.study.reduction(QRELS, RUN, "AP", level=[50])  # type: ignore[call-arg]  # pyright: ignore
    cf.study.reduction(QRELS, RUN, "AP", stratify="topic")  # type: ignore[arg-type]  # pyright: ignore
    cf.study.reduction(QRELS, RUN, "AP", ties="trce")  # type: ignore[arg-type]  # pyright: ignore
    cf.study.topheavy("AP", keep="x")  # type: ignore[call-arg]  # pyright: ignore
    cf.study.repeat("study", seed=3)  # type: ignore[call-arg]  # pyright: ignore


def groups(scores: cf.Scores) -> None:
    """Groups of topics, collections, replicates and weights."""
    cf.by_group(scores, {"head": ["q1"]}, ci="normal")  # type: ignore[arg-type]  # pyright: ignore
    cf.by_group(QRELS, {"head": ["q1"]})  # type: ignore[arg-type]  # pyright: ignore
    cf.by_group(scores, ["q1"])  # type: ignore[arg-type]  # pyright: ignore
    cf.evaluate_collections({"news": QRELS})  # type: ignore[dict-item]  # pyright: ignore
    cf.evaluate_collections({"news": (QRELS, RUN)}, ties="trce")  # type: ignore[arg-type]  # pyright: ignore
    cf.with_replicates(scores, ["dense-*"])  # type: ignore[arg-type]  # pyright: ignore
    cf.weighted(scores, {"q1": "often"})  # type: ignore[dict-item]  # pyright: ignore
    cf.with_intervals(scores, "normal")  # type: ignore[arg-type]  # pyright: ignore


def missing(scores: cf.Scores, holes: cf.Holes) -> None:
    """What missing judgments could change, and what decides it."""
    cf.holes(QRELS, RUN, pairs="some")  # type: ignore[arg-type]  # pyright: ignore
    cf.holes(QRELS, RUN, universes="runs")  # type: ignore[call-arg]  # pyright: ignore
    holes.next("20")  # type: ignore[arg-type]  # pyright: ignore
    holes.verdict("a")  # type: ignore[call-arg]  # pyright: ignore
    cf.decide(QRELS, RUN, RUN)  # type: ignore[call-arg]  # pyright: ignore
    cf.decide(QRELS, RUN, RUN, ask=input)  # type: ignore[arg-type]  # pyright: ignore
    cf.decide(QRELS, RUN, RUN, ask=lambda topic, doc: 1, stop="sure")  # type: ignore[arg-type]  # pyright: ignore
    cf.with_ranges(scores, holes)  # type: ignore[arg-type]  # pyright: ignore
    cf.prediction_powered(QRELS, QRELS, RUN, by="runs")  # type: ignore[arg-type]  # pyright: ignore
    cf.sampling_errors(QRELS, RUN)  # type: ignore[call-arg]  # pyright: ignore


def pages_and_labs(scores: cf.Scores, lab: cf.Lab) -> None:
    """A report of something else, and a lab with words that it does not know."""
    cf.report(QRELS, RUN)  # type: ignore[arg-type]  # pyright: ignore
    cf.report(scores, section=["scores"])  # type: ignore[call-arg]  # pyright: ignore
    cf.report(scores, topics="topics.tsv")  # type: ignore[arg-type]  # pyright: ignore
    cf.report(scores).write(None)  # type: ignore[arg-type]  # pyright: ignore
    cf.Lab.create("lab.db", [("q1", "d1")], order="alphabetical")  # type: ignore[arg-type]  # pyright: ignore
    cf.Lab.create("lab.db", [("q1", "d1")], assessor=2)  # type: ignore[call-arg]  # pyright: ignore
    lab.import_judgments("qrels.txt", "ann", "person")  # type: ignore[arg-type]  # pyright: ignore
    lab.export("qrels.txt", rules="majority")  # type: ignore[call-arg]  # pyright: ignore
    cf.reproduce(QRELS, RUN, RUN, baselines=RUN)  # type: ignore[arg-type]  # pyright: ignore
    cf.read_scores("scores.csv", lower_better="time")  # type: ignore[call-arg]  # pyright: ignore
