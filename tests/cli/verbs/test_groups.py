"""Issue 15, point 7: `--by` groups the topics of evaluate and compare, and conditions name groups."""

import json
import xml.etree.ElementTree as ET

import jsonschema
import numpy as np
import pytest
import scipy.stats

import cranfield as cf

TOPICS = [f"q{n}" for n in range(8)]
RNG = np.random.default_rng(11)
GROUP = dict(zip(TOPICS, ["head"] * 3 + ["long tail"] * 5, strict=True))


@pytest.fixture(autouse=True)
def collection(folder):
    """Eight topics of five judged documents, three runs, and the groups in every form."""
    judged = [(topic, f"d{n}", int(RNG.integers(0, 3))) for topic in TOPICS for n in range(5)]
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 {name} {grade}\n" for topic, name, grade in judged))
    for run in ("new", "old", "odd"):
        lists = [(topic, RNG.permutation(5)) for topic in TOPICS]
        rows = [f"{t} Q0 d{n} {r + 1} {9 - r} {run}\n" for t, order in lists for r, n in enumerate(order)]
        (folder / f"{run}.run").write_text("".join(rows))
    (folder / "by.tsv").write_text("topic\tgroup\n" + "".join(f"{t}\t{g}\n" for t, g in GROUP.items()))
    (folder / "by.csv").write_text("topic,group\n" + "".join(f'{t},"{g}"\n' for t, g in GROUP.items()))
    (folder / "by.json").write_text(json.dumps(GROUP))
    turned = {group: [t for t in TOPICS if GROUP[t] == group] for group in dict.fromkeys(GROUP.values())}
    (folder / "turned.json").write_text(json.dumps(turned))
    lines = [json.dumps({"_id": t, "text": "a query", "metadata": {"kind": g}}) for t, g in GROUP.items()]
    (folder / "topics.jsonl").write_text("\n".join(lines) + "\n")
    tops = [f'<topic number="{t}"><query>a</query><kind>{g}</kind></topic>' for t, g in GROUP.items()]
    (folder / "topics.xml").write_text(f"<topics>{''.join(tops)}</topics>")
    return folder


RUNS = ("qrels.txt", "new.run", "old.run", "odd.run")


@pytest.mark.parametrize("by", [("by.tsv",), ("by.csv",), ("by.json",), ("turned.json",), ("kind", "topics.xml")])
def test_groups_come_from_every_form_of_file_and_from_a_field_of_the_topics(cli, by):
    more = ["--topics", by[1]] if len(by) > 1 else []
    found = json.loads(cli("evaluate", *RUNS, "-m", "nDCG@5", "--by", by[0], *more, "--json").out)
    assert found["result"]["groups"] == [{"group": "head", "topics": 3}, {"group": "long tail", "topics": 5}]
    assert found["policies"]["by"] == by[0]
    assert found["inputs"][-1]["role"] == ("topics" if more else "groups")
    assert len(found["inputs"][-1]["sha256"]) == 64


@pytest.mark.parametrize("verb", ["evaluate", "compare", "report"])
def test_a_file_of_groups_is_one_also_where_topics_are_given(cli, verb):
    """`--topics` may be there for the query texts of other files, or for a page."""
    here = (verb, *RUNS, "-m", "nDCG@5", "-q", "--by", "by.tsv")
    alone, beside = cli(*here, "-o", "alone.html"), cli(*here, "--topics", "topics.xml", "-o", "beside.html")
    assert (alone.code, beside.code) == (0, 0), beside.err
    strange = cli(verb, *RUNS, "-m", "nDCG@5", "-q", "--by", "by.tvs", "-o", "strange.html")
    assert (strange.code, strange.err.splitlines()[0]) == (4, "cranfield: error E101: by.tvs: no such file")


def test_only_fields_that_a_topic_has_are_proposed(cli, folder):
    (folder / "plain.tsv").write_text("".join(f"{topic}\ta query\n" for topic in TOPICS))
    wrong = cli("evaluate", *RUNS, "--by", "type", "--topics", "plain.tsv").err
    assert "E128: plain.tsv: no topic has a field 'type'" in wrong
    assert "hint: give a file with a topic and its group on each line" in wrong
    near = cli("evaluate", *RUNS, "--by", "kimd", "--topics", "topics.xml").err
    assert "hint: did you mean kind?" in near


def test_the_numbers_are_those_of_every_topic_by_hand(cli):
    found = json.loads(cli("evaluate", *RUNS, "-m", "nDCG@5", "--by", "by.tsv", "--ci", "t", "--json").out)
    values = json.loads(cli("evaluate", *RUNS, "-m", "nDCG@5", "--per-topic", "--json").out)["result"]["topics"]
    for run in ("new", "old", "odd"):
        own = {row["topic"]: row["value"] for row in values if row["run"] == run}
        parts = [np.array([own[t] for t in TOPICS if GROUP[t] == g]) for g in ("head", "long tail")]
        rows = {row["group"]: row for row in found["result"]["scores"] if row["run"] == run}
        for name, part in zip(("head", "long tail"), parts, strict=True):
            half = scipy.stats.sem(part) * scipy.stats.t.ppf(0.975, len(part) - 1)
            assert rows[name]["mean"] == pytest.approx(part.mean())
            assert rows[name]["ci"] == pytest.approx([max(0, part.mean() - half), min(1, part.mean() + half)])
        assert rows[None]["mean"] == pytest.approx((parts[0].mean() + parts[1].mean()) / 2)


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_the_envelope_is_what_the_schema_says(cli, verb):
    condition = "AP >= 0.9 in *" if verb == "evaluate" else "delta(AP) > -0.01 in *"
    baseline = [] if verb == "evaluate" else ["--baseline", "old"]
    found = json.loads(cli(verb, *RUNS, "-m", "AP", "--by", "by.tsv", *baseline, "--require", condition, "--json").out)
    jsonschema.validate(found, json.loads(cli(verb, "--json-schema").out))
    assert [gate["group"] for gate in found["result"]["gates"]] == ["head", "long tail"]


def test_every_group_of_a_condition_has_a_verdict_and_a_case_of_its_own(cli, folder):
    means = {
        row["group"]: row["mean"]
        for row in json.loads(cli("evaluate", "qrels.txt", "new.run", "-m", "AP", "--by", "by.tsv", "--json").out)[
            "result"
        ]["scores"]
    }
    limit = (means["head"] + means["long tail"]) / 2
    found = cli(
        *("evaluate", "qrels.txt", "new.run", "-m", "AP", "--by", "by.tsv", "--junit", "report.xml"),
        *("--require", f"AP >= {limit:.6f} in *", "--fail-if", f"AP < {limit - 0.01:.6f}"),
        *("--require", f"AP >= {limit:.6f} for n* in long tail"),
    )
    low, high = sorted(("head", "long tail"), key=means.__getitem__)
    assert found.code == 1
    assert f" FAILED  AP >= {limit:.6f} in {low}: smallest is {means[low]:.4g}"[:60] in found.out
    assert f" passed  AP >= {limit:.6f} in {high}: smallest is {means[high]:.4g}" in found.out
    assert f" passed  AP < {limit - 0.01:.6f}: mean of groups: smallest is {limit:.4g} (new)" in found.out
    cases = [case.get("name") for case in ET.parse(folder / "report.xml").iter("testcase")]
    assert cases == [
        f"AP >= {limit - 0.01:.6f}",
        f"AP >= {limit:.6f} in head",
        f"AP >= {limit:.6f} in long tail",
        f"AP >= {limit:.6f} for n* in long tail",
    ]


def test_a_condition_may_name_every_column_of_the_table(cli):
    texts = ("AP >= 0 in all topics", "AP >= 0 in mean of groups", "missing <= 0 in head", "ties <= 0")
    wanted = [part for text in texts for part in ("--require", text)]
    found = cli("evaluate", *RUNS, "-m", "AP", "--by", "by.tsv", *wanted)
    assert (found.code, found.out.count(" passed  ")) == (0, 4)


def test_conditions_on_pairs_are_those_of_the_group_and_of_the_mean_of_groups(cli):
    arguments = (*RUNS, "-m", "AP", "--by", "by.tsv", "--baseline", "old")
    result = json.loads(cli("compare", *arguments, "--json").out)["result"]
    conditions = ["delta(AP) > -2 for new in head", "delta(AP) > -2 for new", "drop(AP) <= 200% for new", "p(AP) >= 0"]
    wanted = [part for text in conditions for part in ("--require", text)]
    gates = json.loads(cli("compare", *arguments, *wanted, "--json").out)["result"]["gates"]
    head = next(pair for pair in result["groups"][0]["pairs"] if pair["run"] == "new")
    mean = next(pair for pair in result["mean_of_groups"] if pair["run"] == "new")
    assert gates[0]["observed"] == pytest.approx(head["difference"])
    assert gates[1]["observed"] == pytest.approx(mean["difference"])
    assert gates[2]["observed"] == pytest.approx(-mean["difference"] / (mean["mean"] - mean["difference"]))
    assert [gate["group"] for gate in gates] == ["head", *["mean of groups"] * 3]


def test_a_run_that_is_worse_in_one_group_fails_there_alone(cli, folder):
    """In `head` the new run is the old one; in `long tail` it finds the relevant document last instead of first."""
    topics = [f"t{n}" for n in range(12)]
    group = {topic: "head" if n < 6 else "long tail" for n, topic in enumerate(topics)}
    folder.joinpath("q").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n{t} 0 c 0\n" for t in topics))
    folder.joinpath("by.json").write_text(json.dumps(group))
    for run in ("old", "new"):
        rows = []
        for n, topic in enumerate(topics):
            last = "bca" if n % 2 else "bac"
            order = last if run == "new" and group[topic] == "long tail" else "abc"
            rows += [f"{topic} Q0 {name} {rank} {9 - rank} {run}\n" for rank, name in enumerate(order, 1)]
        folder.joinpath(f"{run}.run").write_text("".join(rows))
    found = cli(
        *("compare", "q", "old.run", "new.run", "-m", "RR", "--by", "by.json", "--baseline", "old"),
        *("--require", "not worse(RR) in *", "--require", "not worse(RR)"),
    )
    assert found.code == 1
    assert " passed  not worse(RR) in head" in found.out
    assert " FAILED  not worse(RR) in long tail: Δ = −0.5833, corrected p" in found.out
    assert " FAILED  not worse(RR): mean of groups: Δ = −0.2917, corrected p" in found.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--by", "nowhere.tsv"], 4, "E101: nowhere.tsv: no such file"),
        (["--by", "colour", "--topics", "topics.xml"], 3, "E128"),
        (["--by", "by.tsv", "--per-topic"], 2, "--per-topic is not made by group"),
        (["--by", "by.tsv", "--average", "median"], 2, "is no mean"),
        (["--by", "by.tsv", "--require", "AP > 0 in tail"], 2, "no group is called 'tail'; there are head, long tail"),
        (["--by", "by.tsv", "--require", "lower(AP) > 0 in head"], 2, "not by group"),
        (["--by", "by.tsv", "--require", "ties < 1 in head"], 2, "ties are counted over all topics"),
        (["--require", "AP > 0 in head"], 2, "'in' names a group of topics: add --by FILE"),
        (["--by", "by.tsv", "-o", "by.tsv"], 2, "E211"),
    ],
)
def test_what_cannot_be_is_said_in_one_error(cli, arguments, code, said):
    found = cli("evaluate", *RUNS, "-m", "AP", *arguments)
    assert found.code == code
    assert said in found.err
    assert found.err.count("error E") == 1


def test_a_topic_in_two_groups_is_refused_and_one_in_none_is_named(cli, folder):
    folder.joinpath("two.json").write_text('{"a": ["q1", "q2"], "b": ["q2"]}')
    found = cli("evaluate", *RUNS, "-m", "AP", "--by", "two.json")
    assert (found.code, "E119: two.json: topic 'q2' belongs to 'a' and to 'b'" in found.err) == (3, True)
    folder.joinpath("some.tsv").write_text("q0\thead\nq1\thead\nq2\tlong tail\nq3\t\n")
    found = cli("evaluate", *RUNS, "-m", "AP", "--by", "some.tsv")
    assert found.code == 0
    assert "W129: some.tsv: 5 topics in no group, not in the mean of groups: q3, q4, q5, q6, q7" in found.err


def test_a_group_of_one_topic_has_a_mean_and_no_interval_and_no_test(cli, folder):
    folder.joinpath("one.tsv").write_text("".join(f"{t}\t{'alone' if t == 'q0' else 'rest'}\n" for t in TOPICS))
    found = json.loads(cli("evaluate", *RUNS, "-m", "AP", "--by", "one.tsv", "--ci", "t", "--json").out)
    rows = {(row["run"], row["group"]): row for row in found["result"]["scores"]}
    assert rows["new", "alone"]["topics"] == 1
    assert (rows["new", "alone"]["ci"], rows["new", None]["ci"]) == ([None, None], [None, None])
    compared = json.loads(cli("compare", *RUNS, "-m", "AP", "--by", "one.tsv", "--json").out)["result"]
    assert {pair["p"] for pair in compared["mean_of_groups"]} == {None}
    assert compared["groups"][0]["pairs"][0]["p"] is None


def test_odd_names_of_groups_are_printed_matched_and_escaped(cli, folder):
    names = ["[x]*", "a,b|c & <d>"]
    folder.joinpath("odd.json").write_text(json.dumps({names[0]: TOPICS[:4], names[1]: TOPICS[4:]}))
    found = cli("evaluate", *RUNS, "-m", "AP", "--by", "odd.json", "--require", "AP >= 0 in [x]*")
    assert found.code == 0
    assert " passed  AP >= 0 in [x]*: smallest" in found.out
    assert r"a,b\|c & \<d\> (4)" in cli("evaluate", *RUNS, "-m", "AP", "--by", "odd.json", "--format", "markdown").out
    assert r" \& " in cli("evaluate", *RUNS, "-m", "AP", "--by", "odd.json", "--format", "latex").out
    rows = cli("evaluate", *RUNS, "-m", "AP", "--by", "odd.json", "--format", "csv").out
    assert '"a,b|c & <d>"' in rows


def test_saved_scores_are_those_of_every_topic(cli, folder):
    assert cli("evaluate", *RUNS, "-m", "AP", "--by", "by.tsv", "--save", "main.json").code == 0
    saved = cf.load_scores(folder / "main.json")
    assert saved.same_values(cf.evaluate("qrels.txt", ["new.run", "old.run", "odd.run"], "AP"))


def test_given_scores_are_compared_by_group(cli, folder):
    rows = [f"{run},{t},mine,{n / 10 + 0.1 * (run == 'b')}\n" for run in "ab" for n, t in enumerate(TOPICS)]
    folder.joinpath("scores.csv").write_text("run,topic,measure,value\n" + "".join(rows))
    found = cli("compare", "--scores", "scores.csv", "--by", "by.tsv", "--require", "mine > 0.2 for a in head")
    assert " head · mine · 3 topics" in found.out
    assert " FAILED  mine > 0.2 for a in head: smallest is 0.1 (a)" in found.out


def test_the_table_is_sorted_by_the_mean_of_groups_and_data_keep_the_order(cli):
    rows = json.loads(cli("evaluate", *RUNS, "-m", "AP", "--by", "by.tsv", "--json").out)["result"]["scores"]
    assert list(dict.fromkeys(row["run"] for row in rows)) == ["new", "old", "odd"]
    best = sorted((row for row in rows if row["group"] is None), key=lambda row: -row["mean"])
    lines = cli("evaluate", *RUNS, "-m", "AP", "--by", "by.tsv").out.splitlines()[3:6]
    assert [line.split()[0] for line in lines] == [row["run"] for row in best]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_chart_of_groups_is_written(cli, folder, ending):
    found = cli("evaluate", *RUNS, "-m", "AP", "--by", "by.tsv", "--ci", "t", "-o", f"groups.{ending}")
    assert found.code == 0
    assert (folder / f"groups.{ending}").stat().st_size > 1000
    several = cli("evaluate", *RUNS, "-m", "AP", "-m", "RR", "--by", "by.tsv", "-o", "groups.svg")
    assert (several.code, "one measure, not 2" in several.err) == (2, True)
