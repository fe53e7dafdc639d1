"""What a chart draws, read from its specification."""

from typing import Any

from cranfield.reporting.figure import Figure


def datasets(figure: Figure) -> list[list[dict[str, Any]]]:
    """The rows of every dataset of a chart."""
    return list(_found(figure.spec, figure.spec.get("datasets", {})))


def rows_with(figure: Figure, *fields: str) -> list[dict[str, Any]]:
    """The rows of the first dataset whose rows have all these fields."""
    return next(rows for rows in datasets(figure) if rows and {*fields} <= {*rows[0]})


def _found(part: Any, named: dict[str, Any]) -> Any:
    if isinstance(part, dict):
        data = part.get("data")
        if isinstance(data, dict):
            yield data["values"] if "values" in data else named[data["name"]]
        for name, each in part.items():
            if name not in ("data", "datasets"):
                yield from _found(each, named)
    elif isinstance(part, list):
        for each in part:
            yield from _found(each, named)
