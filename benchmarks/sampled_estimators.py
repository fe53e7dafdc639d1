"""What estimators from samples do where the truth is known: their mean, their spread, and how often intervals hold it.

    scripts/simulate-estimators                          # the tables of docs/explanation/sampled-judgments.md
    scripts/simulate-estimators --replicates 200 --print # a quick look

Small cases are enumerated: every sample, with its probability. Larger ones are simulated: each replicate is a topic of
one table, so that all of them are scored at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import NormalDist

import numpy as np

import cranfield as cf
from benchmarks.marked_pages import EXPLANATION, parser, publish
from cranfield.align.columns.sampled import SampledJudgments, sampled_list
from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors.warning import kept
from cranfield.measures.families.gain import worth
from cranfield.measures.families.incomplete.sampled import estimated_relevant, sample_of, weight_above
from cranfield.measures.grammar import parse
from cranfield.missing.sampled.by_topics import student
from cranfield.missing.sampled.errors import LINEARISED, RESAMPLED, SamplingErrors
from cranfield.missing.sampled.powered import powered_mean
from cranfield.missing.sampled.resampling import resamples
from cranfield.study.simulated.named_systems import generate

PAGE = EXPLANATION / "sampled-judgments.md"
Z = NormalDist().inv_cdf(0.975)
DRAWS = 1000  # of the sample, where it is drawn again


# --- enumerated ----------------------------------------------------------------------------------------------------

GRADES = {"a": 2, "b": 0, "c": 1, "d": 0, "e": 1, "f": 2, "g": 0, "h": 1}
RUN, FULL = "abecxfgdh", "abc"  # x was never pooled; one stratum was judged in full
CHANCES = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.4, 0.3, 0.3, 0.2])
RELEVANT = (1, 0, 1, 1, 0, 1, 0, 1, 1, 0)  # the last two are not in the list


def stratified_list(sample: Sequence[str]) -> Hits:
    """The worked run where these documents of the second stratum were judged."""
    found = [None if d == "x" else GRADES[d] if d in FULL or d in sample else -1 for d in RUN]
    return sampled_list(found, strata=[int(d not in FULL) for d in RUN if d != "x"])


def independent_list(sample: Sequence[int]) -> Hits:
    """The worked list where these documents were judged."""
    grades = [x if drawn else -1 for x, drawn in zip(RELEVANT, sample, strict=True)]
    return sampled_list(grades[:8], grades[8:], probabilities=CHANCES.tolist())


def parts(hits: Hits, rate: Floats) -> tuple[float, float, float]:
    """The sums that are unbiased: relevant documents, discounted gain, numerator of statAP."""
    table, found = sample_of(hits), hits.relevant(1)
    gain = hits.sum(worth(hits.grade, hits.rank, dcg="log2") / rate[hits.document])
    total = found.sum((1 + weight_above(found, table)) / table.chance[found.document] / found.rank)
    return float(estimated_relevant(table, rate, 1, 1)[0]), float(gain[0]), float(total[0])


def enumerated() -> dict[str, dict[str, tuple[float, float]]]:
    """By case and quantity: the truth, and the mean over all samples."""
    return {"stratified, 10 samples": _stratified(), "independent, 1,024 samples": _independent()}


X, F = np.array([1.0, 0, 1, 1, 0, 1]), np.array([0.8, 0.3, 0.5, 0.9, 0.2, 0.1])  # what people and a model say
PI = np.array([0.9, 0.7, 0.5, 0.5, 0.4, 0.3])


def differences() -> dict[str, tuple[float, float, float]]:
    """DCG of six documents from people's sample, with and without the model: truth, mean and spread over 64 samples."""
    weight = 1 / np.log2(np.arange(2, 8))
    samples = np.array(list(product([0, 1], repeat=6)))
    chance = np.prod(np.where(samples, PI, 1 - PI), axis=1)
    found = {}
    for name, model in (("people alone (Horvitz–Thompson)", np.zeros(6)), ("people and model (difference)", F)):
        values = (model + samples * (X - model) / PI) @ weight
        mean = float(chance @ values)
        found[name] = (float(X @ weight), mean, float(np.sqrt(chance @ (values - mean) ** 2)))
    return found


def _stratified() -> dict[str, tuple[float, float]]:
    full = stratified_list("defgh")
    samples = [stratified_list(sample) for sample in combinations("defgh", 3)]
    sums = np.array([parts(hits, sample_of(hits).share) for hits in samples]).mean(axis=0)
    truth = parts(full, sample_of(full).share)
    named = ("relevant documents", "DCG", "numerator of statAP")
    found = {name: (truth[n], float(sums[n])) for n, name in enumerate(named)}
    for name, plain in _PLAIN.items():
        mean = np.mean([parse(name)(hits)[0] for hits in samples])
        found[name] = (float(parse(plain)(full)[0]), float(mean))
    return found


def _independent() -> dict[str, tuple[float, float]]:
    full = independent_list([1] * 10)
    samples = list(product([0, 1], repeat=10))
    weight = np.array([np.prod(np.where(sample, CHANCES, 1 - CHANCES)) for sample in samples])
    lists = [independent_list(sample) for sample in samples]
    sums = weight @ np.array([parts(hits, sample_of(hits).chance) for hits in lists])
    relevant, gain, _ = parts(full, np.ones(10))
    truth = (relevant, gain, relevant * float(parse("AP")(full)[0]))
    named = ("relevant documents", "DCG", "numerator of statAP")
    found = {name: (truth[n], float(sums[n])) for n, name in enumerate(named)}
    for name in ("statAP", "statNDCG"):
        values = np.array([parse(name)(hits)[0] for hits in lists])
        known = ~np.isnan(values)
        mean = np.average(values[known], weights=weight[known])
        found[name] = (float(parse(_PLAIN[name])(full)[0]), float(mean))
    return found


_PLAIN = {
    "xinfAP": "AP",
    "infNDCG": "nDCG",
    "infNDCG(ideal='fractional')": "nDCG",
    "statAP": "AP",
    "statNDCG": "nDCG",
}


# --- simulated -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What an estimator did over the replicates."""

    truth: float
    mean: float
    spread: float
    error: float  # the mean standard error that it states
    coverage: float  # of its 95 % intervals
    replicates: int

    @property
    def row(self) -> str:
        """The cells of a table."""
        bias = f"{self.mean - self.truth:+.4f}".replace("-", "−")
        held = f"{100 * self.coverage:.1f} %"
        return f"{self.truth:.4f} | {self.mean:.4f} | {bias} | {self.spread:.4f} | {self.error:.4f} | {held}"


def replicated(grades: Ints, drawn: Bools, stratum: Ints | None, chance: Floats | None, listed: int) -> Hits:
    """One ranking, `grades` from the top, for each sample `drawn[replicate, document]`; only some ranks are listed."""
    replicates, documents = drawn.shape
    topic, rank = np.repeat(np.arange(replicates), documents), np.tile(np.arange(1, documents + 1), replicates)
    grade = np.where(drawn, grades, -1).ravel()
    shown, known, place = rank <= listed, grade >= 0, np.arange(len(rank))
    base = np.lexsort((-grade, topic))
    base = base[known[base]]
    return Hits(
        rank=rank[known & shown],
        grade=grade[known & shown],
        ranking=topic[known & shown],
        topic=np.arange(replicates),
        retrieved=np.full(replicates, listed),
        base_topic=topic[base],
        base_grade=grade[base],
        topics=replicates,
        top_grade=float(grades.max()),
        pooled_rank=rank[~known & shown],
        pooled_ranking=topic[~known & shown],
        document=place[known & shown],
        pooled_document=place[~known & shown],
        sample=SampledJudgments.of(
            topic,
            grade,
            None if stratum is None else np.tile(stratum, replicates),
            None if chance is None else np.tile(chance, replicates),
        ),
    )


def stratified_world(seed: int, replicates: int) -> tuple[Hits, Hits]:
    """400 documents in three strata, 110 of them judged: 40 of 40, 45 of 120, 25 of 240."""
    rng = np.random.default_rng(seed)
    place = np.arange(400)
    relevant = rng.random(400) < 0.6 * np.exp(-place / 60) + 0.01
    grades = np.where(relevant, rng.choice([1, 2], 400, p=[0.65, 0.35]), 0)
    best = np.argsort(np.argsort(place + rng.normal(0, 40, 400)))  # by which the pool was divided
    stratum = np.searchsorted([40, 160], best, side="right")
    drawn = np.zeros((replicates, 400), dtype=bool)
    for number, wanted in enumerate((40, 45, 25)):
        members = np.flatnonzero(stratum == number)
        order = np.argsort(rng.random((replicates, len(members))), axis=1)[:, :wanted]
        np.put_along_axis(drawn, members[order], values=True, axis=1)
    full = replicated(grades, np.ones((1, 400), dtype=bool), stratum, None, 300)
    return full, replicated(grades, drawn, stratum, None, 300)


def independent_world(seed: int, replicates: int) -> tuple[Hits, Hits]:
    """300 documents, 36 of them relevant, each drawn for itself with a probability that falls with the rank."""
    rng = np.random.default_rng(seed)
    place = np.arange(300)
    weight = np.exp(-place / 80)
    grades = np.zeros(300, dtype=np.int64)
    grades[rng.choice(300, 36, replace=False, p=weight / weight.sum())] = 1
    chance = 0.9 * np.exp(-place / 90) + 0.05
    full = replicated(grades, np.ones((1, 300), dtype=bool), None, np.ones(300), 300)
    return full, replicated(grades, rng.random((replicates, 300)) < chance, None, chance, 300)


def outcome(name: str, full: Hits, samples: Hits, seed: int, draws: int = DRAWS) -> Outcome:
    """An estimator on the samples of a world."""
    measure = parse(name)
    truth, values = float(parse(_PLAIN[name])(full)[0]), measure(samples)
    kind = measure.definition.name
    if kind in LINEARISED:
        error = np.sqrt(LINEARISED[kind](samples, **measure.arguments))
        low, high = values - Z * error, values + Z * error
    else:
        function = RESAMPLED[kind](samples, **measure.arguments)
        several = resamples(sample_of(samples), draws, np.random.default_rng(seed))
        drawn = np.concatenate([function(each) for each in several])
        error, (low, high) = drawn.std(axis=0, ddof=1), np.quantile(drawn, (0.025, 0.975), axis=0)
    held = float(np.mean((low <= truth) & (truth <= high)))
    spread = float(values.std(ddof=1))
    return Outcome(truth, float(values.mean()), spread, float(error.mean()), held, len(values))


MEANS = {"xinfAP": "AP", "infNDCG@20": "nDCG@20", "statAP": "AP", "statNDCG@20": "nDCG@20"}
DESIGNS = ("1-10:1,11-100:0.3", "1-5:1,6-40:0.4,41-100:0.15")


def mean_outcomes(strata: str, samples: int, seed: int, draws: int = 200) -> dict[str, Outcome]:
    """Means over the topics of the demo collection from stratified samples of its pool; all runs count alike."""
    world = generate()
    names = [(topic, document) for topic in world.topics for document in world.documents]
    truth = cf.Qrels.of([topic for topic, _ in names], [document for _, document in names], world.truth.ravel())
    whole = cf.pool(world.runs, depth=100, strategy="sample", rate=1.0).frame(truth)
    with kept():
        exact = cf.evaluate(whole, world.runs, list(MEANS.values()))
        drawn = [
            cf.pool(world.runs, depth=100, strategy="sample", strata=strata, seed=seed + n) for n in range(samples)
        ]
        found = [cf.sampling_errors(each.frame(truth), world.runs, list(MEANS), draws=draws) for each in drawn]
    outcomes = {}
    for column, (name, plain) in enumerate(MEANS.items()):
        true = exact.means[:, exact.measures.index(plain)]
        values, errors = (np.array([x[:, column] for x in xs]) for xs in _means(found))
        ends = np.array([each.mean_intervals[:, column] for each in found])
        held = float(np.mean((ends[..., 0] <= true) & (true <= ends[..., 1])))
        spread = float(values.std(axis=0, ddof=1).mean())
        outcomes[name] = Outcome(
            float(true.mean()), float(values.mean()), spread, float(errors.mean()), held, values.size
        )
    return outcomes


def _means(found: Sequence[SamplingErrors]) -> tuple[list[Floats], list[Floats]]:
    return [each.scores.means for each in found], [each.mean_errors for each in found]


# --- two kinds of labels -------------------------------------------------------------------------------------------


def topic_scores(rng: np.random.Generator, topics: int) -> tuple[Floats, Floats]:
    """Scores of topics under people's labels, whose mean is 0.4, and under those of a model that is too kind."""
    people = rng.beta(1.6, 2.4, topics)
    return people, np.clip(0.15 + 0.8 * people + rng.normal(0, 0.08, topics), 0, 1)


def powered_outcomes(labelled: int, others: int, replicates: int, seed: int) -> dict[str, Outcome]:
    """Means over topics from people alone, with the model fully, with the model as much as it is worth."""
    rng = np.random.default_rng([seed, labelled])
    t = student(labelled - 1, 0.95)
    rows: dict[str, list[tuple[float, float]]] = {"people alone": [], "classic": [], "tuned": []}
    for _ in range(replicates):
        people, model = topic_scores(rng, labelled)
        rest = topic_scores(rng, others)[1]
        for name, tuned, unlabelled in (
            ("people alone", True, rest[:0]),
            ("classic", False, rest),
            ("tuned", True, rest),
        ):
            found = powered_mean(people, model, unlabelled, tuned=tuned)
            rows[name].append((found.value, found.error))
    return {name: _powered(np.array(pairs), t) for name, pairs in rows.items()}


def _powered(pairs: Floats, t: float) -> Outcome:
    values, errors = pairs.T
    held = float(np.mean(np.abs(values - 0.4) <= t * errors))
    return Outcome(0.4, float(values.mean()), float(values.std(ddof=1)), float(errors.mean()), held, len(values))


# --- the page ------------------------------------------------------------------------------------------------------

_HEAD = "truth | mean | bias | spread | stated error | 95 % intervals that hold it |"
_RULE = "---:|" * 6


def pages(replicates: int, seed: int) -> Iterator[str]:
    """Each table under its heading."""
    for title, rows in enumerated().items():
        cells = [f"| {f'`{n}`' if n in _PLAIN else n} | {true:.6f} | {mean:.6f} |" for n, (true, mean) in rows.items()]
        yield f"### Enumerated: {title}\n\n| quantity | truth | mean |\n|---|---:|---:|\n" + "\n".join(cells)
    cells = [f"| {n} | {true:.6f} | {mean:.6f} | {sd:.6f} |" for n, (true, mean, sd) in differences().items()]
    yield (
        "### Enumerated: labels of a model, corrected by a sample, 64 samples\n\n"
        "| DCG from | truth | mean | spread |\n|---|---:|---:|---:|\n" + "\n".join(cells)
    )
    worlds: dict[str, tuple[Callable[[int, int], tuple[Hits, Hits]], list[str]]] = {
        "strata": (stratified_world, list(_PLAIN)),
        "independent draws": (independent_world, ["statAP", "statNDCG"]),
    }
    for title, (world, names) in worlds.items():
        blocks = []
        for number in range(3):
            full, samples = world(seed + number, replicates)
            lines = [f"| `{n}` | {outcome(n, full, samples, seed).row} |" for n in names]
            blocks.append(f"*World {number + 1}:*\n\n| estimator | {_HEAD}\n|---|{_RULE}\n" + "\n".join(lines))
        told = " ".join((world.__doc__ or "").split())
        yield f"### Simulated: {title}\n\n{told} {replicates:,} samples of each of three worlds.\n\n" + "\n\n".join(
            blocks
        )
    few = max(2, replicates // 5)
    blocks = []
    for strata in DESIGNS:
        lines = [f"| `{n}` | {found.row} |" for n, found in mean_outcomes(strata, few, seed).items()]
        blocks.append(f"*Strata {strata}:*\n\n| estimator | {_HEAD}\n|---|{_RULE}\n" + "\n".join(lines))
    yield (
        f"### Simulated: means over 20 topics\n\nThe six runs of the demo collection, {few:,} samples of each design, "
        "all runs together.\n\n" + "\n\n".join(blocks)
    )
    many = 10 * replicates
    lines = [
        f"| {n} of {n + 200} topics | {name} | {found.row} |"
        for n in (10, 25, 50)
        for name, found in powered_outcomes(n, 200, many, seed).items()
    ]
    yield (
        f"### Simulated: a few labels of people, many of a model\n\n{many:,} replicates; the model's labels alone have "
        f"a mean of about 0.47 instead of 0.40.\n\n| people judged | estimate | {_HEAD}\n|---|---|{_RULE}\n"
        + "\n".join(lines)
    )


def main() -> None:
    """Draw, and print the tables or write them into the page."""
    arguments = parser("bias, spread and coverage of estimators from samples")
    arguments.add_argument("--replicates", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    publish(PAGE, pages(options.replicates, options.seed), options.print)


if __name__ == "__main__":
    main()
