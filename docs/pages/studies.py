"""All kinds of study with all their options."""

import inspect

from cranfield.study.data.selection import RULES
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.definition import StudyKind, StudyOption
from docs.docstrings import as_markdown
from docs.markup import anchor, table, written

COMMON = {
    "measures": "measures, where the usual ones of the kind are not meant",
    "seed": "of every random step; 0",
    "jobs": "processes; they change nothing but the time",
    "cluster": "the address of a Dask scheduler, or a `distributed.Client`",
    "folder": "where settings, tables and charts are written, and an interrupted study is taken up again",
    "progress": "called with (what, number, of how many) before each step",
    "reading": "keyword options by which files were read, recorded for `repeat`",
}
OF_DATA = {
    "qrels, runs": "judgments and runs, as `evaluate` takes them",
    "policy": "[policies](policies.md); each can also be given by its name, as in `ties='file'`",
    "keep": "rules that choose runs",
    "sample": "so many runs, drawn at random",
    "groups": "which run belongs to which group: a mapping, or a file",
    "grades": "`int`, or `float` where judgments are real gains",
}


def page() -> str:
    """An overview, the options that all kinds take, then a section for each kind."""
    kinds = sorted(STUDIES.values(), key=lambda kind: kind.name)
    rules = ", ".join(f"`{rule}`" for rule in RULES)
    common = COMMON | OF_DATA | {"keep": f"{OF_DATA['keep']}: {rules}"}
    overview = [(f"[{kind.name}](#{anchor(kind.name)})", kind.question) for kind in kinds]
    parts = [
        "# Studies",
        "A study asks how far a collection, or a measure, can be trusted. Each kind is a function of `cranfield.study` "
        "(a dash becomes an underscore: `cf.study.leave_out`) and a command (`cranfield study leave-out`); an option "
        "of Python is one of the command line with dashes: `pool_depth=20` is `--pool-depth 20`.",
        table(("kind", "question"), overview),
        "## What all kinds take",
        table(("Python", "meaning"), [(f"`{name}`", text) for name, text in common.items()]),
        f"A study that reads no data takes none of {', '.join(f'`{name}`' for name in OF_DATA)}.",
    ]
    for kind in kinds:
        parts += [
            f"## {kind.name}",
            f"*{kind.question[0].upper()}{kind.question[1:]}.*",
            as_markdown(inspect.getdoc(kind.study) or ""),
        ]
        parts += _options(kind)
    return written(parts)


def _options(kind: StudyKind) -> list[str]:
    usual = ", ".join(f"`{name}`" for name in kind.study.usual)
    reads = "It reads no judgments and no runs. " if kind.study.data == "measures" else ""
    rows = [
        (f"`{name}`", _default(option), _values(option), option.facts["help"])
        for name, option in kind.parameters.items()
    ]
    listed = [table(("option", "default", "values", "meaning"), rows)] if rows else ["It has no options of its own."]
    examples = [f"```console\n{''.join(f'$ {line}{chr(10)}' for line in kind.examples)}```"] if kind.examples else []
    return [f"{reads}Usual measures: {usual}.", *listed, *examples]


def _default(option: StudyOption) -> str:
    if option.facts["usual"]:
        return str(option.facts["usual"])
    if option.default is None or option.default == ():
        return "none"
    shown = option.default if isinstance(option.default, tuple) else (option.default,)
    return f"`{', '.join(f'{value:g}' if isinstance(value, float) else str(value) for value in shown)}`"


def _values(option: StudyOption) -> str:
    """The values that an option takes: its choices, its rule, or its type."""
    facts = option.facts
    words = [f"`{word}`" for word in (*option.choices, *facts["also"])]
    rule = "" if option.choices else facts["rule"] or ("a file" if facts["file"] else _kind(option))
    return "; ".join(filter(None, (rule, ", ".join(words))))


def _kind(option: StudyOption) -> str:
    noun = {int: "whole number", float: "number", str: "text", bool: "truth value"}[option.type]
    return f"{noun}s" if option.several else f"a {noun}" if noun != "text" else noun
