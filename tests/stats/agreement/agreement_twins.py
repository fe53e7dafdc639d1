"""Plain loops that compute what `agree` computes from tables: slow, obvious, and independent of it."""

import itertools
import math
from collections import Counter, defaultdict

Row = tuple[str, str, str, float]  # topic, document, assessor, grade


def last_labels(rows: list[Row]) -> dict[tuple[str, str], dict[str, float]]:
    """pair -> assessor -> the last label."""
    units: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for topic, document, assessor, grade in rows:
        units[topic, document][assessor] = grade
    return units


def all_labels(rows: list[Row]) -> dict[tuple[str, str], list[float]]:
    """pair -> every label."""
    units = defaultdict(list)
    for topic, document, _, grade in rows:
        units[topic, document].append(grade)
    return units


def own_labels(rows: list[Row]) -> dict[tuple[str, str, str], list[float]]:
    """topic, document, assessor -> every label, in order, where there are several."""
    units = defaultdict(list)
    for topic, document, assessor, grade in rows:
        units[topic, document, assessor].append(grade)
    return {unit: labels for unit, labels in units.items() if len(labels) > 1}


def alpha(units, level: str) -> float:
    """Krippendorff's alpha of lists of labels, from the definition over pairs of values."""
    usable = [list(values) for values in units if len(values) > 1]
    everything = [value for values in usable for value in values]
    count = Counter(everything)

    def apart(c: float, k: float) -> float:
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        if level == "ratio":
            return 0.0 if c == k else ((c - k) / (c + k)) ** 2
        between = sum(n for g, n in count.items() if min(c, k) <= g <= max(c, k))
        return (between - (count[c] + count[k]) / 2) ** 2 if c != k else 0.0

    table = {(c, k): apart(c, k) for c in count for k in count}
    n = len(everything)
    observed = sum(
        sum(table[c, k] for c, k in itertools.permutations(values, 2)) / (len(values) - 1) for values in usable
    )
    expected = sum(table[c, k] * count[c] * count[k] for c in count for k in count)
    return math.nan if expected == 0 else 1 - (observed / n) / (expected / (n * (n - 1)))


def fleiss(units) -> float:
    """Fleiss' kappa of lists of labels, all of one length."""
    units = [list(values) for values in units]
    m = len(units[0])
    agreed = [sum(a == b for a, b in itertools.permutations(values, 2)) / (m * (m - 1)) for values in units]
    count = Counter(value for values in units for value in values)
    chance = sum((n / (m * len(units))) ** 2 for n in count.values())
    return (sum(agreed) / len(agreed) - chance) / (1 - chance)


def kappa(pairs: list[tuple[float, float]], weight=lambda a, b: float(a == b)) -> float:
    """Cohen's kappa of pairs of labels: every label of the one against every label of the other is chance."""
    n = len(pairs)
    rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(weight(a, b) for a, b in pairs) / n
    chance = sum(weight(a, b) * rows[a] * columns[b] for a in rows for b in columns) / n**2
    return math.nan if chance == 1 else (observed - chance) / (1 - chance)


def shared(units, one: str, other: str) -> list[tuple[float, float]]:
    """The labels of two assessors for the pairs that both judged."""
    return [(labels[one], labels[other]) for labels in units.values() if one in labels and other in labels]
