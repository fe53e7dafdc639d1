"""The index an evaluation needs: one judgment per document, judgments of subtopics, or both."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Negative
from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.errors.warning import warn
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import Text

if TYPE_CHECKING:
    from cranfield.align.columns.sampled import SampleNeed
    from cranfield.tables.side.intents import Intents


def index_of(
    qrels: Qrels,
    negative: Negative,
    extra_topics: Sequence[str] = (),
    *,
    plain: object = None,
    diverse: object = None,
    collapse: str | None = None,
    intents: "Intents | None" = None,
    sampled: "Sequence[SampleNeed]" = (),
) -> JudgmentIndex:
    """Index qrels for the measures that will be computed.

    Args:
        qrels: judgments; their iteration column may hold subtopics.
        negative: what a grade below 0 means.
        extra_topics: topics without judgments that are scored too.
        plain: a measure that needs one judgment per document, if there is one.
        diverse: a measure that needs judgments of subtopics, if there is one.
        collapse: how the subtopics of a document become its one grade, if they may: `any` or `max`.
        intents: how likely each subtopic is.
        sampled: what measures that estimate from sampled judgments need.

    >>> judged = Qrels.of(["1", "1", "1"], ["a", "a", "b"], [0, 2, 0], iteration=["1", "2", "1"])
    >>> index = index_of(judged, "unjudged", diverse="alpha_nDCG@10")
    >>> index.relevant(1), sorted(index.subtopics.grade.tolist())
    (array([1]), [0, 0, 2])
    """
    if diverse is None and intents is not None:
        problem = "intents have no effect: none of the measures looks at subtopics"
        raise PolicyError("E244", problem, hint="add alpha_nDCG@20, ERR_IA@20 …")
    if diverse is not None:
        _refuse_without_subtopics(qrels, diverse)
    how = collapse or ("max" if plain is None and diverse is not None else None)
    single = qrels if how is None else _collapsed(qrels, how)
    index = JudgmentIndex.of(single, negative, extra_topics, measure=plain or "AP")
    if how is None and diverse is None and qrels.iteration is not None:
        _say_if_ignored(qrels, qrels.iteration)
    index = index if diverse is None else index.with_subtopics(qrels, intents, negative)
    return index.with_sample(sampled, negative) if sampled else index


def _collapsed(qrels: Qrels, how: str) -> Qrels:
    from cranfield.align.combining.combine import collapse

    return collapse(qrels, how)


def _say_if_ignored(qrels: Qrels, iteration: Text) -> None:
    """Warn if column 2 has several values, which look like subtopics, although every document was judged once."""
    if iteration.constant:
        return
    values, _ = iteration.codes()
    message = f"column 2 holds {len(values)} values ({values[0]}, {values[1]} …), and ad hoc measures ignore them"
    warn(DataWarning("W112", message, qrels.source.name))


def _refuse_without_subtopics(qrels: Qrels, measure: object) -> None:
    from cranfield.align.columns.subtopics import has_subtopics

    if has_subtopics(qrels):
        return
    where = "these judgments have" if qrels.iteration is None else "column 2 holds"
    raise InputError(
        "E123",
        f"{where} no subtopics, {measure} needs them",
        path=qrels.source.name or "qrels",
        hint="a line of subtopic judgments is: TOPIC SUBTOPIC DOC GRADE, subtopics from 1",
    )
