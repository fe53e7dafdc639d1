"""Data and policies: what was read, and every choice that shapes a number."""

from collections.abc import Iterator

from cranfield.reporting.page.blocks import Block, FactsBlock, Paragraph, TableBlock
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

WORDS = {
    "ties": "order of equal scores",
    "topic_set": "topics in the mean",
    "no_relevant": "topics without relevant documents",
    "negative": "negative grades",
    "unjudged": "unjudged documents count as",
    "duplicates": "documents listed twice",
    "rel": "relevant from grade",
    "depth": "ranks that count",
}


@section("data", "Data and policies", number=10)
def data(material: ReportMaterial) -> Iterator[Block]:
    """How much was read, the policies, and what the audit counted."""
    scores, audit = material.scores, material.scores.audit
    read = [entry for entry in audit.inputs if entry["role"] == "qrels"]
    judged = f", {counted(sum(entry['rows'] for entry in read), 'judgment')}" if read else ""
    measures = ", ".join(scores.measures)
    yield Paragraph(
        f"{counted(len(scores.runs), 'run')} on {counted(len(scores.topics), 'topic')}{judged}; "
        f"{'measure' if len(scores.measures) == 1 else 'measures'}: {measures}."
    )
    yield Paragraph(" ".join(f"{line[0].upper()}{line[1:]}." for line in audit.footer(scores.cutoff) if line))
    policies = {WORDS[name]: _value(name, value) for name, value in audit.policies.items() if name in WORDS}
    yield FactsBlock(policies)
    missing = {run: topics for run, topics in audit.topics_missing.items() if topics}
    if missing:
        columns = (
            Column("run", list(missing)),
            Column("topics without a list", [len(topics) for topics in missing.values()], ","),
            Column("which", [", ".join(topics) for topics in missing.values()]),
        )
        yield TableBlock("missing-topics", Sheet(columns), "Topics for which a run has no list.", folded=True)


def _value(name: str, value: object) -> str:
    return "all" if name == "depth" and value is None else str(value)
