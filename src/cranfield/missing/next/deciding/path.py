"""The path of one asker: ask, enter the answer, until a rule says stop."""

from collections.abc import Callable

from cranfield.missing.next.deciding.decider import Decider
from cranfield.missing.next.deciding.steps import Answer, StopReason


def follow(
    decider: Decider, ask: Callable[[str, str], Answer], budget: int | None = None, batch: int = 1
) -> StopReason:
    """Ask for judgments until the rule says stop; why it ended.

    Args:
        decider: the runs; answers are entered there.
        ask: topic and document -> grade, or None.
        budget: most judgments; None: no limit.
        batch: how many grades are requested before the order is computed again.
    """
    asked = 0
    while True:
        why = decider.reason
        if why in (None, "nothing left") and budget is not None and asked >= budget:
            return "budget"
        if why is not None:
            return why
        room = batch if budget is None else min(batch, budget - asked)
        for topic, document in decider.batch(room, apart=False):
            asked += 1
            decider.enter(topic, document, ask(topic, document))
            if decider.reason is not None:
                break
