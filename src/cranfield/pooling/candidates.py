"""Candidates: every document that a run lists down to a depth, with the runs that list it and its ranks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import NOTHING, Policy, RowsLeftOut
from cranfield.align.rankings import Rankings
from cranfield.arrays import Bools, Bytes, Floats, Ints, segment_size
from cranfield.arrays.strings import pair_key
from cranfield.errors import InputError
from cranfield.errors.wording import either
from cranfield.read.sources.run_names import distinct_names
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.source import Input
from cranfield.tables.text import SPARE, Text


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of topic and document, and the listings that name them.

        per pair      topic · document      by topic, then by the bytes of the document, whatever the order of runs
        per listing   run · pair · rank     by run, topic and rank

    >>> runs = [Run.of("r", ["1"] * 3, ["b", "a", "c"], [3, 2, 1]), Run.of("s", ["1"] * 2, ["a", "d"], [2, 1])]
    >>> found = Candidates.of(runs, depth=2)
    >>> list(found.document), found.best_rank, found.listings
    (['a', 'b', 'd'], array([1, 1, 2]), array([2, 1, 1]))
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    depth: int
    topic: Ints
    document: Text
    run: Ints
    pair: Ints
    rank: Ints
    length: Ints  # [run, topic]: documents listed, at most the depth
    inputs: Sequence[Mapping[str, Any]] = field(default=())  # role, name, rows, sha256
    shared_names: Mapping[str, str] = field(default_factory=dict)  # of runs named after their files: their tags
    folded: Mapping[str, int] = field(default_factory=dict)  # rows left out for that, by run
    self_matches: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, runs: Iterable[Run], depth: int, policy: Policy | None = None, also: Qrels | None = None
    ) -> "Candidates":
        """The first documents of each list, and the pairs of some qrels; one run is held at a time."""
        chosen = policy or Policy()
        chosen = chosen.with_(depth=min(depth, chosen.depth or depth))
        tops: list[_Top] = []
        for run in runs:
            tops.append(_Top.of(Rankings.of(run, chosen)))
        names = distinct_names([top.name for top in tops], [top.input.source for top in tops])
        shared = {name: top.name for name, top in zip(names, tops, strict=True) if name != top.name}
        tops = [replace(top, name=name) for top, name in zip(tops, names, strict=True)]
        folded = {top.name: top.left_out.folded for top in tops if top.left_out.folded}
        alike = {top.name: top.left_out.self_matches for top in tops if top.left_out.self_matches}
        if also is not None:
            listed = cls._joined([*tops, _Top.of_qrels(also)], depth)._without_last()
            return replace(listed, shared_names=shared, folded=folded, self_matches=alike)
        if not tops:
            raise InputError(
                "E121",
                "a pool needs runs, got none",
                hint=either("cranfield.pool('runs/*.run', depth=100)", "cranfield pool runs/*.run --depth 100"),
            )
        return replace(cls._joined(tops, depth), shared_names=shared, folded=folded, self_matches=alike)

    def _without_last(self) -> "Candidates":
        """The same pairs without the listings of the last run, which stood for the qrels."""
        kept = self.run < len(self.runs) - 1
        return replace(
            self,
            runs=self.runs[:-1],
            run=self.run[kept],
            pair=self.pair[kept],
            rank=self.rank[kept],
            length=self.length[:-1],
        )

    @classmethod
    def _joined(cls, tops: "list[_Top]", depth: int) -> "Candidates":
        number: dict[str, int] = {}
        for top in tops:
            for name in top.topics:
                number.setdefault(name, len(number))
        own = [np.array([number[name] for name in top.topics], dtype=np.int64) for top in tops]
        topic = np.concatenate([names[top.topic] for names, top in zip(own, tops, strict=True)])
        document = Text.concat([top.document for top in tops])
        first, pair = _distinct(topic, document)
        order = document.take(first).descending(-topic[first])[::-1]
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        length = np.zeros((len(tops), len(number)), dtype=np.int64)
        for row, names, top in zip(length, own, tops, strict=True):
            row[names] = segment_size(top.topic, len(names))
        return cls(
            runs=tuple(top.name for top in tops),
            topics=tuple(number),
            depth=depth,
            topic=topic[first[order]],
            document=_compact(document.take(first[order])),
            run=np.repeat(np.arange(len(tops)), [len(top.rank) for top in tops]),
            pair=place[pair],
            rank=np.concatenate([top.rank for top in tops]),
            length=length,
            inputs=tuple(top.input for top in tops),
        )

    def only(self, kept: Bools) -> "Candidates":
        """The pairs of the mask, and their listings."""
        listed = kept[self.pair]
        number = np.cumsum(kept) - 1
        return replace(
            self,
            topic=self.topic[kept],
            document=self.document.take(kept),
            run=self.run[listed],
            pair=number[self.pair[listed]],
            rank=self.rank[listed],
        )

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.topic)

    @property
    def short(self) -> int:
        """The number of lists with fewer documents than the depth, missing lists included."""
        return int(np.count_nonzero(self.length < self.depth))

    @cached_property
    def best_rank(self) -> Ints:
        """The best rank of each pair in any run."""
        best = np.full(len(self), np.iinfo(np.int64).max)
        np.minimum.at(best, self.pair, self.rank)
        return best

    @cached_property
    def listings(self) -> Ints:
        """How many runs list each pair."""
        return segment_size(self.pair, len(self))

    def rows_in(self, index: JudgmentIndex) -> Ints:
        """For each pair its row in the qrels, or -1."""
        row = np.full(len(self), -1)
        if len(index.key) == 0 or len(self) == 0:
            return row
        own = np.array([index.number.get(name, -1) for name in self.topics], dtype=np.int64)[self.topic]
        key = pair_key(own, self.document.hash)
        place = np.minimum(np.searchsorted(index.key, key), len(index.key) - 1)
        here = np.flatnonzero((index.key[place] == key) & (own >= 0))
        rows = index.row[place[here]]
        same = self.document.equal(here, index.qrels.document, rows) & (own[here] == index.qrels.topic[rows])
        row[here[same]] = rows[same]
        return row

    def grades(self, qrels: Qrels, policy: Policy | None = None) -> Floats:
        """The grade of each pair; NaN if it is not judged."""
        negative = (policy or Policy()).negative
        row = self.rows_in(JudgmentIndex.of(qrels, negative))
        grade = np.where(row >= 0, qrels.grade[row], np.nan) if len(qrels) else np.full(len(self), np.nan)
        return np.where(grade < 0, 0.0 if negative == "nonrelevant" else np.nan, grade)


@dataclass(frozen=True, eq=False)
class _Top:
    """The first documents of one run's lists, copied out of what was read."""

    name: str
    topics: tuple[str, ...]
    topic: Ints
    document: Text
    rank: Ints
    input: Input
    left_out: RowsLeftOut = NOTHING

    @classmethod
    def of(cls, lists: Rankings) -> "_Top":
        run = lists.run
        source, documents = Input.of("run", run, run.name), _compact(run.document.take(lists.row))
        return cls(
            name=run.name,
            topics=run.topics,
            topic=lists.topic,
            document=documents,
            rank=lists.rank,
            input=source,
            left_out=lists.left_out or NOTHING,
        )

    @classmethod
    def of_qrels(cls, qrels: Qrels) -> "_Top":
        name = qrels.source.name or "qrels"
        source = Input.of("qrels", qrels)
        rank = np.ones(len(qrels), dtype=np.int64)
        return cls(
            name=name,
            topics=qrels.topics,
            topic=qrels.topic,
            document=_compact(qrels.document),
            rank=rank,
            input=source,
        )


def _compact(text: Text) -> Text:
    """The same strings in a buffer of their own."""
    begin = np.cumsum(text.length) - text.length
    at = np.repeat(text.start - begin, text.length) + np.arange(text.length.sum())
    buffer: Bytes = np.concatenate((text.buffer[at], np.frombuffer(SPARE, dtype=np.uint8)))
    return Text(buffer, begin, text.length)


def _distinct(topic: Ints, document: Text) -> tuple[Ints, Ints]:
    """A row of each distinct pair, and the number of each row's pair."""
    _, first, pair = np.unique(pair_key(topic, document.hash), return_index=True, return_inverse=True)
    rows = np.arange(len(topic))
    same = document.equal(rows, document, first[pair]) & (topic == topic[first[pair]])
    if same.all():
        return first, pair
    # two pairs of one 64-bit key: numbered one by one instead
    seen: dict[tuple[int, bytes], int] = {}
    numbers = [seen.setdefault(key, len(seen)) for key in zip(topic.tolist(), document.raws(), strict=True)]
    pair = np.array(numbers, dtype=np.int64)
    return np.unique(pair, return_index=True)[1], pair
