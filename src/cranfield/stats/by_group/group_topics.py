"""Group the topics of scores: by a mapping, by a file, or by a field of the topics."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import one_of
from cranfield.stats.by_group.grouped import GroupedScores, GroupInterval
from cranfield.stats.by_group.topic_groups import TopicGroups
from cranfield.stats.weights.weighted import WEIGHTED
from cranfield.tables.averages import MeanIntervalMethod
from cranfield.tables.scores import Scores

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from cranfield.read.sources.content import Readable
    from cranfield.tables.side.topics import Topics


def by_group(
    scores: Scores,
    groups: "Mapping[str, str | Iterable[str]] | str | os.PathLike[str]",
    *,
    topics: "Topics | Readable | None" = None,
    ci: GroupInterval = "none",
    seed: int = 0,
) -> GroupedScores:
    """The scores by group of topics: means, intervals and tests in each group, and the mean of the groups.

    Every group counts alike in the mean of groups, however many topics it has. Its interval is that of a stratified
    sample: topics are random within each group, and the groups are fixed.

    Args:
        scores: what `evaluate` made.
        groups: `{topic: group}`, `{group: topics}`, or a file with a topic and its group on each line (TSV, CSV, JSON).
            A topic belongs to one group at most; those in none are named in a warning, and are in no group's mean.
        topics: a file or table of topics; `groups` is then the name of one of its fields.
        ci: the 95 % intervals of the means: `t`, `bootstrap` over topics, or `none`.
        seed: of resampled topics.

    Returns:
        The scores by group: `compare` tests the differences in each of them.

    >>> import cranfield as cf
    >>> scores = cf.evaluate(
    ...     {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": ["a"], "q2": ["b"], "q3": ["a", "c"]}, "RR"
    ... )
    >>> cf.by_group(scores, {"head": ["q1"], "tail": ["q2", "q3"]}).to_records()[2]["mean"]  # that of the groups
    0.875
    """
    one_of("ci", ci, ("none", *get_args(MeanIntervalMethod)))
    refuse_other_averages(scores)
    grouping = _grouping(groups, topics, scores.topics)
    for name, places in zip(grouping.names, grouping.members, strict=True):
        if scores.weights is not None and not scores.weights[0, places].any():
            raise InputError("E119", f"no topic of the group {name!r} has a weight above 0", hint="leave the group out")
    return GroupedScores(scores, grouping, ci, seed)


def _grouping(
    groups: Any, topics: "Topics | Readable | None", names: Sequence[str]
) -> TopicGroups:  # whatever callers give
    """The group of each topic: from a mapping, from a file, or from a field of the topics."""
    if topics is None:
        return TopicGroups.of(groups, names)
    if not isinstance(groups, str):
        problem = f"{type(groups).__name__} is no name of a field of the topics"
        raise PolicyError("E241", problem, hint="leave topics out, or name a field")
    from cranfield.read import read_topics
    from cranfield.tables.side.topics import Topics

    return TopicGroups.of_field(groups, topics if isinstance(topics, Topics) else read_topics(topics), names)


def refuse_other_averages(scores: Scores) -> None:
    """Refuse sums, medians and ratios of sums, of which a mean of groups means nothing."""
    for measure, average in zip(scores.measures, scores.averages, strict=True):
        if average not in ("mean", WEIGHTED):
            problem = f"groups of topics need means, and {measure} is no mean ({average})"
            raise PolicyError("E244", problem, hint=f"leave it out, or {setting('average', 'macro')}")
