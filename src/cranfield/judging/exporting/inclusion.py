"""With which probability a pair came into the lab, where several queues hold it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Membership:
    """A pair in a queue; the probability is None if it was chosen by looking at judgments."""

    queue: int
    needed: int = 1
    stratum: str = ""
    probability: float | None = 1.0


@dataclass(frozen=True)
class Included:
    """What all queues together say of a pair."""

    queues: tuple[int, ...]
    needed: int
    stratum: str
    probability: float | None


def included(members: Sequence[Membership]) -> Included:
    """The stratum of the first queue, and the probability that one of them holds the pair.

    A pair that some queue was certain to hold is in the lab whatever the others did. Queues that were drawn at random
    are taken to be drawn independently.

    >>> included([Membership(1, 1, "s", 0.5), Membership(2, 2, "t", 0.5)])
    Included(queues=(1, 2), needed=2, stratum='s', probability=0.75)
    >>> included([Membership(1, 1, "s", 0.5), Membership(2, 1, "swing", None)]).probability is None
    True
    >>> included([Membership(1, 1, "swing", None), Membership(2, 1, "depth20", 1.0)]).probability
    1.0
    """
    chances = [member.probability for member in members]
    known = [chance for chance in chances if chance is not None]
    unknown = len(known) < len(chances)
    probability = None if unknown and 1.0 not in known else 1.0 if unknown else 1 - prod(1 - each for each in known)
    adaptive = next((member.stratum for member in members if member.probability is None), "")
    first = members[0].stratum if members else ""
    return Included(
        queues=tuple(member.queue for member in members),
        needed=max((member.needed for member in members), default=0),
        stratum=adaptive if probability is None else first,
        probability=probability if members else 1.0,
    )
