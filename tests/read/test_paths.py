"""Names of files: what a file is called without the endings that tell how it was written."""

import subprocess
import sys

import pytest

from cranfield.read.definition import FORMATS, reads
from cranfield.read.sources.compressed import ENDINGS
from cranfield.read.sources.paths import stem


@pytest.fixture
def sheets():
    """A format that only this test knows."""

    @reads("run-sheets", "run", "one sheet", endings=(".sheets",), usual_endings=(".often",))
    def read(content, options):
        """A format of this test."""

    yield
    FORMATS.remove("run-sheets")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("packed", ["", *ENDINGS])
def test_a_name_ends_before_the_endings_of_every_format(name, packed):
    for ending in FORMATS[name].all_endings:
        assert stem(f"runs/input.sys3{ending}{packed}") == "input.sys3"


def test_the_ending_of_a_new_format_is_no_part_of_the_name_either(sheets):
    assert stem("bm25.sheets") == stem("bm25.OFTEN.gz") == "bm25"


def test_other_endings_are_part_of_the_name():
    assert stem("bm25.v2") == "bm25.v2"
    assert stem(".run") == ".run"


def test_the_reader_whose_ending_it_is_is_not_imported_to_name_a_file():
    code = (
        "import sys\nfrom cranfield.read.sources.paths import stem\n"
        "print(stem('a.pq'), stem('a.sgml'), {'tabular', 'topics'} & {name.split('.')[-1] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "a a set()"
