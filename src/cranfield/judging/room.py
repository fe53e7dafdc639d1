"""A room: a lab that is being served. Pages and simulated assessors call nothing else."""

from cranfield.judging.deciding.overseeing import OverseeingDecisions
from cranfield.judging.jobs.claiming import Claiming
from cranfield.judging.jobs.leasing import renew
from cranfield.judging.jobs.saving import Circumstances, save
from cranfield.judging.jobs.showing import own_topic, shown_document, work_of
from cranfield.judging.jobs.undoing import undo
from cranfield.judging.queue.pace import per_minute
from cranfield.judging.queue.serving import expected_gold
from cranfield.judging.records import (
    AssessorAnswer,
    Conflict,
    NoWork,
    OwnJudgment,
    OwnProgress,
    OwnTopic,
    SavedJudgment,
    ShownDocument,
    Work,
)
from cranfield.judging.refusals import UnknownItem
from cranfield.judging.store.deciding import moot_pairs
from cranfield.judging.store.events import was_given
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import gold_grades, item_text
from cranfield.judging.store.judgments import done_by, last_judgments, last_times
from cranfield.judging.store.queues import highest_gold_rate, open_pairs

PACE = 20  # judgments that the pace is measured on


class Room(OverseeingDecisions):
    """A lab that is being served. What is defined here is for assessors, and blind."""

    def next(self, user: str, after: str | None = None, queue: int | None = None) -> Work | NoWork:
        """The next pair for an assessor, held for ten minutes; or why there is none."""

        def job(connection: Connection) -> Work | NoWork:
            found = self._claiming(connection, user).next(after, queue)
            return found if isinstance(found, NoWork) else work_of(connection, found)

        self.desks.prepare()
        return self._writer.do(job)

    def ahead(self, user: str, item: str, n: int = 2) -> tuple[str, ...]:
        """The items that come next, held too, so that pages can fetch them before."""
        return self._writer.do(lambda connection: self._claiming(connection, user).ahead(item, n))

    def work(self, user: str, item: str, round: int | None = None) -> Work:
        """One pair by its link: one's own judgment (the last, or that of a round), what one holds, or what is free."""
        return self._writer.do(lambda connection: self._claiming(connection, user).one(item, round))

    def document(self, user: str, item: str) -> ShownDocument:
        """The document of a pair, or why it cannot be shown."""
        connection = self.read()
        if not was_given(connection, user, item) and not {"owner", "adjudicator"} & {*self.person(user).roles}:
            raise UnknownItem.named("item", item)
        return shown_document(connection, item)

    def judge(
        self,
        user: str,
        item: str,
        answer: AssessorAnswer,
        *,
        client_id: str,
        version: int | None = None,
        method: str | None = None,
        ms_active: int | None = None,
        ms_away: int | None = None,
        round: int = 0,
    ) -> SavedJudgment | Conflict:
        """Save a judgment. The same `client_id` again gives the same answer; an old `version` gives a Conflict."""
        how = Circumstances(client_id, version, method, ms_active, ms_away, round)

        def job(connection: Connection) -> SavedJudgment | Conflict:
            if answer.status == "later":
                self._reopen(connection, item)
            return save(connection, user, item, answer, how, self.clock.now())

        return self._writer.do(job)

    def undo(self, user: str, client_id: str) -> SavedJudgment | None:
        """Take back the last own judgment that stands."""

        def job(connection: Connection) -> SavedJudgment | None:
            found = undo(connection, user, client_id, self.clock.now())
            if found is not None:
                self._reopen(connection, found.item)
            return found

        return self._writer.do(job)

    def renew(self, user: str, item: str) -> int | None:
        """Hold a pair for ten minutes from now: until when; None, if it is not held any more."""
        lease = self._writer.do(lambda connection: renew(connection, user, item, self.clock.now()))
        return None if lease is None else lease.until_ms

    def last_ten(self, user: str) -> list[OwnJudgment]:
        """The last ten judgments of an assessor, newest first."""
        return last_judgments(self.read(), user, 10)

    def own_topic(self, user: str, item: str) -> OwnTopic:
        """What an assessor did in the topic of a pair."""
        return own_topic(self.read(), user, item)

    def own_progress(self, user: str) -> OwnProgress:
        """How far an assessor is."""
        connection = self.read()
        done, waiting, gold = done_by(connection, user)
        left = open_pairs(connection) - waiting - moot_pairs(connection, self.desks.decided())
        if left:  # the total does not tell which of the pairs that were done are gold (BLD-1)
            expected = expected_gold(done - gold + left, highest_gold_rate(connection), len(gold_grades(connection)))
            left += max(expected - gold, 0)
        return OwnProgress(done, done + left, per_minute(last_times(connection, user, PACE)))

    def _claiming(self, connection: Connection, user: str) -> Claiming:
        self._known(connection, user)
        return Claiming(connection, self._places, self.desks.suppliers(), user, self.clock.now())

    def _reopen(self, connection: Connection, item: str) -> None:
        text = item_text(connection, item)
        if text is not None:
            self._places.reopen(text.topic_place)
