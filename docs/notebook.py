"""Run the notebooks of docs/notebooks without Jupyter, and write what they print into them and onto pages.

    python docs/notebook.py

The code cells of a notebook run in order in one namespace. What a cell prints and the value of its last expression are
its outputs, as in Jupyter; a chart is an SVG. The page beside a notebook shows the same cells, for readers of the site.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"

Notebook = dict[str, Any]  # as nbformat 4 describes it
Cell = dict[str, Any]


def read(path: Path) -> Notebook:
    """A notebook as it is stored."""
    found: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return found


def run(notebook: Notebook) -> Notebook:
    """The same notebook with the outputs that its code has now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        number += 1
        outputs = _outputs("".join(cell["source"]), names, number)
        cells.append({**cell, "execution_count": number, "outputs": outputs})
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last expression."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body[-1] if tree.body else None
    before = ast.Module(tree.body[:-1] if isinstance(last, ast.Expr) else tree.body, [])
    with contextlib.redirect_stdout(printed):
        exec(compile(before, "<cell>", "exec"), names)  # the notebook's own code
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        about = {"execution_count": number, "metadata": {}, "output_type": "execute_result"}
        found.append({"data": _shown(value), **about})
    return found


def _shown(value: Any) -> dict[str, list[str]]:
    text = {"text/plain": _lines(repr(value))}
    return {"image/svg+xml": _lines(value.to_svg()), **text} if hasattr(value, "to_svg") else text


def _lines(text: str) -> list[str]:
    return [line.rstrip() + line[len(line.rstrip("\n")) :] for line in text.splitlines(keepends=True)]


def page(notebook: Notebook, name: str) -> str:
    """The notebook as a page: text, code, and below it what it prints; charts are files beside the page."""
    parts = [f"<!-- written by docs/notebook.py from {name}.ipynb -->"]
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        plain = [text for output in cell["outputs"] if (text := _text(output))]
        code = source if not _is_expression(source) or any("data" in o for o in charts(cell)) else _printing(source)
        parts.append(f"```python\n{code}\n```")
        parts += [f"```text\n{text}\n```" for text in plain]
        parts += [f"![{_description(cell)}]({name}.svg)" for _ in charts(cell)]
    return "\n\n".join(parts) + "\n"


def charts(cell: Cell) -> list[dict[str, Any]]:
    """The outputs of a cell that are pictures."""
    return [output for output in cell.get("outputs", ()) if "image/svg+xml" in output.get("data", {})]


def _text(output: dict[str, Any]) -> str:
    if "image/svg+xml" in output.get("data", {}):
        return ""
    return "".join(output.get("text") or output["data"]["text/plain"]).rstrip("\n")


def _is_expression(source: str) -> bool:
    body = ast.parse(source).body
    return bool(body) and isinstance(body[-1], ast.Expr) and not ast.unparse(body[-1]).startswith("print(")


def _printing(source: str) -> str:
    """A script does not show its last expression: print it."""
    last = ast.parse(source).body[-1]
    lines = source.splitlines()
    expression = "\n".join(lines[last.lineno - 1 :])
    return "\n".join([*lines[: last.lineno - 1], f"print({expression})"])


def _description(cell: Cell) -> str:
    return str(cell["metadata"].get("description", "a chart"))


def main() -> None:
    """Run every notebook, and write it, its page and its chart."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = run(read(path))
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        path.with_suffix(".md").write_text(page(notebook, path.stem), encoding="utf-8")
        for cell in notebook["cells"]:
            for output in charts(cell):
                picture = "".join(output["data"]["image/svg+xml"])
                path.with_suffix(".svg").write_text(picture, encoding="utf-8")
        sys.stdout.write(f"{path.name}: {len(notebook['cells'])} cells\n")


if __name__ == "__main__":
    main()
