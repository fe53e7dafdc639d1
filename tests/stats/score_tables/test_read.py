"""Scores computed elsewhere: every form gives the statistics of our own scores, and nothing is dropped silently."""

import json
import random
from typing import NamedTuple

import pytest

import cranfield as cf

TOPICS = [f"q{n}" for n in range(1, 13)]
QRELS = {topic: {f"d{n}": int(n % 3 == 0) for n in range(20)} for topic in TOPICS}
MEASURES = ("P@5", "P@10")  # which four digits hold


def ranking(seed: int) -> list[str]:
    """The documents in a random order."""
    return random.Random(seed).sample([f"d{n}" for n in range(20)], 20)


RUNS = {name: {topic: ranking(100 * at + n) for n, topic in enumerate(TOPICS)} for at, name in enumerate("abc")}


@pytest.fixture(scope="module")
def scores():
    """Our own."""
    return cf.evaluate(QRELS, RUNS, MEASURES)


class Metric(NamedTuple):
    """What ir_measures yields."""

    query_id: str
    measure: str
    value: float


def nested(scores):
    """run -> topic -> measure -> value."""
    return {
        run: {t: {m: float(scores[run, m][n]) for m in MEASURES} for n, t in enumerate(scores.topics)}
        for run in scores.runs
    }


def wide(scores, **names):
    """Records with a column for each measure."""
    return [
        {names.get("run", "run"): run, names.get("topic", "topic"): topic, **values}
        for run, topics in nested(scores).items()
        for topic, values in topics.items()
    ]


def _write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def trec_eval(scores, run):
    """What `trec_eval -q` prints: four digits, and the means below."""
    rows = [f"{m:<22}\t{t}\t{scores[run, m][n]:.4f}" for n, t in enumerate(scores.topics) for m in MEASURES]
    return "\n".join([*rows, f"runid                 \tall\t{run}", f"P@5                   \tall\t{0.5:.4f}"]) + "\n"


def ragas(scores):
    """A result file of a framework: questions, answers, and a column for each metric."""
    said = {"response": "42", "retrieved_contexts": ["one", "two"], "reference": "it is 42"}
    return [{**row, **said} for row in wide(scores, run="model", topic="user_input")]


def deepeval(scores, run):
    """Test results with metrics in a list of their own."""
    return {
        "test_results": [
            {
                "name": f"test_case_{n}",
                "input": topic,
                "success": True,
                "metrics_data": [{"name": m, "score": v, "threshold": 0.5} for m, v in values.items()],
            }
            for n, (topic, values) in enumerate(nested(scores)[run].items())
        ]
    }


FORMS = {
    "wide csv": lambda s, at: _write(at / "t.csv", s.topic_sheet().csv()),
    "long csv": lambda s, at: _write(at / "t.csv", s.per_topic().write_csv()),
    "tsv": lambda s, at: _write(at / "t.tsv", s.per_topic().write_csv(separator="\t")),
    "semicolons": lambda s, at: _write(at / "t.csv", s.per_topic().write_csv(separator=";")),
    "json records": lambda s, at: _write(at / "t.json", json.dumps(wide(s))),
    "nested json": lambda s, at: _write(at / "t.json", json.dumps(nested(s))),
    "jsonl": lambda s, at: _write(at / "t.jsonl", "".join(json.dumps(row) + "\n" for row in wide(s))),
    "saved": lambda s, at: s.save(at / "t.json") or at / "t.json",
    "polars frame": lambda s, at: s.per_topic(),
    "pandas frame": lambda s, at: s.per_topic().to_pandas(),
    "PyTerrier perquery": lambda s, at: (
        s.per_topic().rename({"run": "name", "topic": "qid"}).select("name", "qid", "measure", "value").to_pandas()
    ),
    "dictionary": lambda s, at: nested(s),
    "records": lambda s, at: wide(s),
    "tables by run": lambda s, at: {r: [row for row in wide(s) if row["run"] == r] for r in s.runs},
    "ir_measures": lambda s, at: {
        r: [Metric(t, m, v) for t, values in topics.items() for m, v in values.items()]
        for r, topics in nested(s).items()
    },
    "trec_eval -q": lambda s, at: [_write(at / f"{r}.txt", trec_eval(s, r)) for r in s.runs],
    "ragas jsonl": lambda s, at: _write(at / "t.jsonl", "".join(json.dumps(row) + "\n" for row in ragas(s))),
    "deepeval": lambda s, at: [_write(at / f"{r}.json", json.dumps(deepeval(s, r))) for r in s.runs],
    "compressed": lambda s, at: _gzipped(at / "t.csv.gz", s.per_topic().write_csv()),
    "parquet": lambda s, at: s.per_topic().write_parquet(at / "t.parquet") or at / "t.parquet",
}


def _gzipped(path, text):
    import gzip

    path.write_bytes(gzip.compress(text.encode()))
    return path


@pytest.mark.filterwarnings("ignore:W134")  # a column of truth values, names of tests
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("test", ["t", "permutation", "wilcoxon", "bootstrap"])
def test_statistics_are_those_of_our_own_scores(scores, tmp_path, form, test):
    given = cf.read_scores(FORMS[form](scores, tmp_path), measures=MEASURES)
    assert (sorted(given.runs), sorted(given.topics), given.measures) == (["a", "b", "c"], sorted(TOPICS), MEASURES)
    ours, theirs = (cf.compare(each, baseline="a", test=test, samples=200) for each in (scores, given))
    for name in ("p", "p_raw", "difference", "d_z", "ci", "wins", "losses"):
        mine = {(pair.run, pair.measure): getattr(pair, name) for pair in ours.pairs()}
        assert {(pair.run, pair.measure): getattr(pair, name) for pair in theirs.pairs()} == mine


def test_the_audit_says_that_scores_were_given(scores):
    given = cf.read_scores(nested(scores), lower_is_better="P@10")
    assert given.audit.given == {"P@5": "higher is better", "P@10": "lower is better"}
    line = "scores were given, not computed here · higher is better: P@5 · lower is better: P@10"
    assert line in repr(given)
    assert line in repr(cf.compare(given))
    assert "judged" not in repr(given)
    assert "ties" not in repr(given)


def test_the_direction_decides_who_wins(scores):
    up, down = (cf.read_scores(nested(scores), lower_is_better=lower) for lower in ((), MEASURES))
    one, other = (cf.compare(each, baseline="a").pair("b", "a", "P@5") for each in (up, down))
    assert (one.wins, one.losses) == (other.losses, other.wins)
    assert one.p == other.p
    ours = cf.read_scores({"q1": {"ESL": 3.0}, "q2": {"ESL": 4.0}})
    assert ours.audit.given == {"ESL": "lower is better"}


def test_given_scores_are_saved_and_read_again(scores, tmp_path):
    given = cf.read_scores(nested(scores), lower_is_better="P@5")
    given.save(tmp_path / "given.json")
    again = cf.load_scores(tmp_path / "given.json")
    assert again == given
    assert again.audit.given == given.audit.given


def test_missing_scores_are_named_and_left_out():
    rows = [
        {"run": "a", "topic": "1", "m": 0.5},
        {"run": "a", "topic": "2", "m": float("nan")},
        {"run": "a", "topic": "3", "m": 0.7},
        {"run": "b", "topic": "1", "m": 0.6},
        {"run": "b", "topic": "2", "m": 0.9},
        {"run": "b", "topic": "3", "m": None},
    ]
    with pytest.warns(cf.DataWarning) as caught:
        given = cf.read_scores(rows)
    assert [str(each.message) for each in caught] == [
        "W133: a: m: no score on 1 of 3 topics (2), left out",
        "W133: b: m: no score on 1 of 3 topics (3), left out",
    ]
    assert given.means.ravel().tolist() == pytest.approx([0.6, 0.75])
    compared = cf.compare(given, test="none")
    assert next(compared.pairs()).topics == 1
    assert "m: 2 scores missing" in repr(compared)
    assert given.audit.topics_missing == {"a": ["2"], "b": ["3"]}


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("topic,m\n1,0.5\n1,0.6\n", "E310", "t.csv:3: run 't' has two values of m on topic '1' (first at line 2)"),
        ("topic,m\n1,0.5\n2,good\n", "E311", "t.csv:3: m of topic '2' is 'good', which is no score"),
        ("topic,m\n1,0.5\n2,inf\n", "E311", "t.csv:3: m of topic '2' is 'inf'"),
        ("topic,m\n1,0.5\n2\n", "E105", "t.csv:3: expected 2 columns, found 1"),
        ("topic,m\n1,0.5\n,0.5\n", "E119", "t.csv:3: a row has no topic"),
        ("number,m\n1,0.5\n", "E303", "no column for the topic; found: number, m"),
        ("topic,words\n1,good\n", "E303", "no column holds scores"),
        ("topic,m\n", "E104", "the file holds no rows"),
        ("", "E104", "the file is empty"),
        ('{"a": 1', "E302", "t.csv:1: not valid JSON"),
        ('{"topic": 1, "m": 2}\n{"topic"\n', "E302", "t.csv:2: not valid JSON"),
        ("[1, 2]", "E119", "is no table of scores"),
    ],
)
@pytest.mark.filterwarnings("ignore:W134")
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, code, said):
    with pytest.raises(cf.InputError) as caught:
        cf.read_scores(_write(tmp_path / "t.csv", text))
    assert caught.value.code == code
    assert said in str(caught.value)


def test_columns_can_be_named(tmp_path):
    path = _write(tmp_path / "t.csv", "number,engine,m\n1,x,0.5\n2,x,0.6\n")
    given = cf.read_scores(path, columns="topic=number,run=engine")
    assert (given.runs, given.topics, given.measures) == (("x",), ("1", "2"), ("m",))
    with pytest.raises(cf.InputError, match="no column 'nummer'"):
        cf.read_scores(path, columns={"topic": "nummer"})
    with pytest.raises(cf.PolicyError, match="there is no role"):
        cf.read_scores(path, columns="document=number")


def test_columns_without_numbers_are_named_not_taken(tmp_path):
    path = _write(tmp_path / "t.csv", "topic,colour,response,m\n1,red,7,0.5\n2,blue,no,0.6\n")
    with pytest.warns(cf.DataWarning, match="W134.*colour"):
        assert cf.read_scores(path).measures == ("m",)
    with pytest.raises(cf.InputError, match="E311"):
        cf.read_scores(path, measures=["response"])


def test_measures_are_chosen_by_any_of_their_names():
    table = {"q1": {"ndcg_cut_10": 0.5, "answer relevancy": 0.4}, "q2": {"ndcg_cut_10": 0.6, "answer relevancy": 0.3}}
    assert cf.read_scores(table, measures="nDCG@10").measures == ("ndcg_cut_10",)
    wide = [{"qid": topic, **values} for topic, values in table.items()]
    assert cf.read_scores(wide, measures=["nDCG@10"]).measures == ("ndcg_cut_10",)
    assert cf.read_scores(table, measures="answer relevancy").measures == ("answer relevancy",)
    with pytest.raises(cf.MeasureError, match="did you mean answer relevancy"):
        cf.read_scores(table, measures="answer relevance")
    with pytest.raises(cf.MeasureError, match="lower_is_better"):
        cf.read_scores(table, lower_is_better="latency")


def test_what_needs_rankings_is_refused(scores):
    given = cf.read_scores(nested(scores))
    assert given.check("P@5 >= 0", "missing == 0")
    for condition in ("ties == 0", "duplicates == 0", "lower(P@5) >= 0"):
        with pytest.raises(cf.PolicyError, match="E246"):
            given.check(condition)
    with pytest.raises(cf.PolicyError, match="do not remember"):
        given.bounds()


def test_conditions_take_the_names_of_the_table():
    table = {"q1": {"answer relevancy": 0.4}, "q2": {"answer relevancy": 0.3}}
    given = cf.read_scores({"old": table, "new": table})
    assert given.check("answer relevancy >= 0.3", "answer relevancy<0.4 for n*")
    compared = cf.compare(given, measures="answer relevancy", baseline="old", test="none")
    assert compared.check("drop(answer relevancy) <= 0%")


def test_one_table_is_one_run_and_the_hint_says_how_to_give_several():
    with pytest.raises(cf.PolicyError, match="E207") as refused:
        cf.compare(cf.read_scores({"q1": {"f": 0.5}, "q2": {"f": 0.6}}))
    assert refused.value.hint == "name the runs in a column run, or read_scores({RUN: table, RUN: table})"


def test_a_table_may_be_the_baseline(scores, tmp_path):
    path = _write(tmp_path / "old.csv", scores.per_topic().write_csv())
    compared = cf.compare(cf.read_scores(nested(scores)), against=path)
    assert [pair.difference for pair in compared.pairs("P@5") if pair.baseline == f"{pair.run} (saved)"] == [0.0] * 3
