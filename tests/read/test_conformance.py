"""The text cases of the conformance suite: what our strict reader makes of files that other programs met."""

import gzip
import json

import pytest

from cranfield.errors import Error
from cranfield.read import read_qrels, read_run

REFUSED = {
    "text_extra_columns": ("run", "E105"),
    "text_five_columns": ("run", "E105"),
    "text_three_column_qrels": ("qrels", "E105"),
    "text_grade_decimal": ("qrels", "E110"),
    "text_grade_word": ("qrels", "E110"),
    "text_score_word": ("run", "E106"),
    "text_score_partial": ("run", "E106"),
    "text_score_hex": ("run", "E106"),
    "text_score_nan": ("run", "E107"),
    "text_empty_run": ("run", "E104"),
    "text_empty_qrels": ("qrels", "E104"),
}


def rows(table):
    values = table.grade if hasattr(table, "grade") else table.score
    return [
        [table.topics[topic], document, value]
        for topic, document, value in zip(table.topic.tolist(), table.document, values.tolist(), strict=True)
    ]


def test_files_are_read_as_meant_or_refused_with_a_reason(shared, tmp_path):
    cases = json.loads(gzip.decompress((shared / "conformance" / "handmade.json.gz").read_bytes()))
    texts = [case for case in cases if "files" in case]
    assert len(texts) > 25
    for case in texts:
        for role, read in (("qrels", read_qrels), ("run", read_run)):
            path = tmp_path / f"{case['name']}.{role}"
            path.write_bytes(case["files"][role].encode())
            refused, code = REFUSED.get(case["name"], ("", ""))
            if role == refused:
                with pytest.raises(Error) as caught:
                    read(path)
                assert caught.value.code == code, case["name"]
                continue
            expected = [[row[0].lstrip("\ufeff"), row[-2], float(row[-1])] for row in case[role]]
            assert rows(read(path)) == expected, case["name"]


def test_all_runs_of_trec_8_are_read_to_the_last_line(shared):
    paths = sorted((shared / "data" / "trec8" / "runs").glob("*.gz"))
    assert len(paths) == 129
    assert sum(len(read_run(path)) for path in paths) == 6_284_293
