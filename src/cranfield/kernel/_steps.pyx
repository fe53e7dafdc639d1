# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The three steps that carry all the cost, compiled: scan a file into columns, rank inside topics, find what is judged.

Plain arrays in and out; the same steps in NumPy, beside which each of them is called, give the same tables. Every
buffer of bytes ends with eight spare ones, so that a word can be read from anywhere in it. Every long loop runs without
the interpreter's lock.
"""

import numpy as np

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport strtod
from libc.string cimport memcmp, memcpy, memset

include "words.pxi"
include "numerals.pxi"
include "topics.pxi"
include "scan.pxi"
include "rank.pxi"
include "find.pxi"
include "order.pxi"
