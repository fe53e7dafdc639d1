"""Optional packages: an error names the missing one, with the command that installs it.

The base installation is NumPy, SciPy, click and rich. Everything else comes with an extra of `pyproject.toml`, is
imported where it is used, after a call of `need`:

    need("polars", "a Parquet file")
    import polars
"""

from importlib import import_module

from cranfield.errors import PolicyError

EXTRAS = {
    "polars": "frames",
    "narwhals": "frames",
    "backports.zstd": "frames",
    "altair": "charts",
    "vl_convert": "charts",
    "argon2": "judge",
    "jinja2": "judge",
    "markdown_it": "judge",
    "python_multipart": "judge",
    "nh3": "judge",
    "starlette": "judge",
    "uvicorn": "judge",
    "distributed": "cluster",
}
_CALLED = {
    "backports": "backports.zstd",
    "distributed": "dask.distributed",
    "vl_convert": "vl-convert",
}  # where people know it by another name


def need(module: str, what: str, *, path: str | None = None) -> None:
    """Import an optional module; the error says in one line that `what` needs it, and how to install it.

    >>> need("json", "a saved file")
    >>> need("no_such", "a picture")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E212: a picture needs no_such, which is not installed: pip install no_such
    """
    try:
        import_module(module)
    except ModuleNotFoundError as missing:
        package = (missing.name or module).partition(".")[0]
        problem = f"{what} needs {_CALLED.get(package, package)}, which is not installed: {command(module)}"
        raise PolicyError("E212", problem, path=path) from None
    except ImportError as reason:
        problem = f"{what} needs {_CALLED.get(module, module)}, which cannot be imported: {reason}"
        raise PolicyError("E212", problem, path=path, hint=command(module)) from None


def installed(extra: str) -> bool:
    """Whether every module of an extra can be imported, for functions that also work without it."""
    try:
        for module in (name for name, brings in EXTRAS.items() if brings == extra):
            import_module(module)
    except ImportError:
        return False
    return True


def command(module: str) -> str:
    """The command that installs a module.

    >>> command("polars"), command("pandas")
    ("pip install 'cranfield[frames]'", 'pip install pandas')
    """
    extra = EXTRAS.get(module)
    return f"pip install 'cranfield[{extra}]'" if extra else f"pip install {module}"
