"""Measures of one's own: a function of one ranking becomes a definition like any other."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.ranking import Ranking, rankings_of
from cranfield.arrays import Floats
from cranfield.errors import MeasureError
from cranfield.measures.definition import MEASURES, define

F = TypeVar("F", bound=Callable[[Ranking], float])


def measure(name: str, *, params: Mapping[str, Any] | None = None, cutoff: bool = False) -> Callable[[F], F]:
    """Make a function of one `Ranking` available to the parser, the command line and studies.

    Args:
        name: how it is written.
        params: its parameters with their defaults.
        cutoff: whether it is written with a cut-off, `NAME@k`.

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

    def register(function: F) -> F:
        def of_hits(hits: Hits, **parameters: Any) -> Floats:  # noqa: ANN401  # declared by the caller
            values = [_number(name, function(ranking)) for ranking in rankings_of(hits, parameters)]
            return np.array(values, dtype=np.float64)

        of_hits.__doc__ = function.__doc__
        keyword = inspect.Parameter.KEYWORD_ONLY
        declared = [inspect.Parameter(p, keyword, default=default) for p, default in (params or {}).items()]
        if cutoff:
            declared.append(inspect.Parameter("cutoff", keyword))
        hits = inspect.Parameter("hits", inspect.Parameter.POSITIONAL_ONLY)
        of_hits.__signature__ = inspect.Signature([hits, *declared])  # type: ignore[attr-defined]  # functions take it
        if MEASURES.find(name) is not None and MEASURES.find(name) is MEASURES.get(name):
            if MEASURES[name].family != "own":
                raise MeasureError("E203", f"the name {name!r} is taken by a built-in measure", hint="choose another")
            MEASURES.remove(name)
        define(
            name,
            family="own",
            low=-np.inf,
            high=np.inf,
            swap="none",
            unjudged="Decided by its author, through grades(default=…).",
        )(of_hits)
        return function

    return register


def forget(name: str) -> None:
    """Remove a measure of one's own.

    >>> import cranfield as cf
    >>> @cf.measure("Constant")
    ... def constant(r: cf.Ranking) -> float:
    ...     return 1.0
    >>> cf.forget("Constant")
    """
    if name not in MEASURES or MEASURES[name].family != "own":
        raise MeasureError("E201", f"{name!r} is not a measure of your own")
    MEASURES.remove(name)


def _number(name: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # whatever the user's function returned
    except (TypeError, ValueError):
        raise MeasureError("E203", f"{name} returned {value!r}, which is not a number") from None
