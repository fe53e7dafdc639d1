"""All formats, by what they hold."""

from cranfield.read.definition import FORMATS, NOUNS
from docs.markup import code, table, written


def page() -> str:
    """All formats, by what they hold."""
    parts = [
        "# File formats",
        "The format of a file is recognised by its ending, then by its first 50 lines; `--format-in` names it if that "
        "is not enough, and `cranfield convert` converts it. Text files may be packed with gzip, bzip2, xz or zstd. "
        "A line that begins with `#` is a comment in files of white-space separated columns.",
    ]
    for role, noun in NOUNS.items():
        rows = [
            (
                f"`{name}`",
                "yes" if item.writable else "no",
                " ".join(f"`{ending}`" for ending in item.all_endings),
                code(item.sample),
                item.description,
            )
            for name, item in sorted(FORMATS.items())
            if item.role == role
        ]
        if rows:
            heading = noun.removeprefix("a ").capitalize()
            parts += [f"## {heading}", table(("name", "written", "endings", "a line", "what it is"), rows)]
    return written(parts)
