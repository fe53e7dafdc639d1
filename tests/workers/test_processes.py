"""Pieces on several processes: in order, once, and again where a process is lost."""

import multiprocessing
import os
import signal
import sys
import time

import pytest

import cranfield as cf
from cranfield.workers import Alone, workers
from cranfield.workers.processes import ATTEMPTS, Processes


def square(factor: int, piece: int) -> int:
    time.sleep(0.002 * (piece % 3))  # not in order
    return factor * piece**2


def process(_: None, piece: int) -> int:
    time.sleep(0.02)
    return os.getpid()


def fail_at(_: None, piece: int) -> int:
    if piece in (3, 5):
        raise cf.InputError("E105", f"piece {piece}", path="a.run", line=piece)
    return piece


def die_once(flag: str, piece: int) -> int:
    if piece == 4:
        try:
            os.mkdir(flag)
        except FileExistsError:
            return piece
        os.kill(os.getpid(), signal.SIGKILL)
    return piece


def die(_: None, piece: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return piece


def hang_up(_: None, piece: int) -> int:
    parent = multiprocessing.parent_process()
    assert parent is not None
    watched = parent.sentinel  # a process whose parent ends does so too
    os.closerange(3, watched)  # the connection is gone before the process is
    os.closerange(watched + 1, 1024)
    time.sleep(0.2)
    os._exit(7)


@pytest.mark.parametrize("jobs", [1, 2, 5, 40])
def test_results_come_in_the_order_of_the_pieces(jobs):
    assert list(Processes(jobs).map(square, 3, range(20), [1] * 20)) == [3 * n**2 for n in range(20)]


def test_several_processes_work_and_none_of_them_is_this_one():
    found = set(Processes(3).map(process, None, range(12), [1] * 12))
    assert len(found) == 3
    assert os.getpid() not in found


def test_the_first_error_in_order_is_raised_and_says_all_it_has_to():
    results = Processes(2).map(fail_at, None, range(8), [1] * 8)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(cf.InputError) as caught:
        next(results)
    assert (caught.value.problem, caught.value.path, caught.value.line) == ("piece 3", "a.run", 3)


@pytest.mark.skipif(os.name == "nt", reason="processes are killed differently on Windows")
def test_a_piece_whose_process_was_killed_is_done_again(tmp_path):
    assert list(Processes(2).map(die_once, str(tmp_path / "died"), range(10), [1] * 10)) == list(range(10))
    assert (tmp_path / "died").exists()


@pytest.mark.skipif(os.name == "nt", reason="processes are killed differently on Windows")
def test_pieces_that_end_every_process_are_given_up():
    with pytest.raises(cf.Error, match=r"E234: processes ended before their work was done \(exit code -9\)"):
        list(Processes(2).map(die, None, range(ATTEMPTS + 9), [1] * (ATTEMPTS + 9)))


@pytest.mark.skipif(os.name == "nt", reason="processes hold their connections differently on Windows")
def test_the_exit_code_is_known_even_if_the_connection_ends_first():
    with pytest.raises(cf.Error, match=r"\(exit code 7\)"):
        list(Processes(2).map(hang_up, None, range(ATTEMPTS + 9), [1] * (ATTEMPTS + 9)))


def test_nobody_is_left_when_results_are_no_longer_wanted():
    results = Processes(2).map(process, None, range(1000), [1] * 1000)
    next(results)
    results.close()
    assert multiprocessing.active_children() == []


def test_small_work_is_done_here_and_large_work_by_processes():
    assert isinstance(workers(None, None, [1000], processes=True), Alone)
    assert isinstance(workers(1, None, [1 << 40], processes=True), Alone)
    assert workers(3, None, [1], processes=True) == Processes(3)
    large = workers(None, None, [1 << 30], processes=True)
    assert isinstance(large, Processes)


@pytest.mark.skipif(sys.platform != "linux", reason="that is how it goes elsewhere anyway")
def test_what_is_needed_can_be_handed_over_too(monkeypatch):
    monkeypatch.setattr("cranfield.workers.processes._METHOD", "spawn")
    assert list(Processes(2).map(pow, 2, range(5), [1] * 5)) == [1, 2, 4, 8, 16]
