"""JSON and text of search engines and their tools: Elasticsearch, OpenSearch, RRE, and lists for learning to rank."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats.jsonfile import located, parsed
from cranfield.read.objects import as_runs
from cranfield.read.options import ReadOptions
from cranfield.read.records import rows_qrels
from cranfield.read.sources.content import Content
from cranfield.read.sources.lines import lines
from cranfield.read.sources.paths import stem
from cranfield.tables.judgments import warn_of_failed
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

# Only ASCII white space separates; LETOR writes "#docid = GX008-86-4444840".
_LTR = re.compile(r"(\S+)\s+qid:(\S+)\s+(?:.*?\s)?#\s*(?:docid\s*=\s*)?(\S+)", re.ASCII)


@reads(
    "qrels-opensearch",
    "qrels",
    '{"judgmentRatings":[{"query":"tv","ratings":[{"docId":"7","rating":"2.0"}],"failures":[]}]}',
    marks=('"judgmentRatings"',),
    by_text=True,
    writable=True,
)
def read_opensearch(content: Content, options: ReadOptions) -> Qrels:
    """Judgments of OpenSearch search-relevance, by query text; failures count as unjudged."""
    groups = _all(content, _judgment_list(content, parsed(content)), "judgmentRatings", "query", "ratings")
    rows = [
        (group["query"], rating) for group in groups for rating in _all(content, group, "ratings", "docId", "rating")
    ]
    failed = sum(len(group.get("failures") or ()) for group in groups)
    warn_of_failed(failed, failed + len(rows), content.name)
    return _judged(content, options, "qrels-opensearch", ((q, x["docId"], _number(x["rating"])) for q, x in rows))


def _judgment_list(content: Content, tree: Any) -> Any:
    """What holds the judgments: the file, or the one hit of a response that the plug-in gives."""
    hits = tree.get("hits") if isinstance(tree, Mapping) else None
    listed = hits.get("hits") if isinstance(hits, Mapping) else None
    if not isinstance(listed, list):
        return tree
    if len(listed) != 1:
        raise InputError("E119", f"expected one list of judgments, found {len(listed)}", path=content.name)
    return listed[0].get("_source") if isinstance(listed[0], Mapping) else None


@reads(
    "run-elasticsearch",
    "run",
    '{"responses":[{"hits":{"hits":[{"_id":"7","_score":3.1}]}}]}',
    marks=('"hits"', '"_id"'),
)
def read_hits(content: Content, options: ReadOptions) -> list[Run]:
    """Responses of Elasticsearch and OpenSearch: _search, _msearch (topics 1, 2, …), _rank_eval, {topic: response}."""
    tree = parsed(content)
    found = {}
    for topic, response in _responses(content, tree):
        hits = response.get("hits")
        listed = hits.get("hits") if isinstance(hits, Mapping) else None
        if not isinstance(listed, list):
            said = f": {response['error']}" if "error" in response else ""
            raise InputError("E119", f"response {topic!r} holds no hits{said}", path=content.name)
        if not all(isinstance(hit, Mapping) and "_id" in hit for hit in listed):
            raise InputError("E119", f"a hit of response {topic!r} has no _id", path=content.name)
        scored = all(hit.get("_score") is not None for hit in listed)  # there are none where hits are sorted by a field
        found[topic] = [(hit["_id"], hit["_score"]) for hit in listed] if scored else [hit["_id"] for hit in listed]
    [run] = located(content, as_runs, found).members
    source = content.source("run-elasticsearch", lines=False)
    return [replace(run, name=options.name or stem(content.name), source=source)]


def _responses(content: Content, tree: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Topic and response; the responses of `_msearch` are numbered."""
    if isinstance(tree.get("responses"), list):
        several = [(str(number), response) for number, response in enumerate(tree["responses"], 1)]
    elif isinstance(tree.get("details"), Mapping):
        several = [(topic, _rated(detail)) for topic, detail in tree["details"].items()]
    else:
        several = [("1", tree)] if "hits" in tree else [*tree.items()]
    for topic, response in several:
        if not isinstance(response, Mapping):
            raise InputError("E119", f"response {topic!r} is not an object", path=content.name)
        yield topic, response


def _rated(detail: Any) -> Any:
    """The list of a topic in a response of `_rank_eval`, in the form of `_search`."""
    listed = detail.get("hits") if isinstance(detail, Mapping) else None
    if not isinstance(listed, list):
        return detail
    return {"hits": {"hits": [hit.get("hit") if isinstance(hit, Mapping) else hit for hit in listed]}}


@reads(
    "qrels-rank_eval",
    "qrels",
    '{"requests":[{"id":"q1","ratings":[{"_index":"i","_id":"7","rating":2}]}]}',
    marks=('"requests"', '"ratings"'),
    writable=True,
)
def read_rank_eval(content: Content, options: ReadOptions) -> Qrels:
    """Request of Elasticsearch's _rank_eval; indexes and queries are not kept."""
    rows = [
        (request, rating)
        for request in _all(content, parsed(content), "requests", "id")
        for rating in _all(content, request, "ratings", "_id", "rating")
    ]
    return _judged(content, options, "qrels-rank_eval", ((r["id"], x["_id"], x["rating"]) for r, x in rows))


@reads(
    "qrels-rre",
    "qrels",
    '{"queries":[{"placeholders":{"$query":"tv"},"relevant_documents":{"7":{"gain":2}}}]}',
    marks=('"relevant_documents"',),
    by_text=True,
    writable=True,
)
def read_rre(content: Content, options: ReadOptions) -> Qrels:
    """Ratings of the Rated Ranking Evaluator, by query text; topics, groups and templates are not kept."""
    return _judged(content, options, "qrels-rre", _rre(content, parsed(content), None))


def _rre(content: Content, node: Any, relevant: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Query, document and gain; the queries of a group share the documents of the group."""
    if isinstance(node, list):
        for each in node:
            yield from _rre(content, each, relevant)
    if not isinstance(node, Mapping):
        return
    relevant = node.get("relevant_documents", relevant)
    words = node.get("placeholders")
    if isinstance(words, Mapping) and words and relevant is not None:
        query = words.get("$query", next(iter(words.values())))
        for each in relevant if isinstance(relevant, list) else [relevant]:
            yield from _rre_gains(content, query, each)
    for name in ("topics", "query_groups", "queries"):
        yield from _rre(content, node.get(name), relevant)


def _rre_gains(content: Content, query: Any, told: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Query, document and gain, of {document: {"gain": 2}}, {gain: [documents]}, or {"document_id": …, "gain": 2}."""
    if not isinstance(told, Mapping):
        raise InputError("E119", f"relevant documents of query {query!r} have no gain", path=content.name)
    if "document_id" in told:
        told = {told["document_id"]: told}
    for name, said in told.items():
        if isinstance(said, list):
            yield from ((query, document, _number(name)) for document in said)
        elif isinstance(said, Mapping) and "gain" in said:
            yield query, name, _number(said["gain"])
        else:
            raise InputError("E119", f"document {name!r} of query {query!r} has no gain", path=content.name)


@reads("qrels-ltr", "qrels", "2 qid:1 # 7 tv", marks=(" qid:",), writable=True)
def read_ltr(content: Content, options: ReadOptions) -> Qrels:
    """Judgment list for learning to rank: grade, qid:TOPIC, features, # and the document; features are not kept."""
    rows = []
    for number, (_, raw) in enumerate(lines(content), 1):
        text = raw.strip().decode("utf-8", "replace")
        if not text or text.startswith("#"):
            continue
        if (found := _LTR.match(text)) is None:
            hint = "a line is: GRADE qid:TOPIC FEATURES # DOCUMENT"
            problem = "no grade, topic and document"
            raise InputError("E119", problem, path=content.name, line=number, text=text, hint=hint)
        rows.append((found[2], found[3], _number(found[1])))
    return _judged(content, options, "qrels-ltr", rows)


def _all(content: Content, node: Any, name: str, *needed: str) -> list[Mapping[str, Any]]:
    """The objects of a list, each of which has the names that are needed."""
    several = node.get(name) if isinstance(node, Mapping) else None
    if not isinstance(several, list):
        raise InputError("E119", f"expected a list {name!r}", path=content.name)
    for number, each in enumerate(several, 1):
        if missing := next((key for key in needed if not isinstance(each, Mapping) or key not in each), None):
            raise InputError("E119", f"entry {number} of {name!r} has no {missing!r}", path=content.name)
    return several


def _number(value: Any) -> Any:
    """A number that is written as text; anything else as it is, to be refused."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _judged(content: Content, options: ReadOptions, format: str, rows: Any) -> Qrels:
    """Qrels from topic, document and grade; fractional grades are refused unless `grades` allows real ones."""
    records = [{"topic": topic, "doc": document, "grade": grade} for topic, document, grade in rows]
    if not records:
        raise InputError("E104", "the file holds no judgments", path=content.name)
    qrels: Qrels = located(content, lambda every: rows_qrels(every, ReadOptions(grades=options.grades)), records)
    return replace(qrels, source=content.source(format, lines=False))
