"""The base installation: what works with NumPy, SciPy, click and rich alone, and how the rest says what it needs."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cranfield as cf
from cranfield.cli.group import verbs
from cranfield.errors.extras import EXTRAS, need
from tests.base_alone import BASE

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = sorted((ROOT / "src/cranfield").rglob("*.py"))

QRELS = "301 0 d1 1\n301 0 d2 0\n302 0 d3 2\n302 0 d4 0\n303 0 d1 1\n303 0 d5 0\n"
OTHER = "301 0 d1 1\n301 0 d2 1\n302 0 d3 2\n302 0 d4 0\n303 0 d1 0\n303 0 d5 0\n"
GIVEN = [("a", 301, 0.5), ("a", 302, 0.75), ("a", 303, 1), ("b", 301, 0.25), ("b", 302, 0.5), ("b", 303, 0.5)]
RUNS = {
    "bm25": {"301": ["d1", "d2"], "302": ["d4", "d3"], "303": ["d5", "d1"]},
    "dense": {"301": ["d2", "d1"], "302": ["d3", "d4"], "303": ["d1", "d5"]},
    "hybrid": {"301": ["d1", "d2"], "302": ["d3", "d4"], "303": ["d1", "d5"]},
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The working directory: qrels of two assessors and three runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "other.txt").write_text(OTHER)
    (tmp_path / "groups.tsv").write_text("301\thead\n302\thead\n303\ttail\n")
    (tmp_path / "given.csv").write_text("run,topic,AP\n" + "".join(f"{r},{t},{v}\n" for r, t, v in GIVEN))
    (tmp_path / "pairs.tsv").write_text("301\td7\n302\td8\n")
    for name, lists in RUNS.items():
        rows = [(topic, doc, place) for topic, docs in lists.items() for place, doc in enumerate(docs, start=1)]
        lines = (f"{topic} Q0 {doc} {place} {9 - place} {name}\n" for topic, doc, place in rows)
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def base(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, or with `-c` a program, on the base installation alone."""
    return subprocess.run(
        [sys.executable, str(ROOT / "tests/base_alone.py"), *arguments], capture_output=True, text=True, check=False
    )


ALL = ("qrels.txt", "bm25.run", "dense.run", "hybrid.run")
WORKS = {
    "evaluate": ("evaluate", *ALL, "-m", "nDCG@10 AP Bpref"),
    "evaluate --json": ("evaluate", *ALL, "--json", "--per-topic", "--ci", "t"),
    "evaluate -o csv": ("evaluate", *ALL, "-o", "out.csv"),
    "evaluate --curve": ("evaluate", *ALL, "--curve", "pr"),
    "evaluate --save": ("evaluate", *ALL, "--save", "saved.json", "--summary", "summary.md"),
    "gate": ("evaluate", *ALL, "--fail-if", "AP < 0.1", "--junit", "junit.xml"),
    "compare": ("compare", *ALL, "-m", "AP"),
    "compare permutation": ("compare", *ALL, "-m", "AP", "--baseline", "bm25", "--test", "permutation"),
    "compare tukey": ("compare", *ALL, "-m", "AP", "--adjust", "tukey", "--format", "latex"),
    "compare gate": ("compare", *ALL, "-m", "AP", "--baseline", "bm25", "--fail-if", "worse(AP)", "--junit", "j.xml"),
    "evaluate --by": ("evaluate", *ALL, "-m", "AP", "--by", "groups.tsv"),
    "evaluate --unjudged bounds": ("evaluate", *ALL, "-m", "P@2", "--unjudged", "bounds"),
    "compare --scores": ("compare", "--scores", "given.csv"),
    "compare --estimate": ("compare", *ALL, "-m", "P@2", "--estimate", "prior", "--draws", "9"),
    "holes": ("holes", *ALL, "-m", "nDCG@2", "--next", "2", "--estimate", "prior", "--draws", "9"),
    "reproduce": ("reproduce", "qrels.txt", "bm25.run", "dense.run", "-m", "AP"),
    "check": ("check", *ALL),
    "convert": ("convert", "bm25.run", "-o", "bm25.jsonl"),
    "convert gz": ("convert", "qrels.txt", "-o", "qrels.csv.gz"),
    "agree": ("agree", "qrels.txt", "other.txt", "--runs", "*.run"),
    "study list": ("study",),
    "study reduction": ("study", "reduction", *ALL, "-m", "AP", "--draws", "3"),
    "study swap": ("study", "swap", *ALL, "-m", "AP", "--json"),
    "study power": ("study", "power", *ALL, "-m", "AP"),
    "pool": ("pool", "bm25.run", "dense.run", "--depth", "2", "-o", "pool.tsv"),
    "pool mtf": ("pool", "bm25.run", "dense.run", "--strategy", "mtf", "--budget", "2", "--qrels", "qrels.txt"),
    "measures": ("measures",),
    "measures nDCG": ("measures", "nDCG", "--bibtex"),
    "demo": ("demo", "shop"),
    "demo --simulate": ("demo", "shop", "--simulate"),
    "judge init": ("judge", "init", "lab.db", "--pool", "pairs.tsv", "--allow-missing-docs"),
    "trec_eval": ("trec_eval", "-q", "qrels.txt", "bm25.run"),
    "help": ("--help",),
    "version": ("--version",),
    "explain": ("--explain", "E212"),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", WORKS)
def test_a_command_works_on_the_base_installation(name):
    done = base(*WORKS[name])
    assert (done.returncode, "error" in done.stderr) == (0, False), done.stderr
    assert done.stdout or name.startswith(("evaluate -o", "convert", "pool"))


@pytest.mark.usefixtures("folder")
def test_a_gate_fails_with_1_and_wrong_usage_with_2_on_the_base_installation():
    assert base("evaluate", *ALL, "--fail-if", "AP < 2").returncode == 1
    assert base("evaluate", *ALL, "--no-such-option").returncode == 2


def test_a_study_leaves_its_charts_out_and_says_so(folder):
    done = base("study", "reduction", *ALL, "-m", "AP", "--draws", "3", "-o", "made")
    assert done.returncode == 0, done.stderr
    assert "W118: made: the charts were left out" in done.stderr
    assert "pip install 'cranfield[charts]'" in done.stderr
    assert "made: tables and study.json written" in done.stderr
    written = {path.suffix for path in (folder / "made").iterdir()}
    assert ".csv" in written
    assert not written & {".svg", ".png"}


REFUSED = {
    "read Parquet": ("evaluate", "qrels.parquet", "bm25.run"),
    "read a Parquet run": ("evaluate", "qrels.txt", "bm25.parquet"),
    "check Parquet": ("check", "bm25.parquet"),
    "agree Parquet": ("agree", "qrels.parquet", "other.txt"),
    **({} if sys.version_info >= (3, 14) else {"read zst": ("evaluate", "qrels.txt", "bm25.run.zst")}),
    "write Parquet": ("convert", "bm25.run", "-o", "new.parquet"),
    "write qrels as Parquet": ("convert", "qrels.txt", "-o", "new.parquet"),
    "write zst": ("convert", "bm25.run", "-o", "new.run.zst"),
    "table as Parquet": ("evaluate", *ALL, "-o", "new.parquet"),
    "chart": ("evaluate", *ALL, "--curve", "pr", "-o", "new.svg"),
    "chart of a comparison": ("compare", *ALL, "-m", "AP", "--chart", "deltas", "-o", "new.svg"),
    "chart of holes": ("holes", *ALL, "-m", "AP", "--chart", "coverage", "-o", "new.svg"),
    "report, before anything is read": ("report", "nosuch.txt", "bm25.run", "-o", "new.html"),
    "cluster": ("evaluate", *ALL, "--cluster", "tcp://127.0.0.1:1"),
    "room of the demo": ("demo", "new", "--serve"),
    "bench": ("bench", "--size", "S", "--against", "none"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_an_extra_says_so_with_the_command(folder, name):
    cf.convert("qrels.txt", output="qrels.parquet")
    cf.convert("bm25.run", output="bm25.parquet")
    cf.convert("bm25.run", output="bm25.run.zst")
    done = base(*REFUSED[name])
    assert done.returncode == 2, done.stderr
    assert re.search(r"error E212: .* needs \S+, which is not installed", done.stderr)
    assert re.search(r"pip install 'cranfield\[(frames|charts|cluster|judge)\]'", done.stderr)
    assert len(done.stderr.splitlines()) == 1
    assert not list(folder.glob("*new*"))


@pytest.mark.usefixtures("folder")
def test_a_lab_is_kept_on_the_base_installation_and_only_its_room_and_passwords_need_the_extra():
    lab = cf.Lab.create("lab.db", [("301", "d7"), ("302", "d8")], allow_missing_docs=True)
    Path("ann.txt").write_text("301 0 d7 1\n")
    lab.import_judgments("ann.txt", "ann", "human")
    for words in ("status lab.db", "decide lab.db bm25.run dense.run -m P@2", "doctor lab.db"):
        done = base("judge", *words.split())
        assert (done.returncode, "error" in done.stderr) == (0, False), done.stderr
    done = base("judge", "export", "lab.db", "-o", "out.txt")
    assert (done.returncode, Path("out.txt").read_text()) == (0, "301 0 d7 1\n"), done.stderr
    for words, what in (("lab.db", "the judging room"), ("users lab.db add bob", "a password")):
        done = base("judge", *words.split())
        assert done.returncode == 2
        assert re.fullmatch(rf"cranfield: error E212: {what} needs \w+, which is .*'cranfield\[judge\]'\n", done.stderr)


def test_every_verb_is_tried_on_the_base_installation():
    tried = {words[0] for words in [*WORKS.values(), *REFUSED.values()]}
    assert {*verbs()} <= tried


def test_the_page_on_installing_names_every_extra_and_every_verb_that_needs_one():
    page = (ROOT / "docs/how-to/install.md").read_text(encoding="utf-8")
    assert [extra for extra in {*EXTRAS.values()} if f"| `{extra}` | " not in page] == []
    said = re.search(r"The base runs every command but (.*?), and prints", " ".join(page.split()))
    assert said
    needing = {words[0] for words in REFUSED.values()} - {words[0] for words in WORKS.values()}
    assert {*re.findall(r"`(\w+)`", said[1])} == needing


PROGRAM = """
import cranfield as cf
from cranfield.errors import PolicyError

qrels, runs = cf.read_qrels("qrels.txt"), cf.read_runs("*.run")
scores = cf.evaluate(qrels, runs, ["AP", "nDCG@10"])
made = [
    scores,
    cf.compare(scores.select(["AP"]), baseline="bm25"),
    cf.curve(qrels, runs, "pr"),
    cf.agree("qrels.txt", "other.txt"),
    cf.pool(runs, depth=2),
    cf.study.reduction(qrels, runs, "AP", draws=3),
]
for result in made:
    assert result.to_records() and result.to_dict()["result"], result
    for text in (result.to_csv(), result.to_json(), result.to_markdown(), result.to_latex(), repr(result)):
        assert text, result
    result._repr_html_()
    for form in (result.to_polars, result.to_pandas):
        try:
            form()
        except PolicyError as error:
            assert error.code == "E212" and "pip install" in str(error), error
        else:
            raise AssertionError(form)
assert set(scores.by_run()) == {"bm25", "dense", "hybrid"}
for draw in (made[1].plot, made[2].plot, made[5].plot):
    try:
        draw()
    except PolicyError as error:
        assert error.code == "E212" and "cranfield[charts]" in str(error), error
    else:
        raise AssertionError(draw)
cf.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "AP")
class Frame:
    columns = ["topic", "doc", "score"]
try:
    cf.evaluate(qrels, Frame(), "AP")
except PolicyError as error:
    assert str(error) == "E212: a data frame needs narwhals, which is not installed: pip install 'cranfield[frames]'"
else:
    raise AssertionError
print("done")
"""


@pytest.mark.usefixtures("folder")
def test_python_works_on_the_base_installation():
    done = base("-c", PROGRAM)
    assert (done.stdout, done.stderr) == ("done\n", "")


def results() -> list[object]:
    """One result of each kind."""
    runs = {name: {topic: list(docs) for topic, docs in lists.items()} for name, lists in RUNS.items()}
    qrels = {"301": {"d1": 1, "d2": 0}, "302": {"d3": 2, "d4": 0}, "303": {"d1": 1, "d5": 0}}
    other = {"301": {"d1": 1, "d2": 1}, "302": {"d3": 2, "d4": 0}, "303": {"d1": 0, "d5": 0}}
    scores = cf.evaluate(qrels, runs, ["AP", "nDCG@10"])
    return [
        scores,
        cf.compare(scores, baseline="bm25"),
        cf.curve(qrels, runs, "pr"),
        cf.agree({"ann": qrels, "bob": other}),
        cf.pool(runs, depth=2),
        cf.study.reduction(qrels, runs, "AP", draws=3),
    ]


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_the_records_of_a_result_are_the_rows_of_its_frame():
    for result in results():
        assert result.to_records() == result.to_polars().to_dicts()  # type: ignore[attr-defined]  # every Result has them
        assert json.loads(json.dumps(result.to_records())) == result.to_records()  # type: ignore[attr-defined]  # the same


def test_records_by_topic_are_the_rows_of_the_frames():
    scores = cf.evaluate({"q": {"a": 1, "b": 0}}, {"q": ["b", "a"]}, ["RR", "AP"])
    assert scores.to_records(per_topic=True) == scores.per_topic().to_dicts()
    assert scores.by_run() == {"run": {"RR": 0.5, "AP": 0.5}}
    curves = cf.curve({"q": {"a": 1, "b": 0}}, {"q": ["b", "a"]}, "pr")
    assert curves.to_records(per_topic=True) == curves.per_topic().to_dicts()


def test_the_base_installation_is_small():
    assert {re.split(r"\W", name)[0] for name in PROJECT["dependencies"]} == BASE - {"cranfield"}
    assert "click>=8.4.1" in PROJECT["dependencies"]  # before 8.4, wrong usage ended with 1


def test_every_optional_module_stands_in_the_extra_that_is_named():
    imported_as = {"argon2_cffi": "argon2", "markdown_it_py": "markdown_it"}
    declared = {
        re.split(r"[>=<;]", package)[0].replace("-", "_").removesuffix("_python"): extra
        for extra in ("frames", "charts", "judge", "cluster")
        for package in PROJECT["optional-dependencies"][extra]
    }
    assert {imported_as.get(name, name): extra for name, extra in declared.items()} == EXTRAS
    assert PROJECT["optional-dependencies"]["all"] == ["cranfield[charts,cluster,frames,judge]"]


def test_an_optional_module_is_never_imported_with_its_file():
    """Except in the web application, which is loaded as a whole after `need` has found its packages."""
    for path in SOURCES:
        if "judging/web/" in path.as_posix():
            continue
        body = ast.parse(path.read_text(encoding="utf-8")).body
        found = [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
        found += [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]
        assert not {name.partition(".")[0] for name in found} & set(EXTRAS), path


def test_a_package_that_is_broken_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "brokenpackage.py").write_text("raise ImportError('libm.so.7 is missing')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(cf.PolicyError, match=r"cannot be imported: libm.so.7 is missing"):
        need("brokenpackage", "a chart")
