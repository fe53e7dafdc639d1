"""A progress bar on stderr: only on a terminal, only after half a second, gone when done."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cranfield.cli.printing.console import Console, is_terminal
from cranfield.errors import printable
from cranfield.tables.sheets.names import cut

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 0.5  # seconds before a bar is drawn
NAME = 24  # columns for the name of what is worked on
Step = Callable[[str, int, int], None]


@contextmanager
def progress(console: Console, verb: str) -> Iterator[Step]:
    """A function to be called with (name, number, of how many) before each step.

    Nothing is drawn into a pipe or with -q.
    """
    if console.quiet or not is_terminal(2):
        yield lambda name, number, total: None
        return
    bar: Progress | None = None
    began = time.monotonic()

    def step(name: str, number: int, total: int) -> None:
        nonlocal bar
        if bar is None and time.monotonic() - began >= PATIENCE:
            bar = _bar(console)
            bar.start()
            bar.add_task(verb, total=total, name="", began=began)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=number, total=total, name=name)

    try:
        yield step
    finally:
        if bar is not None:
            bar.stop()


def _bar(console: Console) -> "Progress":
    from rich.console import Console as Terminal
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Name(TextColumn):
        """The name of the current run, with brackets printed as they are."""

        def __init__(self) -> None:
            super().__init__("")

        def render(self, task: Task) -> Text:
            self.text_format = (
                escape(cut(printable(str(task.fields["name"])), NAME)).replace("{", "{{").replace("}", "}}")
            )
            return super().render(task)

    class Rate(TextColumn):
        """Steps in a second, or seconds for a step."""

        def __init__(self) -> None:
            super().__init__("")

        def render(self, task: Task) -> Text:
            self.text_format = rate(int(task.completed), time.monotonic() - float(task.fields["began"]))
            return super().render(task)

    terminal = Terminal(stderr=True, no_color=console.color is False)
    columns = (
        TextColumn("{task.description}"),
        Name(),
        BarColumn(bar_width=min(40, max(5, terminal.width - 60))),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=terminal, transient=True)


def rate(steps: int, seconds: float) -> str:
    """How fast it went so far.

    >>> rate(0, 2.0), rate(12, 2.0), rate(3, 30.0), rate(5000, 2.0)
    ('', '6.0/s', '10 s each', '2500/s')
    """
    if not steps or seconds <= 0:
        return ""
    speed = steps / seconds
    if speed < 1:
        return f"{1 / speed:.0f} s each"
    return f"{speed:.0f}/s" if speed >= 100 else f"{speed:.1f}/s"
