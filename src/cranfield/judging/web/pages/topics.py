"""S7, the topic microscope: rankings side by side, what is judged in them, and what could still change."""

from starlette.responses import RedirectResponse, Response

from cranfield.errors import Error
from cranfield.judging.looking.microscope import topic_under_microscope
from cranfield.judging.records import PairRow, QueueRow
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.serving.summaries import TopicStatus
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.drawing import NARROW, TopicPicture, drawn_topic
from cranfield.judging.web.rendering import render
from cranfield.judging.web.scale import GradeScale

MOST = 4  # runs side by side, unless some are named
QUEUE = "microscope"


def topic(ask: Ask) -> Response:
    """The page."""
    if ask.room.open_to(ask.visitor.name):
        return render(ask, "looking/later.html", what="Topics")
    name = ask.path("topic")
    needs = {each.topic: each for each in ask.room.status().topics}
    every = ask.room.runs()
    if name not in needs:  # a topic of the runs may have no pair in the lab
        if not any(name in run.topics for run in every):
            raise UnknownItem.named("topic", name)
        needs[name] = TopicStatus(name, name, 0, 0)
    wanted = ask.request.query_params.getlist("run")
    runs = [run for run in every if run.name in wanted] or every[:MOST]
    measure = ask.query("measure").strip() or "nDCG@10"
    problem, found = "", None
    pictures: tuple[TopicPicture, ...] = ()
    scale = GradeScale(ask.room.grades())
    if runs:
        try:
            found = topic_under_microscope(ask.room.qrels(), runs, name, measure)
            pictures = (drawn_topic(found, scale), drawn_topic(found, scale, NARROW))
        except Error as error:
            problem = f"{error.problem[:1].upper()}{error.problem[1:]}."
    order = list(needs)
    place = order.index(name)
    return render(
        ask,
        "looking/topic.html",
        status=422 if problem else 200,
        need=needs[name],
        found=found,
        pictures=pictures,
        scale=scale,
        names=[run.name for run in every],
        shown=[run.name for run in runs],
        measure=measure,
        problem=problem,
        before=order[place - 1] if place else "",
        after=order[place + 1] if place + 1 < len(order) else "",
        queued=ask.query("queued"),
    )


def queue(ask: Ask) -> Response:
    """Put documents of the topic into a queue of their own."""
    name = ask.path("topic")
    documents = [each for each in ask.fields.get("documents", "").split("\n") if each][:20]
    pairs = [PairRow(name, document, QUEUE, None) for document in documents]
    added = ask.room.add_to_list(ask.visitor.name, QueueRow(QUEUE, kind="list", adaptive=True), pairs)
    return RedirectResponse(ask.request.url.path + f"?queued={added}", 303)
