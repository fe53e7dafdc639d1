r"""The difference in average precision of two runs, as a quadratic form of the relevance of their documents.

$$R\,(\mathrm{AP}_A - \mathrm{AP}_B) = \sum_{i \le j} x_i x_j \left(\frac{1}{\max(a_i, a_j)} -
\frac{1}{\max(b_i, b_j)}\right)$$

over the documents with $x = 1$, which stand at the ranks *a* and *b* (infinite if a run does not list them). For few
holes all completions are gone through by doubling: the completions with a further hole are those without it, each
changed by a term. For many holes there is an outer bound: $\Delta \ge \lambda$ if $R \Delta - \lambda R \ge 0$ in
every completion, and since $x_i x_j \le (x_i + x_j) / 2$ a negative product may be shared out between its two
documents, which leaves a sum with one term for each hole.
"""

from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.situation import TopicHoles

FEW = 20  # holes whose completions are gone through
MANY = 1200  # holes of two runs above which their products are not looked at
STEPS = 60  # of a bisection
NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class PrecisionPair:
    """Two runs in a topic: what each hole, and each two holes, add to R times the difference."""

    holes: Ints  # those that at least one of the two lists
    others: int  # further holes, which only count
    relevant: int  # judged documents that are relevant
    judged: float  # what the judged documents add
    single: Floats  # [hole]: what a hole adds, alone and with the judged documents
    double: Floats  # [hole, hole]: what two add together; 0 on the diagonal
    cutoff: int | None  # of the divisor, if it is min(R, k)

    @classmethod
    def of(
        cls, topic: TopicHoles, a: int, b: int, *, rel: float, cutoff: int | None, least: bool, possible: bool
    ) -> "PrecisionPair | None":
        """The form of two runs; None if they list too many holes.

        Args:
            topic: the topic.
            a: the first run.
            b: the second run.
            rel: the lowest relevant grade.
            cutoff: ranks that count; all, if None.
            least: whether the divisor is min(R, k).
            possible: whether a hole can be relevant.
        """
        inside = topic.rank <= (cutoff or np.iinfo(np.int64).max)
        ranks = np.full((2, topic.holes), np.inf)
        found: list[Floats] = []
        for row, run in enumerate((a, b)):
            own = (topic.run == run) & inside
            hole = own & (topic.hole >= 0)
            ranks[row, topic.hole[hole]] = topic.rank[hole]
            found.append(np.sort(topic.rank[own & (topic.grade >= rel)]).astype(np.float64))
        listed = np.flatnonzero(np.isfinite(ranks).any(axis=0)) if possible else np.empty(0, dtype=np.int64)
        if len(listed) > MANY:
            return None
        judged, single = 0.0, np.zeros(len(listed))
        double = np.zeros((len(listed), len(listed)))
        for sign, known, rank in zip((1, -1), found, ranks[:, listed], strict=True):
            judged += sign * float((np.arange(1, len(known) + 1) / known).sum())
            below = np.append(np.cumsum((1 / known)[::-1])[::-1], 0.0)  # of relevant documents from each on
            place = np.searchsorted(known, rank)
            single += sign * ((place + 1) / rank + np.where(np.isfinite(rank), below[place], 0.0))
            double += sign / np.maximum.outer(rank, rank)
        np.fill_diagonal(double, 0.0)
        return cls(
            holes=listed,
            others=(topic.holes - len(listed) + topic.unseen) if possible else 0,
            relevant=int(np.count_nonzero(topic.base >= rel)),
            judged=judged,
            single=single,
            double=double,
            cutoff=cutoff if least else None,
        )

    @property
    def few(self) -> bool:
        """Whether all completions can be gone through."""
        return len(self.holes) <= FEW

    def divisor(self, added: Ints) -> Floats:
        """What the form is divided by, if so many holes are relevant; undefined for none."""
        total = self.relevant + added
        chosen = total if self.cutoff is None else np.minimum(total, self.cutoff)
        return np.where(total > 0, chosen, np.nan)

    def every(self) -> tuple[Floats, Ints]:
        """The form in every completion of the listed holes, and how many of these are relevant.

        The number of a completion has a bit for each hole.
        """
        form, number = np.array([self.judged]), np.zeros(1, dtype=np.int64)
        for hole, single in enumerate(self.single):
            term = np.array([single])
            for other in range(hole):
                term = np.concatenate((term, term + self.double[hole, other]))
            form, number = np.concatenate((form, form + term)), np.concatenate((number, number + 1))
        return form, number

    def filled(self, completion: int, added: int, top: float, size: int) -> Floats:
        """The grades of all holes in a completion in which so many of the others are relevant."""
        found = np.zeros(size)
        found[self.holes[(completion >> np.arange(len(self.holes))) & 1 == 1]] = top
        found[np.setdiff1d(np.arange(size), self.holes)[:added]] = top
        return found

    def lowest(self) -> float:
        """A number that no difference falls below, where completions are many: the outer bound."""
        if self.cutoff is not None:
            return -np.inf
        weight = self.single + np.minimum(self.double, 0.0).sum(axis=1) / 2
        low, high = -1.0, 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            rest = np.minimum(weight - middle, 0.0).sum() + self.others * min(-middle, 0.0)
            low, high = (middle, high) if self.judged - middle * self.relevant + rest >= 0 else (low, middle)
        low -= NEAR
        return low if self.relevant else min(low, 0.0)  # without a relevant document the difference is 0

    def turned(self) -> "PrecisionPair":
        """The same for the second run minus the first."""
        return replace(self, judged=-self.judged, single=-self.single, double=-self.double)
