"""The derived tables follow from the events: made again, they are equal byte by byte."""

import pytest

from cranfield.errors import InputError
from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer
from cranfield.judging.room import Room
from cranfield.judging.store.files.backup import copy_lab, restore_lab
from cranfield.judging.store.files.doctor import digests, examine, repair
from tests.judging.life import live


@pytest.mark.parametrize("seed", range(4))
def test_rel_9_tables_made_again_from_events_are_byte_equal(opened, seed):
    here = opened(topics=3, documents=4, k=2, overlap=0.5)
    here.room.may_settle_own("owner", True)
    live(here, seed)
    with Lab(here.room.path).reading() as connection:
        before = digests(connection)
    assert examine(here.room.path).problems == ()
    here.room.close()
    repair(here.room.path)
    with Lab(here.room.path).reading() as connection:
        assert digests(connection) == before


def test_rel_9_the_doctor_finds_and_repairs_tables_that_do_not_follow(opened):
    here = opened(topics=1, documents=2)
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    here.room.write(lambda connection: connection.execute("UPDATE current SET grade = 0"))
    here.room.write(lambda connection: connection.execute("UPDATE counts SET open = 7"))
    here.room.close()
    found = examine(here.room.path)
    assert found.problems == tuple(
        f"the table {name} does not follow from the events" for name in ("current", "counts")
    )
    assert repair(here.room.path).rebuilt
    assert examine(here.room.path).problems == ()
    assert Lab(here.room.path).judgments()[0].answer.grade == 1


def test_events_can_be_neither_changed_nor_removed(opened):
    here = opened()
    for statement in ("UPDATE events SET actor = 'eve'", "DELETE FROM events"):
        with pytest.raises(Exception, match="events are never"):
            here.room.write(lambda connection, statement=statement: connection.execute(statement))


def test_a_copy_made_while_serving_holds_what_was_saved(opened, tmp_path):
    here = opened(topics=1, documents=2)
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    copy = copy_lab(here.room.path, tmp_path / "copy.db")
    assert list(Lab.open(copy).judgments()) == list(Lab(here.room.path).judgments())
    again = Room.open(copy)  # no process serves the copy
    again.close()
    with pytest.raises(InputError, match="exists already"):
        copy_lab(here.room.path, copy)


def test_a_copy_is_put_back_and_what_was_there_is_kept(opened, tmp_path):
    here = opened(topics=1, documents=2)
    copy = copy_lab(here.room.path, tmp_path / "copy.db")
    work = here.room.next("ann")
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id="1")
    here.room.close()
    replaced = restore_lab(copy, here.room.path, here.hands.wall)
    assert list(Lab.open(here.room.path).judgments()) == []
    assert replaced is not None
    assert len(Lab.open(replaced).judgments()) == 1
