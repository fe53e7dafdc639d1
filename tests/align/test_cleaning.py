"""Cleaning on request: chunks become documents, and a topic is left out of its own list."""

from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.converting.cleaning import Folding, cleaned
from cranfield.align.policy import Policy, RowsLeftOut
from cranfield.align.rankings import Rankings
from cranfield.tables.run import Run
from cranfield.tables.source import Source

QRELS = {"q1": {"d1": 1, "d2": 0}, "d2": {"d2": 1, "d1": 1}}
CHUNKS = {"q1": {"d2#0": 5.0, "d1#0": 3.0, "d1#1": 9.0}, "d2": {"d2#4": 2.0, "d1#7": 1.0}}
TREC = "q1 Q0 d2#0 1 5.0 c\nq1 Q0 d1#0 2 3.0 c\nq1 Q0 d1#1 3 9.0 c\nd2 Q0 d2#4 1 2.0 c\nd2 Q0 d1#7 2 1.0 c\n"
CUT = "#[0-9]+$"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chunks.run").write_text(TREC)
    (tmp_path / "map.tsv").write_text("".join(f"{c}\t{c[:2]}\n" for c in ("d2#0", "d1#0", "d1#1", "d2#4", "d1#7")))
    return tmp_path


def frame():
    import polars as pl

    rows = [(topic, chunk, score) for topic, listed in CHUNKS.items() for chunk, score in listed.items()]
    return pl.DataFrame(rows, schema=["topic", "doc", "score"], orient="row")


@pytest.mark.parametrize(
    "fold", [CUT, "^(d[0-9])#", "map.tsv", {"d2#0": "d2", "d1#0": "d1", "d1#1": "d1", "d2#4": "d2"}]
)
def test_chunks_become_documents_by_expression_group_file_and_dict(folder, fold):
    scores = cf.evaluate(QRELS, "chunks.run", "RR", fold=fold)
    assert scores["c", "RR"].tolist() == [1.0, 1.0]
    assert scores.audit.folded == {"c": 1}
    assert dict(scores.audit.inputs[1])["rows"] == 5


@pytest.mark.parametrize("runs", [lambda: CHUNKS, lambda: "chunks.run", frame], ids=["dict", "file", "frame"])
def test_cleaning_is_the_same_for_files_dictionaries_and_frames(folder, runs):
    with_self = cf.evaluate(QRELS, runs(), "RR", fold=CUT)
    alone = cf.evaluate(QRELS, runs(), "RR", fold=CUT, drop_self=True)
    assert with_self.values[0, :, 0].tolist() == [1.0, 1.0]
    assert alone.retrieved[0].tolist() == [2, 1]
    assert [*alone.audit.self_matches.values()] == [1]


def test_the_highest_chunk_stands_for_its_document_or_the_first_in_the_file():
    run = Run.of("r", ["q"] * 3, ["d1#0", "d2#0", "d1#1"], [1.0, 2.0, 3.0])
    best, first = (Rankings.of(run, Policy(fold=CUT, fold_by=by)) for by in ("max", "first"))
    assert [best.run.document[row] for row in best.row] == ["d1", "d2"]
    assert [first.run.document[row] for row in first.row] == ["d2", "d1"]


def test_a_list_is_cut_after_folding():
    run = Run.of("r", ["q"] * 4, ["d1#0", "d1#1", "d1#2", "d2#0"], [4.0, 3.0, 2.0, 1.0])
    lists = Rankings.of(run, Policy(fold=CUT, depth=2))
    assert [lists.run.document[row] for row in lists.row] == ["d1", "d2"]


def test_a_chunk_listed_twice_is_still_an_error(folder):
    (folder / "twice.run").write_text(TREC + "q1 Q0 d1#1 4 1.0 c\n")
    with pytest.raises(cf.InputError, match=r"E108: twice\.run:6: document 'd1#1' is listed twice"):
        cf.evaluate(QRELS, "twice.run", "RR", fold=CUT)
    scores = cf.evaluate(QRELS, "twice.run", "RR", fold=CUT, duplicates="first")
    assert (scores.audit.duplicates, scores.audit.folded) == (1, {"c": 1})
    assert dict(scores.audit.inputs[1])["rows"] == 6


def test_ranks_and_lines_stay_those_of_the_rows():
    run = Run.of("r", ["q"] * 3, ["d1#0", "d2#0", "d1#1"], [1.0, 2.0, 3.0], rank=[1, 2, 3])
    clean, left_out = cleaned(run, np.arange(3), Policy(fold=CUT))
    ranks = clean.ranks()
    assert ranks is not None
    assert ranks.tolist() == [2, 3]
    assert left_out == RowsLeftOut(folded=1)
    read = replace(run, source=Source("r.run", "run-trec"))
    assert [cleaned(each, np.arange(3), Policy(fold=CUT))[0].line_of(1) for each in (run, read)] == [None, 3]


def test_a_topic_whose_only_document_is_itself_has_an_empty_list():
    scores = cf.evaluate({"d1": {"d1": 1, "d2": 1}}, {"d1": {"d1": 2.0}}, "AP", drop_self=True)
    assert scores.values.tolist() == [[[0.0]]]
    assert scores.audit.self_matches == {"run": 1}


def test_the_run_itself_is_not_changed(folder):
    run = cf.read_run("chunks.run")
    before = list(run.document)
    cf.evaluate(QRELS, run, "RR", fold=CUT, drop_self=True)
    assert list(run.document) == before
    assert CHUNKS["q1"] == {"d2#0": 5.0, "d1#0": 3.0, "d1#1": 9.0}


def test_an_expression_that_cannot_be_read_is_refused():
    with pytest.raises(cf.PolicyError, match=r"E242: fold=\"\(\" cannot be read"):
        Policy(fold="(")


def test_policies_are_equal_and_found_again_if_all_choices_are_the_same_even_a_dict_of_chunks():
    one, same, other = (Policy(fold={"d1#1": name}, rel=rel) for name, rel in [("d1", 1), ("d1", 1.0), ("d2", 1)])
    assert one == same
    assert one != other
    assert one != Policy(rel=2)
    assert one != vars(one)
    assert {one: "found"}[same] == "found"
    assert hash(Policy(ties="file")) != hash(Policy(ties="trec"))


def test_an_id_that_would_become_empty_stays():
    assert Folding.of(".*").document("d1") == "d1"


def test_holes_pools_and_comparisons_clean_alike(folder):
    found = cf.holes(QRELS, {"a": CHUNKS, "b": {"q1": ["d3#1"], "d2": ["d1#1"]}}, "P@1", fold=CUT, drop_self=True)
    assert sorted({*found.candidates.document}) == ["d1", "d2", "d3"]
    chosen = cf.pool("chunks.run", depth=5, fold=CUT, drop_self=True)
    assert sorted(
        (chosen.pairs.topics[topic], name)
        for topic, name in zip(chosen.pairs.topic, chosen.pairs.document, strict=True)
    ) == [
        ("d2", "d1"),
        ("q1", "d1"),
        ("q1", "d2"),
    ]
    assert (chosen.audit.folded, chosen.audit.self_matches) == ({"c": 1}, {"c": 1})


def test_the_footer_counts_what_was_left_out(folder):
    said = repr(cf.evaluate(QRELS, "chunks.run", "RR", fold=CUT, drop_self=True))
    assert "chunks folded 1 · self-matches left out 1" in said
    assert "drop-self=True fold=#[0-9]+$" in said
