"""`cranfield trec_eval` against trec_eval 9.0.8 and 10.0: its own test files byte by byte, and the conformance cases.

Every case is compared, also the one with a NaN score, whose rank trec_eval leaves to chance.
"""

import gzip
import math

import pytest

from cranfield.cli import main
from cranfield.compat.trec_eval.arguments import parse
from cranfield.compat.trec_eval.program import evaluate
from cranfield.compat.trec_eval.quit import Quit
from tests.golden.cases import CUTOFFS, flags, load, write

OWN = "-miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 \
-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20"
CALLS = {
    "out.test": "qrels.test results.test",
    "out.test.a": "-m all_trec qrels.test results.test",
    "out.test.aq": "-m all_trec -q qrels.test results.test",
    "out.test.aqc": "-m all_trec -q -c qrels.test results.trunc",
    "out.test.aqcM": "-m all_trec -q -c -M100 qrels.test results.trunc",
    "out.test.aql": "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test",
    "out.test.meas_params": f"-q {OWN} qrels.test results.test",
    "out.test.prefs": "-m all_prefs -q -R prefs prefs.test prefs.results.test",
    "out.test.qrels_prefs": "-m all_prefs -q -R qrels_prefs qrels.test results.test",
    "out.test.qrels_jg": "-m qrels_jg -q -R qrels_jg qrels.123 results.test",
    "out.test.aqZ": "-q -m all_trec -Z v{version}/zscores_file qrels.test results.test",
}
ONLY_10 = {
    "out.comment.test": "qrels.comment.test results.comment.test",
    "out.test": "qrels.test.with-comments results.test",
    "out.test.prefs": "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test",
    "out.test.qrels_jg": "-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test",
}
OUTPUTS = [(v, *call) for v in (9, 10) for call in CALLS.items()] + [(10, *call) for call in ONLY_10.items()]
SERIES = ("P", "recall", "ndcg_cut", "map_cut", "relative_P", "success")
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def collection(shared, tmp_path_factory):
    """trec_eval's own test files, unpacked."""
    folder = tmp_path_factory.mktemp("trec_eval_test")
    source = shared / "conformance" / "trec_eval_test"
    for version in ("v9", "v10"):
        (folder / version).mkdir()
        (folder / version / "zscores_file").write_bytes((source / version / "zscores_file").read_bytes())
    for path in source.iterdir():
        if path.suffix == ".gz":
            (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        elif path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize(("version", "expected", "call"), OUTPUTS, ids=[f"v{v}-{c}" for v, _, c in OUTPUTS])
def test_the_output_for_its_own_test_files_is_the_same_to_the_byte(
    shared, collection, monkeypatch, capfdbinary, version, expected, call
):
    monkeypatch.chdir(collection)
    assert main(["trec_eval", "--as", str(version), *call.format(version=version).split()]) == 0
    text, errors = capfdbinary.readouterr()
    assert text == (shared / "conformance" / "trec_eval_test" / f"v{version}" / expected).read_bytes()
    assert errors == b""


def calls(case, version):
    """The arguments of each call of a case: all measures at once, and its own measures one by one."""
    wanted = ["-m", "all_trec", "-mrelstring.60", "-myaap", *(f"-m{name}.{CUTOFFS}" for name in SERIES)]
    if version == 10:
        wanted += [f"-munj.{CUTOFFS}", "-mdcg", "-mideal_dcg"]
    own = [m for m in case["options"].get("extra_measures", []) if version == 10 or not m.startswith("rbp")]
    common = ["--as", str(version), "-q", *flags(case["options"])]
    return [[*common, *wanted], *([*common, "-m", measure] for measure in own)]


def values_of(arguments):
    """The values that would be printed, in full; those of all topics only if the program gets that far."""
    try:
        result = evaluate(parse(arguments))
    except Quit:
        return {}
    shown = {column.name: column.topic_values() for column in result.columns if column.by_topic}
    values: dict[str, dict] = {
        topic: {name: column[place] for name, column in shown.items()}
        for place, topic in enumerate(result.lists.topics)
    }
    if result.stop is None:
        topics = result.topics_in_mean
        missing = topics - len(result.lists.topics)
        values["all"] = {c.name: c.summarised(topics, missing, "sys") for c in result.columns if c.summary != "none"}
    return values


def printed_values(text):
    values: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        name, topic, value = line.split("\t")
        values.setdefault(topic, {})[name.rstrip()] = value
    return values


def merged(into, more):
    for topic, row in more.items():
        into.setdefault(topic, {}).update(row)


def as_printed(value):
    """An expected value as trec_eval prints it."""
    if isinstance(value, str) and value not in ("nan", "inf"):
        return f"'{value}'"
    return f"{float(value):6.4f}"


def differences(expected, found, same):
    """Where two tables of values differ; `runid` is not in the expected ones."""
    for topic in sorted({*expected, *found} - {"_error"}):
        here, there = expected.get(topic, {}), dict(found.get(topic, {}))
        there.pop("runid", None)
        for name in sorted({*here, *there}):
            if name not in here or name not in there or not same(here[name], there[name]):
                yield topic, name, here.get(name), there.get(name)


def same_text(expected, text):
    return text == as_printed(expected) or (text == str(expected) and isinstance(expected, int))


def same_number(expected, value):
    if isinstance(value, str):
        return value == f"'{expected}'"
    if isinstance(expected, str):
        return math.isnan(float(expected)) and math.isnan(value)
    return abs(value - expected) <= TOLERANCE or value == expected


@pytest.mark.parametrize("version", [9, 10])
@pytest.mark.parametrize("group", ["handmade", "random", "medium"])
def test_the_conformance_cases_agree(shared, tmp_path, capfdbinary, group, version):
    wrong = []
    exact = "trec_eval_9_full" if version == 9 else "trec_eval_10"
    compared = 0
    for name, case in load(shared, group).items():
        qrels, run = write(case, tmp_path)
        expected = case["expected"][f"trec_eval_{version}"]
        text_values: dict = {}
        numbers: dict = {}
        ending = None
        for arguments in calls(case, version):
            code = main(["trec_eval", *arguments, qrels, run])
            text, errors = (stream.decode() for stream in capfdbinary.readouterr())
            merged(text_values, printed_values(text))
            merged(numbers, values_of([*arguments, qrels, run]))
            if code:
                ending = {"exit": code, "message": errors.replace(qrels, "QRELS").replace(run, "RUN").rstrip("\n")}
        if ending != expected.get("_error"):
            wrong.append((name, "ending", expected.get("_error"), ending))
        wrong += [(name, *found) for found in differences(expected, text_values, same_text)]
        wrong += [(name, *found) for found in differences(case["expected"].get(exact, {}), numbers, same_number)]
        compared += sum(map(len, text_values.values()))
    assert not wrong, f"{len(wrong)} differences, the first: {wrong[:10]}"
    assert compared > {"handmade": 15_000, "random": 100_000, "medium": 4_000}[group]
