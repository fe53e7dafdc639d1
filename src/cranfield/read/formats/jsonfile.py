"""Whole JSON documents: dictionaries of dictionaries."""

import json
from dataclasses import replace
from typing import Any

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats.jsonl import not_json, unique
from cranfield.read.objects import as_qrels, as_runs
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.read.sources.paths import stem
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run


@reads("run-json", "run", '{"301":{"FT911-3":14.25}}', usual_endings=(".json",), writable=True)
def read_dict_run(content: Content, options: ReadOptions) -> list[Run]:
    """JSON dictionary of runs: topic, document, score; or names of runs around that."""
    runs = located(content, as_runs, whole(content))
    source = content.source("run-json", lines=False)
    named = len(runs) > 1 or "run" not in runs
    name = options.name or ("" if named and options.name_by == "tag" else stem(content.name))
    return [replace(run, name=name if name and len(runs) == 1 else run.name, source=source) for run in runs.values()]


@reads("qrels-json", "qrels", '{"301":{"FT911-3":1}}', usual_endings=(".json",), writable=True)
def read_dict_qrels(content: Content, options: ReadOptions) -> Qrels:
    """JSON dictionary of qrels: topic, document, grade."""
    qrels = located(content, lambda tree: as_qrels(tree, options.grades), whole(content))
    return replace(qrels, source=content.source("qrels-json", lines=False))


def parsed(content: Content) -> dict[str, Any]:
    """The object in a file; a name that occurs twice in one object is an error."""
    if not content.buffer[: content.size].strip():
        raise InputError("E104", "the file is empty", path=content.name)
    try:
        tree = json.loads(content.text(), object_pairs_hook=unique)
    except (ValueError, RecursionError) as reason:
        raise not_json(content, reason, 1) from None
    if not isinstance(tree, dict):
        raise InputError("E119", "expected a JSON object", path=content.name)
    return tree


def whole(content: Content) -> Any:  # whatever the file holds
    """The dictionary of dictionaries or lists in a file."""
    tree = parsed(content)
    if not all(isinstance(value, dict | list) for value in tree.values()):
        raise InputError("E119", "expected a JSON object {topic: {document: value}}", path=content.name)
    return tree


def located(content: Content, convert: Any, tree: Any) -> Any:
    """Convert an object; errors say which file it came from."""
    try:
        return convert(tree)
    except InputError as error:
        raise InputError(error.code, error.problem, path=content.name, hint=error.hint) from None
