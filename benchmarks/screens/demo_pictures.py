"""Pictures of the demo: its table in a terminal, and the report that it writes."""

from html import escape
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize

from cranfield.sample.demo import Demo

TERMINAL = """<!doctype html><meta charset="utf-8"><style>body { margin: 0; background: #16181a; color: #e8e6e1; }
pre { margin: 0; padding: 20px 24px; font: 14px/1.45 "DejaVu Sans Mono", monospace; } b { color: #7cc0ea; }</style>"""
REPORT = ViewportSize(width=960, height=860)


def picture_demo(browser: Browser, demo: Demo, target: Path) -> list[Path]:
    """Take both pictures of a demo."""
    target.mkdir(parents=True, exist_ok=True)
    page = browser.new_page(viewport=REPORT)
    printed = f"<pre><b>$ cranfield demo</b>\n{escape(demo.sheet().text())}</pre>"
    page.set_content(TERMINAL + printed)
    page.locator("pre").screenshot(path=target / "terminal.png")
    page.goto(demo.page.resolve().as_uri())
    page.wait_for_timeout(2000)  # the interactive charts are in place
    page.locator("#scores").evaluate("part => part.scrollIntoView()")
    page.screenshot(path=target / "report.png")
    page.close()
    return [target / "terminal.png", target / "report.png"]
