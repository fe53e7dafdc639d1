"""The reliability chart of a prior: how often documents were relevant that were said to be so with some probability."""

from typing import Any

import numpy as np

from cranfield.errors import PolicyError
from cranfield.errors.extras import need
from cranfield.missing.prior.calibration import Reliability
from cranfield.missing.prior.result import Prior
from cranfield.missing.prior.sheet import reliability_sheet
from cranfield.reporting.drawing import sized
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.style import ACCENT, CENTIMETRE, GREY, QUIET, centimetres
from cranfield.tables.charts import Width, chart_kind
from cranfield.tables.words import counted

_SURE = 1.96  # standard errors of a share to either side


@chart_kind(
    "reliability",
    "observed share of relevant documents by predicted probability",
    result="prior",
    question="Are documents as often relevant as the prior says?",
    reading="A dot is a group of documents with about the same predicted probability; on the diagonal they "
    "are as often relevant as predicted.",
)
def reliability_chart(prior: Prior, *, width: Width = "one", title: str = "") -> Figure:
    """Draw the reliability of a prior: a point for each bin of predicted probabilities, on the diagonal if it is right.

    A line through each point is the 95 % interval of the observed share; the area of a point is its number of pairs.

    Args:
        prior: with a reliability table, which a prior without cross-validation lacks.
        width: `"one"` column of a printed page (8.5 cm), `"two"` (17.5 cm), or centimetres.
        title: printed above the chart.
    """
    if prior.reliability is None:
        raise PolicyError("E243", "this prior was not checked on judged pairs, so there is nothing to draw")
    return framed(
        drawn(prior.reliability, centimetres(width) * CENTIMETRE),
        reliability_sheet(prior.reliability),
        said="Reliability of the prior",
        described=_described(prior.reliability),
        width=width,
        title=title,
    )


def drawn(found: Reliability, points: float, said: str = "share that is relevant") -> Any:
    """The diagonal, an interval for each bin, and a point on it; `said` is what was observed."""
    need("altair", "a chart")
    import altair as alt

    doubt = _SURE * np.sqrt(np.maximum(found.observed * (1 - found.observed), 0.25 / found.number) / found.number)
    ends = np.clip(np.stack((found.observed - doubt, found.observed + doubt)), 0, 1)
    columns = zip(found.predicted, found.observed, *ends, found.number, strict=True)
    rows = [
        {"x": round(float(x), 6), "y": round(float(y), 6), "low": float(a), "high": float(b), "pairs": int(n)}
        for x, y, a, b, n in columns
    ]
    scale, axis = alt.Scale(domain=[0, 1], nice=False), alt.Axis(tickCount=5)
    x = alt.X("x:Q", title="predicted probability", scale=scale, axis=axis)
    y = alt.Y("y:Q", title=said, scale=scale, axis=axis)
    line = alt.Chart(alt.InlineData(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x)
    size = alt.Size("pairs:Q", scale=alt.Scale(range=[8, 120]), legend=alt.Legend(title="pairs", orient="right"))
    layers = (
        line.mark_line(color=GREY, strokeDash=[3, 2], strokeWidth=1).encode(x=x, y=y),
        base.mark_rule(color=QUIET, strokeWidth=0.8).encode(y=alt.Y("low:Q", title=said, scale=scale), y2="high:Q"),
        base.mark_point(filled=True, opacity=1, color=ACCENT).encode(y=y, size=size, tooltip=["x:Q", "y:Q", "pairs:Q"]),
    )
    return sized(alt.layer(*layers), points, min(points * 0.8, 300))


def _described(found: Reliability) -> str:
    worst = int(np.argmax(np.abs(found.predicted - found.observed) * np.sqrt(found.number)))
    return (
        f"Share of relevant documents by predicted probability, {counted(int(found.number.sum()), 'judged pair')} in "
        f"{counted(len(found.number), 'bin')}: Brier score {found.brier:.4f}, mean distance from the diagonal "
        f"{found.error:.3f}. The bin that is farthest off for its size has {found.observed[worst]:.3f} where "
        f"{found.predicted[worst]:.3f} was predicted."
    )
