"""A method of finding bounds: the ends of the value of a run, or of the difference of two runs, in one topic."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.measures.facts.bounds import (
    Additive,
    BoundsRule,
    Exchange,
    Limited,
    Monotone,
    OverIdeal,
    OverRisingIdeal,
    SearchLength,
    ThresholdBounds,
    TwoParts,
    WalkBounds,
)
from cranfield.measures.facts.subtopics import FacetBounds, GlobalGainBounds, NoveltyBounds
from cranfield.missing.completions import of_runs
from cranfield.missing.situation import Situation, TopicHoles

MOST = 1 << 16  # completions of a topic that are gone through
NO_RUN = -1  # in place of the second run: the value of the first alone


@dataclass(frozen=True, eq=False)
class Ends:
    """The lowest and the highest value of each row, and whether a completion attains them.

    If a row is not exact, the value still lies between its ends.
    """

    low: Floats
    high: Floats
    exact: Bools


class BoundsMethod(ABC):
    """Finds ends, topic by topic; a row is a run (`b` is `NO_RUN`), or two: the value of `a` minus that of `b`."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.most: int = MOST

    @abstractmethod
    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        """The ends of each row."""

    @abstractmethod
    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        """The grade of each hole in a completion that attains an end, or comes as near to it as is known.

        Grades after the last hole belong to unseen documents; those that are not named have grade 0.
        """


def narrowed(topic: TopicHoles, a: Ints, b: Ints) -> tuple[TopicHoles, Ints, Ints]:
    """The topic with only the runs of the question, and their places among these."""
    runs = np.unique(np.concatenate((a, b[b != NO_RUN])))
    if len(runs) == topic.runs:
        return topic, a, b
    return of_runs(topic, runs), np.searchsorted(runs, a), np.where(b == NO_RUN, NO_RUN, np.searchsorted(runs, b))


def narrowed_pair(topic: TopicHoles, a: int, b: int) -> tuple[TopicHoles, int, int]:
    """The same for one row."""
    some, first, second = narrowed(topic, np.array([a]), np.array([b]))
    return some, int(first[0]), int(second[0])


def method_of(situation: Situation) -> BoundsMethod:
    """The method that the declaration of the measure allows."""
    from cranfield.missing.bounds.additive import Terms
    from cranfield.missing.bounds.by_subtopic.facets import FacetMeans
    from cranfield.missing.bounds.by_subtopic.global_gain import GlobalGains
    from cranfield.missing.bounds.by_subtopic.novelty import NoveltyRatios
    from cranfield.missing.bounds.enumeration import Enumeration, ListLengths
    from cranfield.missing.bounds.exchange import AveragePrecisions, Exchanges
    from cranfield.missing.bounds.extremes import Extremes
    from cranfield.missing.bounds.ideal import SharesOfIdeal
    from cranfield.missing.bounds.interpolated import InterpolatedPrecisions
    from cranfield.missing.bounds.lists import SearchLengths
    from cranfield.missing.bounds.outer import RisingQuotients, ThresholdAverages
    from cranfield.missing.bounds.parts import PartExtremes
    from cranfield.missing.bounds.walks import UserWalks

    measure = situation.measure
    rule: BoundsRule = measure.definition.bounds
    if not rule.holds(int(np.count_nonzero(situation.levels > 0)), **measure.arguments):
        return Enumeration(situation)
    match rule:
        case Additive():
            return Terms(situation)
        case OverIdeal():
            over_ideal = SharesOfIdeal(situation, rule)
            return over_ideal if over_ideal.suitable else Enumeration(situation)
        case Exchange(precisions=True):
            return AveragePrecisions(situation)
        case Exchange(interpolated=True):
            return InterpolatedPrecisions(situation)
        case Exchange():
            return Exchanges(situation)
        case Monotone():
            return Extremes(situation)
        case OverRisingIdeal():
            return RisingQuotients(situation, rule)
        case ThresholdBounds():
            shares = rule.shares(situation.top_grade, **measure.arguments)
            return Enumeration(situation) if shares is None else ThresholdAverages(situation, rule, shares)
        case TwoParts():
            return PartExtremes(situation)
        case SearchLength():
            return SearchLengths(situation)
        case Limited():
            return ListLengths(situation)
        case WalkBounds():
            return UserWalks(situation, rule.quantity)
        case FacetBounds():
            return FacetMeans(situation, rule)
        case NoveltyBounds():
            return NoveltyRatios(situation, rule)
        case GlobalGainBounds():
            return GlobalGains(situation, rule)
        case _:
            return Enumeration(situation)
