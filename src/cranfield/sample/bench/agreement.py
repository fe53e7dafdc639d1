"""Whether two programs computed the same values; only then are their times compared."""

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TypeAlias

Values: TypeAlias = Mapping[tuple[str, str, int], float]  # (measure, topic, number of the run) -> value

PRINTED = 1.01e-4  # two numbers that are equal may differ so when each is rounded to four decimals
COMPUTED = 1e-9


def long_values(path: Path, names: Mapping[str, str]) -> Values:
    """Lines of measure, topic and value, run after run, as trec_eval prints them; `names` maps them to our measures."""
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[tuple[str, str, int], float] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            name, topic, value = line.split()
            if topic == "all":
                continue
            key = names.get(name, name), topic
            found[*key, seen[key]] = float(value)
            seen[key] += 1
    return found


def wide_values(path: Path, names: Mapping[str, str]) -> Values:
    """A line for each run and topic with a column for each measure, under a header."""
    runs: dict[str, int] = {}
    found: dict[tuple[str, str, int], float] = {}
    with path.open(encoding="utf-8") as lines:
        columns = next(lines).split()[2:]
        for line in lines:
            run, topic, *cells = line.split()
            number = runs.setdefault(run, len(runs))
            for name, cell in zip(columns, cells, strict=True):
                if name in names:
                    found[names[name], topic, number] = float(cell)
    return found


def difference(ours: Values, theirs: Values, measures: Collection[str], tolerance: float) -> str:
    """The first value in which two programs differ on some measures; empty if they agree.

    >>> difference({("AP", "q1", 0): 0.5}, {("AP", "q1", 0): 0.25}, ["AP"], 1e-9)
    'AP of topic q1 is 0.25, not 0.5'
    >>> difference({("AP", "q1", 0): 0.5}, {}, ["AP"], 1e-9)
    'AP of topic q1 is missing'
    """
    if not ours:
        return "there is nothing to compare"
    for key, value in ours.items():
        measure, topic, _ = key
        if measure not in measures:
            continue
        other = theirs.get(key)
        if other is None:
            return f"{measure} of topic {topic} is missing"
        if not abs(value - other) <= tolerance:
            return f"{measure} of topic {topic} is {other:g}, not {value:g}"
    extra = next((key for key in theirs if key not in ours), None)
    return "" if extra is None else f"{extra[0]} of topic {extra[1]} is not asked for"
