"""S4, how far assessors agree, whether it matters for the systems, and which disagreements to settle first."""

from collections.abc import Sequence

from starlette.responses import Response

from cranfield.errors import Error
from cranfield.judging.agreeing.view import AgreementView, agreement_view, visible_to
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.looking.agreed import agreement_part, summary_sentence
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.rendering import render
from cranfield.judging.web.scale import GradeScale
from cranfield.measures.grammar import parse
from cranfield.tables.run import Run, Runs

MOST_LISTED = 200
MEASURE = "nDCG@10"
TITLES = {
    "people": "Between assessors",
    "model": "People and model",
    "itself": "Each assessor with their own repeated judgments",
}


def agreement(ask: Ask) -> Response:
    """Coefficients, confusion, disagreements; queues in which pairs are open to the visitor are left out (BLD-4)."""
    lab = visible_to(ask.room, ask.visitor.name)
    if lab is None:
        return render(ask, "looking/agreement_hidden.html", progress=ask.room.own_progress(ask.visitor.name))
    kept = [] if ask.room.open_to(ask.visitor.name) else named_for(ask, ask.room.runs())  # BLD-1
    wanted = ask.request.query_params.getlist("run")
    runs = [run for run in kept if run.name in wanted] or kept
    measure = ask.query("measure").strip() or MEASURE
    found, problem = _found(lab, runs, measure)
    parts = {"people": found.people, "model": found.model, "itself": found.itself}
    return render(
        ask,
        "looking/agreement.html",
        status=422 if problem else 200,
        problem=problem,
        summary="" if found.people is None else summary_sentence(found.people),
        parts=[agreement_part(TITLES[name], each) for name, each in parts.items() if each is not None],
        why_not=found.why_not,
        disagreements=found.disagreements[:MOST_LISTED],
        listed=(min(len(found.disagreements), MOST_LISTED), len(found.disagreements)),
        model_disagreements=found.model_disagreements[:MOST_LISTED],
        to_settle={line.item for line in ask.room.disputes(ask.visitor.name) if not line.own},
        scale=GradeScale(ask.room.grades()),
        lab=ask.room.path.name,
        names=[run.name for run in kept],
        shown=[run.name for run in runs],
        measure=measure,
        with_runs=len(runs) > 1 and not problem,
    )


def named_for(ask: Ask, runs: Sequence[Run]) -> list[Run]:
    """The runs under their names; for who may not compare systems, under numbers, so that no system is favoured."""
    if ask.visitor.may("owner", "viewer"):
        return list(runs)
    return [run.renamed(f"system {number}") for number, run in enumerate(runs, 1)]


def _found(snapshot: LabSnapshot, runs: Sequence[Run], measure: str) -> tuple[AgreementView, str]:
    """What there is to show, and what is wrong with the measure that was asked for."""
    if len(runs) < 2:
        return agreement_view(snapshot), ""
    try:
        parse(measure)
        return agreement_view(snapshot, Runs(tuple(runs)), measure), ""
    except Error as error:
        return agreement_view(snapshot), f"{error.problem[:1].upper()}{error.problem[1:]}."
