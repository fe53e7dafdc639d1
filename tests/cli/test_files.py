"""No command writes over a file that it reads, nor two things into one file."""

import os
import subprocess
import sys

import click
import pytest

from cranfield.cli.files import InputPath, OutputPath
from cranfield.cli.group import group
from cranfield.cli.help import Verb
from cranfield.study.engine.catalogue import questions

COMMAND = [sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())"]
EVALUATE = ("evaluate", "qrels.txt", "runs/bm25.run")
COMPARE = ("compare", "qrels.txt", "runs/bm25.run", "runs/dense.run")


@pytest.fixture
def inputs(folder):
    (folder / "my.py").write_text("import cranfield\n")
    (folder / "m.txt").write_text("AP\n")
    (folder / "cranfield.toml").write_text("[policy]\nrel = 1\n")
    (folder / "groups.txt").write_text("bm25 a\ndense b\n")
    os.symlink("qrels.txt", folder / "link.txt")
    os.link(folder / "qrels.txt", folder / "hard.txt")
    return folder


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*EVALUATE, "--load", "my.py", "-o", "my.py"), "-o my.py would overwrite an input"),
        ((*EVALUATE, "-m", "@m.txt", "-o", "m.txt"), "-o m.txt would overwrite an input"),
        ((*EVALUATE, "-m", "@m.txt", "--save", "./m.txt"), "--save ./m.txt would overwrite an input"),
        ((*EVALUATE, "-o", "cranfield.toml"), "-o cranfield.toml would overwrite an input"),
        ((*EVALUATE, "-o", "x.csv", "--save", "x.csv"), "-o and --save would both write x.csv"),
        ((*EVALUATE, "-o", "x.csv", "--junit", "runs/../x.csv"), "-o and --junit would both write"),
        ((*EVALUATE, "--junit", "x", "--summary", "x"), "--junit and --summary would both write x"),
        ((*EVALUATE, "--junit", "my.py", "--load", "my.py"), "--junit my.py would overwrite an input"),
        ((*EVALUATE, "--summary", "qrels.txt"), "--summary qrels.txt would overwrite an input"),
        ((*EVALUATE, "-o", "link.txt"), "-o link.txt would overwrite an input"),
        ((*EVALUATE, "-o", "hard.txt"), "-o hard.txt would overwrite an input"),
        (("evaluate", "qrels.txt", "runs/*.run", "-o", "runs/dense.run"), "-o runs/dense.run would overwrite"),
        (("evaluate", "qrels.txt", "x=runs/bm25.run", "-o", "runs/bm25.run"), "-o runs/bm25.run would overwrite"),
        ((*EVALUATE, "--curve", "pr", "-m", "@m.txt", "-o", "m.txt"), "-o m.txt would overwrite an input"),
        ((*COMPARE, "-m", "@m.txt", "-o", "m.txt"), "-o m.txt would overwrite an input"),
        ((*COMPARE, "--against", "saved.json", "-o", "saved.json"), "-o saved.json would overwrite an input"),
        (("pool", "runs/*.run", "-o", "p.tsv", "--frame", "p.tsv"), "-o and --frame would both write p.tsv"),
        (
            ("pool", "runs/*.run", "--groups", "groups.txt", "-o", "groups.txt"),
            "-o groups.txt would overwrite an input",
        ),
        (("measures", "--load", "my.py", "-o", "my.py"), "-o my.py would overwrite an input"),
        (("agree", "qrels.txt", "hard.txt", "-o", "cranfield.toml"), "-o cranfield.toml would overwrite an input"),
        (("check", "qrels.txt", "-o", "link.txt"), "-o link.txt would overwrite an input"),
        (("check", "--docs", "runs", "-o", "runs/bm25.run"), "-o runs/bm25.run would overwrite an input"),
        (("convert", "qrels.txt", "-o", "cranfield.toml", "--to", "jsonl"), "-o cranfield.toml would overwrite"),
        (
            ("study", "reduction", "qrels.txt", "runs/bm25.run", "-m", "@m.txt", "-o", "m.txt"),
            "-o m.txt would overwrite",
        ),
    ],
)
def test_what_is_read_is_not_written_over(cli, inputs, arguments, said):
    before = {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()}
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"cranfield: error E211: {said}")
    assert {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(os.name == "nt", reason="a file that is open can be told by its number only elsewhere")
@pytest.mark.parametrize("verb", ["evaluate", "convert"])
def test_what_standard_input_comes_from_is_not_written_over(folder, verb):
    arguments = {
        "evaluate": ["evaluate", "-", "runs/bm25.run", "-o", "qrels.txt"],
        "convert": ["convert", "-", "-o", "./qrels.txt", "--to", "qrels-trec"],
    }
    before = (folder / "qrels.txt").read_bytes()
    with (folder / "qrels.txt").open("rb") as file:
        done = subprocess.run([*COMMAND, *arguments[verb]], cwd=folder, stdin=file, capture_output=True, check=False)
    assert (done.returncode, b"E211" in done.stderr) == (2, True)
    assert (folder / "qrels.txt").read_bytes() == before


def test_standard_input_that_is_not_read_may_come_from_anywhere(folder):
    with (folder / "qrels.txt").open("rb") as file:
        done = subprocess.run([*COMMAND, *EVALUATE, "-o", "x.csv"], cwd=folder, stdin=file, check=False)
    assert done.returncode == 0


def test_two_outputs_may_go_nowhere(cli):
    assert cli(*EVALUATE, "-o", os.devnull, "--save", os.devnull).code == 0


def every_option():
    root = click.Context(group)
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        kinds = [command.get_command(root, kind) for kind in questions()] if isinstance(command, click.Group) else []
        for each in [command, *kinds]:
            assert each is not None
            yield from ((name, param) for param in each.params)


def test_every_option_that_names_a_file_registers_it():
    """What is written by a folder's name, and programs, are no files that are read or written."""
    for verb, param in every_option():
        metavar = getattr(param, "metavar", None) or ""
        words = ("FILE", "TSV", "json", "GLOB")
        if any(word in metavar for word in words) or isinstance(param.type, click.Path):
            if (verb, param.name) in {("demo", "directory")}:
                continue
            assert isinstance(param.type, InputPath | OutputPath), (verb, param.opts, metavar)
            reads = isinstance(param, click.Argument) or getattr(param, "group", "") != "output"
            assert isinstance(param.type, InputPath) == reads, (verb, param.opts)
    assert Verb.invoke is not click.Command.invoke
