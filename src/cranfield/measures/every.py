"""Every measure: to import this module is to import all that stand beside it."""

from importlib import import_module
from pkgutil import iter_modules

from cranfield import measures

for _name in sorted(module.name for module in iter_modules(measures.__path__)):
    import_module(f"{measures.__name__}.{_name}")
