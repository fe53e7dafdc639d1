"""The commands that the README names run in the folder of the demo, and the README says who judged."""

import re
import shlex
import warnings
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.cli import main
from tests.sample.library.frozen import frozen_demo

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"`cranfield ([a-z_]+ [^`]+)`", "\n".join(re.findall(r"^\| .*$", README, re.MULTILINE)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the demo, on frozen rankings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        return frozen_demo(tmp_path_factory.mktemp("readme") / "d").directory


def test_there_is_a_command_for_each_job():
    verbs = {command.split()[0] for command in COMMANDS}
    assert {"compare", "holes", "pool", "agree", "study", "evaluate", "report"} <= verbs


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs_in_the_folder_of_the_demo(command, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert main(shlex.split(command)) == 0, capsys.readouterr().err


def test_the_readme_says_before_its_first_heading_that_no_person_has_judged():
    first = " ".join(README.partition("\n## ")[0].split())
    assert "The grades were given by a language model; no person has judged" in first
