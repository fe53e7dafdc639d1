"""The notebooks of the documentation run from top to bottom, and show what they print."""

import pytest

from docs import notebook

PATHS = sorted(notebook.FOLDER.glob("*.ipynb"))


def without_pictures(outputs):
    """Lines of a picture depend on the version of the drawing library; that there is one does not."""
    return [
        {**output, "data": {kind: text for kind, text in output["data"].items() if kind != "image/svg+xml"}}
        if "data" in output
        else output
        for output in outputs
    ]


def test_there_is_a_notebook():
    assert PATHS


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_running_a_notebook_again_prints_what_it_shows(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recorded = notebook.read(path)
    again = notebook.run(recorded)
    for before, after in zip(recorded["cells"], again["cells"], strict=True):
        source = "".join(before["source"])
        assert without_pictures(after.get("outputs", [])) == without_pictures(before.get("outputs", [])), source
        assert len(notebook.charts(after)) == len(notebook.charts(before)), source


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_page_of_a_notebook_shows_the_same_cells(path):
    page = path.with_suffix(".md").read_text(encoding="utf-8")
    assert page == notebook.page(notebook.read(path), path.stem), "run: python docs/notebook.py"
    assert path.with_suffix(".svg").exists()


def test_the_runner_shows_what_is_printed_and_the_last_value():
    cells = [
        {"cell_type": "code", "source": ["x = 2\n", "print('a')\n", "x + 1"]},
        {"cell_type": "code", "source": ["x"]},
    ]
    first, second = notebook.run({"cells": cells})["cells"]
    assert first["outputs"][0]["text"] == ["a\n"]
    assert first["outputs"][1]["data"] == {"text/plain": ["3"]}
    assert second["outputs"][0]["data"] == {"text/plain": ["2"]}


def test_a_page_prints_what_a_cell_shows():
    code = {"cell_type": "code", "metadata": {}, "source": ["x = 1\n", "x"]}
    page = notebook.page(notebook.run({"cells": [code]}), "name")
    assert "```python\nx = 1\nprint(x)\n```\n\n```text\n1\n```" in page
