"""Rooms made when they are needed, and a window in which a screen is in its state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.screens import rooms
from benchmarks.screens.collections import PicturedCollection
from benchmarks.screens.stage import Stage
from benchmarks.screens.states import Screen
from cranfield.judging.room import Room

WIDTHS = {360: 760, 800: 1000, 1280: 860}  # of windows, with their heights
MAKERS: dict[str, Callable[[Path, PicturedCollection], Room]] = {
    "working": rooms.working,
    "beginning": rooms.beginning,
    "deciding": rooms.deciding,
    "decided": lambda path, known: rooms.deciding(path, known, 1.0),
    "finished": rooms.finished,
    "held": rooms.held,
    "empty": rooms.empty,
    "odd": rooms.odd,
    "unclaimed": rooms.unclaimed,
    "team": rooms.team,
}


class MadeRooms:
    """Rooms, made when they are first needed."""

    def __init__(self, folder: Path, known: PicturedCollection) -> None:
        self.folder, self.known = folder, known
        self.made: dict[str, Room] = {}

    def __getitem__(self, name: str) -> Room:
        if name not in self.made:
            self.made[name] = MAKERS[name](self.folder / f"{name}.db", self.known)
        return self.made[name]

    def close(self) -> None:
        """Close them."""
        for room in self.made.values():
            room.close()


@contextmanager
def looked_at(
    stage: Stage, screen: Screen, made: MadeRooms, width: int = 1280, scheme: str = "light", **options: Any
) -> Iterator[Page]:
    """A window in which a screen is in its state."""
    stage.show(made[screen.room])
    page = stage.page(
        screen.person,
        viewport={"width": width, "height": WIDTHS.get(width, 760)},
        color_scheme=scheme,
        reduced_motion="reduce",
        timezone_id="UTC",
        locale="en-GB",
        has_touch=width < 700,
        **{"java_script_enabled": screen.script, **options},
    )
    try:
        page.goto(stage.url + screen.address(stage))
        if screen.act is not None:
            screen.act(stage, page)
        page.wait_for_load_state("networkidle" if screen.script else "load")
        yield page
    finally:
        page.context.close()


def picture(path: Path, stage: Stage, screen: Screen, made: MadeRooms, width: int, scheme: str, *, whole: bool) -> int:
    """Take a picture of a screen, of the window or the whole page; how wide the page is."""
    with looked_at(stage, screen, made, width, scheme) as page:
        page.screenshot(path=path, full_page=whole)
        wide: int = page.evaluate("() => document.documentElement.scrollWidth")
    return wide
