"""`cranfield trec_eval`: flags, endings and odd files, beyond what the conformance cases hold."""

import subprocess
import sys
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cranfield.cli.verbs.trec_eval import main
from cranfield.compat.trec_eval.arguments import parse
from cranfield.compat.trec_eval.catalogue import ENTRIES, known, nicknames
from cranfield.compat.trec_eval.defects import DEFECTS
from cranfield.compat.trec_eval.quit import Quit

MISSING = "1 Q0 a 1 1 sys\n"
GROUPS = "1 ann a 1\n1 ann b 0\n1 bob a 0\n1 bob b 1\n2 bob a 1\n"  # two judges of topic 1, one of topic 2


def test_a_line_has_a_padded_name_a_topic_and_four_decimals(trec_eval):
    assert trec_eval("-q", "-m", "map", "-m", "num_ret").out == (
        b"num_ret               \t1\t2\nmap                   \t1\t0.5000\n"
        b"num_ret               \t2\t2\nmap                   \t2\t1.0000\n"
        b"num_ret               \tall\t4\nmap                   \tall\t0.7500\n"
    )


def test_a_long_name_is_not_cut(trec_eval):
    assert trec_eval("-m", "utility.2,-1,0.00000000,0").out == b"utility_2,-1,0.00000000,0\tall\t1.0000\n"


def test_without_measures_the_official_ones_are_printed(trec_eval):
    names = [name for name, _, _ in trec_eval().lines]
    assert names[:10] == [*nicknames(10)["official"]][:10]
    assert len(names) == 10 + 11 + 9


def test_n_prints_no_summary(trec_eval):
    assert trec_eval("-n").out == b""
    assert {topic for _, topic, _ in trec_eval("-n", "-q").lines} == {"1", "2"}


def test_geometric_means_run_and_number_of_topics_are_in_the_summary_only(trec_eval):
    lines = trec_eval("-q", "-m", "official", "-m", "gm_bpref").lines
    only = {name for name, topic, _ in lines if topic == "all"} - {name for name, topic, _ in lines if topic == "1"}
    assert only == {"runid", "num_q", "gm_map", "gm_bpref"}


def test_the_run_is_named_by_its_first_line(trec_eval):
    assert trec_eval("-m", "runid", run="2 Q0 a 1 9 first\n1 Q0 a 1 9 second\n").lines == [["runid", "all", "first"]]


def test_measures_are_printed_in_the_order_of_trec_eval_and_cutoffs_ascending(trec_eval):
    names = [name for name, _, _ in trec_eval("-mrecall.20", "-m", "P.10,3", "-mP.5", "-m", "map").lines]
    assert names == ["map", "P_3", "P_5", "P_10", "recall_20"]


@pytest.mark.parametrize("version", [9, 10])
def test_every_measure_can_be_asked_for(trec_eval, version):
    for name in known(version):
        form = ENTRIES[name].judged or "qrels_jg"
        levels = "1 g s a 1\n1 g s b 0\n2 g s a 2\n2 g s c 0\n"
        changes = {"qrels": levels} if form == "prefs" else {}
        ended = trec_eval("--as", str(version), "-q", "-R", form, "-m", name, **changes)
        assert ended.code == 0
        assert {line[0].split("_")[0] for line in ended.lines} == {name.split("_")[0]}


def test_long_flags_and_their_beginnings_are_the_short_ones():
    short = parse(["-q", "-c", "-n", "-J", "-l2", "-M5", "-N100", "-mmap", "q", "r"])
    switches = ["--query", "--complete", "--nosummary", "--Judged_docs_only"]
    numbers = ["--level_for_rel", "2", "--Max_retrieved_per_topic=5", "--Number_docs=100"]
    long = parse([*switches, *numbers, "--measure", "map", "q", "r"])
    assert short == long
    assert (short.level, short.max_docs, short.num_docs, short.measures) == (2, 5, 100, ("map",))


def test_flags_may_follow_the_files():
    assert parse(["q", "r", "-q"]) == parse(["-q", "q", "r"])


@pytest.mark.parametrize(("said", "environment", "version"), [([], None, 10), ([], "9", 9), (["--as", "10"], "9", 10)])
def test_the_version_comes_from_the_flag_then_the_environment(monkeypatch, said, environment, version):
    if environment is None:
        monkeypatch.delenv("CRANFIELD_TREC_EVAL", raising=False)
    else:
        monkeypatch.setenv("CRANFIELD_TREC_EVAL", environment)
    assert parse([*said, "q", "r"]).version == version


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["-k", "q", "r"], 1, "Usage"),
        (["q"], 1, "Usage"),
        (["q", "r", "s"], 1, "Usage"),
        (["-m"], 1, "Usage"),
        (["--as", "8", "q", "r"], 2, "no version '8'"),
        (["-R", "foo", "q", "r"], 2, "unknown rel_info format 'foo'"),
        (["-T", "foo", "q", "r"], 2, "unknown results format 'foo'"),
        (["q", "r", "-Z"], 1, "Usage"),
    ],
)
def test_a_command_line_that_cannot_be_followed_ends_with_a_reason(arguments, code, says):
    with pytest.raises(Quit) as ending:
        parse(arguments)
    assert ending.value.code == code
    assert says in ending.value.text


@pytest.mark.parametrize(
    ("measure", "code", "says"),
    [
        ("foo", 1, "illegal measure 'foo'"),
        ("ndcg_p", 1, "illegal measure 'ndcg_p'"),
        ("P_5", 1, "illegal measure 'P_5'"),
        ("P.0", 2, "Negative cutoff"),
        ("relstring.0", 2, "Negative cutoff"),
        ("ndcg.3", 2, "malformed pair parameters in '3'"),
        ("rbp.0.8", 2, "malformed pair parameters in '0.8'"),
        ("utility.1,2", 4, "improper number of coefficients"),
        ("prefs_simp", 4, "format not prefs or qrels_prefs\ntrec_eval: Can't calculate measure 'prefs_simp'\n"),
        ("prefs", 4, "format not prefs or qrels_prefs\ntrec_eval: Can't calculate measure 'prefs_num_prefs_poss'\n"),
        ("map_avgjg", 4, "format not qrels_jg"),
    ],
)
def test_a_measure_that_cannot_be_calculated_ends_the_program(trec_eval, measure, code, says):
    ended = trec_eval("-q", "-m", measure)
    assert (ended.code, ended.out) == (code, b"")
    assert says in ended.err


@pytest.mark.parametrize("measure", ["rbp", "rbp_resid", "unj", "dcg", "ideal_dcg"])
def test_version_9_does_not_know_what_came_later(trec_eval, measure):
    assert trec_eval("--as", "9", "-m", measure).code == 1
    assert trec_eval("--as", "10", "-m", measure).code == 0


def test_a_duplicate_ends_the_program_after_the_topics_before_it(trec_eval):
    ended = trec_eval("-q", "-m", "map", "-m", "P.5", run="2 Q0 z 1 1 s\n2 Q0 a 1 1 s\n2 Q0 a 2 0 s\n1 Q0 a 1 1 s\n")
    assert ended.code == 4
    assert ended.lines == [["map", "1", "1.0000"], ["P_5", "1", "0.2000"]]
    assert ended.err == "trec_eval.form_res_qrels: duplicate docs atrec_eval: Can't calculate measure 'map'\n"


@pytest.mark.parametrize(("form", "measures"), [("qrels_prefs", "all_prefs"), ("qrels_jg", "qrels_jg")])
def test_nothing_is_left_when_the_first_topic_has_a_duplicate(trec_eval, form, measures):
    ended = trec_eval("-q", "-R", form, "-m", measures, run="1 Q0 a 1 1 s\n1 Q0 a 2 0 s\n")
    assert (ended.code, ended.out) == (4, b"")
    assert "duplicate docs a" in ended.err


def test_version_9_leaves_missing_topics_out_and_version_10_stops(trec_eval):
    nine, ten = (trec_eval("--as", version, "-q", "-m", "map", run=MISSING) for version in ("9", "10"))
    assert (nine.code, nine.lines) == (0, [["map", "1", "1.0000"], ["map", "all", "1.0000"]])
    assert (ten.code, ten.lines) == (4, [["map", "1", "1.0000"]])
    assert ten.err == "trec_eval: result qid '2' not found in qrels\n"


def test_with_c_missing_topics_count_and_only_version_10_prints_them(trec_eval):
    nine, ten = (trec_eval("--as", version, "-q", "-c", "-mmap", "-mnum_q", run=MISSING) for version in ("9", "10"))
    assert ["map", "all", "0.5000"] in nine.lines
    assert ["map", "all", "0.5000"] in ten.lines
    assert ["map", "2", "0.0000"] in ten.lines
    assert not [line for line in nine.lines if line[1] == "2"]


def test_an_empty_list_gives_nan(trec_eval):
    ended = trec_eval("-q", "-J", "-m", "11pt_avg", qrels="1 0 a 1\n", run="1 Q0 x 1 1 s\n")
    assert ended.out == b"11pt_avg              \t1\t   nan\n11pt_avg              \tall\t   nan\n"


def test_max_docs_zero_leaves_nothing(trec_eval):
    assert trec_eval("-M0", "-m", "num_ret").lines == [["num_ret", "all", "0"]]


def test_names_that_are_no_utf8_come_out_as_they_went_in(trec_eval):
    ended = trec_eval("-q", "-n", "-m", "map", qrels=b"\xe9\xff 0 d\xe4 1\n", run=b"\xe9\xff Q0 d\xe4 1 1 s\n")
    assert ended.out == b"map                   \t\xe9\xff\t1.0000\n"


def test_topics_are_in_byte_order(trec_eval):
    topics = ["9", "10", "é", "z", "😀", "ａ"]
    qrels = "".join(f"{topic} 0 a 1\n" for topic in topics)
    run = "".join(f"{topic} Q0 a 1 1 s\n" for topic in topics)
    printed = [topic for _, topic, _ in trec_eval("-q", "-n", "-m", "map", qrels=qrels, run=run).lines]
    assert printed == sorted(topics, key=str.encode)


@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize(
    ("changes", "noun"),
    [
        ({"qrels": "1 0 a\n"}, "get_qrels"),
        ({"qrels": "1 0 a 1 more\n"}, "get_qrels"),
        ({"qrels": "1 0 a 1\n\n"}, "get_qrels"),
        ({"run": "1 Q0 a 1 1\n"}, "get_results"),
        ({"run": "1 Q0 a 1 1 s\nbroken\n"}, "get_results"),
    ],
)
def test_a_line_that_is_too_short_ends_the_program_before_anything_is_printed(trec_eval, version, changes, noun):
    ended = trec_eval("--as", version, **changes)
    assert (ended.code, ended.out) == (2, b"")
    assert ended.err.startswith(f"trec_eval.{noun}: Malformed line")
    assert ended.err.endswith("trec_eval: Quit in file 'qrels'\n" if noun == "get_qrels" else "Quit in file 'run'\n")


def test_a_file_that_is_not_there_cannot_be_read(capsys, tmp_path):
    path = str(tmp_path / "nothing")
    assert main([path, path]) == 2
    assert capsys.readouterr().err.startswith(f"trec_eval.get_qrels: Cannot read qrels file '{path}'\n")


def test_odd_lines_do_not_change_the_regular_ones(trec_eval):
    plain = trec_eval("-q")
    odd = trec_eval(
        "-q", qrels="# by hand\n 1 0 a 1 \n1\t0 b 0\n2 0 a 2\n2 0 c 0", run="1 Q0 b 1 3 sys x y\n\n#\n" + RUN_REST
    )
    assert odd.out == plain.out


RUN_REST = "1 Q0 a 2 2 sys\n2 Q0 a 1 9 sys\n2 Q0 x 2 8 sys\n"


def test_version_and_help_are_printed_without_files(capsys):
    assert main(["--as", "9", "-v"]) == 0
    assert capsys.readouterr().err == "trec_eval version 9.0.7\n"
    assert main(["-h"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Usage: trec_eval")
    assert all(name in text for name in known(10))


def test_defects_are_documented_for_measures_and_versions_that_exist():
    for defect in DEFECTS:
        assert set(defect.versions) <= {9, 10}
        assert set(defect.measures.split(", ")) <= {*ENTRIES, "every measure"}
        assert defect.trec_eval.endswith((".", ".)"))
        assert defect.defined.endswith(".")


def test_nothing_heavy_is_imported(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 s\n")
    code = (
        "import sys; from cranfield.cli import main; main(['trec_eval', 'qrels', 'run']);"
        "print([name for name in ('polars', 'scipy', 'click', 'rich', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


words = st.sampled_from(
    [b"1", b"2", b"0", b"a", b"b", b"Q0", b"-1", b"3", b"1e999", b"nan", b"9" * 30, b"\x00", b"\xff", b"#", b"x"]
)
odd = st.lists(words, max_size=8).map(b" ".join)
judged = st.tuples(words, words, words, words).map(b" ".join)
compared = st.tuples(words, words, words, words, words).map(b" ".join)
listed = st.tuples(words, words, words, words, words, words).map(b" ".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(judged | judged | odd, max_size=6).map(b"\n".join) | st.lists(compared, max_size=8).map(b"\n".join),
    st.lists(listed | listed | odd, max_size=6).map(b"\n".join),
    st.lists(st.sampled_from(["-q", "-c", "-J", "-l0", "-l2", "-M2", "-M0", "-mrelstring.3"]), max_size=4),
    st.sampled_from(
        [("qrels", "all_trec"), ("prefs", "all_prefs"), ("qrels_prefs", "prefs"), ("qrels_jg", "qrels_jg")]
    ),
    st.sampled_from(["9", "10"]),
)
def test_any_two_files_end_with_a_known_exit_code(trec_eval, qrels, run, flags, kind, version):
    ended = trec_eval("--as", version, "-R", kind[0], "-m", kind[1], *flags, qrels=qrels, run=run)
    assert ended.code in (0, 2, 4, 7)
    assert bool(ended.err) == bool(ended.code)


# --- --explain -----------------------------------------------------------------------------------------------------


def explained(ended):
    table, _, why = ended.out.decode().partition("\nwhy\n")
    return table, why


def test_explain_says_when_everything_agrees(trec_eval):
    ended = trec_eval("--explain", "-m", "map")
    assert (ended.code, ended.out.decode().splitlines()[-1]) == (0, "1 of 1 values agree")


def test_explain_names_the_missing_topics(trec_eval):
    table, why = explained(trec_eval("--explain", "-m", "map", run=MISSING))
    assert "map                           1.0000             -        0.5000" in table
    assert "missing from the run: 1 judged topic (first: 2)" in why
    assert "trec_eval 10: stops with exit code 4" in why


def test_explain_finds_ties_of_single_precision(trec_eval):
    run = "1 Q0 a 1 0.100000001 s\n1 Q0 b 2 0.1 s\n2 Q0 a 1 1 s\n"
    table, why = explained(trec_eval("--explain", "-m", "recip_rank", run=run))
    assert "recip_rank                    0.7500        1.0000        1.0000" in table
    assert "ranked elsewhere by version 9: 2 documents" in why


def test_explain_tells_the_rules_of_interpolated_precision(trec_eval):
    qrels = "".join(f"1 0 d{number} 1\n" for number in range(3))
    run = "1 Q0 d0 1 9 s\n1 Q0 x 2 8 s\n1 Q0 d1 3 7 s\n1 Q0 y 4 6 s\n1 Q0 d2 5 5 s\n"
    table, why = explained(trec_eval("--explain", "-m", "11pt_avg", qrels=qrels, run=run))
    assert table.startswith("all topics               trec_eval 9  trec_eval 10      evaluate\n11pt_avg")
    assert "trec_eval 9: Recall t means int(t R + 0.9)" in why
    assert "trec_eval 10: Recall t means t R relevant documents, rounded" in why


def test_explain_repeats_why_our_reader_refuses_a_file(trec_eval):
    _, why = explained(trec_eval("--explain", "-m", "map", run="1 Q0 a 1 abc s\n2 Q0 a 1 1 s\n"))
    assert "evaluate: refuses the files, E106" in why


def test_explain_leaves_out_what_a_version_does_not_have(trec_eval):
    table, _ = explained(trec_eval("--explain", "-m", "rbp", qrels="1 0 a 1\n2 0 a 2\n"))
    assert "rbp                                -" in table
    assert trec_eval("--explain", "-m", "foo").code == 1


def test_explain_reads_preferences_and_judgment_groups(trec_eval):
    levels = "1 g s a 1\n1 g s b 0\n2 g s a 1\n"
    table, why = explained(trec_eval("--explain", "-R", "prefs", "-m", "prefs_simp", qrels=levels))
    assert table == "all topics               trec_eval 9  trec_eval 10      evaluate\n1 of 1 values agree\n"
    assert why == ""
    table, _ = explained(trec_eval("--explain", "-R", "qrels_jg", "-m", "map_avgjg", qrels=GROUPS))
    assert table.endswith("1 of 1 values agree\n")


def test_explain_compares_values_not_zscores(trec_eval, tmp_path):
    (tmp_path / "z").write_text("1 map 0.5 0\n")
    assert trec_eval("--explain", "-Z", "z", "-m", "map").out.decode().splitlines()[-1] == "1 of 1 values agree"


def test_a_recall_that_is_no_number_gives_no_foreign_warning(tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n")
    (tmp_path / "r").write_text("1 Q0 d1 1 2.5 a\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["-m", "iprec_at_recall.nan", str(tmp_path / "q"), str(tmp_path / "r")]) == 0
