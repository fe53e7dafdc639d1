"""The conformance cases: inputs with what other programs made of them, and the files those programs were given."""

import gzip
import json
from collections import Counter
from pathlib import Path

CUTOFFS = "1,5,10,20,100,1000"


def load(folder: Path, group: str) -> dict[str, dict]:
    """The cases of a group by name, the expected values of all programs put together."""
    cases: dict[str, dict] = {}
    for path in sorted((folder / "conformance").glob(f"{group}*.json.gz")):
        for record in json.loads(gzip.decompress(path.read_bytes())):
            case = cases.setdefault(record["name"], {"expected": {}})
            case["expected"].update(record.pop("expected", {}))
            case.update(record)
    return cases


def write(case: dict, folder: Path) -> tuple[str, str]:
    """Write the two files of a case; the paths of qrels and run."""
    if "files" in case:
        qrels, run = case["files"]["qrels"], case["files"]["run"]
    else:
        counts: Counter[str] = Counter()
        qrels = "".join(f"{topic} {iteration} {doc} {grade}\n" for topic, iteration, doc, grade in case["qrels"])
        lines = []
        for topic, document, score in case["run"]:
            counts[topic] += 1
            lines.append(f"{topic} Q0 {document} {counts[topic]} {score} sys\n")
        run = "".join(lines)
    paths = folder / "QRELS", folder / "RUN"
    for path, text in zip(paths, (qrels, run), strict=True):
        path.write_bytes(text.encode())
    return str(paths[0]), str(paths[1])


def flags(options: dict) -> list[str]:
    """trec_eval's flags for the options of a case."""
    numbers = {"level": "-l", "max_docs": "-M", "num_docs": "-N"}
    switches = {"complete": "-c", "judged_only": "-J"}
    return [f"{flag}{options[name]}" for name, flag in numbers.items() if name in options] + [
        flag for name, flag in switches.items() if options.get(name)
    ]
