"""The six systems of the demo against arithmetic by hand, on a corpus of our own (DEMO-3)."""

from math import log, sqrt

import pytest

from cranfield.sample.library.rankers import FUSED, Index, bm25, cosine, likelihood, rank_all
from cranfield.sample.library.words import letters, names, words

CORPUS = {
    "bake": "bread and bread rolls",
    "oven": "heat the oven for bread",
    "shelf": "BookShelf holds heavy cookbooks",
    "wash": "wash plates",
}
QUERIES = {"q1": "bread oven", "q2": "book shelf", "q3": "cookbook", "q4": "unheard"}


@pytest.fixture(scope="module")
def index():
    return Index.of(list(CORPUS.values()), words)


def test_bm25_is_that_of_its_formula(index):
    # without common words the lengths are 3, 3, 4, 2; bread is in two of four documents, oven in one
    scores = bm25(index, "bread oven")
    idf = {"bread": log(1 + 2.5 / 2.5), "oven": log(1 + 3.5 / 1.5)}
    norm = 1.2 * (0.25 + 0.75 * 3 / 3)
    assert scores[0] == pytest.approx(idf["bread"] * 2 * 2.2 / (2 + norm))
    assert scores[1] == pytest.approx((idf["bread"] + idf["oven"]) * 2.2 / (1 + norm))
    assert scores[2] == scores[3] == 0


def test_likelihood_orders_as_dirichlet_smoothing_does(index):
    # all 12 terms: bread 3 times, oven once
    def smoothed(counts, length):
        return sum(log((n + 100 * total / 12) / (length + 100)) for n, total in zip(counts, (3, 1), strict=True))

    scores = likelihood(index, "bread oven")
    assert scores[1] - scores[0] == pytest.approx(smoothed((1, 1), 3) - smoothed((2, 0), 3))
    assert scores[2] == scores[3] == 0  # no term is found


def test_cosine_is_that_of_its_formula(index):
    def weight(count, documents):
        return (1 + log(count)) * log(4 / documents)

    rolls = weight(1, 1)
    bread = weight(2, 2)
    assert cosine(index, "bread")[0] == pytest.approx(bread * log(2) / sqrt(bread**2 + rolls**2))


def test_only_split_names_and_letters_find_parts_of_an_identifier():
    runs = rank_all(list(CORPUS), list(CORPUS.values()), QUERIES)
    assert [system for system in runs if "shelf" in runs[system]["q2"]] == ["bm25-names", "chargram", "rrf"]
    assert "shelf" in runs["bm25-names"]["q3"]  # the plural
    assert "shelf" not in runs["bm25"]["q3"]
    assert all(runs[system]["q4"] == {} for system in runs)


def test_fusion_adds_reciprocal_ranks():
    runs = rank_all(list(CORPUS), list(CORPUS.values()), QUERIES)
    ranks = [list(runs[system]["q1"]).index("oven") + 1 for system in FUSED]
    assert runs["rrf"]["q1"]["oven"] == pytest.approx(sum(1 / (60 + rank) for rank in ranks), abs=1e-5)


def test_scores_fall_strictly_so_that_every_program_sees_the_same_order():
    texts = ["bread"] * 5
    found = rank_all(list("abcde"), texts, {"q1": "bread"})["bm25"]["q1"]
    assert list(found) == list("abcde")
    assert sorted(found.values(), reverse=True) == list(found.values())
    assert len(set(found.values())) == 5


def test_terms_are_cut_as_each_system_says():
    assert list(words("The os.path")) == ["os", "path"]
    assert list(names("HTTPServer files")) == ["httpserver", "http", "server", "file"]
    assert list(letters("is oven")) == ["_ove", "oven", "ven_"]
