"""`cranfield demo`: the standard library as a collection, on frozen rankings, and once on the library itself."""

import contextlib
import io
import json
import platform
import re
import shlex
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

import cranfield as cf
from cranfield.cli import main
from cranfield.judging.lab import Lab
from cranfield.judging.store.queues import queue_states
from cranfield.sample.library.rankers import rank_all
from cranfield.sample.library.world import LibraryWorld, this_library
from cranfield.sample.library.written import written_grades
from cranfield.tables.side.documents import Document, Documents
from tests.examples import blocks
from tests.sample.library.frozen import frozen, frozen_demo, frozen_rankings, frozen_world, grades_of_holes

CHECKOUT = Path(__file__).parents[3]
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # there are holes: that is the point
SYSTEMS = ["bm25", "bm25-names", "ql", "tfidf", "chargram", "rrf"]


@pytest.fixture
def library(monkeypatch):
    """Frozen rankings in place of those of this Python."""
    monkeypatch.setattr("cranfield.sample.demo.this_library", frozen_world)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo on frozen rankings; nothing is changed in its folder but the lab."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        return frozen_demo(tmp_path_factory.mktemp("frozen") / "d")


Contents = dict[str, bytes]  # by file


@dataclass(frozen=True)
class MadeTwice:
    """The command on frozen rankings, twice in one folder: what it prints, its envelope, and the files of each time."""

    folder: Path
    printed: str
    envelope: dict[str, Any]
    files: tuple[Contents, Contents]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        patch.setattr("cranfield.sample.demo.this_library", frozen_world)
        printed, first = called("demo", "-q"), contents(folder)
        data = json.loads(called("demo", "--json"))
    return MadeTwice(folder, printed, data, (first, contents(folder)))


def called(*arguments: str) -> str:
    """What the command prints on standard output."""
    raw = io.BytesIO()
    with contextlib.redirect_stdout(io.TextIOWrapper(raw, "utf-8", write_through=True)):
        assert main(list(arguments)) == 0
    return raw.getvalue().decode()


def contents(folder: Path) -> Contents:
    files = [path for path in (folder / "cranfield-demo").rglob("*") if path.is_file()]
    # the program that draws the charts numbers gradients through a process
    return {path.name: re.sub(rb"gradient_\d+", b"gradient", path.read_bytes()) for path in files}


@pytest.fixture
def there(folder, made):
    """The working directory, with a copy of the folder that was made."""
    shutil.copytree(made.folder / "cranfield-demo", folder / "cranfield-demo")
    return folder


@pytest.fixture
def without_charts(monkeypatch):
    """Quicker, for those who do not look at the report."""
    monkeypatch.setattr("cranfield.sample.demo.installed", lambda extra: extra != "charts")


def test_the_demo_prints_the_table_of_the_product(made):
    printed = made.printed.splitlines()
    head = ["run", "nDCG@10", "95", "%", "CI", "judged@10", "possible", "range", "vs", "bm25", "p"]
    assert printed[0].split() == head
    assert sorted(line.split()[0] for line in printed[1:7]) == sorted(SYSTEMS)
    assert printed[8] == " 46 topics · paired t, Holm over 5 comparisons · * corrected p < 0.05"
    assert " 4 unjudged documents can reverse bm25 – bm25-names" in printed
    assert any("docstrings of Python 3.11.7, sha256 " in line for line in printed)


def test_every_number_of_the_table_is_that_of_another_verb(made):
    row = next(line.split() for line in made.printed.splitlines() if line.startswith(" bm25-names "))
    at = made.folder / "cranfield-demo"
    qrels, runs = str(at / "qrels.txt"), [str(at / f"runs/{system}.run") for system in SYSTEMS]
    compared = cf.compare(qrels, runs, ["nDCG@10"], baseline="bm25").pair("bm25-names", "bm25")
    scores = cf.evaluate(qrels, runs, "nDCG@10", ci="t")
    number = scores.runs.index("bm25-names")
    assert scores.intervals is not None
    low, high = scores.intervals[number, 0]
    possible = next(each for each in cf.holes(qrels, runs, "nDCG@10").ranges().ranges if each.run == "bm25-names")
    assert row[1:4] == [f"{scores.means[number, 0]:.4f}", f"[{low:.3f},", f"{high:.3f}]"]
    assert row[4] == f"{scores.judged_shares[number, 0]:.1%}".rstrip("%")
    assert row[6:9] == [f"{possible.lowest:.3f}", "–", f"{possible.highest:.3f}"]
    assert row[9:] == [f"{compared.difference:+.4f}".replace("-", "−"), f"{compared.p:.2g}"]


def test_the_systems_outside_the_pool_have_holes_and_those_inside_have_none(made):
    """DEMO-4."""
    scores = made.envelope["result"]["scores"]
    judged = {each["run"]: each["judged"] for each in scores if each["measure"] == "nDCG@10"}
    assert all(judged[system] == 1 for system in ("bm25", "tfidf", "ql"))
    assert judged["bm25-names"] < 0.75
    assert judged["chargram"] < 0.7
    assert judged["rrf"] < 0.95


@pytest.mark.usefixtures("there")
def test_the_three_commands_run_as_printed(cli, made):
    lines = [line.strip() for line in made.printed.splitlines() if line.startswith("   cranfield ")]
    assert len(lines) == 3
    assert lines[-1] == "cranfield demo --serve"
    for line in lines[:2]:
        assert cli(*shlex.split(line)[1:]).code == 0, line


def test_json_follows_its_schema_and_names_library_and_python(cli, made):
    """DEMO-5."""
    data, folder = made.envelope, made.folder
    validate(data, json.loads(cli("demo", "--json-schema").out))
    about = data["result"]["collection"]
    assert (about["python"], about["absent"]) == ("3.11.7", [])
    named = [each for each in data["inputs"] if each["role"] == "documents"]
    assert [each["sha256"] for each in named] == [about["sha256"]]
    assert data["audit"]["versions"]["python"] == platform.python_version()
    assert json.loads((folder / "cranfield-demo/cranfield-demo.json").read_text())["sha256"] == about["sha256"]
    assert about["sha256"] in (folder / "cranfield-demo/report.html").read_text()


def test_the_report_is_about_the_table(demo):
    page = demo.page.read_text(encoding="utf-8")
    assert demo.page.name == "report.html"
    assert "<title>cranfield demo, judged by a language model, no person</title>" in page
    assert "rrf has the highest nDCG@10 of 6 runs, 0.725." in page
    assert "temporary directory that cleans up after itself" in page  # topics have their words
    assert not re.search(r"<link|src=\"http|@import", page)


@pytest.mark.usefixtures("library", "without_charts")
def test_without_charts_a_page_of_scores_is_written(cli, there):
    assert (there / "cranfield-demo/report.html").exists()
    assert "a report on them: cranfield-demo/scores.html" in cli("demo").out
    pages = sorted(path.name for path in (there / "cranfield-demo").glob("*.html"))
    assert pages == ["scores.html"]  # that of the first time is gone
    said = (there / "cranfield-demo/scores.html").read_text()
    assert "docstrings of Python 3.11.7" in said
    assert "The pool was judged by a language model, no person." in said


@pytest.mark.usefixtures("without_charts")
def test_names_that_this_python_lacks_are_dropped_and_counted(cli, monkeypatch):
    """DEMO-5."""
    world = frozen_world()
    fewer = Documents.of(Document(name, "", name) for name in world.documents if not name.startswith("distutils."))
    monkeypatch.setattr("cranfield.sample.demo.this_library", lambda: LibraryWorld(fewer, world.rankings, world.python))
    gone = {pair.document for pair in written_grades() if pair.document.startswith("distutils.")}
    assert f"; {len(gone)} judged names absent in it dropped\n" in cli("demo").out
    assert not gone & set(cf.read_qrels("cranfield-demo/qrels.txt").document)
    assert gone == set(json.loads(cli("demo", "--json").out)["result"]["collection"]["absent"])


def test_two_demos_in_one_folder_do_not_mix_their_runs(cli, there):
    assert {path.stem for path in (there / "cranfield-demo/runs").iterdir()} == set(SYSTEMS)
    (there / "cranfield-demo/lab.db").write_text("what people judged")
    cli("demo", "--simulate")
    names = {path.stem for path in (there / "cranfield-demo/runs").iterdir()}
    assert "hybrid" in names
    assert not names & set(SYSTEMS)
    assert (there / "cranfield-demo/lab.db").exists()


def test_it_can_be_repeated_and_gives_the_same_bytes(made):
    first, second = made.files
    assert {"report.html", "qrels.txt", "bm25.run"} <= first.keys()
    assert first == second


def test_fourteen_judgments_decide_a_pair_against_what_is_judged_now(demo):
    """The demo is worth a look: holes matter, and few judgments show it."""
    assert demo.question == ("bm25", "bm25-names")
    runs = {path.stem: str(path) for path in demo.runs}
    now = demo.holes.verdict("bm25", "bm25-names")
    later = grades_of_holes()
    decided = cf.decide(str(demo.qrels), runs["bm25"], runs["bm25-names"], "nDCG@10", ask=lambda *pair: later[pair])
    assert (now.status, now.delta > 0) == ("open", True)  # bm25 seems better
    assert decided.asked == 14
    assert decided.high < 0  # bm25-names is


def all_judged(demo):
    """The score of each run where the holes are judged, too."""
    known = {(pair.topic, pair.document): pair.first for pair in written_grades()} | grades_of_holes()
    truth: dict[str, dict[str, int]] = {}
    for (topic, document), grade in known.items():
        truth.setdefault(topic, {})[document] = grade
    scores = cf.evaluate(truth, [str(path) for path in demo.runs], "nDCG@10")
    return dict(zip(scores.runs, scores.means[:, 0].tolist(), strict=True))


def test_with_all_holes_judged_the_order_is_another_one_and_bounds_hold(demo):
    truth = all_judged(demo)
    assert max(truth, key=truth.get) == "bm25-names"
    assert demo.scores.sorted().runs.index("bm25-names") == 3
    for each in demo.holes.ranges().ranges:
        assert each.lowest <= truth[each.run] <= each.highest


def test_the_first_table_of_the_readme_is_that_of_the_demo(demo):
    shown = blocks((CHECKOUT / "README.md").read_text(encoding="utf-8"))[0]
    assert (shown.language, shown.body.rstrip()) == ("text", demo.sheet().text())


def test_the_first_page_shows_what_the_demo_prints(made):
    about = ("documents", "sha256")
    printed = made.printed.rstrip().splitlines()
    shown = blocks((CHECKOUT / "docs/index.md").read_text(encoding="utf-8"))[0].body.rstrip().splitlines()
    assert shown[0] == "$ cranfield demo -q"
    assert [line for line in shown[1:] if "sha256" not in line] == [line for line in printed if "sha256" not in line]
    assert f" {frozen()[about[0]]:,} docstrings of Python 3.11.7, sha256 {frozen()[about[1]][:12]}" in shown


def test_the_answers_of_the_tutorial_are_those_that_were_given():
    [answers] = [b for b in blocks((CHECKOUT / "docs/tutorial.md").read_text(encoding="utf-8")) if b.title]
    shown = {(topic, document): int(grade) for topic, _, document, grade in map(str.split, answers.body.splitlines())}
    assert len(shown) == 10
    assert shown.items() <= grades_of_holes().items()


def test_the_page_of_the_collection_shows_what_all_judgments_would_change(demo):
    page = (CHECKOUT / "docs/explanation/demo-collection.md").read_text(encoding="utf-8")
    truth = all_judged(demo)
    for each in demo.holes.ranges().ranges:
        now = f"{each.as_judged:.4f} | {each.lowest:.3f} – {each.highest:.3f}"
        assert f"| `{each.run}` | {now} | {truth[each.run]:.4f} |\n" in page
    assert f"The {len(grades_of_holes())} documents without a judgment were graded" in page
    assert f"were judged: {len(written_grades())} pairs" in page


def test_a_part_is_judged_twice_and_the_page_says_how_far_both_agree(demo):
    twice = [pair for pair in written_grades() if pair.second is not None]
    assert len({pair.topic for pair in twice}) == 12
    same = sum(pair.first == pair.second for pair in twice)
    assert max(abs(pair.first - (pair.second or 0)) for pair in twice) == 1
    said = cf.agree(str(demo.library.judgments)).to_records()
    kappa = next(row["value"] for row in said if row["coefficient"] == "Cohen κ")
    page = (CHECKOUT / "docs/explanation/demo-collection.md").read_text(encoding="utf-8")
    assert f"{same} of {len(twice)} pairs ({same / len(twice):.1%}), κ = {kappa:.3f};".replace("%", " %") in page


def test_some_difference_is_significant_and_some_is_not(demo):
    comparison = demo.comparison
    assert {pair.run for pair in comparison.significant()} == {"tfidf", "chargram"}


def test_the_lab_asks_about_holes_alone_and_is_kept(demo):
    lab = demo.lab()
    with lab.reading() as connection:
        pool, decide = queue_states(connection)
    assert (pool.open, decide.queue.kind, decide.open) == (0, "decide", 135)
    people = {each.person.name: each.person.kind for each in lab.status().people}
    assert people.pop("first") == "llm"
    assert set(people.values()) <= {"llm"}  # nobody is claimed who did not judge
    before = demo.lab().path.stat().st_mtime_ns
    assert demo.lab().path.stat().st_mtime_ns == before


def test_serving_needs_documents(cli):
    result = cli("demo", "--serve", "--simulate")
    assert result.code == 2
    assert "exclude each other" in result.err


@pytest.mark.usefixtures("library", "without_charts")
def test_serve_opens_the_room_on_the_lab(cli, monkeypatch):
    served = []

    def serve(lab, settings, *, say, **_):
        served.append((Lab.open(lab).status().open, settings.port))
        if settings.port:
            raise cf.InputError("E402", "port 8765 is in use")
        return 0

    monkeypatch.setattr("cranfield.judging.web.server.serve", serve)
    result = cli("demo", "--serve")
    assert (result.code, served) == (0, [(135, 8765), (135, 0)])
    assert "nDCG@10" in result.out


def test_the_live_library_gives_what_is_frozen():
    if platform.python_version() != frozen()["python"]:
        pytest.skip(f"the rankings are those of Python {frozen()['python']}")
    live = this_library().rankings
    for system, topics in frozen_rankings().items():
        for topic, found in topics.items():
            assert live[system][topic] == pytest.approx(found), (system, topic)


@pytest.mark.usefixtures("without_charts")
def test_the_six_systems_run_on_any_library(cli, monkeypatch):
    """DEMO-3: the pipeline on a corpus of our own."""
    texts = {"heapq.merge": "merge sorted files into one", "shelve": "a shelf for objects", "csv": "read a csv file"}
    queries = {f"p{number:02}": "merge sorted csv file" for number in range(1, 47)}
    documents = Documents.of(Document(name, text, name) for name, text in sorted(texts.items()))
    world = LibraryWorld(documents, rank_all(sorted(texts), [texts[name] for name in sorted(texts)], queries), "3.11.0")
    monkeypatch.setattr("cranfield.sample.demo.this_library", lambda: world)
    told = json.loads(cli("demo", "--json").out)["result"]
    assert sorted(each["run"] for each in told["scores"] if each["measure"] == "AP") == sorted(SYSTEMS)
    assert told["collection"]["documents"] == 3
