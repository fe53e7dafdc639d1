"""Worked examples of a lecture on evaluation: its rankings and tables, and the numbers that belong to them."""

from dataclasses import dataclass
from typing import TypeAlias

SOURCE = "The worked examples of the lecture"
LENGTH = 10  # documents of each ranking
RANKINGS: dict[str, tuple[int, ...]] = {  # the ranks of the relevant documents, all of which are retrieved
    "A": (1, 3, 4, 5, 6, 10),
    "B": (2, 5, 6, 7, 9, 10),
    "C": (1, 6, 10),
    "D": (2, 5, 7),
    "first at 1": (1,),
    "first at 2": (2,),
    "first at 4": (4,),
}
SYSTEMS = {"system 1": ("A", "C"), "system 2": ("B", "D")}  # topic 1, topic 2
FIRSTS: dict[str, tuple[str, ...]] = {
    "1, 2, 4": ("first at 1", "first at 2", "first at 4"),
    "2, 2, 2": ("first at 2",) * 3,
}
GRADES = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)  # of a list; the ideal list is 3, 3, 3, 2, 2, 2, 1
LEVELS = (3, 1, 3, 3)  # documents of grade 0, 1, 2, 3
ASSESSORS = ((300, 20), (10, 70))  # both said relevant, only the first, only the second, neither
RUNS = {"run 1": "abcd", "run 2": "bcef", "run 3": "aegb"}  # pooled to depth 3
MODELS = ("AP", "RR", "SDCG@10", "P@5", "RBP(p=0.8)")  # users


@dataclass(frozen=True)
class Example:
    """A number that a measure has on rankings, or on their mean."""

    item: str
    what: str
    measure: str
    rankings: tuple[str, ...]
    value: float
    digits: int


PrintedRow: TypeAlias = tuple[float, ...]
RECALL = (1 / 6, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 5 / 6, 5 / 6, 5 / 6, 1)
PRECISION = (1, 0.5, 0.6667, 0.75, 0.8, 0.8333, 0.7143, 0.625, 0.5556, 0.6)
INTERPOLATED: dict[str, tuple[float, ...]] = {
    "system 1": (1, 1, 0.9167, 0.9167, 0.5833, 0.5833, 0.5833, 0.5667, 0.5667, 0.45, 0.45),
    "system 2": (0.55, 0.55, 0.55, 0.55, *(0.5143,) * 7),
}
EXAMPLES = (
    *(
        Example("set", f"{name} of A", measure, ("A",), value, 4)
        for name, measure, value in (("precision", "SetP", 0.6), ("recall", "SetR", 1), ("F", "SetF", 0.75))
    ),
    *(Example("P@k, R@k", f"P@{k} of A", f"P@{k}", ("A",), value, 4) for k, value in enumerate(PRECISION, start=1)),
    *(Example("P@k, R@k", f"R@{k} of A", f"R@{k}", ("A",), value, 4) for k, value in enumerate(RECALL, start=1)),
    *(
        Example("AP", f"AP of {name}", "AP", (name,), value, 6)
        for name, value in (("A", 0.775), ("B", 0.521164), ("C", 0.544444), ("D", 0.442857))
    ),
    Example("AP", "MAP of system 1", "AP", SYSTEMS["system 1"], 0.659722, 6),
    Example("AP", "MAP of system 2", "AP", SYSTEMS["system 2"], 0.482011, 6),
    Example("AP", "AP of A, first 5, over R", "AP@5", ("A",), 0.536111, 6),
    Example("AP", "AP of A, first 5, over min(5, R)", "AP(denominator='min')@5", ("A",), 0.643333, 6),
    *(
        Example("11-point", f"11-point average of {name}", "11pt", (name,), value, 6)
        for name, value in (("A", 0.821212), ("B", 0.6), ("C", 0.563636), ("D", 0.454545))
    ),
    *(
        Example("11-point", f"{system} at recall {at / 10:g}", f"IPrec@{at / 10:g}", SYSTEMS[system], value, 4)
        for system, values in INTERPOLATED.items()
        for at, value in enumerate(values)
    ),
    *(
        Example("RR", f"mean RR of first ranks {name}", "RR", FIRSTS[name], value, 6)
        for name, value in (("1, 2, 4", 0.583333), ("2, 2, 2", 0.5))
    ),
    *(
        Example("users", f"{what} of {model}, A", f'{measure}(model="{model}")', ("A",), value, 4)
        for model, values in {
            "AP": (0.775, 2.9268, 2.2683),
            "RR": (1, 1, 1),
            "SDCG@10": (0.6521, 4.5436, 2.9628),
            "P@5": (0.8, 5, 4),
            "RBP(p=0.8)": (0.6047, 5, 3.0235),
        }.items()
        for what, measure, value in zip(
            ("score", "documents read", "gain in all"), ("EU", "ED", "ETU"), values, strict=True
        )
    ),
)

# DCG with gain 2^grade - 1 and discount log2(rank + 1)
DCG: dict[str, tuple[float, ...]] = {
    "DCG": (7, 8.8928, 12.3928, 12.3928, 12.3928, 12.749, 13.749, 14.6954, 16.8026, 16.8026),
    "ideal DCG": (7, 11.4165, 14.9165, 16.2085, 17.3691, 18.4377, *(18.7711,) * 4),
    "nDCG": (1, 0.7789, 0.8308, 0.7646, 0.7135, 0.6915, 0.7325, 0.7829, 0.8951, 0.8951),
}
F_MEASURES = {(94, 26): 0.4073, (99, 92): 0.9537}  # per cent of precision and recall -> F
AREAS = {"A": (0.775, 0.822222), "B": (0.521164, 0.6)}  # under the steps, and under their envelope
AGREEMENT = {"raw": 0.925, "scott": 0.775910, "cohen": 0.776119, "overlap": 0.909091}
POOL = {"documents in the pool": 5, "only in run 3": 1, "in two lists or more": 4}

# What the lecture itself prints, rounded as there: item, what, number, digits
PRINTED = (
    ("set", "F of precision 94 %, recall 26 %", 0.40, 2),
    ("AP", "AP of A", 0.78, 2),
    ("AP", "MAP of system 1", 0.66, 2),
    ("AP", "MAP of system 2", 0.48, 2),
    ("11-point", "11-point average of A", 0.82, 2),
    ("11-point", "11-point average of B", 0.6, 1),
    ("agreement", "scott", 0.776, 3),
)
