"""`cranfield demo --simulate`: from nothing to a table, again and again, and never over somebody's files."""

import json
import re
import shlex

import pytest
from jsonschema import validate

import cranfield as cf
from cranfield.sample.program import called
from cranfield.study.simulated.named_systems import SYSTEMS, generate


def test_the_demo_prints_the_table_the_page_and_commands(cli, folder):
    result = cli("demo", "--simulate")
    assert result.code == 0
    assert result.out.splitlines()[0].split() == [
        "run",
        "nDCG@10",
        "nDCG'@10",
        "AP",
        "RR",
        "judged@10",
        "dropped@10",
        "judged",
    ]
    assert " 20 topics in the mean · vector: 1 missing, scored 0 (q17)\n" in result.out
    assert "the same table as a page: cranfield-demo/scores.html" in result.out
    assert len(re.findall(r"^   cranfield ", result.out, re.MULTILINE)) == 5  # two of them on the complete truth


def test_what_to_try_works_where_the_program_is_not_on_the_path(folder, monkeypatch):
    monkeypatch.setattr("cranfield.sample.program.which", lambda name: None)
    monkeypatch.setattr("sys.argv", [str(folder / "my env/bin/cranfield"), "demo"])
    assert called() == "'my env/bin/cranfield'"
    monkeypatch.setattr("sys.argv", ["/opt/bin/cranfield", "demo"])
    assert called() == "/opt/bin/cranfield"
    monkeypatch.setattr("cranfield.sample.program.which", lambda name: "/usr/bin/cranfield")
    assert called() == "cranfield"


def test_the_demo_prints_possible_ranges_and_what_is_certain(cli):
    printed = cli("demo", "--simulate").out
    ranges = printed.partition("\n\n nDCG@10")[2].partition("\n\n 8 files")[0]
    runs = [line.split()[0] for line in printed.splitlines()[1 : len(SYSTEMS) + 1]]  # best first
    assert [line.split()[0] for line in ranges.splitlines() if "●" in line] == runs
    assert sorted(runs) == sorted(system.name for system in SYSTEMS)
    assert " 7 of 15 orders of two runs are certain, whatever the other judgments are\n" in ranges
    assert " 4 unjudged documents can reverse lexical-tuned – hybrid\n" in ranges
    assert "universe=runs: only documents in the first 10 of these runs may be relevant" in ranges
    assert ranges.count("ties=trec") == 0  # the policies stand once, above


def test_the_commands_it_names_run(cli, folder):
    lines = [line.strip() for line in cli("demo", "--simulate").out.splitlines() if line.startswith("   cranfield ")]
    for line in lines:
        assert cli(*shlex.split(line)[1:]).code == 0, line


def test_the_table_is_the_one_evaluate_prints_for_the_files(cli):
    table = cli("demo", "--simulate").out.partition("\n\n nDCG@10")[0]
    names = ("-m", "nDCG@10", "-m", "nDCG'@10", "-m", "AP", "-m", "RR")
    order = [f"cranfield-demo/runs/{system.name}.run" for system in SYSTEMS]
    assert cli("evaluate", "cranfield-demo/qrels.txt", *order, *names).out == f"{table}\n"


def test_it_can_be_repeated_and_gives_the_same_bytes(cli, folder):
    def contents():
        return {path.name: path.read_bytes() for path in (folder / "cranfield-demo").rglob("*") if path.is_file()}

    cli("demo", "--simulate")
    first = contents()
    assert cli("demo", "--simulate").code == 0
    assert contents() == first


def test_a_directory_with_other_files_is_left_alone(cli, folder):
    result = cli("demo", "runs", "--simulate")
    assert (result.code, result.out) == (3, "")
    assert "E219: runs is not empty and was not made by 'cranfield demo'" in result.err
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["bm25.run", "dense.run"]


def test_force_writes_beside_other_files(cli, folder):
    assert cli("demo", "runs", "--force", "--simulate").code == 0
    assert (folder / "runs/bm25.run").exists()
    assert (folder / "runs/qrels.txt").exists()


def test_an_empty_directory_is_used(cli, folder):
    (folder / "empty").mkdir()
    assert cli("demo", "empty", "--simulate").code == 0


def test_a_file_in_the_place_of_the_directory_ends_with_4(cli):
    result = cli("demo", "qrels.txt", "--simulate")
    assert result.code == 4
    assert "E120: qrels.txt: is a file, expected a directory" in result.err


def test_json_follows_its_schema(cli):
    data = json.loads(cli("demo", "--json", "--simulate").out)
    validate(data, json.loads(cli("demo", "--json-schema").out))
    assert data["result"]["page"].endswith("scores.html")
    assert {warning["code"] for warning in data["warnings"]} == {"W101", "W105"}


def test_the_page_stands_alone_and_tells_where_everything_came_from(cli, folder):
    cli("demo", "--simulate")
    page = (folder / "cranfield-demo/scores.html").read_text()
    assert """<meta http-equiv="Content-Security-Policy" content="default-src 'none';""" in page
    assert not re.search(r"<script|<link|https?://|src=|@import|url\(", page)
    assert "prefers-color-scheme: dark" in page
    data = json.loads(cli("demo", "--json", "--simulate").out)
    for entry in data["inputs"]:
        assert entry["name"] in page
        assert entry["sha256"] in page
    assert "cranfield evaluate cranfield-demo/qrels.txt cranfield-demo/runs/*.run" in page
    assert "<td>unjudged</td>" in page or "nonrelevant" in page


def test_the_systems_outside_the_pool_have_holes_and_those_inside_have_none():
    collection = generate()
    with pytest.warns(cf.DataWarning):
        scores = cf.evaluate(collection.qrels, collection.runs, "Judged@10")
    judged = dict(zip(scores.runs, scores.means[:, 0].tolist(), strict=True))
    for system in SYSTEMS:
        assert judged[system.name] > 0.99 if system.pooled else judged[system.name] < 0.75


def test_systems_of_one_family_make_the_same_mistakes():
    runs = generate().runs
    first = {name: {*zip(run.topic.tolist(), run.document, strict=True)} for name, run in runs.items()}
    shared = len(first["lexical"] & first["lexical-tuned"])
    assert shared > 1.5 * len(first["lexical"] & first["title"])


def test_another_seed_is_another_world():
    assert generate(seed=8).qrels != generate(seed=7).qrels


def test_the_qrels_repeat_the_truth():
    collection = generate(topics=5, documents=60)
    place = {name: number for number, name in enumerate(collection.documents)}
    rows = zip(collection.qrels.topic.tolist(), collection.qrels.document, collection.qrels.grade.tolist(), strict=True)
    topics = list(collection.topics)
    for topic, document, grade in rows:
        at = topics.index(collection.qrels.topics[topic])
        assert collection.truth[at, place[document]] == grade


def test_the_simulated_collection_can_be_checked_against_its_truth(cli, folder):
    """DEMO-6."""
    result = cli("demo", "d", "--simulate", "--json")
    told = json.loads(result.out)
    validate(told, json.loads(cli("demo", "--json-schema").out))
    written = set(told["result"]["simulated"])
    assert {f"d/simulated/{name}" for name in ("qrels.txt", "truth.txt", "model.json", "groups.tsv")} < written
    judged, truth = cf.read_qrels("d/simulated/qrels.txt"), cf.read_qrels("d/simulated/truth.txt")
    known = {(t, d): g for t, d, g in zip(truth.topic.tolist(), truth.document, truth.grade.tolist(), strict=True)}
    assert all(
        known[t, d] == g for t, d, g in zip(judged.topic.tolist(), judged.document, judged.grade.tolist(), strict=True)
    )
    assert len(judged) < len(truth) == 2000
    model = json.loads((folder / "d/simulated/model.json").read_text())
    again = cli("pool", *(f"d/simulated/runs/{run}.run" for run in model["contributing"]), "--depth", "10", "--json")
    assert json.loads(again.out)["result"]["pairs"] == len(judged)


def test_the_commands_for_the_simulated_collection_run(cli, folder):
    lines = [line.strip() for line in cli("demo", "--simulate").out.splitlines() if "/simulated/" in line]
    commands = [line for line in lines if line.startswith("cranfield ")]
    assert len(commands) == 2
    for line in commands:
        assert cli(*shlex.split(line)[1:]).code == 0, line
