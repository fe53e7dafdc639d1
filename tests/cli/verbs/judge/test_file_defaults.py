"""The table `[judge]` of `cranfield.toml` (CLI-11): defaults for making and serving a lab."""

from typing import Any

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.store.meta import get_meta, grade_labels
from cranfield.judging.store.queues import queue_states
from tests.judging.conftest import make_lab

INIT = ("judge", "init", "lab.db", "--pool", "pool.txt")
NOTE = "defaults from cranfield.toml"


@pytest.fixture
def pool(folder):
    (folder / "pool.txt").write_text("".join(f"q1 d{number}\n" for number in range(10)))
    return folder


def test_cli_11_a_lab_is_made_with_the_defaults_of_the_file(cli, pool):
    (pool / "cranfield.toml").write_text(
        "[judge]\ngrades = '0-3'\nassessors = 2\noverlap = '20%'\norder = 'pool'\nport = 9000\n"
    )
    result = cli(*INIT)
    assert result.out.endswith(f" {NOTE}\n")
    with Lab.open("lab.db").reading() as store:
        queue = queue_states(store)[0].queue
        assert (list(grade_labels(store)), get_meta(store, "order")) == ([0, 1, 2, 3], "pool")
        assert (queue.k, queue.overlap) == (2, 0.2)


def test_cli_11_options_overrule_the_file_and_are_not_named_as_its_own(cli, pool):
    (pool / "cranfield.toml").write_text("[judge]\nassessors = 2\n")
    assert NOTE not in cli(*INIT, "--assessors", "1").out
    with Lab.open("lab.db").reading() as store:
        assert queue_states(store)[0].queue.k == 1


def test_cli_11_other_verbs_do_not_see_the_table(cli, pool):
    (pool / "cranfield.toml").write_text("[judge]\nassessors = 2\nport = 'x'\n")
    assert cli("demo", "d").code == 0


def test_cli_11_serving_takes_host_and_port_from_the_file(cli, folder, monkeypatch):
    pytest.importorskip("starlette")
    make_lab(folder / "lab.db")
    text = "[judge]\nport = 9123\nhost = 'localhost'\ntrusted_proxy = '::1'\naccess-log = true\n"
    (folder / "cranfield.toml").write_text(text)
    seen: dict[str, Any] = {}

    def serve(lab, settings, **more):
        seen.update(settings=settings, **more)
        return 0

    monkeypatch.setattr("cranfield.judging.web.server.serve", serve)
    result = cli("judge", "lab.db")
    assert (result.code, NOTE in result.err) == (0, True)
    settings = seen["settings"]
    assert (settings.host, settings.port, tuple(settings.trusted_proxies)) == ("localhost", 9123, ("::1",))
    assert seen["log"] is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seats = 3", "E245: cranfield.toml: [judge] has no setting 'seats'"),
        ("assessors = 0", "E241: cranfield.toml: [judge] assessors: 0 is not a whole number from 1 to 100"),
        ("port = 99999", "E241: cranfield.toml: [judge] port: 99999 is not a whole number from 0 to 65535"),
        ("port = '80'", "E241: cranfield.toml: [judge] port: '80' is not a whole number from 0 to 65535"),
        ("order = 'best'", "E241: cranfield.toml: [judge] order: 'best' is not one of random, pool"),
        ("grades = '5-1'", "E242: cranfield.toml: [judge] grades: --grades 5-1 is not a list of grades"),
        ("grades = 3", "E241: cranfield.toml: [judge] grades: 3 is not a text"),
        ("overlap = '-5%'", "E242: cranfield.toml: [judge] overlap: --overlap -5% is no share"),
        ("overlap = true", "E241: cranfield.toml: [judge] overlap: True is not a share such as '20%'"),
        ("access-log = 1", "E241: cranfield.toml: [judge] access-log: 1 is not true or false"),
        ("trusted-proxy = [1]", "E241: cranfield.toml: [judge] trusted-proxy: [1] is not a list of texts"),
    ],
)
def test_cli_11_mistakes_in_the_table_are_named(cli, pool, text, message):
    (pool / "cranfield.toml").write_text(f"[judge]\n{text}\n")
    result = cli(*INIT)
    assert result.code == 2
    assert message in " ".join(result.err.split())
    assert not (pool / "lab.db").exists()
