"""`--fail-if` and `--require`: the conditions of a gate."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cranfield.cli.options import F, bundle, option

if TYPE_CHECKING:
    from cranfield.reporting.gates.condition import Gate


class Conditions(NamedTuple):
    """What must not be, and what must hold, as it was written."""

    fail_if: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.fail_if or self.require)

    def gates(self, verb: str, names: Sequence[str] = (), *, grouped: bool = False) -> "list[Gate]":
        """The conditions, read for a verb; `names` are the measures of given scores, `in` names a group of topics."""
        if not self:
            return []
        from cranfield.reporting.gates.condition import parse_gate

        given = [*((text, False) for text in self.fail_if), *((text, True) for text in self.require)]
        return [parse_gate(text, verb, required=required, names=names, grouped=grouped) for text, required in given]


def conditions(forbidden: str, required: str) -> Callable[[F], F]:
    """The options, handed over as `conditions`; each with an example."""
    return bundle(
        "conditions",
        Conditions,
        ("fail_if", "require"),
        option(
            "--fail-if",
            group="statistics",
            multiple=True,
            metavar="COND",
            brief=True,
            help=f"exit 1 if the condition holds, for example {forbidden!r}",
        ),
        option(
            "--require",
            group="statistics",
            multiple=True,
            metavar="COND",
            brief=True,
            help=f"exit 1 unless the condition holds, for example {required!r}",
        ),
    )
