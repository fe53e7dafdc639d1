"""What others join by: the workflows call our scripts and nothing else, and the gate does what its page says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ACTION = ROOT / ".github/actions/gate/action.yml"
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))


def parsed(path: Path) -> Any:
    """A YAML file as plain data."""
    return pytest.importorskip("yaml").safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_our_scripts_and_nothing_else(path):
    steps = [step for job in parsed(path)["jobs"].values() for step in job["steps"]]
    for step in steps:
        if "run" in step:
            [script, *_] = step["run"].split()
            assert script.startswith("scripts/")
            assert os.access(ROOT / script, os.X_OK)
        else:
            assert re.match(r"actions/(checkout|setup-python|upload-artifact)@v\d+$|\./", step["uses"])


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_what_has_not_run_yet_says_so(path):
    head = path.read_text(encoding="utf-8").split("name:")[0].lower()
    assert "not run yet" in head


def test_the_action_hands_its_inputs_over_as_data():
    action = parsed(ACTION)
    [step] = action["runs"]["steps"]
    assert "${{" not in step["run"]
    read = (ROOT / "scripts/gate").read_text(encoding="utf-8")
    assert {name.upper().replace("-", "_") for name in action["inputs"]} == set(step["env"])
    assert all(f"${{{name}" in read or name in ("PYTHON", "QRELS", "RUNS", "FAIL_IF") for name in step["env"])


@pytest.mark.parametrize("path", [path for path in FORMS if path.name != "config.yml"], ids=lambda path: path.name)
def test_a_form_asks_for_what_is_needed(path):
    form = parsed(path)
    assert {"name", "description", "body"} <= set(form)
    questions = [entry for entry in form["body"] if entry["type"] != "markdown"]
    assert any(entry.get("validations", {}).get("required") for entry in questions)
    assert len({entry["id"] for entry in questions}) == len(questions)


def test_the_source_distribution_holds_the_tests_and_what_they_read():
    held = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    for folder in ("tests", "docs", "scripts", "benchmarks", ".github"):
        assert f"graft {folder}\n" in held
    for file in ("CHANGELOG.md", "CITATION.cff", "SECURITY.md"):
        assert file in held
        assert (ROOT / file).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for a shell")
class TestGate:
    """scripts/gate, which the action runs."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("qrels.txt").write_text("301 0 d1 1\n301 0 d2 0\n302 0 d3 1\n302 0 d4 0\n")
        for name, lists in {"old": ("d1 d2", "d3 d4"), "new one": ("d2 d1", "d4 d3")}.items():
            rows = [(topic, *docs.split()) for topic, docs in zip((301, 302), lists, strict=True)]
            tag = name.replace(" ", "-")
            lines = (f"{topic} Q0 {a} 1 2 {tag}\n{topic} Q0 {b} 2 1 {tag}\n" for topic, a, b in rows)
            Path(f"{name}.run").write_text("".join(lines))

    def gate(self, checkout: Path = ROOT, /, **said: str) -> subprocess.CompletedProcess[str]:
        around = {**os.environ, "CRANFIELD": str(Path(sys.executable).parent / "cranfield"), **said}
        return subprocess.run([checkout / "scripts/gate"], env=around, capture_output=True, text=True, check=False)

    def test_conditions_that_hold_pass_and_are_reported(self):
        done = self.gate(
            QRELS="qrels.txt",
            RUNS="old.run",
            FAIL_IF="AP < 0.9\nmissing > 0\n",
            JUNIT="j.xml",
            GITHUB_STEP_SUMMARY="s.md",
        )
        assert done.returncode == 0, done.stderr
        assert 'tests="2" failures="0"' in Path("j.xml").read_text()
        assert "AP" in Path("s.md").read_text()

    def test_a_condition_that_fails_fails_the_build(self):
        assert self.gate(QRELS="qrels.txt", RUNS="new one.run\nold.run", FAIL_IF="AP < 0.9").returncode == 1

    def test_a_baseline_or_saved_scores_make_it_a_comparison(self):
        said = {"QRELS": "qrels.txt", "RUNS": "*.run", "MEASURES": "AP P@1", "FAIL_IF": "delta(AP) < -0.1"}
        assert self.gate(**said, BASELINE="old").returncode == 1
        assert self.gate(**said, BASELINE="new-one").returncode == 0
        assert self.gate(QRELS="qrels.txt", RUNS="old.run", FAIL_IF="AP < 0", SAVE="saved.json").returncode == 0
        said = {"QRELS": "qrels.txt", "MEASURES": "AP", "FAIL_IF": "delta(AP) < -0.1", "AGAINST": "saved.json"}
        assert self.gate(**said, RUNS="now=new one.run").returncode == 1

    def test_what_must_hold_is_enough(self):
        said = {"QRELS": "qrels.txt", "RUNS": "old.run"}
        assert self.gate(**said, REQUIRE="AP >= 0\nmissing == 0").returncode == 0
        assert self.gate(**said, REQUIRE="AP >= 0\nAP > 1", FAIL_IF=" ").returncode == 1

    @pytest.mark.parametrize("blank", ["", "  \n", "\t\n\n \r\n"])
    @pytest.mark.parametrize("name", ["QRELS", "RUNS", "FAIL_IF"])
    def test_what_is_missing_is_said(self, name, blank):
        done = self.gate(**{"QRELS": "qrels.txt", "RUNS": "old.run", "FAIL_IF": "AP < 0.9", name: blank})
        assert (done.returncode, done.stderr) == (2, f"cranfield: {name} is empty, and the gate needs it.\n")

    @pytest.mark.parametrize(
        ("name", "program", "problem"),
        [
            ("PYTHON", None, "was not found; install Python 3.11"),
            ("PYTHON", "exit 1", "Python 3.11 or newer is needed"),
            (".venv/bin/python", '[ "$1" != -m ]', "pip could not install cranfield"),
            (".venv/bin/python", '[ "$1" != -m ] || mkdir ../.venv/installed-package', "installed-package"),
        ],
    )
    def test_a_broken_set_up_is_no_regression(self, tmp_path, name, program, problem):
        checkout = tmp_path / "checkout"
        shutil.copytree(ROOT / "scripts", checkout / "scripts")
        (checkout / "src/cranfield/kernel").mkdir(parents=True)
        for file in ("pyproject.toml", "setup.py", *(f"src/cranfield/kernel/a.{e}" for e in ("pyx", "pxi", "h"))):
            (checkout / file).touch()
        python = checkout / (name if "/" in name else "python")
        python.parent.mkdir(parents=True, exist_ok=True)
        for file in (python, python.with_name("pip")) if program else ():
            file.write_text(f"#!/bin/sh\ncd {shlex.quote(str(checkout / 'scripts'))}\n{program}\n")
            file.chmod(0o755)
        said = {"QRELS": "qrels.txt", "RUNS": "old.run", "FAIL_IF": "AP < 0.9", "CRANFIELD": "", "PYTHON": str(python)}
        done = self.gate(checkout, **said)
        assert done.returncode == 2
        assert problem in done.stderr


def test_the_readme_and_the_page_on_installing_state_the_same_weights():
    weights = [
        re.findall(r"pip install '?\.(?:\[all\]'?)? +#[^\n]*?(\d+) MB", (ROOT / page).read_text(encoding="utf-8"))
        for page in ("README.md", "docs/how-to/install.md")
    ]
    assert weights[0] == weights[1]
    assert len(weights[0]) == 2


def test_the_readme_has_pictures_of_the_terminal_the_report_and_the_room_of_less_than_200_kb():
    named = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {Path(name).stem for name in named} == {"terminal", "report", "judge"}
    assert [name for name in named if not 1_000 < (ROOT / name).stat().st_size < 200_000] == []
