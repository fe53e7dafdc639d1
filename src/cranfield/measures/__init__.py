"""Hits -> numbers. Each module beside this file defines a family of measures; imported as their names are asked for."""

from cranfield.measures.definition import MEASURES

_FIRST = ("ranked", "gain", "sets", "incomplete", "preference", "user")  # what most people ask for
MEASURES.expect(f"{__name__}.{module}" for module in (*_FIRST, "every"))
