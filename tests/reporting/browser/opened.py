"""A report that is opened from disk in a browser."""

ALL_DRAWN = "() => document.querySelectorAll('figure.drawn').length === document.querySelectorAll('figure').length"


class Opened:
    """A page that was opened from disk, and everything that it complained about or asked for."""

    def __init__(self, browser, path, **choices):
        self.context = browser.new_context(**choices)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        loud = ("error", "warning")
        self.page.on("console", lambda said: self.problems.append(said.text) if said.type in loud else None)
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

    def mark(self, kind, test, number=0):
        """The middle of a mark whose datum passes a test in JavaScript, in the given chart of a kind, scrolled to."""
        found = """([kind, number]) => {
          const figure = document.querySelectorAll(`figure[data-kind=${kind}]`)[number], passes = (datum) => TEST;
          const marks = [...figure.querySelectorAll(".live .role-mark path")];
          const one = marks.find((each) => each.__data__?.datum && passes(each.__data__.datum));
          one.scrollIntoView({ block: "center" });
          const box = one.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
        return self.page.evaluate(found.replace("TEST", test), [kind, number])

    def click(self, kind, test, number=0):
        """Click on a mark."""
        self.page.mouse.click(*self.mark(kind, test, number))

    def tip(self, kind, test, number=0):
        """What a mark says to the pointer."""
        x, y = self.mark(kind, test, number)
        self.page.mouse.move(x, y)
        self.page.mouse.move(x + 1, y)
        self.page.wait_for_selector(".tip:not([hidden])")
        return self.page.locator(".tip").inner_text()
