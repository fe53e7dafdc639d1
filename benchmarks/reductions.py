"""A reduction study, side by side with a loop that rewrites qrels and calls pytrec_eval: equal numbers, then ratios.

    python benchmarks/reductions.py trec8/qrels.gz 'trec8/runs/*'            # 28 levels of AG07, runs kept as there
    python benchmarks/reductions.py qrels.txt 'runs/*' --levels 50,10 --all

The loop has its runs in memory as dictionaries; for every level it keeps the same judgments as the study, makes a new
`RelevanceEvaluator` for map and bpref, and evaluates every run. It is timed at some levels of the first draw, and its
time is scaled to all of all draws. The study joins runs with judgments, once, and computes AP, bpref and RankEff at all
levels, and the agreement of the orders. CPU seconds.
"""

import argparse
import glob
import time

import numpy as np
import pytrec_eval

from cranfield import study
from cranfield.arrays import Bools, Floats
from cranfield.read import read_qrels, read_run
from cranfield.study.data.collection import Collection
from cranfield.study.data.strata import TopicStrata
from cranfield.study.kinds.fewer_judgments.reduction import LEVELS, Reduction
from cranfield.tables.qrels import Qrels

MEASURES = ["AP", "bpref", "RankEff"]
Lists = dict[str, dict[str, dict[str, float]]]  # run, topic, document
Places = dict[str, list[tuple[str, int, int]]]  # topic; document, grade, place


def loop(places: Places, judged: Bools, runs: Lists) -> Floats:
    """Means of map and bpref of every run, for one level."""
    kept = {topic: {doc: grade for doc, grade, at in rows if judged[at]} for topic, rows in places.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(kept, {"map", "bpref"})
    means = []
    for run in runs.values():
        scores = evaluator.evaluate(run).values()
        means.append([sum(score[name] for score in scores) / len(scores) for name in ("map", "bpref")])
    return np.array(means)


def by_place(qrels: Qrels, collection: Collection) -> Places:
    """Topic -> (document, grade, place): the judgments in the order in which the collection numbers them."""
    rows: Places = {}
    named = zip((qrels.topics[t] for t in qrels.topic.tolist()), qrels.document, qrels.grade.tolist(), strict=True)
    ordered = sorted(named, key=lambda row: (collection.topics.index(row[0]), row[1].encode()))
    for (topic, document, grade), place in zip(ordered, collection.judgments.order.tolist(), strict=True):
        rows.setdefault(topic, []).append((document, grade, place))
    return rows


def main() -> None:
    """Time both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("qrels")
    parser.add_argument("runs")
    parser.add_argument("--levels", default="ag07")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--timed", type=int, default=4, help="levels at which the loop is timed")
    parser.add_argument("--all", action="store_true", help="keep all runs")
    given = parser.parse_args()
    levels = LEVELS[given.levels] if given.levels in LEVELS else tuple(map(int, given.levels.split(",")))
    paths, keep = sorted(glob.glob(given.runs)), () if given.all else ("ag07",)
    qrels = read_qrels(given.qrels)
    tables = [read_run(path) for path in paths]

    began = time.process_time()
    made = study.reduction(qrels, tables, MEASURES, levels=levels, draws=given.draws, keep=keep, jobs=1, ties="trec9")
    ours = time.process_time() - began

    collection = Collection.of(qrels, tables, MEASURES, keep=keep, jobs=1, ties="trec9")
    runs: Lists = {}
    for table in tables:
        if table.name in collection.runs:
            names = [table.topics[topic] for topic in table.topic.tolist()]
            for topic, document, score in zip(names, table.document, table.score.tolist(), strict=True):
                runs.setdefault(table.name, {}).setdefault(topic, {})[document] = score
    runs = {name: runs[name] for name in collection.runs}
    places = by_place(qrels, collection)
    masks = TopicStrata.of(collection, Reduction(levels=levels, draws=1).rules).judged(0, 0)
    chosen = np.linspace(0, len(levels) - 1, min(given.timed, len(levels))).round().astype(int)
    found = made.table("runs")
    theirs = []
    for at in chosen:
        began = time.process_time()
        means = loop(places, masks[at], runs)
        theirs.append(time.process_time() - began)
        for column, name in enumerate(["AP", "Bpref"]):
            rows = found.filter((found["draw"] == 1) & (found["level"] == levels[at]) & (found["measure"] == name))
            same = np.abs(rows["mean"].to_numpy() - means[:, column])
            print(f"{levels[at]:>4} %  {name:<6} largest difference of {len(runs)} means {same.max():.1e}")
    scaled = sum(theirs) / len(theirs) * len(levels) * given.draws
    print(f"{len(runs)} runs, {len(levels)} levels, {given.draws} draws, {len(MEASURES)} measures here and 2 there")
    print(f"cranfield    {ours:8.1f} s   joining included")
    print(f"pytrec_eval  {scaled:8.1f} s   runs in memory; timed at {len(chosen)} levels, scaled to all")
    print(f"ratio        {scaled / ours:8.1f}")


if __name__ == "__main__":
    main()
