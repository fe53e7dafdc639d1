"""`-R qrels_jg` and `-Z`: measures by judgment group, values as z-scores."""

import pytest

MISSING = "1 Q0 a 1 1 sys\n"
GROUPS = "1 ann a 1\n1 ann b 0\n1 bob a 0\n1 bob b 1\n2 bob a 1\n"  # two judges of topic 1, one of topic 2


def test_a_measure_by_judgment_group_is_the_mean_over_the_groups_of_the_topic(trec_eval):
    ended = trec_eval("-q", "-R", "qrels_jg", "-m", "map_avgjg", "-m", "P_avgjg.1", qrels=GROUPS)
    assert ended.lines == [
        ["map_avgjg", "1", "0.7500"],  # 1/2 for ann, 1 for bob
        ["P_avgjg_1", "1", "0.5000"],
        ["map_avgjg", "2", "1.0000"],
        ["P_avgjg_1", "2", "1.0000"],
        ["map_avgjg", "all", "0.8750"],
        ["P_avgjg_1", "all", "0.7500"],
    ]


def test_a_group_that_found_nothing_relevant_counts_as_0(trec_eval):
    ended = trec_eval("-q", "-n", "-R", "qrels_jg", "-m", "map_avgjg", qrels="1 ann a 1\n1 bob b 0\n", run=MISSING)
    assert ended.lines == [["map_avgjg", "1", "0.5000"]]


def test_one_group_may_judge_a_document_once(trec_eval):
    ended = trec_eval("-R", "qrels_jg", "-m", "map_avgjg", qrels=GROUPS + "1 bob a 1\n")
    assert (ended.code, ended.out) == (4, b"")
    assert "duplicate docs a" in ended.err


def test_measures_of_grades_cannot_be_calculated_from_groups(trec_eval):
    ended = trec_eval("-R", "qrels_jg", qrels=GROUPS)
    assert (ended.code, ended.out) == (4, b"")
    assert (
        ended.err
        == "trec_eval.form_res_qrels: rel_info format not qrels\ntrec_eval: Can't calculate measure 'num_ret'\n"
    )


def zscores(trec_eval, tmp_path, text, *flags):
    (tmp_path / "z").write_text(text)
    return trec_eval("-q", "-Z", "z", *flags)


def test_a_zscore_is_the_distance_from_the_mean_in_deviations(trec_eval, tmp_path):
    scale = "1 map 0.25 0.5\n2 map 0.75 0.125\n1 num_ret 1 1\n2 num_ret 4 1\n"
    assert zscores(trec_eval, tmp_path, scale, "-mmap", "-mnum_ret", "-mnum_q", "-mrunid").out == (
        b"Znum_ret               \t1\t1.0000\nZmap                   \t1\t0.5000\n"
        b"Znum_ret               \t2\t-2.0000\nZmap                   \t2\t2.0000\n"
        b"runid                 \tall\tsys\nZnum_q                 \tall\t2.0000\n"
        b"Znum_ret               \tall\t-1.0000\nZmap                   \tall\t1.2500\n"
    )


def test_what_has_no_zscore_cannot_be_overlooked(trec_eval, tmp_path):
    ended = zscores(trec_eval, tmp_path, "1 map 0.5 0\n", "-m", "map", "-m", "recip_rank", "-m", "gm_map")
    assert ended.lines == [
        ["Zmap", "1", "0.0000"],  # the mean itself
        ["Zrecip_rank", "1", "-1000000.0000"],  # not in the file
        ["Zmap", "2", "-1000000.0000"],
        ["Zrecip_rank", "2", "-1000000.0000"],
        ["Zmap", "all", "-500000.0000"],
        ["Zgm_map", "all", "0.0000"],
        ["Zrecip_rank", "all", "-1000000.0000"],
    ]


@pytest.mark.parametrize(("scale", "says"), [("1 map 0.5\n", "Malformed line 1"), ("", "Cannot read zscores file 'z'")])
def test_zscores_that_cannot_be_read_end_the_program(trec_eval, tmp_path, scale, says):
    ended = zscores(trec_eval, tmp_path, scale)
    assert (ended.code, ended.out) == (2, b"")
    assert f"trec_eval.get_zscores: {says}\ntrec_eval: Quit in file 'z'\n" == ended.err
