"""People judged some topics and a model all of them."""

import numpy as np

from cranfield.align.policy import Policy
from cranfield.errors import InputError
from cranfield.errors.warning import kept, warn
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure
from cranfield.missing.sampled.powered import powered_mean
from cranfield.missing.sampled.run_estimate import RunEstimate, within
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Runs


def by_topics(
    human: Qrels,
    machine: Qrels,
    runs: Runs,
    measures: tuple[Measure, ...],
    policy: Policy,
    tuned: bool,
    level: float,
) -> tuple[int, int, list[RunEstimate]]:
    """How many topics people judged, how many the model alone, and the estimates, run by run."""
    both = [topic for topic in machine.topics if topic in set(human.topics)]
    rest = [topic for topic in machine.topics if topic not in set(human.topics)]
    if not both:
        problem = f"people and the model judged no common topic (people: {human.topics[0] if human.topics else 'none'})"
        raise InputError("E114", problem, path=human.source.name or "people", hint="the model must judge all topics")
    with kept() as notes:
        first = evaluate(human, runs, measures, policy=policy)
    for note in notes:
        if note.code != "W102":  # people judged few topics, which is what this is for
            warn(note)
    second = evaluate(machine, runs, measures, policy=policy)
    here, there = ({topic: place for place, topic in enumerate(scores.topics)} for scores in (first, second))
    found = []
    for run in range(len(runs.members)):
        for column, measure in enumerate(measures):
            y = np.array([first.values[run, here[topic], column] for topic in both])
            f = np.array([second.values[run, there[topic], column] for topic in both])
            g = np.array([second.values[run, there[topic], column] for topic in rest], dtype=np.float64)
            known = ~np.isnan(y) & ~np.isnan(f)
            y, f, g = y[known], f[known], g[~np.isnan(g)]
            joint, alone = powered_mean(y, f, g, tuned=tuned), powered_mean(y, f, g[:0])
            half = student(len(y) - 1, level) * joint.error
            found.append(
                RunEstimate(
                    value=joint.value,
                    error=joint.error,
                    interval=within(measure, joint.value, half),
                    people=alone.value,
                    people_error=alone.error,
                    model=float(np.mean(np.concatenate([f, g]))) if len(f) + len(g) else np.nan,
                    weight=joint.weight,
                )
            )
    return len(both), len(rest), found


def student(freedom: int, level: float) -> float:
    """How many standard errors an interval of Student's t reaches; unknown without a degree of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + level / 2)) if freedom > 0 else np.nan
