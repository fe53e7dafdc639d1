"""Check what is said about missing judgments against judgments that were made later.

    scripts/check-holes                            # the tables of docs/explanation/holes-checked.md, written into it
    scripts/check-holes --part ranges --print      # those of one part, printed

The collections are looked for in the folder `data` of CRANFIELD_SHARED, or of `shared` beside the checkout.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import holes_calibration, holes_decide, holes_next, holes_ranges

PAGE = Path(__file__).resolve().parents[1] / "docs/explanation/holes-checked.md"
END = "<!-- end of checked -->"
PARTS: dict[str, Callable[[Path], Iterator[str]]] = {
    "ranges": holes_ranges.tables,
    "calibration": holes_calibration.tables,
    "next": holes_next.tables,
    "decide": holes_decide.tables,
}


def data() -> Path:
    """The folder of the collections, which may not exist."""
    named = os.environ.get("CRANFIELD_SHARED")
    return (Path(named) if named else Path(__file__).resolve().parents[2] / "shared") / "data"


def main(arguments: list[str]) -> None:
    """Write the tables of the parts that are named, or of all, into the page; or print them."""
    parser = argparse.ArgumentParser(prog="scripts/check-holes", description="Check holes against later judgments.")
    parser.add_argument("--part", action="append", choices=PARTS, help="what to check; repeatable; all by default")
    parser.add_argument("--print", action="store_true", help="print the tables instead of writing them into the page")
    options = parser.parse_args(arguments)
    if not (data() / "covid-round2").is_dir():
        sys.exit(f"covid-round2 is not in {data()} (set CRANFIELD_SHARED)")
    for part in options.part or PARTS:
        text = "\n".join(PARTS[part](data())).strip()
        print(text if options.print else part, flush=True)
        if not options.print:
            PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), part, text), encoding="utf-8")


def written(page: str, part: str, text: str) -> str:
    """The page with new tables of a part between its marks."""
    before, begin, rest = page.partition(f"<!-- checked: {part} -->\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE.name} lacks the lines <!-- checked: {part} --> and {END}")
    return f"{before}{begin}\n{text}\n\n{end}{after}"


if __name__ == "__main__":
    main(sys.argv[1:])
