"""Whatever a person can type has its entry in the reference: every verb, option, choice, chart, strategy and rule."""

import re
from collections.abc import Iterator

import click
import pytest

from cranfield.align.policy import Policy
from cranfield.cli.group import group, verbs
from cranfield.compat.trec_eval.arguments import _LONG as TREC_EVAL_FLAGS
from cranfield.judging.exporting.export_rules import export_rules
from cranfield.pooling.strategies import STRATEGIES
from cranfield.tables.charts import CHARTS
from docs import generate

PAGE = generate.pages()
TOP = click.Context(group, info_name="cranfield", **group.context_settings)


def commands(command: click.Command, context: click.Context, path: str) -> Iterator[tuple[str, click.Command]]:
    """A verb, and the verbs below it."""
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            inside = click.Context(below, context, name, **below.context_settings)
            yield from commands(below, inside, f"{path} {name}")


EVERY = dict(commands(group, TOP, "cranfield"))


def section(path: str) -> str:
    """What the reference says under the heading of a verb."""
    page = PAGE["cli_studies.md"] if path.startswith("cranfield study ") else PAGE["cli.md"]
    if path == "cranfield":
        return page.partition("\n## ")[0]
    found = re.search(rf"\n(##+) {re.escape(path)}\n(.*?)(?=\n##+ |\Z)", page, re.DOTALL)
    return found[2] if found else ""


@pytest.mark.parametrize("path", EVERY)
def test_every_verb_has_its_section_with_every_option(path):
    text = section(path)
    assert text, f"{path} has no section"
    options = [param for param in EVERY[path].params if isinstance(param, click.Option) and not param.hidden]
    spelled = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text))
    assert [param.opts for param in options if not set(param.opts) <= spelled] == []


@pytest.mark.parametrize("path", [path for path in EVERY if path not in ("cranfield", "cranfield trec_eval")])
def test_the_usage_of_every_verb_calls_it_by_its_name(path):
    usage = re.findall(r"^Usage: (.*)$", section(path), re.MULTILINE)
    assert [line for line in usage if not line.startswith(f"{path} ")] == []


def test_every_verb_is_in_the_list_of_verbs():
    assert [name for name in verbs() if f"\n  {name} " not in section("cranfield")] == []


def test_every_flag_of_trec_eval_is_explained():
    text = section("cranfield trec_eval")
    assert "[-h]" in text
    flags = {*TREC_EVAL_FLAGS, "as", "explain"} - {"help"}  # `-h` stands in the line above the list
    assert [flag for flag in flags if f"--{flag.rstrip('=')} " not in text] == []


def test_every_choice_of_every_option_is_written_in_its_section():
    missing = []
    for path, command in EVERY.items():
        flat = re.sub(r"\s+", "", section(path))
        for param in command.params:
            if isinstance(param.type, click.Choice) and isinstance(param, click.Option) and not param.hidden:
                missing += [(path, param.opts[0], c) for c in param.type.choices if str(c) not in flat]
    assert set(missing) <= {("cranfield bench", "--size", "XS")}  # for the tests of bench alone


def test_every_chart_says_what_it_shows_and_which_question_it_answers():
    assert [
        name for name in CHARTS if not re.search(rf"\| `{name}` \| [^|]+ \| [^|]+ \| [^|]+\? \|", PAGE["charts.md"])
    ] == []


def test_every_policy_has_its_row():
    assert [name for name in Policy.__dataclass_fields__ if f"`{name}" not in PAGE["policies.md"]] == []


def test_every_pooling_strategy_is_in_the_help_of_pool():
    flat = re.sub(r"\s+", "", section("cranfield pool"))
    assert [name for name in STRATEGIES if name not in flat] == []


def test_every_rule_of_export_is_in_the_help_of_export():
    flat = re.sub(r"\s+", "", section("cranfield judge export"))
    assert [name for name in export_rules() if name not in flat] == []
