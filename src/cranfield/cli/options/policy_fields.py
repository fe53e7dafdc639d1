"""What the command line, the help pages and the reference need to know about each field of `Policy`."""

import re
from dataclasses import fields
from inspect import cleandoc
from typing import Any, Literal, NamedTuple, get_args, get_origin

from cranfield.align.policy import Policy
from cranfield.errors.wording import dashed

LETTERS = {"rel": ("-l", "GRADE"), "depth": ("-M", "K")}  # fields whose options are those of trec_eval
METAVARS = {"fold": "REGEX|MAP"}


class PolicyField(NamedTuple):
    """A field of `Policy`, its option and its meaning."""

    name: str
    flag: str  # on the command line
    values: tuple[str, ...]  # the words it is chosen from; none, if it is a number, a flag or a text
    default: Any  # a word, a number, False, or None
    metavar: str
    meaning: str  # from the docstring of `Policy`

    @property
    def said(self) -> str:
        """The meaning as the help page says it, where other policies have the names of their options."""
        flags = {f"`{name}`": _flag(name) for name in Policy.__dataclass_fields__ if name not in self.values}
        named = re.sub("`[a-z_]+`", lambda word: flags.get(word[0], word[0]), self.meaning)
        return named.rstrip(".").replace("`", "")


def policy_fields(policy: type[Policy] = Policy) -> dict[str, PolicyField]:
    """What is known about each field of a policy, by its name.

    >>> policy_fields()["ties"].values, policy_fields()["rel"].flag
    (('trec', 'trec9', 'given', 'file', 'expected', 'best', 'worst'), '-l')
    """
    meanings = _attributes(cleandoc(policy.__doc__ or ""))
    return {
        each.name: PolicyField(
            each.name,
            _flag(each.name),
            get_args(each.type) if get_origin(each.type) is Literal else (),
            each.default,
            LETTERS.get(each.name, ("", METAVARS.get(each.name, "VALUE")))[1],
            meanings.get(each.name, ""),
        )
        for each in fields(policy)
    }


def _flag(name: str) -> str:
    return LETTERS.get(name, (dashed(name), ""))[0]


def _attributes(document: str) -> dict[str, str]:
    """Name -> description, from the `Attributes:` of a docstring."""
    found: dict[str, str] = {}
    name = ""
    for line in document.partition("Attributes:\n")[2].splitlines():
        if line.startswith("    ") and not line.startswith("     "):
            name, _, text = line.strip().partition(": ")
            found[name] = text
        elif line.startswith("     "):
            found[name] += " " + line.strip()
        else:
            break
    return found
