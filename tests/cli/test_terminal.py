"""What is printed on a terminal of 60, 80 or 120 columns: no line is wider, tables are not broken, nothing is lost."""

import re
import subprocess
import sys

import pytest

from cranfield.cli import main
from cranfield.tables.sheets import layout, sheet
from cranfield.tables.sheets.escape import width

STYLE = re.compile(r"\x1b\[[0-9;]*m")
LONG = "a-system-with-a-name-that-nobody-would-type-but-that-everybody-writes-into-a-tag"
QRELS, RUNS = "qrels.txt", ("runs/bm25.run", "runs/dense.run", f"runs/{LONG}-1.run", f"runs/{LONG}-2.run")
MANY = ("-m", "nDCG@10,AP,P@10,RR,Rprec,R@100")
SCREENS = {
    "evaluate": ("evaluate", QRELS, *RUNS),
    "intervals": ("evaluate", QRELS, *RUNS, *MANY, "--ci", "t"),
    "per topic": ("evaluate", QRELS, *RUNS, *MANY, "--per-topic"),
    "sorted": ("evaluate", QRELS, *RUNS, *MANY, "--sort", "given"),
    "groups": ("evaluate", QRELS, *RUNS, "--by", "groups.csv"),
    "collections": ("evaluate", "--collection", f"a={QRELS}:runs/*.run", "--collection", "b=other.txt:runs/*.run"),
    "replicates": ("evaluate", QRELS, *RUNS, "--replicates", f"{LONG}*=system"),
    "weights": ("evaluate", QRELS, *RUNS, "--weights", "weights.csv"),
    "possible": ("evaluate", QRELS, *RUNS, "--unjudged", "bounds"),
    "conditions": ("evaluate", QRELS, *RUNS, "--fail-if", "AP < 0.9", "--require", "nDCG@10 >= 0.1 for bm25"),
    "curve": ("evaluate", QRELS, *RUNS, "--curve", "pr"),
    "all pairs": ("compare", QRELS, *RUNS),
    "baseline": ("compare", QRELS, *RUNS, "--baseline", "bm25", *MANY),
    "pairs with holes": ("compare", QRELS, *RUNS, "--holes"),
    "baseline with holes": ("compare", QRELS, *RUNS, "--holes", "--baseline", "bm25"),
    "topics of pairs": ("compare", QRELS, *RUNS, "--per-topic"),
    "paper": ("compare", QRELS, *RUNS, "--baseline", "bm25", "--paper"),
    "pairs in groups": ("compare", QRELS, *RUNS, "--by", "groups.csv"),
    "gate": ("compare", QRELS, *RUNS, "--baseline", "bm25", "--fail-if", "drop(nDCG@10) > 5%"),
    "gate against a file": ("compare", QRELS, *RUNS, "--against", "base.json", "--fail-if", "drop(AP) > 0"),
    "given scores": ("compare", "--scores", "scores.csv"),
    "holes": ("holes", QRELS, *RUNS),
    "next": ("holes", QRELS, *RUNS, "--next", "5"),
    "agree": ("agree", QRELS, "other.txt"),
    "consequences": ("agree", QRELS, "other.txt", "--runs", "runs/*.run", "-m", "nDCG@10"),
    "check": ("check", QRELS, *RUNS),
    "check of wrong files": ("check", "wrong.run"),
    "pool": ("pool", *RUNS, "--depth", "2"),
    "convert": ("convert", RUNS[2], "-o", "out.csv"),
    "reproduce": ("reproduce", QRELS, *RUNS[:2]),
    "reproduced advantage": ("reproduce", QRELS, *RUNS[:2], "--baselines", *RUNS[2:]),
    "measures": ("measures",),
    "a measure": ("measures", "nDCG", "RBP", "ERR_IA"),
    "studies": ("study",),
    "power": ("study", "power", QRELS, *RUNS, "-m", "AP"),
    "swap": ("study", "swap", QRELS, *RUNS, "-m", "AP"),
    "reduction": ("study", "reduction", QRELS, *RUNS, "-m", "AP", "--draws", "2"),
    "lab": ("judge", "init", "lab.db", "--pool", "pool.tsv"),
    "status": ("judge", "status", "made.db", "--topics"),
    "users": ("judge", "users", "made.db", "list"),
    "doctor": ("judge", "doctor", "made.db"),
    "export": ("judge", "export", "made.db", "-o", "exported.qrels"),
    "trec_eval": ("trec_eval", QRELS, RUNS[0]),
    "no such file": ("evaluate", QRELS, f"runs/{LONG}-3.run"),
    "wrong line": ("evaluate", QRELS, "wrong.run"),
    "no such measure": ("evaluate", QRELS, *RUNS, "-m", "nDGC@10"),
    "no such option": ("evaluate", QRELS, *RUNS, "--basline", "bm25"),
    "no such verb": ("evalaute",),
    "help": ("--help",),
    "short help": ("evaluate", "-h"),
    "long help": ("evaluate", "--help"),
    "help of judge": ("judge", "--help"),
    "help of study": ("study", "--help"),
    "explained": ("--explain", "E105"),
}

EXITS = {  # other than 0
    **dict.fromkeys(["conditions", "gate", "gate against a file", "check of wrong files"], 1),
    **dict.fromkeys(["no such measure", "no such option", "no such verb"], 2),
    "wrong line": 3,
    "no such file": 4,
}


def run_of(name: str, order: int) -> str:
    documents = [f"d{(order * n) % 7 + 1}" for n in range(1, 6)]
    rows = [
        f"{topic} Q0 {document} {rank} {9 - rank} {name}\n"
        for topic in range(301, 305)
        for rank, document in enumerate(documents, 1)
    ]
    return "".join(rows)


@pytest.fixture
def collection(folder):
    """Two runs with short and two with long names, judgments of two assessors, groups, weights, scores, a pool."""
    for order, name in enumerate(("bm25", "dense", f"{LONG}-1", f"{LONG}-2"), 1):
        (folder / f"runs/{name}.run").write_text(run_of(name, order))
    grades = [(topic, n, (topic + n) % 3) for topic in range(301, 305) for n in range(1, 5)]
    (folder / QRELS).write_text("".join(f"{topic} 0 d{n} {grade}\n" for topic, n, grade in grades))
    (folder / "other.txt").write_text("".join(f"{topic} 0 d{n} {n % 3}\n" for topic, n, _ in grades))
    (folder / "groups.csv").write_text(
        "topic,group\n301,head\n302,head\n303,a-long-name-of-a-group\n304,a-long-name-of-a-group\n"
    )
    (folder / "weights.csv").write_text("topic,weight\n301,1\n302,2\n303,3\n304,4\n")
    rows = [f"{run},{topic},{0.1 * (topic % 5) + 0.2 * (run == 'b')}\n" for run in "ab" for topic in range(301, 305)]
    (folder / "scores.csv").write_text("run,topic,faithfulness\n" + "".join(rows))
    (folder / "pool.tsv").write_text("301\td1\n302\td2\n")
    (folder / "wrong.run").write_text("301 Q0 d1 1 2.5 tag\n301 Q0 d2 2\n")
    assert main(["evaluate", QRELS, RUNS[0], "-m", "AP", "--save", "base.json"]) == 0
    assert main(["judge", "init", "made.db", "--pool", "pool.tsv"]) == 0
    return folder


@pytest.fixture
def shown(collection, capsys, monkeypatch):
    """What a person sees of both streams."""

    def call(name, columns):
        capsys.readouterr()
        monkeypatch.setenv("COLUMNS", str(columns))
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: True)
        code = main(list(SCREENS[name]))
        out, err = capsys.readouterr()
        assert code == EXITS.get(name, 0), err
        return out + err

    return call


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", SCREENS)
def test_no_line_is_wider_than_the_terminal(shown, name, columns):
    lines = STYLE.sub("", shown(name, columns)).split("\n")
    assert [line for line in lines if width(line) > columns] == []
    assert len(lines) > 1


@pytest.mark.parametrize("name", SCREENS)
def test_tables_are_printed_as_they_were_fitted_and_every_column_is_shown_or_named_below(shown, monkeypatch, name):
    made, fitted = [], layout.fitted

    def recorded(columns, screen):
        tables, said = fitted(columns, screen)
        made.extend([(columns, tables, said)] if screen.columns else [])
        return tables, said

    monkeypatch.setattr(sheet, "fitted", recorded)
    text = shown(name, 60)
    one_line = " ".join(text.split())
    for columns, tables, said in made:
        assert all(line[1:] in text for table in tables for line in table.split("\n"))
        assert all(note in one_line for note in said)
        heads = [table.split("\n")[0] for table in tables]
        told = " ".join([*heads, *said])
        cut = any(note.startswith("…") for note in said)
        assert all(column.name in told or (cut and "…" in told) for column in columns), told


@pytest.mark.parametrize("name", ["evaluate", "gate", "check", "no such measure"])
def test_colours_go_where_they_are_not_wanted_and_the_words_stay(shown, monkeypatch, name):
    coloured = shown(name, 80)
    assert STYLE.search(coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(name, 80) == STYLE.sub("", coloured)


def test_a_command_that_goes_on_in_the_next_line_can_be_copied(shown):
    copied = re.search(r"next: (cranfield (?:.*\\\n)+.*)", shown("pairs with holes", 60))
    assert copied is not None
    whole = subprocess.run(["sh", "-c", f"echo {copied[1]}"], capture_output=True, text=True, check=True)
    said = "-m nDCG@10 -m AP --next 20"
    assert whole.stdout == " ".join(["cranfield holes", QRELS, *sorted(RUNS), said]) + "\n"
