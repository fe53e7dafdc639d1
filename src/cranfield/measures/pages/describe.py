"""`cranfield.describe`: the page of a measure, or the list of all."""

from typing import overload

from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.wording import verb
from cranfield.measures.definition import FAMILIES, MEASURES, Family
from cranfield.measures.grammar import parse
from cranfield.measures.pages.listing import MeasureList
from cranfield.measures.pages.page import MeasurePage, page
from cranfield.registry import one_of


@overload
def describe(name: str) -> MeasurePage: ...
@overload
def describe(name: None = None, *, family: Family | None = None) -> MeasureList: ...
def describe(name: str | None = None, *, family: Family | None = None) -> MeasurePage | MeasureList:
    """The page of a measure by name or alias; without a name all measures, or those of a family, by name.

    A cut-off or parameters in the name are ignored.

    >>> import cranfield as cf
    >>> cf.describe("nDCG@10").title
    'Normalised discounted cumulated gain: DCG over that of the best list all judged documents could form.'
    >>> [name for name in cf.describe(family="user") if name.startswith("INS")]
    ['INSQ', 'INST']
    """
    if family is not None:
        one_of("family", family, FAMILIES)
    if name is None:
        return MeasureList(family)
    if family is not None:
        raise PolicyError("E244", f"{name} has a family of its own", hint="give a name or a family")
    if not name.strip():
        raise MeasureError("E244", "no measure was named", hint=f"such as nDCG@10 or AP; {verb('measures')} lists all")
    return page(MEASURES.find(name) or parse(name).definition)
