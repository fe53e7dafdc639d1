"""Check what is said about missing judgments against judgments that were made later, and print Markdown tables.

    scripts/check-holes                            # all parts
    scripts/check-holes --part calibration         # one of them

The collections are looked for in the folder `data` of CRANFIELD_SHARED, or of `shared` beside the checkout.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import holes_calibration

PARTS: dict[str, Callable[[Path], Iterator[str]]] = {"calibration": holes_calibration.tables}


def data() -> Path:
    """The folder of the collections, which may not exist."""
    named = os.environ.get("CRANFIELD_SHARED")
    return (Path(named) if named else Path(__file__).resolve().parents[2] / "shared") / "data"


def main(arguments: list[str]) -> None:
    """Print the tables of the parts that are named, or of all."""
    parser = argparse.ArgumentParser(prog="scripts/check-holes", description="Check holes against later judgments.")
    parser.add_argument("--part", action="append", choices=PARTS, help="what to check; repeatable; all by default")
    wanted = parser.parse_args(arguments).part or list(PARTS)
    if not (data() / "covid-round2").is_dir():
        sys.exit(f"covid-round2 is not in {data()} (set CRANFIELD_SHARED)")
    for part in wanted:
        print("\n".join(PARTS[part](data())), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
