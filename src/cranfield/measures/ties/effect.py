"""Which groups of equal scores can change a value.

Exact for a measure that declares a rule. Any other is taken to change with every order of documents that differ to it,
at the ranks that it looks at.
"""

from collections.abc import Sequence

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.measures.facts.looks_at import FirstRanks, JudgedDocuments, NoDocument, SameAs
from cranfield.measures.grammar import Measure, parse
from cranfield.measures.ties.tied import TiedHits


def effect_by_run(measures: Sequence[Measure], tied: TiedHits, runs: int) -> Ints:
    """How many groups of equal scores of each run can change a value; all runs have as many rankings."""
    found = tied.groups.where(groups_with_effect(measures, tied))
    return np.bincount(found.ranking // (len(tied.hits) // runs), minlength=runs)


def groups_with_effect(measures: Sequence[Measure], tied: TiedHits) -> Bools:
    """Whether each group can change the value of one of the measures.

    >>> from cranfield.align.hits import Hits
    >>> from cranfield.align.tie_groups import TieGroups
    >>> hits = Hits.of([[(1, 1), (3, 1)]], levels=[[0, 2]], retrieved=[4])
    >>> tied = TiedHits(hits, TieGroups(np.array([0]), np.array([2]), np.array([4])))
    >>> [groups_with_effect([parse(name)], tied).tolist() for name in ("AP", "P@4", "RR", "AP'", "Q")]
    [[True], [False], [False], [False], [True]]
    """
    found = np.zeros(len(tied.groups), dtype=bool)
    if tied.depth is not None:  # who is in is decided there
        found |= (tied.groups.first <= tied.depth) & (tied.depth < tied.groups.last)
    for measure in measures:
        found |= _changed_by(measure, tied)
    return found


def _changed_by(measure: Measure, tied: TiedHits) -> Bools:
    definition = measure.definition
    if isinstance(definition.looks_at, SameAs):
        return _changed_by(parse(measure.arguments[definition.looks_at.parameter]), tied)
    if measure.condensed or isinstance(definition.looks_at, JudgedDocuments):
        lists, place = tied.condensed_groups()
        found = np.zeros(len(tied.groups), dtype=bool)
        found[place] = _of_lists(measure, lists)
        return found
    return _of_lists(measure, tied)


def _of_lists(measure: Measure, tied: TiedHits) -> Bools:
    rule, looks_at = measure.definition.ties, measure.definition.looks_at
    if rule is not None:
        return rule.effective(tied, **measure.arguments)
    if isinstance(looks_at, NoDocument):
        return np.zeros(len(tied.groups), dtype=bool)
    last = looks_at.depth(tied.hits, **measure.arguments) if isinstance(looks_at, FirstRanks) else tied.hits.retrieved
    near = tied.groups.first <= np.minimum(last, tied.within(None))[tied.groups.ranking]
    if measure.definition.needs_lists or tied.hits.length is not None:  # every document is one of its own
        return near
    return near & tied.mixed(_difference(measure, tied))


def _difference(measure: Measure, tied: TiedHits) -> Floats:
    """A number for each hit by which the measure tells it from others; unjudged documents have 0."""
    grade, rel = tied.hits.grade.astype(np.float64), measure.arguments.get("rel")
    if not measure.definition.uses_grades:
        return np.ones(len(grade))
    if measure.definition.needs_sample:  # each document has a probability of its own
        return np.arange(1.0, len(grade) + 1)
    if measure.definition.needs_subtopics:
        return np.where(grade > 0, np.arange(1.0, len(grade) + 1), 0.0)
    return grade if rel is None else np.where(grade >= rel, grade + 1, 0.0)
