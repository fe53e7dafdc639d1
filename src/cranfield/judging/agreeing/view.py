"""What the screen of agreement shows, and who may see it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.errors import Error
from cranfield.errors.warning import kept
from cranfield.judging.agreeing.disagreements import DisputedPair, disagreements
from cranfield.judging.agreeing.stored import graded, snapshot_judgments
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.records import PEOPLE
from cranfield.judging.store.candidates import queues_open_to
from cranfield.stats.agreement.agree import agree
from cranfield.stats.agreement.result import Agreement
from cranfield.tables.judgments import Judgments

if TYPE_CHECKING:
    from cranfield.judging.room import Room
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import RunsLike

_SEES = ("owner", "adjudicator")


@dataclass(frozen=True)
class AgreementView:
    """The screen of agreement: every part is there, or says why it is not.

    Attributes:
        people: agreement between people: coefficients with intervals, confusion, `prevalence`, `consequences` (τ).
        why_not: in words, why there is no such agreement; empty if there is one.
        model: agreement of people, taken together, with a model; None if no model labelled.
        itself: agreement of each assessor with their own repeated judgments; None if no pair was judged again.
        disagreements: pairs on which people differ, those first that change most about the systems.
        model_disagreements: pairs on which people and models differ.
    """

    people: Agreement | None
    why_not: str
    model: Agreement | None
    itself: Agreement | None
    disagreements: tuple[DisputedPair, ...]
    model_disagreements: tuple[DisputedPair, ...]


def agreement_view(
    lab: LabSnapshot,
    runs: "RunsLike | None" = None,
    measures: "MeasuresLike" = "nDCG@10",
    *,
    samples: int = 1000,
    seed: int = 0,
) -> AgreementView:
    """What the judgments of a lab say about agreement; runs say whether it changes the order of systems."""
    name = lab.facts.get("name", "lab")
    everything = snapshot_judgments(lab, name)
    with kept():  # the page shows what they say
        by_people = graded([pair.of_kinds(PEOPLE) for pair in lab.pairs], everything.source)
        people, why_not = _agreement(by_people, runs, measures, samples, seed)
        model = None
        if any(said.kind == "llm" for pair in lab.pairs for said in pair.said):
            both, _ = _agreement(everything, runs, measures, samples, seed)
            model = None if both is None else both.model or (both if len(both.assessors) == 2 else None)
        own, _ = _agreement(snapshot_judgments(lab, name, repeats=True), None, measures, samples, seed, itself=True)
    differ = disagreements(lab.pairs, runs, measures)
    known = {each.item for each in differ}
    with_models = disagreements(lab.pairs, runs, measures, include=("llm",)) if model is not None else []
    return AgreementView(
        people=people,
        why_not=why_not,
        model=model,
        itself=own,
        disagreements=tuple(differ),
        model_disagreements=tuple(each for each in with_models if each.item not in known),
    )


def visible_to(room: "Room", user: str) -> LabSnapshot | None:
    """The part of a lab whose figures of agreement a person may see now; None if there is nothing of it (BLD-4).

    An assessor who knew how far the others agree with them would judge the rest with that in mind. So an owner or
    adjudicator who also judges sees no pair of a queue in which pairs are open to them.
    """
    roles = room.person(user).roles
    if not any(role in _SEES for role in roles):
        return None
    lab = LabSnapshot.of(room.read())
    if "assessor" not in roles:
        return lab
    hidden = queues_open_to(room.read(), user) - set(room.desks.decided())
    shown = tuple(pair for pair in lab.pairs if not hidden & set(pair.queues))
    return replace(lab, pairs=shown) if shown or not hidden else None


def may_see_agreement(room: "Room", user: str) -> bool:
    """Whether a person may see figures of agreement of any queue now."""
    return visible_to(room, user) is not None


def _agreement(
    source: Judgments,
    runs: "RunsLike | None",
    measures: "MeasuresLike",
    samples: int,
    seed: int,
    *,
    itself: bool = False,
) -> tuple[Agreement | None, str]:
    """The agreement, or in words why there is none."""
    if not len(source):
        return None, "no pair has been judged"
    try:
        found = agree(source, runs=runs, measures=measures, samples=samples, seed=seed, itself=itself)
    except Error as error:
        return None, str(error.problem)
    return found, ""
