"""Documents made safe and readable: DOC-1, DOC-3, SEC-5; and passages by offset."""

import html
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.judging.web.documents import clean, markdown, shown
from cranfield.judging.web.highlighting import marked, term_spans, terms, text_of
from cranfield.judging.web.paging import html_pages, text_pages

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">a</a>',
    '<a href="data:text/html,<script>alert(1)</script>">a</a>',
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    '<iframe src="https://x.org"></iframe>',
    '<form action="https://x.org"><input name=a></form>',
    "<style>body{background:url(https://x.org)}</style>",
    '<p style="background:url(https://x.org)">a</p>',
    '<link rel=stylesheet href="https://x.org">',
    '<meta http-equiv=refresh content="0;url=https://x.org">',
    '<base href="https://x.org">',
    '<object data="https://x.org"></object><embed src="https://x.org">',
    '<math><mi xlink:href="javascript:alert(1)">a</mi></math>',
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    '<img src="https://x.org/i.png" alt="words">',
    '<img srcset="https://x.org/i.png 2x">',
    '<video src="https://x.org" poster="https://x.org"></video>',
]
DANGEROUS = re.compile(
    r"<(script|style|iframe|form|input|object|embed|link|meta|base|svg|math|video)|\son\w+=|javascript:|\s(style|srcset|src)=",
    re.I,
)


@pytest.mark.parametrize("source", HOSTILE)
@pytest.mark.parametrize("make", [clean, markdown], ids=["html", "markdown"])
def test_nothing_that_runs_styles_submits_or_loads_stays(make, source):
    """SEC-5."""
    made = make(source)
    assert not DANGEROUS.search(html.unescape(re.sub(r">[^<]*<", "><", made))), made


def test_links_keep_their_address_and_name_no_opener():
    """SEC-5."""
    made = clean('<a href="https://x.org/">a</a>')
    assert 'href="https://x.org/"' in made
    assert 'rel="noopener noreferrer"' in made


def test_a_picture_that_is_not_in_the_document_is_words():
    """SEC-5: remote images are removed; those inside the document stay."""
    assert clean('<img src="https://x.org/a.png" alt="A &lt;map">') == "<span>[picture: A &lt;map]</span>"
    inside = '<img src="data:image/png;base64,iVBORw0KGgo=" alt="dot">'
    assert "data:image/png" in clean(inside)


@pytest.mark.parametrize("alt", ["<script>x()</script>", "&lt;script&gt;x()&lt;/script&gt;"])
def test_the_words_of_a_picture_are_text_however_the_cleaner_writes_attributes(alt, monkeypatch):
    """SEC-5: `<` is written as it is in attributes by nh3 0.3.0, and as `&lt;` by later versions."""
    monkeypatch.setattr("nh3.clean", lambda *_, **__: f'<img alt="{alt}">')
    assert clean("") == "<span>[picture: &lt;script&gt;x()&lt;/script&gt;]</span>"


@given(st.text(max_size=300))
def test_the_text_of_a_plain_document_is_the_document(text):
    """Offsets of passages are places in it."""
    expected = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    assert text_of(shown(text, "text").body) == expected


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(0, 210), st.integers(0, 210)), max_size=4))
def test_marks_change_no_text(text, spans):
    page = shown(text, "text").body
    assert text_of(marked(page, [(begin, end, "passage") for begin, end in spans])) == text_of(page)


@given(st.text(max_size=400), st.integers(5, 60))
def test_pages_of_a_text_are_the_text(text, size):
    """DOC-1: long documents in pages."""
    pages = text_pages(text, size)
    assert "".join(pages) == text
    assert all(len(page) <= size for page in pages)


def test_pages_of_html_hold_all_of_its_text_and_are_well_formed():
    """DOC-1."""
    source = clean("<div><h2>Title</h2>" + "<p>one <b>two</b> three</p>" * 200 + "</div>")
    pages = html_pages(source, 500)
    assert len(pages) > 3
    assert "".join(map(text_of, pages)) == text_of(source)
    assert all(page.count("<div>") == page.count("</div>") for page in pages)


def test_a_document_of_ten_megabytes_is_shown_by_pages():
    """DOC-1."""
    first = shown("A line of words that goes on.\n" * 350_000, "text")
    assert first.pages > 40
    last = shown("A line of words that goes on.\n" * 350_000, "text", page=first.pages)
    assert last.start + len(text_of(last.body)) == 30 * 350_000
    assert shown("short", "text", page=9).page == 1


@pytest.mark.parametrize(
    ("need", "text", "found"),
    [
        ("CRÈME brûlée", "creme and Brulees", ["creme", "Brulees"]),
        ("the files of a user", "A FILE, the user's files", ["FILE", "user", "files"]),
        ("high speed", "high-speed flight", ["high", "speed"]),
        ("ファイル整列", "整列されたファイル", ["整列", "ファイル"]),
        ("straße", "STRASSE", ["STRASSE"]),
        ("", "nothing", []),
    ],
)
def test_words_of_the_need_are_found_whatever_their_case_and_accents(need, text, found):
    """DOC-3."""
    page = marked(f"<p>{text}</p>", term_spans(text, terms(need)))
    assert re.findall(r'<mark class="term">(.*?)</mark>', page) == found


def test_marks_cross_elements_and_overlap():
    source = "<p>one <b>two</b> three</p>"
    assert marked(source, [(2, 9, "passage"), (4, 7, "term")]) == (
        '<p>on<mark class="passage">e </mark><b><mark class="passage term">two</mark></b>'
        '<mark class="passage"> t</mark>hree</p>'
    )


def test_marks_are_where_spans_cover_the_text():
    draw = random.Random(5)
    for _ in range(300):
        text = "one & two < three"[: draw.randint(1, 17)]
        places = [sorted(draw.choices(range(len(text) + 1), k=2)) for _ in range(draw.randint(1, 6))]
        spans = [(begin, end, draw.choice(["term", "passage"])) for begin, end in places]
        made = marked(text.replace("&", "&amp;").replace("<", "&lt;"), spans)
        assert text_of(made) == text
        kinds: list[str] = []
        for inside, piece in re.findall(r'(?:<mark class="([^"]*)">)?([^<]+)(?:</mark>)?', made):
            kinds += [inside] * len(html.unescape(piece))
        wanted = [{kind for begin, end, kind in spans if begin <= at < end} for at in range(len(text))]
        assert [set(each.split()) for each in kinds] == wanted
