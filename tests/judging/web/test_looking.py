"""Pages of owners and viewers: decisions, runs compared, topics under the microscope."""

import re
import secrets
from dataclasses import replace

import pytest

from cranfield.align.policy import CHOICES
from cranfield.judging.records import AssessorAnswer, Work
from cranfield.judging.store.events import chosen_events
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.several.posthoc import POSTHOC
from tests.judging.deciding.worlds import decide_lab, named_runs, truth
from tests.judging.web.rooms import opened

NAMES = ("lexical", "hybrid", "letters")
WITHOUT_RANGES = {("unjudged", "bounds"), ("unjudged", "estimate"), ("no_relevant", "one")}


@pytest.fixture
def place(tmp_path):
    """A room with three runs, and a decide queue of two of them."""
    decide_lab(tmp_path / "lab.db", NAMES[:2])
    with opened(tmp_path, new=False) as found:
        found.room.keep_runs(named_runs(*NAMES), 100)
        found.room.add_user("ann")
        yield found


def judge(place, most=100):
    """Judge as the truth has it."""
    for _ in range(most):
        work = place.room.next("ann")
        if not isinstance(work, Work):
            return
        answer = AssessorAnswer("judged", truth()[work.topic][work.document_id])
        place.room.judge("ann", work.item, answer, client_id=secrets.token_hex(8))


def test_an_owner_follows_the_range_and_is_told_when_to_stop(place):
    owner = place.signed_in("olga", "owner")
    before = owner.get("/queues/2").text
    assert "judgments would decide lexical – hybrid" in before
    assert before.count('class="possible"') == 2  # the picture, and the one for a phone
    judge(place, 3)
    assert owner.get("/queues/2").text.count('class="possible"') == 8
    judge(place)
    after = owner.get("/queues/2").text
    assert "lexical – hybrid: you may stop judging" in after
    assert "hybrid is better than lexical on these 20 topics, whatever" in after


def test_an_owner_who_judges_is_told_only_the_number_left_until_the_reveal(place):
    both = place.signed_in("oscar", "owner", "assessor")
    judge(place, 2)
    hidden = both.get("/queues/2").text
    assert "About" in hidden
    assert not any(name in hidden for name in (*NAMES, "P@5"))
    assert both.post("/queues/2/reveal").status_code == 303
    assert "lexical" in both.get("/queues/2").text
    (event,) = chosen_events(place.room.read(), kind="reveal")
    assert event.new == {"queue": 2, "what": "decision"}


def test_a_queue_that_decides_nothing_has_no_such_page(place):
    owner = place.signed_in("olga", "owner")
    assert [owner.get(f"/queues/{queue}").status_code for queue in ("1", "99", "x")] == [404, 404, 404]
    assert owner.post("/queues/1/reveal").status_code == 404


def test_an_owner_asks_for_a_decision_between_runs_that_are_kept(place):
    owner = place.signed_in("olga", "owner")
    assert 'value="letters"' in owner.get("/queues/decide").text
    asked = owner.post("/queues/decide", data={"runs": ["hybrid", "letters"], "measure": "P@5", "stop": "0.05"})
    assert (asked.status_code, asked.headers["location"]) == (303, "/queues/3")
    assert "hybrid" in owner.get("/queues/3").text
    wrong = owner.post("/queues/decide", data={"runs": ["hybrid"], "measure": "P@5"})
    assert wrong.status_code == 422
    assert "two runs or more" in wrong.text


def test_a_viewer_compares_runs_with_what_is_missing(place):
    viewer = place.signed_in("vera", "viewer")
    page = viewer.get("/compare?measure=P@5&baseline=letters&test=sign&adjust=bh").text
    rows = re.findall(r'<th scope="row">([a-z-]+)', page)
    assert rows[0] == "letters"
    assert set(rows[:3]) == set(NAMES)
    assert "sign test" in page
    assert page.count('class="possible"') == page.count('class="interval"') == page.count('class="score"') == 3
    assert "95 % interval over topics" in page
    assert "/topics/q01?measure=P%405" in page
    assert viewer.get("/compare?measure=nonsense").status_code == 422
    file = viewer.get("/export/scores.csv?measure=P@5&baseline=letters")
    assert file.text.splitlines()[0] == "topic,measure,baseline,value,run,difference"
    assert len(file.text.splitlines()) == 1 + 20 * 2


def test_policies_are_chosen_on_the_page(place):
    """S6: policy selectors; with the judgments of few topics, the mean depends on which topics count."""
    viewer = place.signed_in("vera", "viewer")
    usual = viewer.get("/compare?measure=AP").text
    assert all(f'name="{name}"' in usual for name in ("unjudged", "topic_set", "no_relevant", "rel"))
    condensed = viewer.get("/compare?measure=AP&unjudged=condensed&topic_set=union&no_relevant=exclude&rel=2").text
    assert "<details open><summary>Test, correction and policies" in condensed
    means = [re.findall(r'data-label="Mean">([\d.]+)', page) for page in (usual, condensed)]
    assert len(means[0]) == 3
    assert means[0] != means[1]
    topics = re.findall(r"/topics/(q\d+)\?", usual)
    known = [topic.topic for topic in place.room.status().topics]
    assert [topic for topic in topics if topic in known] == known
    assert viewer.get(f"/topics/{next(topic for topic in topics if topic not in known)}").status_code == 200


@pytest.mark.parametrize(
    ("field", "registry", "model"),
    [("test", TESTS, "sign"), ("adjust", CORRECTIONS, "holm"), ("adjust", POSTHOC, "tukey")],
    ids=["test", "correction", "comparison of all pairs"],
)
def test_what_is_registered_is_offered_and_used_by_name_and_by_alias(place, field, registry, model):
    viewer = place.signed_in("vera", "viewer")
    registry.add("mine-own", replace(registry[model], name="mine-own"), aliases=["mine-alias"])
    try:
        offered = viewer.get("/compare?measure=P@5").text
        assert all(f"<option>{name}</option>" in offered or f"<option selected>{name}<" in offered for name in registry)
        for name in ("mine-own", "mine-alias"):
            answer = viewer.get(f"/compare?measure=P@5&{field}={name}")
            assert answer.status_code == 200
            assert "<option selected>mine-own</option>" in answer.text
    finally:
        registry.remove("mine-own")


@pytest.mark.parametrize("field", ["test", "adjust", "unjudged", "topic_set", "no_relevant"])
def test_a_word_that_the_page_does_not_know_is_refused(place, field):
    viewer = place.signed_in("vera", "viewer")
    answer = viewer.get(f"/compare?measure=P@5&{field}=nonsense")
    assert answer.status_code == 422
    assert f"{field.capitalize()}=&#34;nonsense&#34; is unknown." in answer.text
    assert 'name="measure" value="P@5"' in answer.text
    assert viewer.get(f"/export/scores.csv?measure=P@5&{field}=nonsense").status_code == 400


@pytest.mark.parametrize("field", ["unjudged", "topic_set", "no_relevant"])
def test_the_page_offers_each_policy_that_it_can_draw_and_no_other(place, field):
    """A policy is refused by the page if it has no single values, or no ranges."""
    viewer = place.signed_in("vera", "viewer")
    drawn = {word for word in CHOICES[field] if (field, word) not in WITHOUT_RANGES}
    asked = {word: viewer.get(f"/compare?measure=P@5&{field}={word}") for word in CHOICES[field]}
    assert {word for word, answer in asked.items() if "is unknown" not in answer.text} == drawn
    assert {word for word, answer in asked.items() if f"<option selected>{word}</option>" in answer.text} == drawn


def test_bld_1_who_has_pairs_to_judge_sees_no_systems(place):
    both = place.signed_in("oscar", "owner", "assessor")
    for path in ("/compare", "/topics/q01"):
        page = both.get(path).text
        assert "Shown when no pair is open to you" in page
        assert not any(name in page for name in NAMES)
    assert both.get("/export/scores.csv").status_code == 409
    judge(place)
    assert "hybrid" in both.get("/compare?measure=P@5").text


def test_a_topic_under_the_microscope(place):
    owner = place.signed_in("olga", "owner")
    page = owner.get("/topics/q03?measure=P@5&run=lexical&run=hybrid").text
    assert "ocument at rank" in page
    assert page.count('class="swatch"') == 20  # the picture, and the one for a phone
    assert 'data-shade="none"' in page
    assert "Judge these" in page or "Judge this one" in page
    documents = re.findall(r'name="documents" value="([^"]+)"', page)
    assert owner.post("/topics/q03", data={"documents": documents}).status_code == 303
    queue = next(state for state in place.room.queues() if state.queue.name == "microscope")
    assert (queue.pairs, queue.queue.adaptive) == (len(documents), True)
    assert owner.get("/topics/elsewhere").status_code == 404
    assert "Judge these" not in place.signed_in("vera", "viewer").get("/topics/q03?measure=P@5").text


def test_the_home_screen_has_a_card_for_owners_and_none_for_assessors(place):
    owner = place.signed_in("olga", "owner").get("/").text
    assert "judgments would decide lexical – hybrid" in owner
    assert 'class="possible"' in owner
    both = place.signed_in("oscar", "owner", "assessor").get("/").text
    assert "left in decide 1" in both
    assert not any(name in both for name in NAMES)
    assert "decide" not in place.signed_in("ada", "assessor").get("/").text
