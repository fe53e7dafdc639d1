"""Commands that pages show and the tests do not run are commands that the program knows, with options that it has."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples import blocks
from tests.test_reference_is_complete import EVERY

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *(p for p in sorted((ROOT / "docs").rglob("*.md")) if p.parent.name != "reference")]
RUN = {"console", "python", "pycon"}  # by the test of what pages show


def shown(page: str) -> Iterator[str]:
    """The commands of a page: in the blocks that are not run, and in the text."""
    for block in blocks(page):
        if block.language not in RUN:
            joined = block.body.replace("\\\n", " ")
            yield from re.findall(r"^(?:\$ |    - )?cranfield (.+)$", joined, re.MULTILINE)
    yield from re.findall(r"`cranfield ((?:[a-z_]+|--)[^`]*)`", re.sub(r"```.*?```", "", page, flags=re.DOTALL))


def complaint(command: str) -> str:
    """What is wrong with a command, or nothing."""
    words = shlex.split(re.split(r" [|>] | \d?> |; ", command.replace("…", ""))[0], comments=True)
    path = "cranfield"
    while words and f"{path} {words[0]}" in EVERY:
        path += f" {words.pop(0)}"
    if path == "cranfield" and words and words[0][0] not in "-V":  # VERB: a place for one
        return f"there is no verb {words[0]!r}"
    if path == "cranfield trec_eval":  # takes the flags of trec_eval, which its own tests know
        return ""
    known = EVERY["cranfield judge serve" if path == "cranfield judge" else path]
    has = {option for param in known.params for option in (*param.opts, *param.secondary_opts)} | {"--help", "-h"}
    used = {word.partition("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)}
    return f"{path} has no option {', '.join(sorted(used - has))}" if used - has else ""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_page_have_verbs_and_options_that_exist(path):
    found = {command: wrong for command in shown(path.read_text(encoding="utf-8")) if (wrong := complaint(command))}
    assert found == {}


def test_a_wrong_command_is_noticed():
    assert complaint("evaluat qrels.txt a.run") == "there is no verb 'evaluat'"
    assert complaint("judge export lab.db --ruel majority") == "cranfield judge export has no option --ruel"
    assert complaint("judge init lab.db --pool pool.tsv …") == ""
    assert list(shown("```text\n$ cranfield judge lab.db --port 1\n```\nand `cranfield pool -o x`")) == [
        "judge lab.db --port 1",
        "pool -o x",
    ]
