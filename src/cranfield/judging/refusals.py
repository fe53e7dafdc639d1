"""What the room refuses to do, and why: errors with a code, which pages turn into a status."""

from cranfield.errors import StoreError


class NotSaved(StoreError):
    """The disk is full, or the file cannot be written: nothing of the request is stored (507)."""

    @classmethod
    def because(cls, error: BaseException) -> "NotSaved":
        """The refusal for an error of SQLite or of the operating system.

        >>> print(NotSaved.because(OSError("database or disk is full")))
        E407: not saved: database or disk is full
          hint: make space on the disk; what was saved before is safe, and nothing needs to be started again
        """
        hint = "make space on the disk; what was saved before is safe, and nothing needs to be started again"
        return cls("E407", f"not saved: {error}", hint=hint)


class UnknownItem(StoreError):
    """There is no such item, person or queue, or it is not for this person to see (404)."""

    @classmethod
    def named(cls, kind: str, name: object) -> "UnknownItem":
        """The refusal for a name that nothing has.

        >>> print(UnknownItem.named("user", "ann"))
        E408: there is no user 'ann'
        """
        return cls("E408", f"there is no {kind} {name!r}")


class PairTaken(StoreError):
    """Other assessors have given, or are giving, the judgments that the pair needs (409)."""

    @classmethod
    def by_others(cls) -> "PairTaken":
        """The refusal of a judgment that would be one more than the pair needs."""
        hint = "go on with the next one; this judgment was not saved"
        return cls("E409", "other assessors have this pair now", hint=hint)


class AnswerRefused(StoreError):
    """The answer cannot be stored: a grade that the lab does not have, a note that is too long … (422)."""

    @classmethod
    def because(cls, problem: str, hint: str = "") -> "AnswerRefused":
        """The refusal of an answer, in words."""
        return cls("E410", problem, hint=hint)


class NoteTooLong(AnswerRefused):
    """The note has more characters than are kept (413)."""
