"""Files that name topics and documents by their texts, on the command line (FMT-2, FMT-6)."""

import json

TOPICS = {"301": "cheap TV 📺", "302": 'the "best", cheap tv 📺'}
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\r\n"
    "May,2024-05-01,7,cheap TV 📺,9,1\r\n"
    "May,2024-05-01,7,cheap TV 📺,7,2\r\n"
    'May,2024-05-01,7,"the ""best"", cheap tv 📺",7,1\r\n'
)
LABEL = {"model": "m", "query": "cheap TV 📺", "passage": "Oslo is far.", "judgment": 2, "result_status": 1}


def test_the_command_line_translates_with_topics(cli, folder):  # FMT-2
    (folder / "topics.tsv").write_text("".join(f"{name}\t{text}\n" for name, text in TOPICS.items()))
    (folder / "qrels.txt").write_text("301 0 7 2\n302 0 7 1\n")
    (folder / "export.csv").write_bytes(SNAPSHOT.encode())
    said = cli("evaluate", "qrels.txt", "export.csv", "-m", "RR", "--topics", "topics.tsv", "--format", "csv")
    assert said.out.splitlines()[1].startswith("May,0.75")
    assert cli("evaluate", "qrels.txt", "export.csv", "-m", "RR").code == 3  # E114: no common topic
    page = cli("report", "qrels.txt", "export.csv", "-m", "RR", "--topics", "topics.tsv", "-o", "r.html", "--json")
    assert json.loads(page.out)["audit"]["topics_scored"] == {"May": 2}
    assert cli("convert", "qrels.txt", "-o", "r.csv", "--to", "quepid", "--topics", "topics.tsv").code == 0
    assert (folder / "r.csv").read_text().splitlines()[1] == "cheap TV 📺,7,2"
    assert cli("convert", "r.csv", "-o", "back.txt", "--topics", "topics.tsv").code == 0
    assert (folder / "back.txt").read_text() == (folder / "qrels.txt").read_text()


def test_labels_of_umbrela_become_qrels_on_the_command_line(cli, folder):  # FMT-6
    (folder / "labels.jsonl").write_text(json.dumps(LABEL) + "\n")
    (folder / "topics.tsv").write_text("301\tcheap TV 📺\n")
    (folder / "docs.jsonl").write_text('{"_id": "d1", "text": "Oslo is far."}\n')
    said = cli("convert", "labels.jsonl", "-o", "q.txt", "--topics", "topics.tsv", "--docs", "docs.jsonl")
    assert (said.code, (folder / "q.txt").read_text()) == (0, "301 0 d1 2\n")
