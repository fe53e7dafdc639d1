"""Simulated assessors who judge through the real HTTP interface: invite link, session, form token, judging page."""

import re
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from urllib.parse import urlencode, urlsplit

from cranfield.judging.accounts.enrolling import invite
from cranfield.judging.lab import Lab
from cranfield.judging.store.files.clock import Clock

Grader = Callable[[str, str], int]  # topic and document -> grade
PROGRAM = "import sys; from cranfield.cli import main; sys.exit(main(sys.argv[1:]))"
PASSWORD = "a password for simulations"


class ServedLab:
    """A server of a lab, in a process of its own."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-c", PROGRAM, "judge", "serve", str(path), "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def __enter__(self) -> str:
        """The address of the server."""
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise RuntimeError(line + self.process.stderr.read())
        self._reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._reader.start()
        return found[0].rstrip("/")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the server in order."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        self._reader.join()
        if self.process.stderr is not None:
            self.process.stderr.close()


@dataclass
class HttpAssessor:
    """One assessor with a browser's cookies; `judge` goes on until nothing is served."""

    url: str
    name: str
    cookies: dict[str, str] = field(default_factory=dict)
    judged: list[tuple[str, str, int]] = field(default_factory=list)

    def accept(self, token: str) -> None:
        """Make an account with the token of an invite link."""
        page = self._ask("GET", "/invite")[1]
        form = {"token": token, "name": self.name, "password": PASSWORD, "again": PASSWORD, "csrf": _secret(page)}
        status, answer = self._ask("POST", "/invite", form)
        if status != 303:
            raise RuntimeError(f"{self.name} was not let in: {status} {answer[:500]}")

    def judge(self, grade: Grader, most: int = 1 << 30) -> int:
        """Judge what is served; the number of judgments."""
        after = ""
        while len(self.judged) < most:
            page = self._ask("GET", f"/judge?part=work&after={after}" if after else "/judge?part=work")[1]
            item = re.search(r'data-item="([0-9a-f]+)"', page)
            if item is None:
                break
            topic, document = _shown(page)
            right = grade(topic, document)
            form = {"item": item[1], "grade": right, "client_id": secrets.token_hex(16), "csrf": _secret(page)}
            status, answer = self._ask("POST", "/judgments", form)
            if status not in (200, 303, 409):  # 409: decided by others, or taken meanwhile
                raise RuntimeError(f"{status} {answer[:500]}")
            if status != 409:
                self.judged.append((topic, document, right))
            after = item[1]
        return len(self.judged)

    def _ask(self, method: str, path: str, form: Mapping[str, object] | None = None) -> tuple[int, str]:
        where = urlsplit(self.url)
        connection = HTTPConnection(where.hostname or "", where.port, timeout=120)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.url}
        try:
            connection.request(method, path, urlencode(form) if form is not None else None, headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("set-cookie") or ():
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            return answer.status, answer.read().decode("utf-8")
        finally:
            connection.close()


def _secret(page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None, page[:500]
    return found[1]


def _shown(page: str) -> tuple[str, str]:
    """The topic and the document of the judging page: the id below the title, or the title itself."""
    topic = re.search(r'data-topic="([^"]*)"', page)
    named = re.search(r'<p class="id"[^>]*>([^<]+)</p>', page) or re.search(r"<h2[^>]*>([^<]+)</h2>", page)
    assert topic is not None
    assert named is not None
    return unescape(topic[1]), unescape(named[1])


def invited(lab: Lab, number: int) -> list[str]:
    """The tokens of invite links for assessors; the lab is not served yet."""
    with lab.writing() as connection:
        now = Clock().now()
        return [invite(connection, ["assessor"], actor="owner", now=now) for _ in range(number)]


def judge_together(lab: Lab, grade: Grader, assessors: int) -> list[HttpAssessor]:
    """Serve a lab, and let some assessors judge in threads of their own until nothing is served to any."""
    tokens = invited(lab, assessors)
    with ServedLab(lab.path) as url:
        people = [HttpAssessor(url, f"assessor-{number}") for number in range(1, assessors + 1)]
        for person, token in zip(people, tokens, strict=True):
            person.accept(token)
        _in_threads([lambda person=person: person.judge(grade) for person in people])  # type: ignore[misc]
    return people


def _in_threads(jobs: Sequence[Callable[[], int]]) -> None:
    problems: list[BaseException] = []

    def run(job: Callable[[], int]) -> None:
        try:
            job()
        except BaseException as error:  # told by the thread that waits
            problems.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
