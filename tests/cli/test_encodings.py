"""An encoding for each input: of all files, of a role, of the files that a pattern names."""

import json

import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.read.sources.encodings import encoding_of, for_role

QRELS = "café 0 d1 1\ncafé 0 d2 0\nthé 0 d3 1\n"
RUN = "café Q0 d1 1 2.0 {0}\ncafé Q0 d2 2 1.0 {0}\nthé Q0 d3 1 1.0 {0}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Judgments in UTF-16 without a mark, a run in Latin-1, another in UTF-8."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_bytes(QRELS.encode("utf-16-le"))
    (tmp_path / "old.run").write_bytes(RUN.format("old").encode("latin-1"))
    (tmp_path / "new.run").write_bytes(RUN.format("new").encode())
    return tmp_path


@pytest.mark.parametrize(
    ("said", "path", "encoding"),
    [
        ("latin-1", "a.run", "latin-1"),
        ("utf-8,a.run=latin-1", "a.run", "latin-1"),
        ("utf-8,a.run=latin-1", "runs/a.run", "latin-1"),
        ("utf-8,runs/*=latin-1", "runs/a.run", "latin-1"),
        ("utf-8,runs/*=latin-1", "other/a.run", "utf-8"),
        ("*.run=latin-1,b.run=utf-16", "b.run", "utf-16"),
        ("*.run=latin-1", "qrels.txt", "utf-8"),
        ("qrels=utf-16", "qrels.txt", "utf-8"),
        ("run=a=latin-1", "run=a", "latin-1"),
        ("-=latin-1", "<stdin>", "latin-1"),
    ],
)
def test_a_file_has_the_encoding_that_fits_it_best(said, path, encoding):
    assert encoding_of(said, path) == encoding


def test_a_role_has_an_encoding_and_a_file_of_it_another():
    said = "latin-1,qrels=utf-16,odd.txt=cp1252"
    assert encoding_of(for_role(said, "qrels"), "q.txt") == "utf-16"
    assert encoding_of(for_role(said, "qrels"), "odd.txt") == "cp1252"
    assert encoding_of(for_role(said, "run"), "q.txt") == "latin-1"
    assert encoding_of(for_role("docs=latin-1", "documents"), "q.txt") == "latin-1"


@pytest.mark.parametrize("said", ["", "=latin-1", "a.run=", "utf-8,,latin-1"])
def test_what_cannot_be_read_is_refused(said):
    with pytest.raises(PolicyError, match="E242: encoding="):
        encoding_of(said, "a.run")


@pytest.mark.parametrize("of_run", ["old.run=latin-1", "o*=latin-1", "./old.run=latin-1"])
def test_every_input_of_a_command_may_have_its_own(folder, cli, of_run):
    said = ("--encoding", "qrels=utf-16-le", "--encoding", of_run)
    for verb in ("evaluate", "compare"):
        result = cli(verb, "qrels.txt", "./old.run", "./new.run", "-m", "AP", *said, "--json")
        assert result.code == 0, result.err
    assert {row["mean"] for row in json.loads(result.out)["result"]["runs"]} == {1.0}
    assert cli("study", "describe", "qrels.txt", "./old.run", "./new.run", *said).code == 0
    assert cli("check", "--qrels", "qrels.txt", "./old.run", "./new.run", *said).code == 0


def test_one_for_all_is_still_one_for_all(folder, cli):
    (folder / "latin.txt").write_bytes(QRELS.encode("latin-1"))
    assert cli("evaluate", "latin.txt", "old.run", "-m", "AP", "--encoding", "latin-1").code == 0
    wrong = cli("evaluate", "latin.txt", "old.run", "-m", "AP")
    assert (wrong.code, "--encoding latin-1" in wrong.err) == (3, True)
    unknown = cli("evaluate", "latin.txt", "old.run", "-m", "AP", "--encoding", "latin-1,run=latin-99")
    assert (unknown.code, "--encoding latin-99 is unknown" in unknown.err) == (2, True)


def test_converting_and_reading_from_python_follow_too(folder):
    cf.convert("old.run", output="old.csv", encoding="old.run=latin-1")
    assert (folder / "old.csv").read_text(encoding="utf-8").splitlines()[1].startswith("café,d1")
    runs = cf.read_runs("old.run", "new.run", encoding="utf-8,old*=latin-1")
    assert {run.topics for run in runs.values()} == {("café", "thé")}
    assert cf.read_qrels("qrels.txt", encoding="utf-16-le").topics == ("café", "thé")
    assert cf.read_qrels("qrels.txt", encoding="run=latin-1,qrels=utf-16-le").topics == ("café", "thé")


def test_a_study_made_again_reads_its_files_in_the_same_way(folder, cli):
    said = ("--encoding", "qrels=utf-16-le", "--encoding", "old.run=latin-1")
    first = cli("study", "describe", "qrels.txt", "old.run", "new.run", *said, "-o", "made")
    assert first.code == 0, first.err
    again = cli("study", "--from", "made/study.json")
    assert again.code == 0, again.err


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("old/*.run=latin-1", "did you mean old.run=latin-1?"),
        ("qrel=latin-1", "did you mean qrels=latin-1?"),
        ("OLD.run=latin-1", "did you mean old.run=latin-1?"),
        ("*.xyz=latin-1", "the pattern is a path or a name of a file, or a role"),
        ("m.txt=latin-1", "the pattern is"),  # a list of measures is always UTF-8
    ],
)
@pytest.mark.parametrize("verb", ["evaluate", "compare", "check", "study describe"])
def test_a_pattern_that_names_no_input_is_refused_before_anything_is_read(folder, cli, verb, said, hint):
    (folder / "m.txt").write_text("AP\n")
    measures = ("-m", "@m.txt") if verb != "check" else ()
    more = ("--encoding", "old.run=latin-1", "--encoding", said)
    result = cli(*verb.split(), "qrels.txt", "old.run", "new.run", *measures, *more)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"cranfield: error E246: --encoding {said}: no input has that name\n  hint: {hint}")
    assert len(result.err.splitlines()) == 2


def test_a_role_without_a_file_and_files_in_folders_are_no_mistake(folder, cli):
    (folder / "docs").mkdir()
    (folder / "docs/d1.txt").write_bytes("thé".encode("latin-1"))
    fine = cli("check", "--docs", "docs", "--encoding", "docs/*.txt=latin-1", "--encoding", "topics=utf-16")
    assert fine.code == 0, fine.err
    assert cli("check", "--docs", "docs", "--encoding", "d2.txt=latin-1").code == 2
    assert cli("convert", "old.run", "-o", "x.csv", "--encoding", "o*=latin-1").code == 0
