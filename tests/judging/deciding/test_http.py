"""A decide queue answered by simulated assessors through the real HTTP interface: a small scripts/decide-queue."""

from benchmarks.decide_queue import BEGIN, END, PAGE, decided, demo, table


def test_few_judgments_through_http_decide_what_the_whole_pool_would(tmp_path):
    """Two assessors in two threads, who come in by invite links; the truth is known."""
    collection = demo()
    found = decided(collection, ("lexical", "hybrid"), "P@5", 2, 0.0, tmp_path)
    assert found.reason == "certain"
    assert found.better == "hybrid"
    assert 0 < found.judged < found.pool
    assert f"| demo | lexical – hybrid | 2 | certain | {found.judged} | {found.pool} | certain | hybrid |" in [
        *table([found])
    ]


def test_the_page_has_the_table_of_the_script():
    text = PAGE.read_text(encoding="utf-8")
    made = text.partition(BEGIN)[2].partition(END)[0]
    assert "| collection | runs | assessors |" in made
    assert "were spared" in made
