"""`cranfield.toml` (CLI-11): defaults that are followed, overruled by options, and said in the footer."""

import pytest

HERE = ("evaluate", "qrels.txt", "runs/bm25.run")
NOTE = " defaults from cranfield.toml\n"


def test_the_file_sets_policies_and_measures(cli, folder):
    (folder / "cranfield.toml").write_text(
        '[policy]\nties = "trec9"\nno-relevant = "exclude"\n[measures]\nnames = ["AP", "P@5 RR"]\n'
    )
    out = cli(*HERE).out
    assert out.splitlines()[0].split() == ["run", "AP", "P@5", "RR", "judged@5"]
    assert "ties=trec9 topic-set=qrels no-relevant=exclude" in out
    assert out.endswith(NOTE)


def test_options_overrule_the_file(cli, folder):
    (folder / "cranfield.toml").write_text('[measures]\nnames = "AP"\n')
    out = cli(*HERE, "-m", "RR").out
    assert out.splitlines()[0].split() == ["run", "RR", "judged@10"]
    assert NOTE not in out


def test_without_a_file_nothing_is_said(cli):
    assert NOTE not in cli(*HERE).out


@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ("[policy\n", "E119: cranfield.toml: not valid TOML: ", 3),
        ("[policy]\ntie = 'trec'\n", "E213: cranfield.toml: [policy] knows no 'tie'", 2),
        ("[policy]\nties = 'random'\n", "E213: --ties: 'random' is unknown", 2),
        ("[measures]\nlist = ['AP']\n", "E213: cranfield.toml: [measures] knows no 'list'", 2),
        ("policy = 3\n", "E119: cranfield.toml: policy must be a table", 3),
        ("[measures]\nnames = ['nDGC@10']\n", "E201: unknown measure 'nDGC@10'", 2),
    ],
)
def test_a_mistake_in_the_file_is_said(cli, folder, text, message, code):
    (folder / "cranfield.toml").write_text(text)
    result = cli(*HERE)
    assert (result.code, result.out) == (code, "")
    assert f"cranfield: error {message}" in result.err


def test_help_works_beside_a_broken_file(cli, folder):
    (folder / "cranfield.toml").write_text("[policy\n")
    assert cli("evaluate", "--help").code == 0
