"""User-defined measures: turn a function of one ranking into a definition like any other."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.ranking import Ranking, rankings_of
from cranfield.arrays import Floats
from cranfield.errors import MeasureError
from cranfield.errors.arguments import checked
from cranfield.measures.definition import MEASURES, REQUIRED, define
from cranfield.measures.facts.bounds import MONOTONE, NO_PROPERTY
from cranfield.registry import one_of

F = TypeVar("F", bound=Callable[[Ranking], float])


def measure(
    name: str,
    *,
    params: Mapping[str, Any] | None = None,
    cutoff: bool = False,
    bounds: Literal["monotone"] | None = None,
) -> Callable[[F], F]:
    """Make a function of one `Ranking` available to the parser, the command line and studies.

    Args:
        name: how it is written.
        params: its parameters with their defaults.
        cutoff: whether it is written with a cut-off, `NAME@k`.
        bounds: `monotone`, if a higher grade of one document never lowers the value: `holes` then needs two completions
            to find its range, and also tries random ones. Otherwise it tries all completions if they are few.

    >>> import cranfield as cf
    >>> @cf.measure("Top", params={"rel": 1}, cutoff=True)
    ... def top(r: cf.Ranking) -> float:
    ...     '''Share of the first k that reaches the grade `rel`.'''
    ...     return (r.grades(default=0)[: r.k] >= r.rel).mean()
    >>> qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"a": 9.0, "b": 8.0}}
    >>> cf.evaluate(qrels, run, ["Top@2", "Top(rel=2)@2"]).means
    array([[1. , 0.5]])
    >>> cf.forget("Top")
    """

    if bounds is not None:
        one_of("bounds", bounds, ("monotone",))

    def register(function: F) -> F:
        def of_hits(hits: Hits, **parameters: Any) -> Floats:  # declared by the caller
            rankings = enumerate(rankings_of(hits, parameters))
            return np.array([_value(name, function, ranking, hits, number) for number, ranking in rankings])

        of_hits.__doc__ = function.__doc__
        make_room(name)
        define(
            name,
            family="own",
            low=-np.inf,
            high=np.inf,
            swap="none",
            unjudged="Decided by its author, through grades(default=…).",
            needs_lists=True,  # a ranking shows every document
            bounds=NO_PROPERTY if bounds is None else MONOTONE,
            keywords=dict(params or {}) | ({"cutoff": REQUIRED} if cutoff else {}),
        )(of_hits)
        return function

    return checked(register, "measure")


def make_room(name: str) -> None:
    """Remove an earlier user-defined measure of this name; the name of a built-in measure is refused."""
    if re.search(r"[\s',()@]", name) or not name:
        hint = "no blanks, commas, quotes, brackets or @"
        raise MeasureError("E203", f"{name!r} cannot be written in a measure", hint=hint)
    taken = MEASURES.find(name)
    if taken is not None and (taken.family != "own" or taken.name != name):
        raise MeasureError("E203", f"the name {name!r} is taken by {taken.name}", hint="choose another")
    if taken is not None:
        MEASURES.remove(name)


def forget(name: str) -> None:
    """Remove a user-defined measure.

    >>> import cranfield as cf
    >>> @cf.measure("Constant")
    ... def constant(r: cf.Ranking) -> float:
    ...     return 1.0
    >>> cf.forget("Constant")
    """
    if name not in MEASURES or MEASURES[name].family != "own":
        raise MeasureError("E201", f"{name!r} is not a measure of your own")
    MEASURES.remove(name)


def _value(name: str, function: Callable[[Ranking], float], ranking: Ranking, hits: Hits, number: int) -> float:
    """The value that the function returns for one ranking; an empty list, or a topic that the run lacks, scores 0."""
    if not ranking.ids:
        return 0.0
    try:
        value = function(ranking)
    except MeasureError:
        raise
    except Exception as error:
        where = f"run {hits.lists.run.name!r}, topic {_topic_name(hits, number)!r}" if hits.lists else "a ranking"
        problem = f"{name} failed for {where}: {type(error).__name__}: {error}"
        raise MeasureError("E203", problem, hint="the fault lies in the function you registered") from error
    try:
        return float(value)
    except (TypeError, ValueError):
        raise MeasureError("E203", f"{name} returned {value!r}, which is not a number") from None


def _topic_name(hits: Hits, number: int) -> str:
    """The topic of a ranking."""
    lists = hits.lists
    return "" if lists is None else lists.run.topics[int(lists.run.topic[lists.row[hits.begin[number]]])]
