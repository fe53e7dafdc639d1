"""Probabilities or labels from elsewhere, such as those of a language model, in the place of the fitted ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.arrays import Bools, Floats, Ints, ratio, segment_size
from cranfield.errors import InputError
from cranfield.missing.prior.calibration import brier_score, reliability
from cranfield.missing.prior.crossing import FOLDS, CrossedStep
from cranfield.missing.prior.isotonic import IsotonicCurve, isotonic
from cranfield.missing.prior.logistic import logit
from cranfield.missing.prior.result import Prior
from cranfield.missing.prior.run_effect import FEWEST, RunEffect, effect_evidence, likely_size
from cranfield.missing.prior.steps import GradeStep
from cranfield.pooling.candidates import Candidates
from cranfield.random_streams import stream
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.matching import match_names
from cranfield.tables.side.probabilities import Probabilities
from cranfield.tables.source import Input
from cranfield.tables.words import counted

_UNEVEN = 0.5  # difference of the shares of two runs' holes that the file fills, from which a note says so
_SOME = 10  # holes of a run that such a share needs
CIRCULAR = "a model that also ranks documents for one of the runs flatters that run: take labels of another one"


@dataclass(frozen=True, eq=False)
class GradeProbabilities:
    """The probability of some grades of each pair; rows without any are NaN."""

    grades: Floats  # of the columns, ascending
    chance: Floats  # [pair, column]

    def at_least(self, grade: float) -> Floats:
        """P(grade ≥ this) of each pair."""
        return np.clip(self.chance[:, self.grades >= grade].sum(axis=1), 0, 1)


def external_prior(prior: Prior, given: Probabilities | Qrels, *, recalibrated: bool = False, seed: int = 0) -> Prior:
    """A prior with the probabilities, or labels, of a file; pairs that the file lacks keep those of the fitted one.

    A label is a probability of 1, unless it is recalibrated: then it is as probable as it was right on judged pairs.

    Args:
        prior: fitted to the judged pairs.
        given: probabilities of the grades 0, 1, …, or labels, where a negative one is none.
        recalibrated: whether they are mapped by an isotonic curve, fitted to judged pairs.
        seed: of the folds in which a recalibration is checked.
    """
    known = prior.features.candidates
    name = given.source.name or ("probabilities" if isinstance(given, Probabilities) else "labels")
    match_names(given.topics, known.topics, "topic", path=name, more_is_fine=True)
    told = _given_grades(known, given)
    here = ~np.isnan(told.chance[:, 0])
    if not here.any():
        raise InputError("E128", "no document of these runs is named in it", path=name, hint="check the document ids")
    used = told.grades[(told.grades > 0) & (np.nansum(told.chance, axis=0) > 0)]
    grades = sorted({*used.tolist(), *(step.grade for step in prior.steps)})
    steps, crossed = _steps(prior, told, grades, seed)
    before = brier_score(crossed[0].chance, crossed[0].outcome)
    notes = [_filled(name, here, prior.holes), *_uneven(prior, here)]
    if recalibrated:
        curves = [isotonic(step.chance, step.outcome) if _enough(step) else None for step in crossed]
        steps = [
            step if curve is None or step.given is None else replace(step, given=_mapped(step.given, curve, here))
            for step, curve in zip(steps, curves, strict=True)
        ]
        crossed = [replace(step, chance=step.recalibrated()) if _enough(step) else step for step in crossed]
        after = brier_score(crossed[0].chance, crossed[0].outcome)
        words = f"recalibrated on judged pairs (isotonic): Brier score {before:.4f} before, {after:.4f} after"
        notes.append(words if curves[0] is not None else "too few judged pairs to recalibrate")
    effect = _effect(prior, crossed[0])
    first = crossed[0]
    share = np.full(len(first.pair), first.outcome.mean() if len(first.pair) else np.nan)
    return replace(
        prior,
        steps=tuple(steps),
        effect=effect,
        reliability=reliability(first.chance, first.outcome) if len(first.pair) else None,
        reference=brier_score(share, first.outcome),
        source=name,
        notes=(*notes, CIRCULAR, *(note for note in prior.notes if note != prior.effect.words), effect.words),
        audit=replace(prior.audit, inputs=(*prior.audit.inputs, Input.of("estimate", given))),
    )


def _given_grades(known: Candidates, given: Probabilities | Qrels) -> GradeProbabilities:
    """The probabilities of each candidate; those of other pairs are not needed."""
    if isinstance(given, Probabilities):
        pairs = Qrels(given.topics, given.topic, given.document, np.zeros(len(given)))
        grades, chance = np.arange(given.chance.shape[1], dtype=np.float64), given.chance
    else:
        pairs = given
        grades = np.unique(np.append(given.grade[given.grade >= 0], 0)).astype(np.float64)
        chance = (given.grade[:, None] == grades).astype(np.float64)
        chance[given.grade < 0] = np.nan
    row = known.rows_in(JudgmentIndex.of(pairs))
    return GradeProbabilities(grades, np.where(row[:, None] >= 0, chance[row], np.nan))


def _steps(
    prior: Prior, told: GradeProbabilities, grades: Sequence[float], seed: int
) -> tuple[list[GradeStep], list[CrossedStep]]:
    """The step to each grade with the given probabilities, and these beside the judgments."""
    fitted, taken = {step.grade: step for step in prior.steps}, set()
    fold = stream(seed, "prior", "folds").permuted(np.arange(len(prior.grade)) % FOLDS)
    steps, crossed, below = [], [], 0.0
    for grade in grades:
        lower = told.at_least(below) if below else np.where(np.isnan(told.chance[:, 0]), np.nan, 1.0)
        own = np.where(lower == 0, 0.0, ratio(told.at_least(grade), lower))
        own = np.where(np.isnan(lower), np.nan, own)
        above = min((value for value in fitted if value >= grade), default=None)
        steps.append(_step(prior, grade, own, None if above is None else fitted[above], above in taken))
        taken.add(above)
        judged = np.flatnonzero((prior.grade >= below) & ~np.isnan(own) & (lower > 0))
        outcome = (prior.grade[judged] >= grade).astype(np.float64)
        crossed.append(CrossedStep(judged, fold[judged], own[judged], outcome))
        below = grade
    return steps, crossed


def _step(prior: Prior, grade: float, own: Floats, fitted: GradeStep | None, taken: bool) -> GradeStep:
    """One step; where a pair has no probabilities, and no judgment has this grade, the grades around it decide."""
    if fitted is None or taken:
        blank = np.empty((len(own), 0))
        given = np.where(np.isnan(own), 1.0 if taken and fitted is not None else 0.0, own)
        return GradeStep(grade, None, blank, prior.features.candidates.topic, given=given)
    return replace(fitted, grade=grade, given=own)


def _mapped(given: Floats, curve: IsotonicCurve, here: Bools) -> Floats:
    return np.where(here, curve(np.where(here, given, 0.0)), given)


def _enough(step: CrossedStep) -> bool:
    return len(step.pair) >= FEWEST // 2 and 0 < step.outcome.sum() < len(step.outcome)


def _effect(prior: Prior, first: CrossedStep) -> RunEffect:
    """The run effect beside these probabilities, estimated on judged pairs; that of the prior if they are few."""
    listed = prior.features.retrieving[first.pair] > 0
    open_ = listed & (first.chance > 0) & (first.chance < 1)
    outcome = first.outcome[open_] > 0
    if min(np.count_nonzero(outcome), np.count_nonzero(~outcome)) < FEWEST // 10 or len(outcome) < FEWEST:
        return prior.effect
    evidence = effect_evidence(logit(first.chance[open_]), prior.features.shares(first.pair[open_]), outcome)
    return RunEffect(likely_size(evidence), len(outcome), times=1)


def _filled(name: str, here: Bools, holes: Bools) -> str:
    lacking = int(np.count_nonzero(holes & ~here))
    rest = f"; the prior fills the other {lacking:,}" if lacking else ""
    return f"{name} has {counted(int(np.count_nonzero(holes & here)), 'hole')} of {np.count_nonzero(holes):,}{rest}"


def _uneven(prior: Prior, here: Bools) -> list[str]:
    """A note if the file fills the holes of some runs and not those of others."""
    known = prior.features.candidates
    rows = prior.holes[known.pair]
    runs = len(known.runs)
    number = segment_size(known.run[rows], runs)
    filled: Ints = segment_size(known.run[rows & here[known.pair]], runs)
    enough = np.flatnonzero(number >= _SOME)
    if len(enough) < 2:
        return []
    share = filled[enough] / number[enough]
    if share.max() - share.min() < _UNEVEN:
        return []
    most, least = (known.runs[enough[at]] for at in (int(share.argmax()), int(share.argmin())))
    return [f"it fills most holes of {most} and few of {least}: label all holes alike, or the comparison is not fair"]
