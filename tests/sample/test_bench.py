"""The benchmark as a ruler: the same data for a seed, equal numbers before any ratio, tables that are tables."""

import gzip
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.read.objects import as_qrels, as_run
from cranfield.sample.bench import contenders, lists
from cranfield.sample.bench.agreement import difference, long_values, wide_values
from cranfield.sample.bench.contenders import MEASURES, OURS, Contender, Peers, ours, theirs
from cranfield.sample.bench.dicts import Caller, callers, compete, dictionaries
from cranfield.sample.bench.files import files, write
from cranfield.sample.bench.goals import verdicts
from cranfield.sample.bench.page import replaced, update
from cranfield.sample.bench.parts import Settings, Trial, measure_holes
from cranfield.sample.bench.parts import compete as compete_in_files
from cranfield.sample.bench.process import Cost, Failed, timed
from cranfield.sample.bench.results import BenchResult, ranked, sheet
from cranfield.sample.bench.shapes import SHAPES, Shape, growing

TINY = SHAPES["XS"]
PEERS = Peers(("pytrec_eval", "ir_measures"))
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # generated lists are hardly judged


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The files of the tiny shape."""
    folder = tmp_path_factory.mktemp("bench")
    write(TINY, folder, seed=0)
    return files(TINY, folder, seed=0)


@pytest.mark.parametrize("shape", [TINY, Shape(1, 1, 10, 1), Shape(3, 2, 7, 20)])
def test_generated_files_have_the_shape_they_should(shape, tmp_path):
    write(shape, tmp_path, seed=3)
    made = files(shape, tmp_path, seed=3)
    runs, qrels = [cf.read_run(path) for path in made.runs], cf.read_qrels(made.qrels)
    assert len(runs) == shape.runs
    assert all(len(run.topics) == shape.topics and len(run.score) == shape.topics * shape.depth for run in runs)
    assert len(qrels.topics) == shape.topics
    assert len(qrels.grade) == shape.topics * shape.judged
    assert made.size == sum(path.stat().st_size for path in made.runs)


def test_a_seed_gives_the_same_files_and_another_gives_others(tmp_path):
    contents = []
    for folder, seed in (("a", 0), ("b", 0), ("c", 1)):
        write(TINY, tmp_path / folder, seed)
        made = files(TINY, tmp_path / folder, seed)
        contents.append([path.read_bytes() for path in (made.qrels, *made.runs)])
    assert contents[0] == contents[1]
    assert all(one != other for one, other in zip(contents[0], contents[2], strict=True))


def test_files_that_are_there_are_not_written_again(made):
    made.qrels.touch()
    before = made.qrels.stat().st_mtime_ns
    assert files(TINY, made.qrels.parent.parent, seed=0) == made
    assert made.qrels.stat().st_mtime_ns == before


def test_no_list_repeats_a_document_nor_a_score_in_single_precision():
    shape = Shape(2, 700, 1000, 5)
    for run in range(shape.runs):
        blocks = list(lists.blocks(shape, run, seed=0))
        documents, scores = (np.concatenate([getattr(b, name) for b in blocks]) for name in ("documents", "scores"))
        assert documents.shape == scores.shape == (shape.topics, shape.depth)
        assert (np.diff(np.sort(documents, axis=1), axis=1) > 0).all()
        assert (np.diff(scores.astype(np.float32), axis=1) < 0).all()


def test_most_lists_find_a_relevant_document_and_some_find_it_first(made):
    found = cf.evaluate(made.qrels, [str(path) for path in made.runs], "RR").matrix("RR")
    assert (found > 0).mean() > 0.8
    shape = Shape(1, 300, 100, 1)
    scores = cf.evaluate(*dictionaries(shape, seed=0), "RR").matrix("RR")
    assert 0.05 < (scores == 1).mean() < 0.5


def test_dictionaries_hold_what_is_in_the_files(made):
    judged, runs = dictionaries(TINY, seed=0)
    assert as_qrels(judged).same_rows(cf.read_qrels(made.qrels))
    for path, (name, run) in zip(made.runs, runs.items(), strict=True):
        read = cf.read_run(path)
        assert read.name == name
        assert read.same_rows(as_run(run, name))


def test_growth_reaches_the_largest_file_and_goes_no_further():
    assert [shape.rows for shape in growing(30_000_000)][-2:] == [10_000_000, 30_000_000]


def test_every_contender_prints_the_same_numbers(made, tmp_path):
    everybody = [*ours(threads=2), *theirs(PEERS)]
    trials = [Trial("XS", contender, made) for contender in everybody]
    costs, problems = compete_in_files(trials, Settings(tmp_path, repeats=1))
    assert problems == {}
    assert {name for _, name in costs} >= {OURS, "cranfield evaluate", "cranfield trec_eval", *PEERS.packages}
    assert all(cost.cpu > 0 and cost.wall > 0 and (cost.peak or 0) > 1e6 for each in costs.values() for cost in each)


def liar(change):
    """A program that prints our numbers, but one."""
    contender = ours(threads=1)[0]
    name, flag, program, *rest = contender.command
    return replace(contender, name="liar", command=(name, flag, f"{program}\n{change}", *rest))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (r"print('AP\t1000000\t0.5')", "is not asked for"),
        ("print('nonsense')", "what it prints cannot be read"),
        ("raise SystemExit('it hurts')", "ended with code 1: it hurts"),
        ("import time; print('AP', 'x', time.time())", "AP of topic x is not asked for"),
    ],
)
def test_a_contender_with_wrong_numbers_has_no_time_and_no_ratio(made, tmp_path, change, problem):
    trials = [Trial("XS", contender, made) for contender in (ours(threads=1)[0], liar(change))]
    costs, problems = compete_in_files(trials, Settings(tmp_path, repeats=2))
    assert problem in problems["XS", "liar"]
    found = ranked("files", "XS", 1, {n: c for (_, n), c in costs.items()}, {n: p for (_, n), p in problems.items()})
    right, wrong = found
    assert (right.ratio, right.problem) == (1.0, "")
    assert (wrong.cpu, wrong.wall, wrong.peak, wrong.ratio) == (None, None, None, None)
    assert "liar" not in " ".join(verdicts(found))


def test_a_program_that_changes_its_mind_is_refused(made, tmp_path):
    state = tmp_path / "state"
    forgetful = (
        f"import os; print('AP' if os.path.exists({str(state)!r}) else 'RR', 'all', 1); open({str(state)!r}, 'w')"
    )
    trials = [Trial("XS", contender, made) for contender in (ours(threads=1)[0], liar(forgetful))]
    _, problems = compete_in_files(trials, Settings(tmp_path, repeats=2))
    assert problems == {("XS", "liar"): "it prints other numbers when run again"}


def test_if_ours_fails_nobody_has_a_time():
    costs = {OURS: [], "peer": [Cost(1.0, 1.0, 1)]}
    found = ranked("files", "S", 1, costs, {OURS: "it failed"})
    assert [result.cpu for result in found] == [None, None]
    assert all(result.problem for result in found)


def test_values_of_several_runs_are_told_apart(tmp_path):
    tall, wide = tmp_path / "tall", tmp_path / "wide"
    tall.write_text("map \tq1\t0.5000\nmap\tall\t0.5\nmap \tq1\t0.2500\n")
    wide.write_text("run\ttopic\tAP\tretrieved\na\tq1\t0.5\t7\nb\tq1\t0.25\t7\n")
    expected = {("AP", "q1", 0): 0.5, ("AP", "q1", 1): 0.25}
    assert long_values(tall, {"map": "AP"}) == expected
    assert wide_values(wide, {"AP": "AP"}) == expected
    assert difference(expected, {("AP", "q1", 0): 0.25, ("AP", "q1", 1): 0.5}, ["AP"], 1e-4)
    assert not difference(expected, {("AP", "q1", 0): 0.50009, ("AP", "q1", 1): 0.25}, ["AP"], 1e-4)
    assert difference(expected, {**expected, ("AP", "q1", 1): float("nan")}, ["AP"], 1e-4)


def test_all_packages_find_equal_values_in_dictionaries():
    costs, problems = compete(callers(PEERS.packages), *dictionaries(TINY, seed=0), repeats=1)
    assert problems == {}
    assert list(costs) == [OURS, "cranfield.compat.pytrec_eval", *PEERS.packages]
    assert all(len(each) == 1 for each in costs.values())


def test_a_package_with_wrong_values_is_refused():
    first, *_ = callers(())
    wrong = Caller(
        "wrong", first.call, lambda result: {key: value + 1e-6 for key, value in first.values(result).items()}
    )

    def broken(judged, runs):
        raise KeyError("x")

    _, problems = compete([first, wrong, Caller("broken", broken, dict)], *dictionaries(TINY, seed=0), repeats=2)
    assert set(problems) == {"wrong", "broken"}
    assert problems["broken"] == "KeyError: 'x'"


def test_programs_are_not_charged_for_compiling_their_modules_each_time(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    timed([[sys.executable, "-c", "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"]], tmp_path / "out")
    assert (tmp_path / "out").read_text().split() == ["False", str(tmp_path / "bytecode")]


def test_memory_of_the_caller_does_not_count(tmp_path):
    held = np.ones(50_000_000)  # 400 MB
    assert (timed([[sys.executable, "-c", "pass"]], tmp_path / "out").peak or 0) < held.nbytes / 4


def test_costs_of_several_processes_add_up_and_the_highest_peak_counts(tmp_path):
    work = "x = bytearray({} * 10**6); print(len(x))"
    commands = [[sys.executable, "-c", work.format(size)] for size in (90, 10)]
    cost = timed(commands, tmp_path / "out")
    assert (cost.peak or 0) > 90e6
    assert (tmp_path / "out").read_text().split() == ["90000000", "10000000"]


def test_a_process_that_fails_is_quoted(tmp_path):
    with pytest.raises(Failed, match="ended with code 3: without a word"):
        timed([[sys.executable, "-c", "raise SystemExit(3)"]], tmp_path / "out")


def test_several_threads_are_tried_where_they_are_asked_for():
    assert [c.name for c in ours(threads=4)][:2] == ["cranfield", "cranfield, 4 threads"]
    assert [c.command[3] for c in ours(threads=4)][:2] == ["1", "4"]
    assert [c.name for c in ours(threads=1)][:2] == ["cranfield", "cranfield evaluate"]


def test_trec_eval_gets_a_process_for_each_run_and_dots_before_parameters(made):
    (contender,) = theirs(Peers((), "/bin/trec_eval"))
    commands = contender.commands(made)
    assert [command[-2:] for command in commands] == [[str(made.qrels), str(run)] for run in made.runs]
    assert commands[0][:4] == ["/bin/trec_eval", "-q", "-m", "map"]
    assert {"ndcg_cut.10", "P.10", "recall.100", "bpref"} < set(commands[0])


def test_the_table_in_markdown_is_a_table():
    results = [
        BenchResult("files", "S", OURS, 50_000, 0.5, 0.6, 50.0, 1.0),
        BenchResult("files", "S", "a|b", 50_000, problem="AP of topic 1 is missing"),
    ]
    head, rule, *body = sheet(results, ["one", "two"]).markdown().split("\n\n")[0].splitlines()
    assert head == "| part | size | rows | program | CPU s | wall s | peak MB | CPU ÷ ours | refused because |"
    assert len(body) == 2
    assert {line.replace(r"\|", "").count("|") for line in (head, rule, *body)} == {10}


def cost(size: str, cpu: float) -> BenchResult:
    """What reading a file of that size cost us."""
    return BenchResult("files", size, OURS, 1, cpu)


def grown(program, rows, cost):
    return BenchResult("growth", "", program, rows, cost, cost, 100.0, per_million=cost, of_file=1.5)


def test_a_page_gets_the_tables_and_the_chart_of_what_was_measured(tmp_path):
    page = tmp_path / "speed.md"
    page.write_text(
        "".join(f"<!-- bench {part} -->\nold {part}\n<!-- end of bench -->\n" for part in ("files", "growth"))
    )
    results = [grown(program, rows, 0.5) for rows in (100_000, 1_000_000) for program in (OURS, "cranfield, 2 threads")]
    assert update(page, results, ["some machine"]) == [page, tmp_path / "speed-growth.svg"]
    text = page.read_text()
    assert "old files" in text
    assert "old growth" not in text
    assert "(speed-growth.svg)" in text
    assert "some machine" in text
    picture = (tmp_path / "speed-growth.svg").read_text()
    assert picture.startswith("<svg")
    assert "cranfield, 2 threads" in picture
    again = text
    update(page, results, ["some machine"])
    assert page.read_text() == again


def test_a_page_without_a_place_for_the_table_is_refused():
    with pytest.raises(cf.InputError, match="has no place for the table"):
        replaced("nothing", "files", "| x |")


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([BenchResult("files", "L", "pytrec_eval", 1, 1.0, 1.0, 1.0, 11.0)], ["reached: files L, CPU of pytrec_eval"]),
        ([BenchResult("files", "L", "pytrec_eval", 1, 1.0, 1.0, 1.0, 9.0)], ["missed: files L, CPU of pytrec_eval"]),
        ([cost(size, cpu) for size, cpu in (("XL", 30.0), ("XL/16", 2.0))], ["reached: files XL"]),
        ([cost(size, cpu) for size, cpu in (("XL", 33.0), ("XL/16", 2.0))], ["missed: files XL"]),
        ([grown(OURS, 10**6, 1.0), grown(OURS, 10**7, 1.2)], ["reached: growth"]),
        ([grown(OURS, 10**6, 1.0), grown(OURS, 10**7, 1.3)], ["missed: growth"]),
        ([grown(OURS, 10**5, 9.0), grown(OURS, 10**7, 1.3)], []),
    ],
)  # fmt: skip  # one case in a line
def test_goals_are_told_with_both_numbers(results, said):
    found = verdicts(results)
    assert [sentence.startswith(start) for sentence, start in zip(found, said, strict=True)] == [True] * len(said)


def test_measures_have_one_name_for_each_program():
    assert len(MEASURES) == len(contenders.RANX) == len(set(MEASURES.values()))


def test_the_launcher_needs_nothing_but_the_standard_library():
    from cranfield.sample.bench import process

    code = f"import runpy; runpy.run_path({process._LAUNCHER!r})"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


def test_a_contender_that_takes_all_runs_gets_one_process(made):
    assert Contender("x", ("x",)).commands(made) == [["x", str(made.qrels), *map(str, made.runs)]]


def test_the_ranges_of_all_pairs_are_measured_beside_reading_and_evaluating_the_same_files(tmp_path, monkeypatch):
    monkeypatch.delenv("CRANFIELD_SHARED", raising=False)
    found = measure_holes(Settings(tmp_path, sizes=("XS",), repeats=1))
    assert [result.program for result in found] == [
        "read",
        "evaluate, P@10",
        *(f"all pairs, {measure}" for measure in ("P@10", "nDCG@10", "RBP(p=0.8)", "AP")),
    ]
    assert all((result.part, result.size, result.rows) == ("holes", "XS", 480) and result.cpu for result in found)


def test_the_ranges_of_real_collections_are_measured_where_they_are(tmp_path, monkeypatch):
    here = tmp_path / "data" / "trec8"
    (here / "runs").mkdir(parents=True)
    (here / "qrels.gz").write_bytes(gzip.compress(b"1 0 a 1\n1 0 b 0\n"))
    for name in ("x", "y"):
        (here / "runs" / f"{name}.gz").write_bytes(gzip.compress(b"1 Q0 a 1 2 same\n1 Q0 u 2 1 same\n"))
    monkeypatch.setenv("CRANFIELD_SHARED", str(tmp_path))
    found = measure_holes(Settings(tmp_path, sizes=(), repeats=1))
    assert {result.size for result in found} == {"trec8"}
    assert len(found) == 6
    assert all(result.cpu for result in found)
