"""Compiles the kernel; where that cannot be done the package installs all the same and works in NumPy.

CRANFIELD_KERNEL=required makes a failed compilation fail the installation, CRANFIELD_KERNEL=pure compiles nothing.
"""

import os
import sys

from setuptools import Extension, setup

KERNEL = "src/cranfield/kernel"
NAMES = ("_steps", "_dicts")
FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0"]  # symbols for a debugger would be most of the file
CHOICE = os.environ.get("CRANFIELD_KERNEL")  # pure: do not compile; required: a failed compilation fails


def extensions() -> list[Extension]:
    """The compiled modules; none without Cython, or if told so."""
    if CHOICE == "pure":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if CHOICE == "required":
            raise
        return []
    found = [
        Extension(f"cranfield.kernel.{name}", [path], include_dirs=[KERNEL], extra_compile_args=FLAGS)
        for name in NAMES
        if os.path.exists(path := f"{KERNEL}/{name}.pyx")
    ]
    made: list[Extension] = cythonize(found, build_dir="build", language_level=3, quiet=True)
    for extension in made:
        extension.optional = CHOICE != "required"  # else a compiler that fails, or is not there, stops nothing
    return made


setup(ext_modules=extensions())
