"""No command writes over a file that it reads, nor two things into one file."""

import io
import json
import os
import shutil
import subprocess
import sys

import click
import pytest

import cranfield as cf
from cranfield.cli.files import InputPath, OutputFolder, OutputPath, UsedFiles
from cranfield.cli.group import group
from cranfield.cli.help import Verb
from tests.cli.conftest import BM25, DENSE, QRELS

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


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A study of judgments, runs, groups and topics, in the folder that it was made in; without charts, so quickly."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "qrels.txt").write_text(QRELS)
    (folder / "runs").mkdir()
    (folder / "runs/bm25.run").write_text(BM25)
    (folder / "runs/dense.run").write_text(DENSE)
    (folder / "groups.txt").write_text("bm25 a\ndense b\n")
    (folder / "topics.tsv").write_text("301\ta query\n302\tanother one\n")
    runs = ["runs/bm25.run", "runs/dense.run"]
    groups, topics = "groups.txt", "topics.tsv"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("cranfield.study.engine.result.installed", lambda extra: False)
        with pytest.warns(cf.DataWarning, match="charts were left out"):
            cf.study.describe("qrels.txt", runs, "AP", groups=groups, topics=topics, folder="made")
    return folder


@pytest.fixture
def study(inputs, made):
    """The study beside its inputs."""
    shutil.copytree(made / "made", inputs / "made")
    (inputs / "topics.tsv").write_bytes((made / "topics.tsv").read_bytes())
    return inputs


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
        ((*COMPARE, "--estimate", "hard.txt", "-o", "hard.txt"), "-o hard.txt would overwrite an input"),
        (("holes", *COMPARE[1:], "--estimate", "m.txt", "-o", "m.txt"), "-o m.txt would overwrite an input"),
        (("holes", *COMPARE[1:], "--universe", "pool:m.txt", "-o", "m.txt"), "-o m.txt would overwrite an input"),
        (("report", *COMPARE[1:], "--by", "groups.txt", "-o", "groups.txt"), "-o groups.txt would overwrite an input"),
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


@pytest.mark.skipif(os.name == "nt", reason="a file that is open can be told by its number only elsewhere")
@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        (EVALUATE, "qrels.txt"),
        (EVALUATE, "hard.txt"),
        (("evaluate", "qrels.txt", "runs/*.run"), "runs/dense.run"),
        (("evaluate", "qrels.txt", "x=runs/bm25.run"), "runs/bm25.run"),
        ((*EVALUATE, "-m", "@m.txt"), "m.txt"),
        (EVALUATE, "cranfield.toml"),
        (("check", "--docs", "runs"), "runs/dense.run"),
        (("study", "describe", "qrels.txt", "runs/bm25.run"), "qrels.txt"),
        (("study", "--from", "made/study.json"), "made/study.json"),
        (("study", "--from", "made/study.json"), "runs/bm25.run"),
        (("trec_eval", "qrels.txt", "runs/bm25.run"), "qrels.txt"),
        (("trec_eval", "-q", "qrels.txt", "runs/bm25.run", "--as", "9"), "runs/bm25.run"),
        (("trec_eval", "--explain", "hard.txt", "runs/bm25.run"), "qrels.txt"),
        (("trec_eval", "-Z", "m.txt", "qrels.txt", "runs/bm25.run"), "m.txt"),
    ],
)
def test_standard_output_does_not_go_to_an_input(study, arguments, target):
    before = (study / target).read_bytes()
    with (study / target).open("ab") as file:
        done = subprocess.run([*COMMAND, *arguments], cwd=study, stdout=file, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[0] == (
        "cranfield: error E211: standard output goes to a file that is an input"
    )
    assert (study / target).read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="a file that is open can be told by its number only elsewhere")
def test_standard_output_from_standard_input_is_refused(folder):
    before = (folder / "qrels.txt").read_bytes()
    with (folder / "qrels.txt").open("rb") as source, (folder / "qrels.txt").open("ab") as target:
        arguments = ["evaluate", "-", "runs/bm25.run"]
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=folder, stdin=source, stdout=target, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, b"E211" in done.stderr) == (2, True)
    assert (folder / "qrels.txt").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="a file that is open can be told by its number only elsewhere")
def test_standard_output_and_an_option_do_not_write_one_file(folder):
    with (folder / "x").open("wb") as file:
        done = subprocess.run(
            [*COMMAND, *EVALUATE, "--save", "x"], cwd=folder, stdout=file, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert b"E211: standard output and --save would both write x" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="standard output has no name here")
def test_standard_output_may_go_to_a_file_and_be_called_by_its_name(folder):
    for number, options in enumerate([(), ("-o", "/dev/stdout")]):
        with (folder / f"x{number}").open("ab") as file:
            done = subprocess.run([*COMMAND, *EVALUATE, *options], cwd=folder, stdout=file, check=False)
        assert done.returncode == 0
        assert b"bm25" in (folder / f"x{number}").read_bytes()


@pytest.mark.parametrize(
    "target", ["made/study.json", "qrels.txt", "hard.txt", "link.txt", "runs/dense.run", "groups.txt", "topics.tsv"]
)
def test_a_study_made_again_writes_over_nothing_that_it_reads(cli, study, target):
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    result = cli("study", "--from", "made/study.json", "-o", target)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"cranfield: error E211: -o {target} would overwrite an input")
    assert {path: path.read_bytes() for path in study.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("source", ["made/study.json", "made"])
def test_a_study_made_again_may_be_written_where_it_was(cli, study, source, monkeypatch):
    """The folder holds the settings, which stay as they are."""
    monkeypatch.setattr("cranfield.study.engine.result.installed", lambda extra: False)  # charts take long
    before = (study / "made/study.json").read_bytes()
    assert cli("study", "--from", source, "-o", "made").code == 0
    assert (study / "made/study.json").read_bytes() == before


@pytest.mark.parametrize("again", [True, False])
def test_a_study_is_not_written_into_a_folder_that_holds_its_inputs(cli, study, again):
    """A table of the study could have the name of an input."""
    settings = (study / "made/study.json").read_text()
    (study / "made/study.json").write_text(settings.replace('"qrels.txt"', '"made/table.txt"'))
    (study / "made/table.txt").write_text(QRELS)
    kind = ("--from", "made/study.json") if again else ("describe", "made/table.txt", "runs/bm25.run")
    result = cli("study", *kind, "-o", "made")
    assert result.err.startswith("cranfield: error E211: -o made would overwrite an input")
    assert (result.code, (study / "made/table.txt").read_text()) == (2, QRELS)


@pytest.mark.parametrize("damaged", [[1], [{}], [{"role": "qrels"}], [{"role": "run", "name": 3, "sha256": ""}]])
def test_settings_whose_inputs_are_damaged_are_refused(cli, study, damaged):
    settings = json.loads((study / "made/study.json").read_text())
    (study / "made/study.json").write_text(json.dumps({**settings, "inputs": damaged}))
    result = cli("study", "--from", "made/study.json")
    assert "E302: made/study.json: these are not the settings of a study" in result.err


def test_two_outputs_may_go_nowhere(cli):
    assert cli(*EVALUATE, "-o", os.devnull, "--save", os.devnull).code == 0


def every_option():
    root = click.Context(group)
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        kinds = (
            [command.get_command(root, kind) for kind in command.list_commands(root)]
            if isinstance(command, click.Group)
            else []
        )
        for each in [command, *kinds]:
            assert each is not None
            yield from ((name, param) for param in each.params)


def test_every_option_that_names_a_file_registers_it():
    """What is written by a folder's name, and programs, are no files that are read or written."""
    for verb, param in every_option():
        metavar = getattr(param, "metavar", None) or ""
        words = ("FILE", "TSV", "json", "GLOB")
        if any(word in metavar for word in words) or isinstance(param.type, click.Path):
            if (verb, param.name) == ("demo", "directory") or param.name == "replicates":  # a pattern of names of runs
                continue
            assert isinstance(param.type, InputPath | OutputPath | OutputFolder), (verb, param.opts, metavar)
            assert isinstance(param.type, OutputFolder) == ("DIR" in metavar), (verb, param.opts, metavar)
            reads = isinstance(param, click.Argument) or getattr(param, "group", "") != "output"
            assert isinstance(param.type, InputPath) == reads, (verb, param.opts)
        else:
            assert "DIR" not in metavar or verb == "bench", (verb, param.opts)  # whose folder holds what it makes
    assert Verb.invoke is not click.Command.invoke


def test_a_path_is_converted_without_a_command():
    for kind in (InputPath(), OutputPath(), OutputFolder()):
        assert kind.convert("a", None, None) == "a"


def test_standard_output_that_is_no_file_is_none_of_the_files(tmp_path, monkeypatch):
    (tmp_path / "a").touch()
    files = UsedFiles()
    files.reads(str(tmp_path / "a"))
    with (tmp_path / "a").open("w") as closed:
        pass
    for stream in (closed, io.StringIO(), None):
        monkeypatch.setattr(sys, "stdout", stream)
        files.check()
