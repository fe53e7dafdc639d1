"""The law of registries: what a test registers is accepted, listed, completed and documented without another edit."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from cranfield.errors.catalogue import CATALOGUE
from cranfield.pooling.strategies import STRATEGIES
from cranfield.read.definition import FORMATS, reads
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.registry import Registry
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.study.data.selection import RULES
from cranfield.study.engine.catalogue import STUDIES
from cranfield.tables.run import Run

LAWS: list[
    tuple[Registry[Any], str, tuple[str, ...], str]
] = [  # registry, one of its members, the words before a value, the page of reference that lists it
    (TESTS, "t", ("compare", "--test"), "statistics"),
    (CORRECTIONS, "holm", ("compare", "--adjust"), "statistics"),
    (POSTHOC, "tukey", ("compare", "--adjust"), "statistics"),
    (INTERVALS, "bca", ("compare", "--ci"), "statistics"),
    (OMNIBUS, "anova", ("compare", "--omnibus"), "statistics"),
    (COEFFICIENTS, "tau-b", ("study", "correlation", "--coefficient"), "statistics"),
    (STRATEGIES, "rrf", ("pool", "--strategy"), "cli"),
    (RULES, "ag07", ("study", "depth", "--keep"), "studies"),
    (FORMATS, "run-trec", ("evaluate", "--format-in"), "formats"),
]
IDS = [law[0].noun for law in LAWS]


@pytest.fixture
def mine(request) -> Iterator[tuple[Registry[Any], tuple[str, ...], str]]:
    registry, model, words, page = request.param
    item = registry[model]
    made = item._replace(name="mine-own") if hasattr(item, "_replace") else _renamed(item)
    registry.add("mine-own", made, aliases=["mine-alias"])
    yield registry, words, page
    registry.remove("mine-own")


def _renamed(item: Any) -> Any:
    from dataclasses import replace

    return replace(item, name="mine-own")


@pytest.mark.parametrize("mine", LAWS, ids=IDS, indirect=True)
def test_what_is_registered_is_on_the_command_line_in_help_completion_and_reference(cli, mine, monkeypatch):
    registry, words, page = mine
    *verb, option = words
    assert "mine-own" in cli(*verb, "--help").out
    if registry is not FORMATS:
        refused = cli(*verb, "no-such-file", "no-such-file", option, "mine-alias")
        assert "is unknown" not in refused.err
    monkeypatch.setenv("_CRANFIELD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"cranfield {' '.join(words)} mine")
    monkeypatch.setenv("COMP_CWORD", str(len(words) + 1))
    assert "plain,mine-own" in cli().out
    if page in ("statistics", "formats"):
        assert "mine-own" in import_module(f"docs.pages.{page}").page()


def test_a_kind_of_study_that_is_registered_is_listed_and_explained(cli):
    from dataclasses import replace

    STUDIES.add("mine-own", replace(STUDIES["depth"], name="mine-own", question="asked in a test"))
    try:
        assert "mine-own      asked in a test" in cli("study", "--help").out
        assert "--depths" in cli("study", "mine-own", "--help").out
        assert "mine-own" in import_module("docs.pages.studies").page()
    finally:
        STUDIES.remove("mine-own")


def test_a_code_that_is_catalogued_is_explained_and_in_the_reference(cli, monkeypatch):
    monkeypatch.setitem(CATALOGUE, "E299", CATALOGUE["E201"]._replace(title="made in a test"))
    assert "E299: made in a test" in cli("--explain", "E299").out
    assert "made in a test" in import_module("docs.pages.errors").page()


def test_a_format_is_recognised_by_the_ending_that_it_declares(cli, folder):
    (folder / "new.mine").write_text("301;d1;2.5\n302;d3;1\n")
    (folder / "new.other").write_text("301;d1;2.5\n302;d3;1\n")

    def read(content: Content, options: ReadOptions) -> list[Run]:
        """Made in a test: topic, document, score, separated by semicolons."""
        fields = [line.split(";") for line in content.text().splitlines()]
        return [Run.of("new", [f[0] for f in fields], [f[1] for f in fields], [float(f[2]) for f in fields])]

    reads("run-mine", "run", "1;a;2.5", endings=(".mine",))(read)
    try:
        shown = cli("evaluate", "-m", "P@1", "qrels.txt", "new.mine").out
        assert "1.0000" in shown
        assert cli("evaluate", "-m", "P@1", "qrels.txt", "new.other").code
        assert cli("evaluate", "-m", "P@1", "--format-in", "run-mine", "qrels.txt", "new.other").out == shown
        assert "run-mine" in cli("evaluate", "--help").out
        page = import_module("docs.pages.formats").page()
        assert "`run-mine` | no | `.mine` | `1;a;2.5` | Made in a test" in page
    finally:
        FORMATS.remove("run-mine")
