"""Where a table came from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Source:
    """Name, size and fingerprint of an input, and the `ir_metadata` header it carried."""

    name: str = ""
    format: str = ""
    sha256: str | None = None
    lines: bool = True  # whether row i is line i + 1 unless a table says otherwise
    metadata: Mapping[str, Any] = field(default_factory=dict)  # free-form YAML of the ir_metadata standard
    assessors: bool = False  # whether it names the assessor of each judgment
    line_at: Callable[[int], str | None] | None = field(default=None, compare=False, repr=False)

    def text_at(self, line: int | None) -> str | None:
        """The text of a line, read again from the file to word an error; None where that cannot be done."""
        return None if line is None or self.line_at is None else self.line_at(line)


NOWHERE = Source()
