"""What plain `evaluate` loads of cranfield: every module costs each command about a quarter of a millisecond.

The lists below are all that may be loaded. A module that is needed only with an option, for an error, or for another
form of input is imported by the function that needs it, and does not belong here.
"""

import subprocess
import sys
from importlib.util import find_spec

import pytest

BY_THE_LIBRARY = {  # cf.evaluate(dictionary, dictionary, ["nDCG@10"]), and the same of files
    "": "align arrays errors kernel measures read registry tables versions workers",
    "align": "hits index join joined_run policy rankings tie_breaking tie_groups",
    "arrays": "memory strings",
    "errors": "annotations arguments extras names warning wording",
    "kernel": "_dicts _steps pure",
    "measures": "assemble definition evaluate facts families grammar judged_share names notes scoring ties",
    "measures.facts": "bounds looks_at",
    "measures.families": "gain",
    "measures.names": "elsewhere",
    "measures.ties": "columns rules",
    "read": "checked_columns definition formats guess objects options sources values",
    "read.formats": "trec",
    "read.sources": "compressed content devices encodings fingerprints paths pieces run_names runs",
    "tables": "audit averages qrels result run scores source summary text words",
}
BY_THE_COMMAND = {  # cranfield evaluate qrels.txt bm25.run: the same and these
    "": "cli standard_streams whole_files",
    "cli": "declared defaults files gates group help names options printing run schemas verbs",
    "cli.gates": "conditions reports verdicts",
    "cli.options": "averages charts policy_fields reading scoring streams universe workers",
    "cli.printing": "console output progress",
    "cli.schemas": "schema",
    "cli.verbs": "evaluate",
    "cli.verbs.evaluate": "order",
    "measures.families": "incomplete ranked",
    "measures.families.incomplete": "coverage",
    "read": "roles",
    "tables": "sheets side",
    "tables.sheets": "column escape forms judged_columns layout names numerals scores screen sheet",
    "tables.side": "selection",
}
COMPILED = {"cranfield.kernel._dicts", "cranfield.kernel._steps"}  # not there without a compiler
STANDARD = (
    "bz2",
    "csv",
    "html",
    "json",
    "lzma",
    "pathlib",
    "runpy",
    "shutil",
    "traceback",
    "urllib.parse",
)  # modules of Python that a plain evaluation does not need

LIBRARY = 'import cranfield as cf; cf.evaluate({"q": {"d": 1}}, {"q": {"d": 2.5}}, ["nDCG@10"])'
FILES = 'import cranfield as cf; cf.evaluate("qrels.txt", ["bm25.run"], ["nDCG@10"])'
COMMAND = 'from cranfield.cli import main; assert main(["evaluate", "qrels.txt", "bm25.run", "-q"]) == 0'


def names(*lists: dict[str, str]) -> set[str]:
    """The full names of the modules in lists."""
    found = (f"cranfield.{folder}.{name}" for part in lists for folder, text in part.items() for name in text.split())
    return {"cranfield", *(name.replace("..", ".") for name in found)}


def loaded(code: str, folder: str) -> set[str]:
    """Every module that is loaded after some code has run in a fresh interpreter."""
    program = f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=folder)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        (LIBRARY, names(BY_THE_LIBRARY)),
        (FILES, names(BY_THE_LIBRARY)),
        (COMMAND, names(BY_THE_LIBRARY, BY_THE_COMMAND)),
    ],
    ids=["library", "files", "command"],
)
def test_a_plain_evaluation_loads_only_the_modules_that_it_needs(code, allowed, tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 d 1\n")
    (tmp_path / "bm25.run").write_text("q Q0 d 1 2.5 bm25\n")
    found = loaded(code, str(tmp_path))
    ours = {name for name in found if name.partition(".")[0] == "cranfield"}
    assert sorted(ours - allowed) == [], "import these late, in the function that needs them"
    assert sorted(found.intersection(STANDARD)) == []


def test_every_module_that_may_be_loaded_exists():
    listed = names(BY_THE_LIBRARY, BY_THE_COMMAND) - COMPILED
    assert [name for name in sorted(listed) if find_spec(name) is None] == []
