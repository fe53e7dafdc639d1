"""The crowd labels of the Relevance Feedback track 2010, against plain loops over every label."""

import gzip
import itertools
import math
from collections import Counter

import pytest

from cranfield.stats.agreement.agree import agree
from tests.stats.agreement import agreement_twins as twins

COLUMNS = "topic=topicID,assessor=workerID,doc=docID,grade=label"


@pytest.fixture(scope="module")
def path(shared):
    return shared / "data/crowd-rf10/labels.gz"


@pytest.fixture(scope="module")
def rows(path):
    with gzip.open(path, "rt") as file:
        cells = [line.rstrip("\n").split("\t") for line in file][1:]
    return [(topic, document, worker, int(label)) for topic, worker, document, _, label in cells]


@pytest.fixture(scope="module")
def everything(path):
    """All labels, a broken link being one more, and every repeated label counting."""
    return agree(path, columns=COLUMNS, negative="category", repeats="all", level="nominal", samples=20)


@pytest.fixture(scope="module")
def judged(path):
    """The labels 0, 1, 2; of repeated ones the last."""
    return agree(path, columns=COLUMNS, samples=20)


def test_all_labels_are_read(everything):
    assert len(everything.assessors) == 766
    assert sum(assessor.labels for assessor in everything.assessors) == 98453
    assert sum(everything.labels_per_pair.values()) == 20232
    assert everything.repeated == 1489


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_all_labels_is_that_of_a_plain_loop(everything, rows, level):
    expected = twins.alpha(twins.all_labels(rows).values(), level)
    assert everything[f"alpha-{level}"].value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_of_the_judged_is_that_of_a_plain_loop(judged, rows, level):
    units = twins.last_labels([row for row in rows if row[3] >= 0])
    expected = twins.alpha([labels.values() for labels in units.values()], level)
    assert judged[f"alpha-{level}"].value == pytest.approx(expected, abs=1e-10)


def test_fleiss_of_the_pairs_with_five_labels_is_that_of_a_plain_loop(everything, rows):
    five = [labels for labels in twins.all_labels(rows).values() if len(labels) == 5]
    assert (everything.equal_labels, everything["fleiss"].pairs, len(five)) == (5, 14319, 14319)
    assert everything["fleiss"].value == pytest.approx(twins.fleiss(five), abs=1e-12)


def test_agreement_within_workers_is_that_of_a_plain_loop(path, rows):
    found = agree(path, columns=COLUMNS, negative="category", itself=True, samples=20)
    units = twins.own_labels(rows)
    pairs = [pair for labels in units.values() for pair in itertools.combinations(labels, 2)]
    assert (found.pairs, len(units)) == (1489, 1489)
    assert found["raw"].value == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert found["cohen"].value == pytest.approx(twins.kappa(pairs), abs=1e-12)
    assert found["alpha-ordinal"].value == pytest.approx(twins.alpha(units.values(), "ordinal"), abs=1e-10)
    assert {tuple(cell) for cell in zip(*found.confusion.nonzero(), strict=True)} == {
        (found.grades.index(a), found.grades.index(b)) for a, b in pairs
    }


def test_kappa_of_the_workers_is_the_mean_over_couples_with_twenty_common_pairs(judged, rows):
    units = twins.last_labels([row for row in rows if row[3] >= 0])
    couples: dict = {}
    for labels in units.values():
        for one, other in itertools.combinations(sorted(labels), 2):
            couples.setdefault((one, other), []).append((labels[one], labels[other]))
    enough = [pairs for pairs in couples.values() if len(pairs) >= 20]
    kappas = [(len(pairs), twins.kappa(pairs)) for pairs in enough]
    known = [(n, kappa) for n, kappa in kappas if not math.isnan(kappa)]
    assert (len(judged.couples), judged.couples_left_out) == (len(enough), len(couples) - len(enough))
    assert judged["cohen"].value == pytest.approx(sum(n * k for n, k in known) / sum(n for n, _ in known), abs=1e-12)
    assert Counter(couple.pairs for couple in judged.couples) == Counter(map(len, enough))


def test_a_broken_link_can_be_called_missing(path, judged):
    found = agree(path, columns=COLUMNS, negative="category", missing=[-2], samples=20)
    assert list(found.grades) == [0, 1, 2]
    assert found.statistics == judged.statistics
