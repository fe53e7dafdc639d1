"""The room of the demo, answered with the grades that its holes have: how many judgments decide it."""

import pytest

from cranfield.judging.records import AssessorAnswer, Work
from cranfield.judging.room import Room
from tests.sample.library.frozen import frozen_demo, grades_of_holes


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # there are holes: that is the point
@pytest.mark.parametrize(("name", "judgments"), [("reader", 9), ("ann", 10)])
def test_the_room_stops_after_nine_or_ten_judgments(tmp_path, monkeypatch, name, judgments):
    """The order inside of a batch is that of the assessor, which is why their numbers differ."""
    monkeypatch.setattr("cranfield.sample.demo.installed", lambda extra: extra != "charts")  # no report is looked at
    grade = grades_of_holes()
    room = Room.open(frozen_demo(tmp_path / "demo").lab().path)
    asked = []
    try:
        room.add_user(name)
        while isinstance(work := room.next(name), Work):
            asked.append((work.topic, work.document_id))
            room.judge(name, work.item, AssessorAnswer("judged", grade[asked[-1]]), client_id=f"{len(asked)}")
    finally:
        room.close()
    assert len(asked) == judgments
