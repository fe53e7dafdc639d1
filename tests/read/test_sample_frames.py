"""Data frames with the samples of RAG frameworks: what lists of records mean, frames mean."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import cranfield as cf

IDS = [
    {"user_input": "far?", "retrieved_context_ids": ["d3", "d1"], "reference_context_ids": ["d1"], "response": "yes"},
    {
        "user_input": "near?",
        "retrieved_context_ids": ["d2", "d9"],
        "reference_context_ids": ["d2", "d4"],
        "response": "",
    },
]
TEXTS = [
    {
        "user_input": "far?",
        "retrieved_contexts": ["Rome is near.", "Oslo is far."],
        "reference_contexts": ["Oslo is far."],
    },
    {"user_input": "near?", "retrieved_contexts": ["Rome is near."], "reference_contexts": ["Rome is near."]},
]
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # of judged shares
FRAMES = [pd.DataFrame, pl.DataFrame, pl.LazyFrame, lambda rows: pl.DataFrame(rows).to_arrow()]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("samples", [IDS, TEXTS])
def test_a_frame_of_samples_is_scored_like_the_list_of_them(samples, frame):
    made = frame(samples)
    expected = cf.evaluate(samples, samples, ["R@2", "RR"])
    assert cf.evaluate(made, made, ["R@2", "RR"]).means.tolist() == expected.means.tolist()
    assert cf.read_run(made) == cf.read_run(samples)
    assert cf.read_qrels(made) == cf.read_qrels(samples)


def test_recall_of_a_frame_by_hand():  # 1 of 1 and 1 of 2 references; first relevant at ranks 2 and 1
    frame = pd.DataFrame(IDS)
    assert cf.evaluate(frame, frame, ["R@2", "RR"]).means.tolist() == [[0.75, 0.75]]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_texts_of_a_frame_become_ids(frame):
    run = cf.from_contexts(
        frame(TEXTS),
        topics={"q1": "far?", "q2": "near?"},
        docs={"d1": "Oslo is far.", "d2": "Rome is near."},
        name="new",
    )
    assert (run.name, run.topics, list(run.document)) == ("new", ("q1", "q2"), ["d2", "d1", "d2"])


def test_cells_may_be_arrays_and_a_column_of_ids_may_be_empty():
    frame = pd.DataFrame(TEXTS).assign(retrieved_context_ids=None, answer_score=float("nan"))
    frame["retrieved_contexts"] = [np.array(texts) for texts in frame["retrieved_contexts"]]
    assert cf.read_run(frame) == cf.read_run(TEXTS)


def test_samples_under_the_names_of_systems_may_be_frames():
    runs = cf.read_runs({"old": pd.DataFrame(IDS), "new": pl.DataFrame(IDS)})
    assert list(runs) == ["old", "new"]
    assert runs["old"].renamed("run") == runs["new"].renamed("run") == cf.read_run(IDS)


def test_a_sample_without_its_list_is_named():
    with pytest.raises(cf.InputError, match="sample 2 has no retrieved_context_ids"):
        cf.read_run(pd.DataFrame(IDS).assign(retrieved_context_ids=[["d1"], None]))
