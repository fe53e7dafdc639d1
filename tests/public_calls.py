"""A call that succeeds for every public function and method, from which the tests of arguments start."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, get_args, is_typeddict

import numpy as np

import cranfield as cf
from cranfield.align.hits import Hits
from cranfield.judging.filling.lab_file import LabFile
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.choices import EngineChoices, StudyChoices
from docs.pages.python import made_by_callers, results
from docs.signatures import returned

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 2}, "q3": {"d1": 1, "d3": 0}}
GROUPS = {topic: ("odd" if at % 2 else "even") for at, topic in enumerate(QRELS)}
RUNS = {
    "a": {"q1": ["d1", "d2"], "q2": ["d1", "d2"], "q3": ["d1", "d3"]},
    "b": {"q1": ["d2", "d1"], "q2": ["d2"], "q3": ["d3", "d2", "d1"]},
    "c": {"q1": ["d3", "d1"], "q2": ["d2"], "q3": ["d2", "d1", "d3"]},
}
MATRIX = [[0.9, 0.8, 0.7, 0.9], [0.5, 0.6, 0.5, 0.4], [0.1, 0.2, 0.3, 0.1]]
FILES = {
    "qrels.txt": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d2 1\n",
    "a.run": "q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\nq2 Q0 d2 1 1.0 a\n",
    "topics.tsv": "q1\tcats\nq2\tdogs\n",
    "documents.jsonl": '{"id": "d1", "text": "cats"}\n{"id": "d2", "text": "dogs"}\n',
    "judgments.csv": "topic,document,assessor,grade\nq1,d1,ann,1\nq1,d1,bob,1\nq1,d2,ann,0\nq1,d2,bob,1\n",
    "pool.tsv": "q1\td1\tdepth2\t0.5\nq1\td2\tdepth2\t0.5\n",
    "intents.tsv": "q1\t1\t0.5\nq1\t2\t0.5\n",
    "times.jsonl": '{"run": "a", "topic": "q1", "latency_ms": 3.5}\n{"run": "b", "topic": "q1", "latency_ms": 4.5}\n',
    "probabilities.jsonl": '{"topic": "q1", "doc": "d1", "p": [0.5, 0.5]}\n',
}


@cache
def made() -> dict[str, Any]:
    """Objects of the public classes, and what functions need beside plain values."""
    scores = cf.evaluate(QRELS, RUNS, ["nDCG@10", "AP"])
    comparison = cf.compare(scores, adjust="tukey")
    curves = cf.curve(QRELS, RUNS, "cg")
    hits = Hits.of([[(1, 1), (2, 0)]], levels=[[1, 1]], retrieved=[2])
    caught: list[Any] = []

    @cf.measure("kept")
    def kept(ranking: cf.Ranking) -> float:
        caught.append(ranking)
        return 0.0

    cf.evaluate(QRELS, RUNS, "kept")
    cf.forget("kept")
    grouped = cf.by_group(scores, GROUPS)
    return {
        "Agreement": cf.agree(QRELS, QRELS),
        "Comparison": comparison,
        "Curves": curves,
        "Figure": cf.chart(curves),
        "GateResult": scores.check("AP >= 0"),
        "GroupedComparison": grouped.compare(),
        "GroupedScores": grouped,
        "Hits": hits,
        "Holes": cf.holes(QRELS, RUNS, ["nDCG@10", "AP"]),
        "Lab": cf.Lab.create(Path(mkdtemp()) / "lab.db", cf.pool(RUNS, depth=2)),
        "gain": hits.grade.astype(np.float64),
        "Pair": next(comparison.pairs("AP")),
        "Policy": cf.Policy(),
        "Pooled": cf.pool(RUNS, depth=2, strategy="sample", rate=0.5, qrels=QRELS),
        "Qrels": cf.Qrels.of(["q1"], ["d1"], [1]),
        "Ranking": caught[0],
        "Report": cf.report(scores, sections=["scores"]),
        "Reproduction": cf.reproduce(QRELS, {"a": RUNS["a"]}, {"b": RUNS["b"]}, "AP"),
        "Run": cf.Run.of("a", ["q1"], ["d1"], [2.5]),
        "RangedComparison": cf.with_ranges(cf.compare(QRELS, RUNS, "nDCG@10"), cf.holes(QRELS, RUNS, "nDCG@10")),
        "Runs": cf.Runs([cf.Run.of("a", ["q1"], ["d1"], [2.5])]),
        "Scores": scores,
        "StudyResult": cf.study.reduction(QRELS, RUNS, "AP", levels=[50], draws=2),
        "UserModel": cf.UserModel(C=lambda i: 0.5 + 0 * i, pad=10),
    }


USUAL: dict[str, Any] = {  # what a required parameter of that name is given
    "qrels": QRELS,
    "runs": RUNS,
    "measures": "AP",
    "measure": "AP",
    "run": "a",
    "baseline": "b",
    "name": "AP",
    "topic": ["q1"],
    "document": ["d1"],
    "grade": [1],
    "score": [2.5],
    "row": 0,
    "x": [0.5, 0.4, 0.3],
    "y": [0.4, 0.5, 0.3],
    "gains": [1.0, 0.0],
    "values": np.array([0.5]),
    "value": 0.5,
    "curve": [0.1, 0.6],
    "original": {"a": RUNS["a"]},
    "reproduced": {"b": RUNS["b"]},
    "scores": MATRIX,
    "n": 20,
    "d": 0.5,
    "difference": 0.1,
    "prevalence": 0.1,
    "systems": 5,
    "kind": "cg",
    "path": "x.csv",
    "text": "P@10",
    "topics": "q1",
}
OWN: dict[str, dict[str, Any]] = {  # what one callable is given
    "agree": {"sources": QRELS, "llm": QRELS},
    "by_group": {"groups": GROUPS},
    "build_demo": {"directory": "demo", "simulate": True},  # no report is drawn there
    "capture_recapture": {"first": 30, "second": 40, "both": 20},
    "check": {"files": "a.run"},
    "compare": {"qrels": QRELS, "runs": RUNS, "measures": "AP"},
    "convert": {"sources": "a.run", "output": "new.csv"},
    "decide": {"a": RUNS["a"], "b": RUNS["b"], "ask": lambda topic, document: 0, "draws": 20},
    "correlation_interval": {"x": MATRIX, "y": MATRIX, "samples": 20},
    "critical_difference": {"runs": ["a", "b", "c"]},
    "evaluate_collections": {"collections": {"news": (QRELS, RUNS)}},
    "forget": {"name": "kept"},
    "load_scores": {"path": "scores.json"},
    "measure": {"name": "mine"},
    "comparison_chart": {"measure": "AP"},
    "describe": {"name": "AP"},
    "topic_set_size": {"variance": 0.1},
    "pool": {"runs": RUNS, "depth": 2},
    "rank_without_judgments": {"runs": RUNS, "draws": 2},
    "read_documents": {"source": "documents.jsonl"},
    "read_intents": {"source": "intents.tsv"},
    "read_judgments": {"source": "judgments.csv"},
    "read_latencies": {"source": "times.jsonl"},
    "read_pool": {"source": "pool.tsv"},
    "read_probabilities": {"source": "probabilities.jsonl"},
    "read_qrels": {"source": "qrels.txt"},
    "from_contexts": {"samples": [{"user_input": "q1", "retrieved_context_ids": ["d1"]}]},
    "read_run": {"source": "a.run"},
    "read_runs": {"sources": "a.run"},
    "read_scores": {"source": {"q1": {"AP": 0.5}, "q2": {"AP": 0.6}}},
    "read_topics": {"source": "topics.tsv"},
    "recall_by_sample": {"found": 30, "outside": 1000, "sampled": 100, "relevant": 3},
    "simulate": {"preset": "tiny"},
    "prediction_powered": {"people": QRELS, "model": QRELS},
    "sampling_errors": {"measures": "infAP", "draws": 2},
    "simulate_scores": {"means": [0.4, 0.5]},
    "user_model": {"name": "mine"},
    "weighted": {"weights": dict.fromkeys(QRELS, 2.0)},
    "with_intervals": {"samples": 20},
    "with_replicates": {"replicates": {"a": "system"}},
    "write_table": {"path": "new.txt"},
    "Agreement.__getitem__": {"id": "cohen"},
    "CheckReport.said": {"say": str},
    "Comparison.check": {"conditions": "AP >= 0"},
    "Comparison.mean": {"measure": "AP"},
    "Comparison.of": {"measure": "AP"},
    "Comparison.pair": {"measure": "AP"},
    "Comparison.plot": {"kind": "deltas", "measure": "AP"},
    "Curves.__getitem__": {"key": "a"},
    "Curves.needed": {"rank": 1},
    "Documents.__getitem__": {"document": "d1"},
    "Documents.of": {"members": []},
    "Figure.rendered": {"ending": ".svg"},
    "Figure.save": {"path": "x.svg"},
    "GroupedComparison.part": {"group": "odd"},
    "GroupedScores.part": {"group": "odd"},
    "Holes.estimate": {"draws": 20},
    "Holes.verdict": {"a": "a", "b": "b"},
    "Holes.witness": {"a": "a"},
    "Intents.of": {"subtopic": ["1"], "probability": [1.0]},
    "Intents.of_topic": {"topic": "q1"},
    "Judgments.of": {"assessor": ["ann"]},
    "Lab.add": {"pairs": [("q1", "d1")]},
    "Lab.backup": {"path": "copy.db"},
    "Lab.create": {"path": "new.db", "pool": [("q1", "d1")]},
    "Lab.export": {"path": "new.txt"},
    "Lab.import_judgments": {"source": "qrels.txt", "name": "old"},
    "Lab.open": {"path": "lab.db"},
    "Lab.write_requests": {"path": "requests.jsonl"},
    "Lab": {"path": "lab.db"},
    "Latencies.of": {"run": ["a"], "milliseconds": [3.5]},
    "Measure.at_level": {"rel": 2},
    "Policy.counted": {"without_relevant": False},
    "Policy.require_no_ones": {"what": "a range"},
    "Policy.require_one_order": {"what": "a pool"},
    "Policy.require_single_values": {"what": "a study"},
    "Pool.of": {"stratum": ["1"], "probability": [0.5]},
    "Probabilities.of": {"chance": [[0.5, 0.5]]},
    "RangedComparison.check": {"conditions": "nDCG@10 >= 0"},
    "Report.write": {"path": "x.html"},
    "Pooled.write": {"path": "new.txt"},
    "Runs.__getitem__": {"name": "a"},
    "Run.of": {"name": "a"},
    "Run.renamed": {"name": "b"},
    "Scores.__getitem__": {"key": ("a", "AP")},
    "GroupedComparison.check": {"conditions": "AP >= 0 in *"},
    "GroupedScores.check": {"conditions": "AP >= 0 in *"},
    "Scores.check": {"conditions": "AP >= 0"},
    "Scores.save": {"path": "new.json"},
    "StudyResult.write": {"folder": "."},
    "Topics.__getitem__": {"topic": "q1"},
    "Topics.of": {"members": []},
    "UserModel.of": {"measure": "RBP"},
    "study.repeat": {"qrels": QRELS, "runs": RUNS},
}
OBJECTS = {  # parameters that are given one of the objects above
    "by_group": ("scores", "Scores"),
    "chart": ("curves", "Curves"),
    "comparison_chart": ("comparison", "Comparison"),
    "report": ("scores", "Scores"),
    "standardize": ("scores", "Scores"),
    "with_estimates": ("comparison", "RangedComparison"),
    "weighted": ("scores", "Scores"),
    "with_intervals": ("scores", "Scores"),
    "with_replicates": ("scores", "Scores"),
    "with_ranges": ("comparison", "RangedComparison"),
    "write_table": ("table", "Run"),
    "Qrels.same_rows": ("other", "Qrels"),
    "Run.same_rows": ("other", "Run"),
    "Scores.same_values": ("other", "Scores"),
    "study.repeat": ("settings", "StudyResult"),
}
STUDY_OPTIONS: dict[str, dict[str, Any]] = {  # quick, where the defaults take long
    "simulate": {"preset": "tiny", "draws": 2},
    "sakai2008": {"boot": 20, "groups": {"a": "g1", "b": "g2", "c": "g3"}},
    "efficiency": {"latencies": "times.jsonl"},
    "disagreement": {"kappa": [0.5]},
    "power": {"boot": 20},
    "parameters": {"boot": 20, "last": [2]},
    "swap": {"sets": 2},
}
QUICK = {"draws": 1, "boot": 10, "sets": 10, "repeats": 1, "folds": 2}


@dataclass(frozen=True)
class Call:
    """A public callable, what it is given by name, and the names of all its parameters."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]
    parameters: tuple[str, ...]
    several: str = ""  # the parameter that takes any number of values by position

    def __call__(self, **changes: Any) -> Any:
        given = {**self.arguments, **changes}
        members = [given.pop(self.several)] if self.several in given else []
        return self.function(*members, **given)

    @property
    def is_refused(self) -> bool:
        """Whether our few data do not allow it: what is wrong has to be said all the same."""
        return self.name in ("forget", "Demo.lab", "study.ahlgren2007", "study.jarvelin2002")


@cache
def objects() -> dict[str, Any]:
    """An object of each class that is public, or that a public function returns."""
    found = {name: thing for name, thing in made().items() if name not in ("Hits", "gain")}
    with chdir(mkdtemp()):
        write_files(Path())
        for name in cf.__all__:
            function = getattr(cf, name)
            kind = returned(function) if inspect.isfunction(function) else None
            if kind in results() and kind.__name__ not in found:
                found[kind.__name__] = call(name, function)()
    return found


def public_calls() -> Iterator[Call]:
    """One for each public function, method and kind of study."""
    for name in cf.__all__:
        if inspect.isfunction(function := getattr(cf, name)):
            yield call(name, function)
    for name, thing in objects().items():
        yield from methods(name, thing)
    yield call("study.repeat", cf.study.repeat)
    for kind in STUDIES.values():
        yield study_call(kind)


def methods(name: str, thing: Any) -> Iterator[Call]:
    """Those of an object, and its class where callers make it."""
    if name in made_by_callers():
        yield call(name, type(thing))
    for each in dir(type(thing)):
        member = inspect.getattr_static(type(thing), each)
        if (each.startswith("_") and each != "__getitem__") or not isinstance(
            member, staticmethod | classmethod | type(methods)
        ):
            continue
        if each in ("get", "keys", "items", "values"):  # of a Mapping
            continue
        if each in vars(LabFile):  # rows that other modules of the room make
            continue
        yield call(f"{name}.{each}", getattr(thing, each))


def call(name: str, function: Callable[..., Any]) -> Call:
    """The function with all that it needs."""
    given, names, several = dict(OWN.get(name, {})), [], ""
    if name in OBJECTS:
        parameter, wanted = OBJECTS[name]
        given[parameter] = made()[wanted]
    if name == "critical_difference":
        given["result"] = made()["Comparison"].of("AP").posthoc
    if name == "with_ranges":
        given["holes"] = made()["Holes"]
    if name == "with_estimates":
        given["estimates"] = {"nDCG@10": made()["Holes"].estimate(draws=20, measure="nDCG@10")}
    if name == "Runs":
        given["members"] = [made()["Run"]]
    if name == "UserModel":
        given["C"] = lambda i: 0.5 + 0 * i
    if name == "Curves.areas":
        function = cf.curve(QRELS, RUNS, "pr").areas
    if name == "Measure.divisor":
        given["hits"] = made()["Hits"]
    if name == "Measure.has_effect":
        given["parameter"] = cf.parse("P@10").definition.parameters["rel"]
    if name in ("UserModel.attention", "UserModel.of_hits", "UserModel.utility"):
        given |= {"hits": made()["Hits"], "gain": made()["gain"]}
    for parameter, facts in inspect.signature(function).parameters.items():
        if facts.kind is facts.VAR_KEYWORD:
            (options,) = get_args(function.__annotations__[parameter])
            assert is_typeddict(options), f"{name}: the options are not told by a type"
            names += options.__annotations__
            continue
        names.append(parameter)
        if facts.kind is facts.VAR_POSITIONAL:
            several = parameter
        if facts.default is facts.empty and parameter not in given and parameter in USUAL:
            given[parameter] = USUAL[parameter]
    return Call(name, function, given, tuple(names), several)


def study_call(kind: Any) -> Call:
    """A kind of study with few repetitions."""
    alone = kind.study.data == "measures"
    common = EngineChoices if alone else StudyChoices
    quick = {name: value for name, value in QUICK.items() if name in kind.parameters}
    data = {} if alone else {"qrels": QRELS, "runs": RUNS}
    given = {**data, **quick, **STUDY_OPTIONS.get(kind.name, {})}
    names = ("measures", *data, *kind.parameters, *(common.__annotations__ if kind.name == "stability" else ()))
    return Call(f"study.{kind.name}", kind, given, names)


def write_files(folder: Path) -> None:
    """The files that the calls read, in the folder where they are made."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    made()["Scores"].save(folder / "scores.json")
    made()["Lab"].backup(folder / "lab.db")
