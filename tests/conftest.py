"""What every test may use: real data where they are, hypothesis settings, a fixed environment."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("default"), max_examples=2000)
settings.register_profile("unshrunk", settings.get_profile("default"), phases=[Phase.explicit, Phase.generate])
settings.register_profile("brief", settings.get_profile("unshrunk"), max_examples=10, derandomize=True)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)  # a red build is red again
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") == "true" else "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Let ir_measures use names of `ast` that warn from Python 3.12 on; every other warning stays an error."""
    config.addinivalue_line("filterwarnings", "ignore:.*removed in Python 3.14:DeprecationWarning:ir_measures.util")


# They drive a browser, a scheduler, or processes that are killed midway, on a machine that does other things meanwhile.
WITH_OTHER_PROGRAMS = (
    "tests/cli/test_jobs.py",
    "tests/cli/test_process.py",
    "tests/cli/test_whole_output.py",
    "tests/judging/browser/",
    "tests/judging/store/test_failures.py",
    "tests/judging/web/test_server.py",
    "tests/reporting/browser/",
    "tests/study/engine/",
    "tests/workers/",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests with other programs a second try, which the summary names; all other tests have one."""
    for item in items:
        if any(place in item.path.as_posix() for place in WITH_OTHER_PROGRAMS):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with real collections and other programs' numbers; skipped where absent, an error where demanded."""
    named = os.environ.get("CRANFIELD_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    if (folder / "conformance").is_dir():
        return folder
    reason = "conformance cases and collections are not here (set CRANFIELD_SHARED)"
    if os.environ.get("CRANFIELD_REQUIRE_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
