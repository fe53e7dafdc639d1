"""A study on three workers, one of them killed midway: the same bytes as here."""

import os
from typing import Any

import pytest

from cranfield import study
from tests.study.small import small

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
from tests.workers.test_cluster import Machines

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="processes are killed differently on Windows"),
    pytest.mark.filterwarnings("ignore"),
]


def test_three_workers_of_which_one_is_killed_make_the_same_study(tmp_path):
    killed: list[Any] = []

    def kill_midway(label: str, number: int, total: int) -> None:
        if (number, total) == (9, 30):
            machines.kill()
            killed.append(number)

    options: dict[str, Any] = {"levels": [100, 50, 10], "draws": 30, "seed": 7}
    measures = ["AP", "nDCG@10", "BprefN"]
    study.reduction(*small(), measures, folder=tmp_path / "here", jobs=1, **options)
    (tmp_path / "machines").mkdir()
    machines = Machines(tmp_path / "machines")
    try:
        for _ in range(3):
            machines.hire()
        machines.ready(3)
        there = tmp_path / "there"
        study.reduction(*small(), measures, folder=there, cluster=machines.address, progress=kill_midway, **options)
    finally:
        machines.close()
    assert killed == [9]
    names = sorted(path.name for path in (tmp_path / "here").iterdir())
    assert names == sorted(path.name for path in there.iterdir())
    assert all((tmp_path / "here" / name).read_bytes() == (there / name).read_bytes() for name in names)
