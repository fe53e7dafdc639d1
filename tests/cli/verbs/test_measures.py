"""`cranfield measures`: everything printed comes from the registry."""

import json

import pytest
from jsonschema import validate

import cranfield as cf
from cranfield.measures.definition import FAMILIES, MEASURES
from cranfield.measures.pages.describe import describe
from cranfield.measures.pages.references import REFERENCES


def test_the_list_names_every_measure_under_its_family(cli):
    result = cli("measures")
    assert result.code == 0
    heading = ""
    listed = {}
    for line in result.out.splitlines():
        if line.startswith(" ") and not line.startswith("  ") and ":" in line:
            heading = line.split(":")[0].strip()
        elif line.startswith("   "):
            listed[line.split()[0]] = heading
    assert listed == {definition.name: definition.family for definition in MEASURES.values()}


def test_a_family_can_be_chosen(cli):
    out = cli("measures", "--family", "user").out
    assert " user: models of a user who stops somewhere" in out
    assert "RBP" in out
    assert "Reciprocal rank" not in out


def test_an_unknown_family_is_refused_with_the_known_ones(cli):
    result = cli("measures", "--family", "binary")
    assert (result.code, result.out) == (2, "")
    assert "ranked, graded, incomplete" in result.err


def test_a_page_tells_definition_formula_parameters_and_undefined_cases(cli):
    out = cli("measures", "map").out
    assert out.startswith(" AP\n Average precision: the mean, over the relevant documents")
    assert "AP = 1/R Σᵢ₌₁ⁿ i/rᵢ" in out
    assert "denominator  default 'R'; must be 'R' or 'min'; has an effect only with cutoff" in out
    assert "undefined    Undefined if no document is relevant." in out
    assert "unjudged     An unjudged document counts as not relevant" in out
    assert "aliases      map, map_cut" in out
    assert "bounds       exact: for each number of relevant holes" in out
    assert ">>> average_precision(hits).round(4)  # (1/1 + 2/3) / 3" in out


def test_a_cut_off_in_the_name_is_read_over(cli):
    assert cli("measures", "nDCG@10").out == cli("measures", "ndcg_cut").out


def test_a_misspelt_name_is_answered_with_the_nearest(cli):
    result = cli("measures", "nDGC@10")
    assert result.code == 2
    assert "E201: unknown measure 'nDGC@10'" in result.err
    assert "did you mean nDCG@10?" in result.err


def test_tex_prints_the_formulas_and_nothing_else(cli):
    assert cli("measures", "AP", "--tex").out == "\\mathrm{AP} = \\frac{1}{R} \\sum_{i=1}^{n} \\frac{i}{r_i}\n"


def test_bibtex_gives_each_reference_once(cli):
    out = cli("measures", "AP", "Rprec", "RBP", "--bibtex").out
    keys = dict.fromkeys([*MEASURES["AP"].cites, *MEASURES["Rprec"].cites, *MEASURES["RBP"].cites])
    assert out.count("\n@") + out.startswith("@") == len(keys)
    assert all(f"{{{key},\n" in out for key in keys)


def test_json_holds_the_same_facts_and_follows_its_schema(cli):
    data = json.loads(cli("measures", "--json").out)
    validate(data, json.loads(cli("measures", "--json-schema").out))
    assert [page["name"] for page in data["result"]["measures"] if page["family"] == "user"] == sorted(
        (name for name, definition in MEASURES.items() if definition.family == "user"), key=str.lower
    )
    assert len(data["result"]["measures"]) == len(MEASURES)


def test_the_list_has_other_forms(cli):
    assert cli("measures", "--family", "user", "--format", "csv").out.startswith(
        "measure,family,aliases,title\r\nBPM,user,"
    )


def test_a_page_in_markdown_keeps_its_formulas(cli):
    out = cli("measures", "RBP", "--format", "markdown").out
    assert out.startswith("## RBP\n\nRank-biased precision")
    assert "\n$$\n\\mathrm{RBP} = " in out


def test_the_result_can_be_written_to_a_file(cli, folder):
    assert cli("measures", "AP", "-o", "page.txt").out == ""
    assert (folder / "page.txt").read_text() == cli("measures", "AP").out


def test_a_measure_of_ones_own_is_listed_and_explained(cli, folder):
    code = (
        "import cranfield as cf\n@cf.measure('Own1')\ndef own(r):\n    '''Mine: one for everybody.'''\n    return 1.0\n"
    )
    (folder / "mine.py").write_text(code)
    try:
        assert "Own1    Mine: one for everybody." in cli("measures", "--family", "own", "--load", "mine.py").out
        assert "range      no limit to no limit" in cli("measures", "Own1").out
    finally:
        cf.forget("Own1")


@pytest.mark.parametrize("name", list(MEASURES))
def test_every_measure_has_a_whole_page(name):
    page = describe(name)
    assert page.title.endswith("."), "a title is a sentence"
    assert page.family in FAMILIES
    assert page.unjudged
    assert page.example.startswith(">>> ")
    assert all(key in REFERENCES for key in page.cites), "every reference is in the bibliography"
    assert page.name in page.text()
    assert json.loads(page.to_json())["name"] == name


@pytest.mark.parametrize(
    ("name", "said"),
    [("alpha_nDCG", "any grade for each subtopic of its topic"), ("statAP", "those of AP, which it estimates")],
)
def test_a_page_says_what_the_bounds_are_of_where_that_is_special(cli, name, said):
    assert said in " ".join(cli("measures", name).out.split())
