"""Documents and topics that are hard to show: long, from right to left, without spaces, with very long ids."""

from cranfield.judging.records import DocumentRow, TopicRow

LONG_ID = "clueweb22-en0042-67-09951-https-www.example.org-archive-of-the-institute-of-aeronautics-" + "0123456789" * 8
LONG = "\n\n".join(
    " ".join(f"Sentence {place * 12 + number} of a very long report on boundary layers." for number in range(12))
    for place in range(120)
)
PAGES = "\n\n".join(
    f"Paragraph {number}. " + "The flow separates, and reattaches behind the step. " * 8 for number in range(1200)
)
NARRATIVE = (
    "A relevant paper reports a measurement or a calculation. Papers that only name the effect are not relevant. "
    "Reviews are relevant if they give the numbers of others. " * 4
)
ODD_TOPICS = [
    TopicRow(
        "t1",
        "How does the separation of a turbulent boundary layer in supersonic flow depend on the temperature of the "
        "wall, and which of the methods of calculation agrees with what was measured?",
        "The reader designs an inlet and wants numbers. " * 5,
        NARRATIVE,
    ),
    TopicRow("t2", "ما هي طبقة الحد الفاصلة في التدفق فوق الصوتي؟", "يريد القارئ أرقاما مقاسة."),
]
ODD_DOCUMENTS = [
    DocumentRow("long", "A very long report", body=LONG),
    DocumentRow(
        "rtl",
        "طبقة الحد",
        body="تقيس هذه الورقة سماكة طبقة الحد في التدفق فوق الصوتي. " * 12 + "\n\n" + "النتائج تتفق مع النظرية. " * 9,
    ),
    DocumentRow(LONG_ID, "", body="A document whose id is longer than a line, and which has no title."),
    DocumentRow("cjk", "境界層の剥離に関する実験", body="超音速流における乱流境界層の剥離を風洞で測定した。" * 30),
    DocumentRow(
        "page",
        "A page of the web",
        format="html",
        body=(
            '<h1>Separation bubbles</h1><p>See <a href="https://example.org/a">the report</a> of 1958.</p>'
            "<table><tr><th>Mach</th><th>Length</th></tr><tr><td>2.0</td><td>14 mm</td></tr></table>"
            "<blockquote>The flow reattaches.</blockquote><pre>x = 3 * y</pre>"
        ),
    ),
    DocumentRow(
        "notes.md", "Notes", format="markdown", body="# Notes\n\n*Warm* walls move the point.\n\n- one\n- two\n"
    ),
    DocumentRow(
        "thing",
        "A wind tunnel, used",
        format="fields",
        fields={"price": "12,000 EUR", "url": "https://example.org/tunnel?id=" + "a1b2" * 30, "condition": "as found"},
    ),
    DocumentRow("missing", "", body=None),
    DocumentRow("word", "A word without an end", body="Donaudampfschifffahrtsgesellschaft" * 30),
    DocumentRow("pages", "A book in pages", body=PAGES),
]
