"""Defects of trec_eval: what it does against the definition of a measure. Only this module imitates them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints, segment_sum


class Defect(NamedTuple):
    """One defect: the measures and versions it concerns, what trec_eval does, and what the definition says."""

    measures: str
    versions: tuple[int, ...]
    trec_eval: str
    defined: str
    only_with: str = ""  # the flag without which it does not show


DEFECTS: tuple[Defect, ...] = (
    Defect(
        "every measure",
        (9,),
        "Scores are kept in single precision: different scores can become ties.",
        "Scores are compared as they were written, in double precision.",
    ),
    Defect(
        "iprec_at_recall, 11pt_avg",
        (9,),
        "Recall t means int(t R + 0.9) relevant documents, in floating point: for R = 3, t = 0.7 it is 2.",
        "Recall t means the smallest whole number not below t R.",
    ),
    Defect(
        "iprec_at_recall, 11pt_avg",
        (10,),
        "Recall t means t R relevant documents, rounded to the nearest whole number.",
        "Recall t means the smallest whole number not below t R.",
    ),
    Defect(
        "iprec_at_recall, 11pt_avg",
        (9, 10),
        "An empty list (-J with nothing judged) gives nan at recall points of no document, and so does the mean. "
        "Version 10 with -c -J does this for every missing topic. (C prints nan or -nan, whatever the processor made.)",
        "An empty list has precision 0.",
        only_with="-J",
    ),
    Defect(
        "every measure",
        (10,),
        "Without -c the program stops at the first judged topic that the run lacks, with exit code 4 and a message "
        "that blames the qrels; the topics before it have been printed.",
        "A missing topic scores 0 (topic_set='qrels') or is left out (topic_set='intersection').",
    ),
    Defect(
        "num_rel",
        (9, 10),
        "With -c the sum counts every grade above 0 in the qrels, whatever -l says.",
        "The sum of the relevant documents at the level asked for.",
        only_with="-c",
    ),
    Defect(
        "Rndcg",
        (9, 10),
        "0 where no document reaches the level of -l, although gains do not depend on it.",
        "The level plays no part.",
        only_with="-l",
    ),
    Defect(
        "relstring",
        (10,),
        "With -c a missing topic has one unjudged document if the length was given, and none if it was not.",
        "A missing topic has no documents.",
        only_with="-c",
    ),
    Defect(
        "yaap",
        (9,),
        "With -c a missing topic adds 0.",
        "An empty list has the value ln(1 / (1 + R)).",
        only_with="-c",
    ),
    Defect(
        "rbp",
        (10,),
        "Grades are divided by the highest grade of the topic if that exceeds 1, so topics are on different scales. "
        "The program also uses variables before it sets them; here they are 0, as in a call with rbp alone.",
        "Gains are fractions of the highest grade of the collection.",
    ),
    Defect(
        "rbp_resid",
        (10,),
        "The tail p^n is added only if some retrieved document is unjudged; a missing topic has the residual 0.",
        "The tail is always part of the residual; a missing topic has the residual 1.",
    ),
    Defect(
        "ideal_dcg",
        (10,),
        "A topic with negative grades only gets the value of the topic before it.",
        "Without judged documents the ideal DCG is 0.",
    ),
    Defect(
        "prefs_num_prefs_ful, prefs_num_prefs_ful_ret, prefs_simp, prefs_simp_ret, prefs_simp_imp, prefs_pair, "
        "prefs_pair_ret, prefs_pair_imp, prefs_avgjg, prefs_avgjg_ret, prefs_avgjg_imp, prefs_avgjg_Rnonrel, "
        "prefs_avgjg_Rnonrel_ret",
        (9, 10),
        "Documents of equal score are ordered by id from low to high, against the order of all other measures.",
        "Equal scores are ordered in one way for every measure: by document id from high to low.",
    ),
    Defect(
        "prefs_avgjg_Rnonrel, prefs_avgjg_Rnonrel_ret",
        (9, 10),
        "In a group with more nonrelevant than relevant documents every document, nonrelevant ones too, counts as "
        "preferred to the first R nonrelevant ones; a group with subgroups keeps all its nonrelevant documents.",
        "The R relevant documents are preferred to the first R nonrelevant ones: R R preferences.",
    ),
    Defect(
        "prefs_avgjg_Rnonrel_ret",
        (9, 10),
        "Missing nonrelevant documents are paired with the relevant documents retrieved when counting what is "
        "fulfilled, but with all relevant documents when counting what is possible.",
        "Both are counted with the relevant documents retrieved.",
    ),
    Defect(
        "every measure",
        (9, 10),
        "With -Z a value whose z-score does not exist (deviation 0, or not in the file) becomes -1000000 and enters "
        "the mean; geometric means are then 0.",
        "A value without z-score has none.",
        only_with="-Z",
    ),
)

NO_ZSCORE = -1_000_000.0


def nan_without_documents(values: Floats, wanted: Ints, empty: Bools) -> Floats:
    """Interpolated precision as nan where the list is empty and no relevant document is wanted (versions 9 and 10).

    >>> nan_without_documents(np.array([0.5, 0.0, 0.0]), np.array([0, 0, 1]), np.array([False, True, True]))
    array([0.5, nan, 0. ])
    """
    return np.where(empty & (wanted <= 0), np.nan, values)


def zero_without_relevant(values: Floats, relevant: Ints) -> Floats:
    """Rndcg, 0 for topics without a document of the level of -l (versions 9 and 10).

    >>> zero_without_relevant(np.array([0.5, 0.5]), np.array([1, 0]))
    array([0.5, 0. ])
    """
    return np.where(relevant > 0, values, 0.0)


def dash_for_missing(texts: Sequence[str], present: Bools) -> list[str]:
    """The relstring of missing topics when a length was asked for (version 10 with -c).

    >>> dash_for_missing(["01", ""], np.array([True, False]))
    ['01', '-']
    """
    return [text if here else "-" for text, here in zip(texts, present.tolist(), strict=True)]


def rbp_by_topic(hits: Hits, best_grade: Ints, p: float) -> Floats:
    """RBP with grades divided by the highest grade of each topic, where that exceeds 1 (version 10).

    >>> hits = Hits.of([[(1, 1)], [(1, 1)]], levels=[[0, 1], [0, 1, 1]], retrieved=[1, 1])
    >>> rbp_by_topic(hits, np.array([1, 2]), 0.5)  # grade 1 is worth 1 here, 1/2 there
    array([0.5 , 0.25])
    """
    gain = hits.grade / np.maximum(best_grade, 1)[hits.topic[hits.ranking]]
    return hits.sum(gain * _weights(hits, p)[hits.rank - 1]) * (1 - p)


def residual_without_tail(hits: Hits, p: float) -> Floats:
    """The RBP residual, 0 where everything retrieved was judged (version 10).

    >>> hits = Hits.of([[(1, 1), (2, 0)], [(1, 1)]], levels=[[1, 1], [0, 1]], retrieved=[2, 2])
    >>> residual_without_tail(hits, 0.5)  # nothing, and 1/4 for rank 2 with 1/4 for the ranks after it
    array([0. , 0.5])
    """
    first = np.cumsum(hits.retrieved) - hits.retrieved
    ranking = np.repeat(np.arange(len(hits)), hits.retrieved)
    unjudged = np.ones(len(ranking))
    unjudged[first[hits.ranking] + hits.rank - 1] = 0.0
    weights = _weights(hits, p)
    inside = segment_sum(ranking, unjudged * weights[np.arange(len(ranking)) - first[ranking]], len(hits)) * (1 - p)
    return np.where(hits.retrieved > hits.count, inside + weights[hits.retrieved], 0.0)


def _weights(hits: Hits, p: float) -> Floats:
    """1, p, p·p …: multiplied step by step, as far as the longest list and one further."""
    return np.cumprod(np.append(1.0, np.full(int(hits.retrieved.max(initial=0)), p)))


def value_of_topic_before(values: Floats, best_grade: Ints) -> Floats:
    """Values where a topic without judged documents repeats that of the topic before it (ideal_dcg of version 10).

    >>> value_of_topic_before(np.array([0.0, 4.0, 0.0, 2.0]), np.array([-1, 3, -2, 1]))
    array([0., 4., 4., 2.])
    """
    place = np.arange(len(values))
    source = np.maximum.accumulate(np.where((best_grade >= 0) | (place == 0), place, 0))
    return values[source]


def preferred_to_first(relevant: Bools, retrieved: int) -> tuple[int, int]:
    """Preferences fulfilled and possible, if all of a group were preferred to its first R nonrelevant documents.

    `relevant` holds a flag for each document of the group in the order of the list; the first `retrieved` are in the
    list.

    >>> preferred_to_first(np.array([False, True, False]), 3)  # each of three to the first, which stands above all
    (0, 3)
    """
    number = int(relevant.sum())
    below = np.cumsum((~relevant & (np.cumsum(~relevant) <= number))[::-1])[::-1]  # from each document to the end
    fulfilled = np.append(below[1:], 0)[:retrieved].sum() if len(below) else 0
    return int(fulfilled), number * len(relevant)
