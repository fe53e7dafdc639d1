"""`cranfield bench`: measure cost, side by side with other programs."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from cranfield.cli import options
from cranfield.cli.files import OutputPath
from cranfield.cli.help import Verb
from cranfield.cli.names import RegisteredName
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.printing.progress import progress
from cranfield.cli.schemas.schema import record, rows
from cranfield.sample.bench.shapes import SIZES
from cranfield.whole_files import make_folder

_TEXT = {"type": "string"}
_NUMBER = {"type": ["number", "null"], "minimum": 0}
_COST = record(
    {
        "part": _TEXT,
        "size": _TEXT,
        "program": _TEXT,
        **dict.fromkeys(("rows", "cpu", "wall", "peak", "ratio", "per_million", "of_file"), _NUMBER),
        "problem": _TEXT,
    }
)
_RESULT = record({"costs": rows(_COST), "goals": rows(_TEXT), "machine": rows(_TEXT)})
_EXAMPLES = (
    "cranfield bench",
    "cranfield bench --size L --against trec_eval=./trec_eval,pytrec_eval",
    "cranfield bench --part growth --rows 1000000 -o growth.md",
)

_MOST_REPEATS = 1000  # which take hours with the smallest data
_MOST_ROWS = 1_000_000_000  # a file of some 40 GB


def _parts() -> "Mapping[str, object]":
    from cranfield.sample.bench.parts import PARTS

    return PARTS


@click.command("bench", cls=Verb, synopsis="[--size S|M|L|XL]", examples=_EXAMPLES, result_schema=_RESULT)
@options.option(
    "--size",
    "sizes",
    group="input",
    type=click.Choice(SIZES),
    multiple=True,
    default=("S",),
    metavar="S|M|L|XL",  # the smallest is for tests
    help="how much data",
)
@options.option(
    "--part",
    "parts",
    group="input",
    type=RegisteredName(_parts),
    multiple=True,
    default=("files", "dicts", "start"),
    help="what is measured",
)
@options.option(
    "--against",
    group="input",
    multiple=True,
    metavar="NAME,…",
    help="trec_eval=PATH, pytrec_eval, ir_measures, ranx or none",
    usual="the installed",
)
@options.option(
    "--repeats",
    group="statistics",
    type=click.IntRange(1, _MOST_REPEATS),
    default=3,
    metavar="N",
    help="repetitions, of which the median counts",
)
@options.option(
    "--threads",
    group="statistics",
    type=click.IntRange(1),
    default=2,
    metavar="N",
    help="threads of the second entry of cranfield",
)
@options.option(
    "--rows",
    "most",
    group="input",
    type=click.IntRange(1000, _MOST_ROWS),
    default=30_000_000,
    metavar="N",
    help="rows of the largest file of --part growth",
)
@options.option("--folder", group="input", metavar="DIR", help="keep the generated files there")
@options.seed
@options.option(
    "--page", group="output", type=OutputPath(), metavar="FILE.md", help="also update the marked places of this page"
)
@options.output
@click.pass_obj
def command(
    console: Console,
    sizes: tuple[str, ...],
    parts: tuple[str, ...],
    against: Sequence[str],
    repeats: int,
    threads: int,
    most: int,
    folder: str | None,
    seed: int,
    page: str | None,
    output: Output,
) -> int:
    """Measure cost on generated data, beside other programs whose numbers are equal."""
    from cranfield.sample.bench.contenders import installed_peers, parse_peers
    from cranfield.sample.bench.goals import verdicts
    from cranfield.sample.bench.machine import described
    from cranfield.sample.bench.page import update
    from cranfield.sample.bench.parts import Settings, bench
    from cranfield.sample.bench.results import sheet

    form = output.check(console)
    peers = parse_peers(against) if against else installed_peers()
    with _place(folder) as place, progress(console, "measuring") as step:
        here = Path(place).resolve()
        results = bench(
            parts,
            Settings(
                folder=here,
                sizes=sizes,
                peers=peers,
                repeats=repeats,
                threads=threads,
                rows=most,
                seed=seed,
                progress=step,
            ),
        )
    machine, goals = described(peers, repeats), verdicts(results)
    refused = [result for result in results if result.problem]
    if page is not None:
        for path in update(Path(page), results, machine):
            console.detail(f"{path}: written")
    found = {"costs": [result.as_dict() for result in results], "goals": goals, "machine": machine}
    code = int(bool(refused))
    data = envelope(console, exit=code, result=found)
    output.write(console, sheet(results, (*goals, *machine)), data)
    if form != "table":
        for result in refused:
            console.note(f"{result.part} {result.size}: {result.program} was refused: {result.problem}")
    return code


def _place(folder: str | None) -> "tempfile.TemporaryDirectory[str] | nullcontext[str]":
    """The folder that was named, or a temporary one."""
    if folder is None:
        return tempfile.TemporaryDirectory(prefix="cranfield-bench-")
    make_folder(folder)
    return nullcontext(folder)
