from collections.abc import Iterable

from cranfield.arrays import Bytes, Ints

class Judged:
    def __init__(
        self, topics: Iterable[str], begin: Ints, place: Ints, buffer: Bytes, start: Ints, length: Ints
    ) -> None: ...

Found = tuple[list[str], Ints, Ints, Ints, Ints, Ints, int, int, int, int]

def collect(run: object, judged: Judged, single: bool, cutoff: int) -> Found | None: ...
