"""Tables in pages of the documentation: each stands between two marks, where the script that made it writes it."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

EXPLANATION = Path(__file__).resolve().parents[1] / "docs" / "explanation"
BEGIN, END = "<!-- simulated: begin -->", "<!-- simulated: end -->"


def written(page: str, text: str, begin: str = BEGIN, end: str = END) -> str:
    """The page with new text between two marks."""
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        sys.exit(f"the page lacks the lines {begin} and {end}")
    return f"{before}{begin}\n\n{text}\n\n{end}{after}"


def write(path: Path, text: str, begin: str = BEGIN, end: str = END) -> None:
    """Put new text between two marks of a page."""
    path.write_text(written(path.read_text(encoding="utf-8"), text, begin, end), encoding="utf-8")


def parser(description: str) -> argparse.ArgumentParser:
    """A parser with the option that all these scripts have."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--print", action="store_true", help="print the tables instead of writing them into the page")
    return made


def publish(path: Path, parts: Iterable[str], printed: bool) -> None:
    """Print the parts as they come, or print their titles and write all of them into a page."""
    done = []
    for part in parts:
        done.append(part)
        print(part if printed else part.partition("\n")[0], flush=True)
    if not printed:
        write(path, "\n\n".join(done))
