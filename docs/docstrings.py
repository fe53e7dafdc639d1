"""A docstring as Markdown: its sections become lists, its examples blocks of code."""

import inspect
import re

SECTION = re.compile(r"^(Args|Attributes|Returns|Raises):\n((?:[ ]{4}.*\n|\n)*)", re.MULTILINE)
ENTRY = re.compile(r"^ {4}(?P<name>[\w*]+(?:, \w+)*): (?P<text>.*(?:\n {5,}.*)*)", re.MULTILINE)
EXAMPLE = re.compile(r"^(?:>>> .*\n(?:(?!\n).+\n)*(?:\n(?=>>> ))?)+", re.MULTILINE)
TITLES = {"Args": "Arguments", "Attributes": "Attributes", "Returns": "Returns", "Raises": "Raises"}


def as_markdown(document: str, *, without: str = "") -> str:
    """The docstring as Markdown, without the section named in `without`.

    >>> print(as_markdown("Add.\\n\\nArgs:\\n    x: one\\n        number.\\n\\n>>> 1 + 1\\n2\\n"))
    Add.
    <BLANKLINE>
    Arguments:
    <BLANKLINE>
    - `x`: one number.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    text = SECTION.sub(lambda found: "" if found[1] == without else _section(found), document.strip() + "\n")
    text = EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text).replace("<BLANKLINE>", "")
    return text.strip()


def sentence(document: str) -> str:
    """The first paragraph, in one line."""
    return " ".join(inspect.cleandoc(document).partition("\n\n")[0].split())


def entries(document: str, section: str) -> dict[str, str]:
    """The names in a section, each with its text."""
    found = {match[1]: match[2] for match in SECTION.finditer(document.strip() + "\n")}
    listed = ENTRY.finditer(found.get(section, ""))
    return {name: " ".join(entry["text"].split()) for entry in listed for name in entry["name"].split(", ")}


def _section(found: re.Match[str]) -> str:
    listed = [
        f"- `{entry['name'].replace(', ', '`, `')}`: {' '.join(entry['text'].split())}"
        for entry in ENTRY.finditer(found[2])
    ]
    if not listed:
        return f"{TITLES[found[1]]}: {' '.join(found[2].split())}\n\n"
    return f"{TITLES[found[1]]}:\n\n" + "\n".join(listed) + "\n\n"
