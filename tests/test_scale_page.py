"""The page of scale repeats figures of other pages; they are the same there."""

import re
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def page(name: str) -> str:
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


def test_the_times_of_fifty_people_are_those_of_the_page_of_judging():
    measured = dict(re.findall(r"\| `key to next document, (p50|p99)` \| ([\d.]+) \|", page("judging.md")))
    said = f"{1000 * float(measured['p50']):.0f} ms in the median, {1000 * float(measured['p99']):.0f} ms at p99"
    assert said in page("scale.md")


def test_the_storm_is_that_of_the_page_of_judging():
    judgments = re.search(r"50 assessors for 60 seconds .*? \| ([\d,]+) judgments, 0 errors", page("judging.md"))
    opened = re.search(r"opening a lab of 100,000 pairs, with its check \| ([\d.]+) s", page("judging.md"))
    assert judgments
    assert f"50 for 60 seconds: {judgments[1]} judgments, 0 errors" in page("scale.md")
    assert opened
    assert f"100,000: opens in {opened[1]} s" in page("scale.md")


def test_a_row_of_a_billion_costs_no_less_than_a_row_that_was_measured():
    assumed = re.search(r"ROW = ([\d.e-]+)", page("scale.md"))
    growth = page("explanation/speed.md").partition("<!-- bench growth -->")[2]
    rows = re.findall(r"\| ([\d,]+) \| `cranfield` \| [\d.]+ \| [\d.]+ \| \d+ \| ([\d.]+) \|", growth)
    measured = {int(count.replace(",", "")): float(cost) * 1e-6 for count, cost in rows}
    assert assumed
    assert max(measured) == 30_000_000
    assert float(assumed[1]) >= max(cost for count, cost in measured.items() if count >= 1_000_000)


def test_the_memory_of_judgments_is_no_less_than_what_was_measured():
    assumed = re.search(r"JUDGMENT, TOPIC, SENT, RESULT, LINE = (\d+), (\d+),", page("scale.md"))
    table = page("scale.md").partition("| judgments | topics | CPU s | peak, MB |")[2].partition("(The last")[0]
    rows = re.findall(r"\| ([\d,]+) \| ([\d,]+) \| [\d.]+ \| (\d+) \|", table)
    (_, _, start), *measured = [[int(cell.replace(",", "")) for cell in row] for row in rows]
    assert assumed
    assert len(measured) == 4
    for judgments, topics, peak in measured:
        computed = (judgments * int(assumed[1]) + topics * int(assumed[2])) / 1e6
        assert (peak - start) * 2**20 / 1e6 <= 1.05 * computed
