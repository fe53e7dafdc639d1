"""Coming in and going out: sign in, set up, accept an invitation, sign out."""

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from cranfield.errors import PolicyError
from cranfield.judging.web.asking import Ask
from cranfield.judging.web.doors import Doors
from cranfield.judging.web.rendering import render
from cranfield.judging.web.routes import found

WRONG = "Name or password is wrong."


def login(ask: Ask) -> Response:
    """The page for signing in; on this machine alone without accounts, it asks for the setup link."""
    if ask.visitor.name:
        return _onward(ask)
    return render(ask, "entry/login.html", accounts=_doors(ask).has_accounts, next=ask.query("next"), problem="")


def sign_in(ask: Ask) -> Response:
    """Try name and password."""
    name, password = ask.fields.get("name", "").strip(), ask.fields.get("password", "")
    client = ask.request.client
    done = _doors(ask).sign_in(name, password, client.host if client else "")
    if done.session:
        return _entered(ask, done.session)
    minutes = -(-done.wait // 60)
    problem = f"Too many attempts. Try again in {minutes} min." if done.wait else WRONG
    status = 429 if done.wait else 401
    page = render(
        ask, "entry/login.html", status=status, accounts=True, next=ask.fields.get("next", ""), problem=problem
    )
    if done.wait:
        page.headers["retry-after"] = str(done.wait)
    return page


def setup(ask: Ask) -> Response:
    """The page on which a setup code is used."""
    return render(ask, "entry/setup.html", problem="", name="")


def set_up(ask: Ask) -> Response:
    """Use a setup code: a session as owner and assessor."""
    name = ask.fields.get("name", "")
    try:
        session = _doors(ask).set_up(ask.fields.get("token", "").strip(), name)
    except PolicyError as error:
        return render(ask, "entry/setup.html", status=400, problem=_sentence(error), name=name)
    return _entered(ask, session)


def invite(ask: Ask) -> Response:
    """The page on which an invitation is accepted."""
    return render(ask, "entry/invite.html", problem="", name="")


def accept(ask: Ask) -> Response:
    """Make the account of an invitation."""
    name, password = ask.fields.get("name", ""), ask.fields.get("password", "")
    try:
        if password != ask.fields.get("again", password):
            raise PolicyError("E242", "the two passwords differ")
        session = _doors(ask).accept(ask.fields.get("token", "").strip(), name, password)
    except PolicyError as error:
        return render(ask, "entry/invite.html", status=400, problem=_sentence(error), name=name)
    return _entered(ask, session)


def sign_out(ask: Ask) -> Response:
    """End this session, or all of this person."""
    doors, secure = _doors(ask), ask.request.url.scheme == "https"
    if ask.fields.get("everywhere"):
        doors.sign_out_everywhere(ask.visitor.name)
    name = doors.settings.cookie(secure)
    doors.sign_out(ask.request.cookies.get(name, ""))
    response = RedirectResponse(f"{ask.root}/login", 303)
    response.headers.append("set-cookie", doors.cookie(name, "", secure))
    return response


def health(ask: Ask) -> Response:
    """That the server answers, and nothing else."""
    return PlainTextResponse("ok\n")


def _entered(ask: Ask, session: str) -> Response:
    """Go on with a new session; the one before, if any, ends."""
    doors, secure = _doors(ask), ask.request.url.scheme == "https"
    name = doors.settings.cookie(secure)
    if before := ask.request.cookies.get(name):
        doors.sign_out(before)
    response = _onward(ask)
    response.headers.append("set-cookie", doors.cookie(name, session, secure))
    response.headers.append("set-cookie", doors.cookie(f"{name}-form", "", secure))
    return response


def _onward(ask: Ask) -> RedirectResponse:
    """To the page that was asked for, if it is one of ours."""
    wanted = ask.fields.get("next", "") or ask.query("next")
    row = found("GET", wanted) if wanted.startswith("/") and not wanted.startswith("//") else None
    return RedirectResponse(f"{ask.root}{wanted if row and row.who else '/'}", 303)


def _doors(ask: Ask) -> Doors:
    doors: Doors = ask.request.state.doors
    return doors


def _sentence(error: PolicyError) -> str:
    problem = f"{error.problem[:1].upper()}{error.problem[1:]}".rstrip(".")
    return f"{problem}: {error.hint}." if error.hint else f"{problem}."
