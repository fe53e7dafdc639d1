"""The `ir_metadata` header of a run: YAML in leading comment lines, kept with the run."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from cranfield.read.sources.content import Content

Tree: TypeAlias = Any  # nested mappings, lists and strings: what a YAML header holds is free-form
_START, _END = "ir_metadata.start", "ir_metadata.end"


def header(content: Content) -> Mapping[str, Tree]:
    """The metadata block at the head of a file; the raw text under `text` if it is not simple YAML."""
    if content.head(1) != b"#":
        return {}
    lines: list[str] = []
    start = 0
    while content.buffer[start : start + 1] == b"#" and len(lines) < 10_000:
        lines.append(content.line_from(start)[1:])
        start = content.buffer.find(b"\n", start) + 1 or content.size
    bare = [line.strip() for line in lines]
    if _START not in bare or _END not in bare:
        return {}
    block = lines[bare.index(_START) + 1 : bare.index(_END)]
    return parse([line[1:] if line.startswith(" ") else line for line in block])


def parse(lines: list[str]) -> Mapping[str, Tree]:
    """Mappings, lists and plain or quoted scalars of YAML; anything else stays text.

    >>> parse(["tag: bm25", "actor:", "  name: 'J. L.'", "  fields:", "    - search", "    - ranking"])
    {'tag': 'bm25', 'actor': {'name': 'J. L.', 'fields': ['search', 'ranking']}}
    >>> parse(["? odd"])
    {'text': '? odd'}
    """
    rows = [(len(line) - len(line.lstrip(" ")), line.strip()) for line in lines if line.strip()]
    try:
        tree, rest = _block(rows, 0)
        if not rest and isinstance(tree, dict):
            return tree
    except (ValueError, RecursionError):
        pass
    return {"text": "\n".join(lines)}


def _block(rows: list[tuple[int, str]], depth: int) -> tuple[Tree, list[tuple[int, str]]]:
    """One mapping or list whose entries are indented alike, and the rows after it."""
    if not rows:
        return "", rows
    indent, first = rows[0]
    if depth > 50:
        raise ValueError
    items: list[Tree] = []
    mapping: dict[str, Tree] = {}
    is_list = first.startswith("- ")
    while rows and rows[0][0] == indent and rows[0][1].startswith("- ") == is_list:
        text, rows = rows[0][1], rows[1:]
        if is_list:
            items.append(_scalar(text[1:].strip()))
            continue
        key, colon, value = text.partition(":")
        if not colon or not key or (value and not value.startswith(" ")) or key[0] in "?[{&*!|>%@`":
            raise ValueError
        nested = rows and (rows[0][0] > indent or (rows[0][0] == indent and rows[0][1].startswith("- ")))
        if value.strip():
            mapping[key] = _scalar(value.strip())
        elif nested:
            mapping[key], rows = _block(rows, depth + 1)
        else:
            mapping[key] = ""
    if rows and rows[0][0] > indent:
        raise ValueError
    return (items if is_list else mapping), rows


def _scalar(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if not text or text[0] in "[{&*!|>%@`\"'":
        raise ValueError
    return text
