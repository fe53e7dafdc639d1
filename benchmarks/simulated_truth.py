"""What a pool gets wrong, where the truth is known: the tables of docs/explanation/simulated-truth.md.

    scripts/simulate-truth                        # some minutes; writes the tables into the page
    scripts/simulate-truth --draws 20 --print     # a quick look

Every seed is another set of systems; its draws are the same systems on new topics.
"""

import sys
from collections.abc import Iterator
from typing import Literal

import numpy as np

from benchmarks.marked_pages import EXPLANATION, parser, publish
from cranfield import study
from cranfield.study.simulated.world import PRESETS
from cranfield.tables.sheets.numerals import in_print

PAGE = EXPLANATION / "simulated-truth.md"
MEASURES = ("AP", "nDCG@10", "P@10", "Bpref", "RBP")
KEYS = (
    "agreement",
    *(f"{name}{part}" for name in ("sign_errors", "bias", "coverage", "pair_coverage") for part in ("", "_novel")),
)
WORDS = {"complete": "complete", "pool": "pool", "condensed": "pool, condensed"}


def table(preset: Literal["small", "trec8_like"], seeds: int, draws: int) -> Iterator[str]:
    """A preset: one line per measure and kind of judgments, averaged over seeds."""
    made = [study.simulate(MEASURES, preset=preset, draws=draws, seed=seed).table() for seed in range(seeds)]
    values = np.mean([each.select(KEYS).to_numpy() for each in made], axis=0)
    rows = zip(made[0]["measure"], made[0]["judgments"], values, strict=True)
    model = PRESETS[preset]
    yield f"### {preset}: {model.systems} systems of {model.families} families, pool of depth {model.depth}"
    yield ""
    sets = "one set" if seeds == 1 else f"{seeds} sets"
    yield f"{model.topics} topics; {sets} of systems, {draws} draws of topics each."
    yield ""
    heads = (
        "τ",
        *(word for head in ("sign errors", "bias", "coverage", "of differences") for word in (head, "… novel")),
    )
    yield f"| measure | judgments | {' | '.join(heads)} |"
    yield f"|:---|:---{'|---:' * len(heads)}|"
    for measure, judgments, row in rows:
        tau, wrong, wrong_new, bias, bias_new, *shares = row.tolist()
        cells = [f"{tau:.2f}", *map(_percent, (wrong, wrong_new)), in_print(bias, "+.3f"), in_print(bias_new, "+.3f")]
        yield f"| {measure} | {WORDS[judgments]} | {' | '.join([*cells, *map(_percent, shares)])} |"
    yield ""


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def main(arguments: list[str]) -> None:
    """Simulate, and print the tables or write them into the page."""
    options = parser("what a pool gets wrong, where the truth is known")
    options.add_argument("--draws", type=int, default=100, help="of topics, for each set of systems [100]")
    options.add_argument("--seeds", type=int, default=4, help="sets of systems [4]")
    given = options.parse_args(arguments)
    few = max(2, given.draws // 4)
    text = "\n".join([*table("small", given.seeds, given.draws), *table("trec8_like", 1, few)])
    publish(PAGE, [text], given.print)


if __name__ == "__main__":
    main(sys.argv[1:])
