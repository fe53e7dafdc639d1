"""S3, queues and people: how far each queue is, who holds what, who may do what; add pairs, invite, take back."""

from starlette.responses import RedirectResponse, Response

from cranfield.errors import Error, StoreError
from cranfield.judging.accounts.enrolling import invite as new_invitation
from cranfield.judging.accounts.roles import ROLES
from cranfield.judging.exporting.export_rules import ADJUDICATED, export_rules, rule_named
from cranfield.judging.exporting.raw import RAW_FORMS
from cranfield.judging.records import PairRow
from cranfield.judging.serving.summaries import LabStatus
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import count, render

MOST_LEASES = 200  # shown on one page


def queues(ask: Ask) -> Response:
    """The page."""
    return _page(ask)


def release(ask: Ask) -> Response:
    """Take one pair back from an assessor, or all that they hold; a named assessor gets it, or the next who asks."""
    assessor, item, to = (ask.fields.get(name, "") for name in ("assessor", "item", "to"))
    if to and item:
        try:
            ask.room.reassign(ask.visitor.name, item, assessor, to)
        except StoreError as error:
            return _page(ask, problem=f"Nothing was changed: {error.problem}.", status=422)
        return _back(ask)
    held = [lease for lease in ask.room.leases() if lease.assessor == assessor and item in ("", lease.item)]
    for lease in held:
        ask.room.release(ask.visitor.name, lease.item, assessor)
    return _back(ask)


def invite(ask: Ask) -> Response:
    """A link for one person; it is shown once, and only its hash is kept."""
    roles = [role for role in ROLES if role in ask.fields.get("roles", "").split("\n")]
    if not roles:
        return _page(ask, problem="Choose at least one role for the invitation.", status=422)
    me, clock = ask.visitor.name, ask.room.clock
    token = ask.room.write(lambda store: new_invitation(store, roles, actor=me, now=clock.now()))
    return _page(ask, link=f"{ask.request.state.doors.settings.address}invite#invite={token}", roles=roles)


def change(ask: Ask) -> Response:
    """Stop or serve a queue, or put pairs into it."""
    queue, what = ask.number("queue"), ask.fields.get("what", "")
    known = {state.id: state for state in ask.room.queues()}
    if queue is None or queue not in known:
        return _page(ask, problem="There is no such queue.", status=404)
    if what in ("close", "open"):
        ask.room.close_queue(ask.visitor.name, queue, what == "close")
        return _back(ask)
    lines = [line.split() for line in ask.fields.get("pairs", "").splitlines() if line.strip()]
    wrong = [number for number, line in enumerate(lines, 1) if len(line) != 2]
    if wrong or not lines:
        where = f"Line {wrong[0]} is not a topic and a document" if wrong else "There are no pairs"
        return _page(ask, problem=f"{where}: write one pair on each line, topic first.", status=422)
    pairs = [PairRow(topic, document, probability=None) for topic, document in lines]
    try:
        filled = ask.room.add_pairs(ask.visitor.name, known[queue].queue, pairs, number=queue)
    except Error as error:
        return _page(ask, problem=f"Nothing was added: {error.problem}.", status=422)
    return _page(ask, message=f"{count(filled.pairs, 'pair')} added, {filled.skipped:,} were there already.")


def change_user(ask: Ask) -> Response:
    """Give a person other roles, shut them out, or let them in again."""
    me, name, what = ask.visitor.name, ask.fields.get("name", ""), ask.fields.get("what", "")
    if what in ("disable", "enable"):
        if name == me:
            return _page(ask, problem="You cannot shut out yourself.", status=422)
        ask.room.disable(me, name, what == "disable")
        return _back(ask)
    roles = [role for role in ROLES if role in ask.fields.get("roles", "").split("\n")]
    if name == me and "owner" not in roles:
        return _page(ask, problem="You cannot take the role of owner from yourself.", status=422)
    ask.room.set_roles(me, name, roles)
    return _back(ask)


def _back(ask: Ask) -> Response:
    return RedirectResponse(f"{ask.root}/queues", 303)


def _page(
    ask: Ask,
    *,
    status: int = 200,
    problem: str = "",
    message: str = "",
    link: str = "",
    roles: list[str] | None = None,
) -> Response:
    found, now = ask.room.status(), ask.room.clock.now()
    blind = "assessor" in ask.visitor.roles and found.open > 0
    rules = [name for name in export_rules() if rule_named(name).whole]
    return render(
        ask,
        "queues.html",
        status=status,
        lab=found,
        leases=found.leases[:MOST_LEASES],
        now=now,
        blind=blind,
        has_gold=any(state.gold for state in found.queues),
        all_roles=ROLES,
        problem=problem,
        message=message,
        link=link,
        invited=roles or [],
        left=time_left(found),
        rules=rules,
        raw_forms=[form for form in RAW_FORMS.values() if form.available],
        otherwise=[name for name in rules if name != ADJUDICATED],
    )


def time_left(lab: LabStatus) -> dict[int, float | None]:
    """Milliseconds that each queue still takes, if all assessors went on with it alone at the pace they have."""
    judgments = {state.id: state.open * state.queue.k for state in lab.queues if not state.closed}
    return {
        state.id: 60_000 * judgments[state.id] / lab.per_minute if lab.per_minute and judgments.get(state.id) else None
        for state in lab.queues
    }
