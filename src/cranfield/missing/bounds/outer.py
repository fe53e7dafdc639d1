r"""Outer bounds of graded measures whose ends are not known exactly; few completions are gone through, as for others.

**A quotient of two rising values.** nERR is ERR over that of the ideal list. A higher grade of one document never
lowers ERR. Nor does it lower the ideal ERR: leave the document where it stands in the old ideal list, whose ERR does
not fall, and the new ideal list is at least as good. So with the lowest and the highest grades of all holes,
marked by 0 and 1,

$$\frac{\mathrm{ERR}_0}{\mathrm{ERR}^*_1} \le \mathrm{nERR} \le \frac{\mathrm{ERR}_1}{\mathrm{ERR}^*_0}.$$

**Averages over thresholds.** In $\mathrm{AP}(k)$ only counts whether a document reaches grade *k*, so its ends
$l_k, h_k$ are those of average precision, which are exact. eGAP is the sum of $g_k \mathrm{AP}(k)$: it lies between the
sums of $g_k l_k$ and of $g_k h_k$, with $l_k = 0$ where no judged document reaches *k*. GAP is a mean of the
$\mathrm{AP}(k)$ of those *k* that documents reach, with weights $g_k\,RB(k)$: it lies between the smallest $l_k$ and
the largest $h_k$. Where completions may leave all users without a document, the value may be 0: the lower end then.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cranfield.arrays import Floats
from cranfield.measures.definition import MEASURES
from cranfield.measures.facts.bounds import OverRisingIdeal, ThresholdBounds
from cranfield.measures.grammar import build, parse
from cranfield.missing.bounds.enumeration import Enumeration
from cranfield.missing.bounds.exchange import AveragePrecisions
from cranfield.missing.completions import scored, values
from cranfield.missing.situation import Situation, TopicHoles


class RisingQuotients(Enumeration):
    """Outer bounds of a rising measure over that of the ideal list."""

    def __init__(self, situation: Situation, rule: OverRisingIdeal) -> None:
        super().__init__(situation)
        measure = build(MEASURES[rule.numerator], dict(situation.measure.values), condensed=False)
        self._above = replace(situation, measure=measure)

    def outer(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        total = topic.holes + topic.unseen
        ends = [np.full(total, level) for level in self.situation.levels[[0, -1]]]
        low, high = values(self._above, topic, np.stack(ends))
        best = [self._ideal(topic, np.append(topic.base, end)) for end in ends]
        with np.errstate(divide="ignore", invalid="ignore"):
            under, over = low / best[1], high / best[0]
        return np.nan_to_num(under, nan=0.0), np.nan_to_num(np.minimum(over, 1.0), nan=1.0)

    def _ideal(self, topic: TopicHoles, grades: Floats) -> float:
        """The value of the list of all documents, best first."""
        order = -np.sort(-grades)
        number = len(order)
        alone = replace(
            topic,
            runs=1,
            run=np.zeros(number, dtype=np.int64),
            rank=np.arange(1, number + 1),
            grade=order,
            hole=np.full(number, -1),
            retrieved=np.array([number]),
        )
        return float(scored(self._above, alone, order[None], order[None])[0, 0])


class ThresholdAverages(Enumeration):
    """Outer bounds of averages of average precisions, one for each threshold."""

    def __init__(self, situation: Situation, rule: ThresholdBounds, shares: Mapping[float, float]) -> None:
        super().__init__(situation)
        self._shares, self._mean = shares, rule.mean
        cutoff = situation.measure.arguments.get("cutoff")
        policy = situation.policy.with_(no_relevant="exclude")
        at = "" if cutoff is None else f"@{cutoff}"
        self._precisions = {
            grade: AveragePrecisions(replace(situation, measure=parse(f"AP(rel={grade!r}){at}"), policy=policy))
            for grade in shares
        }

    def outer(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        found = {grade: method.alone(topic) for grade, method in self._precisions.items()}
        sure = {grade: bool((topic.base >= grade).any()) for grade in found}
        if self._mean:
            low = np.fmin.reduce([ends.low for ends in found.values()])
            high = np.fmax.reduce([ends.high for ends in found.values()])
        else:
            low, high = np.zeros((2, topic.runs))
            for grade, ends in found.items():
                low += self._shares[grade] * (np.nan_to_num(ends.low) if sure[grade] else 0.0)
                high += self._shares[grade] * np.nan_to_num(ends.high)
        if self.situation.measure.arguments.get("renormalise"):
            low, high = self._renormalised(topic, low, high, sure)
        if not any(sure.values()) or not (topic.base >= 1).any():
            low = np.zeros(topic.runs)
        return np.nan_to_num(low), np.minimum(np.nan_to_num(high, nan=1.0), 1.0)

    def _renormalised(
        self, topic: TopicHoles, low: Floats, high: Floats, sure: Mapping[float, bool]
    ) -> tuple[Floats, Floats]:
        """Divided by the share of the users that can be satisfied: at least those that are, at most all that may be."""
        more = topic.holes + topic.unseen > 0
        top = self.situation.levels[-1]
        least = sum(share for grade, share in self._shares.items() if sure[grade])
        most = sum(share for grade, share in self._shares.items() if sure[grade] or (more and top >= grade))
        return low / most if most else low, high / least if least else np.ones(topic.runs)
