"""Two simple rankers of Cranfield 1400, as a new user might write them, and the judgments of the collection."""

import math
import re
from collections import Counter
from pathlib import Path

import cranfield as cf

WORD = re.compile(r"[a-z]{3,}")


def words(text: str) -> Counter[str]:
    """How often each word occurs."""
    return Counter(WORD.findall(text.lower()))


def write_runs(folder: Path, data: Path, depth: int = 50) -> dict[str, dict[str, int]]:
    """Write `text.run` and `titles.run` for all topics; the judgments, under the numbers of the topics.

    The qrels count topics from 1 in their order; `<num>` leaves numbers out.
    """
    documents = cf.read_documents(data / "cran.all.1400.xml.gz")
    topics = cf.read_topics(data / "cran.qry.xml")
    texts = {name: words(f"{documents[name].title} {documents[name].text}") for name in documents}
    titles = {name: words(documents[name].title) for name in documents}
    in_documents = Counter(word for text in texts.values() for word in text)
    rare = {word: math.log(len(texts) / number) for word, number in in_documents.items()}
    for run, held in (("text", texts), ("titles", titles)):
        lines = []
        for topic in topics:
            wanted = [word for word in words(topics[topic].query) if word in rare]
            scored = {
                name: sum(rare[word] * math.log1p(text[word]) for word in wanted) / math.log(10 + text.total())
                for name, text in held.items()
            }
            best = sorted(scored, key=lambda name: (-scored[name], name))[:depth]
            lines += [f"{topic} Q0 {name} {rank} {scored[name]:.5f} {run}\n" for rank, name in enumerate(best, 1)]
        (folder / f"{run}.run").write_text("".join(lines))
    numbers = list(topics)
    known: dict[str, dict[str, int]] = {}
    for line in (data / "cranqrel.trec.txt").read_text().splitlines():
        order, _, document, grade = line.split()
        known.setdefault(numbers[int(order) - 1], {})[document] = int(int(grade) > 0)
    return known
