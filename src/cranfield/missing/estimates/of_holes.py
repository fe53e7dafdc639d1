"""Estimates for the result of `holes`: a prior fitted to its judgments, or probabilities from a file."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.missing.estimates.estimate import Estimate, estimate
from cranfield.missing.estimates.situation_scores import SituationScores
from cranfield.missing.prior.external import external_prior
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.prior.result import Prior
from cranfield.missing.situation import refuse_by_subtopic
from cranfield.read import read_probabilities
from cranfield.read.objects import as_qrels
from cranfield.read.options import ReadOptions
from cranfield.read.roles import role_of
from cranfield.read.sources.content import as_utf8, fetch
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.probabilities import Probabilities

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

PRIOR = "prior"


def prior_of(holes: "Holes", measure: str, source: Any = PRIOR, *, recalibrated: bool = False, seed: int = 0) -> Prior:
    """The prior for the holes of a measure: fitted, or with the probabilities or labels of a source in their place."""
    situation = holes.situations[measure]
    asked = np.zeros(len(holes.grade), dtype=bool)
    asked[situation.candidate[np.isnan(situation.grade)]] = True
    fitted = fit_prior(holes.candidates, holes.grade, asked, seed=seed)
    if isinstance(source, str) and source == PRIOR:
        if recalibrated:
            raise PolicyError("E244", "the prior is recalibrated where that helps; this is for probabilities of a file")
        return fitted
    return external_prior(fitted, as_labels(source), recalibrated=recalibrated, seed=seed)


def as_labels(source: Any) -> Probabilities | Qrels:  # a table, a path, or whatever `as_qrels` takes
    """Probabilities or labels: tables, files of either, dictionaries and frames of labels."""
    if isinstance(source, Probabilities):
        return source
    if isinstance(source, str) or hasattr(source, "__fspath__") or hasattr(source, "read"):
        content = fetch(source, ReadOptions().max_size)
        if content.head(4) != b"PAR1" and role_of(as_utf8(content, "utf-8")) == "estimate":
            return read_probabilities(source)
    return as_qrels(source)


def estimate_holes(
    holes: "Holes", measure: str, source: Any, *, draws: int, seed: int, recalibrated: bool = False
) -> Estimate:
    """The estimate of one measure of `holes`."""
    situation = holes.situations[measure]
    refuse_by_subtopic(situation.named, "estimates")
    if (average := holes.bounder(measure).average) in ("median", "micro"):
        problem = f"estimates are of arithmetic means over topics, not {setting('average', average)}"
        raise PolicyError("E243", problem, hint="leave one of them out")
    if average != "mean":
        problem = f"estimates are of arithmetic means over topics, and {measure} has none"
        raise PolicyError("E243", problem, hint="take the measure of single topics, such as AP instead of GMAP")
    prior = prior_of(holes, measure, source, recalibrated=recalibrated, seed=seed)
    found = estimate(prior, SituationScores(situation, prior.levels), measure, draws, seed)
    return found.beside(holes.scores.means[:, holes.measures.index(measure)], holes.audit)
