"""`pool`: choose the topic-document pairs to judge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import CleaningChoices, Policy, WordChoices
from cranfield.arrays import Bools, Floats, Ints, ordinal, segment_size
from cranfield.errors import DataWarning, PolicyError
from cranfield.errors.ranges import out_of_range
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.pooling import sampling
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.contributions import Contributions
from cranfield.pooling.result import Pooled
from cranfield.pooling.strategies import Strategy, in_order, named, random_ones
from cranfield.random_streams import stream
from cranfield.read.groups import as_groups, match_groups
from cranfield.read.objects import as_qrels, as_sources
from cranfield.tables.audit import Audit
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.pool import Pool
from cranfield.tables.source import Input
from cranfield.tables.text import Text
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.read.accepted import GroupsLike, QrelsLike, RunsLike


DEPTH = 100
FROM_QRELS = "qrels"


@dataclass(frozen=True, eq=False)
class _OrderedPairs:
    """Pairs in the order of the pool, with stratum and probability of every candidate."""

    order: Ints
    strata: Sequence[str]
    stratum: Ints
    probability: Floats
    sample: sampling.Sample | None = None


class PoolChoices(WordChoices, CleaningChoices, total=False):
    """The fields of `Policy` as keyword arguments; the depth is that of the pool."""

    rel: float


def pool(
    runs: "RunsLike | None" = None,
    *,
    depth: int | None = None,
    strategy: str = "depth",
    budget: int | None = None,
    rate: float | None = None,
    strata: sampling.StrataLike | None = None,
    qrels: "QrelsLike | None" = None,
    from_qrels: "QrelsLike | None" = None,
    groups: "GroupsLike | None" = None,
    policy: Policy | None = None,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = lambda label, number, total: None,
    **policies: Unpack[PoolChoices],
) -> Pooled:
    """Choose the topic-document pairs to judge.

    Depth and sampled pools are in random order (by seed and topic), so that the order gives an assessor no hint; other
    pools are in the order of the strategy.

    Args:
        runs: the contributing runs: tables, paths, globs, dicts, data frames.
        depth: how far down each list is looked at (100, or the last rank of the strata).
        strategy: `depth`, `rrf` or `borda`, from the runs alone; `mtf`, `maxmean`, `maxmean-ns`, `thompson` or `hedge`,
            which learn from judgments; or `sample`, at random with known probabilities.
        budget: most pairs of a topic; of a sample, the number (or, with `strata="ap"`, the expected number).
        rate: for samples: the share of the candidates of a topic.
        strata: for samples: best ranks and shares such as `"1-10:1,11-50:0.4,51-200:0.1"`, or `"ap"`, where the
            probability follows the weight of ranks in average precision.
        qrels: known judgments. Judged documents are left out of the pool; adaptive strategies learn from the judgments
            instead and keep these documents. To them, an unjudged document is not relevant.
        from_qrels: take the pairs of these qrels, whatever the runs list.
        groups: which run belongs to which group: a mapping, or a file with run and group on each line.
        policy: ties, duplicates, negative grades, `rel`; single ones can be given by name.
        seed: of sampling and order.
        progress: called with (run, number, of how many) before each run.

    >>> runs = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("aegb")}}
    >>> chosen = pool(runs, depth=3)
    >>> sorted(chosen.pairs.document), chosen.uniques()  # only r3 lists g
    (['a', 'b', 'c', 'e', 'g'], {'r1': 0, 'r2': 0, 'r3': 1})
    """
    chosen = (policy or Policy()).with_(**policies)
    chosen.require_one_order("a pool")
    rule = named(strategy)
    layers = _checked(rule, depth, budget, rate, strata, from_qrels is not None)
    deep = min(depth or layers[-1].last, layers[-1].last) if layers else depth or DEPTH
    judged = None if qrels is None else as_qrels(qrels)
    given = None if from_qrels is None else as_qrels(from_qrels)
    opened = () if runs is None else as_sources(runs).open(progress)
    candidates = Candidates.of(opened, deep, chosen, given)
    grade = np.full(len(candidates), np.nan) if judged is None else candidates.grades(judged, chosen)
    adaptive = rule.adaptive
    left_out = np.zeros(len(candidates), dtype=bool) if adaptive or given is not None else ~np.isnan(grade)
    if adaptive and judged is None:
        problem = f"{rule.name} has no judgments to learn from; every document counts as not relevant"
        warn(DataWarning("W121", problem))
    if given is not None:
        found = _of_qrels(candidates, given)
    elif rule.random:
        found = _sampled(candidates, rule, ~left_out, layers, strata, rate, budget, seed)
    else:
        found = _chosen(candidates, rule, ~left_out, grade >= chosen.rel, budget, seed)
    grouped = None if groups is None else as_groups(groups)
    if grouped is not None:
        match_groups(grouped, candidates.runs, groups, every_run=True)
    inside = np.zeros(len(candidates), dtype=bool)
    inside[found.order] = True
    inputs = [*candidates.inputs, *([] if judged is None else [Input.of("qrels", judged)])]
    settings: dict[str, object] = {
        "ties": chosen.ties,
        "duplicates": chosen.duplicates,
        "negative": chosen.negative,
        "rel": chosen.rel,
    }
    if chosen.cleans:
        settings |= {"drop_self": chosen.drop_self, "fold": chosen.fold, "fold_by": chosen.fold_by}
    return Pooled(
        pairs=_table(candidates, found),
        strategy=rule.name if given is None else FROM_QRELS,
        depth=deep,
        budget=budget,
        candidates=candidates,
        chosen=inside,
        contributions=Contributions.of(candidates, inside),
        groups=None if grouped is None else Contributions.of(candidates, inside, grouped),
        left_out=int(np.count_nonzero(left_out)),
        grade=None if judged is None else grade,
        sample=found.sample,
        audit=Audit(
            policies=settings,
            inputs=inputs,
            versions=versions(),
            seed=seed,
            shared_names=candidates.shared_names,
            folded=candidates.folded,
            self_matches=candidates.self_matches,
        ),
        rel=chosen.rel,
    )


def _checked(
    rule: Strategy,
    depth: int | None,
    budget: int | None,
    rate: float | None,
    strata: sampling.StrataLike | None,
    from_qrels: bool,
) -> tuple[sampling.Stratum, ...]:
    """The strata, if there are any; options that do not go together are refused."""
    for name, value in (("depth", depth), ("budget", budget)):
        if value is not None and value < 1:
            raise out_of_range(name, value, "a whole number from 1")
    if not rule.random:
        if rate is not None or strata is not None:
            word = "rate" if rate is not None else "strata"
            raise PolicyError(
                "E244",
                f"{setting(word)} has no effect on {setting('strategy', rule.name)}",
                hint=f"add {setting('strategy', *random_ones())}",
            )
        if from_qrels and (budget is not None or rule.name != "depth"):
            raise PolicyError("E244", "the pairs of qrels are taken as they are", hint="leave out strategy and budget")
        return ()
    by_rank = strata is not None and strata != sampling.BY_AP
    if by_rank + (rate is not None) + (budget is not None) != 1:
        problem = "a sample needs one of rate, budget and strata with shares"
        strata_like = setting("strata", "1-10:1,11-50:0.4,51-200:0.1")
        hint = f"{setting('rate', 0.2)}, {setting('budget', 50)}, or {strata_like}"
        raise PolicyError("E244", problem, hint=hint)
    if rate is not None:
        sampling.checked_rate(rate)
    return sampling.read_strata(strata) if by_rank and strata is not None else ()


def _chosen(
    candidates: Candidates, rule: Strategy, open_: Bools, relevant: Bools, budget: int | None, seed: int
) -> _OrderedPairs:
    """Pairs by the strategy's order, as many of each topic as the budget allows."""
    if rule.adaptive:
        from cranfield.pooling.adaptive import walk

        order = walk(candidates, rule.name, relevant, budget, seed)
    else:
        order = in_order(candidates, rule.function(candidates))
        order = order[open_[order]]
        if budget is not None:
            order = order[ordinal(candidates.topic[order]) <= budget]
    name = f"depth{candidates.depth}" if rule.name == "depth" else rule.name
    if rule.name == "depth":
        order = _shuffled(candidates, order, seed)
    chance = np.full(len(candidates), np.nan if rule.adaptive else 1.0)
    return _OrderedPairs(order, [name], np.zeros(len(candidates), dtype=np.int64), chance)


def _sampled(
    candidates: Candidates,
    rule: Strategy,
    open_: Bools,
    layers: Sequence[sampling.Stratum],
    strata: sampling.StrataLike | None,
    rate: float | None,
    budget: int | None,
    seed: int,
) -> _OrderedPairs:
    """A random sample of the pairs in the mask `open_`."""
    place = np.flatnonzero(open_)
    rest = candidates if len(place) == len(candidates) else candidates.only(open_)
    drawn: sampling.Sample = rule.function(rest, layers, strata, rate, budget, seed)
    stratum, chance = np.zeros(len(candidates), dtype=np.int64), np.zeros(len(candidates))
    stratum[place], chance[place] = drawn.stratum, drawn.probability
    whole = np.zeros(len(candidates), dtype=bool)
    whole[place] = drawn.drawn
    sample = replace(drawn, stratum=stratum, probability=chance, drawn=whole)
    return _OrderedPairs(_shuffled(candidates, np.flatnonzero(whole), seed), drawn.strata, stratum, chance, sample)


def _of_qrels(candidates: Candidates, qrels: Qrels) -> _OrderedPairs:
    """The pairs of the qrels, with the strata and probabilities that they name."""
    row = candidates.rows_in(JudgmentIndex.of(qrels, "unjudged"))
    order = np.flatnonzero(row >= 0)
    stratum, strata, chance = np.zeros(len(candidates), dtype=np.int64), [FROM_QRELS], np.ones(len(candidates))
    if qrels.stratum is not None:
        strata, codes = qrels.stratum.codes()
        stratum[order] = codes[row[order]]
    if qrels.probability is not None:
        chance[order] = qrels.probability[row[order]]
    return _OrderedPairs(order[np.argsort(row[order])], strata, stratum, chance)


def _shuffled(candidates: Candidates, order: Ints, seed: int) -> Ints:
    """The same pairs, those of each topic in random order."""
    order = np.sort(order)
    begin = np.searchsorted(candidates.topic[order], np.arange(len(candidates.topics) + 1))
    parts = [
        stream(seed, name, "order").permutation(order[begin[number] : begin[number + 1]])
        for number, name in enumerate(candidates.topics)
    ]
    return np.concatenate(parts) if parts else order


def _table(candidates: Candidates, found: _OrderedPairs) -> Pool:
    """The pool as a table; topics without pairs are not in it."""
    topic = candidates.topic[found.order]
    present = np.flatnonzero(segment_size(topic, len(candidates.topics)))
    return Pool(
        tuple(candidates.topics[number] for number in present),
        np.searchsorted(present, topic),
        candidates.document.take(found.order),
        Text.of(found.strata).take(found.stratum[found.order]),
        found.probability[found.order],
    )
