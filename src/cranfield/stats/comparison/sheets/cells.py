"""Cells of tables of pairs that are more than a number, and conditions for showing a column."""

import math
from typing import TYPE_CHECKING

import numpy as np

from cranfield.tables.sheets.marked import DOUBT, UNJUDGED, probability
from cranfield.tables.sheets.numerals import minus

if TYPE_CHECKING:
    from cranfield.stats.comparison.evidence import Evidence
    from cranfield.stats.comparison.method import Method
    from cranfield.stats.comparison.pair import Pairs


HOLES = "a difference may come from unjudged documents"
REVERSES, EQUALS = "could reverse it", "could make them equal"  # where more is known of unjudged documents
MOREOVER = "; moreover "  # between the warning of few topics and that of unjudged documents


def warned_of(warning: str) -> tuple[str, str]:
    """The two parts of a warning: of few topics, and of unjudged documents.

    >>> warned_of(f"only 4 topics differ{MOREOVER}a 50.0 % judged, b 90.0 %: {HOLES}")[0]
    'only 4 topics differ'
    """
    about = warning.endswith((HOLES, REVERSES, EQUALS))
    few, _, holes = warning.rpartition(MOREOVER) if about else (warning, "", "")
    return few, holes


def marks(warning: str) -> str:
    """The marks after the star of a pair.

    >>> marks(""), marks("only 4 topics differ"), marks(f"a 50.0 % judged, b 90.0 %: {HOLES}")
    ('', '†', '‡')
    """
    few, holes = warned_of(warning)
    return DOUBT * bool(few) + UNJUDGED * bool(holes)


def probabilities(pairs: "Pairs", method: "Method") -> list[str | None]:
    """Corrected p values, starred if significant, and marked if that star is doubtful; else that of permutations."""
    stars = ["*" * bool(star) + marks(warning) for star, warning in zip(pairs.significant, pairs.warning, strict=True)]
    flips = [permuted(p, method.alpha) for p in pairs.permutation_p]
    return [_marked(p, mark, method.alpha) or flip or None for p, mark, flip in zip(pairs.p, stars, flips, strict=True)]


def permuted(p: float, alpha: float) -> str:
    """The p of the permutation test in place of one that does not exist; empty if it is not known.

    >>> permuted(0.0625, 0.05), permuted(math.nan, 0.05)
    ('perm. 0.062', '')
    """
    return "" if math.isnan(p) else f"perm. {probability(p, alpha)}"


def equivalences(pairs: "Pairs", method: "Method") -> list[str | None]:
    """The p values of the test of equivalence."""
    return [] if pairs.equivalence_p is None else [_marked(p, "", method.alpha) for p in pairs.equivalence_p]


def spans(pairs: "Pairs", _: "Method") -> list[str | None]:
    """Both ends of the intervals."""
    return [None if np.isnan(ends).any() else minus(f"[{ends[0]:+.4f}, {ends[1]:+.4f}]") for ends in pairs.ci]


def tallies(pairs: "Pairs", _: "Method") -> list[str]:
    """Wins, ties and losses."""
    return ["/".join(map(str, each)) for each in zip(pairs.wins, pairs.ties, pairs.losses, strict=True)]


def of_means(found: "Evidence") -> bool:
    """Whether averages are means."""
    return found.average in ("mean", "micro", "weighted")


def not_of_sums(found: "Evidence") -> bool:
    """Whether the measure is not a sum."""
    return found.average != "sum"


def tested(found: "Evidence") -> bool:
    """Whether there are p values."""
    return found.tested


def topics_differ(found: "Evidence") -> bool:
    """Whether some pairs have more topics in common than others."""
    return len(set(found.pairs.topics.tolist())) > 1


def _marked(p: float, mark: str, alpha: float) -> str | None:
    return None if math.isnan(p) else probability(p, alpha) + mark
