"""`study describe`: what is judged and what is retrieved, against a plain loop."""

import numpy as np
import pytest

from cranfield import study
from cranfield.errors import DataWarning
from cranfield.study.data.collection import Collection
from cranfield.study.summaries.census import JudgedCounts, Ranks, Tops
from tests.study.small import small

LENGTHS = ("length of a list", "judged without a gap, per list", "pool depth, per run")


def counted(qrels, run, depth, topic):
    """Retrieved, relevant, unjudged in the first documents: a plain loop."""
    listed = sorted(run.get(topic, {}), key=lambda doc: (run[topic][doc], doc.encode()), reverse=True)[:depth]
    grades = [qrels[topic].get(doc) for doc in listed]
    return len(listed), sum(g is not None and g >= 1 for g in grades), grades.count(None)


@pytest.mark.parametrize("depth", [1, 7, 100])
def test_the_tops_of_lists_are_what_a_loop_counts(depth):
    qrels, runs = small()
    data = Collection.of(qrels, runs, "AP")
    tops = Tops.of(data, depth)
    for at, run in enumerate(data.runs):
        for topic, name in enumerate(data.topics):
            found = (tops.retrieved[at, topic], tops.relevant[at, topic], tops.unjudged[at, topic])
            assert found == counted(qrels, runs[run], depth, name)


def test_the_shares_of_a_rank_add_up_to_one_and_to_the_tops():
    data = Collection.of(*small(), "AP")
    ranks, deep = Ranks.of(data, 50), Tops.of(data, 50)
    there = ranks.lists > 0
    assert there.any()
    assert not there.all()
    total = ranks.relevant + ranks.nonrelevant + ranks.unjudged
    assert np.allclose(total[there], 1)
    assert np.isnan(total[~there]).all()
    assert np.nansum(ranks.relevant * ranks.lists) == pytest.approx(deep.relevant.sum())
    assert np.nansum(ranks.unjudged * ranks.lists) == pytest.approx(deep.unjudged.sum())


def test_a_grade_is_rare_where_grade_1_is_ten_times_as_frequent():
    qrels = {
        "rare": {**{f"a{n}": 1 for n in range(10)}, "b": 2},
        "nine": {**{f"a{n}": 1 for n in range(9)}, "b": 2},
        "none": {f"a{n}": 1 for n in range(20)},
    }
    pool = JudgedCounts.of(Collection.of(qrels, {"x": {topic: ["b"] for topic in qrels}}, "AP"))
    assert pool.rare(2).tolist() == [True, False, False]


def test_grades_above_the_top_count_as_it_and_relevance_does_not_change():
    qrels = {"q": {"a": 1, "b": 3, "c": 4, "d": 0}}
    data = Collection.of(qrels, {"x": {"q": ["a"]}}, "AP")
    whole, capped = JudgedCounts.of(data), JudgedCounts.of(data, top=3)
    assert {grade: int(count[0]) for grade, count in capped.graded.items()} == {0: 1, 1: 1, 3: 2}
    assert whole.relevant.tolist() == capped.relevant.tolist() == [3]


def test_documents_and_queries_are_counted_where_their_files_are(tmp_path):
    (tmp_path / "d.jsonl").write_text('{"_id": "d0", "text": "one two"}\n{"_id": "d1", "text": "three"}\n')
    (tmp_path / "t.tsv").write_text(
        "q0\tfour words are here\nq1\ttwo words\n" + "".join(f"q{n}\tthree words here\n" for n in range(2, 6))
    )
    with pytest.warns(DataWarning, match="28 judged documents that it does not hold: d2, d3"):
        made = study.describe(*small(), "AP", docs=str(tmp_path / "d.jsonl"), topics=str(tmp_path / "t.tsv"))
    rows = {row["what"]: row for row in made.table().to_dicts()}
    assert (rows["words per document"]["mean"], rows["words per document"]["count"]) == (1.5, 2)
    assert (rows["bytes per document"]["sum"], rows["words per query"]["mean"]) == (12, 3.0)


def test_queries_are_counted_of_judged_topics_only_and_judged_topics_without_one_are_named(tmp_path):
    judged = Collection.of(*small(), "AP").topics
    (tmp_path / "t.tsv").write_text(f"{judged[0]}\ttwo words\nzz\tfour words are here\n")
    with pytest.warns(DataWarning) as caught:
        made = study.describe(*small(), "AP", topics=str(tmp_path / "t.tsv"))
    (row,) = (row for row in made.table().to_dicts() if row["what"] == "words per query")
    assert (row["count"], row["sum"]) == (1, 2)
    ignored, lacking = (str(entry.message) for entry in caught)
    assert "1 topic that is not here, ignored: zz" in ignored
    assert f"{len(judged) - 1} judged topics that it does not hold: {judged[1]}" in lacking


def test_lengths_of_lists_and_how_deep_they_are_judged_are_told():
    """`a`, `b` and `c` are judged; the second list ends before a gap, and so does not limit the depth of its run."""
    qrels = {topic: {"a": 1, "b": 0, "c": 1} for topic in ("q1", "q2")}
    runs = {
        "deep": {"q1": ["a", "b", "c", "u"], "q2": ["c", "a"]},
        "gap": {"q1": ["a", "u", "b", "c"], "q2": ["a", "b", "c"]},
    }
    rows = {row["what"]: row for row in study.describe(qrels, runs, "AP").table().to_dicts()}
    told = {what: tuple(rows[what][name] for name in ("min", "mean", "max")) for what in LENGTHS}
    assert list(told.values()) == [(2, 3.25, 4), (1, 2.25, 3), (1, 2, 3)]
