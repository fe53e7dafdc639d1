"""Hits -> numbers. Importing this package registers every measure: each module beside this file defines a family."""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
