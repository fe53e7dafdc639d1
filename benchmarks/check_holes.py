"""Check what is said about missing judgments against judgments that were made later.

    scripts/check-holes                            # the tables of docs/explanation/holes-checked.md, written into it
    scripts/check-holes --part ranges --print      # those of one part, printed

The collections are looked for in the folder `data` of CRANFIELD_SHARED, or of `shared` beside the checkout.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks import holes_calibration, holes_decide, holes_groups, holes_next, holes_ranges
from benchmarks.marked_pages import EXPLANATION, parser, write
from cranfield.reporting.figure import Figure

PAGE = EXPLANATION / "holes-checked.md"
END = "<!-- end of checked -->"
PARTS: dict[str, Callable[[Path], Iterator[str] | Iterator[str | Figure]]] = {
    "ranges": holes_ranges.tables,
    "calibration": holes_calibration.tables,
    "groups": holes_groups.tables,
    "next": holes_next.tables,
    "decide": holes_decide.tables,
}


def data() -> Path:
    """The folder of the collections, which may not exist."""
    named = os.environ.get("CRANFIELD_SHARED")
    return (Path(named) if named else Path(__file__).resolve().parents[2] / "shared") / "data"


def main(arguments: list[str]) -> None:
    """Write the tables of the parts that are named, or of all, into the page; or print them."""
    given = parser("Check holes against later judgments.")
    given.add_argument("--part", action="append", choices=PARTS, help="what to check; repeatable; all by default")
    options = given.parse_args(arguments)
    if not (data() / "covid-round2").is_dir():
        sys.exit(f"covid-round2 is not in {data()} (set CRANFIELD_SHARED)")
    for part in options.part or PARTS:
        text = "\n".join(illustrated(part, PARTS[part](data()), None if options.print else PAGE.parent)).strip()
        print(text if options.print else part, flush=True)
        if not options.print:
            write(PAGE, text, begin_of(part), END)


def illustrated(part: str, found: Iterable[str | Figure], folder: Path | None) -> Iterator[str]:
    """The lines of a part, with links to its charts, which are written into a folder; or with what they show."""
    number = 0
    for each in found:
        if isinstance(each, str):
            yield each
        elif folder is None:
            yield each.description
        else:
            number += 1
            name = f"{PAGE.stem}-{part}-{number}.svg"
            each.save(folder / name)
            yield f"![{each.description}]({name})"


def begin_of(part: str) -> str:
    """The mark before the tables of a part."""
    return f"<!-- checked: {part} -->"


if __name__ == "__main__":
    main(sys.argv[1:])
