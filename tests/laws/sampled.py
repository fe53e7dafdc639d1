"""How the documents of a world were sampled: a stratum, and so a rate, for each of them.

A document that covers subtopics has the stratum of its place, a plain one the first. The rates are made up, as the
measures only read them.
"""

from collections.abc import Sequence

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments
from tests.laws.covering import Covering

RATES = (1.0, 0.5, 0.3)  # of the strata
TOGETHER = (float("nan"), 2.5, float("nan"))  # P(d) / P(d, j) inside them; unknown: independent draws


def stratum_of(document: int | None) -> int:
    """The stratum of a document."""
    return document.place % 3 if isinstance(document, Covering) else 0


def sample_of(topics: Sequence[Sequence[int | None]]) -> SampledJudgments:
    """The table of all documents, numbered from topic to topic; one that was never pooled is not looked up."""
    flat = [(topic, document) for topic, documents in enumerate(topics) for document in documents]
    stratum = np.array([stratum_of(document) for _, document in flat], dtype=np.int64)
    topic = np.array([topic for topic, _ in flat], dtype=np.int64)
    rate = np.array(RATES)[stratum] if len(stratum) else np.empty(0)
    return SampledJudgments(
        topic=topic,
        grade=np.array([-1 if document is None else int(document) for _, document in flat], dtype=np.int64),
        stratum=topic * 3 + stratum,
        share=rate,
        chance=rate,
        first=np.repeat(np.arange(len(topics)) * 3, 3),
        together=np.tile(TOGETHER, len(topics)),
    )
