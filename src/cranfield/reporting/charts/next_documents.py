"""The chart of what to judge next: the holes that shrink the ranges of open pairs most."""

from typing import TYPE_CHECKING

from cranfield.errors import printable
from cranfield.errors.extras import need
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.labels import shortened, text_width, widest
from cranfield.reporting.run_rows import joined, six_digits
from cranfield.reporting.style import ACCENT, CENTIMETRE, POSSIBLE, SIZE, centimetres
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.result import Holes

_ROW, _AROUND = 12.0, 52  # points: of a row, and of the axis
_SHARE = 0.45  # of the width, which names may take


@chart_kind(
    "next",
    "what to judge next",
    result="holes",
    question="Which documents are to be judged next, and what does each decide?",
    reading="A bar is how much judging this document narrows what is open.",
)
def next_chart(
    of: "Holes",
    *,
    n: int = 20,
    strategy: str = "swing",
    measure: str | None = None,
    width: Width = "two",
    title: str = "",
) -> Figure:
    """Draw by how much judging each of the most useful holes shrinks the ranges of the open pairs.

    Where that depends on its grade, a pale bar shows the most. Beside each bar stands the number of open pairs that the
    document can change.

    Args:
        of: the result of `cranfield.holes`.
        n: how many documents.
        strategy: how they are chosen: see `Holes.next`.
        measure: its name; the first by default.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    need("altair", "a chart")
    import altair as alt

    found = of.next(n, strategy=strategy, measure=measure)
    points = centimetres(width) * CENTIMETRE
    room = points * _SHARE - text_width(f"{len(found)} · ")
    names = [_label(*pair, room) for pair in zip(found.topics, found.documents, strict=True)]
    columns = (found.shrinks.tolist(), found.shrinkage.most.tolist(), found.pairs.tolist())
    rows = [
        {"name": f"{place} · {name}", "shrinks": six_digits(least), "most": six_digits(most), "pairs": pairs}
        for place, (name, least, most, pairs) in enumerate(zip(names, *columns, strict=True), start=1)
    ]
    beside = widest([row["name"] for row in rows]) + 4
    axis = alt.Axis(labelFontSize=SIZE, ticks=False, domain=False, grid=False, labelLimit=points, minExtent=beside)
    pale = ["pale: up to, by its grade"] if found.depends else []
    words = [f"shrinks the open ranges of {found.measure} {found.by}", *pale, "beside: open pairs that it can change"]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("name:N", sort=[row["name"] for row in rows], title=None, axis=axis),
        x=alt.X(
            "shrinks:Q",
            title=[line for each in words for line in joined(each.split(), points - beside - 16, " ")],
            axis=alt.Axis(tickCount=min(5, max(1, int((points - beside) / 32)))),
        ),
        tooltip=["name:N", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("shrinks", "most")), "pairs:Q"],
    )
    possible = base.mark_bar(color=POSSIBLE, height=_ROW * 0.6).encode(x=alt.X("most:Q"))
    bars = base.mark_bar(color=ACCENT, height=_ROW * 0.6)
    numbers = base.mark_text(align="left", dx=3, fontSize=SIZE - 1).encode(x=alt.X("most:Q"), text="pairs:Q")
    layers = alt.layer(*([possible] if found.depends else []), bars, numbers)
    drawn = sized(layers, points, max(1, len(rows)) * _ROW + _AROUND + _ROW * len(pale))
    described = (
        f"{counted(len(found), 'document')} to judge next by {found.strategy.name}: {found.by} how much each shrinks "
        f"the ranges of {counted(found.open, 'open pair')} of runs, and how many of them it can change."
    )
    said = f"what to judge next for {found.measure}"
    return framed(drawn, found.sheet(), said=said, described=described, width=width, title=title)


def _label(topic: str, document: str, room: float) -> str:
    """Topic and document in so many points, each shortened in the middle if need be.

    >>> _label("301", "FBIS3-10082", 130), _label("301", "clueweb09-en0000-00-00142-and-more", 130)
    ('301 FBIS3-10082', '301 clueweb09-…42-and-more')
    """
    topic, document = printable(topic), printable(document)
    head = shortened(topic, max(room * 0.4, room - text_width(f" {document}")))
    return f"{head} {shortened(document, room - text_width(f'{head} '))}"
