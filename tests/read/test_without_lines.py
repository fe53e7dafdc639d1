"""Files that have no lines, or whose errors come from an object: where an error says that it is."""

import io

import pytest

import cranfield as cf
from cranfield.errors import InputError
from cranfield.read import read_judgments

pl = pytest.importorskip("polars")

RUN = cf.Run.of("a", ["1"], ["d"], [1.0])
QRELS = cf.Qrels.of(["1"], ["d"], [1])


@pytest.mark.parametrize("ending", ["json", "parquet", "pq"])
def test_rows_of_objects_have_no_lines(tmp_path, ending):
    cf.write_table(RUN, tmp_path / f"run.{ending}")
    cf.write_table(QRELS, tmp_path / f"qrels.{ending}")
    run, qrels = cf.read_run(tmp_path / f"run.{ending}"), cf.read_qrels(tmp_path / f"qrels.{ending}")
    assert (run.source.lines, qrels.source.lines) == (False, False)
    assert (run.line_of(0), qrels.line_of(0)) == (None, None)


@pytest.mark.parametrize(
    ("form", "text"), [("run-json", '{"1": {"d": "x"}}'), ("qrels-json", '{"1": {"d": "x"}}'), ("run-json", "[]")]
)
def test_an_error_in_a_dictionary_names_its_file(tmp_path, form, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"a\.json"):
        (cf.read_run if form == "run-json" else cf.read_qrels)(path, format=form)


def test_a_wrong_value_in_parquet_names_topic_and_document(tmp_path):
    frame = pl.DataFrame({"topic": ["1", "2"], "doc": ["d", "e"], "score": [1.0, float("nan")]})
    frame.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"\(topic '2', document 'e'\)"):
        cf.read_run(tmp_path / "a.parquet")


@pytest.mark.parametrize("limit", [1, 3])
def test_as_many_broken_lines_are_shown_as_were_asked_for(limit):
    with pytest.raises(InputError) as caught:
        cf.read_topics(io.StringIO("x\n" * 9), format="topics-jsonl", max_errors=limit)
    assert len(caught.value.more) == limit - 1


def test_judgments_have_their_lines_and_their_ids():
    text = '{"topic":"1","doc":"d","grade":1,"assessor":"a"}\n\n{"topic":"1","doc":"e","grade":0,"assessor":"a"}\n'
    table = read_judgments(io.StringIO(text))
    assert table.line is not None
    assert table.line.tolist() == [1, 3]
    with pytest.raises(InputError) as caught:
        read_judgments(io.StringIO("topic,doc,grade,assessor\n,d,1,a\n"), format="qrels-csv")
    assert caught.value.line == 2
    with pytest.raises(InputError, match="E104"):
        read_judgments(io.StringIO("topic,doc,grade,assessor\n"), format="qrels-csv")
