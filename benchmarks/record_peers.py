"""Run other programs on a small collection and write what they print: `scripts/peers`.

The collection and the names are those of `tests/golden/peers.py`. A program that is not installed keeps its numbers of
before. `--check` writes nothing and fails if a program prints something else today.
"""

import argparse
import contextlib
import io
import json
import math
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.golden.peers import NAMES, QRELS, RECORD, RUN, SUBTOPICS, needs_subtopics

PACKAGES = {
    "ranx": "ranx",
    "pytrec_eval": "pytrec_eval-terrier",
    "ir_measures": "ir_measures",
    "BEIR": "beir",
    "scikit-learn": "scikit-learn",
}


def ranx(names: list[str]) -> dict[str, float | None]:
    """Every name, one by one."""
    from ranx import Qrels, Run, evaluate

    return {name: float(evaluate(Qrels(QRELS), Run(RUN), name)) for name in names}


def pytrec_eval(names: list[str]) -> dict[str, float | None]:
    """The summary over the topics, which the package computes from the values of each."""
    import pytrec_eval

    found = pytrec_eval.RelevanceEvaluator(QRELS, set(pytrec_eval.supported_measures)).evaluate(RUN)
    return {
        name: float(pytrec_eval.compute_aggregated_measure(name, [found[topic][name] for topic in QRELS]))
        if isinstance(found["q1"].get(name), float)
        else None
        for name in names
    }


def ir_measures(names: list[str]) -> dict[str, float | None]:
    """What its own providers compute; None where none of them does."""
    import ir_measures

    others = [each for each in ir_measures.DefaultPipeline.providers if each.NAME != "cranfield"]
    fallback: Any = ir_measures.providers.FallbackProvider  # a class without types
    pipeline = fallback(others)
    # gdeval takes topics by number
    run = {topic[1:]: listed for topic, listed in RUN.items()}
    plain = {topic[1:]: judged for topic, judged in QRELS.items()}
    diverse = [ir_measures.Qrel(topic[1:], document, grade, part) for topic, part, document, grade in SUBTOPICS]
    values: dict[str, float | None] = {}
    for name in names:
        values[name] = None
        with contextlib.suppress(Exception):  # no provider, or one that is not installed
            measure = ir_measures.parse_measure(name)
            qrels: Any = diverse if needs_subtopics(name) else plain
            values[name] = float(pipeline.calc_aggregate([measure], qrels, run)[measure])
    return values


def beir(names: list[str]) -> dict[str, float | None]:
    """Its evaluator, which rounds to five digits."""
    from beir.retrieval.evaluation import EvaluateRetrieval

    copied = {topic: dict(row) for topic, row in RUN.items()}
    found: dict[str, float] = {}
    for part in EvaluateRetrieval.evaluate(QRELS, copied, [3]):
        found |= part
    for custom in ("mrr", "recall_cap", "hole", "top_k_accuracy"):
        found |= EvaluateRetrieval.evaluate_custom(QRELS, copied, [3], custom)
    return {name: found.get(name) for name in names}


def scikit_learn(names: list[str]) -> dict[str, float | None]:
    """The mean over the topics; the documents of a topic are those that were judged or retrieved."""
    from sklearn import metrics

    values: dict[str, float | None] = {}
    for name in names:
        function: Any = getattr(metrics, name)
        totals = []
        for topic, judged in QRELS.items():
            documents = list(dict.fromkeys([*judged, *RUN[topic]]))
            grades = [judged.get(document, 0) for document in documents]
            scores = [RUN[topic].get(document, -1.0) for document in documents]
            binary = [int(grade > 0) for grade in grades]
            plain = name in ("ndcg_score", "dcg_score")
            single = name in ("average_precision_score", "roc_auc_score")
            totals.append(function(binary, scores) if single else function([grades if plain else binary], [scores]))
        values[name] = float(sum(totals) / len(totals))
    return values


RUNNERS: dict[str, Callable[[list[str]], dict[str, float | None]]] = {
    "ranx": ranx,
    "pytrec_eval": pytrec_eval,
    "ir_measures": ir_measures,
    "BEIR": beir,
    "scikit-learn": scikit_learn,
}


def main() -> int:
    """Record, or check, all programs that are installed."""
    parser = argparse.ArgumentParser(description="run other programs, and keep what they print")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a number differs")
    check = parser.parse_args().check
    known = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    different = []
    for program, run in RUNNERS.items():
        try:
            installed = version(PACKAGES[program])
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                values = run(list(NAMES[program]))
        except (PackageNotFoundError, ImportError) as problem:
            print(f"{program}: not run ({problem})")
            continue
        before = known.get(program, {}).get("values", {})
        changed = [name for name, value in values.items() if name in before and not same(value, before[name])]
        different += [f"{program} {name}: {before[name]} -> {values[name]}" for name in changed]
        print(f"{program} {installed}: {len(values)} names, {len(changed)} changed")
        known[program] = {"version": installed, "values": values}
    for line in different:
        print(line)
    if not check:
        RECORD.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 1 if check and different else 0


def same(here: float | None, there: float | None) -> bool:
    """Whether two values are equal, or both missing."""
    if here is None or there is None:
        return here is there
    return math.isclose(here, there, abs_tol=1e-9) or (math.isnan(here) and math.isnan(there))


if __name__ == "__main__":
    sys.exit(main())
