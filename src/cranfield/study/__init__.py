"""Studies: how far can this collection, and this measure, be trusted?

Every kind of study is a function of this module: `cranfield.study.reduction(qrels, runs, measures, draws=50)`.
`cranfield.study.repeat("study.json")` makes one again from its settings. Type checkers read `__init__.pyi`, which is
written from the registry.

Read `engine` first: its `definition` says what a study is. `kinds` and `papers` hold the studies, `data` their input,
`summaries` the computations that several of them share, `simulated` the simulator.
"""

from typing import Any

from cranfield.study.engine.catalogue import STUDIES, questions


def __getattr__(name: str) -> Any:  # a StudyKind, which is called like a function
    if name == "repeat":
        from cranfield.errors.arguments import checked
        from cranfield.study.engine.repetition import repeat

        return checked(repeat)
    if (known := name.replace("_", "-")) in questions():
        return STUDIES[known]
    raise AttributeError(f"module 'cranfield.study' has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["repeat", *(name.replace("-", "_") for name in questions())]
