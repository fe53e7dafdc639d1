"""Studies: how far can this collection, and this measure, be trusted?

Every kind of study is a function of this module: `cranfield.study.reduction(qrels, runs, measures, draws=50)`.
`cranfield.study.repeat("study.json")` makes one again from its settings.
"""

from typing import TYPE_CHECKING, Any

from cranfield.study.engine.catalogue import KINDS

if TYPE_CHECKING:
    from cranfield.study.engine.definition import Definition
    from cranfield.study.engine.repetition import repeat as repeat

    reduction: Definition
    depth: Definition
    leave_out: Definition
    swap: Definition
    power: Definition
    correlation: Definition
    grid: Definition
    parameters: Definition
    topheavy: Definition
    folds: Definition
    efficiency: Definition
    simulate: Definition
    describe: Definition
    disagreement: Definition
    breadth: Definition
    stability: Definition
    ahlgren2007: Definition
    jarvelin2002: Definition
    sakai2008: Definition
    ferrante2014: Definition
    lecture: Definition


def __getattr__(name: str) -> Any:  # a Definition, which is called like a function
    if name == "repeat":
        from cranfield.study.engine.repetition import repeat

        return repeat
    if (known := name.replace("_", "-")) in KINDS:
        from cranfield.study.engine.definition import kind

        return kind(known)
    raise AttributeError(f"module 'cranfield.study' has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["repeat", *(name.replace("-", "_") for name in KINDS)]
