"""Small worlds for pools: a few runs with ties, short lists and missing topics, and judgments of part of them."""

from typing import Any

from hypothesis import strategies as st

DOCUMENTS = ["a", "b", "c", "d", "d10", "d9", "é"]


@st.composite
def worlds(draw):
    """Runs as `{run: {topic: [documents]}}`, and grades of some pairs."""
    topics = draw(st.lists(st.sampled_from(["1", "2", "x"]), min_size=1, max_size=3, unique=True))
    runs = {}
    for number in range(draw(st.integers(1, 4))):
        lists = {t: draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=6, unique=True)) for t in topics}
        if number and draw(st.booleans()):
            lists.pop(draw(st.sampled_from(topics)))
        if lists:
            runs[f"r{number}"] = lists
    judged = draw(st.dictionaries(st.tuples(st.sampled_from(topics), st.sampled_from(DOCUMENTS)), st.integers(-1, 2)))
    return runs, judged


def as_dict(judged):
    """Judgments as a dict of dict."""
    qrels: dict[Any, Any] = {}
    for (topic, document), grade in judged.items():
        qrels.setdefault(topic, {})[document] = grade
    return qrels


def rows(pooled):
    """`(topic, document)` of a pool, in its order."""
    pairs = pooled.pairs
    return [(pairs.topics[topic], name) for topic, name in zip(pairs.topic, pairs.document, strict=True)]


def tops(runs, depth):
    """`(topic, document) -> {run: rank}` by plain loops."""
    found: dict[Any, Any] = {}
    for run, lists in runs.items():
        for topic, documents in lists.items():
            for rank, document in enumerate(documents[:depth], start=1):
                found.setdefault((topic, document), {})[run] = rank
    return found


def topic_order(runs):
    """Topics in the order in which runs name them."""
    return list(dict.fromkeys(topic for lists in runs.values() for topic in lists))
