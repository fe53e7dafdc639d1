"""Write the reference pages from the registries: `python docs/generate.py`.

Each module of `docs/pages/` makes the page of its name. The pages are checked in; a test makes sure that writing them
again changes nothing.
"""

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE / "reference"
if str(HERE.parent) not in sys.path:  # when run as a script
    sys.path.insert(0, str(HERE.parent))


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    modules = sorted(path.stem for path in (HERE / "pages").glob("*.py"))
    return {f"{name}.md": import_module(f"docs.pages.{name}").page() for name in modules}


def write() -> None:
    """Write the pictures of all charts, all pages, and the types of the kinds of study."""
    import_module("docs.chart_examples").write()
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    studies = import_module("docs.study_types")
    studies.STUB.write_text(studies.stub(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
