"""Reproduction: the files with their hashes, the versions, and the command that makes the report again."""

from collections.abc import Iterator

from cranfield.reporting.page.blocks import Block, CommandBlock, FactsBlock, Paragraph, TableBlock
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.page.section import section
from cranfield.tables.sheets.sheet import Column, Sheet


@section("reproduction", "How to make this report again", number=100)
def reproduction(material: ReportMaterial) -> Iterator[Block]:
    """The command, the inputs, versions, policies and seed."""
    audit = (material.comparison or material.scores).audit
    if material.command:
        yield CommandBlock(material.command)
    inputs = [entry for entry in audit.inputs if entry.get("sha256") or entry.get("name")]
    if inputs:
        columns = (
            Column("role", [entry["role"] for entry in inputs]),
            Column("name", [entry["name"] for entry in inputs]),
            Column("rows", [entry["rows"] for entry in inputs], ","),
            Column("SHA-256", [entry["sha256"] for entry in inputs]),
        )
        yield TableBlock("inputs", Sheet(columns, label="tab:inputs"), "What was read.")
    yield FactsBlock(
        {
            "versions": ", ".join(f"{name} {version}" for name, version in audit.versions.items()),
            "policies": ", ".join(f"{name.replace('_', '-')}={value}" for name, value in audit.policies.items()),
            "seed": str(audit.seed),
            **({"made": material.stamp} if material.stamp else {}),
        }
    )
    yield Paragraph("The same inputs, versions and seed give the same bytes.", "quiet")
