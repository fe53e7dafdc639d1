"""The simulator: what is drawn is what the model says, repeats, and scores as files of it would."""

import io
import json

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.measures.grammar import parse
from cranfield.pooling.pool import pool
from cranfield.study.simulated.lists import best_first
from cranfield.study.simulated.score_matrix import simulate_scores
from cranfield.study.simulated.simulator import simulate
from cranfield.study.simulated.world import PRESETS, WorldModel
from cranfield.write import write_table


def test_the_same_seed_gives_the_same_world_and_another_another():
    one, same, other = (simulate("tiny", seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.order, same.order)
    assert np.array_equal(one.score, same.score)
    assert not np.array_equal(one.grade, other.grade)


def test_draws_of_a_seed_are_the_same_systems_on_other_topics():
    first, second = simulate("tiny", seed=3), simulate("tiny", seed=3, draw=1)
    assert np.array_equal(first.ability, second.ability)
    assert not np.array_equal(first.grade, second.grade)


def test_leaving_topics_out_changes_nothing_for_the_others():
    few, many = simulate("tiny", topics=4, seed=5), simulate("tiny", topics=9, seed=5)
    assert np.array_equal(few.order, many.order[:4])


def test_lists_are_the_best_documents_in_order():
    world = simulate("tiny", seed=1)
    assert (np.diff(world.score, axis=2) <= 0).all()
    assert all(len(set(row)) == world.model.length for row in world.order.reshape(-1, world.model.length).tolist())


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "Bpref", "AP'", "RBP", "Judged@10", "Q"])
@pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
def test_the_quick_way_scores_as_evaluate_does(measure):
    world = simulate("tiny", seed=4)
    shape = (world.model.systems, world.model.topics)
    for judged, qrels in ((None, world.truth), (world.judged, world.qrels)):
        scores = cf.evaluate(qrels, world.runs, measure)
        assert parse(measure)(world.hits(judged)).reshape(shape) == pytest.approx(scores.matrix(measure), nan_ok=True)


def test_the_judged_documents_are_the_depth_pool_of_the_contributing_runs():
    world = simulate("tiny", seed=6)
    runs = world.runs
    found = pool([runs[name] for name in world.contributing], depth=world.model.depth)
    qrels = world.qrels
    judged = {(qrels.topics[t], d) for t, d in zip(qrels.topic.tolist(), qrels.document, strict=True)}
    chosen = found.pairs
    assert {(chosen.topics[t], d) for t, d in zip(chosen.topic.tolist(), chosen.document, strict=True)} == judged


def test_a_family_shares_its_mistakes_and_a_novel_one_shares_nothing():
    model = WorldModel(
        topics=30, documents=400, systems=8, families=4, novel=1, length=400, relevant=1, relevant_spread=0.1
    )
    world = simulate(model, seed=2)
    score = np.empty((30, 8, 400))
    np.put_along_axis(score, world.order, world.score, axis=2)
    nothing = np.broadcast_to((world.grade == 0)[:, None], score.shape)
    rows = np.stack([score[:, s][nothing[:, s]] for s in range(8)])
    seen = np.corrcoef(rows)
    assert seen[0, 1] == pytest.approx(model.common + model.shared, abs=0.03)  # one family
    assert seen[0, 2] == pytest.approx(model.common, abs=0.03)  # two families
    assert seen[6, 7] == pytest.approx(model.common + model.shared, abs=0.03)  # the novel one
    assert seen[0, 6] == pytest.approx(0, abs=0.03)
    assert rows.std() == pytest.approx(model.noise, abs=0.02)


def test_relevant_documents_are_as_many_and_as_good_as_the_model_says():
    world = simulate("tiny", topics=3000, systems=4, length=1, seed=9)
    relevant = (world.grade > 0).sum(axis=1)
    assert relevant.mean() == pytest.approx(12, rel=0.05)
    assert np.log(relevant).std() == pytest.approx(0.5, abs=0.05)
    shares = np.bincount(world.grade[world.grade > 0], minlength=4)[1:] / (world.grade > 0).sum()
    assert shares == pytest.approx([0.49, 0.31, 0.20], abs=0.01)


def test_the_large_preset_has_the_size_of_trec_8():
    model = PRESETS["trec8_like"]
    assert (model.topics, model.systems, model.families) == (50, 120, 40)
    assert int(model.contributes.sum()) == 78
    world = simulate(model, topics=8, seed=1)
    assert 1200 < world.judged.sum(axis=1).mean() < 1800
    assert world.families[world.model.names[-1]] == "new40"


def test_tables_can_be_written_and_read_again():
    world = simulate("tiny", topics=2, seed=1)
    file = io.BytesIO()
    write_table(world.qrels, file)
    assert cf.read_qrels(io.BytesIO(file.getvalue())).same_rows(world.qrels)
    file = io.BytesIO()
    write_table(world.runs["f01-1"], file)
    assert cf.read_run(io.BytesIO(file.getvalue())) == world.runs["f01-1"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topics": 0}, "E240: topics=0"),
        ({"novel": 4}, "E243: 8 systems, 4 families, 4 of them novel"),
        ({"families": 9}, "E243: 8 systems, 9 families"),
        ({"noise": 0}, "E240: noise=0"),
        ({"common": 0.9, "shared": 0.2}, "E240: noise=1.0, of which 0.9 is common and 0.2 shared"),
        ({"colour": 1}, "E245: the model has no 'colour'"),
    ],
)
def test_a_model_that_cannot_be_is_refused(changes, message):
    with pytest.raises(cf.PolicyError) as caught:
        simulate("tiny", **changes)
    assert str(caught.value).startswith(message)


def test_an_unknown_preset_is_refused():
    with pytest.raises(cf.PolicyError, match='preset="huge" is unknown'):
        simulate("huge")


# --- the second generator --------------------------------------------------------------------------------------


def test_drawn_scores_have_the_means_deviations_and_correlation_that_were_asked_for():
    drawn = simulate_scores([0.3, 0.2, 0.5], sd=[0.1, 0.15, 0.2], correlation=0.6, topics=40_000, seed=1)
    values = drawn.scores.matrix("AP")
    assert values.mean(axis=1) == pytest.approx([0.3, 0.2, 0.5], abs=0.005)
    assert values.std(axis=1) == pytest.approx([0.1, 0.15, 0.2], abs=0.005)
    assert ((values > 0) & (values < 1)).all()
    normal = simulate_scores([0.3, 0.2], correlation=0.6, marginal="normal", topics=40_000).scores.matrix("AP")
    assert np.corrcoef(normal)[0, 1] == pytest.approx(0.6, abs=0.02)  # type: ignore[index]  # there is one here
    assert drawn.differences[2, 1] == pytest.approx(0.3)


def test_scores_like_others_keep_their_distribution_and_correlation():
    world = simulate("tiny", topics=60, seed=3)
    scores = cf.evaluate(world.truth, world.runs, "AP")
    drawn = simulate_scores(like=scores, topics=20_000, seed=1)
    observed, values = scores.matrix("AP"), drawn.scores.matrix("AP")
    assert drawn.scores.runs == scores.runs
    for share in (0.1, 0.5, 0.9):
        assert np.quantile(values, share, axis=1) == pytest.approx(np.quantile(observed, share, axis=1), abs=0.02)
    assert values.mean(axis=1) == pytest.approx(drawn.means, abs=0.006)
    assert np.corrcoef(values) == pytest.approx(np.corrcoef(observed), abs=0.12)


def test_intervals_of_drawn_scores_hold_the_truth_as_often_as_they_say():
    held = []
    for draw in range(400):
        drawn = simulate_scores([0.4], sd=0.2, marginal="normal", topics=20, seed=1, draw=draw)
        low, high = cf.with_intervals(drawn.scores, "t").intervals[0, 0]  # type: ignore[index]  # there is one here
        held.append(low <= 0.4 <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 400))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give means, or scores to imitate"),
        ({"means": [0.3], "topics": 0}, "topics=0 is out of range"),
        ({"means": [0.3], "sd": 0.6}, "no beta distribution"),
        ({"means": [0.3], "marginal": "gamma"}, 'marginal="gamma" is unknown'),
        ({"means": [0.3, 0.2], "correlation": [[1, 2], [2, 1]]}, "this is not a correlation matrix of 2 runs"),
        ({"means": [0.3, 0.2, 0.1], "correlation": -0.9}, "this is not a correlation matrix of 3 runs"),
        ({"means": [0.3], "runs": ["a", "b"]}, "2 names for 1 runs"),
    ],
)
def test_scores_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(cf.PolicyError, match=message):
        simulate_scores(**arguments)


def test_a_run_without_spread_has_no_correlation():
    scores = cf.evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"r": {"1": ["a"], "2": ["a"]}}, "AP")
    with pytest.raises(cf.PolicyError, match="same score on every topic"):
        simulate_scores(like=scores)


# --- the study -------------------------------------------------------------------------------------------------


def twin(seed, draws, measure, preset="tiny"):
    """The study by plain loops over what `evaluate` says."""
    worlds = [simulate(preset, seed=seed, draw=draw) for draw in range(draws)]
    judged = [
        [cf.evaluate(world.truth, world.runs, measure).matrix(measure) for world in worlds],
        [cf.evaluate(world.qrels, world.runs, measure).matrix(measure) for world in worlds],
        [cf.evaluate(world.qrels, world.runs, f"{measure}'").matrix(f"{measure}'") for world in worlds],
    ]
    return worlds[0].model, np.nan_to_num(np.array(judged))  # [judgments, draw, system, topic]


@pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
def test_the_study_counts_as_plain_loops_do():
    from scipy.stats import t

    draws = 6
    model, values = twin(2, draws, "AP")
    table = study.simulate("AP", preset="tiny", draws=draws, seed=2).table()
    means, novel = values.mean(axis=3), model.is_novel
    quantile = t.ppf(0.975, model.topics - 1)
    for number, kind in enumerate(("complete", "pool", "condensed")):
        row = table.row(number, named=True)
        assert row["judgments"] == kind
        bias = means[number] - means[0]
        assert row["bias"] == pytest.approx(bias[:, ~novel].mean())
        assert row["bias_novel"] == pytest.approx(bias[:, novel].mean())
        wrong, held, counted = [], [], 0
        for draw in range(draws):
            others = [other for other in range(draws) if other != draw]
            for s in range(model.systems):
                if not novel[s]:
                    error = values[number, draw, s].std(ddof=1) / np.sqrt(model.topics)
                    truth = means[0, others, s].mean()
                    held.append(abs(means[number, draw, s] - truth) <= quantile * error * np.sqrt(draws / (draws - 1)))
                for other in range(s):
                    if novel[s] != novel[other] or novel[s]:
                        before = means[0, draw, s] - means[0, draw, other]
                        wrong.append(before * (means[number, draw, s] - means[number, draw, other]) < 0)
                        counted += 1
        assert row["coverage"] == pytest.approx(np.mean(held))
        assert row["sign_errors_novel"] == pytest.approx(np.mean(wrong))
        assert counted == draws * int(novel.sum() * (~novel).sum() + novel.sum() * (novel.sum() - 1) / 2)


def test_complete_judgments_are_the_truth_and_their_intervals_hold_it():
    table = study.simulate("AP", preset="tiny", draws=60, topics=20, seed=1).table()
    row = table.row(0, named=True)
    assert (row["agreement"], row["sign_errors"], row["bias"]) == (1.0, 0.0, 0.0)
    assert row["pair_coverage"] == pytest.approx(0.95, abs=0.04)
    assert row["coverage"] == pytest.approx(0.95, abs=0.06)


def test_an_unpooled_family_is_hurt_by_the_pool_and_flattered_by_condensed_lists():
    table = study.simulate("AP", draws=8, systems=12, families=6, topics=25, seed=3).table()
    pooled, condensed = table.row(1, named=True), table.row(2, named=True)
    assert pooled["bias_novel"] < -0.02 < condensed["bias_novel"]
    assert condensed["bias_novel"] > condensed["bias"] > 0
    assert pooled["sign_errors_novel"] > 3 * pooled["sign_errors"]


def test_the_study_repeats_from_its_settings(tmp_path):
    made = study.simulate("P@5", preset="tiny", draws=4, seed=2, folder=tmp_path / "one")
    again = study.repeat(tmp_path / "one" / "study.json", folder=tmp_path / "two")
    assert again.to_csv() == made.to_csv()
    files = [{p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("one", "two")]
    assert files[0] == files[1]
    assert len(made.table("systems")) == 8
    assert json.loads((tmp_path / "one" / "study.json").read_text())["options"]["preset"] == "tiny"


def test_jobs_change_nothing():
    one, two = (study.simulate("AP", preset="tiny", draws=4, seed=5, jobs=jobs).to_csv() for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 1}, "draws=1 is out of range"),
        ({"topics": 1}, "topics=1 is out of range"),
        ({"systems": 0}, "systems=0 is out of range"),
        ({"noise": -1.0}, "noise=-1.0 is out of range"),
        ({"families": 30}, "24 systems, 30 families"),
    ],
)
def test_options_that_cannot_be_are_refused(options, message):
    with pytest.raises(cf.PolicyError, match=message):
        study.simulate("AP", **options)


def test_a_condensed_measure_is_refused_because_it_is_looked_at_anyway():
    with pytest.raises(cf.PolicyError, match="AP' is condensed already"):
        study.simulate("AP'", preset="tiny", draws=2)


def test_the_documents_that_a_list_ends_with_are_those_of_the_lowest_number():
    scores = np.array([[0.5, 0.5, 0.9, 0.5, 0.5], [0.1, 0.2, 0.3, 0.4, 0.5]])
    expected = np.argsort(-scores, axis=1, kind="stable")
    for length in range(1, 6):
        assert best_first(scores, length).tolist() == expected[:, :length].tolist()
