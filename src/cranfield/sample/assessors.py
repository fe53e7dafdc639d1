"""Simulated assessors: they sign in, ask for pairs, read documents and judge, all through the HTTP of a real server."""

import http.client
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from random import Random
from urllib.parse import quote, urlencode, urlsplit

_CSRF = re.compile(r'name="csrf" (?:content|value)="([^"]*)"')
_FIELD = re.compile(r'name="(item|client_id|version|round)" value="([^"]*)"')
_FORM = re.compile(r'<form class="answer".*?</form>', re.DOTALL)
_TOPIC = re.compile(r'data-topic="([^"]*)"')

Opinion = Callable[[str, str], int]  # topic and item -> grade


class UnexpectedAnswer(Exception):
    """The server answered something else than was asked for."""


@dataclass
class ResponseTimes:
    """How long each kind of request took, in seconds, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    problems: list[str] = field(default_factory=list)

    def quantile(self, kind: str, share: float) -> float:
        """The time within which this share of the requests of a kind was answered.

        >>> ResponseTimes({"save": [0.1, 0.2, 0.3, 0.4]}).quantile("save", 0.5)
        0.2
        """
        ordered = sorted(self.seconds[kind])
        return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)] if ordered else float("nan")

    def add(self, others: "ResponseTimes") -> None:
        """Take the requests of another assessor into these."""
        for kind, seconds in others.seconds.items():
            self.seconds[kind] += seconds
        self.problems += others.problems


@dataclass
class SimulatedAssessor:
    """One person at a browser: a connection, a session, and requests in the order in which a page makes them."""

    address: str
    name: str
    password: str
    timings: ResponseTimes = field(default_factory=ResponseTimes)

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        self._root = parts.path.rstrip("/")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
        self._cookies: dict[str, str] = {}
        self._csrf = ""

    def resume(self, cookies: Mapping[str, str], csrf: str) -> None:
        """Go on with a session that was begun before."""
        self._cookies, self._csrf = dict(cookies), csrf

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def ask(
        self, kind: str, method: str, path: str, fields: Mapping[str, str] | None = None, *, form: bool = False
    ) -> tuple[int, str]:
        """Send one request and note its time: the status and the body."""
        headers = {"Origin": self._origin, "X-CSRF-Token": self._csrf, "Accept": "text/html"}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
            headers["Accept"] = "text/html" if form else "application/json"
            body = (urlencode(fields) if form else json.dumps(dict(fields))).encode()
        begin = time.perf_counter()
        try:
            answer = self._answer(method, path, body, headers)
        except (http.client.RemoteDisconnected, ConnectionError):  # an idle connection ends; a browser opens another
            self._line.close()
            answer = self._answer(method, path, body, headers)
        text = answer.read().decode()
        self.timings.seconds[kind].append(time.perf_counter() - begin)
        for header in answer.headers.get_all("set-cookie") or ():
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(header).items()}
        return answer.status, text

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        self._line.request(method, self._root + path, body, dict(headers))
        return self._line.getresponse()

    def sign_in(self) -> int:
        """Sign in with name and password: the status, 303 if it worked."""
        _, page = self.ask("page", "GET", "/login")
        self._csrf = _match(_CSRF, page)
        fields = {"csrf": self._csrf, "name": self.name, "password": self.password}
        status, _ = self.ask("sign in", "POST", "/login", fields, form=True)
        if status == 303:
            _, page = self.ask("page", "GET", "/settings")
            self._csrf = _match(_CSRF, page)
        return status

    def next(self, after: str = "") -> "tuple[str, dict[str, str]] | None":
        """The topic and the form of the next pair; None if there is no work. The first one is timed as `first`."""
        kind = "next" if after else "first"
        status, page = self.ask(kind, "GET", f"/judge?part=work&after={quote(after)}")
        if status != 200:
            raise UnexpectedAnswer(f"next: {status}")
        found = _FORM.search(page)
        return (_match(_TOPIC, page), dict(_FIELD.findall(found[0]))) if found else None

    def read(self, item: str) -> str:
        """The document of a pair."""
        status, page = self.ask("document", "GET", f"/doc/{item}")
        if status != 200:
            raise UnexpectedAnswer(f"document: {status}")
        return page

    def judge(self, form: Mapping[str, str], grade: int) -> int:
        """Save a grade: the status, 200 once it is on disk."""
        fields = {**form, "grade": str(grade), "method": "key", "ms_active": "1000", "ms_away": "0"}
        status, text = self.ask("save", "POST", "/judgments", fields)
        if status not in (200, 409):
            raise UnexpectedAnswer(f"save: {status} {text[:200]}")
        return status

    def work(self, opinion: Opinion, *, most: int = 1 << 30, until: float = float("inf"), pause: float = 0.0) -> int:
        """Judge until there is no work, or the time is over: how many judgments were saved.

        Between two judgments an assessor pauses for a random time, `pause` seconds in the mean. From the moment the
        key is pressed until the next document is there is timed as `key`; nothing is fetched before, as a page would.
        """
        chance, done, after, pressed = Random(self.name), 0, "", 0.0
        try:
            while done < most and time.monotonic() < until and (found := self.next(after)):
                topic, form = found
                self.read(form["item"])
                if pressed:
                    self.timings.seconds["key"].append(time.perf_counter() - pressed)
                if pause:
                    time.sleep(chance.expovariate(1 / pause))
                pressed = time.perf_counter()
                done += self.judge(form, opinion(topic, form["item"])) == 200
                after = form["item"]
        except (UnexpectedAnswer, OSError, http.client.HTTPException) as error:
            self.timings.problems.append(f"{self.name}: {type(error).__name__} {error}".strip())
        return done


def _match(pattern: re.Pattern[str], page: str) -> str:
    found = pattern.search(page)
    if found is None:
        raise UnexpectedAnswer("the page lacks what it should hold")
    return found[1]
