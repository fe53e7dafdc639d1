"""The kernel is there where it must be, and tables that were built wrongly by hand do not reach foreign memory."""

import os
import subprocess
import sys

import numpy as np
import pytest

from cranfield import kernel
from cranfield.align.rankings import Rankings
from cranfield.tables.run import Run
from cranfield.tables.text import Text
from tests.kernel.paths import needs_compiled


@pytest.mark.skipif(
    os.environ.get("CRANFIELD_KERNEL") != "required", reason="where it is not required the path in NumPy will do"
)
def test_a_kernel_that_is_required_is_compiled():
    assert kernel.active() == "compiled"
    assert kernel.compiled("_dicts") is not None


def test_a_required_kernel_that_is_missing_fails_the_import():
    program = (
        "import sys; sys.modules['cranfield.kernel._steps'] = None\n"
        "import cranfield as cf; cf.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, 'AP')"
    )

    def run(choice: str, program: str = program) -> subprocess.CompletedProcess[str]:
        around = {**os.environ, "CRANFIELD_KERNEL": choice}
        return subprocess.run([sys.executable, "-c", program], env=around, capture_output=True, text=True, check=False)

    said = "E212: CRANFIELD_KERNEL=required, and the compiled kernel is not installed"
    assert run("").returncode == 0
    assert f"cranfield.errors.PolicyError: {said}" in run("required").stderr
    version = program.partition("\n")[0] + "\nfrom cranfield.cli import main; sys.exit(main(['--version']))"
    refused = run("required", version)
    assert (refused.returncode, refused.stderr.partition("\n")[0]) == (2, f"cranfield: error {said}")


@needs_compiled
@pytest.mark.parametrize(
    ("topic", "scores", "refusal"),
    [
        ([0, 1], [2.0, 1.0], "a topic that does not exist"),
        ([-2, 0], [2.0, 1.0], "a topic that does not exist"),
        ([0, 0], [2.0], "columns of different lengths"),
        ([0, 0, 0], [3.0, 2.0, 1.0], "columns of different lengths"),
    ],
)
def test_a_table_whose_columns_do_not_fit_is_refused(topic, scores, refusal):
    run = Run("r", ("301",), np.array(topic), Text.of(["a", "b"]), np.array(scores))
    with pytest.raises((IndexError, ValueError), match=refusal):
        Rankings.of(run)


@needs_compiled
@pytest.mark.parametrize("topic", [1, 1 << 40, -1])
def test_judgments_of_a_topic_that_does_not_exist_are_refused(topic):
    documents = Text.of(["a", "b"])
    with pytest.raises(IndexError, match="a judgment has a topic that does not exist"):
        kernel.steps.table(documents.hash, np.array([0, topic]), 1, documents.start)
