"""CSV and TSV: quotes, line numbers, long lines."""

import io

import pytest

import cranfield as cf
from cranfield.errors import InputError
from cranfield.read.sources import content


def refused(text, **options):
    with pytest.raises(InputError) as caught:
        cf.read_run(io.StringIO(text), format="run-csv", **options)
    return caught.value


def test_a_quoted_header_is_read():
    run = cf.read_run(io.StringIO('"topic","doc","score"\n1,"d,1",2\n'), format="run-csv")
    assert (run.topics, list(run.document), run.score.tolist()) == (("1",), ["d,1"], [2.0])


@pytest.mark.parametrize(("text", "line"), [('1,"d",x\n', 1), ('1,"d",1\n\n1,"e\nf",1\n1,"g",x\n', 5)])
def test_lines_of_quoted_rows_are_counted_from_1(text, line):
    error = refused(text, columns="topic,doc,score")
    assert (error.code, error.line) == ("E106", line)


@pytest.mark.parametrize("text", ['"topic,doc\n', '\n"topic,doc\n'])
def test_a_quote_that_is_never_closed_is_named_with_its_line(text):
    error = refused(text)
    assert (error.code, error.line) == ("E309", text.index('"') + 1)


def test_quoted_rows_of_another_width_are_errors():
    error = refused('"1",d\n"2",e\n', columns="topic,doc,score")
    assert [(each.code, each.line) for each in (error, *error.more)] == [("E105", 1), ("E105", 2)]


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_line_without_end_is_refused(separator, monkeypatch):
    monkeypatch.setattr(content, "MAX_LINE", 30)
    text = "\n".join(separator.join(row) for row in (("topic", "doc", "score"), ("1", "d" * 40, "1")))
    with pytest.raises(InputError, match=r"E305: .*:2: line is longer than 64 MiB"):
        cf.read_run(io.StringIO(text), format={",": "run-csv", "\t": "run-tsv"}[separator])
