"""Ids that begin with a byte-order mark come back as they were, or are refused."""

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.read import read_pool, read_qrels, read_run, read_topics
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.side.topics import Topic, Topics
from cranfield.tables.text import Text
from cranfield.write import WRITERS, render
from tests.write.test_round_trip import reread

MARKED = ("a", "\ufeffb", "\ufeffb")
WITH_MARKS: dict[str, Any] = {
    "run": (Run.of("new", MARKED, ["x", "y", "\ufeffz"], [3.0, 2.0, 1.0]), read_run),
    "qrels": (Qrels.of(MARKED, ["x", "y", "\ufeffz"], [1, 0, 2], ["0", "0", "0"]), read_qrels),
    "topics": (Topics.of(Topic(name, "words") for name in ("a", "\ufeffb")), read_topics),
}
HOLD_ANY = ("csv", "quepid", "jsonl", "json", "parquet", "rank_eval", "opensearch", "rre", "ltr")


@pytest.mark.parametrize("name", [name for name in WRITERS if name.partition("-")[0] in WITH_MARKS])
def test_an_id_that_begins_with_a_byte_order_mark_comes_back_or_is_refused(name):
    role, _, kind = name.partition("-")
    table, read = WITH_MARKS[role]
    if name in ("qrels-stratum", "qrels-probability", "qrels-prels"):
        table = replace(table, stratum=Text.of(["s"] * 3), probability=np.array([0.5] * 3))
    if kind in HOLD_ANY:
        back = reread(table, name, read)
        assert list(back if role == "topics" else back.topics) == ["a", "\ufeffb"]
        return
    with pytest.raises(InputError, match=r"E117: topic id '\\ufeffb' would begin a line with a byte-order mark") as no:
        render(table, name)
    assert no.value.hint == "write JSONL instead, which holds any id"


def test_an_id_that_begins_a_file_with_a_byte_order_mark_comes_back():
    for name in ("run-trec", "run-msmarco", "run-csv"):
        assert reread(Run.of("new", ["\ufeffb"], ["x"], [1.0]), name, read_run).topics == ("\ufeffb",)


def test_a_pool_with_such_an_id_is_refused():
    table = read_pool(io.StringIO("a\tx\ts\t1.0\n b\ty\ts\t1.0".replace(" ", "")))
    marked = replace(table, topics=("a", "\ufeffb"))
    with pytest.raises(InputError, match="E117"):
        render(marked, "pool-tsv")
