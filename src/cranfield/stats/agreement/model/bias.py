"""Bias: how much higher systems, and groups of systems, score under the model's labels than under the people's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.stats.agreement.model.mean_difference import MeanDifference, mean_differences


@dataclass(frozen=True)
class GroupBias:
    """The bias of a group of systems, and how far it exceeds that of all other systems.

    Attributes:
        group: its name.
        runs: its systems.
        bias: the mean over topics of the mean bias of its systems.
        above_others: this bias minus that of the systems outside the group; undefined if there are none.
    """

    group: str
    runs: tuple[str, ...]
    bias: MeanDifference
    above_others: MeanDifference

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "group": self.group,
            "runs": list(self.runs),
            **self.bias.as_dict("bias"),
            "above_others": self.above_others.as_dict("difference"),
        }


@dataclass(frozen=True)
class GroupDifference:
    """How much more the model's labels raise the first of two groups of systems than the second."""

    groups: tuple[str, str]
    difference: MeanDifference

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"groups": list(self.groups), **self.difference.as_dict("difference")}


@dataclass(frozen=True)
class Biases:
    """The bias of every system, of every group, and between every two groups."""

    systems: tuple[MeanDifference, ...]
    groups: tuple[GroupBias, ...] = ()
    group_differences: tuple[GroupDifference, ...] = ()


def biases(
    runs: Sequence[str], differences: Floats, groups: Mapping[str, str] | None, samples: int, seed: int
) -> Biases:
    """The biases, of `differences[run, topic]`: the score under the model's labels minus that under the people's.

    Topics are resampled alike for all systems and groups. A run without a group is a group of its own.

    >>> found = biases(["a", "b", "c"], np.array([[0.1, 0.3], [0.2, 0.2], [0.0, 0.0]]), {"a": "G", "b": "G"}, 100, 0)
    >>> [round(system.value, 4) for system in found.systems]
    [0.2, 0.2, 0.0]
    >>> [(each.group, each.runs, round(each.bias.value, 4)) for each in found.groups]
    [('G', ('a', 'b'), 0.2), ('c', ('c',), 0.0)]
    >>> found.group_differences[0].groups, round(found.group_differences[0].difference.value, 4)
    (('G', 'c'), 0.2)
    """
    if groups is None:
        return Biases(tuple(mean_differences(differences, samples, seed)))
    of = [groups.get(run, run) for run in runs]
    names = list(dict.fromkeys(of))
    member = np.array([[name == own for own in of] for name in names], dtype=np.float64)  # [group, run]
    inside, outside = _means(member, differences), _means(1 - member, differences)
    couples = list(combinations(range(len(names)), 2))
    between = [inside[one] - inside[other] for one, other in couples]
    found = mean_differences(np.array([*differences, *inside, *(inside - outside), *between]), samples, seed)
    systems, found = found[: len(runs)], found[len(runs) :]
    own, others, two = found[: len(names)], found[len(names) : 2 * len(names)], found[2 * len(names) :]
    members = [tuple(run for run, group in zip(runs, of, strict=True) if group == name) for name in names]
    return Biases(
        tuple(systems),
        tuple(map(GroupBias, names, members, own, others)),
        tuple(
            GroupDifference((names[one], names[other]), difference)
            for (one, other), difference in zip(couples, two, strict=True)
        ),
    )


def _means(member: Floats, differences: Floats) -> Floats:
    """`[group, topic]`: the mean over those systems of a group that have a value."""
    known = ~np.isnan(differences)
    return ratio(member @ np.where(known, differences, 0.0), member @ known)
