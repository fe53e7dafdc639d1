"""The published user models, each as one function: the probability of going on after a rank."""

from typing import TypeAlias

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.errors import MeasureError
from cranfield.measures.users.cwl import PAD, UserModel
from cranfield.measures.users.walk import Law

Depth: TypeAlias = int | str  # how far lists are continued by documents without gain, or INFINITE
INFINITE = "infinite"


def model_of(measure: object) -> UserModel:
    """The model behind a measure.

    >>> model_of("P@3").functions([1, 0, 1, 1]).W.round(3)
    array([0.333, 0.333, 0.333])
    """
    from cranfield.measures.grammar import parse

    found = parse(measure)
    model = found.definition.model
    if model is None:
        raise MeasureError(
            "E203",
            f"{found.definition.name} is not the score of a user model",
            hint=f"one of {', '.join(with_model())}",
        )
    return model(**found.arguments)


def with_model() -> list[str]:
    """The names of the measures that are the score of a user model."""
    from cranfield.measures.definition import MEASURES

    return sorted(name for name, definition in MEASURES.items() if definition.model is not None)


def precision_model(*, cutoff: int, **_: object) -> UserModel:
    """P: every user reads *k* documents."""
    return UserModel(lambda: 1.0, cutoff=cutoff)


def rank_biased_model(*, p: float, cutoff: int | None = None, **_: object) -> UserModel:
    """RBP: one probability for all ranks."""
    if cutoff is not None:
        raise MeasureError(
            "E203", f"RBP@{cutoff} leaves out gains, it is not the score of a user model", hint="use RBP"
        )
    return UserModel(lambda: p, pad=0, tail=lambda: 1 / (1 - p))


def reciprocal_rank_model(*, cutoff: int | None = None, **_: object) -> UserModel:
    """RR: reading on until something is relevant, or the list ends."""
    return UserModel(lambda gain: gain <= 0, pad=0, cutoff=cutoff, tail=None if cutoff else lambda gain: gain)


def average_precision_model(*, cutoff: int | None = None, **_: object) -> UserModel:
    """AP: stopping at one of the relevant documents found, each as probable as any other.

    The user must know what is still to come. The score is AP if every relevant document is found; AP divides by all
    relevant documents, which no user who reads the list can know.
    """

    def going_on(i: Floats, gain: Floats) -> Floats:
        still_to_come = np.cumsum((gain / i)[:, ::-1], axis=1)[:, ::-1]
        after = np.concatenate((still_to_come[:, 1:], np.zeros((len(gain), 1))), axis=1)
        return np.divide(after, still_to_come, out=np.zeros_like(after), where=still_to_come > 0)

    return UserModel(going_on, pad=0, cutoff=cutoff)


def scaled_gain_model(*, cutoff: int, **_: object) -> UserModel:
    """SDCG: the discount of DCG as attention, down to rank *k*."""
    return UserModel(W=lambda i: 1 / np.log2(i + 1), cutoff=cutoff)


def inst_model(*, T: float, pad: Depth, **_: object) -> UserModel:
    """INST: going on is more probable the further down, and the more is still wanted of *T*."""
    return _with_tail(
        lambda i, total_gain: _squared(i + 2 * T - total_gain),
        # a document with gain 1 leaves i - total_gain as it is, so C stays the same
        lambda i, total_gain, gain: _after(i + 2 * T - total_gain, constant=gain > 0),
        pad,
    )


def insq_model(*, T: float, pad: Depth, **_: object) -> UserModel:
    """INSQ: INST without regard to what was found."""
    return _with_tail(lambda i: _squared(i + 2 * T), lambda i: _after(i + 2 * T), pad)


def bejewelled_model(*, T: float, hb: float, hc: float, med: float, cutoff: int, **_: object) -> UserModel:
    """BPM: reading until the gain reaches *T* or the cost reaches *K*; limits move after each decision."""

    def going_on(total_gain: Floats, total_cost: Floats, gain: Floats) -> Bools:
        moved = np.cumsum(gain - med, axis=1) - (gain - med)  # by the documents above
        return (total_gain < T + hb * moved) & (total_cost < cutoff + hc * moved)

    return UserModel(going_on, pad=cutoff if hc == 0 else max(PAD, cutoff))


def nerr8_model(*, cutoff: int, **_: object) -> UserModel:
    """NERR8: going on if the document did not satisfy."""
    return UserModel(lambda gain: 1 - gain, cutoff=cutoff)


def nerr9_model(*, cutoff: int, **_: object) -> UserModel:
    """NERR9: and if the next rank is still worth the effort, as 1/i would have it."""
    return UserModel(lambda i, gain: i / (i + 1) * (1 - gain), cutoff=cutoff)


def nerr10_model(*, p: float, pad: Depth, **_: object) -> UserModel:
    """NERR10: as RBP, if the document did not satisfy."""
    return _with_tail(lambda gain: p * (1 - gain), lambda gain: np.where(gain > 0, 1, 1 / (1 - p)), pad)


def nerr11_model(*, T: float, pad: Depth, **_: object) -> UserModel:
    """NERR11: as INSQ, if the document did not satisfy."""
    return _with_tail(
        lambda i, gain: _squared(i + 2 * T) * (1 - gain),
        lambda i, gain: np.where(gain > 0, 1, _after(i + 2 * T)),
        pad,
    )


def goal_model(*, T: float, b1: float, R1: float, pad: int, **_: object) -> UserModel:
    """IFT goal: going on until *T* was gained, the less sharply the smaller *R1*."""
    return UserModel(lambda total_gain: _logistic((T - total_gain) * R1, b1), pad=pad)


def rate_model(*, A: float, b2: float, R2: float, pad: int, **_: object) -> UserModel:
    """IFT rate: going on while each unit of cost brings a gain of *A*, the less sharply the smaller *R2*."""
    return UserModel(lambda total_gain, total_cost: _logistic((total_gain / total_cost - A) * R2, 1 / b2), pad=pad)


def foraging_model(
    *, T: float, b1: float, R1: float, A: float, b2: float, R2: float, pad: int, **_: object
) -> UserModel:
    """IFT: goal and rate together."""

    def going_on(total_gain: Floats, total_cost: Floats) -> Floats:
        return _logistic((T - total_gain) * R1, b1) * _logistic((total_gain / total_cost - A) * R2, 1 / b2)

    return UserModel(going_on, pad=pad)


def _with_tail(going_on: Law, tail: Law, pad: Depth) -> UserModel:
    """A model without a last rank: continued up to a rank, or by the sum over all further ranks."""
    return UserModel(going_on, pad=0, tail=tail) if pad == INFINITE else UserModel(going_on, pad=int(pad))


def _squared(x: Floats) -> Floats:
    return ((x - 1) / x) ** 2


def _logistic(x: Floats, b: float) -> Floats:
    """1 - 1 / (1 + b e^x), without overflow."""
    return 1 / (1 + np.exp(np.clip(-x, -700, 700)) / b)


def _after(x: Floats, constant: Floats | bool = False) -> Floats:
    r"""How many documents are read from $C = ((x - 1) / x)^2$ on: if *x* grows by 1 with each, or stays.

    The first is $x^2 \sum_{j \ge 0} (x + j)^{-2}$: twenty terms, and the asymptotic series of the rest.
    """
    near = sum(1 / (x + j) ** 2 for j in range(20))
    z = x + 20.0
    growing = x**2 * (near + 1 / z + 1 / (2 * z**2) + 1 / (6 * z**3) - 1 / (30 * z**5) + 1 / (42 * z**7))
    return np.where(constant, x**2 / (2 * x - 1), growing)
