"""The universe: which unjudged documents may turn out to be relevant."""

from dataclasses import dataclass

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.tables.words import counted

HINT = "one of runs, runs:K, pool:FILE, open:N"
MOST = 1_000_000  # ranks, or unseen documents of a topic


@dataclass(frozen=True)
class Universe:
    """Unjudged documents of the first ranks of any run, or of a pool, and unseen ones.

    Attributes:
        depth: the first ranks of every run, if a number was given; else as many as the measure looks at.
        pool: a pool file; its documents, and no others, may be relevant.
        unseen: documents of each topic that no run retrieved and that may be relevant too.

    >>> read_universe("open:5").unseen, read_universe("runs:20").depth, str(read_universe("runs:20"))
    (5, 20, 'runs:20')
    """

    depth: int | None = None
    pool: str | None = None
    unseen: int = 0

    def __str__(self) -> str:
        if self.pool is not None:
            return f"pool:{self.pool}"
        if self.unseen:
            return f"open:{self.unseen}"
        return "runs" if self.depth is None else f"runs:{self.depth}"

    def words(self, depth: int | None) -> str:
        """The universe in a sentence; `depth` is the number of ranks that a measure looks at.

        >>> read_universe("runs").words(10)
        'only documents in the first 10 of these runs may be relevant'
        """
        return f"only {self.documents(depth)} may be relevant"

    def documents(self, depth: int | None) -> str:
        """The documents of the universe, in words.

        >>> read_universe("open:5").documents(10)
        'documents in the first 10 of these runs, and 5 unseen ones per topic,'
        """
        if self.pool is not None:
            return f"documents in {self.pool}"
        reach = self.depth or depth
        where = "in these runs" if reach is None else f"in the first {reach} of these runs"
        unseen = f", and {counted(self.unseen, 'unseen one')} per topic," if self.unseen else ""
        return f"documents {where}{unseen}"


RUNS = Universe()  # what the runs list, as deep as the measure looks


def read_universe(text: "str | Universe") -> Universe:
    """Read `runs`, `runs:K`, `pool:FILE` or `open:N`.

    >>> read_universe("everything")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: universe="everything" is unknown
      hint: one of runs, runs:K, pool:FILE, open:N
    """
    if isinstance(text, Universe):
        return text
    kind, colon, rest = text.partition(":")
    if text == "runs":
        return RUNS
    if kind == "pool" and rest:
        return Universe(pool=rest)
    if kind in ("runs", "open") and colon and rest.isascii() and rest.isdigit() and 1 <= _number(rest) <= MOST:
        return Universe(depth=int(rest)) if kind == "runs" else Universe(unseen=int(rest))
    if kind in ("runs", "open") and colon:
        raise PolicyError(
            "E240", f"{setting('universe', text)} is out of range", hint=f"a whole number from 1 to {MOST:,}"
        )
    raise PolicyError("E213", f"{setting('universe', text)} is unknown", hint=HINT)


def _number(digits: str) -> int:
    """The number, or one that is too large if it has too many digits."""
    return int(digits) if len(digits) <= len(str(MOST)) else MOST + 1
