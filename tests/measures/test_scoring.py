"""How runs are read is chosen before they are read, by what the measures need; nothing is read twice."""

import pytest

import cranfield as cf
from cranfield.errors import Error
from cranfield.read.sources.runs import RunDict, RunFile
from tests.kernel.paths import needs_compiled

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
RUN = "1 Q0 x 1 2 r\n1 Q0 a 2 2 r\n2 Q0 a 1 1 r\n"
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture
def readings(monkeypatch):
    """How runs were read, one word for each time."""
    ways = []

    def noted(kind, method, way):
        original = getattr(kind, method)

        def noting(self):
            ways.append(way)
            return original(self)

        monkeypatch.setattr(kind, method, noting)

    noted(RunFile, "open", "whole")
    noted(RunFile, "pieces", "streamed")
    noted(RunDict, "open", "whole")
    return ways


@pytest.fixture
def runs(tmp_path):
    for name in "rst":
        (tmp_path / f"{name}.run").write_text(RUN.replace(" r\n", f" {name}\n"))
    return sorted(tmp_path.iterdir())


@needs_compiled
@pytest.mark.parametrize(
    ("measures", "policies", "way"),
    [
        (["AP", "nDCG@10", "Bpref"], {}, "streamed"),
        (["AP", "ESL"], {}, "whole"),
        (["RelativeRelevance"], {}, "whole"),
        (["AP"], {"lengths": {"a": 10.0}}, "whole"),
        (["AP"], {"ties": "given"}, "whole"),
    ],
)
def test_a_file_is_read_once_in_the_way_that_the_measures_need(runs, readings, measures, policies, way):
    cf.evaluate(QRELS, runs, measures, **policies)
    assert readings == [way] * 3


@needs_compiled
@pytest.mark.parametrize(("measures", "ways"), [(["AP"], []), (["AP", "ESL"], ["whole"])])
def test_a_dictionary_becomes_a_table_only_for_measures_of_whole_lists(readings, measures, ways):
    cf.evaluate(QRELS, {"1": {"a": 1.0}}, measures)
    assert readings == ways


def test_ties_count_whether_or_not_other_measures_need_the_lists(runs):
    alone, together = (cf.evaluate(QRELS, runs, measures) for measures in (["ESL"], ["AP", "ESL"]))
    assert alone.values[:, :, 0].tolist() == together.values[:, :, 1].tolist() == [[0.5, 0.0]] * 3


def test_a_measure_of_ones_own_sees_every_document_of_a_file(runs, readings):
    @cf.measure("Listed")
    def listed(r):
        return len(r.ids)

    try:
        assert cf.evaluate(QRELS, runs, "Listed").values[0].tolist() == [[2], [1]]
    finally:
        cf.forget("Listed")
    assert readings == ["whole"] * 3


@needs_compiled
def test_the_run_that_a_measure_refuses_is_not_read_again(runs, readings):
    runs[1].write_text(RUN.replace(" r\n", " s\n") + "".join(f"2 Q0 x{n} 9 0 s\n" for n in range(9)))
    with pytest.raises(Error) as alone:
        cf.evaluate(QRELS, runs[1], "NormRecall(collection=5)")
    readings.clear()
    with pytest.raises(Error) as among_others:
        cf.evaluate(QRELS, runs, "NormRecall(collection=5)")
    assert str(among_others.value) == str(alone.value)
    assert "a topic alone has 10 documents" in str(alone.value)
    assert readings == ["streamed"] * 3
