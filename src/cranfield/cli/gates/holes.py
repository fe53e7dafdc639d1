"""What is missing, for conditions about what missing judgments could change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.cli.options.scoring import ScoredRuns
    from cranfield.missing.result import Holes
    from cranfield.reporting.gates.condition import Gate


def holes_for(gates: "Sequence[Gate]", scored: "ScoredRuns", policy: "Policy", universe: str) -> "Holes | None":
    """What is missing for the measures of the conditions; None if no condition needs it."""
    measures = tuple(dict.fromkeys(gate.measure for gate in gates if gate.possible and gate.measure))
    if not measures:
        return None
    from cranfield.errors.warning import kept
    from cranfield.missing.holes import holes

    with kept():  # warnings of files that were read before
        sources = scored.sources._replace(seen=lambda *_: None)
        policy = policy.with_(unjudged="nonrelevant") if policy.ranged else policy
        return holes(scored.qrels, sources, measures, policy=policy, universe=universe)
