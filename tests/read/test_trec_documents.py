"""Documents in TREC's SGML, and topics that stand one after the other without a root."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import InputError
from cranfield.read import FORMATS
from cranfield.read.formats.documents.trec import document
from cranfield.read.sources import on_disk

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
    ("text", "said"),
    [
        ("<DOC>\n<TEXT>x</TEXT></DOC>\n", ":1: a document has no <DOCNO>"),
        ("\n<DOC><DOCNO> </DOCNO></DOC>\n", ":2: a document has no <DOCNO>"),
        ("<DOC><DOCNO>1</DOC>\n<DOC><DOCNO>2</DOCNO></DOC>", ":1: a document has no <DOCNO>"),
        ("<DOC>\n<DOCNO>1</DOCNO>\n", ":1: a document has no </DOC>"),
        ("<DOC><DOCNO>1</DOCNO></DOC>\n\n<doc>\n<DOCNO>2</DOCNO></DO", ":3: a document has no </DOC>"),
    ],
)
@pytest.mark.parametrize("large", [False, True])
def test_a_document_without_its_number_or_its_end_is_refused(tmp_path, monkeypatch, text, said, large):
    path = tmp_path / "docs.trec"
    path.write_text(text)
    if large:
        monkeypatch.setattr(on_disk, "WINDOW", 11)
    with pytest.raises(InputError) as caught:
        cf.read_documents(path, format="documents-trec")
    assert str(caught.value).startswith(f"E119: {path}{said}")


@pytest.mark.parametrize("text", ["no elements\n", "<TEXT></DOC>"])
def test_a_file_without_documents_is_refused(tmp_path, text):
    (tmp_path / "docs.trec").write_text(text)
    with pytest.raises(InputError, match=r"E104: .*docs.trec: the file holds no <DOC> element"):
        cf.read_documents(tmp_path / "docs.trec", format="documents-trec")


def test_a_document_that_never_ends_is_not_held(tmp_path, monkeypatch):
    """What follows an opening tag is read, but not more than the longest document."""
    monkeypatch.setattr(on_disk, "WINDOW", 100)
    monkeypatch.setattr("cranfield.read.formats.documents.trec.MAX_LINE", 1000)
    path = tmp_path / "docs.trec"
    path.write_text("<DOC><DOCNO>1</DOCNO></DOC>\n<DOC><DOCNO>2</DOCNO>" + "word\n" * 10_000)
    with pytest.raises(InputError, match=r"E305: .*docs.trec:2: a document is longer than 64 MiB"):
        cf.read_documents(path)


@given(st.data())
def test_documents_are_found_wherever_pieces_end(tmp_path_factory, data):
    parts = [
        "<DOC>",
        "</DOC>",
        "<doc>",
        "</Doc>",
        "<DOCNO>",
        "</DOCNO>",
        "<TEXT>",
        "</TEXT>",
        "\n",
        " ",
        "a",
        "ü",
        "<DO",
        "<",
    ]
    whole = "".join(f"<DOC><DOCNO>{n}</DOCNO>{data.draw(st.sampled_from(parts))}</DOC>" for n in range(3))
    middle = data.draw(st.lists(st.sampled_from(parts), max_size=12).map("".join))
    path = tmp_path_factory.mktemp("pieces") / "docs.trec"
    path.write_text(whole + middle + whole.replace("<DOCNO>", "<DOCNO>x"), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_disk, "WINDOW", data.draw(st.integers(1, 40)))
        assert outcome(path) == expected(path.read_bytes())


def outcome(path):
    try:
        found = cf.read_documents(path, format="documents-trec")
    except InputError as error:
        return error.code, error.line
    return [(name, found[name].text) for name in found]


def expected(raw):
    """By one regular expression over the whole file."""
    end, found = 0, []
    for match in re.finditer(rb"<doc>(.*?)</doc>", raw, re.IGNORECASE | re.DOTALL):
        number = re.search(rb"<docno>(.*?)</docno>", match[1], re.IGNORECASE | re.DOTALL)
        if number is None or not number[1].strip():
            return "E119", raw.count(b"\n", 0, match.start()) + 1
        name = number[1].strip().decode()
        found.append((name, document(name, match[1].decode()).text))
        end = match.end()
    begin = raw.lower().find(b"<doc>", end)
    if begin >= 0:
        return "E119", raw.count(b"\n", 0, begin) + 1
    return found if len(dict(found)) == len(found) else ("E119", None)


def test_a_byte_that_is_no_text_is_named_with_its_line(tmp_path, monkeypatch):
    path = tmp_path / "docs.trec"
    path.write_bytes(TEXT.encode() + b"<DOC><DOCNO>3</DOCNO>\n\xff</DOC>")
    for window in (1 << 20, 16):
        monkeypatch.setattr(on_disk, "WINDOW", window)
        with pytest.raises(InputError, match=r"E111: .*docs.trec:10: byte 0xFF at column 1 is not UTF-8"):
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


@pytest.mark.parametrize("tag", ["TITLE", "HEADLINE", "HEAD", "HL", "TTL"])
def test_the_title_has_many_names(tag):
    found = document("1", f"<DOCNO>1</DOCNO><{tag}>Wings</{tag}><TEXT>Lift.</TEXT>")
    assert (found.title, found.text, found.fields) == ("Wings", "Lift.", {})


def test_the_usual_endings_are_known():
    assert {".xml", ".sgml", ".trec"} <= set(FORMATS["documents-trec"].all_endings)
