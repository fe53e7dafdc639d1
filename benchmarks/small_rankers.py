"""Simple rankers of Cranfield 1400, as a new user might write them, and the judgments of the collection."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import cranfield as cf

WORD = re.compile(r"[a-z]{3,}")
Bags = Mapping[str, Counter[str]]


def words(text: str) -> Counter[str]:
    """How often each word occurs."""
    return Counter(WORD.findall(text.lower()))


def ranked(held: Bags, wanted: Sequence[str], rare: Mapping[str, float], depth: int = 50) -> dict[str, float]:
    """The best documents for some words, best first, with their scores."""
    scored = {
        name: sum(rare.get(word, 0.0) * math.log1p(text[word]) for word in wanted) / math.log(10 + text.total())
        for name, text in held.items()
    }
    best = sorted(scored, key=lambda name: (-scored[name], name))[:depth]
    return {name: scored[name] for name in best}


def rarity(texts: Bags) -> dict[str, float]:
    """How much a word tells: the logarithm of how few documents have it."""
    in_documents = Counter(word for text in texts.values() for word in text)
    return {word: math.log(len(texts) / number) for word, number in in_documents.items()}


def write_runs(folder: Path, data: Path, depth: int = 50) -> dict[str, dict[str, int]]:
    """Write `text.run` and `titles.run` for all topics; the judgments, under the numbers of the topics."""
    documents = cf.read_documents(data / "cran.all.1400.xml.gz")
    topics = cf.read_topics(data / "cran.qry.xml")
    texts = {name: words(f"{documents[name].title} {documents[name].text}") for name in documents}
    titles = {name: words(documents[name].title) for name in documents}
    rare = rarity(texts)
    for run, held in (("text", texts), ("titles", titles)):
        lines = []
        for topic in topics:
            found = ranked(held, list(words(topics[topic].query)), rare, depth)
            lines += [f"{topic} Q0 {name} {rank} {found[name]:.5f} {run}\n" for rank, name in enumerate(found, 1)]
        (folder / f"{run}.run").write_text("".join(lines))
    return judgments(data, list(topics))


def judgments(data: Path, topics: Sequence[str]) -> dict[str, dict[str, int]]:
    """The judgments of Cranfield 1400. Its qrels count topics from 1 in their order; `<num>` leaves numbers out."""
    known: dict[str, dict[str, int]] = {}
    for line in (data / "cranqrel.trec.txt").read_text().splitlines():
        order, _, document, grade = line.split()
        known.setdefault(topics[int(order) - 1], {})[document] = int(int(grade) > 0)
    return known
