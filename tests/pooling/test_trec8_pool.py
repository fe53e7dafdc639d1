"""The pool of TREC-8, rebuilt from its runs: 1999's judged documents, to the last one."""

import gzip
from collections import Counter

import pytest

from cranfield.pooling.pool import pool


@pytest.fixture(scope="module")
def published(shared):
    """`(topic, document) -> groups`, as the track published it."""
    rows = {}
    with gzip.open(shared / "data/trec8/pool.gz", "rt") as file:
        for line in file:
            topic, _, document, _, _, *groups = line.split()
            rows[topic, document] = frozenset(groups)
    return rows


@pytest.fixture(scope="module")
def rebuilt(shared):
    """Which run lists what among its first 100, on the judged pairs."""
    folder = shared / "data/trec8"
    return pool(str(folder / "runs/*.gz"), depth=100, from_qrels=str(folder / "qrels.gz"), groups=folder / "groups.tsv")


def listed(rebuilt):
    """`[listing] -> (run, pair)` of the candidates, pairs as `(topic, document)`."""
    found = rebuilt.candidates
    names = list(found.document)
    pairs = [(found.topics[topic], names[number]) for number, topic in enumerate(found.topic.tolist())]
    return [(found.runs[run], pairs[pair]) for run, pair in zip(found.run.tolist(), found.pair.tolist(), strict=True)]


def test_the_groups_of_every_judged_document_are_those_whose_runs_list_it_in_the_first_100(rebuilt, published, shared):
    group = dict(line.split("\t") for line in (shared / "data/trec8/groups.tsv").read_text().splitlines())
    found: dict[tuple[str, str], set[str]] = {}
    for run, pair in listed(rebuilt):
        if pair in published:
            found.setdefault(pair, set()).add(group[run])
    assert {pair: frozenset(groups) for pair, groups in found.items()} == published


def test_leaving_a_group_out_loses_the_documents_that_it_alone_found(rebuilt, published, shared):
    alone = Counter(next(iter(groups)) for groups in published.values() if len(groups) == 1)
    found = rebuilt.uniques(shared / "data/trec8/groups.tsv")
    assert {group: number for group, number in found.items() if number} == dict(alone)
    assert sum(alone.values()) == 51_776


def test_the_runs_that_are_judged_throughout_are_the_whole_pool(rebuilt, published):
    by_run: dict[str, set[tuple[str, str]]] = {}
    for run, pair in listed(rebuilt):
        by_run.setdefault(run, set()).add(pair)
    throughout = [run for run, pairs in by_run.items() if pairs <= set(published)]
    assert len(throughout) == 72
    assert set().union(*(by_run[run] for run in throughout)) == set(published)
    # the other 57 runs list 21,989 pairs in their first 100 that nobody judged
    assert len(set().union(*by_run.values()) - set(published)) == 21_989
