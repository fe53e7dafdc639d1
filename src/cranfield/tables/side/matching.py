"""Match the names in a side file (groups, topics, intents, latencies, maps …) with the runs, topics or documents."""

from collections.abc import Collection, Iterable, Sequence

from cranfield.errors import DataWarning, InputError
from cranfield.errors.warning import warn
from cranfield.tables.words import counted

_SHOWN = 5


def match_names(
    given: Iterable[str],
    known: Collection[str],
    noun: str,
    *,
    path: str = "",
    more_is_fine: bool = False,
    fate: str = "ignored",
) -> None:
    """An error if none of the names is known; a warning if some are not.

    Args:
        given: the names that the side file holds.
        known: the names of the runs, topics or documents.
        noun: what is named, as in "run".
        path: where the names were read.
        more_is_fine: whether a file that names more than is here, such as one for a whole collection, is usual.
        fate: what becomes of the names that are not known.

    >>> match_names({"bm25": "A", "dens": "B"}, ["bm25"], "run", path="groups.tsv", more_is_fine=True)
    >>> match_names({"BM25": "A", "Dense": "B"}, ["bm25", "dense"], "run", path="groups.tsv")
    Traceback (most recent call last):
    cranfield.errors.InputError: E128: groups.tsv: no run here is named in it
      hint: it names BM25, Dense; here are bm25, dense
    """
    here = known if isinstance(known, set | frozenset | dict) else set(known)
    names = list(dict.fromkeys(given))
    strange = [name for name in names if name not in here]
    if not strange:
        return
    if len(strange) == len(names):
        hint = f"it names {listed(names)}; here are {listed(sorted(here))}" if here else f"it names {listed(names)}"
        raise InputError("E128", f"no {noun} here is named in it", path=path or None, hint=hint)
    if not more_is_fine:
        message = f"{counted(len(strange), noun)} that {'is' if len(strange) == 1 else 'are'} not here, {fate}"
        warn(DataWarning("W128", f"{message}: {listed(strange)}", path))


def warn_of_lacking(needed: Iterable[str], held: Collection[str], noun: str, *, path: str) -> None:
    """Warn of names that a side file should hold and does not.

    >>> warn_of_lacking(["d1"], {"d1": "a text", "d2": "another"}, "judged document", path="docs.jsonl")
    """
    if lacking := [name for name in dict.fromkeys(needed) if name not in held]:
        message = f"{counted(len(lacking), noun)} that it does not hold: {listed(lacking)}"
        warn(DataWarning("W128", message, path))


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> listed(list("abcdefg"))
    'a, b, c, d, e and 2 more'
    """
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
