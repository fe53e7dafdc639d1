"""`Scores.check` and `Comparison.check`: conditions that must hold, checked from Python."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.wording import verb
from cranfield.reporting.gates.condition import Gate, parse_gate
from cranfield.reporting.gates.observed import judge
from cranfield.reporting.gates.pair import check_pair_gate, judge_pair
from cranfield.tables.side.gates import GateResult, GateVerdict, checker_of

if TYPE_CHECKING:
    from cranfield.missing.result import Holes
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.scores import Scores


@checker_of("scores")
def check_scores(scores: "Scores", conditions: Sequence[str], universe: str) -> GateResult:
    """The verdicts on what must hold of scores."""
    gates = gates_on(scores, conditions, "evaluate")
    missing = _holes(gates, scores, universe)
    return GateResult(tuple(_judged(gate, scores, missing) for gate in gates), scores.sheet().notes)


@checker_of("comparison")
def check_comparison(comparison: "Comparison", conditions: Sequence[str], universe: str) -> GateResult:
    """The verdicts on what must hold of a comparison: of its scores, and of runs and their baselines."""
    scores, method = comparison.scores, comparison.method
    gates = gates_on(scores, conditions, "compare")
    for gate in gates:
        if gate.pair:
            check_pair_gate(gate, bool(comparison.baselines), method.test != "none" or bool(method.posthoc))
    missing = _holes(gates, scores, universe)
    pairs = {frozenset((pair.run, pair.baseline)) for pair in comparison.pairs(comparison.measures[0])}
    verdicts = [
        judge_pair(gate, comparison, gate.name) if gate.pair else _judged(gate, scores, missing, pairs)
        for gate in gates
    ]
    return GateResult(tuple(verdicts), comparison.sheet().notes)


def _judged(
    gate: Gate, scores: "Scores", missing: "Holes | None", pairs: "set[frozenset[str]] | None" = None
) -> GateVerdict:
    if missing is not None and gate.possible:
        from cranfield.reporting.gates.possible import judge_possible

        return judge_possible(gate, missing, gate.name, pairs)
    return judge(gate, scores, scores.measures.index(gate.name) if gate.name else None)


def gates_on(scores: "Scores", conditions: Sequence[str], verb_name: str, *, grouped: bool = False) -> list[Gate]:
    """The conditions, read; each measure is one that the scores hold."""
    if not conditions:
        raise PolicyError("E242", "no condition was given", hint='write scores.check("nDCG@10 >= 0.6")')
    names = scores.measures
    read = [parse_gate(text, verb_name, required=True, names=names, grouped=grouped) for text in conditions]
    return [_held(scores, gate) for gate in read]


def _held(scores: "Scores", gate: Gate) -> Gate:
    """The condition with the name that its measure has in the scores."""
    if not gate.name or gate.name in scores.measures:
        return gate
    level = scores.audit.policies.get("rel", 1)
    leveled = str(gate.measure.at_level(level)) if gate.measure is not None and level != 1 else gate.name
    if leveled in scores.measures:
        return replace(gate, name=leveled)
    near = nearest(gate.name, scores.measures)
    hint = f"did you mean {near}?" if near else f"they have {', '.join(scores.measures)}"
    raise MeasureError("E201", f"the scores do not hold the measure {gate.name!r}", hint=hint)


def _holes(gates: Sequence[Gate], scores: "Scores", universe: str) -> "Holes | None":
    """What is missing for the measures of the conditions, found from the inputs of the scores."""
    measures = list(dict.fromkeys(gate.name for gate in gates if gate.possible))
    if not measures:
        return None
    origin = scores.origin
    if origin is None:
        problem = "lower, upper and undecided need rankings, and these scores do not remember any"
        raise PolicyError("E246", problem, hint=f"{verb('holes')} reads them")
    from cranfield.errors.warning import kept
    from cranfield.missing.holes import holes

    policy = origin.policy.with_(unjudged="nonrelevant") if origin.policy.ranged else origin.policy
    with kept():  # warnings that evaluate gave already
        return holes(origin.qrels, origin.runs, measures, policy=policy, universe=universe)
