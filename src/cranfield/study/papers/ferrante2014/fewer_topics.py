"""A collection restricted to some of its topics, without joining again."""

from dataclasses import replace

import numpy as np

from cranfield.arrays import Bools
from cranfield.study.data.collection import Collection
from cranfield.study.data.joining import PlacedJudgments


def on_topics(data: Collection, kept: Bools) -> Collection:
    """The collection as if only these topics had been judged; all runs are kept.

    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}
    >>> both = Collection.of(qrels, {"x": {"q1": ["a", "b"], "q2": ["a", "b"]}}, ["RR"])
    >>> on_topics(both, np.array([False, True])).full.ravel(), both.full.ravel()
    (array([0.5]), array([1. , 0.5]))
    """
    hits, judgments = data.hits, data.judgments
    lists = np.tile(kept, len(data.runs))  # [ranking]
    topic, ranking = np.cumsum(kept) - 1, np.cumsum(lists) - 1  # old number -> new one
    own = kept[judgments.topic]
    place = np.cumsum(own) - 1
    found, pooled, base = lists[hits.ranking], lists[hits.pooled_ranking], kept[hits.base_topic]
    fewer = replace(
        hits,
        rank=hits.rank[found],
        grade=hits.grade[found],
        ranking=ranking[hits.ranking[found]],
        document=place[hits.document[found]],
        topic=topic[hits.topic[lists]],
        retrieved=hits.retrieved[lists],
        base_topic=topic[hits.base_topic[base]],
        base_grade=hits.base_grade[base],
        topics=int(kept.sum()),
        pooled_rank=hits.pooled_rank[pooled],
        pooled_ranking=ranking[hits.pooled_ranking[pooled]],
        pooled_document=hits.pooled_document[pooled] if len(hits.pooled_document) else hits.pooled_document,
    )
    places = PlacedJudgments(
        topic=topic[judgments.topic[own]],
        grade=judgments.grade[own],
        order=place[judgments.order[own[judgments.order]]],
        base_place=place[judgments.base_place[base]],
    )
    names = tuple(name for name, stays in zip(data.topics, kept.tolist(), strict=True) if stays)
    return replace(data, topics=names, hits=fewer, judgments=places, answered=data.answered[:, kept])
