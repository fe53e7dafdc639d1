"""User-defined user models: turn a function of the rank into a measure like any other."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.errors import MeasureError
from cranfield.errors.arguments import checked
from cranfield.measures.definition import REQUIRED, define
from cranfield.measures.facts.looks_at import UserAttention
from cranfield.measures.families.user.patience import GAIN
from cranfield.measures.own import make_room
from cranfield.measures.users.cwl import PAD, UserModel
from cranfield.measures.users.dense import share
from cranfield.measures.users.walk import KNOWN, Law

F = TypeVar("F", bound=Law)
GAINS = ("rel", "max_rel", "gains")


def user_model(
    name: str,
    *,
    params: Mapping[str, Any] | None = None,
    gives: Literal["C", "W", "L"] = "C",
    pad: int = PAD,
    cutoff: bool = False,
) -> Callable[[F], F]:
    """Make a model of a user, written as one function, a measure: its value is the expected utility.

    Args:
        name: how it is written.
        params: its parameters with their defaults.
        gives: what the function returns for each rank: the probability of going on (C), attention (W), or the
            probability that it is the last one read (L); see `UserModel` for its arguments.
        pad: the rank to which lists are continued by documents without gain.
        cutoff: whether it is written with a cut-off, `NAME@k`, at which every user stops.

    Returns:
        A decorator. Besides its parameters the measure takes `rel`, `max_rel` and `gains`, as RBP and SDCG do.

    >>> import cranfield as cf
    >>> @cf.user_model("Hasty", params={"p": 0.5})
    ... def hasty(i, gain, p):
    ...     '''Stops when satisfied, else goes on with probability p.'''
    ...     return p * (1 - gain)
    >>> qrels, run = {"q": {"a": 0, "b": 1}}, {"q": {"a": 9.0, "b": 8.0}}
    >>> cf.evaluate(qrels, run, ["Hasty", "ED(model='Hasty')"]).means.round(4)  # 1/2 / (1 + 1/2), 1 + 1/2
    array([[0.3333, 1.5 ]])
    >>> cf.UserModel.of("Hasty(p=0.2)").functions([0, 1]).C[:3]  # no user reaches rank 3
    array([0.2, 0. , 0. ])
    >>> cf.forget("Hasty")
    """
    own = dict(params or {})
    taken = next((p for p in own if p in (*KNOWN, *GAINS, "cutoff")), None)
    if taken is not None:
        raise MeasureError("E203", f"{name}: {taken!r} has a meaning already", hint="give the parameter another name")

    def register(function: F) -> F:
        def model(cutoff: int | None = None, **parameters: Any) -> UserModel:  # declared by the caller
            law = partial(function, **{p: parameters[p] for p in own})
            laws: dict[str, Law] = {gives: law}
            return UserModel(laws.get("C"), W=laws.get("W"), L=laws.get("L"), pad=pad, cutoff=cutoff)

        def of_hits(hits: Hits, **parameters: Any) -> Floats:  # declared by the caller
            return model(**parameters).utility(hits, share(hits, *(parameters[p] for p in GAINS)))

        model(**own)  # a function with an unknown parameter is found now
        of_hits.__doc__ = function.__doc__
        keywords = own | dict.fromkeys(GAINS) | ({"cutoff": REQUIRED} if cutoff else {})
        make_room(name)
        define(
            name, family="own", swap="none", domain=GAIN, model=model, keywords=keywords, looks_at=UserAttention(model)
        )(of_hits)
        return function

    return checked(register, "user_model")
