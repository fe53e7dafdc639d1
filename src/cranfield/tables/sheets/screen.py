"""Where a table is shown: a terminal of so many columns, or paper, which has room for all of it."""

import sys
from dataclasses import dataclass

_FEWEST = 40  # columns; terminals that say they have fewer are not believed


@dataclass(frozen=True)
class Screen:
    """How many columns of characters there are, if that is limited, and whether letters can be bold.

    >>> Screen(columns=3).columns
    40
    """

    columns: int | None = None
    bold: bool = False

    def __post_init__(self) -> None:
        if self.columns is not None and self.columns < _FEWEST:
            object.__setattr__(self, "columns", _FEWEST)

    @classmethod
    def of_output(cls, bold: bool = False) -> "Screen":
        """The terminal that standard output is; paper, if it is a file or a pipe."""
        if sys.stdout is None or not sys.stdout.isatty():
            return PAPER
        import shutil

        return cls(shutil.get_terminal_size().columns, bold)


PAPER = Screen()
