"""`cranfield.toml` in the working directory: defaults for options, said in the footer whenever they were used."""

from pathlib import Path
from typing import Any

import click

from cranfield.align.policy import NAMES
from cranfield.errors import InputError

FILE = "cranfield.toml"
NOTE = f"defaults from {FILE}"


def defaults() -> dict[str, Any]:  # values of options, of several types
    """What the file sets: `[policy]` by the names of the policies, `[measures]` as `names = ["nDCG@10", "AP"]`."""
    if not Path(FILE).exists():
        return {}
    import tomllib

    try:
        data = tomllib.loads(Path(FILE).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError("E120", f"cannot be read: {error.strerror}", path=FILE) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("E119", f"not valid TOML: {error}", path=FILE) from None
    policy = {name.replace("-", "_"): value for name, value in _section(data, "policy").items()}
    if unknown := next((name for name in policy if name not in NAMES), None):
        raise InputError("E213", f"[policy] knows no {unknown!r}", path=FILE, hint=f"it knows {', '.join(NAMES)}")
    measures = _section(data, "measures")
    if unknown := next((name for name in measures if name != "names"), None):
        raise InputError("E213", f"[measures] knows no {unknown!r}", path=FILE, hint='write names = ["nDCG@10", "AP"]')
    names = measures.get("names", [])
    return {**policy, **({"measures": [names] if isinstance(names, str) else list(names)} if names else {})}


def used(context: click.Context) -> bool:
    """Whether any option of this command took its value from the file."""
    source = click.core.ParameterSource.DEFAULT_MAP
    return any(context.get_parameter_source(name) is source for name in context.params)


def _section(data: dict[str, Any], name: str) -> dict[str, Any]:
    section = data.get(name, {})
    if not isinstance(section, dict):
        raise InputError("E119", f"{name} must be a table", path=FILE, hint=f"write [{name}] on a line of its own")
    return section
