"""The file beside an export, `FILE.meta.json`: the rule, the counts, and how the judgments were made."""

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from cranfield.judging.exporting.choice import ExportCounts
from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.exporting.tables import time_of
from cranfield.judging.records import PEOPLE, QueueState
from cranfield.judging.store.events import Event
from cranfield.read.sources.adaptive_mark import EXPORT_SCHEMA, marked
from cranfield.versions import versions

Record = dict[str, Any]  # what a JSON object holds


def meta_of(
    lab: LabSnapshot,
    counts: ExportCounts,
    *,
    rule: str,
    otherwise: str,
    open_as: int | None,
    include: Collection[str],
    format: str,
) -> Record:
    """The side file of an export; the same lab gives the same bytes."""
    return {
        "schema": EXPORT_SCHEMA,
        "version": versions()["cranfield"],
        "lab": lab.facts.get("name", ""),
        "rule": rule,
        "otherwise": otherwise if rule == "adjudicated" else None,
        "open": open_as,
        "include": sorted(include),
        "format": format,
        "counts": asdict(counts),
        "guideline": {"sha256": lab.guideline, "judgments": _guidelines(lab, include)},
        "grades": [{"grade": grade, "label": label} for grade, label in lab.grades.items()],
        "order": lab.facts.get("order", "random"),
        "store": {"sha256": lab.hash, "of": "events"},
        **inclusion(lab),
        "practice": practice(lab, include),
        "revealed": [_reveal(lab, event) for event in lab.reveals],
    }


def inclusion(lab: LabSnapshot) -> Record:
    """Inclusion probabilities by stratum, or the mark that some pairs were chosen by looking at judgments."""
    pairs = [pair for pair in lab.pairs if not pair.gold]
    found: Record = {"adaptive": bool(lab.chosen_by), **marked(list(lab.chosen_by))}
    found["strata"] = [_stratum(name, pairs) for name in dict.fromkeys(pair.stratum for pair in pairs)]
    return found


def practice(lab: LabSnapshot, include: Collection[str] = ()) -> Record:
    """How the judgments were made: depth of the pool, scale, assessors, and judgments of each pair."""
    heard = {*PEOPLE, *include}
    said = [each for pair in lab.pairs if not pair.gold for each in pair.of_kinds(heard).said]
    first = [each for each in said if each.judgment.round == 0]
    judged = Counter(sum(len(pair.of_kinds({kind}).grades) for kind in heard) for pair in lab.pairs if not pair.gold)
    scale = list(lab.grades)
    return {
        "depth": [depth for queue in lab.queues if (depth := queue.queue.pool.get("depth")) is not None],
        "scale": {"grades": scale, "points": len(scale), "binary": len(scale) == 2},
        "assessors": dict(sorted(Counter(dict(_kinds(lab, heard)).values()).items())),
        "assessor_type": lab.facts.get("assessor_type") or None,
        "judgments": len(first),
        "repeats": len(said) - len(first),
        "assessments_per_pair": {str(size): judged[size] for size in sorted(judged)},
        "adjudicated": sum(pair.settled is not None for pair in lab.pairs),
        "documents": lab.facts.get("documents") or None,
        "seed": int(lab.facts.get("seed") or 0),
        "queues": [_queue(state) for state in lab.queues],
        "gold": {"pairs": sum(pair.gold for pair in lab.pairs), "judgments": _gold_judgments(lab, heard)},
    }


def _gold_judgments(lab: LabSnapshot, heard: Collection[str]) -> int:
    """Judgments of pairs whose grade is known; none of them is in the export."""
    return sum(len(pair.of_kinds(heard).first_round) for pair in lab.pairs if pair.gold)


def _kinds(lab: LabSnapshot, heard: Collection[str]) -> list[tuple[str, str]]:
    return [(each.judgment.assessor, each.kind) for pair in lab.pairs for each in pair.of_kinds(heard).said]


def _queue(state: QueueState) -> Record:
    queue = state.queue
    return {
        "name": queue.name,
        "kind": queue.kind,
        "pairs": state.pairs,
        "k": queue.k,
        "overlap": queue.overlap,
        "threshold": queue.threshold,
        "seed": queue.seed,
        "gold_rate": queue.gold_rate,
        "adaptive": queue.adaptive,
        "pool": dict(queue.pool),
    }


def _stratum(name: str, pairs: list[ExportedPair]) -> Record:
    """Pairs of a stratum and the lowest and highest probability of one; null where it is unknown."""
    chances = [pair.probability for pair in pairs if pair.stratum == name]
    known = [chance for chance in chances if chance is not None]
    span = [min(known), max(known)] if known and len(known) == len(chances) else None
    return {"stratum": name, "pairs": len(chances), "probability": span}


def _guidelines(lab: LabSnapshot, include: Collection[str]) -> dict[str, int]:
    """How many judgments were made under each version of the guidelines."""
    heard = {*PEOPLE, *include}
    named = (each.guideline for pair in lab.pairs for each in pair.of_kinds(heard).first_round if each.guideline)
    return dict(sorted(Counter(named).items()))


def _reveal(lab: LabSnapshot, event: Event) -> Record:
    """An owner who judged in a decide queue looked at what it shows, and when."""
    number = (event.new or {}).get("queue")
    name = next((state.queue.name for state in lab.queues if state.id == number), None)
    return {"queue": name, "by": event.actor, "at": time_of(event.at_ms)}
