"""Where a table came from."""

from collections.abc import Mapping
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
