"""Run and qrels -> the lists of the topics trec_eval would look at, and where it would stop."""

from dataclasses import dataclass, replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex, pair_key
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.arrays import Bools, Ints
from cranfield.compat.trec_eval.arguments import Options
from cranfield.compat.trec_eval.quit import Quit
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The lists of all topics that are evaluated, in the order in which they are printed."""

    options: Options
    topics: tuple[str, ...]
    present: Bools  # per topic: the run has it
    hits: Hits
    best_grade: Ints  # per topic: the highest grade in the qrels, below 0 if nothing was judged
    judged_topics: int  # topics of the qrels, evaluated or not
    relevant_anywhere: int  # documents of a grade above 0 in the whole qrels
    run_id: str
    stop: Quit | None  # what ends the program after these topics

    @property
    def level(self) -> int:
        """The lowest relevant grade."""
        return self.options.level


def evaluation(qrels: Qrels, run: Run, options: Options) -> Evaluation:
    """Join a run with judgments as trec_eval does."""
    judged = sorted(qrels.topics, key=_bytes)
    answered = set(run.topics)
    topics = judged if options.version >= 10 else [topic for topic in judged if topic in answered]
    if not topics:
        raise Quit(7, "trec_eval: No queries with both results and relevance info\n")
    topics, stop = _until_stopped(topics, answered, qrels, run, options)
    here, lists = _qrels_of(qrels, topics), _run_of(run, topics, options)
    depth = None if options.max_docs is None else max(options.max_docs, 1)
    policy = Policy(ties="trec9" if options.version < 10 else "trec", depth=depth)
    hits = JudgmentIndex.of(here).hits(Rankings.of(lists, policy))
    best = np.full(len(topics), -1, dtype=np.int64)
    np.maximum.at(best, here.topic, here.grade)
    return Evaluation(
        options,
        tuple(topics),
        np.array([topic in answered for topic in topics], dtype=bool),
        hits.condensed() if options.judged_only else hits,
        best,
        len(qrels.topics),
        int(np.count_nonzero(qrels.grade > 0)),
        run.name,
        stop,
    )


def _bytes(topic: str) -> bytes:
    return topic.encode("utf-8", "surrogateescape")


def _until_stopped(
    topics: list[str], answered: set[str], qrels: Qrels, run: Run, options: Options
) -> tuple[list[str], Quit | None]:
    """The topics before the first one that trec_eval cannot evaluate, and what it says there."""
    twice_listed, twice_judged = _twice(run), _twice(qrels)
    for place, topic in enumerate(topics):
        if topic not in answered and not options.complete:
            return topics[:place], Quit(4, f"trec_eval: result qid '{topic}' not found in qrels\n")
        if topic in twice_listed:
            return topics[:place], Duplicate(f"trec_eval.form_res_qrels: duplicate docs {twice_listed[topic]}")
        if topic in twice_judged:
            return topics[:place], Duplicate(f"trec_eval.form_res_rels: duplicate docs {twice_judged[topic]}\n")
    return topics, None


class Duplicate(Quit):
    """A document stands twice in one topic: the first measure that looks at documents cannot be calculated."""

    def __init__(self, text: str) -> None:
        super().__init__(4, text)

    def at(self, measure: str) -> Quit:
        """The same, with the measure that trec_eval was calculating."""
        return Quit(4, f"{self.text}trec_eval: Can't calculate measure '{measure}'\n")


def _twice(table: Run | Qrels) -> dict[str, str]:
    """For each topic that has a document twice, the first such document in byte order."""
    key = pair_key(table.topic, table.document.hash)
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    earlier, later = order[again], order[again + 1]
    same = table.document.equal(earlier, table.document, later) & (table.topic[earlier] == table.topic[later])
    found: dict[str, bytes] = {}
    for row in later[same].tolist():
        topic, document = table.topics[int(table.topic[row])], table.document.raw(row)
        found[topic] = min(document, found.get(topic, document))
    return {topic: document.decode("utf-8", "surrogateescape") for topic, document in found.items()}


def _renumbered(topic: Ints, names: tuple[str, ...], topics: list[str]) -> Ints:
    """Each row's position in `topics`, or -1."""
    number = {name: place for place, name in enumerate(topics)}
    return np.array([number.get(name, -1) for name in names], dtype=np.int64)[topic]


def _qrels_of(qrels: Qrels, topics: list[str]) -> Qrels:
    """Only the judgments of the given topics, which are numbered in their order."""
    topic = _renumbered(qrels.topic, qrels.topics, topics)
    kept = topic >= 0
    return Qrels(tuple(topics), topic[kept], qrels.document.take(kept), qrels.grade[kept])


def _run_of(run: Run, topics: list[str], options: Options) -> Run:
    """Only the lists of the given topics; all empty if no document is to be kept."""
    topic = _renumbered(run.topic, run.topics, topics)
    kept = topic >= 0
    if options.max_docs is not None and options.max_docs < 1:
        kept &= False
    document: Text = run.document.take(kept)
    return replace(run, topics=tuple(topics), topic=topic[kept], document=document, score=run.score[kept], rank=None)
