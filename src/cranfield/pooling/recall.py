"""Estimate how many relevant documents a pool missed."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from cranfield.errors import PolicyError
from cranfield.errors.ranges import check_confidence


@dataclass(frozen=True)
class RecallEstimate:
    """The estimated number of all relevant documents, with an interval, and the recall that follows."""

    method: str  # how it was estimated
    relevant: float  # relevant documents in all
    interval: tuple[float, float]  # of their number
    found: int  # relevant documents that were found
    level: float  # of confidence

    @property
    def recall(self) -> float:
        """Share of the relevant documents that were found; 1 where nothing is relevant."""
        return _share(self.found, self.relevant)

    @property
    def recall_interval(self) -> tuple[float, float]:
        """The recall at both ends of the interval, from low to high."""
        low, high = self.interval
        return _share(self.found, high), _share(self.found, low)


def wilson(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for a share.

    >>> tuple(round(end, 4) for end in wilson(0, 100))  # the upper end is 1.96² / (100 + 1.96²)
    (0.0, 0.037)
    """
    if not 0 <= successes <= trials or trials == 0:
        raise PolicyError(
            "E240", f"{successes} of {trials} is not a share", hint="a sample needs at least one document"
        )
    check_confidence(level=level)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = successes / trials
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def recall_by_sample(found: int, outside: int, sampled: int, relevant: int, level: float = 0.95) -> RecallEstimate:
    """Recall from a simple random sample of the documents outside the pool.

    Args:
        found: relevant documents in the pool.
        outside: documents that are not in the pool.
        sampled: how many of those were drawn and judged.
        relevant: how many of the drawn ones are relevant.
        level: of Wilson's interval.

    >>> estimate = recall_by_sample(found=80, outside=10_000, sampled=500, relevant=1)
    >>> estimate.relevant, round(estimate.recall, 3)  # 80 + 10,000 · 1/500; 80 of 100
    (100.0, 0.8)
    """
    if sampled > outside:
        raise PolicyError(
            "E240", f"{sampled} of {outside} documents cannot be drawn", hint="sampled is at most outside"
        )
    low, high = wilson(relevant, sampled, level)
    # what was seen is certain: as many are relevant at least, and as many are not
    ends = max(outside * low, relevant), min(outside * high, outside - (sampled - relevant))
    estimate = found + outside * relevant / sampled
    return RecallEstimate("sample of the rest", estimate, (found + ends[0], found + ends[1]), found, level)


def documents_to_sample(prevalence: float, chance: float = 0.95) -> int:
    """How many random documents to judge to find a relevant one with that probability: about 3 / prevalence for 95 %.

    >>> documents_to_sample(0.001)  # ln 0.05 / ln 0.999
    2995
    """
    if not (0 < prevalence <= 1 and 0 < chance < 1):
        raise PolicyError(
            "E240", f"a prevalence of {prevalence:g} and a chance of {chance:g}", hint="both lie between 0 and 1"
        )
    return 1 if prevalence == 1 else math.ceil(math.log1p(-chance) / math.log1p(-prevalence))


def capture_recapture(first: int, second: int, both: int, level: float = 0.95) -> dict[str, RecallEstimate]:
    """Estimate all relevant documents from two independent searches: Lincoln-Petersen, and Chapman's less biased form.

    Lincoln-Petersen is n1 · n2 / m and undefined (infinite) without a common document; Chapman is
    (n1 + 1)(n2 + 1) / (m + 1) - 1. The interval is Chapman's normal one; searches that find the same easy documents
    are not independent, and the number is then too low.

    >>> found = capture_recapture(40, 30, 20)
    >>> found["lincoln-petersen"].relevant, round(found["chapman"].relevant, 4)
    (60.0, 59.5238)
    """
    if not 0 <= both <= min(first, second):
        problem = f"searches with {first} and {second} documents cannot share {both}"
        raise PolicyError("E240", problem, hint="both is at most the smaller number")
    check_confidence(level=level)
    union = first + second - both
    petersen = first * second / both if both else (math.inf if first * second else float(union))
    chapman = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    half = NormalDist().inv_cdf(0.5 + level / 2) * math.sqrt(variance)
    ends = (max(float(union), chapman - half), max(float(union), chapman + half))
    return {
        "lincoln-petersen": RecallEstimate("Lincoln-Petersen", petersen, ends, union, level),
        "chapman": RecallEstimate("Chapman", chapman, ends, union, level),
    }


def _share(found: int, relevant: float) -> float:
    return 1.0 if relevant == 0 else min(1.0, found / relevant)
