"""As a new user would: pool, judge by keyboard as two people, agree, export, evaluate, holes.

Screenshots are left in the folder of the test: `pytest --basetemp FOLDER` says where.
"""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from benchmarks.http_assessors import PASSWORD, PROGRAM, ServedLab
from benchmarks.small_rankers import write_runs
from tests.judging.browser.rooms import JudgingPage

EACH = 20


@pytest.fixture
def collection(shared):
    folder = shared / "data" / "cranfield1400"
    if not folder.is_dir():
        pytest.skip("cranfield1400 is not here (set CRANFIELD_SHARED)")
    return folder


def test_cranfield_1400_from_two_rankers_to_holes(chromium, collection, tmp_path):
    def cranfield(*arguments: str) -> str:
        command = [sys.executable, "-c", PROGRAM, *arguments]
        done = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    known = write_runs(tmp_path, collection)
    assert "2 runs · 225 topics · depth 10" in cranfield(
        "pool", "text.run", "titles.run", "--depth", "10", "-o", "pool.tsv"
    )
    files = ("--topics", str(collection / "cran.qry.xml"), "--docs", str(collection / "cran.all.1400.xml.gz"))
    made = cranfield("judge", "init", "lab.db", "--pool", "pool.tsv", *files, "--assessors", "2")
    assert re.search(r"([\d,]+) of \1 documents found", made)
    links = [cranfield("judge", "invite", "lab.db", "--role", "assessor") for _ in range(2)]
    tokens = [token for link in links for token in re.findall(r"/invite#\S+", link)]
    with ServedLab(tmp_path / "lab.db") as url:
        for name, path in zip(("ada", "bob"), tokens, strict=True):
            page = chromium.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.set_default_timeout(30_000)
            page.goto(url + path)
            page.screenshot(path=tmp_path / f"1-invite-{name}.png")
            page.locator("[name=name]").fill(name)
            for field in page.locator("input[type=password]").all():
                field.fill(PASSWORD)
            page.get_by_role("button", name=re.compile("account|join|accept|sign|come", re.I)).first.click()
            expect(page.locator("main")).to_contain_text("judged by you")
            page.get_by_role("link", name=re.compile("judging", re.I)).first.click()
            judging = JudgingPage(page).ready()
            for number in range(EACH):
                topic = page.locator(".work:not([hidden])").get_attribute("data-topic")
                document = page.locator(".work:not([hidden]) p.id").inner_text() or judging.heading
                if number == 3:
                    page.screenshot(path=tmp_path / f"2-judging-{name}.png")
                judging.grade(known.get(topic, {}).get(document, 0))
                if page.locator(".work:not([hidden])").count() == 0:
                    page.get_by_role("link", name=re.compile("next topic", re.I)).click()
                    judging.ready()
            page.goto(f"{url}/")
            expect(page.locator("main")).to_contain_text(f"{EACH} of")
            page.screenshot(path=tmp_path / f"3-home-{name}.png", full_page=True)
            page.context.close()
    agreed = cranfield("agree", "lab.db")
    assert "2 assessors" in agreed
    assert "100.0 %" in agreed  # both go by the judgments of the collection
    assert f"{2 * EACH - _twice(agreed)} judged" in cranfield("judge", "export", "lab.db", "-o", "qrels.txt")
    scores = cranfield("evaluate", "-q", "qrels.txt", "text.run", "titles.run", "-m", "P@10")
    assert "titles" in scores
    verdicts = cranfield("holes", "-q", "qrels.txt", "text.run", "titles.run", "-m", "P@10", "--only", "pairs")
    assert re.search(r"text – titles|titles – text", verdicts)
    assert len(list(tmp_path.glob("*.png"))) == 6


def _twice(agreed: str) -> int:
    """How many pairs were judged twice."""
    found = re.search(r"([\d,]+) pairs? judged twice", agreed)
    assert found is not None, agreed
    return int(found[1].replace(",", ""))
