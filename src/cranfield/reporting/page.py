"""One HTML file around a table of scores: self-contained, no JavaScript, light and dark."""

from collections.abc import Iterable
from html import escape

from cranfield.errors import printable
from cranfield.reporting.figure import POLICY
from cranfield.tables.scores import Scores

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2126; --quiet: #59636e; --line: #d5dae0; --stripe: #f5f7f9;
  --mark: #1d5fa8; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181d; --ink: #e6e9ec; --quiet: #9aa5b1; --line: #323a43; --stripe: #1b2027; --mark: #7db4f0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem; }
p { margin: .5rem 0; }
.lead, .cranfield-notes, caption { color: var(--quiet); }
.cranfield-notes { font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .75rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--ink); }
tbody tr:nth-child(even) { background: var(--stripe); }
.facts th { font-weight: 600; width: min(16rem, 45%); vertical-align: top; }
.facts td { white-space: normal; overflow-wrap: anywhere; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { padding: .75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-left: 4px solid var(--mark);
  background: var(--stripe); }
.hash { overflow-wrap: anywhere; white-space: normal; font: .8rem/1.4 ui-monospace, monospace; color: var(--quiet); }
@media print { body { max-width: none; padding: 0; } }
"""


def scores_page(scores: Scores, *, title: str, lead: str = "", command: str = "") -> str:
    """A page with the table of means, the policies, the audit, the inputs and the command that makes it again."""
    audit = scores.audit
    sections = [
        f"<h1>{_text(title)}</h1>",
        f'<p class="lead">{_text(lead)}</p>' if lead else "",
        f'<div class="scroll" tabindex="0" role="region" aria-label="Scores">{scores._repr_html_()}</div>',
        "<h2>Policies</h2>",
        "<p>Every choice that shaped the numbers.</p>",
        _facts((name.replace("_", "-"), _value(value)) for name, value in audit.policies.items()),
        "<h2>Audit</h2>",
        _facts((name.replace("_", " "), _value(value)) for name, value in _audited(scores)),
        "<h2>Inputs</h2>",
        _inputs(scores),
        f"<h2>Command</h2>\n<pre>{_text(command)}</pre>" if command else "",
    ]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(title)}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            *filter(None, sections),
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _audited(scores: Scores) -> Iterable[tuple[str, object]]:
    """The counts of the audit, without those that the table already shows for each run."""
    hidden = ("judged_at_k", "topics_scored", "tie_groups_by_run", "tie_groups_with_effect_by_run")
    return ((name, value) for name, value in scores.audit.as_dict().items() if name not in hidden)


def _inputs(scores: Scores) -> str:
    head = "<thead><tr><th>role</th><th>name</th><th>rows</th><th>SHA-256</th></tr></thead>"
    rows = [
        f"<tr><td>{_text(entry['role'])}</td><td>{_text(entry['name'])}</td><td>{entry['rows']:,}</td>"
        f'<td class="hash">{_text(entry["sha256"] or "–")}</td></tr>'
        for entry in scores.audit.inputs
    ]
    table = f"<table>{head}\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
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
