"""Many pieces at once: whatever finishes first, results, errors and warnings come in the order of the pieces."""

import sys
import threading
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import DataWarning, PolicyError
from cranfield.errors.warning import warn
from cranfield.workers import SMALL, TOGETHER, Alone, workers
from cranfield.workers.threads import Threads


def mapped(staff: Threads, function, pieces, sizes=None):
    return list(staff.map(lambda shared, piece: function(piece), None, pieces, sizes or [1] * len(pieces)))


@given(st.lists(st.integers(0, 3), max_size=8), st.integers(1, 5))
def test_results_come_in_the_order_of_the_pieces(waits, jobs):
    def late(wait: int) -> int:
        time.sleep(wait / 1000)
        return wait

    assert mapped(Threads(jobs), late, waits) == waits


def test_several_pieces_are_at_work_at_once():
    together = threading.Barrier(3)
    assert len(mapped(Threads(3), lambda _: together.wait(10), [1, 2, 3])) == 3


def test_one_job_works_in_the_thread_of_the_caller():
    assert set(mapped(Threads(1), lambda _: threading.current_thread(), [1, 2])) == {threading.current_thread()}


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_the_first_error_is_the_first_in_order_and_not_in_time(jobs):
    def failing(piece: int) -> int:
        if piece == 3:
            time.sleep(0.05)
        if piece in (3, 4):
            raise ValueError(piece)
        return piece

    results = Threads(jobs).map(lambda _, piece: failing(piece), None, range(9), [1] * 9)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="3"):
        next(results)


def test_after_an_error_no_further_piece_is_begun():
    begun = []

    def failing(piece: int) -> None:
        begun.append(piece)
        raise ValueError(piece)

    with pytest.raises(ValueError, match="0"):
        mapped(Threads(2), failing, range(100))
    assert len(begun) <= 2


def test_a_consumer_who_stops_stops_the_threads():
    begun, at_work, stopped = [], set(), threading.Event()

    def waiting(piece: int) -> None:
        begun.append(piece)
        at_work.add(threading.current_thread())
        if piece > 0:
            stopped.wait()

    results = Threads(2).map(lambda _, piece: waiting(piece), None, range(10_000), [1] * 10_000)
    next(results)
    results.close()
    stopped.set()
    for thread in tuple(at_work):
        thread.join()
    assert len(begun) <= 3  # the first, and one that each thread had begun before


@given(st.lists(st.integers(1, 10), min_size=2, max_size=12))
def test_pieces_at_work_stay_within_the_bound_but_for_one_that_is_larger_alone(sizes):
    lock, load, most = threading.Lock(), [0], [0]

    def weighing(size: int) -> None:
        with lock:
            load[0] += size
            most[0] = max(most[0], load[0])
        time.sleep(0.0005)
        with lock:
            load[0] -= size

    mapped(Threads(4, together=6), weighing, sizes, sizes)
    assert most[0] <= max(6, *sizes)


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_warnings_are_shown_in_the_order_of_the_pieces(jobs):
    def warning(piece: int) -> None:
        time.sleep((7 - piece) / 1000)
        warn(DataWarning("W103", f"piece {piece}"))

    with warnings.catch_warnings(record=True) as said:
        mapped(Threads(jobs), warning, range(8))
    assert [str(note.message) for note in said] == [f"W103: piece {piece}" for piece in range(8)]
    assert {note.filename for note in said} == {__file__}


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_warning_that_the_caller_makes_an_error_is_one(jobs):
    def warning(piece: int) -> None:
        warn(DataWarning("W103", f"piece {piece}"))

    with pytest.raises(DataWarning, match="piece 0"):
        mapped(Threads(jobs), warning, range(8))


def test_where_warnings_go_is_never_changed():
    before, filters = warnings.showwarning, list(warnings.filters)
    results = Threads(2).map(lambda _, piece: piece, None, range(4), [1] * 4)
    next(results)  # the caller may do anything while it waits for the next one
    assert (warnings.showwarning, warnings.filters) == (before, filters)
    results.close()


def test_small_work_is_done_without_threads_and_large_pieces_alone(monkeypatch):
    monkeypatch.setattr("cranfield.workers._cores", lambda: 8)
    assert isinstance(workers(None, None, []), Alone)
    assert isinstance(workers(None, None, [SMALL - 1]), Alone)
    assert isinstance(workers(1, None, [SMALL, SMALL]), Alone)
    assert workers(None, None, [SMALL, 1]) == Threads(8, TOGETHER)
    assert workers(None, None, [2 * TOGETHER, 1]) == Threads(8, 2 * TOGETHER)
    assert workers(3, None, [2 * TOGETHER, 1]) == Threads(3)


@pytest.mark.parametrize(("jobs", "code"), [(0, "E240"), (-1, "E240"), (1.5, "E240"), (True, "E241"), ("2", "E241")])
def test_a_number_of_jobs_is_a_whole_number_from_one(jobs, code):
    with pytest.raises(PolicyError, match="jobs=") as refused:
        workers(jobs, None, [])
    assert refused.value.code == code


def test_jobs_and_cluster_exclude_each_other():
    with pytest.raises(PolicyError, match="jobs and cluster exclude each other"):
        workers(2, "tcp://127.0.0.1:1", [])


def test_a_cluster_needs_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(PolicyError) as refused:
        workers(None, "tcp://127.0.0.1:1", [])
    assert str(refused.value) == (
        "E212: cluster needs dask.distributed, which is not installed: pip install 'cranfield[cluster]'"
    )
    assert refused.value.exit == 2
