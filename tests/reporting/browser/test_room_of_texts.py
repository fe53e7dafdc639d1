"""Every text of a chart is inside its picture and beside the others, also in a font wider than Helvetica."""

import warnings
from functools import cache
from random import Random

import numpy as np
import pytest

import cranfield as cf
from cranfield.reporting.drawing import Axes, lines
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.lines import Line, Panel
from cranfield.reporting.style import CENTIMETRE, centimetres, looks
from cranfield.tables.charts import CHARTS
from cranfield.tables.sheets.sheet import Column, Sheet

pytestmark = pytest.mark.xdist_group("browser")
RUNS = [f"{('dense-bi-encoder-', 'BM25-WEIGHTED-MAXIMUM-')[n % 2]:x<36}-{n:03d}" for n in range(30)]
TOPICS = [f"topic-with-a-long-identifier-of-letters-{n}" for n in range(10, 22)]
DOCUMENTS = [f"clueweb12-0000tw-05-12114-and-a-part-{n:03d}" for n in range(30)]
ASSESSORS = ["an-assessor-whose-name-has-forty-letters", "another-one-whose-name-has-forty-letters"]
FAULTS = """() => {
  const faults = [];
  for (const picture of document.querySelectorAll("figure")) {
    const frame = picture.querySelector("svg").getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")]
      .filter((each) => each.textContent.trim() && each.getAttribute("opacity") !== "0")
      .map((each) => [each.textContent, each.getBoundingClientRect()]);
    for (const [words, box] of texts) {
      const [left, right] = [frame.left - box.left, box.right - frame.right];
      const [top, bottom] = [frame.top - box.top, box.bottom - frame.bottom];
      if (Math.max(left, right, top, bottom) > 1) faults.push(`${picture.id}: '${words}' is cut`);
    }
    texts.forEach(([words, box], at) => texts.slice(at + 1).forEach(([others, next]) => {
      const across = Math.min(box.right, next.right) - Math.max(box.left, next.left);
      const down = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
      if (across > 1 && down > 4 && words !== others) faults.push(`${picture.id}: '${words}' lies over '${others}'`);
    }));
  }
  return faults;
}"""


@cache
def _results():
    """Results of thirty runs on twelve topics, all names forty letters long."""
    chance = Random(16)
    truth = {topic: {each: max(0, chance.randrange(-5, 3)) for each in DOCUMENTS} for topic in TOPICS}
    runs = {
        run: {
            topic: sorted(grades, key=lambda each: -at / 20 * grades[each] - chance.gauss(0, 1))[:20]
            for topic, grades in truth.items()
        }
        for at, run in enumerate(RUNS)
    }
    qrels = {
        topic: {each: grades[each] for run in RUNS[:3] for each in runs[run][topic][:8]}
        for topic, grades in truth.items()
    }
    second = {
        topic: {each: chance.choice((grade, grade, 1)) for each, grade in found.items()}
        for topic, found in qrels.items()
    }
    few = {run: runs[run] for run in RUNS[:5]}
    scores, holes = cf.evaluate(qrels, runs, "nDCG@10"), cf.holes(qrels, runs, "nDCG@10")
    some = cf.holes(qrels, few, "nDCG@10")
    groups = {f"group-of-topics-of-which-the-name-is-long-{n}": TOPICS[n::4] for n in range(4)}
    return {
        "scores": scores,
        "comparison": cf.with_ranges(cf.compare(scores), holes),
        "holes": holes,
        "agreement": cf.agree(
            dict(zip(ASSESSORS, (qrels, second), strict=True)), runs=runs, measures="nDCG@10", samples=20
        ),
        "groups": cf.by_group(scores, groups),
        "prior": some.estimate(draws=20, seed=0).prior,
        "pool": cf.pool(few, depth=5, qrels=qrels),
        "curves": cf.curve(qrels, runs, "ndcg@20"),
        "bands": cf.curve(qrels, few, "ndcg@20", band="bounds"),
        "study": cf.study.reduction(qrels, runs, ["AP", "bpref", "RBP(p=0.8)"], levels=[100, 50], draws=2, seed=7),
        "nemenyi": cf.compare(qrels, runs, "nDCG@10", adjust="nemenyi"),
        "some": some,
    }


def _drawn(width) -> dict[str, Figure]:
    """Every chart of the registry, and the form of curves that has a panel for each run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        results = _results()
        odd = {"critical-difference": "nemenyi", "judging": "some"}
        found = {
            name: results[odd.get(name, chart.result)].plot(name, width=width)
            for name, chart in CHARTS.items()
            if chart.result in results and name not in ("curves", "levels")
        }
    for name, result in {"curves": "curves", "bands": "bands", "levels": "study"}.items():
        found[name] = results[result].plot(width=width)
    found["axis"] = _with_long_axis(width)
    return found


def _with_long_axis(width) -> Figure:
    """A chart whose horizontal axis has a title longer than itself, as studies draw."""
    line = Line("gap", "gap", np.array([0.0, 1.0]), np.array([0.2, 0.8]))
    axes = Axes("share of users who want grade 3, the others grade 1, and a few words more than fit", (0, 1))
    drawn = lines([Panel("", "share", (line,))], looks(["gap"]), axes, centimetres(width) * CENTIMETRE, [])
    return framed(drawn, Sheet((Column("x", [0.0]),)), said="long", described="long", width=width, title="")


@pytest.mark.parametrize("width", ["one", "two"])
def test_no_text_of_a_chart_is_cut_or_lies_over_another_one(chromium, width):
    drawn = _drawn(width)
    assert set(CHARTS) <= set(drawn)
    font = "Helvetica, Arial, Liberation Sans, sans-serif"
    pictures = "".join(f'<figure id="{name}">{figure.to_svg()}</figure>' for name, figure in drawn.items())
    page = chromium.new_page()
    page.set_content(f"<meta charset=utf-8>{pictures.replace(font, 'DejaVu Sans, Verdana, sans-serif')}")
    faults = page.evaluate(FAULTS)
    page.close()
    assert faults == []
