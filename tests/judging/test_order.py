"""The order of serving is random, different for each assessor, the same each time, and tells nothing."""

import re

from cranfield.judging.records import AssessorAnswer, NoWork, PairRow, QueueRow, Work


def served(opened, user, shape, name):
    here = opened(**shape)
    order = []
    while isinstance(work := here.room.next(user), Work):
        order.append((work.topic, work.document_id))
        here.room.judge(user, work.item, AssessorAnswer("judged", 0), client_id=here.client())
    return order, here


SHAPE = {"topics": 2, "documents": 8, "seed": 5}


def test_bld_3_topics_are_grouped_and_documents_shuffled_by_seed_assessor_and_topic(opened):
    ann, _ = served(opened, "ann", SHAPE, "a")
    again, _ = served(opened, "ann", SHAPE, "b")
    bob, _ = served(opened, "bob", SHAPE, "c")
    other, _ = served(opened, "ann", {**SHAPE, "seed": 6}, "d")
    assert ann == again
    assert [topic for topic, _ in ann] == ["q1"] * 8 + ["q2"] * 8
    numbers = [[document.split("-")[1] for name, document in ann if name == topic] for topic in ("q1", "q2")]
    assert numbers[0] != numbers[1] != sorted(numbers[1])
    assert ann != bob
    assert ann != other
    assert sorted(ann) == sorted(bob)


def test_bld_3_the_order_served_is_recorded(opened):
    order, here = served(opened, "ann", SHAPE, "a")
    claims = [event.item for event in reversed(here.room.events(actor="ann", kind="claim", limit=100))]
    named = [here.room.work("ann", item).document_id for item in claims]
    assert named == [document for _, document in order]


def test_bld_2_item_ids_are_random(opened):
    here = opened()
    items = {lease.item for lease in [here.room.next("ann")]}
    assert all(re.fullmatch(r"[0-9a-f]{32}", item) for item in items)
    other = opened()
    assert not items & {here.room.next("bob").item, other.room.next("ann").item}


def test_a_restart_goes_on_in_the_same_order(opened):
    whole, _ = served(opened, "ann", SHAPE, "a")
    here = opened(**SHAPE)
    seen = []
    for _ in range(5):
        work = here.room.next("ann")
        seen.append((work.topic, work.document_id))
        here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id=here.client())
    here.room.close()
    again = type(here.room).open(here.room.path)
    work = again.next("ann")
    assert [*seen, (work.topic, work.document_id)] == whole[:6]
    again.close()


def test_what_does_not_change_queues_leaves_the_orders_in_memory(opened):
    here = opened(**SHAPE)
    here.room.next("ann")
    kept = dict(here.room._places._orders)
    here.room.set_guidelines("owner", "new")
    here.room.add_user("dan")
    assert here.room._places._orders == kept != {}
    here.room.add_pairs("owner", QueueRow("more"), [PairRow("q1", "new")])
    assert here.room._places._orders == {}


def test_pairs_that_are_added_while_serving_are_served(opened):
    here = opened(topics=1, documents=1)
    while isinstance(work := here.room.next("ann"), Work):
        here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id=here.client())
    here.room.add_pairs("owner", QueueRow("pool"), [PairRow("q1", "new")], number=1)
    assert here.room.next("ann").document_id == "new"


def test_a_queue_that_is_closed_is_not_served(opened):
    here = opened()
    here.room.close_queue("owner", 1)
    assert here.room.next("ann") == NoWork(True)
    here.room.close_queue("owner", 1, False)
    assert isinstance(here.room.next("ann"), Work)
