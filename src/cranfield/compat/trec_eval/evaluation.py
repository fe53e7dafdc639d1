"""Run and qrels -> the lists of the topics that trec_eval evaluates, and the topic at which it stops."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.tie_breaking import ordered
from cranfield.arrays import NO_INTS, Bools, Ints
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.preferences.units import combined, numbered, twice
from cranfield.compat.trec_eval.quit import Quit
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

if TYPE_CHECKING:
    from cranfield.compat.trec_eval.preferences.table import JudgedTopic, Preferences


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The lists of all topics that are evaluated, in the order in which they are printed."""

    options: TrecOptions
    topics: tuple[str, ...]
    present: Bools  # per topic: the run has it
    judged_topics: int  # topics of the judgments, evaluated or not
    run_id: str
    stop: Quit | None  # what ends the program after these topics
    hits: Hits = field(default_factory=lambda: Hits.of([], [], []))
    best_grade: Ints = field(default_factory=lambda: NO_INTS)  # per topic: the highest, below 0 if nothing was judged
    relevant_anywhere: int = 0  # documents of a grade above 0 in the whole qrels
    groups: tuple[Hits, ...] = ()  # the lists as the first, second … judgment group of each topic sees them
    group_count: Ints = field(default_factory=lambda: NO_INTS)  # per topic
    preferences: "tuple[JudgedTopic, ...]" = ()  # per topic, if preferences were judged

    @property
    def level(self) -> int:
        """The lowest relevant grade."""
        return self.options.level


def evaluation(judgments: "Qrels | Preferences", run: Run, options: TrecOptions) -> Evaluation:
    """Join a run with judgments as trec_eval does."""
    answered = set(run.topics)
    topics = sorted(judgments.topics, key=_bytes)
    if options.version < 10:
        topics = [topic for topic in topics if topic in answered]
    if not topics:
        raise Quit(7, "trec_eval: No queries with both results and relevance info\n")
    topics, stop = _until_stopped(topics, answered, judgments, run, options)
    present = np.array([topic in answered for topic in topics], dtype=bool)
    run = _without_documents(run) if options.max_docs is not None and options.max_docs < 1 else run
    empty = Evaluation(options, tuple(topics), present, len(judgments.topics), run.name, stop)
    if not isinstance(judgments, Qrels):
        return _by_preference(empty, _preferences_of(judgments, topics), _run_of(run, topics))
    here = _qrels_of(judgments, topics)
    if options.judgment_format == "qrels_jg":
        return _by_group(empty, here, run)
    hits = JudgmentIndex.of(here).hits(ranked(run, options))
    return by_grade(empty, here, hits, int(np.count_nonzero(judgments.grade > 0)))


def by_grade(empty: Evaluation, qrels: Qrels, hits: Hits, relevant_anywhere: int) -> Evaluation:
    """The evaluation of hits among judgments of the same topics."""
    best = np.full(len(empty.topics), -1, dtype=np.int64)
    np.maximum.at(best, qrels.topic, qrels.grade)
    seen = hits.condensed() if empty.options.judged_only else hits
    return replace(empty, hits=seen, best_grade=best, relevant_anywhere=relevant_anywhere)


def _by_group(empty: Evaluation, qrels: Qrels, run: Run) -> Evaluation:
    group = _groups(qrels)
    count = np.zeros(len(empty.topics), dtype=np.int64)
    np.maximum.at(count, qrels.topic, group + 1)
    several = [_rows(qrels, group == number) for number in range(int(count.max(initial=0)))]
    lists = ranked(run, empty.options)
    found = [JudgmentIndex.of(own).hits(lists) for own in several]
    groups = tuple(hits.condensed() if empty.options.judged_only else hits for hits in found)
    return replace(empty, groups=groups, group_count=count)


def _by_preference(empty: Evaluation, preferences: "Preferences", run: Run) -> Evaluation:
    from cranfield.compat.trec_eval.preferences.table import judged

    policy = _policy(empty.options)
    return replace(empty, preferences=tuple(judged(preferences, run, policy.ties, policy.depth)))


def _policy(options: TrecOptions) -> Policy:
    depth = None if options.max_docs is None else max(options.max_docs, 1)
    return Policy(ties="trec9" if options.version < 10 else "trec", depth=depth)


def ranked(run: Run, options: TrecOptions) -> Rankings:
    """The lists of a run; topics in which a document stands twice are not evaluated."""
    policy = _policy(options)
    lists = Rankings(run, *ordered(run, policy.ties), policy)
    return lists if policy.depth is None else lists.top(policy.depth)


def _bytes(topic: str) -> bytes:
    return topic.encode("utf-8", "surrogateescape")


def _until_stopped(
    topics: list[str], answered: set[str], judgments: "Qrels | Preferences", run: Run, options: TrecOptions
) -> tuple[list[str], Quit | None]:
    """The topics before the first one that trec_eval cannot evaluate, and its message there."""
    former = {"qrels": "form_res_rels", "qrels_jg": "form_res_rels_jg"}.get(
        options.judgment_format, "form_prefs_counts"
    )
    twice_listed = twice(run.topics, run.topic, run.document, run.topic)
    twice_judged = twice(judgments.topics, judgments.topic, judgments.document, _unit(judgments, options))
    for place, topic in enumerate(topics):
        if topic not in answered and not options.complete:
            return topics[:place], Quit(4, f"trec_eval: result qid '{topic}' not found in qrels\n")
        if topic in twice_listed:
            return topics[:place], Duplicate(f"trec_eval.form_res_qrels: duplicate docs {twice_listed[topic]}")
        if topic in twice_judged:
            return topics[:place], Duplicate(f"trec_eval.{former}: duplicate docs {twice_judged[topic]}\n")
    return topics, None


def _unit(judgments: "Qrels | Preferences", options: TrecOptions) -> Ints:
    """The unit in which a document may occur only once: a topic, a judgment group or a subgroup."""
    if not isinstance(judgments, Qrels):
        return judgments.unit
    return combined(judgments.topic, _groups(judgments)) if options.judgment_format == "qrels_jg" else judgments.topic


def _groups(qrels: Qrels) -> Ints:
    """The judgment group of each row, counted inside its topic."""
    return np.zeros_like(qrels.topic) if qrels.iteration is None else numbered(qrels.topic, qrels.iteration)


class Duplicate(Quit):
    """A document stands twice in one topic: the first measure that looks at documents cannot be calculated."""

    def __init__(self, text: str) -> None:
        super().__init__(4, text)

    def at(self, measure: str) -> Quit:
        """The same, with the measure that trec_eval was calculating."""
        return Quit(4, f"{self.text}trec_eval: Can't calculate measure '{measure}'\n")


def _renumbered(topic: Ints, names: tuple[str, ...], topics: list[str]) -> Ints:
    """Each row's position in `topics`, or -1."""
    number = {name: place for place, name in enumerate(topics)}
    return np.array([number.get(name, -1) for name in names], dtype=np.int64)[topic]


def in_order(qrels: Qrels) -> Qrels:
    """The same judgments; topics are numbered in the order in which they are printed."""
    return _qrels_of(qrels, sorted(qrels.topics, key=_bytes))


def _qrels_of(qrels: Qrels, topics: list[str]) -> Qrels:
    """Only the judgments of the given topics, which are numbered in their order."""
    topic = _renumbered(qrels.topic, qrels.topics, topics)
    renumbered = replace(qrels, topics=tuple(topics), topic=topic)
    return renumbered if len(topics) == len(qrels.topics) else _rows(renumbered, topic >= 0)


def _rows(qrels: Qrels, kept: Bools) -> Qrels:
    """Some of the judgments, all of the topics."""
    iteration = None if qrels.iteration is None else qrels.iteration.take(kept)
    return Qrels(qrels.topics, qrels.topic[kept], qrels.document.take(kept), qrels.grade[kept], iteration)


def _preferences_of(table: "Preferences", topics: list[str]) -> "Preferences":
    """Only the preferences of the given topics, which are numbered in their order."""
    topic = _renumbered(table.topic, table.topics, topics)
    kept = topic >= 0
    return replace(
        table,
        topics=tuple(topics),
        topic=topic[kept],
        group=table.group[kept],
        subgroup=table.subgroup[kept],
        document=table.document.take(kept),
        level=table.level[kept],
    )


def _run_of(run: Run, topics: list[str]) -> Run:
    """Only the lists of the given topics, which are numbered in their order."""
    topic = _renumbered(run.topic, run.topics, topics)
    kept = topic >= 0
    document, score = run.document.take(kept), run.score[kept]
    return replace(run, topics=tuple(topics), topic=topic[kept], document=document, score=score)


def _without_documents(run: Run) -> Run:
    return replace(run, topic=NO_INTS, document=run.document.take(NO_INTS), score=np.empty(0))
