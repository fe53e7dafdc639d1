"""The command itself: help pages, quick starts, suggestions, completion, explanations (CLI-10, 12, 13)."""

import inspect
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import click
import pytest

import cranfield
from cranfield import kernel
from cranfield.cli.group import purpose, shells, verbs
from cranfield.cli.help import Option
from cranfield.cli.verbs.judge import subverbs
from cranfield.missing.estimates.estimate import DRAWS
from cranfield.study.engine.catalogue import STUDIES
from tests.kernel.paths import needs_compiled, pure

HEAVY = ("altair", "narwhals", "pandas", "polars", "rich", "scipy", "starlette")
WRITTEN = [name for name in verbs() if name != "trec_eval" and find_spec(f"cranfield.cli.verbs.{name}")]
PAGES = [*WRITTEN, *(f"study {kind}" for kind in STUDIES), *(f"judge {name}" for name in subverbs())]
LISTS = ("study", "judge")  # of kinds or sub-verbs, which are the whole page


@pytest.mark.parametrize("verb", WRITTEN)
def test_a_verb_is_a_command_of_that_name(verb):
    command = import_module(f"cranfield.cli.verbs.{verb}").command
    assert isinstance(command, click.Command)
    assert command.name == verb


@pytest.mark.parametrize("verb", PAGES)
def test_the_short_page_fits_on_one_screen(cli, verb):
    result = cli(*verb.split(), "-h")
    lines = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    if verb not in LISTS:
        assert lines[-1] == f"'cranfield {verb} --help' explains every option."


@pytest.mark.parametrize("verb", PAGES)
def test_the_whole_page_explains_every_option_with_its_own_text_and_default(cli, verb):
    result = cli(*verb.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= 80
    page = " ".join(result.out.split())
    command, context = command_of(verb)
    texts = [param.help for param in command.params if isinstance(param, Option)]
    assert len(set(texts)) == len(texts)
    for param in command.params:
        if isinstance(param, Option):
            assert param.help, param.opts
            record = param.get_help_record(context)
            assert record is not None
            left, right = record
            assert f"{' '.join(left.split())} {' '.join(right.split())}" in page
            default = param.get_default(context, call=False)
            if isinstance(default, str | int | float) and not param.is_flag and not param.count and not param.usual:
                assert f"[{default}]" in right, param.opts


def command_of(verb: str) -> tuple[click.Command, click.Context]:
    name, _, kind = verb.partition(" ")
    found = import_module(f"cranfield.cli.verbs.{name}")
    command = found.command
    if kind:
        command = found.built(STUDIES[kind]) if name == "study" else command.get_command(click.Context(command), kind)
    return command, click.Context(command, info_name=f"cranfield {verb}")


@pytest.mark.parametrize("page", ["-h", "--help"])
@pytest.mark.parametrize("verb", PAGES)
def test_help_has_a_sentence_a_synopsis_and_three_examples(cli, verb, page):
    sentence, synopsis, *_ = cli(*verb.split(), page).out.split("\n\n")
    assert sentence.endswith(".")
    assert synopsis.startswith(f"Usage: cranfield {verb} ")
    assert sum(line.startswith(f"  cranfield {verb}") for line in synopsis.splitlines()) == 3


def test_options_of_evaluate_are_grouped(cli):
    lines = cli("evaluate", "--help").out.splitlines()
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Input:", "Policy:", "Statistics:", "Output:"]


def test_every_option_of_a_study_is_on_its_help_page(cli):
    page = cli("study", "reduction", "--help").out
    for param in import_module("cranfield.cli.verbs.study").built(STUDIES["reduction"]).params:
        if isinstance(param, click.Option):
            assert param.opts[0] in page, param


def test_every_option_of_evaluate_is_on_its_help_page(cli):
    page = cli("evaluate", "--help").out
    command = import_module("cranfield.cli.verbs.evaluate").command
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.opts[0] in page, param


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["--help"], []),
        *(([*page.split(), "--help"], []) for page in PAGES if not page.startswith("study ")),
        (["evaluate", "-h"], []),
        (["evaluate", "--json-schema"], ["numpy"]),  # made of the record of the audit, which holds arrays
        (["study"], []),
        (["study", "power", "--help"], ["numpy"]),  # what a study is says what it returns: arrays
        (["--version"], ["numpy"]),  # whether the kernel can be loaded is known when it has been, and it needs NumPy
    ],
    ids=str,
)
def test_help_imports_nothing_heavy(arguments, needed):
    code = f"""
import sys
from cranfield.cli import main
assert main({arguments!r}) == 0
print([name for name in {HEAVY!r} + ("numpy",) if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == str(needed)


@pytest.mark.parametrize(
    ("arguments", "kinds"), [(["study", "--help"], []), (["study", "leave-out", "--help"], ["leave_out"])]
)
def test_help_on_studies_imports_only_the_kind_that_is_explained(arguments, kinds):
    code = f"""
import sys
from cranfield.cli import main
assert main({arguments!r}) == 0
where, room = "cranfield.study.kinds.", "fewer_judgments"
found = (name.removeprefix(where).removeprefix(room).strip(".") for name in sys.modules if name.startswith(where))
print(sorted(set(name.split(".")[0] for name in found if name)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == str(kinds)


def test_evaluating_trec_files_imports_nothing_heavy(folder):
    code = f"""
import sys
from cranfield.cli import main
assert main(["evaluate", "qrels.txt", "runs/bm25.run", "-q"]) == 0
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    assert done.stderr.strip() == "[]"


def test_the_main_page_lists_every_verb(cli):
    page = cli("--help").out
    assert all(f"\n  {verb} " in page for verb in verbs())


@pytest.mark.parametrize("verb", verbs())
def test_the_main_page_says_what_a_verb_does_in_one_line(verb):
    said = purpose(verb)
    assert said.split()[0].isalpha()
    assert not set("`;.") & set(said), said
    assert len(f"  {verb:<10} {said}") <= 80


def test_the_draws_that_help_names_are_those_of_the_function():
    taken = inspect.signature(cranfield.Holes.estimate).parameters["draws"].default
    for verb in ("holes", "compare"):
        found = next(param for param in command_of(verb)[0].params if param.name == "draws")
        assert isinstance(found, Option)
        assert int(found.usual) == DRAWS == taken


def test_no_arguments_show_the_main_page_as_wrong_usage(cli):
    result = cli()
    assert (result.code, result.out) == (2, "")
    assert "Usage: cranfield VERB" in result.err


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["evalute"], "E200: there is no verb 'evalute'", "did you mean evaluate? "),
        (["xyz"], "E200: there is no verb 'xyz'", "'cranfield --help'"),
        (["eval", "q", "r"], "E200: there is no verb 'eval'", ""),
        (["evaluate", "q", "r", "--tise", "trec"], "E200: there is no option '--tise'", "did you mean --ties? "),
        (
            ["evaluate", "q", "r", "--ties", "trek"],
            "E213: --ties: 'trek' is unknown",
            "one of trec, trec9, given, file, expected, best, worst",
        ),
        (["evaluate", "q", "r", "-M", "x"], "E200: invalid value for '-M': 'x' is not a valid integer", ""),
        (["evaluate", "q", "r", "-M", "0"], "E240: -M 0 is out of range", "a whole number from 1"),
        (["evaluate", "q"], "E200: missing argument 'RUNS...'", "'cranfield evaluate --help'"),
        (["evaluate", "q", "r", "--max-size", "big"], "E242: --max-size: 'big' is not a size", "write 500M or 64G"),
        (["--explain", "E999"], "E200: there is no code 'E999'", "codes run from E101"),
    ],
)
def test_wrong_usage_is_one_line_and_a_hint(cli, arguments, message, hint):
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    lines = result.err.splitlines()
    assert lines[0] == f"cranfield: error {message}"
    assert len(lines) <= 2
    assert hint in lines[-1]


def test_verbs_are_not_shortened(cli):
    assert cli("eval", "qrels.txt", "runs/bm25.run").code == 2


def test_the_version_is_that_of_the_package(cli):
    assert cli("--version").out == f"cranfield {cranfield.__version__} (kernel: {kernel.active()})\n"


def test_the_version_says_that_nothing_is_compiled(cli):
    with pure():
        assert cli("--version").out.endswith("(kernel: pure)\n")


@needs_compiled
def test_the_version_says_that_the_kernel_is_compiled(cli):
    assert cli("--version").out.endswith("(kernel: compiled)\n")


@pytest.mark.parametrize("shell", shells())
def test_completion_scripts_are_printed(cli, shell):
    result = cli("--completion", shell)
    assert result.code == 0
    assert "_CRANFIELD_COMPLETE" in result.out
    assert f"{shell}_complete" in result.out


def test_shells_are_those_that_click_knows(cli, monkeypatch):
    assert {"bash", "fish", "zsh"} <= set(shells())
    more = {**shells(), "tcsh": type("Tcsh", (shells()["bash"],), {})}
    monkeypatch.setattr("click.shell_completion._available_shells", more)
    assert "_CRANFIELD_COMPLETE=" in cli("--completion", "tcsh").out
    refused = cli("--completion", "bahs")
    assert (refused.code, refused.err.splitlines()[1][:28]) == (2, "  hint: did you mean bash? o")
    assert ", tcsh" in refused.err


def complete(cli, monkeypatch, words, word):
    monkeypatch.setenv("_CRANFIELD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(word))
    return [line.partition(",")[2] for line in cli().out.splitlines()]


def test_verbs_options_and_measures_are_completed(cli, monkeypatch):
    assert complete(cli, monkeypatch, "cranfield eva", 1) == ["evaluate"]
    assert complete(cli, monkeypatch, "cranfield evaluate --tie", 2) == ["--ties"]
    assert complete(cli, monkeypatch, "cranfield evaluate --ties tr", 3) == ["trec", "trec9"]
    assert "nDCG" in complete(cli, monkeypatch, "cranfield evaluate -m ndc", 3)


def test_runs_that_were_named_are_completed_for_the_baseline(cli, folder, monkeypatch):
    (folder / "runs/again.run").write_text((folder / "runs/dense.run").read_text())
    for verb in ("compare", "holes", "report"):
        here = f"cranfield {verb} qrels.txt runs/bm25.run runs/dense.run mine=runs/bm25.run --baseline"
        assert complete(cli, monkeypatch, f"{here} ''", 7) == ["bm25", "dense", "mine"]
        assert complete(cli, monkeypatch, f"{here} d", 7) == ["dense"]
    shared = "cranfield compare qrels.txt runs/*.run --baseline"  # two runs have one tag
    assert complete(cli, monkeypatch, f"{shared} ''", 5) == ["again", "bm25", "dense"]


def test_measure_is_another_name_of_m(cli):
    short, long = (cli("evaluate", "qrels.txt", "runs/bm25.run", name, "AP").out for name in ("-m", "--measure"))
    assert short == long


def test_trec_eval_gets_its_arguments_unread(cli, monkeypatch):
    seen = []

    def main(arguments):
        seen.append(arguments)
        return 5

    import types

    module = types.ModuleType("cranfield.cli.verbs.trec_eval")
    module.main = main  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, "cranfield.cli.verbs.trec_eval", module)
    assert cli("trec_eval", "-h", "--version", "-m", "map").code == 5
    assert seen == [["-h", "--version", "-m", "map"]]
