"""Hints that repair what was written, instead of repeating it or leading elsewhere."""

import pytest


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.run").write_text("1 Q0 a 1 1 tag\n")
    (tmp_path / "y.run").write_text("1 Q0 a 1 1 tag\n")
    return tmp_path


def test_a_drop_is_a_difference_from_a_baseline(cli, files):
    run = str(files / "y.run")
    err = cli("evaluate", str(files / "qrels"), run, "--fail-if", "AP drops 5%").err
    assert "'drop(AP) > 5%'" in err
    assert "cranfield compare" in err
    assert "'AP < 0.05'" not in err


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("drops 5%", "'drop(nDCG@10) > 5%'"),
        ("falls(AP) > 5%", "'drop(AP) > 5%'"),
        ("AP drops 0.05", "'delta(AP) < -0.05'"),
        ("worse", "'worse(nDCG@10)'"),
        ("delta < -0.01", "'delta(nDCG@10) < -0.01'"),
        ("p < 0.05", "'p(nDCG@10) < 0.05'"),
    ],
)
@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_a_term_about_a_baseline_is_answered_in_the_spelling_of_the_gate(cli, files, verb, condition, hint):
    runs = [str(files / "y.run"), f"x={files / 'one/x.run'}"]
    err = cli(verb, str(files / "qrels"), *runs, "--fail-if", condition).err
    assert "E209" in err
    assert hint in err
    assert ("cranfield compare" in err) == (verb == "evaluate")


def test_a_parameter_of_python_leads_to_its_option(cli):
    assert "there is no option '--rel'\n  hint: did you mean -l? " in cli("evaluate", "--rel", "2").err
    assert "did you mean -M? " in cli("evaluate", "--depth", "10").err
    assert "did you mean --per-topic? " in cli("evaluate", "--per-topi-c").err


def test_a_folder_that_is_missing_is_named(cli, files):
    run = ("evaluate", str(files / "qrels"), str(files / "y.run"))
    (files / "file").touch()
    problems = {"new": f"there is no folder {files / 'new'}", "file": f"{files / 'file'} is no folder"}
    for option in ("-o", "--save", "--junit"):
        for folder, problem in problems.items():
            said = cli(*run, "--fail-if", "AP < 0", option, str(files / folder / "a.json"))
            assert said.code == 4
            assert f"a.json: cannot be written: {problem}\n  hint: make the folder, or choose another\n" in said.err
    said = cli("convert", str(files / "y.run"), "-o", str(files / "new/a.run"))
    assert f"there is no folder {files / 'new'}\n" in said.err


def test_a_misspelt_format_lists_those_of_its_own_kind(cli, files):
    err = cli("evaluate", str(files / "qrels"), str(files / "y.run"), "--format-in", "run-tred").err
    assert "did you mean run-trec? formats of a run: " in err
    assert "qrels-" not in err


def test_files_of_one_name_are_told_apart_by_their_folders(cli, files):
    paths = [str(files / "one/x.run"), str(files / "two/x.run")]
    assert "one/x" in cli("evaluate", str(files / "qrels"), *paths, "--name-by", "file").out
    alike = cli("evaluate", str(files / "qrels"), *(f"x={path}" for path in paths))
    assert "hint: write NAME=PATH" in alike.err
