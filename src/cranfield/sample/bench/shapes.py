"""The sizes of the benchmark."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """Runs × topics × documents in a list, and judgments per topic.

    >>> Shape(2, 50, 1000, 500).rows
    100000
    """

    runs: int
    topics: int
    depth: int
    judged: int

    @property
    def rows(self) -> int:
        """Lines of all runs together."""
        return self.runs * self.topics * self.depth

    @property
    def name(self) -> str:
        """Names a folder."""
        return f"{self.runs}x{self.topics}x{self.depth}-{self.judged}-judged"


SHAPES = {
    "XS": Shape(2, 6, 40, 10),  # for tests
    "S": Shape(1, 50, 1000, 500),
    "M": Shape(122, 50, 1000, 1700),  # as large as a track with pooled judgments
    "L": Shape(1, 6980, 1000, 1),  # as MS MARCO: many topics, hardly any judgments
    "XL/16": Shape(1, 6250, 100, 10),
    "XL": Shape(1, 100_000, 100, 10),
}
REPORTED = {  # of reports, whose sizes are runs and topics
    "XS": SHAPES["XS"],
    "S": Shape(6, 50, 100, 50),
    "M": Shape(20, 250, 100, 50),
}
SIZES = ("XS", "S", "M", "L", "XL")  # what can be asked for; XL brings its sixteenth
_STEPS = (1, 3)


def with_parts(sizes: tuple[str, ...]) -> tuple[str, ...]:
    """The sizes, with XL preceded by its sixteenth: the two show whether cost grows linearly with the rows.

    >>> with_parts(("S", "XL"))
    ('S', 'XL/16', 'XL')
    """
    return tuple(name for size in dict.fromkeys(sizes) for name in ((f"{size}/16", size) if size == "XL" else (size,)))


def growing(most: int) -> tuple[Shape, ...]:
    """One run of more and more topics, by about half a power of ten, from 100,000 rows (or `most`) to `most`.

    >>> [shape.rows for shape in growing(1_000_000)]
    [100000, 300000, 1000000]
    >>> [shape.rows for shape in growing(2_000)]
    [2000]
    """
    steps = [step * 10**power for power in range(5, 12) for step in _STEPS]
    return tuple(Shape(1, rows // 1000, 1000, 1) for rows in steps if rows <= most) or (
        Shape(1, most // 1000, 1000, 1),
    )
