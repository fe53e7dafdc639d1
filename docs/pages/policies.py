"""The choices that shape a number."""

from cranfield.cli.options.policy_fields import METAVARS, PolicyField, policy_fields
from docs.markup import table, written


def _kind(field: PolicyField) -> str:
    """What a field takes that is not chosen by a word."""
    if field.default is False:
        return "`True`, `False`"
    return "a regular expression, or a file" if field.name in METAVARS else "a number"


def page() -> str:
    """The choices that shape a number."""
    rows = [
        (
            f"`{field.name}`",
            f"`{field.flag}`",
            ", ".join(f"`{value}`" for value in field.values) or _kind(field),
            f"`{field.default}`",
            field.meaning,
        )
        for field in policy_fields().values()
    ]
    parts = [
        "# Policies",
        "Every choice that shapes a number has one name, one default, and is recorded in the result. With all defaults "
        "the means are those of `trec_eval -c`, version 10, for every measure that both define; [differences "
        "from other tools](../explanation/differences-from-other-tools.md#trec_eval) lists the exceptions.",
        table(("Python", "command line", "values", "default", "meaning"), rows),
    ]
    return written(parts)
