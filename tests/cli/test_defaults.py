"""`cranfield.toml` (CLI-11): defaults that are followed, overruled by options, and said in the footer."""

import pytest

HERE = ("evaluate", "qrels.txt", "runs/bm25.run")
NOTE = " defaults from cranfield.toml\n"


def test_the_file_sets_policies_and_measures(cli, folder):
    (folder / "cranfield.toml").write_text(
        '[policy]\nties = "trec9"\nno-relevant = "exclude"\n[measures]\nnames = ["AP", "P@5 RR"]\n'
    )
    out = cli(*HERE).out
    assert out.splitlines()[0].split() == ["run", "AP", "P@5", "RR", "judged", "judged@5"]
    assert "ties=trec9 topic-set=qrels no-relevant=exclude" in out
    assert out.endswith(NOTE)


def test_options_overrule_the_file(cli, folder):
    (folder / "cranfield.toml").write_text('[measures]\nnames = "AP"\n')
    out = cli(*HERE, "-m", "RR").out
    assert out.splitlines()[0].split() == ["run", "RR", "judged"]
    assert NOTE not in out


def test_without_a_file_nothing_is_said(cli):
    assert NOTE not in cli(*HERE).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[policy\n", "E242: cranfield.toml: not valid TOML: "),
        ("[policy]\ntie = 'trec'\n", "E245: cranfield.toml: [policy] has no setting 'tie'"),
        ("[policy]\nties = 'random'\n", "E213: cranfield.toml: [policy] ties: 'random' is unknown"),
        ("[policy]\nties = ['trec']\n", "E213: cranfield.toml: [policy] ties: ['trec'] is unknown"),
        ("[policy]\nties = {}\n", "E213: cranfield.toml: [policy] ties: {} is unknown"),
        ("[policy]\nrel = 'two'\n", "E241: cranfield.toml: [policy] rel: 'two' is not a grade"),
        ("[policy]\nrel = nan\n", "E241: cranfield.toml: [policy] rel: nan is not a grade"),
        ("[policy]\nrel = true\n", "E241: cranfield.toml: [policy] rel: True is not a grade"),
        ("[policy]\ndepth = 1.5\n", "E241: cranfield.toml: [policy] depth: 1.5 is not a whole number from 1"),
        ("[policy]\ndepth = 0\n", "E241: cranfield.toml: [policy] depth: 0 is not a whole number from 1"),
        ("[polcy]\nties = 'trec'\n", "E245: cranfield.toml: there is no table 'polcy'"),
        ("ties = 'trec'\n", "E245: cranfield.toml: there is no table 'ties'"),
        ("policy = 3\n", "E241: cranfield.toml: policy must be a table"),
        ("[measures]\nlist = ['AP']\n", "E245: cranfield.toml: [measures] has no setting 'list'"),
        ("[measures]\nnames = 1\n", "E241: cranfield.toml: [measures] names: 1 is not a list of names"),
        ("[measures]\nnames = [1]\n", "E241: cranfield.toml: [measures] names: [1] is not a list of names"),
        ("[measures]\nnames = []\n", "E242: cranfield.toml: [measures] names: there is no measure in it"),
        ("[measures]\nnames = ['nDGC@10']\n", "E201: cranfield.toml: [measures] names: unknown measure 'nDGC@10'"),
    ],
)
def test_a_mistake_in_the_file_is_said_with_the_file_and_the_key(cli, folder, text, message):
    (folder / "cranfield.toml").write_text(text)
    result = cli(*HERE)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"cranfield: error {message}")
    assert [line[:7] for line in result.err.splitlines()[1:]] in ([], ["  hint:"])


def test_a_level_that_is_no_number_is_refused(cli):
    assert "E240: -l: nan is not a grade" in cli(*HERE, "-l", "nan").err


def test_the_table_of_another_verb_is_left_to_it(cli, folder):
    (folder / "cranfield.toml").write_text("[judge]\nport = 8000\n")
    assert cli(*HERE).code == 0


def test_help_works_beside_a_broken_file(cli, folder):
    (folder / "cranfield.toml").write_text("[policy\n")
    assert cli("evaluate", "--help").code == 0
