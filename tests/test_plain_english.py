"""Pages, docstrings, comments and messages name the run, the topic or the caller, and cite only what readers have."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RIDDLES = re.compile(
    r"\b(whoever|nobody|somebody|anybody|everybody)\b|\bwho looks\b|\b(is|are) told by\b"
    r"|\b(spec|product) \d",  # a document that readers do not have
    re.IGNORECASE,
)
GENERATED = ("docs/reference", "docs/reproductions")  # made of what is checked here
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
MODULES = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.py")]


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of every string and comment of a module, or every line of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from enumerate(text.splitlines(), start=1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or "STRING" in tokenize.tok_name[token.type]:
            yield token.start[0], token.string


@pytest.mark.parametrize("path", [*PAGES, *MODULES], ids=lambda path: str(path.relative_to(ROOT)))
def test_texts_say_who_does_what(path):
    if str(path.relative_to(ROOT)).startswith(GENERATED) or path.name == "CHANGELOG.md":
        return
    found = [f"line {line}: {text.strip()[:100]}" for line, text in _texts(path) if RIDDLES.search(text)]
    assert not found, "\n".join(found)
