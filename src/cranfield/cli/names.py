"""Options whose values are names in a registry: help pages list them, shells complete them, aliases are accepted."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.declared import DeclaredNames
from cranfield.errors import PolicyError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

NameSource = Callable[[], Mapping[Any, Any]]  # a registry of any kind, imported when it is needed
ASSESSOR = "assessor:"
FEW = 30  # letters of all names, if they are shown in place of NAME


class RegisteredName(click.ParamType[str]):
    """A name from one of several registries; `besides` lists further names that are in none of them.

    >>> colours = Registry[int]("colour")
    >>> colours.add("red", 1, aliases=["rouge"])
    >>> RegisteredName(lambda: colours).convert("Rouge", None, None)
    'red'
    """

    name = "name"

    def __init__(self, *sources: NameSource, besides: Iterable[str] = ()) -> None:
        self.sources = sources
        self.besides: tuple[str, ...] = tuple(besides)

    def names(self) -> list[str]:
        """All names, in the order of the registries."""
        listed = [source.names() if isinstance(source, DeclaredNames) else source() for source in self.sources]
        return list(dict.fromkeys([name for names in listed for name in names] + list(self.besides)))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # click's types
        """The registered name for a name or alias."""
        for source in self.sources:
            known = source()
            found = known.name_of(value) if isinstance(known, Registry) else value if value in known else None
            if found is not None:
                return found
        if value.lower() in self.besides:
            return str(value.lower())
        raise self._refused(value, param)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The names, if they are few and short."""
        shown = "|".join(self.names())
        return shown if len(shown) <= FEW else "NAME"

    def listed(self) -> str:
        """The names in a sentence, if there are too many to be shown in place of NAME."""
        names = self.names()
        return "" if len("|".join(names)) <= FEW else f"one of {', '.join(names)}"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """The names that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names() if name.lower().startswith(incomplete.lower())]

    def _refused(self, value: str, param: click.Parameter | None) -> PolicyError:
        near = [_nearest(value, source()) for source in self.sources]
        guess = next((f"did you mean {name}? " for name in near if name), "")
        subject = f"{param.opts[-1]}: {value!r}" if param is not None else repr(value)
        return PolicyError("E213", f"{subject} is unknown", hint=f"{guess}one of {', '.join(self.names())}")


class BeginningName(RegisteredName):
    """Words that begin with a registered name, such as `ndcg@20`; who follows them reads the rest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # click's types
        """The words as they are."""
        return str(value)

    def listed(self) -> str:
        """The names in a sentence."""
        return f"one of {', '.join(self.names())}"


class RuleName(RegisteredName):
    """The name of a rule that makes one grade of several, or `assessor:NAME`: the grades of that assessor."""

    name = "rule"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # click's types
        """The registered name; that of an assessor is looked up in the judgments."""
        return str(value) if value.startswith(ASSESSOR) else super().convert(value, param, ctx)

    def listed(self) -> str:
        """The names in a sentence."""
        return f"one of {', '.join([*self.names(), f'{ASSESSOR}NAME'])}"


def _nearest(value: str, known: Mapping[Any, Any]) -> str | None:
    """The name closest to a misspelt one, by an alias too."""
    from cranfield.errors.names import nearest

    return known.nearest(value) if isinstance(known, Registry) else nearest(value, known)


class FormatName(click.ParamType[str]):
    """The name of a format, which is looked up when it is known what the file holds: `jsonl` may be `run-jsonl`."""

    name = "format"

    def __init__(self, source: DeclaredNames) -> None:
        self.source = source

    def names(self) -> list[str]:
        """All names, in the order of the registry."""
        return self.source.names()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """The names that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete.lower())]

    def listed(self) -> str:
        """The names in a sentence."""
        return f"one of {', '.join(self.names())}"
