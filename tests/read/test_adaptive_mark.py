"""Estimators refuse qrels that an export marks as chosen by looking at earlier judgments (E210)."""

import json
from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.read.sources.adaptive_mark import EXPORT_SCHEMA, marked
from cranfield.tables.text import Text

RUN = {"1": ["a", "b", "c"]}
SAMPLED = {"xinfAP": "qrels-stratum", "infNDCG": "qrels-stratum", "statAP": "qrels-prels", "infAP": "qrels-trec"}
LINES = {
    "qrels-stratum": "1 0 a s 1\n1 0 b s 0\n1 0 c s -1\n",
    "qrels-prels": "1 a 1 1 0.5\n1 b 0 1 0.5\n1 c 0 1 0.5\n",
    "qrels-trec": "1 0 a 1\n1 0 b 0\n1 0 c -1\n",
}


def qrels_of(folder, format, side=None):
    path = folder / "qrels.txt"
    path.write_text(LINES[format])
    if side is not None:
        (folder / "qrels.txt.meta.json").write_text(side)
    return cf.read_qrels(path, format=format)


@pytest.mark.parametrize(("measure", "format"), SAMPLED.items())
def test_an_estimator_refuses_marked_qrels(tmp_path, measure, format):
    side = json.dumps({"schema": EXPORT_SCHEMA, **marked(["swing"])})
    with pytest.raises(cf.PolicyError, match=r"needs a random sample, .*qrels.txt was built by 'swing'") as caught:
        cf.evaluate(qrels_of(tmp_path, format, side), RUN, measure)
    assert caught.value.code == "E210"


@pytest.mark.parametrize(("measure", "format"), SAMPLED.items())
@pytest.mark.parametrize(
    "side", [None, json.dumps({"schema": EXPORT_SCHEMA}), "{", "[]", json.dumps({"chosen_by": ["swing"]})]
)
def test_an_estimator_takes_qrels_without_the_mark(tmp_path, measure, format, side):
    assert cf.evaluate(qrels_of(tmp_path, format, side), RUN, measure).means.size == 1


def test_measures_that_estimate_nothing_take_marked_qrels(tmp_path):
    side = json.dumps({"schema": EXPORT_SCHEMA, **marked(["swing"])})
    assert cf.evaluate(qrels_of(tmp_path, "qrels-trec", side), RUN, ["AP", "Bpref"]).means.shape == (1, 2)


def test_the_caller_may_insist(tmp_path):
    side = json.dumps({"schema": EXPORT_SCHEMA, **marked(["swing"])})
    assert cf.evaluate(qrels_of(tmp_path, "qrels-stratum", side), RUN, "xinfAP(adaptive=True)").means.size == 1


@pytest.mark.parametrize("format", ["qrels-csv", "qrels-tsv", "qrels-jsonl"])
def test_an_unknown_probability_survives_writing_and_reading(tmp_path, format):
    qrels = replace(
        cf.Qrels.of(["1", "1"], ["a", "b"], [1, 0]),
        stratum=Text.of(["swing", "s"]),
        probability=np.array([np.nan, 0.5]),
    )
    cf.write_table(qrels, tmp_path / "q", format)
    again = cf.read_qrels(tmp_path / "q", format=format)
    assert again.probability is not None
    np.testing.assert_array_equal(again.probability, [np.nan, 0.5])
    with pytest.raises(cf.PolicyError, match=r"statAP needs a random sample, .* was built by 'swing'"):
        cf.evaluate(again, RUN, "statAP")
