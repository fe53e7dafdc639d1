"""Parquet files that decode to more than there is memory for are refused before they are decoded."""

import io

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import Error, InputError
from cranfield.read.sources.parquet_size import page_totals
from tests.read.parquet_bomb import parquet_bomb

pl = pytest.importorskip("polars")


def test_what_is_made_by_hand_is_a_parquet_file(tmp_path):
    frame = pl.read_parquet(io.BytesIO(parquet_bomb(10, pages=3)))
    assert frame.rows() == [("301", "d1", 1.5)] * 10


@pytest.mark.parametrize("rows", [10**9, 10**12])
@pytest.mark.parametrize("read", [cf.read_run, cf.read_qrels, cf.check])
def test_some_bytes_that_stand_for_billions_of_rows_are_refused(tmp_path, read, rows, monkeypatch):
    monkeypatch.setattr("cranfield.read.sources.compressed.at_most", lambda: 16 << 30)
    bomb = tmp_path / "run.parquet"
    bomb.write_bytes(parquet_bomb(rows, pages=-(-rows // 10**9)))
    assert bomb.stat().st_size < 100_000
    if read is cf.check:
        assert "E308" in str(cf.check(str(bomb)))
        return
    with pytest.raises(InputError, match=r"E308: .*more than 8 GiB of data, half of the memory there is"):
        read(str(bomb))


def test_the_limit_that_is_given_counts(tmp_path):
    (tmp_path / "run.parquet").write_bytes(parquet_bomb(1000))
    with pytest.raises(InputError, match=r"E308: .*more than 20,000 bytes of data"):
        cf.read_run(str(tmp_path / "run.parquet"), max_size=20_000)
    with pytest.raises(cf.Error, match="E108"):  # which is read, and found to be full of duplicates
        cf.evaluate({"301": {"d1": 1}}, cf.read_run(str(tmp_path / "run.parquet"), max_size=30_000), "AP")


def test_a_long_string_that_stands_for_many_is_refused_before_it_is_repeated(tmp_path):
    (tmp_path / "run.parquet").write_bytes(parquet_bomb(10**6, document=b"x" * 10**6))
    with pytest.raises(Error, match="E250: the ids of 1,000,000 rows need about 1,000 GB of memory"):
        cf.read_run(str(tmp_path / "run.parquet"))


@pytest.mark.parametrize("compression", ["uncompressed", "zstd", "snappy"])
@pytest.mark.parametrize("statistics", [True, False])
def test_pages_are_counted_as_they_were_written(compression, statistics):
    rows, file = 20_000, io.BytesIO()
    frame = pl.DataFrame({"topic": ["301"] * rows, "doc": [f"d{n}" for n in range(rows)], "score": np.arange(rows) / 7})
    frame.write_parquet(file, compression=compression, statistics=statistics, row_group_size=3000, data_page_size=1000)
    found = page_totals(file.getvalue())
    assert found is not None
    assert (found.texts, found.values) == (2 * rows, 3 * rows)
    assert found.decoded >= 8 * 3 * rows
    assert found.held >= 80 * rows


def test_files_of_another_writer_are_counted_too():
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"topic": ["301"] * 500, "score": [0.5] * 500, "more": [[1, 2]] * 500, "none": [None] * 500})
    for version in ("1.0", "2.0"):
        file = io.BytesIO()
        parquet.write_table(table, file, data_page_version=version)
        found = page_totals(file.getvalue())
        assert found is not None
        assert (found.texts, found.values) == (500, 2500)


@pytest.mark.parametrize("cut", [0, 4, 12, 50, 200])
def test_what_is_no_parquet_file_is_not_counted(cut):
    whole = parquet_bomb(1000)
    assert page_totals(whole[:cut]) is None
    assert page_totals(b"PAR1" + bytes(cut) + whole[-8:]) is None
