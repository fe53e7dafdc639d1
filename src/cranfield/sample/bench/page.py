"""Update the documentation page with the figures: the text between markers is replaced."""

import re
from collections.abc import Sequence
from pathlib import Path

from cranfield.errors import InputError
from cranfield.sample.bench.goals import verdicts
from cranfield.sample.bench.results import BenchResult, sheet
from cranfield.whole_files import write_whole


def update(path: Path, results: Sequence[BenchResult], machine: Sequence[str]) -> list[Path]:
    """Replace the tables of the parts that were measured, and write the chart beside the page.

    A part stands between `<!-- bench NAME -->` and `<!-- end of bench -->`.

    Returns:
        The files that were written.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError("E120", f"cannot be read: {(error.strerror or str(error)).lower()}", path=path) from None
    written = []
    for part in dict.fromkeys(result.part for result in results):
        mine = [result for result in results if result.part == part]
        table = sheet(mine, notes=(*verdicts(mine), *machine), parts=False).markdown()
        if part == "growth" and any(result.cpu is not None for result in mine):
            from cranfield.sample.bench.chart import growth_chart

            figure = growth_chart(mine)
            beside = path.with_name(f"{path.stem}-growth.svg")
            figure.save(beside)
            written.append(beside)
            table = f"![{figure.description}]({beside.name})\n\n{table}"
        text = replaced(text, part, table, path)
    write_whole(str(path), text.encode())
    return [path, *written]


def replaced(text: str, part: str, table: str, path: Path | None = None) -> str:
    r"""The page with another table in one part.

    >>> replaced("<!-- bench start -->\nold\n<!-- end of bench -->\n", "start", "| new |")
    '<!-- bench start -->\n\n| new |\n\n<!-- end of bench -->\n'
    """
    opening, closing = f"<!-- bench {part} -->", "<!-- end of bench -->"
    block = re.compile(f"{re.escape(opening)}.*?{re.escape(closing)}", re.DOTALL)
    text, count = block.subn(lambda _: f"{opening}\n\n{table}\n\n{closing}", text)
    if not count:
        raise InputError("E120", f"has no place for the table: {opening} … {closing} is missing", path=path)
    return text
