"""How the program ends early: an exit code and a message."""


class Quit(Exception):
    """The program stops with an exit code and a text for the error output, exactly as printed."""

    def __init__(self, code: int, text: str) -> None:
        self.code = code
        self.text = text
        super().__init__(text)
