"""HTML files that are complete in themselves: light and dark, and on paper; a page around a table has no JavaScript."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from cranfield.errors import printable

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # a page loads nothing and runs nothing
_HIDDEN = ("judged_at_k", "topics_scored", "tie_groups_by_run", "tie_groups_with_effect_by_run")  # the table shows them
TOKENS = """
:root { color-scheme: light dark; --paper: #fbfaf7; --panel: #f3f1ea; --ink: #1d1f21; --quiet: #5b5f63; --line: #d9d5ca;
  --edge: #8a8577; --accent: #0b5c8a; --warn: #7a5200;
  --reading: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif;
  --plain: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #16181a; --panel: #1e2124; --ink: #e8e6e1; --quiet: #a7a49c; --line: #34383c; --edge: #767c82;
    --accent: #7cc0ea; --warn: #f0c060; }
}
* { box-sizing: border-box; }
"""
STYLE = (
    TOKENS
    + """
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--plain);
  font-variant-numeric: tabular-nums; }
main { max-width: 72rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
h1 { font: 600 2rem/1.2 var(--reading); margin: 0 0 .5rem; }
h2 { font: 600 1.3rem/1.3 var(--reading); margin: 2.5rem 0 .5rem; }
p { margin: .5rem 0; max-width: 68ch; }
.lead { font: 1.15rem/1.6 var(--reading); }
.cranfield-notes, caption { color: var(--quiet); }
.cranfield-notes { font-size: .9rem; overflow-wrap: anywhere; }
caption { text-align: left; padding-bottom: .5rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
.scroll:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink);
  margin: 1rem 0; }
th { font-weight: 600; }
th, td { padding: .35rem .6rem; text-align: left; white-space: nowrap; }
thead th { border-bottom: 1px solid var(--ink); }
.facts th { width: 14rem; max-width: 45vw; vertical-align: top; white-space: normal; }
.facts td { white-space: normal; overflow-wrap: anywhere; }
pre, .hash { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
pre { padding: .75rem 1rem; background: var(--panel); border-left: 3px solid var(--accent); }
.hash { font-size: .8rem; color: var(--quiet); min-width: 12rem; }
@media print { body { background: none; } main { max-width: none; padding: 0; } .scroll { overflow: visible; } }
"""
)


def page(
    table: str,
    *,
    title: str,
    lead: str = "",
    policies: Mapping[str, Any] | None = None,
    audit: Mapping[str, Any] | None = None,
    inputs: Sequence[Mapping[str, Any]] = (),
    command: str = "",
) -> str:
    """A page with a table (HTML), the policies, the audit, the inputs and the command that makes it again.

    >>> shown = page("<table></table>", title="a & b", command="cranfield evaluate")
    >>> "<h1>a &amp; b</h1>" in shown, "<pre>cranfield evaluate</pre>" in shown, "Policies" in shown
    (True, True, False)
    """
    sections = [
        f"<h1>{_text(title)}</h1>",
        f'<p class="lead">{_text(lead)}</p>' if lead else "",
        f'<div class="scroll" tabindex="0" role="region" aria-label="Results">{table}</div>',
        _section("Policies", ((name.replace("_", "-"), _value(value)) for name, value in (policies or {}).items())),
        _section("Audit", ((name.replace("_", " "), _value(value)) for name, value in _told(audit or {}))),
        f"<h2>Inputs</h2>\n{_inputs(inputs)}" if inputs else "",
        f"<h2>Command</h2>\n<pre>{_text(command)}</pre>" if command else "",
    ]
    return document(title, "\n".join(["<main>", *filter(None, sections), "</main>"]))


def document(title: str, body: str, style: str = STYLE, policy: str = POLICY) -> str:
    """An HTML file with a title (text), a body (HTML), its style, and what it may load and run.

    >>> document("a & b", "<p>c</p>").splitlines()[6], document("a", "<p>c</p>").splitlines()[-4:-2]
    ('<title>a &amp; b</title>', ['<body>', '<p>c</p>'])
    """
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            body,
            "</body>",
            "</html>",
            "",
        ]
    )


def _told(audit: Mapping[str, Any]) -> Iterable[tuple[str, object]]:
    """What the audit counted, without what is empty and what the table already shows for each run."""
    return ((name, value) for name, value in audit.items() if name not in _HIDDEN and value not in ({}, [], (), None))


def _section(title: str, facts: Iterable[tuple[str, str]]) -> str:
    known = list(facts)
    return f"<h2>{title}</h2>\n{_facts(known)}" if known else ""


def _inputs(inputs: Sequence[Mapping[str, Any]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in ("role", "name", "rows", "SHA-256"))
    rows = [
        f"<tr><td>{_text(entry['role'])}</td><td>{_text(entry['name'])}</td><td>{entry['rows']:,}</td>"
        f'<td class="hash">{_text(entry["sha256"] or "–")}</td></tr>'
        for entry in inputs
    ]
    table = f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Inputs">{table}</div>'


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "\n".join(f'<tr><th scope="row">{_text(name)}</th><td>{_text(fact)}</td></tr>' for name, fact in facts)
    return f'<table class="facts"><tbody>\n{rows}\n</tbody></table>'


def _value(value: object) -> str:
    """A fact of the audit in words: an empty value is `none`, a mapping lists its entries."""
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_value(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _text(text: str) -> str:
    return escape(printable(text))
