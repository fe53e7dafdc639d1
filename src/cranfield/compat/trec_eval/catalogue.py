"""Every measure of trec_eval, in the order in which they are printed."""

from collections.abc import Callable, Mapping

import numpy as np

from cranfield.arrays import Floats, zero_if_undefined
from cranfield.compat.trec_eval import defects
from cranfield.compat.trec_eval.columns import PrintedColumn, Summary
from cranfield.compat.trec_eval.entry import Entry
from cranfield.compat.trec_eval.evaluation import Evaluation
from cranfield.compat.trec_eval.parameters import RequestedMeasure
from cranfield.compat.trec_eval.preferences import groups
from cranfield.compat.trec_eval.preferences.measures import FEW, PREFERENCES
from cranfield.compat.trec_eval.quit import Quit
from cranfield.measures.families import gain, interpolated, ranked, sets
from cranfield.measures.families.incomplete import coverage, preference
from cranfield.measures.families.trec import trec_gain, trec_rest

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
FIRST = (1, 5, 10)
TOP = (5, 10, 20)
RECALLS = tuple(step / 10 for step in range(11))
MULTIPLES = tuple(step / 5 for step in range(1, 11))
PERSISTENCE = 0.9


def _number(
    function: Callable[[Evaluation, RequestedMeasure], Floats],
    since: int = 9,
    check: Callable[[RequestedMeasure], object] = lambda request: None,
) -> Entry:
    """A measure with one value; its parameters stay in the printed name."""

    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        return [PrintedColumn(request.name + request.suffix, zero_if_undefined(function(lists, request)))]

    return Entry(calculate, since, check=check)


def _graded(function: Callable[..., Floats], since: int = 9) -> Entry:
    """A measure of gains, which may be given by grade."""
    return _number(lambda lists, request: function(lists.hits, gains=request.gains()), since, RequestedMeasure.pairs)


def _plain(function: Callable[..., Floats], summary: Summary = "mean") -> Entry:
    """A binary measure without parameters."""

    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        return [PrintedColumn(request.name, zero_if_undefined(function(lists.hits, rel=lists.level)), summary)]

    return Entry(calculate)


def _cut(function: Callable[[Evaluation, int], Floats], default: tuple[int, ...] = CUTOFFS, since: int = 9) -> Entry:
    """A measure with a value at each cut-off."""

    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        cutoffs = request.cutoffs(default)
        return [PrintedColumn(f"{request.name}_{k}", zero_if_undefined(function(lists, k))) for k in cutoffs]

    return Entry(calculate, since, series=True, check=lambda request: request.cutoffs(default))


def _at_points(function: Callable[[Evaluation, float], Floats], default: tuple[float, ...]) -> Entry:
    """A measure with a value at each of several real numbers."""

    def calculate(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
        return [
            PrintedColumn(f"{request.name}_{point:.2f}", function(lists, point)) for point in request.points(default)
        ]

    return Entry(calculate, series=True)


def _run_id(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    return [PrintedColumn(request.name, np.zeros(len(lists.topics)), "run")]


def _topics(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    return [PrintedColumn(request.name, np.ones(len(lists.topics)), "topics")]


def _retrieved(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    return [PrintedColumn(request.name, sets.number_retrieved(lists.hits), "sum")]


def _relevant(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    count = sets.number_relevant(lists.hits, rel=lists.level)
    total = lists.relevant_anywhere if lists.options.complete else None
    return [PrintedColumn(request.name, count, "sum", total=total)]


def _interpolated(lists: Evaluation, recall: float) -> Floats:
    """Interpolated precision under the rule of the version."""
    nine = lists.options.version < 10
    values = interpolated.interpolated_precision(
        lists.hits, rel=lists.level, rule="te9" if nine else "lround", recall=recall
    )
    exact = recall * lists.hits.judged_at_least(lists.level)
    wanted = np.trunc(exact + 0.9) if nine else np.floor(exact + 0.5)
    empty = (lists.hits.retrieved == 0) & (lists.present | lists.options.judged_only)
    with np.errstate(invalid="ignore"):  # a recall may be `nan`
        documents = wanted.astype(np.int64)
    return defects.nan_without_documents(zero_if_undefined(values), documents, empty)


def _points_average(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    points = request.numbers(RECALLS)
    values = np.cumsum([_interpolated(lists, point) for point in reversed(points)], axis=0)[-1] / len(points)
    return [PrintedColumn(request.name + request.suffix, values)]


def _relevance_string(lists: Evaluation, request: RequestedMeasure) -> list[PrintedColumn]:
    """The grades of the first documents as characters."""
    (depth,) = request.cutoffs([10])[:1]
    near = lists.hits.top(depth)
    marks = np.full((len(lists.topics), int(near.retrieved.max(initial=0))), "-")
    marks[near.ranking, near.rank - 1] = np.where(near.grade > 9, ">", near.grade.astype(np.str_))
    marks[near.pooled_ranking, near.pooled_rank - 1] = "."
    texts = ["".join(row[:length]) for row, length in zip(marks.tolist(), near.retrieved.tolist(), strict=True)]
    if request.text is not None and not lists.options.judged_only:
        texts = defects.dash_for_missing(texts, lists.present)
    return [PrintedColumn(request.name + request.suffix, np.zeros(len(texts)), "none", texts)]


def _r_precision_multiple(lists: Evaluation, multiple: float) -> Floats:
    return zero_if_undefined(trec_rest.r_precision_multiple(lists.hits, rel=lists.level, mult=multiple))


def _utility(lists: Evaluation, request: RequestedMeasure) -> Floats:
    prices = request.numbers([1.0, -1.0, 0.0, 0.0])
    if len(prices) != 4:
        problem = "trec_eval.calc_utility: improper number of coefficients\n"
        raise Quit(4, f"{problem}trec_eval: Can't calculate measure '{request.name}'\n")
    a, b, c, d = prices
    size = lists.options.num_docs
    return trec_rest.utility(lists.hits, rel=lists.level, a=a, b=b, c=c, d=d, collection=size)


def _set_f(lists: Evaluation, request: RequestedMeasure) -> Floats:
    (x,) = request.numbers([1.0])[:1]
    precision = sets.set_precision(lists.hits, rel=lists.level)
    recall = zero_if_undefined(sets.set_recall(lists.hits, rel=lists.level))
    weighted = x * precision + recall
    return np.divide((x + 1) * precision * recall, weighted, out=np.zeros_like(weighted), where=weighted > 0)


def _ideal(lists: Evaluation, request: RequestedMeasure) -> Floats:
    values = trec_gain.ideal_dcg(lists.hits, gains=request.gains())
    return defects.value_of_topic_before(values, lists.best_grade)


def _levels(lists: Evaluation, request: RequestedMeasure) -> Floats:
    values = trec_gain.ndcg_at_levels(lists.hits, gains=request.gains())
    return defects.zero_without_relevant(values, lists.hits.judged_at_least(lists.level))


def _rbp(lists: Evaluation, request: RequestedMeasure) -> Floats:
    return defects.rbp_by_topic(lists.hits, lists.best_grade, request.pairs().get("p", PERSISTENCE))


def _residual(lists: Evaluation, request: RequestedMeasure) -> Floats:
    return defects.residual_without_tail(lists.hits, request.pairs().get("p", PERSISTENCE))


ENTRIES: Mapping[str, Entry] = {
    "runid": Entry(_run_id, judged=""),
    "num_q": Entry(_topics, judged=""),
    "num_ret": Entry(_retrieved),
    "num_rel": Entry(_relevant),
    "num_rel_ret": _plain(sets.number_relevant_retrieved, "sum"),
    "map": _plain(ranked.average_precision),
    "gm_map": _plain(ranked.average_precision, "geometric"),
    "Rprec": _plain(ranked.r_precision),
    "bpref": _plain(preference.bpref),
    "recip_rank": _plain(ranked.reciprocal_rank),
    "iprec_at_recall": _at_points(_interpolated, RECALLS),
    "P": _cut(lambda lists, k: ranked.precision(lists.hits, rel=lists.level, cutoff=k)),
    "relstring": Entry(_relevance_string, check=lambda request: request.cutoffs([10])),
    "recall": _cut(lambda lists, k: ranked.recall(lists.hits, rel=lists.level, cutoff=k)),
    "infAP": _plain(coverage.inferred_average_precision),
    "gm_bpref": _plain(preference.bpref, "geometric"),
    "Rprec_mult": _at_points(_r_precision_multiple, MULTIPLES),
    "utility": _number(_utility),
    "11pt_avg": Entry(_points_average),
    "binG": _plain(trec_rest.binary_g),
    "G": _graded(trec_gain.gain_over_cost),
    "dcg": _graded(gain.discounted_gain, since=10),
    "ideal_dcg": _number(_ideal, 10, RequestedMeasure.pairs),
    "ndcg": _graded(gain.normalised_discounted_gain),
    "ndcg_rel": _graded(trec_gain.ndcg_at_relevant),
    "Rndcg": _number(_levels, check=RequestedMeasure.pairs),
    "ndcg_cut": _cut(lambda lists, k: gain.normalised_discounted_gain(lists.hits, cutoff=k)),
    "map_cut": _cut(lambda lists, k: ranked.average_precision(lists.hits, rel=lists.level, cutoff=k)),
    "relative_P": _cut(lambda lists, k: trec_rest.relative_precision(lists.hits, rel=lists.level, cutoff=k)),
    "success": _cut(lambda lists, k: ranked.success(lists.hits, rel=lists.level, cutoff=k), FIRST),
    "set_P": _plain(sets.set_precision),
    "set_relative_P": _plain(trec_rest.set_relative_precision),
    "set_recall": _plain(sets.set_recall),
    "set_map": _plain(sets.set_average_precision),
    "set_F": _number(_set_f),
    "num_nonrel_judged_ret": _plain(trec_rest.nonrelevant_judged_retrieved, "sum"),
    "yaap": _plain(trec_rest.yaap),
    "rbp": _number(_rbp, 10, RequestedMeasure.pairs),
    "rbp_resid": _number(_residual, 10, RequestedMeasure.pairs),
    "unj": _cut(lambda lists, k: coverage.unjudged(lists.hits, cutoff=k), TOP, since=10),
    **PREFERENCES,
    **groups.entries(CUTOFFS, MULTIPLES),
}

OFFICIAL = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret"),
    *("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
)
SETS = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret"),
    *("utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
)
_NOT_IN_ALL = ("dcg", "ideal_dcg", "yaap")


def known(version: int, *judged: str) -> list[str]:
    """The measures of a version, in the order in which they are printed; all, or those of some kinds of judgments."""
    found = [(name, entry) for name, entry in ENTRIES.items() if entry.since <= version]
    return [name for name, entry in found if not judged or entry.judged in judged]


def nicknames(version: int) -> dict[str, tuple[str, ...]]:
    """The names that stand for several measures."""
    always = known(version, "")
    return {
        "official": OFFICIAL,
        "set": SETS,
        "all_trec": tuple(name for name in known(version, "", "qrels") if name not in _NOT_IN_ALL),
        "all_prefs": (*always, *PREFERENCES),
        "prefs": (*always, *FEW),
        "qrels_jg": (*always, *known(version, "qrels_jg")),
    }
