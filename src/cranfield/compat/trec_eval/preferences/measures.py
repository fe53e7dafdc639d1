"""The measures of preferences: which share of them a ranking fulfils, counted in four ways over three sets of pairs.

No suffix: every preference; it is fulfilled if only the preferred document was retrieved, and fails if neither was.
`_imp`: the preferences with at least one document retrieved. `_ret`: those with both.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.compat.trec_eval.columns import PrintedColumn, total
from cranfield.compat.trec_eval.defects import preferred_to_first
from cranfield.compat.trec_eval.entry import Entry
from cranfield.compat.trec_eval.evaluation import Evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure

if TYPE_CHECKING:
    from cranfield.compat.trec_eval.preferences.table import Group, JudgedTopic


def _share(fulfilled: float, possible: float) -> float:
    return fulfilled / possible if possible else 0.0


def _count(function: "Callable[[Group], int]") -> Entry:
    """A number of preferences, over all groups."""

    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        values = [sum(map(function, topic.groups)) for topic in lists.preferences]
        return [PrintedColumn(request.name, np.array(values, dtype=np.float64), "sum")]

    return Entry(calculate, judged="prefs")


def _number(function: "Callable[[JudgedTopic], float]") -> Entry:
    """A measure of a topic."""

    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        return [PrintedColumn(request.name, np.array([function(topic) for topic in lists.preferences]))]

    return Entry(calculate, judged="prefs")


class Scope(NamedTuple):
    """Which preferences count."""

    fulfilled: "Callable[[Group], int]"
    possible: "Callable[[Group], int]"
    among: "Callable[[JudgedTopic, Ints, Ints], Bools]"  # the same for pairs: upper and lower documents are given

    def share(self, groups: "Sequence[Group]") -> float:
        """The share of their preferences that is fulfilled."""
        return _share(sum(map(self.fulfilled, groups)), sum(map(self.possible, groups)))


ALL = Scope(lambda group: group.fulfilled, lambda group: group.possible, lambda topic, upper, lower: upper >= 0)
IMPLIED = Scope(ALL.fulfilled, lambda group: group.implied, lambda topic, upper, lower: upper < topic.retrieved)
RETRIEVED = Scope(
    lambda group: group.only_retrieved.fulfilled,
    lambda group: group.only_retrieved.possible,
    lambda topic, upper, lower: lower < topic.retrieved,
)


def _simple(scope: Scope) -> Entry:
    """All preferences count alike."""
    return _number(lambda topic: scope.share(topic.groups))


def _by_group(share: "Callable[[Group], float]") -> Entry:
    """All judgment groups count alike."""
    return _number(lambda topic: _share(total(np.array([share(group) for group in topic.groups])), len(topic.groups)))


def _by_pair(scope: Scope) -> Entry:
    """All pairs of documents count alike; a pair is worth the share of its preferences that are fulfilled."""

    def mean(topic: "JudgedTopic") -> float:
        if len(topic.groups) == 1 and topic.groups[0].classes:  # a pair has one preference: no need to look at each
            return scope.share(topic.groups)
        upper, lower, agree, differ = topic.pairs
        chosen = scope.among(topic, upper, lower)
        share = agree[chosen] / (agree + differ)[chosen]
        return _share(total(np.where(upper[chosen] < topic.retrieved, share, 0.0)), int(chosen.sum()))

    return _number(mean)


def _as_many_nonrelevant(group: "Group") -> float:
    """The share of a group with R relevant documents, computed as if it had R nonrelevant ones.

    If it has fewer, the missing ones count as not retrieved; if it has more, the first R count.
    """
    relevant = int(group.relevant.sum())
    nonrelevant = len(group.relevant) - relevant
    if nonrelevant > relevant and group.classes:
        return _share(*_first_nonrelevant(group))
    missing = max(relevant - nonrelevant, 0)
    found = int(group.relevant[: group.retrieved].sum())
    return _share(group.fulfilled + found * missing, group.possible + relevant * missing)


def _as_many_retrieved(group: "Group") -> float:
    """The same among the documents retrieved, but added pairs have all relevant documents of the group."""
    near = group.only_retrieved
    found = int(near.relevant.sum())
    missing = max(2 * found - len(near.relevant), 0)
    if len(near.relevant) > 2 * found and group.classes:
        return _share(*_first_nonrelevant(near))
    return _share(near.fulfilled + found * missing, near.possible + int(group.relevant.sum()) * missing)


def _first_nonrelevant(group: "Group") -> tuple[int, int]:
    """Preferences fulfilled and possible with the first R nonrelevant documents only."""
    among = group.only_relevant
    fulfilled, possible = preferred_to_first(group.relevant, group.retrieved)
    return among.fulfilled + fulfilled, among.possible + possible


PREFERENCES: Mapping[str, Entry] = {
    "prefs_num_prefs_poss": _count(ALL.possible),
    "prefs_num_prefs_ful": _count(ALL.fulfilled),
    "prefs_num_prefs_ful_ret": _count(RETRIEVED.fulfilled),
    "prefs_simp": _simple(ALL),
    "prefs_pair": _by_pair(ALL),
    "prefs_avgjg": _by_group(lambda group: ALL.share([group])),
    "prefs_avgjg_Rnonrel": _by_group(_as_many_nonrelevant),
    "prefs_simp_ret": _simple(RETRIEVED),
    "prefs_pair_ret": _by_pair(RETRIEVED),
    "prefs_avgjg_ret": _by_group(lambda group: RETRIEVED.share([group])),
    "prefs_avgjg_Rnonrel_ret": _by_group(_as_many_retrieved),
    "prefs_simp_imp": _simple(IMPLIED),
    "prefs_pair_imp": _by_pair(IMPLIED),
    "prefs_avgjg_imp": _by_group(lambda group: IMPLIED.share([group])),
}
FEW = tuple(PREFERENCES)[:6]  # what the nickname `prefs` stands for
