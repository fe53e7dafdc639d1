"""Compiles the kernel; where that cannot be done the package installs all the same and works in NumPy."""

import os
import sys

from setuptools import Extension, setup

KERNEL = "src/cranfield/kernel"
NAMES = ("_steps", "_dicts")
FLAGS = [] if sys.platform == "win32" else ["-O3"]


def extensions() -> list[Extension]:
    """The compiled modules; none without Cython, or if told so."""
    if os.environ.get("CRANFIELD_KERNEL") == "pure":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    found = [
        Extension(f"cranfield.kernel.{name}", [path], include_dirs=[KERNEL], extra_compile_args=FLAGS)
        for name in NAMES
        if os.path.exists(path := f"{KERNEL}/{name}.pyx")
    ]
    made: list[Extension] = cythonize(found, build_dir="build", language_level=3, quiet=True)
    for extension in made:
        extension.optional = True  # a compiler that fails, or is not there, stops nothing
    return made


setup(ext_modules=extensions())
