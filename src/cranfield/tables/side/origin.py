"""What scores were made of, so that more can be found out from the same inputs."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores


class ScoresOrigin(NamedTuple):
    """What scores were made of: the objects and paths as they were given, no copies.

    Attributes:
        qrels: whatever `as_qrels` takes.
        runs: whatever `as_sources` takes.
        policy: the choices that shaped the numbers.
        collapse: how subtopics of a document became its one grade.
    """

    qrels: Any
    runs: Any
    policy: Any  # a Policy; its class stands further right
    collapse: str | None = None

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        """Scores that are pickled forget their inputs."""
        return _forgotten, ()


def _forgotten() -> None:
    return None


def with_possible(scores: "Scores", universe: str, seed: int) -> "Scores":
    """The scores with the ranges that their policy `unjudged` asks for."""
    origin = scores.origin
    if origin is None:
        return scores
    from cranfield.tables.side.possible import RANGES

    found = RANGES[origin.policy.unjudged](scores, origin, universe, seed)
    audit = replace(scores.audit, policies={**scores.audit.policies, "universe": universe})
    return replace(scores, possible=found, audit=audit)
