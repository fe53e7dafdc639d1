"""Whatever the files hold: a verb ends with one of the documented exit codes, and a fault of ours is none of them."""

import contextlib
import io
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.cli import main

tokens = st.sampled_from(
    [
        "1",
        "2",
        "Q0",
        "0",
        "d1",
        "d2",
        "é",
        "-1",
        "3.5",
        "nan",
        "inf",
        "1e999",
        "x",
        '"',
        "#",
        "\x00",
        "\x1b[31m",
        "\u200b",
    ]
)
separators = st.sampled_from([" ", "\t", ",", "  "])
lines = st.builds(lambda words, separator: separator.join(words), st.lists(tokens, max_size=7), separators)
good = st.sampled_from(
    ["1 Q0 d1 1 2.5 a", "1 Q0 d2 2 1 a", "2 Q0 d1 1 7 b", "1 0 d1 1", "1 0 d2 0", "2 0 d1 2", "1 1 d1 1", "1 2 d1 0"]
)
headers = st.sampled_from(
    ["topic,doc,score", "topic,doc,grade,assessor", "query-id\tcorpus-id\tscore", "topic,qid,doc,score", "qid,url,rel"]
)
records = st.sampled_from(
    [
        '{"topic":"1","doc":"d1","score":1}',
        '{"topic":1,"doc":"d1","grade":1}',
        '{"topic":"1"}',
        '{"_id":"1"}',
        "[1]",
        "{",
    ]
)
texts = st.builds(
    lambda first, rest, end: ("\n".join([*first, *rest]) + end).encode(),
    st.lists(headers, max_size=1),
    st.lists(lines | good | records, max_size=8),
    st.sampled_from(["", "\n", "\r\n"]),
)
contents = texts | st.binary(max_size=120)
names = st.sampled_from(
    ["a.run", "a.txt", "a.qrels", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.xml", "a.parquet", "a.run.gz"]
)


@contextlib.contextmanager
def folder(files: dict[str, bytes]) -> Iterator[None]:
    """A working directory of its own, for the time of one example."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        for name, data in files.items():
            Path(place, name).write_bytes(data)
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)


def ended(files: dict[str, bytes], *arguments: str) -> tuple[int, str]:
    """How the command ended, and what it said on the way."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with folder(files), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(arguments))
    err.seek(0)
    said = err.read()
    assert "Traceback" not in said
    assert code != 70, said
    return code, said


def ended_well(files: dict[str, bytes], *arguments: str) -> None:
    """A documented exit code; whoever fails says why."""
    code, said = ended(files, *arguments)
    assert code in range(6)
    assert code in (0, 1, 5) or said.startswith("cranfield: ")


@given(qrels=contents, run=contents, names=st.tuples(names, names))
@example(qrels=b"1 0 d1 1\n", run=b"1 Q0 d1 1 2.5 a\n", names=("a.txt", "a.run"))
def test_evaluate_survives_any_files(qrels, run, names):
    judged, ranked = f"q{names[0]}", f"r{names[1]}"
    ended_well({judged: qrels, ranked: run}, "evaluate", judged, ranked, "-m", "AP P@5 nDCG@10")


@given(files=st.lists(st.tuples(names, contents), min_size=1, max_size=3), json=st.booleans())
def test_check_survives_any_files(files, json):
    named = {f"{number}{name}": data for number, (name, data) in enumerate(files)}
    ended_well(named, "check", *named, *(["--json"] if json else []))


@given(
    name=names,
    data=contents,
    target=names,
    to=st.sampled_from([None, "trec", "csv", "jsonl", "json", "parquet", "tsv"]),
)
def test_convert_survives_any_file(name, data, target, to):
    ended_well({name: data}, "convert", name, "-o", f"out-{target}", *(["--to", to] if to else []))


@given(name=names, data=contents)
def test_trec_eval_survives_any_file(name, data):
    files = {name: data, "q": b"1 0 d1 1\n", "r": b"1 Q0 d1 1 2.5 a\n"}
    ended(files, "trec_eval", "-q", "q", name)
    ended(files, "trec_eval", "-q", name, "r")


keys = st.sampled_from(["ties", "rel", "depth", "no-relevant", "names", "unjudged", "x"])
values = st.sampled_from(
    [
        "'trec'",
        "'x'",
        "1",
        "0",
        "-1",
        "1.5",
        "nan",
        "inf",
        "true",
        "[]",
        "['AP']",
        "[1]",
        "''",
        "{}",
        "1979-05-27",
        "'AP('",
        "'@'",
    ]
)
tables = st.sampled_from(["[policy]", "[measures]", "[judge]", "[polcy]", "[[policy]]", "", "[policy.ties]", "[policy"])
settings_files = st.lists(st.tuples(tables, st.lists(st.tuples(keys, values), max_size=2)), max_size=2).map(
    lambda parts: "\n".join(f"{table}\n" + "\n".join(f"{k} = {v}" for k, v in pairs) for table, pairs in parts).encode()
)


@given(text=settings_files | st.binary(max_size=40))
@example(text=b"[measures]\nnames = 1\n")
@example(text=b"[policy]\nrel = 1e400\n")
def test_any_file_of_defaults_is_followed_or_refused_by_name(text):
    files = {"cranfield.toml": text, "q": b"1 0 d1 1\n", "r": b"1 Q0 d1 1 2.5 a\n"}
    code, said = ended(files, "evaluate", "q", "r")
    assert code in (0, 2), said
    assert code == 0 or "cranfield.toml: " in said.splitlines()[0]
