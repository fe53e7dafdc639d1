"""JSON that no parser can follow, and lines that end oddly: said as mistakes of the file."""

import pytest

import cranfield as cf

DEEP = {"array": "[" * 100_000, "object": '{"a":' * 100_000 + "1" + "}" * 100_000 + "\n"}


@pytest.mark.parametrize("kind", list(DEEP))
def test_json_that_is_nested_too_deeply_is_a_mistake_of_the_file(tmp_path, kind):
    path = tmp_path / "a.jsonl"
    path.write_text(DEEP[kind])
    with pytest.raises(cf.InputError, match=r"E302: .*a.jsonl: not valid JSON, nested too deeply"):
        cf.convert(path, output=tmp_path / "b.txt")
    (finding,) = cf.check(path).files[0].findings
    assert (finding.code, finding.message) == ("E302", "not valid JSON, nested too deeply")


@pytest.mark.parametrize("end", [b"\x0c", b"\x0b", b" \t\r", "\u2028".encode(), "\xa0".encode()])
def test_white_space_behind_a_document_changes_nothing(tmp_path, end):
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b'{"_id":"d1","text":"a"}' + end + b'\n{"_id":"d2","text":"b"}\n')
    documents = cf.read_documents(path)
    assert [document.text for document in documents.values()] == ["a", "b"]
    cf.convert(path, output=tmp_path / "out.jsonl")
    assert cf.read_documents(tmp_path / "out.jsonl") == documents
