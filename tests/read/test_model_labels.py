"""Labels of models, and words that stand for no judgment (E306, FMT-1)."""

import io
import re

import polars as pl
import pytest

from cranfield.errors import DataWarning, InputError
from cranfield.read import read_judgments, read_qrels
from cranfield.read.formats.model_labels import read_labels
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import as_utf8, fetch


def labels(text, map=None, **options):
    content = as_utf8(fetch(io.StringIO(text)))
    return read_labels(content, ReadOptions(**options), None if map is None else io.StringIO(map), name=None)


def refused(code, text, map=None, **options):
    with pytest.raises(InputError) as caught:
        labels(text, map, **options)
    assert caught.value.code == code
    return caught.value


def test_ids_grades_and_the_name_of_the_model_are_found_under_their_usual_names():
    for line in (
        '{"topic":"1","doc":"d","grade":2,"model":"m"}',
        '{"query_id":"1","docid":"d","judgment":2,"model":"m","result_status":1}',
        '{"qid":1,"docno":"d","label":"2","assessor":"m","status":"judged"}',
    ):
        table = labels(line)
        assert (table.topic[0], table.document[0], table.grade[0], table.assessor[0]) == ("1", "d", 2, "m")
        assert (table.kind[0], table.judged.tolist()) == ("model", [True])


@pytest.mark.parametrize(
    "more", ['"result_status":0,"judgment":0', '"status":"failed"', '"grade":null', '"grade":"NA"']
)
def test_a_label_that_failed_is_unjudged_and_never_grade_0(more):
    assert labels(f'{{"topic":"1","doc":"d",{more}}}', missing=("NA",)).judged.tolist() == [False]


def test_a_record_without_ids_is_refused_with_its_line():
    error = refused("E306", '{"topic":"1","doc":"d","grade":1}\n{"query":"","passage":"x","judgment":1}\n')
    assert error.line == 2
    assert error.hint == ("pass map=\"requests.jsonl\" as written by 'judge requests'")


@pytest.mark.parametrize("field", ["topic", "doc", "model", "judgment"])
def test_a_field_that_is_half_a_character_is_refused_with_its_line(field):
    right = '{"topic":"1","doc":"d","model":"m","judgment":"1","result_status":1}'
    wrong = re.sub(f'("{field}":)"[^"]*"', r'\1"\\ud800"', right)
    assert refused("E119", f"{right}\n{wrong}\n").line == 2


def test_a_map_tells_topic_and_document():
    with pytest.warns(DataWarning, match="W128: .* 1 label that is not here, ignored: r1"):
        table = labels(
            '{"id":"r2","grade":1}', map='{"id":"r1","topic":"1","doc":"d"}\n{"id":"r2","topic":"2","doc":"e"}'
        )
    assert (table.topic[0], table.document[0]) == ("2", "e")
    refused("E128", '{"id":"r9","grade":1}', map='{"id":"r1","topic":"1","doc":"d"}')
    refused("E306", '{"id":"r9","grade":1}\n{"id":"r1","grade":1}', map='{"id":"r1","topic":"1","doc":"d"}')
    refused("E119", '{"id":"r9","grade":1}', map='{"id":"r1","topic":"1"}')


def test_grades_of_models_are_whole_numbers_unless_real_ones_are_asked_for():
    line = '{"topic":"1","doc":"d","grade":0.5}'
    assert refused("E110", line).line == 1
    assert labels(line, grades="float").grade.tolist() == [0.5]


def test_a_file_of_blank_lines_holds_no_labels():
    refused("E104", "\n\n")


def test_columns_can_be_named():
    table = labels('{"query":"the words","t":"1","u":"d","g":2}', columns="topic=t,doc=u,grade=g")
    assert (table.topic[0], table.document[0], table.grade[0]) == ("1", "d", 2)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("topic,doc,assessor,grade\n1,d,a,-2\n1,e,a,1\n", ("-2",)),
        ("topic\tdoc\tassessor\tgrade\n1\td\ta\tNA\n1\te\ta\t1\n", ("NA", "x")),
        (
            '{"topic":"1","doc":"d","assessor":"a","grade":-2}\n{"topic":"1","doc":"e","assessor":"a","grade":1}\n',
            ("-2",),
        ),
    ],
)
def test_words_that_stand_for_no_judgment_are_none(text, missing):
    table = read_judgments(io.StringIO(text), missing=missing)
    assert table.judged.tolist() == [False, True]
    assert table.status[0] == "missing"


def test_a_repeated_judgment_of_one_assessor_survives_reading():
    text = "topic,doc,assessor,grade\n1,d,a,2\n1,d,a,0\n1,d,a,2\n"
    assert read_judgments(io.StringIO(text)).grade.tolist() == [2, 0, 2]


def test_qrels_leave_out_what_is_no_judgment():
    assert len(read_qrels(io.StringIO("topic,doc,grade\n1,d,NA\n1,e,1\n"), missing=("NA",))) == 1


@pytest.mark.parametrize(("header", "row"), [("topic,doc,assessor,grade", "1,d,ann,1"), ("topic,doc,grade", "1,d,1")])
def test_judgments_say_whether_their_file_names_assessors(header, row):
    assert read_qrels(io.StringIO(f"{header}\n{row}\n")).source.assessors == ("assessor" in header)


def test_parquet_holds_judgments_of_several_assessors(tmp_path):
    frame = pl.DataFrame(
        {"topic": ["1", "1", "1"], "doc": ["d", "d", "e"], "assessor": ["a", "b", "a"], "grade": [1, -2, 0]}
    )
    frame.write_parquet(tmp_path / "raw.parquet")
    table = read_judgments(tmp_path / "raw.parquet", missing=("-2",))
    assert list(table.assessor) == ["a", "b", "a"]
    assert table.judged.tolist() == [True, False, True]
    assert table.source.assessors
    frame.clear().write_parquet(tmp_path / "empty.parquet")
    with pytest.raises(InputError, match="E104"):
        read_judgments(tmp_path / "empty.parquet")
