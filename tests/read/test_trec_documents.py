"""Documents in TREC's SGML, and topics that stand one after the other without a root."""

import io

import pytest

import cranfield as cf
from cranfield.errors import InputError

TEXT = """<DOC>
<DOCNO> FT911-3 </DOCNO>
<HEADLINE>Wings</HEADLINE>
<TEXT>
Lift &amp; drag.
</TEXT>
</DOC>
<doc><docno>2</docno>no text element</doc>
"""


def test_trec_documents_are_recognised_and_read(tmp_path):
    path = tmp_path / "docs.sgml"
    path.write_text(TEXT)
    found = cf.read_documents(path)
    assert list(found) == ["FT911-3", "2"]
    assert (found["FT911-3"].title, found["FT911-3"].text) == ("Wings", "Lift & drag.")
    assert found["2"].text == "no text element"
    assert found.source.format == "documents-trec"


def test_check_takes_them_for_documents(tmp_path):
    path = tmp_path / "some.xml"
    path.write_text(TEXT)
    cf.convert(path, output=tmp_path / "out.jsonl")
    assert '"_id":"FT911-3"' in (tmp_path / "out.jsonl").read_text().replace(" ", "")


@pytest.mark.parametrize(
    ("text", "code"), [("<DOC><TEXT>x</TEXT></DOC>\n", "E119"), ("<DOC>\n<DOCNO>1</DOCNO>\n", "E104")]
)
def test_a_document_without_its_number_or_its_end_is_refused(tmp_path, text, code):
    path = tmp_path / "docs.trec"
    path.write_text(text)
    with pytest.raises(InputError, match=code):
        cf.read_documents(path)


def test_the_cranfield_collection_is_read(shared):
    found = cf.read_documents(shared / "data" / "cranfield1400" / "cran.all.1400.xml.gz")
    assert len(found) == 1400
    assert found["1"].title.startswith("experimental investigation of the aerodynamics")
    assert found["1"].fields["author"] == "brenckman,m."


@pytest.mark.parametrize("begin", ["", '<?xml version="1.0"?>\n'])
def test_topics_without_a_root_are_read(begin):
    text = begin + '<topic number="1">\n<query>a b</query>\n</topic>\n<topic number="2">\n<query>c</query>\n</topic>\n'
    assert [topic.query for topic in cf.read_topics(io.StringIO(text)).members] == ["a b", "c"]


def test_what_is_broken_after_the_first_topic_is_named_with_its_line():
    with pytest.raises(InputError, match=":4: not valid XML"):
        cf.read_topics(io.StringIO('<topic number="1">\n<query>a</query>\n</topic>\n<topic <\n'), format="topics-xml")
