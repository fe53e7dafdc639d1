"""All measures: a table for each family, then a section for each measure."""

from collections.abc import Iterable

from cranfield.measures.definition import FAMILIES
from cranfield.measures.pages.listing import MeasureList
from cranfield.measures.pages.page import MeasurePage
from docs.markup import anchor, table, written


def page() -> str:
    """All measures: a table for each family, then a section for each measure."""
    parts = [
        "# Measures",
        "A measure is written `NAME`, `NAME@k`, `NAME(parameter=value)` or `NAME(parameter=value)@k`. A prime, as in "
        "`nDCG'@10`, leaves the unjudged documents out of the list before anything is computed. Aliases are found in "
        "any letter case; those of trec_eval carry their cut-off as `P_10` or `ndcg_cut.10`.",
        "`cranfield measures NAME` prints these pages in a terminal, `--bibtex` their references.",
    ]
    for family, listed in MeasureList().families.items():
        if family != "own":
            parts += [f"## {family.capitalize()}: {FAMILIES[family]}", _overview(listed)]
            parts += [page.to_markdown(level=3) for page in listed]
    return written(parts)


def _overview(listed: Iterable[MeasurePage]) -> str:
    rows = [(f"[{page.name}](#{anchor(page.name)})", ", ".join(page.aliases), page.title) for page in listed]
    return table(("measure", "aliases", "what it is"), rows)
