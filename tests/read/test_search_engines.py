"""Formats of search engines and their tools."""

import io
import json

import pytest

import cranfield as cf

QRELS = cf.Qrels.of(["cheap TV 📺", "cheap TV 📺", "q2"], ["7", "8", "7"], [2, 0, 1])
BOTH_WAYS = ["qrels-rank_eval", "qrels-opensearch", "qrels-rre"]


def text(tree) -> io.BytesIO:
    return io.BytesIO((tree if isinstance(tree, str) else json.dumps(tree)).encode())


def response(*hits):
    return {
        "took": 3,
        "hits": {"total": {"value": 2}, "hits": [{"_index": "i", "_id": i, "_score": s} for i, s in hits]},
    }


def rated(found):
    """The part of a response of _rank_eval about one query."""
    return {
        "metric_score": 0.4,
        "unrated_docs": [],
        "hits": [{"hit": hit, "rating": None} for hit in found["hits"]["hits"]],
    }


@pytest.mark.parametrize("format", BOTH_WAYS)
def test_what_is_written_is_read_back_and_recognised(tmp_path, format):
    path = tmp_path / "ratings.json"
    cf.write_table(QRELS, path, format)
    assert cf.read_qrels(path) == QRELS
    assert cf.read_qrels(path).source.format == format
    real = cf.Qrels.of(["q"], ["d"], [0.5])
    cf.write_table(real, path, format)
    assert cf.read_qrels(path, grades="float") == real
    with pytest.raises(cf.InputError, match=r"E110: .*grade '0.5' is not an integer"):
        cf.read_qrels(path)


def test_lists_for_learning_to_rank_go_both_ways(tmp_path):
    qrels = cf.Qrels.of(["1", "1", "2"], ["7", "8", "7"], [2, 0, 1])
    cf.write_table(qrels, tmp_path / "judged.txt", "qrels-ltr")
    assert (tmp_path / "judged.txt").read_text() == "2 qid:1 # 7\n0 qid:1 # 8\n1 qid:2 # 7\n"
    assert cf.read_qrels(tmp_path / "judged.txt") == qrels
    with pytest.raises(cf.InputError, match="blank"):
        cf.write_table(QRELS, tmp_path / "judged.txt", "qrels-ltr")


def test_features_and_comments_of_a_list_are_left_out():
    listed = "# judged in May\n2 qid:1 1:0.5 2:7 # 7 tv\n\n0 qid:1 # 8 radio\n"
    assert cf.read_qrels(text(listed)) == cf.Qrels.of(["1", "1"], ["7", "8"], [2, 0])
    letor = (
        "2 qid:10 1:0.5 2:7 #docid = GX000-1 inc = 1 prob = 0.02\n0 qid:10 1:0 #docid = GX000-2 inc = 1 prob = 0.1\n"
    )
    assert cf.read_qrels(text(letor)) == cf.Qrels.of(["10", "10"], ["GX000-1", "GX000-2"], [2, 0])
    with pytest.raises(cf.InputError, match=r"E119: .*:2: no grade, topic and document"):
        cf.read_qrels(text("2 qid:1 # 7\n3 qid:1\n"))


def test_hits_become_a_run(tmp_path):
    first, second = response(("7", 3.1), ("9", 2.0)), response(("8", 1.5))
    path = tmp_path / "bm25.json"
    for tree, topics in (
        ({"took": 1, "responses": [first, second]}, ("1", "2")),
        ({"q1": first, "q2": second}, ("q1", "q2")),
        (first, ("1",)),
        ({"metric_score": 0.4, "details": {"q1": rated(first), "q2": rated(second)}, "failures": {}}, ("q1", "q2")),
    ):
        path.write_text(json.dumps(tree))
        run = cf.read_run(path)
        assert (run.name, run.topics, run.source.format) == ("bm25", topics, "run-elasticsearch")
        assert run.score.tolist()[:2] == [3.1, 2.0]


def test_hits_without_scores_keep_their_order():
    run = cf.read_run(text({"responses": [response(("7", None), ("9", None))]}))
    assert (list(run.document), run.score.tolist()) == (["7", "9"], [-1.0, -2.0])


def test_a_response_that_failed_is_not_an_empty_list():
    failed = {"error": {"type": "timeout"}, "status": 504}
    with pytest.raises(cf.InputError, match=r"response '2' holds no hits: .*timeout"):
        cf.read_run(text({"responses": [response(("7", 1.0)), failed]}))


def test_a_failure_is_unjudged_and_never_grade_0():
    tree = {"judgmentRatings": [{"query": "tv", "ratings": [{"docId": "7", "rating": "2.0"}], "failures": ["8"]}]}
    with pytest.warns(cf.DataWarning, match="W109: .*1 of 2 judgments failed or are open; they count as unjudged"):
        assert cf.read_qrels(text(tree)) == cf.Qrels.of(["tv"], ["7"], [2])


def test_a_list_of_judgments_is_read_from_the_response_that_holds_it(tmp_path):
    ratings = [{"query": "tv", "ratings": [{"docId": "7", "rating": "2.000"}, {"docId": "8", "rating": 0}]}]
    hit = {"_index": "judgments", "_id": "1", "_source": {"status": "COMPLETED", "judgmentRatings": ratings}}
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps({"took": 3, "hits": {"hits": [hit]}}))
    assert cf.read_qrels(answer) == cf.Qrels.of(["tv", "tv"], ["7", "8"], [2, 0])
    assert [file.role for file in cf.check(answer).files] == ["qrels"]
    for hits, message in (([hit, hit], "expected one list of judgments, found 2"), (["7"], "expected a list")):
        answer.write_text(json.dumps({"hits": {"hits": hits}, "judgmentRatings": ratings}))
        with pytest.raises(cf.InputError, match=message):
            cf.read_qrels(answer)


def test_queries_of_a_group_share_its_documents_and_gains_may_name_their_documents():
    group = {
        "queries": [{"template": "t", "placeholders": {"$query": query}} for query in ("tv", "television")],
        "relevant_documents": {"2": ["7", "8"], "1": ["9"]},
    }
    qrels = cf.read_qrels(text({"index": "i", "topics": [{"query_groups": [group]}]}))
    assert qrels.topics == ("tv", "television")
    assert qrels.grade.tolist() == [2, 2, 1, 2, 2, 1]
    for listed in (
        [{"document_id": "7", "gain": 2}, {"document_id": "8", "gain": 2}, {"document_id": "9", "gain": 1}],
        [{"7": {"gain": 2}}, {"8": {"gain": 2}}, {"9": {"gain": 1}}],
        [{"2": ["7", "8"]}, {"1": ["9"]}],
    ):
        group["relevant_documents"] = listed
        assert cf.read_qrels(text({"query_groups": [group]})) == qrels


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"requests": [{"id": "q", "ratings": [{"_id": "7"}]}]}, "entry 1 of 'ratings' has no 'rating'"),
        ({"requests": [{"ratings": []}]}, "entry 1 of 'requests' has no 'id'"),
        ({"judgmentRatings": {"query": "tv"}}, "expected a list 'judgmentRatings'"),
        ({"queries": [{"placeholders": {"$query": "tv"}, "relevant_documents": {"7": {}}}]}, "'7' .* has no gain"),
        ({"queries": [{"placeholders": {"$query": "tv"}, "relevant_documents": ["7"]}]}, "query 'tv' have no gain"),
        ({"queries": [{"placeholders": {"$query": "tv"}, "relevant_documents": {}}]}, "E104"),
    ],
)
def test_what_is_missing_is_named(tree, message):
    with pytest.raises(cf.InputError, match=message):
        cf.read_qrels(text(tree))


def test_a_hit_without_an_id_is_refused():
    with pytest.raises(cf.InputError, match="a hit of response '1' has no _id"):
        cf.read_run(text({"hits": {"hits": [{"_score": 1, "_source": {"_id": 3}}]}}))
    with pytest.raises(cf.InputError, match="a hit of response 'q' has no _id"):
        cf.read_run(text({"details": {"q": {"hits": ["_id"]}}}), format="run-elasticsearch")


def test_check_and_convert_know_them(tmp_path):
    cf.write_table(QRELS, tmp_path / "ratings.json", "qrels-opensearch")
    (tmp_path / "hits.json").write_text(json.dumps({"cheap TV 📺": response(("7", 3.1)), "q2": response(("9", 1.0))}))
    report = cf.check(tmp_path / "ratings.json", tmp_path / "hits.json")
    assert [file.role for file in report.files] == ["qrels", "run"]
    (tmp_path / "ids.tsv").write_text("cheap TV 📺\tq1\nq2\tq2\n")
    cf.convert(tmp_path / "ratings.json", output=tmp_path / "qrels.txt", map_topics=tmp_path / "ids.tsv")
    assert (tmp_path / "qrels.txt").read_text() == "q1 0 7 2\nq1 0 8 0\nq2 0 7 1\n"
