"""`agree` against plain loops on random labels with holes; sources, policies, systems, models, edges (SPEC 17)."""

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.measures.evaluate import evaluate
from cranfield.stats.agreement.agree import agree
from cranfield.stats.agreement.alpha import LEVELS
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.agreement.tables import Tables
from cranfield.stats.orders.correlation import correlate
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from tests.stats.agreement import agreement_twins as twins

MOCK = [[61, 7, 1], [6, 18, 4], [0, 5, 18]]
NEW, OLD = [691, 1004, 724, 353], [2780, 134, 40, 11]  # SPEC 2.7: grades of TREC-relevant and TREC-irrelevant

rows = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from("defg"), st.sampled_from("abcd"), st.integers(0, 3)),
    min_size=4,
    max_size=60,
)


def judged(rows):
    topic, document, assessor, grade = zip(*rows, strict=True)
    return Judgments.of(topic, document, assessor, grade)


def mock(topics=10):
    """The two assessors of the first morning."""
    labels = [(i, j) for i, row in enumerate(MOCK) for j, n in enumerate(row) for _ in range(n)]
    sides: tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]] = ({}, {})
    for number, pair in enumerate(labels):
        for side, grade in zip(sides, pair, strict=True):
            side.setdefault(f"q{number % topics}", {})[f"d{number}"] = grade
    return {"a1": sides[0], "a2": sides[1]}


def systems(qrels, count=6, noise=1.0):
    rng = np.random.default_rng(4)
    return {
        f"s{n}": {t: {d: float(g * n + noise * rng.normal()) for d, g in docs.items()} for t, docs in qrels.items()}
        for n in range(count)
    }


def quiet(*sources, **options):
    """Agreement without intervals, and without the warning that one grade prevails."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return agree(*sources, **{"samples": 2} | options)


# --- numbers -------------------------------------------------------------------------------------------------------


@given(rows)
def test_alpha_and_raw_agreement_of_several_assessors_are_those_of_a_plain_loop(rows):
    units = twins.last_labels(rows)
    assume(any(len(labels) > 1 for labels in units.values()))
    found = quiet(judged(rows))
    values = [list(labels.values()) for labels in units.values()]
    for level in LEVELS:
        expected = twins.alpha(values, level)
        assert found[f"alpha-{level}"].value == pytest.approx(expected, nan_ok=True, abs=1e-9)
    couples = [pair for labels in values for pair in itertools.combinations(labels, 2)]
    assert found["raw"].value == pytest.approx(sum(a == b for a, b in couples) / len(couples))
    assert found.pairs == sum(len(labels) > 1 for labels in values)


@given(rows)
def test_kappa_of_several_assessors_is_the_mean_over_couples_weighted_by_common_pairs(rows):
    units = twins.last_labels(rows)
    names = sorted({row[2] for row in rows})
    couples = [twins.shared(units, *two) for two in itertools.combinations(names, 2)]
    couples = [pairs for pairs in couples if pairs]
    assume(couples)
    found = quiet(judged(rows))
    scale = sorted({row[3] for row in rows})
    width = scale[-1] - scale[0] or 1
    weights = {"cohen": lambda a, b: float(a == b), "quadratic": lambda a, b: 1 - ((a - b) / width) ** 2}
    for id, weight in weights.items():
        kappas = [(len(pairs), twins.kappa(pairs, weight)) for pairs in couples]
        known = [(n, kappa) for n, kappa in kappas if not math.isnan(kappa)]
        expected = sum(n * kappa for n, kappa in known) / sum(n for n, _ in known) if known else math.nan
        assert found[id].value == pytest.approx(expected, nan_ok=True, abs=1e-9)
    assert sorted(couple.pairs for couple in found.couples) == sorted(map(len, couples))


@given(rows)
def test_fleiss_looks_at_the_pairs_with_the_most_usual_number_of_labels(rows):
    values = [list(labels.values()) for labels in twins.last_labels(rows).values() if len(labels) > 1]
    assume(values)
    found = quiet(judged(rows))
    sizes = [len(labels) for labels in values]
    usual = max(sorted(set(sizes)), key=sizes.count)
    chosen = [labels for labels in values if len(labels) == usual]
    assume(len({grade for labels in chosen for grade in labels}) > 1)
    assert (found.equal_labels, found["fleiss"].pairs) == (usual, len(chosen))
    assert found["fleiss"].value == pytest.approx(twins.fleiss(chosen))


@given(rows)
def test_agreement_within_assessors_is_that_of_a_plain_loop(rows):
    units = twins.own_labels(rows)
    assume(units)
    found = quiet(judged(rows), itself=True)
    pairs = [pair for labels in units.values() for pair in itertools.combinations(labels, 2)]
    assert found.pairs == len(units)
    assert found["raw"].value == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert found["cohen"].value == pytest.approx(twins.kappa(pairs), nan_ok=True, abs=1e-9)
    assert found["alpha-ordinal"].value == pytest.approx(twins.alpha(units.values(), "ordinal"), nan_ok=True, abs=1e-9)
    assert found.confusion.sum() == len(pairs)


@given(rows, st.integers(0, 100))
def test_the_order_of_judging_pairs_changes_nothing(rows, seed):
    assume(any(len(labels) > 1 for labels in twins.last_labels(rows).values()))
    firsts = list({row[:3]: row for row in reversed(rows)}.values())
    order = np.random.default_rng(seed).permutation(len(firsts))
    one, other = quiet(judged(firsts)), quiet(judged([firsts[i] for i in order]))
    for id in ("raw", "cohen", "quadratic", "alpha-ordinal", "fleiss"):
        assert one[id].value == pytest.approx(other[id].value, nan_ok=True, abs=1e-12)


def test_two_qrels_give_the_figures_of_the_first_morning():
    found = agree(mock())
    assert found.confusion.tolist() == MOCK
    shown = [f"{found[id].value:.3f}" for id in ("raw", "cohen", "quadratic", "alpha-ordinal")]
    assert shown == ["0.808", "0.672", "0.825", "0.817"]
    assert (found.pairs, found.apart) == (120, {1.0: 22, 2.0: 1})


def test_judging_again_on_another_scale_gives_the_published_table():
    documents = [f"d{n}" for n in range(sum(NEW) + sum(OLD))]
    trec = [1] * sum(NEW) + [0] * sum(OLD)
    again = [g for counts in (NEW, OLD) for g, n in enumerate(counts) for _ in range(n)]
    first, second = (Qrels.of(["1"] * len(documents), documents, grades) for grades in (trec, again))
    table = agree({"trec": first, "again": second}).confusion
    assert [table[1].tolist(), table[0].tolist()] == [NEW, OLD]
    assert (100 * table[1] / table[1].sum()).round(1).tolist() == [24.9, 36.2, 26.1, 12.7]
    assert (100 * table[0] / table[0].sum()).round(1).tolist() == [93.8, 4.5, 1.3, 0.4]
    assert (100 * table.sum(axis=0) / table.sum()).round(1).tolist() == [60.5, 19.8, 13.3, 6.3]


# --- intervals -----------------------------------------------------------------------------------------------------


def test_intervals_are_percentiles_over_resampled_topics():
    qrels = mock(topics=7)
    found = agree(qrels, samples=500, seed=3)
    tables = np.zeros((7, 3, 3))
    for topic, documents in qrels["a1"].items():
        for document, grade in documents.items():
            tables[int(topic[1:]), grade, qrels["a2"][topic][document]] += 1
    draws = np.random.default_rng(3).multinomial(7, np.full(7, 1 / 7), size=500)
    kappas = [
        float(PAIRWISE["cohen"](Tables.of(sum(w * t for w, t in zip(draw, tables, strict=True))))) for draw in draws
    ]
    expected = np.quantile(kappas, [0.025, 0.975])
    assert (found["cohen"].low, found["cohen"].high) == pytest.approx(tuple(expected))


def test_every_coefficient_has_an_interval_around_it():
    for statistic in agree(mock()).statistics:
        assert statistic.low <= statistic.value <= statistic.high, statistic
        assert statistic.low < statistic.high


def test_the_seed_decides_the_intervals_and_nothing_else():
    one, same, other = agree(mock(), seed=1), agree(mock(), seed=1), agree(mock(), seed=2)
    assert one.statistics == same.statistics
    assert one["cohen"].low != other["cohen"].low
    assert one["cohen"].value == other["cohen"].value


def test_one_topic_has_no_interval_over_topics_but_one_over_pairs():
    alone = mock(topics=1)
    assert math.isnan(agree(alone)["cohen"].low)
    assert "no intervals: one topic only" in repr(agree(alone))
    pairs = agree(alone, over="pairs")["cohen"]
    assert pairs.low < pairs.value < pairs.high


def test_blocks_of_resamples_are_one_stream(monkeypatch):
    whole = agree(mock(), samples=50)
    monkeypatch.setattr("cranfield.stats.agreement.statistics._BLOCK", 70)
    assert agree(mock(), samples=50).statistics == whole.statistics


# --- sources -------------------------------------------------------------------------------------------------------


def test_every_kind_of_source_says_the_same(tmp_path):
    qrels = mock()
    flat = [(t, d, who, g) for who, topics in qrels.items() for t, docs in topics.items() for d, g in docs.items()]
    frame = pl.DataFrame(flat, schema=["topic", "doc", "assessor", "grade"], orient="row")
    frame.write_csv(tmp_path / "raw.csv")
    frame.write_parquet(tmp_path / "raw.parquet")
    frame.write_ndjson(tmp_path / "raw.jsonl")
    for who in qrels:
        lines = [f"{t} 0 {d} {g}\n" for t, d, name, g in flat if name == who]
        (tmp_path / f"{who}.qrels").write_text("".join(lines))
    files = [tmp_path / "a1.qrels", tmp_path / "a2.qrels"]
    whole = [[frame], [frame.to_pandas()], [judged(flat)], [tmp_path / "raw.csv"], [tmp_path / "raw.parquet"]]
    for sources in ([qrels], [qrels["a1"], qrels["a2"]], files, *whole, [tmp_path / "raw.jsonl"]):
        found = agree(*sources, samples=5)
        assert [assessor.name for assessor in found.assessors] == ["a1", "a2"]
        assert found.confusion.tolist() == MOCK


def test_the_last_judgment_counts_unless_somebody_says_otherwise():
    rows = [
        ("t", "d", "ann", 0),
        ("t", "d", "bob", 2),
        ("t", "d", "ann", 2),
        ("t", "e", "ann", 1),
        ("t", "e", "bob", 1),
    ]
    assert quiet(judged(rows))["raw"].value == 1
    assert quiet(judged(rows), repeats="first")["raw"].value == 0.5
    assert quiet(judged(rows), repeats="all").labels == 5
    assert quiet(judged(rows)).repeated == 1


@pytest.mark.parametrize(
    ("options", "grades", "pairs"),
    [
        ({}, (0, 1), 1),
        ({"negative": "nonrelevant"}, (0, 1), 2),
        ({"negative": "category"}, (-2, 0, 1), 2),
        ({"negative": "category", "missing": [-2]}, (0, 1), 1),
        ({"binary": 1, "negative": "category"}, (0, 1), 2),
    ],
)
def test_negative_grades_follow_their_policy(options, grades, pairs):
    found = quiet({"ann": {"t": {"d": -2, "e": 1}}, "bob": {"t": {"d": 0, "e": 1}}}, **options)
    assert (found.grades, found.pairs) == (grades, pairs)


def test_negative_grades_can_be_refused():
    with pytest.raises(InputError, match="E116"):
        agree({"ann": {"t": {"d": -2}}, "bob": {"t": {"d": 0}}}, negative="error")


def test_binary_grades_are_those_of_graded_ones_cut():
    found, cut = agree(mock(), binary=2), np.array(MOCK)
    expected = [[cut[:2, :2].sum(), cut[:2, 2].sum()], [cut[2, :2].sum(), cut[2, 2]]]
    assert found.confusion.tolist() == expected


def test_words_in_a_file_can_stand_for_no_label(tmp_path):
    (tmp_path / "raw.csv").write_text("topic,doc,assessor,grade\nt,d,ann,1\nt,d,bob,NA\nt,e,ann,0\nt,e,bob,0\n")
    assert quiet(tmp_path / "raw.csv", missing=["NA"]).pairs == 1
    with pytest.raises(InputError, match="E110"):
        quiet(tmp_path / "raw.csv")


def test_a_failed_judgment_is_no_label():
    rows = Judgments.of(["t"] * 3, ["d", "d", "d"], ["a", "b", "c"], [1, 0, 0], status=["judged", "judged", "failed"])
    with pytest.warns(DataWarning, match="1 of 3 judgments failed"):
        assert len(agree(rows, samples=2).assessors) == 2


# --- systems and models --------------------------------------------------------------------------------------------


def test_the_orders_of_systems_are_those_of_evaluate():
    qrels, measures = mock(), ["nDCG@10", "AP"]
    runs = systems(qrels["a1"])
    found = agree(qrels, runs=runs, measures=measures)
    means = [evaluate(qrels[who], runs, measures).means for who in ("a1", "a2")]
    assert [each.measure for each in found.consequences] == measures
    for column, each in enumerate(found.consequences):
        assert each.means.tolist() == [table[:, column].tolist() for table in means]
        assert each.tau == pytest.approx(correlate(means[0][:, column], means[1][:, column]))
        flips = sum(
            (means[0][a, column] - means[0][b, column]) * (means[1][a, column] - means[1][b, column]) < 0
            for a, b in itertools.combinations(range(6), 2)
        )
        assert each.swapped == flips


def test_systems_are_compared_on_the_pairs_that_both_judged():
    ann, bob = {"t": {"d": 1, "e": 0, "f": 1}}, {"t": {"d": 1, "e": 0}}
    found = agree({"ann": ann, "bob": bob}, runs={"r": {"t": ["f", "d"]}, "s": {"t": ["d"]}}, measures="RR", samples=2)
    assert found.consequences[0].means.tolist() == [[0.5, 1.0], [0.5, 1.0]]
    assert found.consequences[0].pairs == 2


def test_a_model_is_one_more_assessor_with_a_bias_for_each_system():
    qrels = mock()
    model = {t: {d: min(g + 1, 2) for d, g in docs.items()} for t, docs in qrels["a1"].items()}
    runs = systems(qrels["a1"])
    found = agree({"a1": qrels["a1"]}, llm=model, runs=runs, measures="P@5")
    means = [evaluate(table, runs, "P@5").means[:, 0] for table in (qrels["a1"], model)]
    assert [assessor.kind for assessor in found.assessors] == ["human", "model"]
    assert found.consequences[0].bias.tolist() == (means[1] - means[0]).tolist()
    assert found.model is None


def test_a_model_comes_after_the_people_whatever_the_order_of_the_rows():
    rows = Judgments.of(["t"] * 4, ["d", "d", "e", "e"], ["m", "ann"] * 2, [1, 0, 1, 1], kind=["model", "human"] * 2)
    found = quiet(rows, runs={"r": {"t": ["d", "e"]}}, measures="P@1")
    assert [(assessor.name, assessor.kind) for assessor in found.assessors] == [("ann", "human"), ("m", "model")]
    assert found.confusion.tolist() == [[0, 1], [0, 1]]  # ann in the rows: d is 0 for ann and 1 for the model
    assert found.consequences[0].bias.tolist() == [1.0]  # 1 under the model's labels, 0 under ann's


def test_beside_a_model_people_stand_together_with_their_lower_median():
    people = {"a": {"t": {"d": 0, "e": 2}}, "b": {"t": {"d": 2, "e": 2}}, "c": {"t": {"d": 1}}}
    found = quiet(people, llm={"t": {"d": 1, "e": 0, "f": 1}})
    assert [assessor.name for assessor in found.assessors] == ["a", "b", "c", "model"]
    assert [assessor.name for assessor in found.model.assessors] == ["people", "model"]
    assert found.model.confusion.tolist() == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]


def test_a_model_cannot_have_the_name_of_a_person():
    with pytest.raises(PolicyError, match="two assessors are called 'model'"):
        agree({"model": {"t": {"d": 1}}, "ann": {"t": {"d": 1}}}, llm={"t": {"d": 0}})


def test_labels_of_a_model_come_in_any_table(tmp_path):
    people = {"ann": {"t": {"d": 1, "e": 0}}}
    (tmp_path / "m.csv").write_text("topic,doc,grade\nt,d,1\nt,e,1\n")
    (tmp_path / "m.qrels").write_text("t 0 d 1\nt 0 e 1\n")
    pl.read_csv(tmp_path / "m.csv").write_parquet(tmp_path / "m.parquet")
    frame = pl.read_csv(tmp_path / "m.csv")
    for source in (tmp_path / "m.csv", tmp_path / "m.qrels", tmp_path / "m.parquet", f"m={tmp_path}/m.csv", frame):
        found = quiet(people, llm=source)
        assert found.confusion.tolist() == [[0, 1], [0, 1]]
        assert found.assessors[1].kind == "model"


def test_requests_beside_labels_that_are_no_json_lines_are_refused(tmp_path):
    people = {"ann": {"t": {"d": 1, "e": 0}}}
    (tmp_path / "m.csv").write_text("topic,doc,grade\nt,d,1\nt,e,1\n")
    (tmp_path / "m.qrels").write_text("t 0 d 1\nt 0 e 1\n")
    (tmp_path / "requests.jsonl").write_text('{"id":"r1","topic":"t","doc":"d"}\n')
    frame = pl.read_csv(tmp_path / "m.csv")
    frame.write_parquet(tmp_path / "m.parquet")
    for source in (tmp_path / "m.csv", tmp_path / "m.qrels", tmp_path / "m.parquet", frame, {"t": {"d": 1}}):
        with pytest.raises(PolicyError, match=r"E244: .*map has no effect on labels that are not JSON lines"):
            agree(people, llm=source, map=tmp_path / "requests.jsonl")
    with pytest.raises(PolicyError, match="E244: map has no effect without llm"):
        agree(people, people, map=tmp_path / "requests.jsonl")


def test_two_models_in_one_file_are_refused(tmp_path):
    (tmp_path / "m.jsonl").write_text(
        '{"topic":"t","doc":"d","grade":1,"model":"m"}\n{"topic":"t","doc":"d","grade":1,"model":"n"}\n'
    )
    with pytest.raises(InputError, match="holds the labels of 2 models: m, n"):
        quiet({"ann": {"t": {"d": 1}}}, llm=tmp_path / "m.jsonl")


def test_of_many_couples_the_extremes_are_said():
    qrels = mock()["a1"]
    five = {
        f"a{n}": {
            t: {d: (g + n * (int(d[1:]) % (n + 2) == 0)) % 3 for d, g in docs.items()} for t, docs in qrels.items()
        }
        for n in range(5)
    }
    found = quiet(five, runs=systems(qrels), measures="AP")
    taus = [each.tau for each in found.consequences]
    line = next(line for line in repr(found).splitlines() if "matter" in line)
    assert len(taus) == 10
    assert f"under two assessors = {min(taus):.2f} (" in line
    assert line.endswith(f"mean {np.mean(taus):.2f} (6 systems, AP, 10 couples of assessors)")


def test_one_system_has_no_order():
    found = quiet(mock(), runs={"r": {"q0": ["d0"]}}, measures="AP")
    assert "and under a2 is undefined (1 system, AP)" in repr(found)


# --- words ---------------------------------------------------------------------------------------------------------


def test_a_prevailing_grade_is_warned_about():
    ann = {f"t{n}": {f"d{m}": int(n == m == 0) for m in range(20)} for n in range(5)}
    bob = {f"t{n}": {f"d{m}": int(n == m == 1) for m in range(20)} for n in range(5)}
    with pytest.warns(DataWarning, match="W117"):
        found = agree({"ann": ann, "bob": bob})
    assert (found["raw"].value, found["cohen"].value) == pytest.approx((0.98, -0.0101), abs=1e-4)
    said = "prevalence: κ is low (−0.010) though raw agreement is high (98.0 %): 99.0 % of the labels are 0"
    assert said in repr(found)


def test_agreement_per_grade_is_the_share_of_its_labels_that_another_shares():
    per_grade = agree(mock()).per_grade
    assert per_grade[0] == pytest.approx(2 * 61 / (69 + 67))
    assert per_grade[2] == pytest.approx(2 * 18 / (23 + 23))


def test_one_grade_alone_leaves_nothing_to_read_beside():
    same = {"t1": {"d1": 0, "d2": 0}}
    with pytest.warns(DataWarning, match="W117"):
        found = agree({"ann": same, "bob": same})
    assert found.prevalence.endswith("100.0 % of the labels are 0")


def test_a_share_and_its_interval_have_one_unit_in_every_form():
    found = agree(mock())
    raw = found["raw"]
    assert f"| `raw agreement` | {raw.value:.3f} | `[{raw.low:.3f}, {raw.high:.3f}]` | 120 |" in found.to_markdown()
    assert f"raw agreement & {raw.value:.3f} & {{[}}{raw.low:.3f}, {raw.high:.3f}] & 120" in found.to_latex()
    shown = f"raw agreement            {100 * raw.value:.1f} %   [{100 * raw.low:.1f}, {100 * raw.high:.1f}]"
    assert shown in repr(found)


def test_topics_add_up_to_the_whole():
    found = agree(mock())
    assert sum(topic.pairs for topic in found.topics) == found.pairs
    assert np.sum([topic.confusion for topic in found.topics], axis=0).tolist() == MOCK
    assert found.per_topic().columns == ["topic", "pairs", "raw", "Cohen κ", "κ quadratic", "overlap", "α (ordinal)"]


def test_couples_with_few_common_pairs_are_left_out_of_means_and_counted():
    many = {"a": 30, "b": 30, "c": 2}
    rows = [("t", f"d{n}", who, n % 3 if who != "c" else 1) for who, some in many.items() for n in range(some)]
    found = quiet(judged(rows), min_common=5)
    assert (len(found.couples), found.couples_left_out) == (1, 2)
    assert found["cohen"].value == 1
    assert found["raw"].value < 1
    assert "mean over 1 couple of assessors, weighted by common pairs; 2 with fewer than 5 left out" in repr(found)
    assert found.per_couple().rows() == [("a", "b", 30, 1.0, 1.0, 1.0, 1.0)]


def test_the_result_has_every_form():
    found = agree(mock(), runs=systems(mock()["a1"]))
    assert found.to_polars().columns == ["coefficient", "value", "ci_low", "ci_high", "pairs"]
    assert found.to_polars().height == len(found.statistics) == len(PAIRWISE) + 1 + len(LEVELS)
    assert found.to_pandas().shape == (found.to_polars().height, 5)
    assert found.to_csv().startswith("coefficient,value,ci_low,ci_high,pairs\r\nraw agreement,0.80833")
    assert r"Cohen $\kappa$" in found.to_latex()
    assert "| `a1 0` | 61 | 7 | 1 |" in found.to_markdown()
    assert '<td style="text-align:left">Cohen κ</td>' in found._repr_html_()
    assert found.to_dict()["command"] == "agree"
    assert '"value": 0.808' in found.to_json()
    with pytest.raises(AttributeError):
        found.pairs = 3  # type: ignore[misc]  # frozen, on purpose
    with pytest.raises(KeyError, match="there is no coefficient 'kappa'"):
        found["kappa"]


# --- errors --------------------------------------------------------------------------------------------------------


def refused(code, *sources, **options):
    with pytest.raises((InputError, PolicyError)) as caught:
        quiet(*sources, **options)
    assert caught.value.code == code
    return str(caught.value)


def test_one_assessor_alone_is_refused():
    said = refused("E221", {"ann": {"t": {"d": 1}}})
    assert "agreement needs two assessors, got 1 (ann)" in said


def test_assessors_without_a_common_pair_are_refused_with_the_reason():
    assert "topics of a look like 't', those of b like 'u'" in refused(
        "E222", {"a": {"t": {"d": 1}}, "b": {"u": {"d": 1}}}
    )
    assert "do the document ids match?" in refused("E222", {"a": {"t": {"d": 1}}, "b": {"t": {"e": 1}}})
    people = {"a": {"t": {"d": 1}}, "b": {"t": {"d": 1}}}
    assert "graded no document in common" in refused("E222", people, llm={"u": {"e": 1}})
    assert "no assessor judged a pair twice" in refused(
        "E222", {"a": {"t": {"d": 1}}, "b": {"t": {"d": 1}}}, itself=True
    )


def test_unknown_words_are_refused():
    for option in ({"weights": "cubic"}, {"level": "cardinal"}, {"over": "runs"}, {"repeats": "best"}):
        assert "one of" in refused("E213", mock(), **option)
    refused("E240", mock(), samples=0)
    refused("E213", mock(), negative="zero")
    refused("E244", mock(), itself=True, runs={"r": {"q0": ["d0"]}})


def test_a_scale_of_hundreds_of_grades_is_refused():
    ann = {"t": {f"d{n}": n for n in range(300)}}
    assert "300 different grades" in refused("E246", {"ann": ann, "bob": ann})
    assert quiet({"ann": ann, "bob": ann}, binary=100)["raw"].value == 1
