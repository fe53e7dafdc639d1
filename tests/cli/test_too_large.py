"""Numbers that are typed with too many digits are refused before anything is allocated, however they are used."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import Error
from cranfield.stats.orders.correlation import correlation_interval
from cranfield.stats.paired.intervals import intervals
from cranfield.stats.several.tukey_randomized import tukey_randomized
from tests.stats.scored import draw, scored

MANY = 10**12
DATA = ("qrels.txt", "runs/bm25.run", "runs/dense.run")
COMMANDS = [
    (["compare", *DATA, "--test", "permutation", "--samples"], "E240: --samples 1000000000000 is too many"),
    (["compare", *DATA, "--test", "bootstrap", "--samples"], "E240: --samples 1000000000000 is too many"),
    (["compare", *DATA, "--adjust", "tukey-randomized", "--samples"], "E240: --samples 1000000000000 is too many"),
    (["agree", "qrels.txt", "other.txt", "--samples"], "E240: --samples 1000000000000 is too many"),
    (["study", "topheavy", "--relevant"], "E250: 1,000,000,000,000 relevant documents need about"),
    (["study", "describe", *DATA, "--depths"], "E250: 1,000,000,000,000 ranks need about"),
    (["study", "grid", *DATA, "--highest"], "E246: a grid over 1000000000000 grades is too fine"),
    (["study", "simulate", "--systems"], "E250: 1,000,000,000,000 systems on 50 topics need about"),
    (["study", "simulate", "--topics"], "systems on 1,000,000,000,000 topics need about"),
    (["study", "efficiency", *DATA, "--latencies", "times.csv", "--warm-up"], "E246: --warm-up 1000000000000 leaves"),
    (["study", "swap", *DATA, "--sets"], "E250: 1,000,000,000,000 repetitions need about"),
]


@pytest.mark.parametrize("verb", ["evaluate", "compare", "holes"])
def test_a_depth_that_no_machine_word_holds_is_refused(cli, folder, verb):
    result = cli(verb, *DATA, "-M", "99999999999999999999")
    assert (result.code, result.out) == (2, "")
    assert "error E240: -M is too large a number" in result.err


@pytest.mark.parametrize(
    ("command", "said"), COMMANDS, ids=lambda each: " ".join(each) if isinstance(each, list) else ""
)
def test_a_number_with_too_many_digits_is_refused(cli, folder, command, said):
    (folder / "other.txt").write_text((folder / "qrels.txt").read_text())
    topics = dict.fromkeys(line.split()[0] for line in (folder / "qrels.txt").read_text().splitlines())
    rows = [f"{run},{topic},1.5" for run in ("bm25", "dense") for topic in topics]
    (folder / "times.csv").write_text("\n".join(["run,topic,latency_ms", *rows, ""]))
    result = cli(*command, str(MANY))
    assert f"cranfield: error {said}" in result.err or said in result.err, result.err
    assert result.code in (2, 4)
    assert "there is not enough memory" not in result.err  # which is said after the fact


@pytest.mark.parametrize(
    "call",
    [
        lambda: cf.with_intervals(scored(draw(1)), "bootstrap", samples=MANY),
        lambda: cf.compare(scored(draw(1)), samples=MANY),
        lambda: cf.compare(scored(draw(1)), test="none", interval="bca", samples=900_000_000_000),
        lambda: cf.simulate("tiny", documents=MANY),
        lambda: cf.simulate("tiny", systems=MANY),
        lambda: cf.simulate_scores([0.2, 0.3], topics=MANY),
        lambda: correlation_interval(np.eye(3), np.eye(3), samples=MANY),
        lambda: intervals(np.eye(3), "percentile", samples=MANY, rng=np.random.default_rng(0)),
        lambda: tukey_randomized(draw(1, topics=60)[..., 0], samples=MANY),
        lambda: cf.agree({"q": {"a": 1}}, {"q": {"a": 1}}, samples=MANY),
    ],
)
def test_so_it_is_from_python(call):
    with pytest.raises(Error) as refused:
        call()
    assert refused.value.code in ("E240", "E250")


def test_as_many_draws_as_fit_are_not_refused():
    assert cf.compare(scored(draw(1)), test="permutation", samples=2000).method.samples == 2000
