"""How much memory there is, and what is said where it is not enough."""

import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.arrays import memory
from cranfield.cli import main
from cranfield.errors import Error


def test_a_container_and_a_limit_of_the_process_count(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_CGROUPS", (str(tmp_path / "max"), str(tmp_path / "limit"), str(tmp_path / "none")))
    before = memory.at_most()
    (tmp_path / "max").write_text("max\n")
    assert memory.at_most() == before
    (tmp_path / "limit").write_text("4096\n")
    assert memory.at_most() == 4096


def test_where_the_system_does_not_tell_a_guess_is_made(monkeypatch):
    monkeypatch.delattr("os.sysconf")
    assert memory.at_most() <= 8 << 30


def test_what_cannot_be_afforded_is_refused_before_it_is_taken():
    with pytest.raises(Error) as caught:
        memory.afford(1e15, "so many draws")
    assert (caught.value.code, caught.value.exit) == ("E250", 4)


@pytest.mark.parametrize("arguments", [("evaluate", "q", "r"), ("trec_eval", "q", "r")])
def test_out_of_memory_is_no_fault_of_ours(arguments, tmp_path, monkeypatch, capsys):
    def short(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 7.28 TiB")

    monkeypatch.chdir(tmp_path)
    Path("q").write_text("1 0 d1 1\n")
    Path("r").write_text("1 Q0 d1 1 2.5 a\n")
    monkeypatch.setattr("cranfield.read.sources.content._raw", short)
    monkeypatch.setattr("cranfield.compat.trec_eval.program.in_pieces", short)
    assert main(list(arguments)) == 4
    said = capsys.readouterr().err
    assert "E250: there is not enough memory for this" in said
    assert "fault" not in said


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to the limit")
def test_a_file_too_large_for_a_limited_process_ends_with_an_error_of_ours(tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n")
    (tmp_path / "r").write_bytes(b"1 Q0 d1 1 2.5 a\n" * 20_000_000)  # one topic, so that no piece is whole
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29));"
        "from cranfield.cli import main; sys.exit(main(['evaluate', 'q', 'r']))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (3, 4), done.stderr
    assert done.stderr.startswith(("cranfield: error E250", "cranfield: error E308"))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero"])
@pytest.mark.parametrize("verb", ["evaluate", "check", "trec_eval"])
def test_a_device_without_end_is_refused_at_once(verb, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("1 0 d1 1\n")
    assert main([verb, "q", name]) == 4
    said = capsys.readouterr()
    assert f"{name}: is a device, expected a file" in said.out + said.err
