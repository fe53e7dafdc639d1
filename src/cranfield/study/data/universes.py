"""The option `universe` of a study: which unjudged documents may turn out to be relevant."""

from cranfield.missing.universe import read_universe
from cranfield.study.engine.definition import option


def universe_option() -> str:
    """The option `universe` of a study."""
    chosen: str = option(
        "runs",
        "which unjudged documents may be relevant: runs, runs:K, pool:FILE or open:N",
        metavar="NAME",
        check=lambda text: read_universe(text) is not None,  # an unknown one is refused there
        file=pool_file,
    )
    return chosen


def pool_file(text: str) -> str | None:
    """The file that a universe names; None if it names none.

    >>> pool_file("pool:judged.txt"), pool_file("open:5")
    ('judged.txt', None)
    """
    return read_universe(text).pool
