"""A small collection with grades, holes and missing topics, the same in every test that asks for it."""

import random
from typing import Any

Qrels = dict[str, dict[str, int]]
Runs = dict[str, dict[str, dict[str, float]]]


def small(topics: int = 6, runs: int = 5, judged: int = 30, seed: int = 1) -> tuple[Qrels, Runs]:
    """Judgments of grades 0 to 2 and runs of different quality; a third of what they find is unjudged."""
    chance = random.Random(seed)
    qrels: Qrels = {}
    lists: Runs = {f"r{number}": {} for number in range(runs)}
    for topic in (f"q{number}" for number in range(topics)):
        grades = {f"d{number}": chance.choice([0, 0, 0, 0, 1, 2]) for number in range(judged)}
        qrels[topic] = {**grades, "d0": 2, "d1": 1, "d2": 0}
        for number, run in enumerate(lists.values()):
            noise = 0.5 + number
            pool = [*qrels[topic], *(f"u{unjudged}" for unjudged in range(judged // 2))]
            scores = {doc: qrels[topic].get(doc, 0) + chance.gauss(0, noise) for doc in pool if chance.random() < 0.8}
            run[topic] = scores
    if runs > 1:
        lists["r1"].pop("q0")  # a topic without a list
    return qrels, lists


def reduced(qrels: Qrels, collection: Any, judged: Any) -> Qrels:
    """The judgments of a world, written down anew: what a loop over rewritten qrels would read."""
    kept: Qrels = {}
    order = {topic: sorted(docs, key=lambda doc: doc.encode()) for topic, docs in qrels.items()}
    by_topic: dict[str, list[int]] = {}
    for place in collection.judgments.order.tolist():
        by_topic.setdefault(collection.topics[int(collection.judgments.topic[place])], []).append(place)
    for topic, places in by_topic.items():
        kept[topic] = {doc: qrels[topic][doc] for doc, place in zip(order[topic], places, strict=True) if judged[place]}
    return kept
