"""S9, what a person may choose: keys, size of text, contrast, highlights; and signing out everywhere."""

from starlette.responses import RedirectResponse, Response

from cranfield.judging.web.asking import Ask
from cranfield.judging.web.keymap import ACTIONS, keymap, problems
from cranfield.judging.web.rendering import render

SIZES = ("small", "medium", "large", "largest")
CONTRASTS = ("auto", "high")


def settings(ask: Ask) -> Response:
    """The page, with what is chosen now."""
    return _page(ask, [], dict(ask.visitor.settings))


def change(ask: Ask) -> Response:
    """Keep what was chosen, unless two actions have one key."""
    if ask.fields.get("what") == "everywhere":
        ask.request.state.doors.sign_out_everywhere(ask.visitor.name)
        return RedirectResponse(f"{ask.root}/login", 303)
    usual = {action.name: action.keys[0] for action in ACTIONS}
    typed = {name: ask.fields.get(f"key-{name}", key).strip() for name, key in usual.items()}
    chosen = {name: key for name, key in typed.items() if key and key != usual[name]}
    text, contrast = ask.fields.get("text", ""), ask.fields.get("contrast", "")
    new: dict[str, object] = {
        "keys": ask.fields.get("keys") == "yes",
        "keymap": chosen,
        "text": text if text in SIZES else "medium",
        "contrast": contrast if contrast in CONTRASTS else "auto",
        "highlights": ask.fields.get("highlights") == "yes",
    }
    wrong = problems(chosen)
    if wrong:
        return _page(ask, wrong, new, status=422)
    ask.room.set_settings(ask.visitor.name, new)
    return RedirectResponse(f"{ask.root}/settings?saved=yes", 303)


def _page(ask: Ask, wrong: list[str], chosen: dict[str, object], status: int = 200) -> Response:
    mine = chosen.get("keymap")
    return render(
        ask,
        "settings.html",
        status=status,
        wrong=wrong,
        saved=ask.query("saved") == "yes",
        actions=ACTIONS,
        keys=keymap(ask.visitor),
        keymap=mine if isinstance(mine, dict) else {},
        sizes=SIZES,
    )
