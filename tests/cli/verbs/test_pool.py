"""`cranfield pool`: the file, the line, uniques, what is refused."""

import json
import re

import pytest
from jsonschema import validate

import cranfield as cf
from cranfield.cli.verbs.pool import STRATEGY
from cranfield.pooling import strategies
from cranfield.pooling.sampling import refuse_adaptive
from cranfield.write.write import render


@pytest.fixture
def demo(cli, folder):
    """Six runs on twenty topics, one of them without topic q17."""
    cli("demo", "d", "--simulate")
    return folder


def test_the_file_and_the_line_of_the_product(cli, demo):
    result = cli("pool", "d/runs/*.run", "--depth", "20", "-o", "pool.tsv")
    assert result.code == 0
    line = result.out.splitlines()[0]
    size = r"[\d,]+ pairs \(\d+\.\d per topic, \d+…\d+\)"
    assert re.fullmatch(rf" pool: 6 runs · 20 topics · depth 20 · {size} · 1 runs×topics shorter than 20", line)
    table = cf.read_pool("pool.tsv")
    assert f"{len(table):,} pairs ({len(table) / 20:.1f} per topic" in line
    assert re.fullmatch(r"q01\td\d{3}\tdepth20\t1\.0", (demo / "pool.tsv").read_text().splitlines()[0])


def test_the_line_by_hand(cli, folder):
    (folder / "lists").mkdir()
    for name, documents in (("r1", "abcd"), ("r2", "bcef"), ("r3", "aegb")):
        rows = [f"1 Q0 {d} {n} {10 - n} {name}\n" for n, d in enumerate(documents, start=1)]
        (folder / f"lists/{name}.run").write_text("".join(rows))
    result = cli("pool", "lists/r1.run", "lists/r2.run", "lists/r3.run", "--depth", "3", "-o", "pool.tsv", "-q")
    assert result.out.splitlines()[0] == " pool: 3 runs · 1 topic · depth 3 · 5 pairs (5.0 per topic, 5…5)"
    assert [line.split() for line in result.out.splitlines()[3:6]] == [
        ["r1", "3", "60.0", "%", "0"],
        ["r2", "3", "60.0", "%", "0"],
        ["r3", "3", "60.0", "%", "1"],
    ]
    assert sorted(cf.read_pool("pool.tsv").document) == list("abceg")


def test_without_a_file_nothing_is_written_and_that_is_said(cli, folder):
    result = cli("pool", "runs/bm25.run", "runs/dense.run")
    assert "nothing was written; -o pool.tsv writes the pool" in result.err
    assert sorted(path.name for path in folder.iterdir()) == ["qrels.txt", "runs"]
    assert " · 4 runs×topics shorter than 100" in result.out  # dense has one topic, and no list is that long


def test_a_dash_writes_the_pool_and_tells_of_it_on_stderr(cli, folder):
    result = cli("pool", "runs/bm25.run", "--depth", "1", "-o", "-")
    assert result.out == "301\td1\tdepth1\t1.0\n302\td4\tdepth1\t1.0\n"
    assert "cranfield: pool: 1 run · 2 topics · depth 1 · 2 pairs (1.0 per topic, 1…1)\n" in result.err


def test_what_is_judged_is_left_out(cli, folder):
    (folder / "old.txt").write_text("301 0 d1 1\n")
    result = cli("pool", "runs/bm25.run", "--qrels", "old.txt", "--depth", "2", "-o", "pool.tsv")
    assert " · 1 judged already, left out" in result.out.splitlines()[0]
    assert sorted(cf.read_pool("pool.tsv").document) == ["d2", "d3", "d4"]


def test_an_adaptive_pool_is_marked(cli, folder):
    result = cli("pool", "runs/*.run", "--strategy", "mtf", "--qrels", "qrels.txt", "--budget", "1", "-o", "pool.tsv")
    assert "mtf, depth 100, at most 1 per topic" in result.out
    assert " · 1 relevant, 0 without judgment" in result.out
    assert (folder / "pool.tsv").read_text() == "301\td1\tmtf\tNA\n302\td4\tmtf\tNA\n"
    assert cf.read_pool("pool.tsv").adaptive


def test_estimators_for_samples_refuse_an_adaptive_pool(cli, folder):
    cli("pool", "runs/*.run", "--strategy", "mtf", "--qrels", "qrels.txt", "-o", "pool.tsv")
    with pytest.raises(cf.PolicyError) as caught:
        refuse_adaptive(cf.read_pool("pool.tsv"), "xinfAP")
    assert caught.value.code == "E210"
    assert caught.value.message == "xinfAP needs a random sample, pool.tsv was built by 'mtf'"
    cli("pool", "runs/*.run", "--strategy", "sample", "--rate", "0.5", "-o", "pool.tsv")
    refuse_adaptive(cf.read_pool("pool.tsv"), "xinfAP")


def test_without_judgments_an_adaptive_strategy_says_what_it_does(cli, folder):
    result = cli("pool", "runs/*.run", "--strategy", "hedge", "-o", "pool.tsv")
    assert result.code == 0
    assert "W121: hedge has no judgments to learn from; every document counts as not relevant" in result.err


def test_a_sample_and_its_frame(cli, demo):
    result = cli(
        "pool", "d/runs/*.run", "--strategy", "sample", "--strata", "1-5:1,6-20:0.4",
        *("-o", "pool.tsv", "--frame", "frame.qrels"),
    )  # fmt: skip
    assert "sample of best ranks 1-5, 6-20, depth 20" in result.out
    table, frame = cf.read_pool("pool.tsv"), cf.read_qrels("frame.qrels", format="qrels-stratum")
    assert set(table.strata) == {"1-5", "6-20"}
    assert set(frame.grade.tolist()) == {-1}
    assert len(frame) > len(table)
    whole = cli("pool", "d/runs/*.run", "--depth", "20", "--json")
    assert json.loads(whole.out)["result"]["pairs"] == len(frame)
    cli("pool", "d/runs/*.run", "--strategy", "sample", "--strata", "ap", "--budget", "9", "--frame", "frame.csv")
    assert sum(cf.read_qrels("frame.csv").probability) == pytest.approx(9 * 20)  # type: ignore[arg-type]  # there is one here


def test_a_seed_repeats_a_sample(cli, demo):
    def drawn(seed):
        cli("pool", "d/runs/*.run", "--strategy", "sample", "--rate", "0.2", "--seed", seed, "-o", "pool.tsv")
        return (demo / "pool.tsv").read_bytes()

    assert drawn("3") == drawn("3") != drawn("4")


def test_the_pairs_of_qrels_need_no_run(cli, folder):
    result = cli("pool", "--from-qrels", "qrels.txt", "-o", "pool.tsv")
    assert result.out.splitlines()[0] == " pool: 2 topics · the pairs of the qrels · 4 pairs (2.0 per topic, 2…2)"
    assert (folder / "pool.tsv").read_text().splitlines()[0] == "301\td1\tqrels\t1.0"


def test_groups_topics_and_overlap_are_printed(cli, folder):
    (folder / "groups.tsv").write_text("bm25\tus\ndense\tus\n")
    assert [line.split() for line in cli("pool", "runs/*.run", "--groups", "groups.tsv").out.splitlines()[2:4]] == [
        ["group", "pairs", "of", "the", "pool", "unique"],
        ["us", "4", "100.0", "%", "4"],
    ]
    assert cli("pool", "runs/*.run", "--per-topic", "--format", "csv").out == "topic,pairs\r\n301,2\r\n302,2\r\n"
    assert (
        cli("pool", "runs/*.run", "--overlap", "--format", "tsv").out == "run\tbm25\tdense\nbm25\t4\t2\ndense\t2\t2\n"
    )


def test_the_envelope_follows_its_schema(cli, folder):
    (folder / "groups.tsv").write_text("bm25\tus\ndense\tthem\n")
    schema = json.loads(cli("pool", "--json-schema").out)
    told = json.loads(
        cli(
            "pool", "runs/*.run", "--qrels", "qrels.txt", "--strategy", "maxmean", "--groups", "groups.tsv", "--json"
        ).out
    )
    validate(told, schema)
    assert told["command"] == "pool"
    assert told["result"]["relevant"] == 2
    assert [entry["role"] for entry in told["inputs"]] == ["run", "run", "qrels"]
    assert told["result"]["adaptive"] is True


def test_the_strategies_on_the_help_page_are_those_of_the_registry():
    assert {*STRATEGY.names()} == {*strategies.STRATEGIES}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "E200: no run was given"),
        (["runs/nowhere.run"], 4, "E101: runs/nowhere.run: no such file"),
        (["runs/*.run", "--strategy", "best"], 2, "E213: --strategy: 'best' is unknown"),
        (["runs/*.run", "--rate", "0.5"], 2, "E244: --rate has no effect on --strategy depth"),
        (["runs/*.run", "-o", "runs/bm25.run"], 2, "E211: -o runs/bm25.run would overwrite an input"),
        (["runs/*.run", "--frame", "f.qrels"], 2, "E244: strategy depth draws no sample"),
        (["runs/*.run", "--groups", "no.tsv"], 4, "E101: no.tsv: no such file"),
        (["runs/*.run", "--strategy", "sample", "--strata", "1-9"], 2, "E242: --strata: cannot read '1-9'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(cli, folder, arguments, code, message):
    result = cli("pool", *arguments)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith(f"cranfield: error {message}")
    assert not (folder / "pool.tsv").exists()


def test_python_and_the_command_line_choose_the_same(cli, demo):
    from cranfield.pooling.pool import pool

    cli("pool", "d/runs/*.run", "--strategy", "rrf", "--budget", "7", "--depth", "30", "-o", "pool.tsv")
    found = pool("d/runs/*.run", strategy="rrf", budget=7, depth=30)
    assert (demo / "pool.tsv").read_bytes() == render(found.pairs, "pool-tsv")


@pytest.mark.parametrize(
    ("option", "name", "what"),
    [("-o", "pool.parquet", "a pool"), ("-o", "pool.csv", "a pool"), ("--frame", "frame.pool", "qrels")],
)
def test_an_ending_of_other_tables_is_refused_before_anything_is_read(cli, folder, option, name, what):
    sampled = () if option == "-o" else ("--strategy", "sample", "--rate", "0.5")
    result = cli("pool", "no-such.run", *sampled, option, name)
    assert result.code == 2
    assert f"and this is {what}" in result.err
    assert not (folder / name).exists()


def test_a_frame_is_written_as_its_ending_says(cli, folder):
    cli("pool", "runs/*.run", "--strategy", "sample", "--rate", "0.5", "--frame", "frame.jsonl")
    assert cf.read_qrels("frame.jsonl").source.format == "qrels-jsonl"
    cli("pool", "runs/*.run", "--strategy", "sample", "--rate", "0.5", "--frame", "frame.tsv")
    assert cf.read_qrels("frame.tsv").source.format == "qrels-tsv"
