"""A report that is opened from disk in a browser."""

ALL_DRAWN = "() => document.querySelectorAll('figure.drawn').length === document.querySelectorAll('figure').length"


class Opened:
    """A page that was opened from disk, and everything that it complained about or asked for."""

    def __init__(self, browser, path, **choices):
        self.context = browser.new_context(**choices)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda asked: None if asked.url == path.as_uri() else self.problems.append(asked.url))
        self.page.on("dialog", lambda shown: self.problems.append(shown.message))
        self.page.goto(path.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def drawn(self):
        """The page, with all charts drawn by scripts."""
        for figure in self.page.locator("figure").all():
            figure.scroll_into_view_if_needed()
        self.page.wait_for_function(ALL_DRAWN)
        return self.page
