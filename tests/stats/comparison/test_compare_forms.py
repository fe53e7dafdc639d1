"""The printed forms of a comparison: mock-up, letters, captions, and names that try to escape (EXP-1 … EXP-5)."""

import csv
import io
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from cranfield.stats.comparison.compare import compare
from cranfield.stats.comparison.sheets.letters import letter, listed
from tests.stats.scored import draw, scored

NASTY = "50% & x_1"


def wide(runs: int, gap: float = 0.03):
    """Runs that differ by a constant and a little noise: the first is the best."""
    rng = np.random.default_rng(0)
    base = rng.uniform(0.2, 0.5, size=(1, 20))
    return base + rng.normal(0, 0.001, size=(runs, 20)) - gap * np.arange(runs)[:, None] + gap * runs


def test_the_table_has_the_layout_of_the_mock_up():
    names = ["bm25", "chargram", "dense", "hybrid"]
    shares = (0.98, 0.648, 0.713, 0.887)
    values = draw(1, topics=40)[[0, 1, 2, 3]]
    scores = scored(values, runs=names, measures=["nDCG@10"], judged=shares, looks_at=["first 10"])
    text = compare(scores, baseline="bm25").sheet().text()
    lines = text.splitlines()
    assert lines[0] == " nDCG@10 · 40 topics · paired t, two-sided · Holm over 3 comparisons"
    assert lines[1] == ""
    assert lines[2].split("  ")[0] == " run"
    assert lines[2].split() == ["run", "mean", "Δ", "95", "%", "CI", "of", "Δ", "d_z", "p", "W/T/L", "judged@10"]
    assert re.fullmatch(r" bm25 +0\.\d{4} +– +– +– +– +– +98\.0 %", lines[3])
    assert [line.split()[0] for line in lines[4:7]] == ["hybrid", "dense", "chargram"]
    pattern = r" hybrid +0\.\d{4}  \+0\.\d{4}  \[\+0\.\d{4}, \+0\.\d{4}\] +\d\.\d\d +<?0\.\d+\* +\d+/\d+/\d+ +88\.7 %"
    assert re.fullmatch(pattern, lines[4])
    assert [line.count("*‡") for line in lines[4:7]] == [0, 1, 1]
    unequal = "‡ dense 71.3 % judged, bm25 98.0 %; chargram 64.8 % judged, bm25 98.0 %"  # hybrid is nearer
    assert lines[8] == f" * corrected p < 0.05.   {unequal}: a difference may come from unjudged documents."
    at = lines[2].index(" p ") + 1  # the name stands over the last digit, the star hangs out
    assert lines[3][at] == "–"
    assert any(line[at].isdigit() and line[at + 1] in "* " for line in lines[4:7])


def test_negative_differences_have_a_real_minus():
    text = compare(scored(wide(2)), baseline="run0").sheet().text()
    assert re.search(r"−0\.\d{4}  \[−0\.\d{4}, −0\.\d{4}\]  −\d+", text)
    assert "-0" not in text


def test_letters_go_on_after_z():
    assert [letter(at) for at in (0, 25, 26, 51, 52, 18_277)] == ["a", "z", "aa", "az", "ba", "zzz"]
    assert listed([3, 4, 5, 30], 31) == "d–f,ae"
    assert listed([], 31) == ""


def test_thirty_runs_have_thirty_letters_in_latex():
    tex = compare(scored(wide(30))).to_latex()
    rows = [line for line in tex.splitlines() if line.endswith(r"\\") and "&" in line][1:]
    assert [row.split(" & ")[0] for row in rows] == [letter(at) for at in range(30)]
    assert rows[0].split(" & ")[2].startswith(r"\textbf{")
    assert r"\textsuperscript{b--ad}" in rows[0]
    assert "superscript" not in rows[-1]


def test_few_runs_have_their_letters_one_by_one():
    comparison = compare(scored(wide(4)))
    assert r"\textsuperscript{bcd}" in comparison.to_latex()
    assert re.search(r"a +run0 +0\.\d+ +bcd", comparison.sheet().text())


def test_all_tied_best_values_are_bold():
    values = np.repeat(draw(1, runs=2)[:, :, 0], [2, 1], axis=0)[:, ::-1]
    tex = compare(scored(values[[2, 0, 1]])).to_latex() if values[2].mean() < values[0].mean() else ""
    tex = tex or compare(scored(values[[0, 2, 2]])).to_latex()
    assert tex.count(r"\textbf{") == 2


def test_the_smallest_is_bold_where_less_is_better():
    tex = compare(scored([[1.0, 2, 3], [5.0, 5, 8]], measures=["ESL"]), baseline="run1").to_latex()
    assert r"\textbf{2.0000}" in tex
    assert tex.count(r"\textbf") == 1


def test_the_caption_names_test_topics_alpha_and_correction():
    scores = scored(draw(1), policies={"ties": "trec"})
    tex = compare(scores, baseline="run0", alpha=0.01, adjust="bh").to_latex()
    (caption,) = re.findall(r"\\caption\{(.*)\}", tex)
    for part in ("AP: 25 topics", "paired t, two-sided", "Benjamini-Hochberg over 3 comparisons", r"$\alpha$ = 0.01"):
        assert part in caption
    assert "ties=trec" in caption
    assert "difference from run0" in caption
    assert "99 \\% CI" in tex


def test_labels_of_several_tables_differ():
    tex = compare(scored(draw(1, measures=3), measures=("AP", "RR", "P@5")), baseline="run0").to_latex()
    labels = re.findall(r"\\label\{(.*)\}", tex)
    assert labels == ["tab:comparison", "tab:comparison-2", "tab:comparison-3"]


@pytest.mark.parametrize("baseline", [NASTY, None])
def test_a_nasty_name_survives_every_form(baseline):
    comparison = compare(scored(draw(1, runs=3), runs=[NASTY, "<b>&amp;", "=1+1|`x`"]), baseline=baseline)
    sheet = comparison.sheet()
    assert f" {NASTY} " in sheet.text()
    assert r"50\% \& x\_1" in comparison.to_latex()
    assert NASTY not in comparison.to_latex()
    assert f"`{NASTY}`" in comparison.to_markdown()
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert {row["run"] for row in rows} | {row["baseline"] for row in rows} == {NASTY, "<b>&amp;", "'=1+1|`x`"}
    page = comparison._repr_html_()
    assert "50% &amp; x_1" in page
    assert "&lt;b&gt;&amp;amp;" in page
    assert "<b>" not in page
    assert NASTY in {name for pair in comparison.result()["pairs"] for name in (pair["run"], pair["baseline"])}
    assert NASTY in comparison.topic_sheet().text()


def test_tables_of_a_notebook_have_space_below_them():
    page = compare(scored(draw(1, runs=3)))._repr_html_()
    assert page.count('<table class="cranfield" style="margin-bottom:1em">') == page.count("<table") == 2


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no TeX here; the escaping is checked above")
@pytest.mark.parametrize("baseline", [NASTY, None])
def test_the_latex_of_a_nasty_name_compiles(baseline, tmp_path):
    names = [NASTY, r"\{}~^$#_|<>", "\"quoted\" 'too'"]
    table = compare(scored(draw(1, runs=3), runs=names), baseline=baseline).to_latex()
    page = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{table}\n\\end{{document}}\n"
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "page.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0


def test_a_control_character_stays_on_its_line():
    text = compare(scored(draw(1, runs=2), runs=["a\nb", "c\x1b[31m"]), baseline="a\nb").sheet().text()
    assert "a\\nb" in text
    assert "\x1b" not in text


def test_programs_get_every_pair_in_full_precision():
    comparison = compare(scored(draw(1, measures=2), measures=("AP", "RR")), equivalence=0.1, rope=0.05)
    frame = comparison.table()
    assert frame.shape == (12, 38)
    assert (set(frame["test"]), frame["significant"].dtype.is_numeric(), set(frame["reason"])) == ({"t"}, False, {""})
    pair = comparison.pair("run3", "run0", "RR")
    (row,) = frame.filter(
        (frame["measure"] == "RR") & (frame["run"] == "run3") & (frame["baseline"] == "run0")
    ).to_dicts()
    assert (row["difference"], row["p"], row["p_raw"], row["ci_low"]) == (
        pair.difference,
        pair.p,
        pair.p_raw,
        pair.ci[0],
    )
    assert (row["equivalence_p"], row["wins"]) == (pair.equivalence_p, pair.wins)
    assert row["mean"] - row["baseline_mean"] == pytest.approx(row["difference"])


def test_many_pairs_are_left_to_programs():
    comparison = compare(scored(draw(1, runs=12)))
    assert "All 66 pairs are in the CSV form." in comparison.sheet().text()
    assert "run0 – run1" not in comparison.sheet().text()
    assert len(comparison.to_csv().splitlines()) == 67


def test_without_a_test_there_is_no_p_and_no_star():
    text = compare(scored(draw(1)), baseline="run0", test="none").sheet().text()
    assert text.startswith(" AP · 25 topics · no test\n")
    assert " p " not in text
    assert "*" not in text


def test_uncorrected_values_say_so():
    text = compare(scored(draw(1)), baseline="run0", adjust="none").sheet().text()
    assert " · paired t, two-sided · uncorrected, 3 comparisons\n" in text
    assert " * p < 0.05.\n" in text


def test_topics_are_listed_with_every_difference():
    values = np.array([[0.1, 0.4, 0.3, 0.2], [0.2, 0.5, 0.5, 0.2], [0.3, 0.1, 0.9, 0.8]])[:, :, None]
    comparison = compare(scored(values), baseline="run0")
    lines = comparison.topic_sheet().text().splitlines()
    assert lines[2].split() == ["topic", "run0", "Δ", "run2", "Δ", "run1"]
    assert lines[3].split()[:2] == ["q000", f"{values[0, 0, 0]:.4f}"]
    assert float(lines[3].split()[2].replace("−", "-")) == pytest.approx(values[2, 0, 0] - values[0, 0, 0], abs=1e-4)
    long = list(csv.DictReader(io.StringIO(comparison.topic_sheet().csv())))
    assert len(long) == 8
    assert float(long[0]["value"]) - float(long[0]["baseline_value"]) == float(long[0]["difference"])
    many = compare(scored(draw(1, runs=8, topics=4))).topic_sheet()
    assert many.text().splitlines()[0].split() == [
        "measure",
        "topic",
        "run",
        "baseline",
        "value",
        "baseline_value",
        "Δ",
    ]


def test_the_result_is_plain_json():
    comparison = compare(scored(draw(1, runs=2)), omnibus="anova")
    assert json.loads(comparison.to_json())["result"]["pairs"][0]["p"] == next(iter(comparison.pairs())).p


def test_the_short_form_stars_what_is_significant():
    comparison = compare(scored(draw(2, runs=5)), baseline="run0")
    lines = [line for line in comparison.brief().splitlines() if "W/T/L" in line]
    starred = ["*" in line for line in lines]
    assert starred == [pair.significant for pair in comparison.pairs()]
    assert set(starred) == {True, False}
