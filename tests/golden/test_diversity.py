"""Diversity measures beside ir_measures 0.4.3 (pyndeval 0.0.8) and NTCIREVAL, and on the subtopics of a web track."""

import gzip
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.index import index_of
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.measures.families.diversity.facets import Facets
from cranfield.measures.grammar import parse
from tests.golden.cases import load

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


def diverse_cases(shared: Path) -> list[dict]:
    several = [*load(shared, "diversity").values(), *load(shared, "handmade").values()]
    return [case for case in several if case["options"].get("diversity")]


def judgments(rows: list[list]) -> cf.Qrels:
    topic, subtopic, document, grade = zip(*rows, strict=True)
    return cf.Qrels.of(topic, document, grade, subtopic)


def ascending(rows: list[list]) -> dict[str, list[str]]:
    """The lists by score, ties by document id ascending, as the other program orders them."""
    lists: dict[str, list[tuple[float, str]]] = {}
    for topic, document, score in rows:
        lists.setdefault(topic, []).append((-float(score), document))
    return {topic: [document for _, document in sorted(row)] for topic, row in lists.items()}


def ours(name: str) -> str:
    """Its alpha-DCG is divided by that of a list in which every document covers everything."""
    return name.replace("alpha_DCG", "alpha_DCG(normalisation='ideal_ideal')")


def test_ir_measures(shared):
    different = []
    compared: Counter[str] = Counter()
    for case in diverse_cases(shared):
        expected = {
            topic: row for topic, row in case["expected"]["ir_measures"].items() if topic not in ("_error", "all")
        }
        names = list(dict.fromkeys(name for row in expected.values() for name in row))
        scores = cf.evaluate(judgments(case["qrels"]), ascending(case["run"]), [ours(name) for name in names])
        for name in names:
            values = dict(zip(scores.topics, scores["run", str(parse(ours(name)))], strict=True))
            for topic, row in expected.items():
                if isinstance(row.get(name), int | float):
                    compared[parse(ours(name)).definition.name] += 1
                    if not math.isclose(values[topic], row[name], rel_tol=0, abs_tol=1e-9):
                        different.append((case["name"], topic, name, values[topic], row[name]))
    assert different == []
    assert set(compared) == {
        *("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")
    }
    assert compared.total() > 3000


def test_the_means_of_ir_measures_are_ours(shared):
    """Where nothing is relevant its nNRBP divides 0 by 0, and so the mean is lost."""
    for case in diverse_cases(shared):
        means = case["expected"]["ir_measures"].get("all", {})
        names = {name: mean for name, mean in means.items() if mean != "nan"}
        scores = cf.evaluate(judgments(case["qrels"]), ascending(case["run"]), [ours(name) for name in names])
        np.testing.assert_allclose(scores.means[0], list(names.values()), rtol=0, atol=1e-9, err_msg=case["name"])


def test_ties_are_broken_the_other_way_here(shared):
    case = load(shared, "handmade")["div_ties"]
    run: dict[str, dict[str, float]] = {}
    for topic, document, score in case["run"]:
        run.setdefault(topic, {})[document] = float(score)
    names = ["alpha_nDCG@5", "ERR_IA@5"]
    descending, switched = (cf.evaluate(judgments(case["qrels"]), r, names) for r in (run, ascending(case["run"])))
    theirs = [case["expected"]["ir_measures"]["all"][name] for name in names]
    np.testing.assert_allclose(switched.means[0], theirs, atol=1e-9)
    assert (np.abs(descending.means[0] - theirs) > 1e-3).all()


def test_depths_beyond_twenty_which_the_other_program_refuses(shared):
    case = load(shared, "handmade")["div_25_docs"]
    scores = cf.evaluate(judgments(case["qrels"]), ascending(case["run"]), ["alpha_DCG@20", "alpha_DCG@25"])
    shallow, deep = scores.means[0]
    assert deep >= shallow > 0


# --- NTCIREVAL: lists in the order of the file, values printed with four digits --------------------------------------


@pytest.fixture
def ntcir(shared) -> tuple[Path, cf.Qrels]:
    folder = shared / "conformance" / "ntcireval"
    rows = [line.split() for line in gzip.decompress((folder / "Dtest.Dqrels.gz").read_bytes()).decode().splitlines()]
    return folder, judgments([[*row[:3], int(row[3].removeprefix("L"))] for row in rows])


def printed(folder: Path, name: str) -> dict[str, float]:
    examples = json.loads((folder / "worked_examples.json").read_text())
    return next(example["values"] for example in examples if example["name"] == name)


def test_d_measures_of_ntcireval(ntcir):
    folder, qrels = ntcir
    names = {"DnDCG@10": "MSnDCG@0010", "DSharp@10": "D#-nDCG@0010", "Irec@10": "I-rec@0010", "Irec@3": "I-rec@n"}
    scores = cf.evaluate(qrels, folder / "TRECRUN.gz", list(names), ties="file", intents=folder / "Dtest.Iprob")
    values = printed(folder, "D_measures_topic_0001")
    for name, theirs in names.items():
        assert scores.values[0, 0, scores.measures.index(str(parse(name)))] == pytest.approx(values[theirs], abs=5.1e-5)


def test_intent_recall_of_ntcireval(ntcir):
    folder, qrels = ntcir
    scores = cf.evaluate(qrels, folder / "TRECRUN.gz", ["Irec@10", "Irec@1000"], ties="file")
    values = printed(folder, "I_rec_topic_0001")
    np.testing.assert_allclose(scores.values[0, 0], [values["I-rec@0010"], values["I-rec@1000"]], atol=5.1e-5)


def test_intent_aware_means_of_ntcireval_which_does_not_divide_probabilities_by_their_sum(ntcir):
    """Two of four intents have relevant documents; their probabilities 0.1333 and 0.0667 stay as they are there."""
    folder, qrels = ntcir
    intents = cf.read_intents(folder / "Dtest.Iprob")
    index = index_of(qrels, "unjudged", diverse="ERR_IA", intents=intents)
    run = cf.read_run(folder / "TRECRUN.gz")
    facets = Facets.of(index.hits(Rankings.of(run, Policy(ties="file"))))
    values = printed(folder, "IA_topic_0002")
    kept = 0.1333 + 0.0667
    for name in ("ERR@10", "nERR@10", "nDCG@10"):
        mean = facets.mean(parse(name)(facets.hits))[index.topics.index("0002")]
        theirs = values[f"IA-{name.replace('nDCG', 'MSnDCG').replace('@', '@00')}"]
        assert mean * kept == pytest.approx(theirs, abs=5.1e-5), name
    graded = cf.evaluate(qrels, run, "ERR_IA(form='graded')@10", ties="file", intents=intents)
    assert graded.values[0, 1, 0] * kept == pytest.approx(values["IA-ERR@0010"], abs=5.1e-5)


def test_measures_of_each_intent_of_ntcireval(ntcir):
    folder, qrels = ntcir
    index = index_of(qrels, "unjudged", diverse="ERR_IA")
    facets = Facets.of(index.hits(Rankings.of(cf.read_run(folder / "TRECRUN.gz"), Policy(ties="file"))))
    lists = np.flatnonzero(facets.ranking == index.topics.index("0002"))  # intents 3 and 4, in some order
    values = {parse(name): parse(name)(facets.hits)[lists] for name in ("nDCG@10", "P@10", "ERR@10")}
    for name, theirs in (("nDCG@10", "MSnDCG@0010"), ("P@10", "P@0010"), ("ERR@10", "ERR@0010")):
        both = sorted(printed(folder, f"intent_{number}_topic_0002")[theirs] for number in (3, 4))
        np.testing.assert_allclose(sorted(values[parse(name)]), both, atol=5.1e-5)


# --- real judgments --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def web2013(shared) -> tuple[cf.Qrels, dict[str, dict[str, dict[str, float]]]]:
    """Subtopic judgments, and rankings of the documents in them: at random, and with a liking for relevant ones."""
    qrels = cf.read_qrels(shared / "data" / "web2013" / "subtopic-qrels.gz")
    best: dict[str, dict[str, int]] = {}
    for topic, document, grade in zip(qrels.topic.tolist(), qrels.document, qrels.grade.tolist(), strict=True):
        row = best.setdefault(qrels.topics[topic], {})
        row[document] = max(row.get(document, 0), grade)
    rng = np.random.default_rng(2013)
    runs = {
        name: {
            topic: {
                d: float(s + liking * min(grade, 1))
                for (d, grade), s in zip(r.items(), rng.random(len(r)), strict=True)
            }
            for topic, r in best.items()
        }
        for name, liking in (("random", 0.0), ("good", 0.8))
    }
    return qrels, runs


NAMES = (
    *("alpha_DCG(normalisation='ideal_ideal')@20", "alpha_nDCG@5", "alpha_nDCG@20", "alpha_nDCG", "ERR_IA@20"),
    *("ERR_IA(form='graded')@20", "nERR_IA@20", "NRBP", "nNRBP", "AP_IA", "P_IA@20", "StRecall@20", "DnDCG@20"),
    *("DSharp@20", "alpha_nDCG'@1000", "StRecall(rel=2)@100"),
)


def test_measures_of_a_web_track_are_defined_for_every_topic_and_nowhere_negative(web2013):
    qrels, runs = web2013
    scores = cf.evaluate(qrels, runs, NAMES)
    assert len(scores.topics) == 50
    assert not np.isnan(scores.values).any()
    assert (scores.values >= 0).all()
    assert (scores.values <= 1 + 1e-12).all()
    for name in NAMES:
        column = scores.means[:, scores.measures.index(str(parse(name)))]
        assert column[0] < column[1], name


def test_single_topics_of_a_web_track_have_one_subtopic_and_are_scored_like_ad_hoc_ones(web2013):
    qrels, runs = web2013
    single = sorted(name for name, number in _subtopics(qrels).items() if number == 1)
    assert len(single) == 25
    diverse = cf.evaluate(qrels, runs, ["AP_IA", "P_IA@20"])
    plain = cf.evaluate(qrels, runs, ["AP", "P@20"], collapse="any")
    rows = [diverse.topics.index(name) for name in single]
    np.testing.assert_allclose(diverse.values[:, rows], plain.values[:, rows], rtol=1e-12)


def _subtopics(qrels: cf.Qrels) -> Counter[str]:
    assert qrels.iteration is not None
    return Counter(qrels.topics[topic] for topic, _ in set(zip(qrels.topic.tolist(), qrels.iteration, strict=True)))
