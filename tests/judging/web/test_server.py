"""The server: where it listens, what it says, how it ends (SEC-1, 15, 16, REL-10, 11)."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from cranfield.cli import main
from cranfield.judging.accounts.enrolling import add_account
from cranfield.judging.lab import Lab
from cranfield.judging.store.events import all_events
from cranfield.judging.web.server import listen
from cranfield.judging.web.settings import ServerSettings
from cranfield.sample.assessors import SimulatedAssessor
from tests.judging.web.rooms import hashed_once, lab

PROGRAM = "import sys; from cranfield.cli import main; sys.exit(main(sys.argv[1:]))"
DENY = """
import socket, sys
def deny(self, address):
    raise SystemExit(f"outgoing connection to {address}")
socket.socket.connect = deny
socket.socket.connect_ex = deny
"""


class Served:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *options: str, before: str = "") -> None:
        command = [sys.executable, "-c", before + PROGRAM, "judge", "serve", "lab.db", "--port", "0", *options]
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.lines = [self.process.stderr.readline()]
        found = re.search(r"http://\S+", self.lines[0])
        assert found, self.lines[0] + self.process.stderr.read()
        self.url = found[0]

    def get(self, path: str):
        return urllib.request.urlopen(self.url + path, timeout=20)

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(number)
        _, rest = self.process.communicate(timeout=30)
        return self.process.returncode, "".join(self.lines) + rest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lab(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def with_owner(folder: Path, *more: str) -> None:
    with Lab.open(folder / "lab.db").writing() as store:
        add_account(
            store, "ann", ["owner", *more], password_hash=hashed_once("correct horse battery"), actor="test", now=1
        )


def test_sec_1_the_default_is_this_machine_alone():
    assert ServerSettings().host == "127.0.0.1"
    assert ServerSettings().is_local
    assert not ServerSettings(host="0.0.0.0").is_local
    assert not ServerSettings(public_url="https://judge.example.org").is_local


@pytest.mark.parametrize("option", [("--host", "0.0.0.0"), ("--host", "::"), ("--public-url", "https://x.example.org")])
def test_sec_1_other_machines_are_refused_without_an_owner_who_can_sign_in(folder, capsys, option):
    with Lab.open("lab.db").writing() as store:
        add_account(store, "bob", ["assessor"], password_hash=hashed_once("correct horse battery"), actor="t", now=1)
        add_account(store, "eve", ["owner"], actor="t", now=1)
    assert main(["judge", "lab.db", *option]) == 2
    error = capsys.readouterr().err
    assert "E401: refusing to " in error
    assert "cranfield judge users lab.db add NAME --role owner" in error


def test_a_port_that_is_taken_is_e402(folder, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["judge", "lab.db", "--port", str(port)]) == 4
    error = capsys.readouterr().err
    assert f"E402: port {port} is in use" in error
    assert "--port 0 picks a free one" in error


def test_a_free_port_is_picked():
    with listen(ServerSettings(port=0)) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        assert listener.getsockname()[1] > 0


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_rel_10_sigterm_ends_the_server_in_order(folder):
    served = Served(folder)
    with served.get("healthz") as answer:
        assert answer.read() == b"ok\n"
    assert served.process.stderr is not None
    served.lines.append(served.process.stderr.readline())  # the link, which is made after the first line
    code, said = served.end()
    assert code == 0
    assert "Judging at http://127.0.0.1:" in said
    assert "(only this machine; Ctrl-C stops)" in said
    assert re.search(r"first visit: http://127.0.0.1:\d+/#setup=\S{43}   valid once, 15 minutes", said)
    assert not list(folder.glob("lab.db-*"))  # what was logged ahead is in the file


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_the_server_in_order(folder):
    code, said = Served(folder).end(signal.SIGINT)
    assert code == 130
    assert "Traceback" not in said


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_rel_11_commands_that_write_say_that_a_server_runs_and_readers_work(folder, capsys):
    served = Served(folder)
    try:
        for command in (["invite", "lab.db"], ["users", "lab.db", "disable", "bob"], ["serve", "lab.db"]):
            assert main(["judge", *command]) == 4
            error = capsys.readouterr().err
            assert re.search(rf"E404: lab.db is served by process {served.process.pid} since \d\d:\d\d UTC", error)
            assert f"use --url {served.url} to go through it" in error
        assert main(["judge", "users", "lab.db", "list", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["result"] == {"users": []}
    finally:
        served.end()
    assert main(["judge", "invite", "lab.db"]) == 0


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_rel_11_commands_that_write_go_through_the_server(folder, capsys, monkeypatch):
    served = Served(folder)
    through = ["--url", served.url]
    try:
        assert main(["judge", "invite", "lab.db", *through]) == 0
        assert f"{served.url}invite#invite=" in capsys.readouterr().out
        assert main(["judge", "users", "lab.db", "add", "bob", "--no-password", *through]) == 0
        assert main(["judge", "users", "lab.db", "add", "bob", "--no-password", *through]) == 3
        assert "refused: There is a user 'bob' already" in capsys.readouterr().err
        Path("more.txt").write_text("q1 d4\nq1 d1\n")
        assert main(["judge", "add", "lab.db", "more.txt", *through]) == 0
        assert "2 pairs" in capsys.readouterr().out
        Path("known.txt").write_text("q1 0 d9 1\n")
        assert main(["judge", "gold", "lab.db", "known.txt", "--allow-missing-docs", *through]) == 0
        assert "1 pair with a known grade, 10% of the pairs that an assessor gets: 1 added" in capsys.readouterr().out
        assert main(["judge", "gold", "lab.db", "--queue", "none", *through]) == 3
        assert "refused: There is no queue 'none'" in capsys.readouterr().err
        for name, documents in (("a", "d1 d2"), ("b", "d2 d1")):
            rows = (f"q1 Q0 {each} {rank} {9 - rank} {name}\n" for rank, each in enumerate(documents.split(), 1))
            Path(f"{name}.run").write_text("".join(rows))
        assert main(["judge", "decide", "lab.db", "a.run", "b.run", "-m", "P@1", "--assessors", "2", *through]) == 0
        assert "queue 'decide 1' with 2 pairs, each for 2 assessors" in capsys.readouterr().out
        assert main(["judge", "repeat", "lab.db", *through]) == 0
        assert main(["judge", "repeat", "lab.db", *through]) == 3
        assert "refused: There is a queue 'repeat' already" in capsys.readouterr().err
        monkeypatch.setenv("CRANFIELD_TOKEN", "wrong")
        assert main(["judge", "invite", "lab.db", *through]) == 3
        assert "You are signed out" in capsys.readouterr().err
        monkeypatch.delenv("CRANFIELD_TOKEN")
        assert (folder / "lab.db-owner").stat().st_mode & 0o077 == 0
    finally:
        served.end()
    assert not (folder / "lab.db-owner").exists()
    assert main(["judge", "invite", "lab.db", *through]) == 4
    assert "the token of the server cannot be read" in capsys.readouterr().err
    with Lab.open("lab.db").reading() as store:
        kinds = [event.kind for event in all_events(store)]
    assert kinds.count("invite") == 2
    assert "queue" in kinds


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_rel_11_an_export_of_a_served_lab_is_noted_by_its_server(folder):
    served = Served(folder)
    try:
        assert main(["judge", "export", "lab.db", "-o", "qrels.txt", "--rule", "max"]) == 0
    finally:
        served.end()
    with Lab.open("lab.db").reading() as store:
        (event,) = [event for event in all_events(store) if event.kind == "export"]
    told = event.new or {}
    assert (event.actor, told["rule"], told["files"][0]) == ("command line", "max", "qrels.txt")


def test_sec_10_the_token_of_the_owner_opens_no_other_page(stubbed):
    bearer = {"authorization": f"Bearer {stubbed.doors.owner_token}"}
    client = stubbed.client(headers=bearer)
    assert client.post("/commands", headers={"content-type": "application/json"}).status_code == 200
    assert client.get("/queues").status_code == 303
    assert client.post("/invites").status_code == 401
    assert stubbed.client(headers={"authorization": "Bearer x"}).post("/commands").status_code == 401


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_rel_11_a_server_that_was_killed_does_not_keep_the_lab(folder):
    served = Served(folder)
    served.end(signal.SIGKILL)
    assert main(["judge", "invite", "lab.db"]) == 0


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_sec_15_the_server_makes_no_outgoing_connection(folder):
    with_owner(folder, "assessor")
    served = Served(folder, before=DENY)
    for path in ("healthz", "login", "setup", "invite", "static/room.css"):
        with served.get(path) as answer:
            assert answer.status == 200
    person = SimulatedAssessor(served.url, "ann", "correct horse battery")
    assert person.sign_in() == 303
    assert person.work(lambda topic, item: 1) == 5
    for path in ("/", "/queues", "/agreement", "/compare", "/topics/q1", "/audit", "/settings", "/export/qrels.txt"):
        assert person.ask("page", "GET", path)[0] < 500
    person.close()
    code, said = served.end()
    assert code == 0
    assert "outgoing" not in said


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_sec_16_nothing_is_logged_by_default_and_no_token_at_all(folder):
    with_owner(folder)
    for options, logged in (((), False), (("--access-log",), True)):
        served = Served(folder, *options)
        request = urllib.request.Request(served.url + "login", headers={"Cookie": "cranfield=secret-cookie"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert answer.headers.get("server") is None
        code, said = served.end()
        assert code == 0
        assert "secret" not in said
        assert "#setup" not in said
        assert ("/login" in said) == logged
