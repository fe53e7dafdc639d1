"""Templates: one environment that escapes everything, and the few filters that pages share."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse

from cranfield.judging.web.asking import Ask
from cranfield.missing.next.deciding.state import likely_words
from cranfield.tables.sheets.numerals import in_print

HERE = Path(__file__).parent
STATIC = HERE / "static"


def clock_time(ms: int) -> str:
    """The time of day, in UTC, of a moment in milliseconds.

    >>> clock_time(1_750_000_000_000)
    '15:06:40'
    """
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%H:%M:%S")


def moment(ms: int) -> str:
    """A moment in milliseconds as ISO 8601, for `<time datetime>` and tables.

    >>> moment(1_750_000_000_123)
    '2025-06-15T15:06:40.123Z'
    """
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def duration(ms: float) -> str:
    """How long something takes, in the unit that reads best.

    >>> [duration(ms) for ms in (900, 42_000, 150_000, 7_300_000, 200_000_000)]
    ['1 s', '42 s', '2 min', '2 h 2 min', '55 h']
    """
    seconds = max(0, ms) / 1000
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest and hours < 10 else f"{hours} h"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> count(1, "pair"), count(4180, "pair"), count(2, "query", "queries")
    ('1 pair', '4,180 pairs', '2 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def signed(value: float) -> str:
    """A difference with its sign.

    >>> signed(-0.25)
    '−0.2500'
    """
    return in_print(value, "+.4f")


@cache
def environment() -> Environment:
    """The templates of the room."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(clock=clock_time, moment=moment, duration=duration, likely=likely_words, signed=signed)
    made.globals.update(count=count)
    return made


def rendered(ask: Ask, template: str, **values: object) -> str:
    """A template as text, with what every page knows."""
    shared = {"root": ask.root, "visitor": ask.visitor, "here": ask.request.url.path}
    return environment().get_template(template).render(shared | values)


def render(ask: Ask, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """One page."""
    return HTMLResponse(rendered(ask, template, **values), status)
