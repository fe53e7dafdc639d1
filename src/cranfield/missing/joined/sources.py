"""The ranges of a comparison from the files that it was made of; the runs are read once more, as deep as it matters."""

from typing import TYPE_CHECKING

from cranfield.align.columns.subtopics import has_subtopics
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.errors import Error, PolicyError
from cranfield.errors.warning import kept
from cranfield.measures.grammar import Measure, parse
from cranfield.missing.bounds.by_subtopic.codes import by_subtopics, one_grade
from cranfield.missing.holes import listed_documents
from cranfield.missing.joined.join import joined
from cranfield.missing.joined.result import RangedComparison
from cranfield.missing.ranges import Bounder
from cranfield.missing.situation import Situation, refuse_unsuitable
from cranfield.missing.universe import Universe
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.qrels import Qrels
from cranfield.tables.scores import Scores

if TYPE_CHECKING:
    from cranfield.read.sources.runs import Sources

FEW = 1 << 8  # completions of a topic that are gone through where no formula is known; `holes` tries more
UNKNOWN = "what unjudged documents could change is not shown"


def without_ranges(comparison: Comparison, reason: str) -> RangedComparison:
    """The comparison as it is, with the reason why no ranges are shown in its footer."""
    return joined(comparison, {}, Universe(), (f"{UNKNOWN}: {reason}",))


def ranges_from(
    comparison: Comparison, qrels: Qrels, sources: "Sources", policy: Policy, universe: Universe
) -> RangedComparison:
    """The comparison with the ranges of all measures that have some; the footer says why others have none."""
    bounders, notes = bounders_of(comparison.scores, qrels, sources, policy, universe, of_pairs=True)
    return joined(comparison, bounders, universe, notes)


def bounders_of(
    scores: Scores, qrels: Qrels, sources: "Sources", policy: Policy, universe: Universe, *, of_pairs: bool = False
) -> tuple[dict[str, Bounder], tuple[str, ...]]:
    """What finds the ranges of the measures that have some, by name; and why others have none.

    Differences of two runs (`of_pairs`) have ranges where the average is that of the measure.
    """
    reasons: dict[str, str] = {}
    bounders: dict[str, Bounder] = {}
    wanted: dict[str, Measure] = {}
    for name, average in zip(scores.measures, scores.averages, strict=True):
        try:
            wanted[name] = _suitable(parse(name), average if of_pairs else None, policy)
            _refuse_unknown_subtopics(wanted[name], scores, qrels)
        except Error as error:
            wanted.pop(name, None)
            reasons[name] = error.problem
    if wanted:
        with kept():  # warnings of files that were read before
            single = one_grade(qrels, wanted.values())
            found = listed_documents(single, sources.open(), tuple(wanted.values()), universe, policy)
            whole = any(measure.definition.needs_lists for measure in wanted.values())
            lists = tuple(Rankings.of(run, policy) for run in sources.open()) if whole else ()
        averages = dict(zip(scores.measures, scores.averages, strict=True))
        for name, measure in wanted.items():
            situation = Situation.of(
                found.candidates, found.grade, scores.topics, measure, universe, policy, found.pooled, lists=lists
            )
            situation = by_subtopics(situation, found.candidates, qrels)
            bounders[name] = Bounder(situation, averages[name], most=FEW)
    return bounders, tuple(_told(reasons))


def _suitable(measure: Measure, average: str | None, policy: Policy) -> Measure:
    refuse_unsuitable(measure, policy)
    if average not in (None, measure.definition.average):
        raise PolicyError("E244", f"{measure} has no bounds here as {average}")
    return measure


def _refuse_unknown_subtopics(measure: Measure, scores: Scores, qrels: Qrels) -> None:
    """Refuse a measure that judges by subtopic where these were collapsed, or have probabilities."""
    if not measure.definition.needs_subtopics:
        return
    if not has_subtopics(qrels):
        raise PolicyError("E244", f"the subtopics that {measure} needs were collapsed")
    if any(given["role"] == "intents" for given in scores.audit.inputs):
        raise PolicyError("E244", f"the ranges of {measure} do not support probabilities of subtopics")


def _told(reasons: dict[str, str]) -> list[str]:
    """Each reason once."""
    return [f"{UNKNOWN}: {reason}" for reason in dict.fromkeys(reasons.values())]
