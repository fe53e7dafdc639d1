"""Side files whose names are not those of the data: an error where none matches, a warning that names the others."""

import json
import warnings

import pytest

import cranfield as cf
from cranfield.errors import DataWarning, InputError

QRELS = {topic: {"d1": 1, "d2": 0, "d3": 2} for topic in ("q1", "q2", "q3")}
LISTS = {"a1": ["d1", "d2", "d3"], "a2": ["d2", "d1", "d3"], "b1": ["d3", "d1", "d2"]}
RUNS = {run: {topic: list(documents) for topic in QRELS} for run, documents in LISTS.items()}
DIVERSE = cf.Qrels.of(["q1", "q1"], ["d1", "d2"], [1, 1], ["1", "2"])


def study(kind, **options):
    return getattr(cf.study, kind)(QRELS, RUNS, ["AP"], **options)


def groups(names, tmp_path):
    return study("leave_out", groups=names)


def pooled_groups(names, tmp_path):
    return cf.pool(RUNS, groups=names | {run: "z" for run in RUNS if run not in names})


def latencies(names, tmp_path):
    path = tmp_path / "times.csv"
    path.write_text("run,topic,latency_ms\n" + "".join(f"{name},q1,5\n" for name in names))
    return study("efficiency", latencies=str(path))


def latency_topics(names, tmp_path):
    path = tmp_path / "times.csv"
    path.write_text("run,topic,latency_ms\n" + "".join(f"a1,{name},5\n" for name in names))
    return study("efficiency", latencies=str(path))


def index_facts(names, tmp_path):
    times, path = tmp_path / "times.csv", tmp_path / "index.csv"
    times.write_text("run,topic,latency_ms\n" + "".join(f"{run},q1,5\n" for run in RUNS))
    path.write_text("run,index_bytes\n" + "".join(f"{name},300\n" for name in names))
    return study("efficiency", latencies=str(times), index=str(path))


def builders(names, tmp_path):
    path = tmp_path / "builders.txt"
    path.write_text("".join(f"{name}\n" for name in names))
    return study("depth", builders=str(path), depths=(1, 2))


def families(names, tmp_path):
    path = tmp_path / "families.tsv"
    path.write_text("".join(f"{name}\tf\n" for name in names))
    runs = {f"s.p={at}": lists for at, lists in enumerate(RUNS.values())}
    return cf.study.folds(QRELS, runs, ["AP"], folds=2, families=str(path))


def topics(names, tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_text("".join(f"{name}\tsome words\n" for name in names))
    return study("describe", topics=str(path))


def intents(names, tmp_path):
    return cf.evaluate(
        DIVERSE, {"q1": ["d1", "d2"]}, "ERR_IA@2", intents={name: {"1": 0.5, "2": 0.5} for name in names}
    )


def second_topics(names, tmp_path):
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("".join(f"{topic} 0 {d} {g}\n" for topic, grades in QRELS.items() for d, g in grades.items()))
    second.write_text("".join(f"{name} 0 d1 0\n" for name in names))
    return cf.study.disagreement(first, RUNS, ["AP"], second=str(second), draws=1)


def second_documents(names, tmp_path):
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("".join(f"{topic} 0 {d} {g}\n" for topic, grades in QRELS.items() for d, g in grades.items()))
    second.write_text("".join(f"q1 0 {name} 0\n" for name in names))
    return cf.study.disagreement(first, RUNS, ["AP"], second=str(second), draws=1)


def label_map(names, tmp_path):
    """Requests to a model, whose labels have ids; one label has ids of its own."""
    labels, requests = tmp_path / "labels.jsonl", tmp_path / "requests.jsonl"
    records = [{"id": "r1", "topic": "q1", "doc": "d1", "grade": 1}, {"topic": "q2", "doc": "d2", "grade": 0}]
    labels.write_text("".join(json.dumps(record) + "\n" for record in records))
    requests.write_text("".join(json.dumps({"id": name, "topic": "q1", "doc": "d1"}) + "\n" for name in names))
    return cf.agree(QRELS, llm=labels, map=requests, samples=10)


SIDES = {
    groups: ("a1", "run"),
    latencies: ("a1", "run"),
    latency_topics: ("q1", "topic"),
    index_facts: ("a1", "run"),
    builders: ("a1", "run"),
    topics: ("q1", "topic"),
    intents: ("q1", "topic"),
    second_topics: ("q1", "topic"),
    second_documents: ("d1", "document"),
    label_map: ("r1", "label"),
}


@pytest.mark.parametrize("side", SIDES)
def test_a_side_file_of_which_no_name_matches_is_refused(side, tmp_path):
    noun = SIDES[side][1]
    with pytest.raises(InputError, match=f"no {noun} here") as caught:
        side({"Wrong": "x", "Other": "y"}, tmp_path)
    assert caught.value.code == "E128"
    assert "Wrong" in caught.value.hint


@pytest.mark.parametrize("side", SIDES)
def test_names_of_a_side_file_that_match_nothing_are_named(side, tmp_path):
    right, noun = SIDES[side]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        side({right: "x", "Wrong": "y"}, tmp_path)
    said = [str(entry.message) for entry in caught if getattr(entry.message, "code", "") == "W128"]
    (named,) = (text for text in said if "not here" in text)
    fate = "their times are counted" if side is latency_topics else "ignored"
    assert f"1 {noun} that is not here, {fate}: Wrong" in named


def documents(names, tmp_path):
    path = tmp_path / "docs.tsv"
    path.write_text("".join(f"{name}\tsome words\n" for name in names))
    return study("describe", docs=str(path))


def test_documents_of_another_collection_are_refused(tmp_path):
    with pytest.raises(InputError, match="no document here") as caught:
        documents(["D1", "D2"], tmp_path)
    assert caught.value.code == "E128"
    assert caught.value.hint == "it names D1, D2; here are d1, d2, d3"


def test_judged_documents_that_a_collection_does_not_hold_are_named(tmp_path):
    with pytest.warns(DataWarning, match=r"W128: .*docs.tsv: 2 judged documents that it does not hold: d2, d3"):
        documents(["d1", "unjudged"], tmp_path)


def test_documents_that_nobody_judged_are_usual(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        documents(["d1", "d2", "d3", "unjudged"], tmp_path)


def test_judged_topics_without_a_text_are_named(tmp_path):
    with pytest.warns(DataWarning, match=r"W128: .*topics.tsv: 2 judged topics that it does not hold: q2, q3"):
        topics(["q1"], tmp_path)


def test_times_of_other_topics_are_counted_as_the_warning_says(tmp_path):
    with pytest.warns(DataWarning, match="1 topic that is not here, their times are counted: Wrong"):
        made = latency_topics(["q1", "Wrong"], tmp_path)
    assert made.table().to_dicts()[0]["measurements"] == 2


def test_runs_in_no_group_are_named(tmp_path):
    with pytest.warns(DataWarning, match="W129: groups: 2 runs in no group, each a group of its own: a2, b1"):
        groups({"a1": "x"}, tmp_path)


def test_groups_of_a_pool_are_matched(tmp_path):
    with pytest.raises(InputError, match="no run here"):
        cf.pool(RUNS, groups={"A1": "x"})
    with pytest.warns(DataWarning, match="ignored: A1"):
        pooled_groups({"A1": "x"}, tmp_path)


def test_families_of_topics_are_matched(tmp_path):
    with pytest.raises(InputError, match="no topic here"):
        families({"Q1": "x"}, tmp_path)


def test_lengths_of_other_documents_are_refused():
    with pytest.raises(InputError, match="no document here"):
        cf.evaluate(QRELS, RUNS, "TBG(length=500)", lengths={"D1": 100.0, "D2": 50.0})


def test_lengths_of_a_whole_collection_are_usual():
    cf.evaluate(QRELS, RUNS, "TBG", lengths={"d1": 100.0, "d2": 50.0, "d3": 20.0, "d4": 10.0})


@pytest.mark.parametrize(("option", "noun"), [("map_topics", "topic"), ("map_docs", "document")])
def test_a_map_of_other_ids_is_refused(option, noun, tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "m.tsv").write_text("Q1\tnew\nD1\tnewer\n")
    with pytest.raises(InputError, match=f"no {noun} here") as caught:
        cf.convert(tmp_path / "q.txt", output=tmp_path / "out.txt", **{option: tmp_path / "m.tsv"})
    assert caught.value.code == "E128"
    assert not (tmp_path / "out.txt").exists()


def test_a_map_that_would_make_one_document_of_two_is_refused(tmp_path):
    (tmp_path / "r.run").write_text("q1 Q0 d1 1 2 x\nq1 Q0 d2 2 1 x\n")
    (tmp_path / "m.tsv").write_text("d1\tD\nd2\tD\n")
    with pytest.raises(InputError, match=r"documents 'd1' \(topic q1\) and 'd2' \(topic q1\) become 'D'") as caught:
        cf.convert(tmp_path / "r.run", output=tmp_path / "out.run", map_docs=tmp_path / "m.tsv")
    assert caught.value.code == "E129"
    assert caught.value.hint.startswith("no option merges them: give each an id of its own in the map")
    assert not (tmp_path / "out.run").exists()


def test_documents_of_different_topics_may_become_one(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    (tmp_path / "m.tsv").write_text("d1\tD\nd2\tD\n")
    cf.convert(tmp_path / "q.txt", output=tmp_path / "out.txt", map_docs=tmp_path / "m.tsv")
    assert (tmp_path / "out.txt").read_text() == "q1 0 D 1\nq2 0 D 1\n"
