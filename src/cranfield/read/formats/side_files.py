"""Pools, label probabilities and latencies."""

import numpy as np

from cranfield.errors import Error, InputError
from cranfield.read.checked_columns import TextColumns
from cranfield.read.definition import reads
from cranfield.read.formats import delimited, jsonl
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content, check_lines
from cranfield.tables.side.latencies import Latencies
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.probabilities import Probabilities
from cranfield.tables.text import Text

_UNKNOWN = ("NA", "")


@reads("pool-tsv", "pool", "301\tFT911-3\tdepth20\t1.0", usual_endings=(".tsv", ".pool"), writable=True)
def read_tsv_pool(content: Content, options: ReadOptions) -> Pool:
    """Pool: topic, document, stratum, inclusion probability (NA in adaptive pools), separated by tabs."""
    check_lines(content)
    fields, line, problems = delimited.cut(content, "\t", 4, options.max_errors)
    if [field[0].lower() for field in fields[:2]] == ["topic", "document"]:
        fields, line = [field.take(slice(1, None)) for field in fields], line[1:]
    unknown = np.array([text in _UNKNOWN for text in fields[3]], dtype=bool)
    chances = Text.of("1" if blank else text for text, blank in zip(fields[3], unknown.tolist(), strict=True))
    values = {"topic": fields[0], "doc": fields[1], "stratum": fields[2], "probability": chances}
    columns = TextColumns(content, options.max_errors, values, line, problems=problems)
    columns.ids("topic", "doc")
    probability = columns.numbers("probability", 0, 1)
    columns.check()
    topics, topic = fields[0].codes()
    probability = np.where(unknown, np.nan, probability)
    source = content.source("pool-tsv")
    return Pool(
        topics=tuple(topics),
        topic=topic,
        document=fields[1],
        stratum=fields[2],
        probability=probability,
        line=line,
        source=source,
    )


@reads("estimate-jsonl", "estimate", '{"topic":"301","doc":"FT911-3","p":[0.7,0.2,0.1]}', endings=(".jsonl", ".ndjson"))
def read_probabilities(content: Content, options: ReadOptions) -> Probabilities:
    """Label probabilities as JSON lines: topic, document, and p, the probability of each grade from 0."""
    topic: list[str] = []
    document: list[str] = []
    chance: list[list[float]] = []
    problems: list[Error] = []
    met: dict[tuple[str, str], int] = {}  # the line of each pair
    for line, _, record in jsonl.records(content, options.max_errors):
        values = record.get("p")
        numbers = _chances(values) if isinstance(values, list) else None
        names = [record.get("topic"), record.get("doc")]
        if not all(isinstance(name, str) and name and jsonl.valid(name) for name in names):
            problem = "record has no topic and document id"
        elif numbers is None or len(numbers) != len(chance[0] if chance else numbers):
            problem = "field 'p' must list a probability for each grade, as many in every record, adding up to 1"
        elif (first := met.setdefault((str(names[0]), str(names[1])), line)) != line:
            problem = f"document {names[1]!r} of topic {names[0]!r} has its probabilities at line {first} already"
        else:
            topic.append(str(names[0]))
            document.append(str(names[1]))
            chance.append(numbers)
            continue
        problems.append(InputError("E119", problem, path=content.name, line=line, text=content.line_at(line)))
        if len(problems) == options.max_errors:
            break
    if problems:
        raise Error.first(problems)
    if not topic:
        raise InputError("E104", "the file holds no rows", path=content.name)
    topics, code = Text.of(topic).codes()
    source = content.source("estimate-jsonl")
    return Probabilities(tuple(topics), code, Text.of(document), np.array(chance), source)


@reads(
    "efficiency-jsonl",
    "efficiency",
    '{"run":"bm25","topic":"301","latency_ms":12.5}',
    endings=(".jsonl", ".ndjson"),
)
def read_jsonl_latencies(content: Content, options: ReadOptions) -> Latencies:
    """Latencies as JSON lines: run, topic, latency_ms; records without topic hold facts about a run's index."""
    run: list[str] = []
    topic: list[str] = []
    value: list[str] = []
    lines: list[int] = []
    facts: dict[str, dict[str, float]] = {}
    problems: list[Error] = []
    for line, _, record in jsonl.records(content, options.max_errors):
        name = record.pop("run", None)
        ids = [each for each in (name, record.get("topic"), record.get("latency_ms")) if isinstance(each, str)]
        if not isinstance(name, str) or not name or not all(map(jsonl.valid, ids)):
            problem = "field 'run' is missing" if not name else "an id is not text that can be written"
            text = content.line_at(line)
            problems.append(InputError("E119", problem, path=content.name, line=line, text=text))
        elif "topic" in record or "latency_ms" in record:
            run.append(str(name))
            topic.append(str(record.get("topic", "")))
            value.append(str(record.get("latency_ms", "")))
            lines.append(line)
        else:
            known = facts.setdefault(str(name), {})
            known |= {key: float(cell) for key, cell in record.items() if isinstance(cell, jsonl.Number)}
    values = {"run": Text.of(run), "topic": Text.of(topic), "latency": Text.of(value)}
    columns = TextColumns(content, options.max_errors, values, np.array(lines, dtype=np.int64), problems=problems)
    return _latencies(columns, facts, "efficiency-jsonl")


@reads("efficiency-csv", "efficiency", "run,topic,latency_ms", endings=(".csv",))
def read_csv_latencies(content: Content, options: ReadOptions) -> Latencies:
    """Latencies as CSV with the columns run, topic, latency_ms."""
    columns = delimited.table(content, options, ",", ("run", "topic", "latency"), qrels=False)
    return _latencies(columns, {}, "efficiency-csv")


def _latencies(columns: TextColumns, facts: dict[str, dict[str, float]], format: str) -> Latencies:
    columns.ids("run", "topic")
    milliseconds = columns.numbers("latency", 0, np.inf)
    columns.check()
    if len(columns) == 0 and not facts:
        raise InputError("E104", "the file holds no rows", path=columns.content.name)
    source = columns.content.source(format)
    return Latencies(columns["run"], columns["topic"], milliseconds, facts, source)


def _chances(values: list[object]) -> list[float] | None:
    """Probabilities that add up to 1, or None."""
    if not values or not all(isinstance(value, jsonl.Number) for value in values):
        return None
    numbers = [float(str(value)) for value in values]
    return numbers if all(0 <= p <= 1 for p in numbers) and abs(sum(numbers) - 1) <= 1e-6 else None
