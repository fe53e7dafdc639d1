"""Choose what is judged next."""

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.ranges import check_least
from cranfield.errors.wording import setting
from cranfield.missing.next.question import Question
from cranfield.missing.next.result import NextJudgments
from cranfield.missing.next.strategies import named
from cranfield.missing.ranges import Bounder, of_means
from cranfield.missing.situation import ZERO
from cranfield.tables.audit import Audit


def open_pairs(bounder: Bounder, a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """The pairs that are not certain, and not equal, whatever the holes hold."""
    if bounder.average in ("median", "micro"):
        problem = f"means over topics decide pairs, not {setting('average', bounder.average)}"
        raise PolicyError("E243", problem, hint="leave one of them out")
    average = bounder.situation.measure.definition.average
    if average == "geometric":
        alone = of_means(bounder.runs, average)
        low, high = alone.low[a] - alone.high[b], alone.high[a] - alone.low[b]
    else:
        ends = of_means(bounder.of(a, b), average)
        low, high = ends.low, ends.high
    open_ = (low <= ZERO) & (high >= -ZERO) & ((low < -ZERO) | (high > ZERO))
    return a[open_], b[open_]


def choose(question: Question, number: int, strategy: str, asked: int, audit: Audit) -> NextJudgments:
    """The holes that a strategy would judge next.

    Args:
        question: open pairs and holes.
        number: how many holes.
        strategy: its name.
        asked: how many pairs were compared, open or not.
        audit: of the judgments and runs.
    """
    check_least(1, n=number)
    rule = named(strategy)
    value = rule.function(question)
    order = in_order(question, value)[:number]
    pairs = [open_pairs_of(question, hole) for hole in order.tolist()]
    situation, chosen = question.situation, question.holes[order]
    return NextJudgments(
        measure=str(situation.named),
        strategy=rule,
        topics=tuple(situation.topics[topic] for topic in situation.topic[chosen].tolist()),
        documents=tuple(situation.document.take(chosen)),
        value=value[order],
        pairs=np.array(pairs, dtype=np.int64),
        open=len(question.a),
        asked=asked,
        holes=len(question.holes),
        audit=audit,
        question=question,
        chosen=order,
    )


def in_order(question: Question, value: Floats) -> Ints:
    """The holes by value from high to low; equal ones by best rank, then by topic."""
    best = question.candidates.best_rank[question.places]
    return np.lexsort((np.arange(len(value)), best, -value))


def open_pairs_of(question: Question, hole: int) -> int:
    """How many open pairs a hole can change."""
    topic, own = question.place(hole)
    weight = question.present[topic].weight[:, own]
    return int(np.count_nonzero(np.abs(weight[question.a] - weight[question.b]) > ZERO))
