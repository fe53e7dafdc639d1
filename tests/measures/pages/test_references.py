"""The bibliography and the citations of measures belong together."""

import pytest

from cranfield.measures import definition
from cranfield.measures.pages.references import REFERENCES

BUILT_IN = [d for d in definition.MEASURES.values() if d.family != "own"]


def test_every_cited_key_is_in_the_bibliography_and_every_entry_is_cited():
    assert {key for d in BUILT_IN for key in d.cites} == REFERENCES.keys()


def test_every_measure_that_is_not_a_count_cites_something():
    assert {d.name for d in BUILT_IN if not d.cites} <= {"NumQ", "NumRet", "NumRel", "NumRelRet"}


@pytest.mark.parametrize("key", REFERENCES)
def test_an_entry_names_itself_its_authors_title_and_year(key):
    reference = REFERENCES[key]
    assert reference.key == key
    for text in (reference.citation, reference.bibtex):
        assert reference.title in text
        assert str(reference.year) in text
        assert all(author in text for author in reference.authors)
    assert reference.bibtex.startswith(f"@{reference.kind}{{{key},")
    assert reference.bibtex.count("{") == reference.bibtex.count("}")
    assert "\n" not in reference.citation


@pytest.mark.parametrize("measure", BUILT_IN, ids=lambda d: d.name)
def test_every_page_has_a_title_a_formula_and_an_example(measure):
    assert measure.title.endswith(".")
    assert ">>> " in measure.document
    counts = measure.name.startswith("Num")
    described = "points are" in measure.document
    assert counts or described or "$$" in measure.document
