"""The scripts of a page, Vega from the installed vl-convert and our own, and the policy that allows no other."""

import base64
import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path

from cranfield.errors import Error
from cranfield.errors.extras import need
from cranfield.versions import installed
from cranfield.whole_files import write_whole

PARTS = [
    *("data", "names", "painting", "tip", "controls", "choices", "charts"),
    *("forms", "runs", "pairs", "topics", "microscope", "lines", "copying", "tables", "start"),
]
_HERE = Path(__file__).parent
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


def vega() -> str:
    """Vega, Vega-Lite and their embedding as one script; made once for each version, then kept on disk."""
    need("vl_convert", "a report")
    place = _cache() / f"vega-{installed('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        known = place.read_text(encoding="utf-8")
        text, _, digest = known.rpartition("\n//")
        if digest == _digest(text):  # a changed file is not used
            return text
    from vl_convert import javascript_bundle

    made = _harmless(javascript_bundle(_SNIPPET))
    with suppress(OSError, Error):
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place, f"{made}\n//{_digest(made)}".encode())
    return made


def own() -> str:
    """Our script, joined of its parts: each has one concern, and may use those before it."""
    parts = [(_HERE / "script" / f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return _harmless("\n".join(parts))


def look() -> str:
    """Our style sheet."""
    return (_HERE / "report.css").read_text(encoding="utf-8")


def policy(scripts: list[str], style: str) -> str:
    """The Content-Security-Policy of a page with these scripts and this style: nothing else runs, nothing is loaded."""
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    run = f"script-src {hashes}" if scripts else "script-src 'none'"
    rest = f"style-src 'sha256-{_digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; {run}; {rest}"


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()


def _harmless(script: str) -> str:
    """The script, which cannot end its element early, and has no line ends that HTML would change."""
    return script.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _cache() -> Path:
    """The folder for what can be made again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "") or os.path.expanduser("~/.cache")
    return Path(base or os.curdir) / "cranfield"
