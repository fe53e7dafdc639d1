"""What assessors ask for first is ready before they come."""

from cranfield.judging.web.app import TEMPLATES, page_of, warming
from cranfield.judging.web.rendering import environment
from cranfield.judging.web.routes import ROUTES


def test_app_1_pages_and_templates_of_assessors_are_ready_before_the_first_request():
    page_of.cache_clear()
    kept = environment().cache
    assert kept is not None
    kept.clear()
    with warming() as thread:
        thread.join(60)
    assert page_of.cache_info().currsize >= 10
    assert len(kept) == len(TEMPLATES)
    known = {*environment().list_templates()}
    assert {*TEMPLATES} <= known


def test_pages_of_owners_are_imported_when_they_are_asked_for():
    page_of.cache_clear()
    with warming() as thread:
        thread.join(60)
    before = page_of.cache_info().misses
    page_of(next(row for row in ROUTES if row.path == "/compare"))
    assert page_of.cache_info().misses == before + 1


def test_a_room_that_closes_at_once_does_not_wait_for_all_of_it():
    with warming() as thread:
        pass
    assert not thread.is_alive()
