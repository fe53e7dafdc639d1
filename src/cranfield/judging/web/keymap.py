"""The keys of judging: each action has a name, words and keys; an assessor may give it another key, or switch all off.

Pages write the keys of a control into its attribute `data-keys`; the script looks the pressed key up there and presses
the control. So a key never does what no visible control does, and no script is generated. Digits are grades.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cranfield.judging.web.asking import Visitor


@dataclass(frozen=True)
class KeyAction:
    """Something that a key does: its name, what the list of keys says, and the keys it has at first."""

    name: str
    words: str
    keys: tuple[str, ...]


ACTIONS = (
    KeyAction("next", "next document", ("n", "j")),
    KeyAction("previous", "previous document", ("p", "k")),
    KeyAction("undo", "take back your last judgment", ("u", "Backspace", "Ctrl+z")),
    KeyAction("later", "later, at the end of your queue", ("s",)),
    KeyAction("cannot", "cannot judge, with a reason", ("x",)),
    KeyAction("flag", "flag for the owner", ("f",)),
    KeyAction("note", "write a note; Esc leaves it", ("c",)),
    KeyAction("mark", "mark the selected passage", ("m",)),
    KeyAction("highlights", "words of the need highlighted or not", ("h",)),
    KeyAction("find", "find in the document", ("/",)),
    KeyAction("guide", "guidelines and meaning of the grades", ("g",)),
    KeyAction("keys", "this list", ("?",)),
)
_NAMES = {action.name: action for action in ACTIONS}


def is_key(text: str) -> bool:
    """Whether a text can be the key of an action: one visible character that is no digit.

    >>> [is_key(text) for text in ("q", "ö", "7", " ", "ab", "")]
    [True, True, False, False, False, False]
    """
    return len(text) == 1 and text.isprintable() and not text.isspace() and not text.isdigit()


def problems(chosen: Mapping[str, str]) -> list[str]:
    """What is wrong with keys that a person chose, in sentences.

    >>> problems({"later": "x"})
    ['x is the key of “cannot judge, with a reason” already.']
    """
    found = [
        f"“{key}” is no key for “{_NAMES[name].words}”: choose one character that is no digit."
        for name, key in chosen.items()
        if name in _NAMES and not is_key(key)
    ]
    taken: dict[str, str] = {}
    for name in sorted(_NAMES, key=lambda name: name in chosen):
        for key in (chosen[name],) if name in chosen else _NAMES[name].keys:
            if key in taken and is_key(key):
                found.append(f"{key} is the key of “{_NAMES[taken[key]].words}” already.")
            taken.setdefault(key, name)
    return found


def keymap(visitor: Visitor) -> dict[str, tuple[str, ...]]:
    """The keys of each action for one person; none if they are switched off.

    >>> keymap(Visitor(settings={"keymap": {"later": "l"}}))["later"]
    ('l',)
    """
    chosen = visitor.setting("keymap")
    mine = chosen if isinstance(chosen, Mapping) else {}
    if not visitor.setting("keys"):
        return {action.name: () for action in ACTIONS}
    return {
        action.name: (str(mine[action.name]),) if is_key(str(mine.get(action.name, ""))) else action.keys
        for action in ACTIONS
    }
