"""Data that the charts of a page share: written once, as JSON, for the script that makes them answer to each other."""

from typing import Any

from cranfield.errors import printable
from cranfield.reporting.page.material import ReportMaterial


def shared_data(material: ReportMaterial) -> dict[str, Any]:
    """The names of runs and topics, as the page prints them."""
    scores = material.scores
    return {
        "runs": [printable(run) for run in scores.runs],
        "topics": [printable(topic) for topic in scores.topics],
    }
