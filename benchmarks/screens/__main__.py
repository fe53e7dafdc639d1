"""Take pictures of the judging room: `scripts/screens --help`."""

import argparse
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.check_holes import data
from benchmarks.screens.collections import collection
from benchmarks.screens.demo_pictures import picture_demo
from benchmarks.screens.showing import WIDTHS, MadeRooms, picture
from benchmarks.screens.stage import stage
from benchmarks.screens.states import IN_DOCS, SCREENS
from cranfield import build_demo

SCHEMES = ("light", "dark")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "judging"


def main(arguments: list[str]) -> None:
    """Take the pictures that are asked for."""
    given = argparse.ArgumentParser(prog="scripts/screens", description="Take pictures of the judging room.")
    given.add_argument(
        "folder", nargs="?", type=Path, help="where the pictures go; without, those of the documentation"
    )
    given.add_argument("--only", action="append", default=[], help="a part of the name of a screen; repeatable")
    given.add_argument(
        "--width", action="append", type=int, help="of the window; repeatable; by default 360, 800, 1280"
    )
    given.add_argument("--scheme", action="append", choices=SCHEMES, help="light or dark; repeatable; by default both")
    given.add_argument("--window", action="store_true", help="what fits into the window, instead of the whole page")
    options = given.parse_args(arguments)
    chosen = [one for one in SCREENS if not options.only or any(part in one.name for part in options.only)]
    wanted = [
        (f"{one.name}-{width}-{scheme}.png", one, width, scheme, not (options.window or one.fills_window))
        for one, width, scheme in product(chosen, options.width or WIDTHS, options.scheme or SCHEMES)
    ]
    if options.folder is None:
        known = {one.name: one for one in SCREENS}
        wanted = [(f"{name}.png", known[one], width, "light", False) for name, (one, width) in IN_DOCS.items()]
    target = options.folder or DOCS
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, stage() as place:
        made = MadeRooms(Path(folder), collection(data()))
        for name, screen, width, scheme, whole in wanted:
            wide = picture(target / name, place, screen, made, width, scheme, whole=whole)
            print(name + (f"  scrolls sideways: {wide}" if wide > width else ""), flush=True)
        made.close()
        if options.folder is None:
            demo = build_demo(Path(folder) / "cranfield-demo")
            for path in picture_demo(place.browser, demo, DOCS.parent / "pictures"):
                print(path.name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
