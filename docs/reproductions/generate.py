"""Run the commands that the pages of this folder name, and write what they print and draw into the pages.

    python docs/reproductions/generate.py [PAGE…]      or: scripts/reproductions [PAGE…]

A page is written by hand around directives. The lines between a directive and the next `<!-- end -->` are generated:

    <!-- run: NAME: COMMAND -->     the command, and what it prints; a study leaves its folder under NAME
    <!-- make: NAME: COMMAND -->    the command alone
    <!-- table: NAME: WORDS -->     of the tables in that folder, the one whose title begins with these words
    <!-- chart: NAME/FILE -->       a chart of that folder

Commands run in a folder where `trec8`, `robust03`, `web2012` … are the collections. They are looked for in the folder
`data` of CRANFIELD_SHARED, or of `shared` beside the checkout; a page whose collections are not there is left alone.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

FOLDER = Path(__file__).parent
CHARTS = FOLDER / "charts"
ROOT = FOLDER.parent.parent
DIRECTIVE = re.compile(r"<!-- (?P<kind>run|make|table|chart): (?P<what>.*?) -->\n(?P<made>.*?)<!-- end -->", re.DOTALL)
MADE = "made"  # the folder that holds what studies write
COLLECTIONS = ("trec8", "robust03", "web2012", "cranfield1400", "crowd-rf10")


@dataclass(frozen=True)
class Directive:
    """One directive of a page, and the lines that it generated."""

    kind: str
    name: str  # of a command, or of the folder that it left
    what: str  # the command, the words of a title, or a file
    made: str

    @classmethod
    def all(cls, page: str) -> Iterator["Directive"]:
        """The directives of a page, in order."""
        for found in DIRECTIVE.finditer(page):
            yield cls.of(found)

    @classmethod
    def of(cls, found: re.Match[str]) -> "Directive":
        """The directive that a match of the pattern holds."""
        name, _, rest = found["what"].partition("/" if found["kind"] == "chart" else ": ")
        return cls(found["kind"], name.strip(), rest.strip(), found["made"])


@dataclass(frozen=True)
class Workshop:
    """A folder in which commands run, with the collections in it."""

    folder: Path

    def made(self, directive: Directive) -> str:
        """The lines that belong between a directive and its end."""
        return getattr(self, f"_{directive.kind}")(directive)

    def _run(self, directive: Directive) -> str:
        printed = "\n".join(line.rstrip() for line in self._output(directive).splitlines())
        return f"{self._make(directive, again=False)}\n```text\n{printed}\n```\n"

    def _make(self, directive: Directive, again: bool = True) -> str:
        if again:
            self._output(directive)
        return f"```sh\n{directive.what}\n```\n"

    def _output(self, directive: Directive) -> str:
        command = directive.what
        if command.startswith("cranfield study"):
            command += f" -q -o {MADE}/{directive.name}"
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"PATH": path, "NO_COLOR": "1", "COLUMNS": "120"}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{directive.what}\n{done.stderr}")
        return done.stdout

    def _table(self, directive: Directive) -> str:
        table = self.folder / MADE / directive.name / "table.txt"
        blocks = table.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
        found = next((block for block in blocks if block.strip().startswith(directive.what)), None)
        if found is None:
            sys.exit(f"{directive.name}: no table is called {directive.what!r}")
        return f"```text\n{found}\n```\n"

    def _chart(self, directive: Directive) -> str:
        drawn = (self.folder / MADE / directive.name / directive.what).read_text(encoding="utf-8")
        name = f"{directive.name}-{directive.what}"
        CHARTS.mkdir(exist_ok=True)
        (CHARTS / name).write_text(drawn if drawn.endswith("\n") else f"{drawn}\n", encoding="utf-8")
        described = re.search(r"<desc>(.*?)</desc>", drawn, re.DOTALL)
        words = unescape(described[1]) if described else name
        alt = re.sub(r"[\[\]]", "", " ".join(words.split()))
        return f'![{alt}](charts/{name}){{ style="background: #fff" }}\n'


def written(page: str, workshop: Workshop) -> str:
    """A page with the output of all its directives written again."""

    def again(found: re.Match[str]) -> str:
        head = f"<!-- {found['kind']}: {found['what']} -->"
        return f"{head}\n\n{workshop.made(Directive.of(found))}\n<!-- end -->"

    return DIRECTIVE.sub(again, page)


def pages() -> dict[str, Path]:
    """Every page by its name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.md"))}


def needed(page: str) -> list[str]:
    """The collections that the commands of a page read."""
    commands = " ".join(each.what for each in Directive.all(page) if each.kind in ("run", "make"))
    return [name for name in COLLECTIONS if f"{name}/" in commands]


def data() -> Path:
    """The folder of the collections, which may not exist."""
    named = os.environ.get("CRANFIELD_SHARED")
    return (Path(named) if named else ROOT.parent / "shared") / "data"


def main(names: list[str]) -> None:
    """Write the pages that are named, or all."""
    known = pages()
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no page {unknown[0]!r}; one of {', '.join(known)}")
    for name in names or known:
        text = known[name].read_text(encoding="utf-8")
        if lacking := [each for each in needed(text) if not (data() / each).is_dir()]:
            print(f"{name}: left alone, {', '.join(lacking)} not found (set CRANFIELD_SHARED)", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="reproductions-") as folder:
            for each in needed(text):
                (Path(folder) / each).symlink_to(data() / each)
            known[name].write_text(written(text, Workshop(Path(folder))), encoding="utf-8")
        print(f"{name}: written", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
