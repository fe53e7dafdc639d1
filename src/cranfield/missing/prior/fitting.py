"""Fit a prior to the judged pairs of some runs."""

from dataclasses import replace

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.errors import PolicyError
from cranfield.errors.ranges import check_least
from cranfield.missing.prior.calibration import Reliability, brier_score, reliability
from cranfield.missing.prior.crossing import CrossedStep, crossed_steps
from cranfield.missing.prior.features import NEAR, ListFeatures
from cranfield.missing.prior.result import Prior
from cranfield.missing.prior.run_effect import DEFAULT, RunEffect, estimated_effect
from cranfield.missing.prior.steps import FEWEST, GradeStep, fit_steps, grades_of
from cranfield.pooling.candidates import Candidates
from cranfield.tables.audit import Audit
from cranfield.tables.words import counted
from cranfield.versions import installed

MOST_GRADES = 20  # each is a regression of its own


def fit_prior(
    candidates: Candidates,
    grade: Floats,
    holes: Bools | None = None,
    *,
    run_effect: float | None = None,
    checked: bool = True,
    seed: int = 0,
) -> Prior:
    """The prior of some candidates: a regression on what the lists tell about each pair, fitted to the judged pairs.

    Lists should be as long as the features look (100 documents), also where a measure looks at fewer.

    Args:
        candidates: the pairs and the lists that name them; judged pairs among them.
        grade: of each pair; NaN if it is not judged.
        holes: the pairs to draw; by default those unjudged that are in the first 10 of a run.
        run_effect: its standard deviation; None: estimated from judgments that are hidden.
        checked: whether it is cross-validated, and recalibrated where that helps; without, it is quick.
        seed: of the folds and hidings.

    >>> from cranfield.tables.run import Run
    >>> known = Candidates.of([Run.of("r", ["1"] * 4, list("abcd"), [4, 3, 2, 1])], depth=4)
    >>> prior = fit_prior(known, np.array([1.0, 0.0, 0.0, np.nan]))
    >>> prior.at_least[:, 1].round(2)  # one of three was relevant; pulled towards a half
    array([1. , 0. , 0. , 0.4])
    >>> prior.notes[0]
    'one run: no regression, only how often a document of the topic is relevant, shrunken towards all topics'
    """
    check_least(0, seed=seed, run_effect=0 if run_effect is None else run_effect)
    features, grades = ListFeatures(candidates), grades_of(grade)
    if len(grades) > MOST_GRADES:
        problem = f"a prior takes at most {MOST_GRADES} grades above 0, and the judgments have {len(grades)}"
        raise PolicyError("E243", problem, hint="judgments with fewer grades, or probabilities from a file")
    near = candidates.best_rank <= NEAR
    drawn = (np.isnan(grade) & near) if holes is None else holes
    reason = why_prevalence(features, grade)
    effect = _effect(features, grade, drawn, run_effect, bool(reason), seed)
    grades = grades or (1.0,)
    steps = fit_steps(features, grade, grades, not reason)
    crossed = crossed_steps(features, grade, grades, seed, not reason) if checked else []
    curves = [step.recalibration() for step in crossed]
    if any(curves):
        steps = tuple(
            step if curve is None else step.recalibrated(curve) for step, curve in zip(steps, curves, strict=True)
        )
    found, reference = _checked(crossed, curves[0] is not None) if crossed else (None, np.nan)
    return Prior(
        features=features,
        steps=steps,
        grade=grade,
        holes=drawn,
        effect=effect,
        reliability=found,
        reference=reference,
        source="prior",
        notes=(*([reason] if reason else []), *_step_notes(steps, not reason), effect.words),
        audit=Audit(inputs=candidates.inputs, versions={"cranfield": installed("cranfield")}, seed=seed),
    )


def why_prevalence(features: ListFeatures, grade: Floats) -> str:
    """Why no regression is fitted, in words; empty if one is."""
    judged = grade[~np.isnan(grade) & (features.retrieving > 0)]
    relevant = int(np.count_nonzero(judged > 0))
    shrunken = "no regression, only how often a document of the topic is relevant, shrunken towards all topics"
    if len(judged) == 0:
        return "no retrieved document is judged: every hole is relevant with probability 0.5"
    if relevant == len(judged):
        return "no retrieved document was judged not relevant: every hole is relevant with probability 0.5"
    if len(features.candidates.runs) < 2:
        return f"one run: {shrunken}"
    if min(relevant, len(judged) - relevant) < FEWEST:
        few = "relevant" if relevant < FEWEST else "not relevant"
        return f"{counted(min(relevant, len(judged) - relevant), 'document')} judged {few}: {shrunken}"
    return ""


def _effect(
    features: ListFeatures, grade: Floats, holes: Bools, given: float | None, plain: bool, seed: int
) -> RunEffect:
    if given is not None:
        return RunEffect(given)
    return RunEffect(DEFAULT) if plain else estimated_effect(features, grade, holes, seed)


def _checked(crossed: list[CrossedStep], recalibrated: bool) -> tuple[Reliability | None, float]:
    """The reliability of the first step: relevant or not; and the Brier score of its share alone."""
    first = crossed[0]
    if len(first.pair) == 0:
        return None, np.nan
    chance = first.recalibrated() if recalibrated else first.chance
    share = np.full(len(chance), first.outcome.mean())
    return reliability(chance, first.outcome), brier_score(share, first.outcome)


def _step_notes(steps: tuple[GradeStep, ...], wanted: bool) -> list[str]:
    plain = [f"{step.grade:g}" for step in steps if wanted and not step.by_features]
    notes = [f"grade {' and '.join(plain)}: prevalence alone, too few judgments for a regression"] if plain else []
    curved = [f"{step.grade:g}" for step in steps if step.curve is not None]
    return notes + ([f"grade {' and '.join(curved)}: recalibrated on judged pairs (isotonic)"] if curved else [])


def with_holes(prior: Prior, holes: Bools) -> Prior:
    """The same prior with other pairs to draw."""
    return replace(prior, holes=holes)
