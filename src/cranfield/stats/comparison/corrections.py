"""Corrections for multiple tests: p values -> p values adjusted for the size of their family."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats
from cranfield.registry import Registry


@dataclass(frozen=True)
class Correction:
    """A correction: its name, the error rate that it controls, and its rule for p values in ascending order."""

    name: str
    title: str
    controls: str
    rule: Callable[[Floats], Floats]

    def __call__(self, pvalues: ArrayLike) -> Floats:
        """The adjusted p values, in the order given; NaN means that there was no test: it stays NaN and is not counted.

        >>> CORRECTIONS["holm"]([0.04, np.nan, 0.01])  # two tests: 2 × .01, then .04
        array([0.04,  nan, 0.02])
        """
        given = np.asarray(pvalues, dtype=np.float64)
        adjusted = np.full(given.shape, np.nan)
        (known,) = np.nonzero(~np.isnan(given))
        order = known[np.argsort(given[known], kind="stable")]
        adjusted[order] = np.minimum(self.rule(given[order]), 1.0)
        return adjusted


CORRECTIONS: Registry[Correction] = Registry("correction")


def correction(
    name: str, title: str, controls: str, *, aliases: str = ""
) -> Callable[[Callable[[Floats], Floats]], Callable[[Floats], Floats]]:
    """Register a rule for p values in ascending order; a correction is one function in this module."""

    def register(rule: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
        CORRECTIONS.add(name, Correction(name, title, controls, rule), aliases.split())
        return rule

    return register


@correction("holm", "Holm", "family-wise error", aliases="holm-bonferroni")
def _holm(p: Floats) -> Floats:
    return np.maximum.accumulate(p * np.arange(len(p), 0, -1))


@correction("bh", "Benjamini-Hochberg", "false discovery rate", aliases="fdr benjamini-hochberg")
def _benjamini_hochberg(p: Floats) -> Floats:
    raised = p * (len(p) / np.arange(1, len(p) + 1))
    return np.minimum.accumulate(raised[::-1])[::-1]


@correction("by", "Benjamini-Yekutieli", "false discovery rate, any dependence", aliases="benjamini-yekutieli")
def _benjamini_yekutieli(p: Floats) -> Floats:
    return _benjamini_hochberg(p) * (1 / np.arange(1, len(p) + 1)).sum()


@correction("bonferroni", "Bonferroni", "family-wise error")
def _bonferroni(p: Floats) -> Floats:
    return p * len(p)


@correction("none", "no correction", "nothing")
def _none(p: Floats) -> Floats:
    return p
