"""The papers, reproduced: printed numbers on the real collections, through the commands that the pages name."""

import gzip
import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace

import click
import pytest

from cranfield import study
from cranfield.cli.group import group
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.kinds.swap.swaps import counted_swaps, random_sets
from cranfield.study.papers.jarvelin2002.study import worked_example
from docs.reproductions import generate

CATALOGUE = {  # every table and figure of the sources
    "AG07": ("Table 1; Tables 2, 3; Fig. 1; Table 4; Tables 5-7; Table 8; Figs 2-4; Fig. 5; Figs 6-8"),
    "SK08": (
        "Table 1; Fig. 1; Table 2; Fig. 2; Figs 3, 4; Tables 3, 4; Figs 5, 6; Table 5; Table 6; Figs 7, 8; Table 7"
    ),
    "JK02": "Table I; Figs 1-4 (a,b); Table II",
    "FFM14": "Table 1; Tables 2, 3; Figs 1, 2",
    "LEC": "collection table; contingency, kappa tables; F plot; P@k / R@k rows; P-R curve, two interpolations; "
    "averaged 11-point curves; RR table, DCG table; C, W, L plots",
}


def printed(*words):
    """What the command prints."""
    call = "import sys; from cranfield.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", call, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def files(shared, name):
    return shared / "data" / name / "qrels.gz", str(shared / "data" / name / "runs" / "*.gz")


@pytest.fixture(scope="module")
def trec8(shared):
    """The command of the page with fewer levels and topic sets: a level has the same draws whatever the others are."""
    few = ("--levels", "100,15,10", "--draws", 20, "--sets", 200, "--boot", 0, "--jobs", 1)
    found = json.loads(printed("study", "ahlgren2007", *files(shared, "trec8"), *few, "--json"))
    return {row["what"]: row for row in found["result"]["rows"]}


# --- Ahlgren & Grönqvist 2007 on TREC-8 (SPEC 1) ----------------------------------------------------------------------


def test_122_runs_of_trec8_are_kept(trec8):
    assert (trec8["runs kept"]["computed"], trec8["runs excluded"]["computed"]) == (122, 7)


@pytest.mark.parametrize(
    ("what", "printed"),
    [
        ("relevant per topic", 94.6),
        ("judged per topic", 1736.6),
        ("retrieved in the top 1000", 997.5),
        ("relevant in the top 1000", 53.2),
        ("unjudged in the top 1000", 555.3),
        ("retrieved in the top 100", 99.97),
        ("relevant in the top 100", 21.0),
        ("unjudged in the top 100", 4.91),  # by the rank column; the scores give 4.66
        ("best MAP", 0.413),
        ("best bpref-10", 0.455),
        ("best RankEff", 0.745),
        ("variance of MAP (headed σ)", 0.0081),
        ("variance of bpref-10 (headed σ)", 0.0072),
        ("variance of RankEff (headed σ)", 0.0252),
        ("τ of MAP and bpref-10", 0.932),  # by the scores in double precision
        ("τ of MAP and RankEff", 0.856),
        ("τ of bpref-10 and RankEff", 0.823),
    ],
)
def test_what_no_chance_enters_agrees_to_the_printed_digit(trec8, what, printed):
    row = trec8[what]
    assert row["printed"] == printed
    assert row["computed"] == pytest.approx(printed, abs=0.51 * 10 ** -row["digits"])
    assert row["agree"] == "yes"


@pytest.mark.parametrize(
    ("what", "computed"),
    [
        ("best MAP", 0.413045),
        ("best bpref-10", 0.455026),
        ("best RankEff", 0.745421),
        ("τ of MAP and bpref-10", 0.932240),
        ("τ of MAP and RankEff", 0.856349),
        ("τ of bpref-10 and RankEff", 0.823282),
    ],
)
def test_numbers_of_trec8_have_the_digits_that_others_recomputed(trec8, what, computed):
    assert trec8[what]["computed"] == pytest.approx(computed, abs=5.1e-7)


@pytest.mark.parametrize(("measure", "delta"), [("MAP", 0.030), ("bpref-10", 0.034), ("RankEff", 0.038)])
def test_the_smallest_difference_is_within_one_bin_of_the_print(trec8, measure, delta):
    row = trec8[f"δ of {measure}"]
    assert row["printed"] == delta
    assert row["computed"] == pytest.approx(delta, abs=0.0021)
    assert row["agree"] != "no"


def test_rank_effectiveness_falls_below_nine_tenths_between_15_and_10_per_cent(trec8):
    assert trec8["% of judgments where τ of RankEff is below .9"]["computed"] == 10


def test_nothing_printed_for_trec8_is_contradicted(trec8):
    assert [what for what, row in trec8.items() if row["agree"] == "no"] == []


def test_judgments_of_trec12_are_those_of_the_print(shared):
    qrels, runs = files(shared, "robust03")
    found = study.describe(str(qrels), runs, "AP").table()
    means = dict(zip(found["what"], found["mean"], strict=True))
    assert round(means["relevant per topic"], 1) == 60.7
    assert round(means["judged per topic"], 1) == 1288.0


def test_as_many_documents_of_trec12_are_unjudged_at_a_rank_as_the_text_says(shared):
    """SPEC 1.2: about 13 % unjudged at rank 125, about 80 % at rank 1000; 15 of the 71 runs have 13.3 % and 80.4 %."""
    few = ("--levels", "100,50", "--draws", 1, "--sets", 10, "--boot", 0, "--jobs", 1, "--beside", "TREC-12")
    found = json.loads(printed("study", "ahlgren2007", *files(shared, "robust03"), *few, "--json"))
    rows = {row["what"]: row for row in found["result"]["rows"] if row["item"] == "text, Fig. 1"}
    computed = {what: (row["printed"], round(row["computed"], 1), row["agree"]) for what, row in rows.items()}
    assert computed == {
        "% unjudged at rank 125 (about)": (13, 13.3, "yes"),
        "% unjudged at rank 1000 (about)": (80, 80.4, "yes"),
    }


def test_13_of_50_seeds_give_the_printed_difference_of_rank_effectiveness(shared):
    """AG07 prints .038; all other seeds give .040, one bin more."""
    qrels, runs = files(shared, "trec8")
    data = Collection.of(str(qrels), runs, "RankEff", keep=("ag07",))
    found = []
    for seed in range(50):
        first, second = random_sets(50, 25, 1000, stream(seed, "swap", 25))
        found.append(counted_swaps(data.full[:, :, 0], first, second, 0.002).least(0.05))
    assert (found.count(0.038), found.count(0.040)) == (13, 37)


# --- other printed numbers --------------------------------------------------------------------------------------------


def test_judgments_of_the_web_track_2012_are_those_of_the_print(shared):
    options = ("--name-by", "file", "--negative", "nonrelevant", "--top-grade", 3, "--json")
    found = json.loads(printed("study", "describe", *files(shared, "web2012"), *options))
    rows = {row["what"]: row for row in found["result"]["rows"]}
    relevant = rows["relevant per topic"]
    assert (relevant["min"], round(relevant["mean"], 2), relevant["max"]) == (6, 70.46, 253)
    text = printed("study", "describe", *files(shared, "web2012"), *options[:-1])
    assert "grade 2 is rare in 10 topics" in text
    assert "grade 3 is rare in 7 topics" in text


def test_two_numbers_of_the_gain_example_were_cut_off_and_all_others_agree():
    wrong = [(row.item, row.what, row.words) for row in worked_example() if row.verdict != "yes"]
    assert wrong == [
        ("ideal DCG, b = 2", "rank 6", ("10.52", "10.53")),
        ("ideal DCG, b = 2", "rank 8", ("11.21", "11.22")),
    ]


def test_only_vectors_that_are_known_to_be_printed_stand_beside_ours():
    """SPEC 21 confirms CG, DCG and nCG of the example, and corrects ideal DCG; it knows of no printed nDCG."""
    shown = {row.item for row in worked_example()}
    assert shown == {"CG", "ideal CG", "DCG, b = 2", "ideal DCG, b = 2", "nCG"}


def test_examples_of_the_lecture_say_what_is_print_and_what_is_our_own_arithmetic():
    made = study.lecture()
    table = made.table()
    own, print_ = (table.filter(table["origin"] == origin) for origin in ("own", "print"))
    assert set(own["agree"]) == {"yes"}
    assert print_.filter(print_["agree"] == "no")["what"].to_list() == ["F of precision 94 %, recall 26 %"]
    assert (len(print_), len(own)) == (37, 87)
    assert "36 of 37 printed numbers agree" in made.findings.title
    assert "87 of 87 numbers of our own arithmetic agree" in made.findings.title


def test_the_lecture_has_the_tables_of_its_slides():
    made = study.lecture()
    tables = {title.split(",")[0]: columns for title, columns in made.findings.aside.items()}
    rows = {
        (a, b): cells for a, b, *cells in zip(*(c.cells for c in tables["Precision and recall by rank"]), strict=True)
    }
    assert rows["B", "precision"] == ["0.00", "0.50", "0.33", "0.25", "0.40", "0.50", "0.57", "0.50", "0.56", "0.60"]
    assert rows["A", "precision"][7] == "0.63"  # .625, rounded as .775 is to .78
    assert rows["D", "precision"][7] == "0.38"
    assert any("we do not hold these rows of the slides" in note for note in made.findings.notes)
    assert rows["C", "recall"][5:] == ["0.67"] * 4 + ["1.00"]
    assert len(rows) == 8
    reciprocal = tables["Reciprocal rank"]
    assert reciprocal[1].cells[:4] == ["1.0000", "0.5000", "0.3333", "0.2500"]
    assert reciprocal[2].raw[:3] == ["A, C", "B, D", "–"]
    gain = {column.name: column.cells for column in tables["Discounted cumulated gain"]}
    assert gain["nDCG"] == gain["nDCG, print"]
    assert gain["gain"] == ["7", "3", "7", "0", "0", "1", "3", "3", "7", "0"]


# --- the pages --------------------------------------------------------------------------------------------------------


PAGES = generate.pages()


@pytest.mark.parametrize("name", PAGES)
def test_every_made_part_of_a_page_is_complete(name):
    page = PAGES[name].read_text(encoding="utf-8")
    directives = list(generate.Directive.all(page))
    marks = len(re.findall(r"<!-- (?:run|make|table|chart): ", page))
    assert len(directives) == marks == page.count("<!-- end -->")
    assert [each.what for each in directives if not each.made.strip()] == []
    for each in directives:
        if each.kind in ("run", "make"):
            assert each.what in each.made
        if each.kind == "chart":
            assert (generate.CHARTS / f"{each.name}-{each.what}").is_file()


def test_no_chart_is_left_over():
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES.values())
    assert [path.name for path in generate.CHARTS.iterdir() if f"charts/{path.name}" not in pages] == []


@pytest.mark.parametrize("name", [name for name in PAGES if name != "index"])
def test_every_page_says_what_agrees_what_differs_and_what_is_wrong_in_print(name):
    page = PAGES[name].read_text(encoding="utf-8")
    assert "**What agrees" in page
    assert "**What differs" in page or "**What the lecture prints otherwise" in page
    assert "## Errata" in page


def catalogue():
    rows = [line.split(" | ") for line in PAGES["index"].read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    return [(row[0][2:], row[1], row[2].strip("`")) for row in rows if len(row) == 4 and "`c" in row[2]]


@pytest.mark.parametrize("source", CATALOGUE)
def test_every_table_and_figure_has_a_command(source):
    named = [item for name, item, _ in catalogue() if name == source]
    assert "; ".join(named) == CATALOGUE[source]


@pytest.mark.parametrize("command", sorted({command for *_, command in catalogue() if command.startswith("cranfield")}))
def test_a_command_of_the_catalogue_is_one_that_can_be_typed(command):
    words = shlex.split(command)[1:]
    context = click.Context(group)
    verb = group.get_command(context, words[0])
    if words[0] == "study":
        assert words[1] in STUDIES
        assert isinstance(verb, click.Group)
        verb = verb.get_command(context, words[1])
    assert verb is not None
    known = {name for param in verb.params for name in (*param.opts, *param.secondary_opts)}
    assert [word for word in words if word.startswith("-") and word not in known] == []


@pytest.mark.parametrize("name", ["lecture"])
def test_a_page_that_needs_no_data_is_what_its_commands_print(name, tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "CHARTS", tmp_path / "charts")
    page = PAGES[name].read_text(encoding="utf-8")
    (tmp_path / "work").mkdir()
    assert generate.written(page, generate.Workshop(tmp_path / "work")) == page


def test_the_seeds_of_the_smallest_difference_are_counted_by_the_program():
    """The count of seeds stands in what a command prints, and nowhere in words typed by hand."""
    page = PAGES["ahlgren2007"].read_text(encoding="utf-8")
    made = next(each for each in generate.Directive.all(page) if each.name == "seeds")
    assert re.findall(r"^(\S+): (\d+) of 50 seeds$", made.made, re.MULTILINE) == [("0.038", "13"), ("0.040", "37")]
    assert not re.search(r"50 seeds .*\d+ give", page)


def test_the_page_shows_the_limit_of_the_smallest_difference():
    """With 100,000 topic sets, 5.025 % of the comparisons from .038 on are swaps; from .040 on, fewer than 5 %."""
    page = PAGES["ahlgren2007"].read_text(encoding="utf-8")
    made = {each.name: each for each in generate.Directive.all(page)}
    assert "--sets 100000" in made["limit"].what
    rows = re.findall(r"^BprefN,25,(\S+?),.*,(\S+)$", made["tail"].made, re.MULTILINE)
    assert [(delta, round(100 * float(rate), 3)) for delta, rate in rows] == [("0.038", 5.025), ("0.04", 4.752)]


def test_the_page_shows_that_bpref_10_rises_without_a_minimum_of_nonrelevant_documents():
    """AG07: it rises because of the 10 in 10 + R; bpref_R, which divides by R alone, hardly moves down to 10 %."""
    page = PAGES["ahlgren2007"].read_text(encoding="utf-8")
    made = next(each for each in generate.Directive.all(page) if each.name == "no-minimum" and each.kind == "table")
    assert "minimum 1 relevant + 0 nonrelevant" in made.made
    rows = re.findall(r"^ +\d+ % +(\S+)(?: \[.*?\])? +(\S+)", made.made, re.MULTILINE)
    literal, by_relevant = ([float(row[column]) for row in rows] for column in (0, 1))
    assert len(literal) == 6
    assert literal == sorted(literal)
    assert literal[-1] > 2 * literal[0]
    assert max(by_relevant[:4]) - min(by_relevant[:4]) < 0.02


def test_the_command_that_counts_seeds_works_on_a_small_collection(tmp_path):
    page = PAGES["ahlgren2007"].read_text(encoding="utf-8")
    made = next(each for each in generate.Directive.all(page) if each.name == "seeds")
    (tmp_path / "trec8" / "runs").mkdir(parents=True)
    topics, documents = range(8), range(20)
    judged = "".join(f"q{t} 0 d{d} {int((t * 7 + d * 3) % 5 < 2)}\n" for t in topics for d in documents)
    (tmp_path / "trec8" / "qrels.gz").write_bytes(gzip.compress(judged.encode()))
    for n in (3, 7, 9, 11):
        lines = "".join(f"q{t} Q0 d{(d * n + t) % 20} {d} {-d} r{n}\n" for t in topics for d in documents)
        (tmp_path / "trec8" / "runs" / f"r{n}.gz").write_bytes(gzip.compress(lines.encode()))
    few = replace(made, what=made.what.replace('keep="ag07", ', "").replace("range(50)", "range(3)"))
    assert re.search(r"of 50 seeds", generate.Workshop(tmp_path).made(few))


def test_the_index_names_the_option_that_prints_percentages():
    assert "| JK02 | Table I | `cranfield agree OLD NEW --all` |" in PAGES["index"].read_text(encoding="utf-8")
