"""Downloads for owners: qrels under a named rule, and all judgments."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from cranfield.judging.exporting.export import rendered_export
from cranfield.judging.exporting.raw import RAW_FORMS
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.web.asking import Ask

QRELS = {"txt": "text/plain", "jsonl": "application/x-ndjson", "csv": "text/csv"}


def qrels(ask: Ask) -> Response:
    """One grade for each pair that has one; `?rule=` and `?otherwise=` choose how."""
    form = ask.path("form")
    media = f"{QRELS[form]}; charset=utf-8" if form in QRELS else None
    return _sent(ask, "qrels", form, media, rule=ask.query("rule") or "adjudicated")


def raw(ask: Ask) -> Response:
    """Every judgment with its assessor, time, note and status, in any registered form."""
    form = ask.path("form")
    found = RAW_FORMS.find(form)
    return _sent(ask, "raw", form, found.media if found else None, rule="raw")


def _sent(ask: Ask, name: str, form: str, media: str | None, *, rule: str) -> Response:
    if media is None:
        raise HTTPException(404, "There is no such form of the judgments.")
    snapshot = LabSnapshot.of(ask.room.read())
    made = rendered_export(snapshot, rule, ask.query("otherwise") or "majority", ending=f".{form}")
    told = {"rule": rule, "otherwise": ask.query("otherwise") or "majority", "open": None}
    ask.room.note_export(ask.visitor.name, told | {"counts": vars(made.counts), "files": [f"{name}.{form}"]})
    headers = {"content-disposition": f'attachment; filename="{name}.{form}"'}
    return Response(made.data, media_type=media, headers=headers)
