"""What follows the dot in `-m P.5,10`: cut-offs, points, coefficients, pairs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cranfield.compat.trec_eval.numerals import real, whole
from cranfield.compat.trec_eval.quit import Quit


class RequestedMeasure(NamedTuple):
    """A measure asked for by name, with the parameters as they were written (None: the defaults)."""

    name: str
    text: str | None = None

    @property
    def suffix(self) -> str:
        """What the printed name carries: `_1=3,2=9`."""
        return "" if self.text is None else f"_{self.text}"

    @property
    def words(self) -> list[str]:
        """The parameters one by one."""
        return [] if self.text is None else self.text.split(",")

    def cutoffs(self, default: Sequence[int]) -> list[int]:
        """Whole numbers, ascending.

        >>> RequestedMeasure("P", "5,7,3").cutoffs([10]), RequestedMeasure("P").cutoffs([10])
        ([3, 5, 7], [10])
        """
        chosen = sorted({whole(word.encode()) for word in self.words}) or list(default)
        if chosen[0] <= 0:
            raise Quit(2, f"trec_eval: Negative cutoff detected\n{_cannot(self.name)}")
        return chosen

    def points(self, default: Sequence[float]) -> list[float]:
        """Real numbers, ascending.

        >>> RequestedMeasure("iprec_at_recall", ".50,.10").points([])
        [0.1, 0.5]
        """
        return sorted({real(word.encode()) for word in self.words}) or list(default)

    def numbers(self, default: Sequence[float]) -> list[float]:
        """Real numbers in the order written."""
        return [real(word.encode()) for word in self.words] or list(default)

    def pairs(self) -> Mapping[str, float]:
        """Names and values: `1=3,2=9`.

        >>> RequestedMeasure("ndcg", "1=3,2=9").pairs()
        {'1': 3.0, '2': 9.0}
        """
        found = {}
        for word in self.words:
            name, equals, value = word.partition("=")
            if not equals:
                raise Quit(2, f"trec_eval: malformed pair parameters in '{self.text}'\n{_cannot(self.name)}")
            found[name] = real(value.encode())
        return found

    def gains(self) -> dict[float, float]:
        """Gains by grade."""
        return {float(whole(grade.encode())): gain for grade, gain in self.pairs().items()}


def _cannot(name: str) -> str:
    return f"trec_eval: Can't initialize measure '{name}'\n"


def requests(
    measures: Sequence[str], known: Sequence[str], nicknames: Mapping[str, Sequence[str]]
) -> list[RequestedMeasure]:
    """The measures asked for, in the order in which trec_eval prints them, parameters of one measure put together.

    >>> requests(["P.5", "map", "P.10", "P"], ["map", "P"], {})
    [RequestedMeasure(name='map', text=None), RequestedMeasure(name='P', text='5,10')]
    """
    asked: dict[str, list[str]] = {}
    for measure in measures:
        name, dot, text = measure.partition(".")
        names = nicknames.get(name, (name,))
        if unknown := next((name for name in names if name not in known), None):
            raise Quit(1, f"trec_eval: illegal measure '{unknown}'\n")
        for each in names:
            asked.setdefault(each, []).extend([text] if dot and text else [])
    return [RequestedMeasure(name, ",".join(asked[name]) or None) for name in known if name in asked]
