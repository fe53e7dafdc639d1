"""Every measure: to import this module is to import all families."""

from importlib import import_module
from pkgutil import walk_packages

from cranfield.measures import families

for _found in walk_packages(families.__path__, f"{families.__name__}."):
    import_module(_found.name)
