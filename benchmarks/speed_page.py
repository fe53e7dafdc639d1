"""Measure everything and write the figures into docs/explanation/speed.md; about an hour on two cores.

    scripts/bench page                       # the same, with the peers installed first
    python benchmarks/speed_page.py --against trec_eval=PATH,pytrec_eval,ir_measures,ranx

The sizes are those of `cranfield bench`; options pass through to it.
"""

import sys
from pathlib import Path

from cranfield.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "speed.md"
SIZES = [word for size in ("S", "M", "L", "XL") for word in ("--size", size)]
STEPS = (
    ["--part", "files", *SIZES],
    ["--part", "dicts", "--size", "L", "--size", "M"],
    ["--part", "start", "--repeats", "9"],
    ["--part", "growth"],
)


if __name__ == "__main__":
    sys.exit(max(main(["bench", *step, "--page", str(PAGE), *sys.argv[1:]]) for step in STEPS))
