"""Wrong arguments of public functions are answered with an error of ours, never with a bare one."""

import inspect
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import cranfield as cf
from cranfield.cli import main
from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.topics import Topic, Topics

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
RUNS = {"a": {"q1": ["d1", "d2"], "q2": ["d1", "d2"]}, "b": {"q1": ["d2", "d1"], "q2": ["d2"]}}
SCORES = cf.evaluate(QRELS, RUNS, ["nDCG@10", "AP"])
WRONG = {
    "None": None,
    "an object": object(),
    "a word": "x",
    "-1": -1,
    "nan": math.nan,
    "an empty list": [],
    "an empty dict": {},
    "a fraction": 1.5,
    "no file": "nowhere/at/all.txt",
}
GOOD: dict[str, dict[str, Any]] = {  # a call that succeeds, one argument of which is then made wrong
    "evaluate": {"qrels": QRELS, "runs": RUNS, "measures": "AP"},
    "compare": {"qrels": SCORES},
    "describe": {"name": "AP"},
    "parse": {"text": "AP"},
    "load_scores": {"path": "nowhere.json"},
    "read_run": {"source": "nowhere.run"},
    "read_qrels": {"source": "nowhere.txt"},
    "read_topics": {"source": "nowhere.txt"},
    "read_documents": {"source": "nowhere.txt"},
    "read_judgments": {"source": "nowhere.csv"},
}


def ours(function, arguments) -> str:
    """What our error says, if there is one; any other error is a mistake."""
    try:
        function(**arguments)
    except cf.Error as error:
        return str(error)
    return ""


CASES = [
    (name, parameter)
    for name, good in GOOD.items()
    for parameter, facts in inspect.signature(getattr(cf, name)).parameters.items()
    if facts.kind is not facts.VAR_KEYWORD and parameter not in ("cluster", "progress")
]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_a_wrong_argument_is_refused_with_an_error_of_ours(name, parameter, wrong):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = ours(getattr(cf, name), {**GOOD[name], parameter: WRONG[wrong]})
    assert "--" not in said


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("policy", inspect.signature(cf.Policy).parameters)
def test_a_wrong_policy_is_refused_with_an_error_of_ours(policy, wrong):
    assert ours(cf.Policy, {policy: WRONG[wrong]})[:4] in ("", "E213", "E240", "E241")


@pytest.mark.parametrize("name", [*GOOD, "read_runs", "agree", "pool", "curve", "check", "convert"])
def test_an_unknown_keyword_is_refused_with_the_nearest_name(name):
    with pytest.raises(cf.PolicyError, match=f"E245: {name} has no parameter 'colour_of_it'"):
        getattr(cf, name)(**{**GOOD.get(name, {}), "colour_of_it": 1})


def test_a_misspelt_keyword_of_compare_is_answered_with_the_right_one():
    with pytest.raises(cf.PolicyError, match="E245: compare has no parameter 'tst'\n  hint: did you mean test"):
        cf.compare(SCORES, tst="t")  # type: ignore[call-arg]


def test_the_door_leaves_the_function_as_it_is():
    def search(query: str, depth: int = 3) -> str:
        """Find."""
        return f"{query}{depth}"

    door = checked(search)
    assert (door.__doc__, door("a", 4), door("a", depth=5)) == ("Find.", "a4", "a5")
    assert inspect.signature(door) == inspect.signature(search)
    with pytest.raises(cf.PolicyError, match="E241: query=3 is of the wrong kind\n  hint: a text"):
        door(3)  # type: ignore[arg-type]
    with pytest.raises(cf.PolicyError, match="E247: search needs query\n  hint: it takes query"):
        door()  # type: ignore[call-arg]
    with pytest.raises(cf.PolicyError, match="E247: search takes no more by position"):
        door("a", 4, 5)  # type: ignore[call-arg]
    with pytest.raises(cf.PolicyError, match="E247: search is given query by position and by name"):
        door("a", query="b")  # type: ignore[misc]


@pytest.mark.parametrize("rel", [None, "x", True, math.nan, math.inf, []])
def test_a_level_of_relevance_is_a_number(rel):
    with pytest.raises(cf.PolicyError, match="E241: rel="):
        cf.Policy(rel=rel)


def test_scores_are_found_by_run_and_measure():
    assert SCORES.select("AP").measures == SCORES.select(["AP"]).measures == ("AP",)
    for wrong in ("nDCG@10", 3, ("a", "AP", "q1")):
        with pytest.raises(cf.UnknownNameError, match="E241: scores are not found by"):
            SCORES[wrong]  # type: ignore[index]
    for find in (lambda: SCORES["c", "AP"], lambda: SCORES.select("RR"), lambda: SCORES.matrix("RR")):
        with pytest.raises(cf.PolicyError, match="E223: there is no"):
            find()


CURVES = cf.curve(QRELS, RUNS, "cg")
COMPARISON = cf.compare(SCORES, adjust="none")
STUDY = cf.study.reduction(QRELS, RUNS, "AP", levels=[50], draws=2)
LOOKED_UP: dict[str, Callable[[Any], Any]] = {
    "runs": Runs([Run.of("a", ["q1"], ["d1"], [2.5])]).__getitem__,
    "topics": Topics.of([Topic("q1", "cats")]).__getitem__,
    "documents": Documents.of([Document("d1", "cats")]).__getitem__,
    "scores": SCORES.__getitem__,
    "a run of scores": lambda name: SCORES[name, "AP"],
    "a measure of scores": lambda name: SCORES["a", name],
    "matrix": SCORES.matrix,
    "select": lambda name: SCORES.select([name]),
    "curves": CURVES.__getitem__,
    "a topic of curves": lambda name: CURVES["a", name],
    "curves of topics": CURVES.only,
    "agreement": cf.agree(QRELS, QRELS).__getitem__,
    "a comparison": COMPARISON.of,
    "mean of a comparison": lambda name: COMPARISON.mean(name, "AP"),
    "a pair": lambda name: COMPARISON.pair("a", name, "AP"),
    "the pairs of a measure": lambda name: list(COMPARISON.pairs(name)),
    "a table of a study": STUDY.table,
    "rows of a study": STUDY.to_records,
    "a chart of a study": STUDY.plot,
}
MAPPINGS = ("runs", "topics", "documents", "scores", "a run of scores", "curves", "a topic of curves", "agreement")


@pytest.mark.parametrize(
    "wrong", ["x", 1, ("a", "b", "c"), ["a"], 1.5, object()], ids=lambda wrong: type(wrong).__name__
)
@pytest.mark.parametrize("place", LOOKED_UP)
def test_a_name_that_is_not_there_is_an_error_of_ours_and_a_key_error(place, wrong):
    with pytest.raises(cf.PolicyError, match=r"^E2(23|41): ") as refused:
        LOOKED_UP[place](wrong)
    if isinstance(wrong, str) or place in MAPPINGS:
        assert isinstance(refused.value, cf.UnknownNameError)
        assert isinstance(refused.value, KeyError)
    assert refused.value.hint


def test_a_mapping_of_ours_is_asked_for_names_as_any_other():
    runs = Runs([Run.of("bm25", ["q1"], ["d1"], [2.5])])
    for name in ("x", 1, ("a",)):
        assert (name in runs, runs.get(name, 3)) == (False, 3)  # type: ignore[arg-type]  # no names
    with pytest.raises(cf.UnknownNameError, match=r"there is no run 'bm26'\n  hint: did you mean bm25\?"):
        runs["bm26"]


def test_scores_are_saved_in_the_form_of_the_ending_whole_or_not_at_all(tmp_path):
    for ending, begins in (
        (".json", '{"schema"'),
        (".txt", " run"),
        (".tab", "run\t"),
        (".ndjson", '{"run"'),
        (".markdown", "|"),
        (".csv", "run,"),
        (".tsv", "run\t"),
        (".md", "|"),
        (".tex", "\\begin"),
    ):
        SCORES.save(tmp_path / f"main{ending}")
        assert begins in (tmp_path / f"main{ending}").read_text(encoding="utf-8")
    assert cf.load_scores(tmp_path / "main.json") == SCORES
    missing = tmp_path / "missing"
    with pytest.raises(cf.InputError, match=rf"E120: .*there is no folder {re.escape(str(missing))}\n  hint: make the"):
        SCORES.save(missing / "main.json")
    with pytest.raises(cf.PolicyError, match=r"E224: save writes no file that ends in '.xyz'\n  hint: one of .json, "):
        SCORES.save(tmp_path / "main.xyz")
    with pytest.raises(cf.PolicyError, match=r"E224: '.*main' has no ending, .*\n  hint: one of .json, "):
        SCORES.save(tmp_path / "main")
    assert not [path.name for path in tmp_path.iterdir() if path.stem != "main"]


@pytest.mark.parametrize(
    "find", [lambda: SCORES.select("ndcg@10"), lambda: SCORES["a", "ndcg@10"], lambda: SCORES.matrix("NDCG@10")]
)
def test_a_measure_in_other_letters_is_suggested(find):
    with pytest.raises(cf.UnknownNameError, match=r"hint: did you mean nDCG@10\?"):
        find()


def test_describe_with_an_empty_name_names_some_and_says_where_all_are():
    words = r"E244: no measure was named\n  hint: .*nDCG.*cranfield\.describe\(\) lists all"
    with pytest.raises(cf.MeasureError, match=words) as said:
        cf.describe("")
    assert len(str(said.value)) < 120


def test_describe_without_a_name_lists_what_the_command_lists(capsys):
    assert main(["measures", "--family", "graded"]) == 0
    listed = cf.describe(family="graded")
    shown = repr(listed).replace("cranfield.describe(NAME)", "'cranfield measures NAME'")
    assert f"{shown}\n" == capsys.readouterr().out
    assert {listed[name].family for name in listed} == {"graded"}
    assert len(cf.describe()) > len(listed)


DESCRIBE: Callable[..., Any] = cf.describe  # called wrongly


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: DESCRIBE(family="grade"), "E213"),
        (lambda: DESCRIBE("AP", family="graded"), "E244"),
        (lambda: cf.describe()["APP"], "E223"),
    ],
)
def test_what_cannot_be_described_is_said(call, code):
    with pytest.raises(cf.Error) as said:
        call()
    assert said.value.code == code


def test_a_frame_is_read_as_a_file_is_and_a_list_of_files_is_a_list_of_runs(tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"topic": ["1"], "doc": ["a"], "grade": [1]})
    assert cf.read_qrels(frame) == cf.Qrels.of(["1"], ["a"], [1])
    paths = [tmp_path / name for name in ("a.run", "b.run")]
    for path in paths:
        path.write_text(f"1 Q0 d 1 2.5 {path.stem}\n", encoding="utf-8")
    assert list(cf.read_runs(paths)) == list(cf.read_runs(*paths)) == ["a", "b"]


def test_ranks_that_nobody_asks_for_may_be_fractions():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"topic": ["q1"] * 2, "doc": ["d2", "d1"], "score": [1.0, 2.0], "rank": [1.5, 2.5]})
    assert cf.evaluate({"q1": QRELS["q1"]}, frame, "RR").values[0, 0, 0] == 1.0
    with pytest.raises(cf.InputError, match=r"E119: rank '1\.5' is not a whole number"):
        cf.evaluate({"q1": QRELS["q1"]}, frame, "RR", ties="given")


@pytest.mark.parametrize("seed", [-1, "x", 1.5, None])
def test_a_seed_is_a_whole_number_from_0_wherever_there_is_one(seed):
    qrels = {"1": {"d1": 1}, "2": {"d1": 1}}
    runs = {"a": {"1": {"d1": 1.0}, "2": {"d1": 1.0}}, "b": {"1": {"d2": 1.0}, "2": {"d1": 1.0}}}
    calls = [
        lambda: cf.evaluate(qrels, runs, "AP", seed=seed),
        lambda: cf.compare(qrels, runs, "AP", seed=seed),
        lambda: cf.agree(qrels, qrels, seed=seed),
        lambda: cf.study.reduction(qrels, runs, "AP", seed=seed),
        lambda: cf.pool(runs, depth=2, seed=seed),
    ]
    for call in calls:
        with pytest.raises(PolicyError, match=r"E24[01]: seed="):
            call()


@pytest.mark.parametrize("path", [None, 3, b"lab.db", [], True])
def test_a_lab_is_opened_by_its_path(path):
    with pytest.raises(PolicyError, match=r"E241: path.* is of the wrong kind"):
        cf.Lab(path)


def test_a_lab_takes_nothing_but_a_path():
    with pytest.raises(PolicyError, match="E245: Lab has no parameter 'file'"):
        cf.Lab("lab.db", file="x")  # type: ignore[call-arg]  # which is what the test is about


def test_agreement_of_nobody_is_refused():
    with pytest.raises(PolicyError, match="E247: agree needs judgments"):
        cf.agree()


@pytest.mark.parametrize(
    "call",
    [
        lambda path: cf.by_group(SCORES, path),
        lambda path: cf.weighted(SCORES, path),
        lambda path: cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "AP", only_topics=path),
        cf.load_scores,
        lambda path: cf.pool({"a": {"q1": ["d1"]}}, groups=path),
        lambda path: cf.study.breadth({"q1": {"d1": 1}}, {"a": {"q1": ["d1"]}, "b": {"q1": ["d1"]}}, builders=path),
    ],
)
def test_a_folder_and_a_file_without_text_are_refused_in_one_way(call, tmp_path):
    with pytest.raises(cf.InputError, match=r"E102: .*: is a directory, expected a file"):
        call(str(tmp_path))
    (tmp_path / "latin").write_bytes(b"q1\t\xff\n")
    with pytest.raises(cf.InputError, match=r"E111: .*: byte 0xFF"):
        call(str(tmp_path / "latin"))
