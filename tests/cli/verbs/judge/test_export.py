"""`cranfield judge export`, and the same in Python."""

import pytest

import cranfield as cf


@pytest.mark.parametrize(("rule", "file"), [("raw", "raw.jsonl"), ("mean", "qrels.jsonl")])
def test_a_format_that_cannot_hold_the_grades_is_refused_in_the_words_of_who_asks(cli, folder, rule, file):
    lab = cf.Lab.create(folder / "lab.db", [("1", "d1")], allow_missing_docs=True)
    with pytest.raises(cf.PolicyError) as caught:
        lab.export(folder / "q.txt", rule)
    assert caught.value.hint.endswith(f": a path such as {file}")
    assert f"-o {file}" in cli("judge", "export", "lab.db", "-o", "q.txt", "--rule", rule).err
