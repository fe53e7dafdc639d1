"""Short answers of the guards: a page for people, JSON for scripts, never more than a sentence."""

import json
from collections.abc import Mapping
from html import escape
from http import HTTPStatus

from starlette.responses import RedirectResponse, Response
from starlette.types import Scope


def header(scope: Scope, name: bytes) -> str:
    """The last header of that name; empty if there is none."""
    found = [value for key, value in scope["headers"] if key == name]
    return str(found[-1].decode("latin-1")) if found else ""


def wants_json(scope: Scope) -> bool:
    """Whether a script of ours asks."""
    return "application/json" in header(scope, b"accept")


def route_path(scope: Scope) -> str:
    """The path without the prefix of the proxy."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path[len(root) :] if root and path.startswith(root + "/") else path


def refusal(scope: Scope, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """A sentence that says what is wrong and what to do."""
    if wants_json(scope):
        body = json.dumps({"error": sentence}, ensure_ascii=False)
        return Response(body, status, media_type="application/json", headers=headers)
    root, words = escape(str(scope.get("root_path", ""))), escape(HTTPStatus(status).phrase)
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{words} · cranfield</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="stylesheet" href="{root}/static/tokens.css">'
        f'<link rel="stylesheet" href="{root}/static/room.css"></head>\n'
        f'<body><main id="main" class="page"><h1>{words}</h1>\n<p>{escape(sentence)}</p>\n'
        f'<p><a href="{root}/">Back to the room</a></p></main></body></html>\n'
    )
    return Response(page, status, media_type="text/html", headers=headers)


def see_other(scope: Scope, path: str) -> Response:
    """Go to another page of the room, with GET."""
    return RedirectResponse(f"{scope.get('root_path', '')}{path}", 303)
