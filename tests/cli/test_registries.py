"""The law of registries: what a test registers is accepted, listed, completed and documented without another edit."""

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

import click
import click.shell_completion
import numpy as np
import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield.align.combining.rules import GRADE_RULES
from cranfield.align.hits import Hits
from cranfield.align.policy import CHOICES, Policy, PolicyChoices, WordChoices
from cranfield.arrays import Floats
from cranfield.cli import defaults, options
from cranfield.cli.group import verbs
from cranfield.cli.help import Verb
from cranfield.cli.options.policy_fields import policy_fields
from cranfield.errors.catalogue import CATALOGUE
from cranfield.judging.exporting.raw import RAW_FORMS, raw_form
from cranfield.judging.records import Work
from cranfield.judging.room import Room
from cranfield.measures.definition import MEASURES, define
from cranfield.missing.next.strategies import NEXT
from cranfield.pooling.strategies import STRATEGIES
from cranfield.read.checked_columns import TextColumns
from cranfield.read.definition import FORMATS, reads, with_assessors
from cranfield.read.formats import delimited
from cranfield.read.formats.documents.lines import IndexedRecords, indexed
from cranfield.read.formats.tabular import judgments
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.registry import Registry
from cranfield.reporting.page.section import SECTIONS
from cranfield.stats.agreement.agree import agree
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS, IntervalMethod
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.study.data.selection import RULES
from cranfield.study.engine.catalogue import STUDIES
from cranfield.tables.charts import CHARTS
from cranfield.tables.curves.kind import CURVES
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.sheets.forms import FORMS, form
from cranfield.tables.side.documents import Document, Documents
from cranfield.write.write import WRITERS, writes

COMPARE = ("compare", "qrels.txt", "runs/*.run", "-m", "AP", "--samples", "99")
STUDY = ("qrels.txt", "runs/*.run", "-m", "AP")


class Law(NamedTuple):
    """A registry, and where its definitions must be."""

    registry: Registry[Any]
    model: str  # one of its members
    words: tuple[str, ...]  # before a value
    page: str  # of the reference, which lists it
    used: tuple[str, ...]  # a command with real input that takes the value


LAWS = [
    Law(TESTS, "permutation", ("compare", "--test"), "statistics", (*COMPARE, "--test")),
    Law(CORRECTIONS, "holm", ("compare", "--adjust"), "statistics", (*COMPARE, "--adjust")),
    Law(POSTHOC, "tukey", ("compare", "--adjust"), "statistics", (*COMPARE, "--adjust")),
    Law(INTERVALS, "percentile", ("compare", "--ci"), "statistics", (*COMPARE, "--ci")),
    Law(OMNIBUS, "anova", ("compare", "--omnibus"), "statistics", (*COMPARE, "--omnibus")),
    Law(
        COEFFICIENTS,
        "tau-b",
        ("study", "correlation", "--coefficient"),
        "statistics",
        ("study", "correlation", *STUDY, "-m", "P@2", "--coefficient"),
    ),
    Law(
        CURVES,
        "pr",
        ("evaluate", "--curve"),
        "charts",
        ("evaluate", "qrels.txt", "runs/*.run", "--curve"),
    ),
    Law(
        STRATEGIES,
        "rrf",
        ("pool", "--strategy"),
        "cli",
        ("pool", "runs/*.run", "--budget", "3", "-o", "-", "--strategy"),
    ),
    Law(
        NEXT,
        "depth",
        ("holes", "--strategy"),
        "cli",
        ("holes", "qrels.txt", "runs/*.run", "-m", "P@2", "--next", "2", "--strategy"),
    ),
    Law(
        RULES,
        "first-quartile",
        ("study", "depth", "--keep"),
        "studies",
        ("study", "depth", *STUDY, "--depths", "1,2", "--keep"),
    ),
    Law(
        SECTIONS,
        "scores",
        ("report", "--sections"),
        "cli",
        ("report", "qrels.txt", "runs/*.run", "-o", "-", "--sections"),
    ),
    Law(
        GRADE_RULES,
        "median",
        ("convert", "--rule"),
        "cli",
        ("convert", "three.csv", "-o", "-", "--to", "qrels-trec", "--rule"),
    ),
    Law(
        GRADE_RULES,
        "median",
        ("judge", "export", "--rule"),
        "cli",
        ("judge", "export", "lab.db", "-o", "-", "--rule"),
    ),
    Law(
        FORMATS,
        "run-trec",
        ("evaluate", "--format-in"),
        "formats",
        ("evaluate", "qrels.txt", "runs/*.run", "--format-in"),
    ),
]
IDS = [f"{law.registry.noun} of {law.words[0]}" for law in LAWS]


@pytest.fixture
def mine(request) -> Iterator[Law]:
    law: Law = request.param
    item = law.registry[law.model]
    made = item._replace(name="mine-own") if hasattr(item, "_replace") else _renamed(item)
    law.registry.add("mine-own", made, aliases=["mine-alias"])
    yield law
    law.registry.remove("mine-own")


@pytest.fixture
def several(folder) -> None:
    """Judgments of eight topics, four runs that differ, and a lab in which two people differ."""
    lab = cf.Lab.create(folder / "lab.db", [("1", "d1"), ("1", "d2")], allow_missing_docs=True, assessors=3)
    for name, grade in (("ann", 0), ("bob", 1), ("eve", 1)):
        (folder / f"{name}.txt").write_text(f"1 0 d1 {grade}\n1 0 d2 1\n")
        lab.import_judgments(folder / f"{name}.txt", name, "human")
    given = [f"1,d1,{name},{grade}" for name, grade in (("ann", 0), ("bob", 1), ("eve", 1))]
    (folder / "three.csv").write_text("\n".join(["topic,doc,assessor,grade", *given]) + "\n")
    chance = np.random.default_rng(7)
    docs = [f"d{number}" for number in range(6)]
    judged = [f"{topic} 0 {doc} {number % 2}" for topic in range(8) for number, doc in enumerate(docs)]
    (folder / "qrels.txt").write_text("\n".join(judged) + "\n")
    for name in ("bm25", "dense", "third", "fourth"):
        lines = [
            f"{topic} Q0 {docs[doc]} {rank} {9 - rank} {name}"
            for topic in range(8)
            for rank, doc in enumerate(chance.permutation(len(docs)))
        ]
        (folder / f"runs/{name}.run").write_text("\n".join(lines) + "\n")


def _renamed(item: Any) -> Any:
    return replace(item, name="mine-own")


@pytest.mark.parametrize("mine", LAWS, ids=IDS, indirect=True)
def test_what_is_registered_is_on_the_command_line_in_help_completion_and_reference(cli, mine, monkeypatch):
    *verb, _ = mine.words
    assert "mine-own" in cli(*verb, "--help").out
    assert "plain,mine-own" in completed(cli, monkeypatch, *mine.words, "mine")
    assert "mine-own" in import_module(f"docs.pages.{mine.page}").page()


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("mine", LAWS, ids=IDS, indirect=True)
def test_what_is_registered_is_computed_and_printed(cli, mine):
    model = cli(*mine.used, mine.model)
    assert model.code == 0, model.err
    for name in ("mine-own", "mine-alias"):
        done = cli(*mine.used, name)
        assert done.code == 0, done.err
        assert done.out.replace("mine-own", mine.model) == model.out


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("model", list(CURVES))
def test_a_curve_that_is_registered_is_drawn_and_refused_by_the_facts_that_it_declares(folder, model):
    """The same text as that of its model, in tables, charts and messages, except for the name."""
    qrels, runs = folder / "qrels.txt", str(folder / "runs/*.run")

    def told(name: str) -> list[str]:
        curves = cf.curve(qrels, runs, name)
        asked: list[Callable[[], object]] = [
            lambda: curves.sheet().text(),
            lambda: curves.plot().description,
            lambda: curves.plot().to_svg(),
            lambda: curves.needed(1),
            lambda: curves.areas().tolist(),
            lambda: cf.curve(qrels, runs, name, band="bounds").plot().to_svg(),
            lambda: cf.curve(qrels, runs, name, average="norm_of_mean").sheet().text(),
            lambda: cf.curve(qrels, runs, f"{name}@2").measures,
        ]
        return [_answer(each) for each in asked]

    before = told(model)
    CURVES.add("mine-own", replace(CURVES[model], name="mine-own"))
    try:
        after = told("mine-own")
    finally:
        CURVES.remove("mine-own")
    for one, other in zip(before, after, strict=True):
        assert _without_names(other, model) == _without_names(one, model)


def _answer(ask: Callable[[], object]) -> str:
    try:
        return str(ask())
    except cf.Error as error:
        return str(error)


def _without_names(text: str, model: str) -> str:
    """Neither names of kinds, nor the hints that list them."""
    said = text.partition("\n  hint:")[0]
    return re.sub(rf"\b(mine-own|{model})( · )?", "", said)


def test_a_form_of_raw_judgments_that_is_registered_is_listed_completed_documented_and_written(
    cli, folder, monkeypatch, several
):
    raw_form("mine-own")(lambda rows: f"{len(rows)} made in a test\n".encode())
    try:
        assert "mine-own" in cli("judge", "export", "--help").out
        assert "plain,mine-own" in completed(cli, monkeypatch, "judge", "export", "--format", "mine")
        assert "mine-own" in import_module("docs.pages.cli").page()
        done = cli("judge", "export", "lab.db", "--rule", "raw", "-o", "all.txt", "--format", "mine-own")
        assert done.code == 0, done.err
        assert (folder / "all.txt").read_text() == "6 made in a test\n"
        refused = cli("judge", "export", "lab.db", "--rule", "raw", "-o", "all.txt", "--format", "qrels-trec")
        assert "mine-own" in refused.err
    finally:
        RAW_FORMS.remove("mine-own")


def test_a_kind_of_study_that_is_registered_is_listed_and_explained(cli):
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


def test_a_format_that_names_assessors_is_read_as_theirs_and_named_in_hints(cli, folder):
    (folder / "raw.mine").write_text(
        "topic;doc;assessor;grade\n301;d1;ann;1\n301;d1;bob;0\n301;d2;ann;1\n301;d2;bob;1\n"
    )

    def columns(content: Content, options: ReadOptions) -> TextColumns:
        return delimited.table(content, options, ";", ("topic", "doc", "grade"), qrels=True)

    def read(content: Content, options: ReadOptions) -> Qrels:
        """Made in a test: columns separated by semicolons."""
        return judgments(columns(content, options), options, "qrels-mine").qrels()

    reads("qrels-mine", "qrels", "301;d1;ann;1", endings=(".mine",), columns=columns)(read)
    try:
        assert cli("agree", "raw.mine").out.startswith(" 2 assessors · 2 pairs judged twice")
        assert cli("convert", "raw.mine", "-o", "raw.csv").code == 0
        assert "301,d1,ann,human,judged,1," in (folder / "raw.csv").read_text()
        assert with_assessors(written=True) == "qrels-csv, qrels-jsonl, qrels-tsv"  # the new one has no writer
        assert "qrels-mine" in cli("convert", "qrels.txt", "-o", "new.csv", "--rule", "majority").err
    finally:
        FORMATS.remove("qrels-mine")


@pytest.mark.parametrize("record", [None, lambda text: Document(text[:2], text[3:])], ids=["none", "own"])
def test_documents_of_a_registered_format_stay_in_their_file_if_it_says_how_a_record_is_read(cli, folder, record):
    (folder / "docs.mine").write_text("d1;one\nd2;two\n")
    (folder / "pool.tsv").write_text("301\td1\tdepth1\t1.0\n301\td2\tdepth1\t1.0\n")

    def read(content: Content, options: ReadOptions) -> Documents:
        """Made in a test: id and text, separated by a semicolon."""
        records, lines = IndexedRecords(content), content.text().encode().splitlines()
        for number, line in enumerate(lines):
            records.add(7 * number, line)
        found = [Document(line.decode()[:2], line.decode()[3:]) for line in lines]
        return indexed(content, [each.id for each in found], found.__getitem__, records, "documents-mine")

    reads("documents-mine", "documents", "d1;text", endings=(".mine",), record=record)(read)
    try:
        made = cli("judge", "init", "lab.db", "--pool", "pool.tsv", "--docs", "docs.mine", "--documents", "referenced")
        if record is None:
            assert "E242: docs.mine: its documents cannot be read in place" in made.err
            return
        with closing(Room.open(folder / "lab.db")) as room:
            room.add_user("ann")
            work = room.next("ann")
            assert isinstance(work, Work)
            assert room.document("ann", work.item).text == {"d1": "one", "d2": "two"}[work.document_id]
    finally:
        FORMATS.remove("documents-mine")


def test_a_writer_that_is_registered_is_used_by_name_and_by_ending(cli, folder, monkeypatch):
    reads("run-mine", "run", "1;a", endings=(".mine",), writable=True)(FORMATS["run-trec"].reader)
    assert "run-mine" not in cli("convert", "--help").out.partition("--to FORMAT")[2]
    writes("run-mine", holds="topic document score rank name")(lambda run: b"made in a test\n")
    try:
        assert cli("convert", "runs/bm25.run", "-o", "new.mine").code == 0
        assert (folder / "new.mine").read_text() == "made in a test\n"
        assert cli("convert", "runs/bm25.run", "-o", "new.txt", "--to", "run-mine").code == 0
        assert (folder / "new.txt").read_text() == "made in a test\n"
        assert "run-mine" in cli("convert", "--help").out.partition("--to FORMAT")[2]
        assert "plain,run-mine" in completed(cli, monkeypatch, "convert", "--to", "run-m")
        assert "run-mine" in cli("convert", "runs/bm25.run", "-o", "new.txt", "--to", "run-min").err
    finally:
        FORMATS.remove("run-mine")
        WRITERS.remove("run-mine")


def test_a_coefficient_that_is_a_share_is_printed_in_percent(cli, folder):
    (folder / "other.txt").write_text("301 0 d1 1\n301 0 d2 1\n302 0 d3 2\n302 0 d4 0\n")
    made = replace(PAIRWISE["cohen"], id="mine", label="made in a test", share=True)
    PAIRWISE.add("mine", made)
    try:
        line = next(
            line for line in cli("agree", "qrels.txt", "other.txt", "--all").out.splitlines() if "made in" in line
        )
        assert "%" in line
    finally:
        PAIRWISE.remove("mine")


def completed(cli, monkeypatch, *words: str) -> str:
    """What the shell is offered behind these words, of which the last is being written."""
    monkeypatch.setenv("_CRANFIELD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"cranfield {' '.join(words)}")
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    offered: str = cli().out
    monkeypatch.delenv("_CRANFIELD_COMPLETE")
    return offered


def test_a_measure_that_is_defined_is_parsed_listed_completed_and_documented(cli, monkeypatch):
    @define("Mine", family="ranked", aliases="own_mine")
    def mine(hits: Hits, *, cutoff: int | None = None) -> Floats:
        """Always one half, made in a test."""
        return np.full(hits.topics, 0.5)

    try:
        assert str(cf.parse("own_mine@5")) == "Mine@5"
        assert "0.5000" in cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "Mine@5").out
        assert "Always one half, made in a test." in cli("measures").out
        assert "own_mine" in cli("measures", "Mine").out
        assert "plain,Mine" in completed(cli, monkeypatch, "evaluate", "-m", "Min")
        assert "### Mine" in import_module("docs.pages.measures").page()
    finally:
        MEASURES.remove("Mine")


def test_a_coefficient_of_agreement_that_is_registered_is_computed_listed_and_documented(cli, folder):
    (folder / "other.txt").write_text("301 0 d1 1\n301 0 d2 1\n302 0 d3 2\n302 0 d4 0\n")
    PAIRWISE.add("mine", replace(PAIRWISE["raw"], id="mine", label="made in a test"))
    try:
        result = cli("agree", "qrels.txt", "other.txt", "--all").out
        assert "made in a test" in result
        schema = json.loads(cli("agree", "--json-schema").out)
        couples = schema["then"]["properties"]["result"]["properties"]["couples"]
        assert "mine" in couples["items"]["properties"]
        assert "made in a test" in import_module("docs.pages.statistics").page()
    finally:
        PAIRWISE.remove("mine")


def test_a_chart_that_is_registered_is_drawn_listed_completed_and_documented(cli, folder, monkeypatch):
    made = replace(CHARTS["deltas"], name="mine-own", question="asked in a test", reading="read in a test")
    CHARTS.add("mine-own", made)
    try:
        assert "mine-own" in cli("compare", "--help").out
        two = ("qrels.txt", "runs/bm25.run", "runs/dense.run")
        assert cli("compare", *two, "-m", "AP", "--chart", "mine-own", "-o", "c.svg").code == 0
        assert (folder / "c.svg").exists()
        assert "plain,mine-own" in completed(cli, monkeypatch, "compare", "--chart", "mine")
        assert "asked in a test read in a test" in import_module("docs.pages.charts").page()
    finally:
        CHARTS.remove("mine-own")


def test_a_form_that_is_registered_is_written_by_name_and_by_ending(cli, folder, monkeypatch):
    form("mine-own", ".mine")(lambda sheet, plain: b"made in a test\n")
    try:
        here = ("evaluate", "qrels.txt", "runs/bm25.run")
        assert cli(*here, "--format", "mine-own").out == "made in a test\n"
        assert cli(*here, "-o", "table.mine").code == 0
        assert (folder / "table.mine").read_text() == "made in a test\n"
        cf.evaluate(folder / "qrels.txt", folder / "runs/bm25.run").save(folder / "saved.mine")
        assert (folder / "saved.mine").read_text() == "made in a test\n"
        assert "mine-own" in cli("evaluate", "--help").out
        assert "plain,mine-own" in completed(cli, monkeypatch, "evaluate", "--format", "mine")
        assert "mine-own" in import_module("docs.pages.cli").page()
    finally:
        FORMS.remove("mine-own")


def test_a_verb_is_found_by_its_file(cli, folder, monkeypatch):
    text = [
        '"""`cranfield mine`: made in a test."""',
        "import click",
        '@click.command("mine", help="Made in a test.")',
        "def command() -> int:",
        '    click.echo("done")',
        "    return 0",
    ]
    (folder / "mine.py").write_text("\n".join(text))
    home = import_module("cranfield.cli.verbs")
    monkeypatch.setattr(home, "__path__", [*home.__path__, str(folder)])
    verbs.cache_clear()
    try:
        assert "mine       made in a test" in cli("--help").out
        assert cli("mine").out == "done\n"
        assert "plain,mine" in completed(cli, monkeypatch, "min")
        assert "## cranfield mine" in import_module("docs.pages.cli").page()
    finally:
        verbs.cache_clear()
        sys.modules.pop("cranfield.cli.verbs.mine", None)
        vars(home).pop("mine", None)


@dataclass(frozen=True)
class LongerPolicy(Policy):
    """The choices, and one more.

    Attributes:
        mine_own: made in a test.
    """

    mine_own: Literal["this", "that"] = "this"


def test_a_field_of_the_policy_is_an_option_a_default_of_the_file_and_a_line_of_the_reference(cli, folder, monkeypatch):
    known = policy_fields(LongerPolicy)
    monkeypatch.setattr("cranfield.cli.options.Policy", LongerPolicy)
    monkeypatch.setattr("cranfield.align.policy.NAMES", tuple(known))
    monkeypatch.setattr("cranfield.align.policy.CHOICES", {name: f.values for name, f in known.items() if f.values})
    monkeypatch.setattr("docs.pages.policies.policy_fields", lambda: known)

    @click.command("told", cls=Verb, synopsis="", examples=())
    @options.policies
    def told(policy: LongerPolicy) -> None:
        click.echo(f"{policy.mine_own} {policy.ties}")

    page = CliRunner().invoke(told, ["--help"]).output
    assert "--mine-own this|that" in page
    assert "made in a test" in page
    assert CliRunner().invoke(told, ["--mine-own", "that"]).output == "that trec\n"
    assert CliRunner().invoke(told, ["--mine-own", "other"]).exit_code == 2
    shell = click.shell_completion.BashComplete(told, {}, "told", "_TOLD")
    assert [item.value for item in shell.get_completions(["--mine-own"], "th")] == ["this", "that"]
    (folder / "cranfield.toml").write_text("[policy]\nmine-own = 'that'\n")
    assert defaults.defaults() == {"mine_own": "that"}
    (folder / "cranfield.toml").write_text("[policy]\nmine-own = 'other'\n")
    with pytest.raises(cf.PolicyError, match="one of this, that"):
        defaults.defaults()
    assert "| `mine_own` | `--mine-own` | `this`, `that` | `this` |" in import_module("docs.pages.policies").page()


def test_a_sub_verb_of_judge_is_found_by_its_file(cli, folder, monkeypatch):
    text = [
        '"""`cranfield judge mine LAB`: made in a test."""',
        "import click",
        "from cranfield.cli.verbs.judge.lab import subverb",
        '@subverb("LAB", (), {})',
        "def command() -> int:",
        '    """Made in a test."""',
        '    click.echo("done")',
        "    return 0",
    ]
    (folder / "minemodule.py").write_text("\n".join(text))
    home = import_module("cranfield.cli.verbs.judge")
    monkeypatch.setattr(home, "__path__", [*home.__path__, str(folder)])
    home.subverbs.cache_clear()
    try:
        assert "mine      made in a test" in cli("judge", "--help").out
        assert cli("judge", "mine").out == "done\n"
        assert "plain,mine" in completed(cli, monkeypatch, "judge", "min")
        assert "## cranfield judge mine" in import_module("docs.pages.cli").page()
    finally:
        home.subverbs.cache_clear()
        sys.modules.pop("cranfield.cli.verbs.judge.minemodule", None)
        vars(home).pop("minemodule", None)


JOINTS = {"CHECKERS", "MEAN_INTERVALS", "RANGES", "STORES"}  # what is left of a layer finds what is right of it


def test_the_map_has_a_row_for_every_registry_and_this_module_tries_each():
    """A registry that the table of docs/architecture.md lacks, or that no test here adds to, fails."""
    package = Path(cf.__file__).parent
    made = re.compile(r"^([A-Z_]+)\b[^=\n]*= Registry\b", re.MULTILINE)
    registries = {name for path in package.rglob("*.py") for name in made.findall(path.read_text(encoding="utf-8"))}
    text = (package.parents[1] / "docs/architecture.md").read_text(encoding="utf-8")
    _, _, table = text.partition("| to add a … | touch | registry |")
    rows = {name for line in table.partition("\n## ")[0].splitlines() for name in re.findall(r"`([A-Z_]{3,})`", line)}
    assert rows == registries - JOINTS | {"CATALOGUE"}
    assert rows <= set(globals())


def test_types_of_keyword_arguments_name_what_is_registered():
    hints = get_type_hints(WordChoices)
    assert {name: get_args(hint) for name, hint in hints.items()} == CHOICES
    assert list(get_type_hints(PolicyChoices)) == list(policy_fields())
    assert set(get_args(IntervalMethod)) == set(INTERVALS)


def test_choices_of_agree_are_those_that_the_function_takes():
    from cranfield.cli.verbs.agree import command

    taken = inspect.signature(agree).parameters
    chosen = {str(param.name): param.type for param in command.params}
    for name in ("negative", "repeats", "weights", "level", "over"):
        listed = chosen[name]
        assert isinstance(listed, click.Choice)
        assert tuple(listed.choices) == get_args(taken[name].annotation), name


@pytest.mark.parametrize("kind", list(STUDIES))
def test_the_default_of_an_option_of_a_study_is_shown_once(cli, kind):
    page = " ".join(cli("study", kind, "--help").out.split())
    for name, option in STUDIES[kind].parameters.items():
        assert "[" not in option.facts["help"], name
        if type(option.default) in (int, float):
            assert f"[{option.default}]" in page
