"""The envelope (2.3): one JSON document, valid against the printed schema, after success and failure."""

import json

import jsonschema
import pytest

from cranfield.tables.audit import Audit

HERE = ("evaluate", "qrels.txt", "runs/bm25.run", "runs/dense.run")


@pytest.fixture
def validate(cli):
    schema = json.loads(cli("evaluate", "--json-schema").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).validate


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--per-topic",),
        ("--ci", "t"),
        ("--ci", "bootstrap", "--per-topic"),
        ("--fail-if", "AP < 2", "--fail-if", "missing > 5"),
        ("-m", "Rprec RBP(p=0.8) NumRet GMAP infAP"),
        ("--topic-set", "intersection", "--no-relevant", "exclude", "-l", "3"),
        ("--depth-is-no-option",),
        ("--ties", "random"),
        ("-m", "nDGC@10"),
        ("nowhere.run",),
    ],
)
def test_what_is_printed_is_valid(cli, validate, more):
    result = cli(*HERE, *more, "--json")
    envelope = json.loads(result.out, parse_constant=pytest.fail)
    validate(envelope)
    assert envelope["exit"] == result.code
    assert envelope["ok"] == (result.code == 0)
    assert result.out.count("\n") == 1


def test_the_schema_refuses_what_is_wrong(cli, validate):
    envelope = json.loads(cli(*HERE, "--json").out)
    for key in envelope:
        with pytest.raises(jsonschema.ValidationError):
            validate({name: value for name, value in envelope.items() if name != key})
    envelope["result"]["scores"][0]["mean"] = "high"
    with pytest.raises(jsonschema.ValidationError):
        validate(envelope)


def test_inputs_policies_and_audit_travel_with_the_result(cli):
    envelope = json.loads(cli(*HERE, "--json", "-m", "AP").out)
    assert [(entry["role"], entry["name"], entry["rows"]) for entry in envelope["inputs"]] == [
        ("qrels", "qrels.txt", 4),
        ("run", "runs/bm25.run", 4),
        ("run", "runs/dense.run", 2),
    ]
    assert envelope["policies"]["ties"] == "trec"
    assert envelope["audit"]["topics_missing"] == {"dense": ["302"]}
    assert envelope["result"]["scores"][0] == {"run": "bm25", "measure": "AP", "mean": 0.75, "ci": None, "judged": 1.0}


def test_the_schema_has_every_field_of_the_audit(cli):
    told = json.loads(cli(*HERE, "--json").out)["audit"]
    known = json.loads(cli("evaluate", "--json-schema").out)["properties"]["audit"]["properties"]
    assert {*known} == {*told} == {*Audit().as_dict()}
    assert known["tie_groups_with_effect"] == {"type": ["integer", "null"], "minimum": 0}


def test_warnings_are_in_the_envelope_even_when_quiet(cli):
    result = cli(*HERE, "--json", "-q")
    assert result.err == ""
    assert [(w["code"], w["where"]) for w in json.loads(result.out)["warnings"]] == [("W101", "runs/dense.run")]


def test_undefined_is_null(cli, folder):
    (folder / "qrels.txt").write_text("301 0 d1 0\n302 0 d3 0\n")
    envelope = json.loads(cli(*HERE, "--json", "-m", "AP", "--no-relevant", "exclude").out)
    assert [score["mean"] for score in envelope["result"]["scores"]] == [None, None]


def test_json_can_be_written_to_a_file(cli, folder):
    printed = cli(*HERE, "--json").raw
    assert cli(*HERE, "-o", "out.json").out == ""
    assert (folder / "out.json").read_bytes() == printed


def test_saved_scores_are_the_envelope_of_every_topic(cli, folder):
    printed = cli(*HERE, "--json", "--per-topic", "--save", "scores.json").raw
    assert (folder / "scores.json").read_bytes() == printed


def test_two_forms_exclude_each_other(cli):
    result = cli(*HERE, "--json", "--format", "csv")
    assert result.code == 2
    assert json.loads(result.out)["errors"][0]["code"] == "E200"
