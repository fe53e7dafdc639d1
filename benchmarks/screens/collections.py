"""What the rooms of the pictures are filled with: Cranfield 1400, or a small collection that is made up."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cranfield as cf
from benchmarks.small_rankers import judgments, ranked, rarity, words
from cranfield.judging.records import DocumentRow, TopicRow
from cranfield.tables.run import Run

Lists = dict[str, dict[str, list[str]]]  # run -> topic -> documents, best first
SUBJECTS = ("boundary layer", "wing flutter", "heat transfer", "shock wave", "slender body", "panel buckling")
PARTS = ("pressure", "velocity", "thickness", "temperature", "stability", "drag", "lift", "separation", "mixing")
VERBS = ("is measured in", "is found for", "depends on", "agrees with theory in", "is smaller than in")
PLACES = ("supersonic flow", "a wind tunnel", "laminar flow", "free flight", "a conical body", "a flat plate")


@dataclass(frozen=True, eq=False)
class PicturedCollection:
    """Topics, documents, ranked lists of runs, and how far each document is relevant (0 to 2)."""

    topics: Sequence[TopicRow]
    documents: Sequence[DocumentRow]
    lists: Lists
    truth: Mapping[str, Mapping[str, int]]

    @property
    def runs(self) -> list[Run]:
        """The runs."""
        return [_run(name, lists) for name, lists in self.lists.items()]

    def pool(self, depth: int = 8, runs: int = 2) -> list[tuple[str, str]]:
        """The first documents of the first runs, by topic: what a third run finds beside them is missing."""
        chosen = list(self.lists.values())[:runs]
        return [
            (row.topic, document)
            for row in self.topics
            for document in dict.fromkeys(document for lists in chosen for document in lists[row.topic][:depth])
        ]

    def said(self, assessor: str, topic: str, document: str) -> int:
        """The grade that an assessor gives: mostly the true one."""
        right = self.truth.get(topic, {}).get(document, 0)
        chance = random.Random(f"{assessor} {topic} {document}").random()
        if chance > 0.12:
            return right
        return min(2, right + 1) if chance > 0.04 or right == 0 else right - 1


def collection(data: Path, topics: int = 12) -> PicturedCollection:
    """Cranfield 1400 where it is, else a made-up collection."""
    folder = data / "cranfield1400"
    return cranfield_1400(folder, topics) if folder.is_dir() else made_up(topics)


def cranfield_1400(folder: Path, number: int = 12) -> PicturedCollection:
    """The first topics of Cranfield 1400 and all its documents, ranked by text, by title, and by both."""
    documents = cf.read_documents(folder / "cran.all.1400.xml.gz")
    every = cf.read_topics(folder / "cran.qry.xml")
    known = judgments(folder, list(every))
    topics = [TopicRow(name, _sentence(every[name].query)) for name in list(every)[:number]]
    rows = [DocumentRow(name, _sentence(documents[name].title), body=documents[name].text) for name in documents]
    truth = {
        row.topic: {name: 2 if int(name) % 3 else 1 for name, grade in known[row.topic].items() if grade}
        for row in topics
    }
    return PicturedCollection(topics, rows, _lists(topics, rows), truth)


def made_up(number: int = 6, each: int = 14) -> PicturedCollection:
    """Short documents about the subjects of Cranfield 1400, of no meaning."""
    drawn = random.Random(1400)
    topics = [
        TopicRow(f"q{place + 1}", f"What is known about the {part} of a {SUBJECTS[place % len(SUBJECTS)]}?")
        for place, part in zip(range(number), drawn.choices(PARTS, k=number), strict=True)
    ]
    rows = [
        DocumentRow(
            f"{name}",
            f"On the {drawn.choice(PARTS)} of a {drawn.choice(SUBJECTS)}",
            body="\n\n".join(" ".join(_said(drawn) for _ in range(4)) for _ in range(3)),
        )
        for name in range(1, number * each + 1)
    ]
    lists = _lists(topics, rows)
    truth = {
        row.topic: {name: drawn.choice((0, 1, 2)) for name in lists["text"][row.topic][:each] if drawn.random() < 0.6}
        for row in topics
    }
    return PicturedCollection(topics, rows, lists, truth)


def _said(drawn: random.Random) -> str:
    return (
        f"The {drawn.choice(PARTS)} of the {drawn.choice(SUBJECTS)} {drawn.choice(VERBS)} "
        f"{drawn.choice(PLACES)}, where the {drawn.choice(PARTS)} {drawn.choice(VERBS)} {drawn.choice(PLACES)}."
    )


def _lists(topics: Sequence[TopicRow], documents: Sequence[DocumentRow], depth: int = 20) -> Lists:
    texts = {row.document: words(f"{row.title} {row.body}") for row in documents}
    titles = {row.document: words(row.title) for row in documents}
    both = {name: text + titles[name] + titles[name] for name, text in texts.items()}
    rare = rarity(texts)
    return {
        run: {row.topic: list(ranked(held, list(words(row.title)), rare, depth)) for row in topics}
        for run, held in (("text", texts), ("titles", titles), ("mixed", both))
    }


def _run(name: str, lists: Mapping[str, Sequence[str]]) -> Run:
    rows = [
        (topic, document, float(-rank)) for topic, documents in lists.items() for rank, document in enumerate(documents)
    ]
    topic, document, score = zip(*rows, strict=True)
    return Run.of(name, topic, document, list(score))


def _sentence(text: str) -> str:
    """A text that begins with a capital and has single spaces."""
    joined = " ".join(text.split()).replace(" .", ".").replace(" ,", ",")
    return f"{joined[:1].upper()}{joined[1:]}"
