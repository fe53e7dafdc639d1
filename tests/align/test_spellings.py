"""Ids that match only after Unicode normalisation: named by `check`, warned of by `evaluate`, matched by nobody."""

import warnings

import pytest

import cranfield as cf
from cranfield.errors import DataWarning

COMPOSED, FOLLOWED = "caf\u00e9", "cafe\u0301"
QRELS = {"1": {COMPOSED: 1, "d": 0}, "t\u00e9": {"d": 1}}


def codes(qrels, run) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        cf.evaluate(qrels, run, "AP")
    return [str(each.message) for each in caught if getattr(each.message, "code", "") == "W119"]


@pytest.mark.parametrize("as_file", [False, True])
def test_documents_that_would_have_matched_are_named(tmp_path, as_file):
    run: object = {"1": {FOLLOWED: 2.0, "d": 1.0}}
    if as_file:
        (tmp_path / "a.run").write_text(f"1 Q0 {FOLLOWED} 1 2 a\n1 Q0 d 2 1 a\n", encoding="utf-8")
        run = tmp_path / "a.run"
    (said,) = codes(QRELS, run)
    assert (
        "1 document would match only after Unicode normalisation: 'cafe\\u0301' here, 'caf\\xe9' in the qrels" in said
    )


def test_topics_that_would_have_matched_are_named():
    (said,) = codes(QRELS, {"te\u0301": {"d": 1.0}, "1": {"d": 1.0}})
    assert "1 topic would match only" in said


def test_what_matches_or_has_no_other_spelling_is_not_named():
    assert codes(QRELS, {"1": {COMPOSED: 2.0, "na\u00efve": 1.0}, "t\u00e9": {"d": 1.0}}) == []
    assert codes({"1": {"d": 1}}, {"1": {FOLLOWED: 2.0}}) == []


def test_check_finds_them(tmp_path):
    (tmp_path / "q.txt").write_text(f"1 0 {COMPOSED} 1\n", encoding="utf-8")
    (tmp_path / "a.run").write_text(f"1 Q0 {FOLLOWED} 1 2 a\n", encoding="utf-8")
    report = cf.check(str(tmp_path / "q.txt"), str(tmp_path / "a.run"))
    assert [finding.code for finding in report.across if finding.kind == "spelling"] == ["W119"]
