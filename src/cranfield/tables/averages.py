"""How many topics become one number: every way there is, said once and in words."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores

Average = Literal["mean", "sum", "geometric", "micro", "median", "weighted"]  # what became of the topics of a measure
Averaging = Literal["macro", "micro", "median"]  # what a caller chooses; a measure may be a sum by definition
MeanIntervalMethod = Literal["t", "bootstrap"]  # of the interval of such a number

AVERAGES: dict[Average, str] = {
    "mean": "mean over the topics",
    "sum": "sum over the topics",
    "geometric": "geometric mean over the topics",
    "micro": "ratio of the sums over the topics",
    "median": "median over the topics",
    "weighted": "mean over the topics by their weights",
}
AVERAGING: dict[Averaging, str] = {
    "macro": "mean over topics, or as the measure is defined",
    "micro": "ratio of the sums over topics",
    "median": "median over topics",
}


F = TypeVar("F", bound="Callable[..., Scores]")
MEAN_INTERVALS: "Final[Registry[Callable[..., Scores]]]" = Registry("interval", "cranfield.stats")  # found when asked


def intervals_of(what: str) -> Callable[[F], F]:
    """Register the function below, which adds intervals to scores: scores may not import statistics."""

    def add(function: F) -> F:
        MEAN_INTERVALS.add(what, function, home=function.__module__)
        return function

    return add


def refuse_t_interval(ci: str, average: str) -> None:
    """Refuse Student's interval, which is that of a mean, where medians are given.

    >>> refuse_t_interval("bootstrap", "median")
    >>> refuse_t_interval("t", "median")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E244: ci="t" is an interval of a mean, and average="median" was asked for
      hint: ci="bootstrap"
    """
    if (ci, average) == ("t", "median"):
        problem = f"{setting('ci', 't')} is an interval of a mean, and {setting('average', 'median')} was asked for"
        raise PolicyError("E244", problem, hint=setting("ci", "bootstrap"))
