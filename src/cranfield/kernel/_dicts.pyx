# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Runs that are dictionaries, looked up in judgments as they are: no table in between.

Only plain dictionaries of plain text and plain numbers are collected so; whatever else there is, or is wrong, gives
None, and the reader of tables takes it or words the error. Nothing here calls code written in Python, so that the
dictionaries cannot change meanwhile, and nothing is written into them.
"""

from collections import defaultdict

import numpy as np

from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from "objects.h":
    ctypedef struct PyTypeObject:
        pass
    void ahead(void *address)
    bint is_id(PyObject *value)
    bint is_number(PyObject *value, PyTypeObject **others, double *number)
    bint is_plain(PyObject *value, PyTypeObject *other)
    bint same(PyObject *here, PyObject *there) noexcept
    Py_ssize_t width_of(PyObject *document)
    void copy_ascii(PyObject *document, char *text)
    bint is_ascii_of(PyObject *document, const char *text, Py_ssize_t width) noexcept
    int PyDict_Next(PyObject *mapping, Py_ssize_t *place, PyObject **key, PyObject **value)
    Py_ssize_t PyDict_Size(PyObject *mapping)
    PyObject *PyDict_GetItemWithError(PyObject *mapping, PyObject *key) except? NULL
    PyObject *PyList_GET_ITEM(PyObject *values, Py_ssize_t place)
    Py_hash_t PyObject_Hash(PyObject *value)
    Py_ssize_t PyLong_AsSsize_t(PyObject *value)
    int PyUnicode_Compare(PyObject *here, PyObject *there) nogil  # the lock is held: `sort` is for all

cdef PyTypeObject *DEFAULTDICT = <PyTypeObject *><PyObject *>defaultdict
cdef PyTypeObject *NUMBERS[4]
for which, kind in enumerate((np.float64, np.float32, np.int64, np.int32)):
    NUMBERS[which] = <PyTypeObject *><PyObject *>kind  # NumPy keeps its types for good

cdef int SPARSE = 8  # so many times more documents listed than judged: the judged ones are looked up
cdef int FEW = 8  # judged documents whose ranks are counted, where nobody needs the list in order

include "judged.pxi"
include "listing.pxi"


cdef int64_t rank_of(Listing *listing, double score, PyObject *document) noexcept:
    """The rank of a document: those of higher scores stand before it, and of its own score those of higher ids."""
    cdef int64_t low = 0, high = listing.size, middle, rank, i, tied = 0
    cdef double mine = seen(score, listing.single)
    if listing.ordered:
        while low < high:
            middle = (low + high) >> 1
            if seen(listing.score[middle], listing.single) > mine:
                low = middle + 1
            else:
                high = middle
        rank = low
        for i in range(low, listing.size):
            if seen(listing.score[i], listing.single) != mine:
                break
            rank += listing.document[i] != document and PyUnicode_Compare(listing.document[i], document) > 0
        return rank + 1
    rank = 1
    for i in range(listing.size):
        rank += seen(listing.score[i], listing.single) > mine
        tied += seen(listing.score[i], listing.single) == mine
    for i in range(listing.size if tied > 1 else 0):
        if seen(listing.score[i], listing.single) == mine:
            rank += PyUnicode_Compare(listing.document[i], document) > 0
    return rank


cdef void find_judged(Listing *listing, PyObject *listed, Topic *topic):
    """Mark what is judged, looking the judged documents up in the list."""
    cdef PyObject *known
    cdef double score = 0
    cdef int64_t i
    memset(listing.mark, 0, listing.size * 8)
    for i in range(topic.size):
        known = PyDict_GetItemWithError(listed, topic.document[i])
        if known != NULL and is_number(known, NUMBERS, &score):
            listing.mark[rank_of(listing, score, topic.document[i]) - 1] = topic.place[i] + 1


cdef void find_listed(Listing *listing, Topic *topic):
    """The same, looking the listed documents up among the judged ones."""
    cdef uint64_t *code = <uint64_t *>listing.items  # not needed any more
    cdef int64_t i
    for i in range(listing.size):
        code[i] = PyObject_Hash(listing.document[i])  # a key has one already
        ahead(&topic.slot[code[i] & topic.mask])
    for i in range(listing.size):
        listing.mark[i] = place_of(topic, listing.document[i], code[i])


cdef struct Ties:
    int64_t groups
    int64_t across
    int64_t single


cdef void count_ties(Listing *listing, int64_t cutoff, Ties *ties) noexcept:
    """As `cranfield.align.tie_groups` does."""
    cdef int64_t i
    cdef double here, there
    cdef bint inside = False, tied
    for i in range(1, listing.size):
        here, there = listing.score[i - 1], listing.score[i]
        if <float>here != <float>there:  # most are not even equal in single precision
            inside = False
            continue
        ties.single += here != there
        tied = listing.single or here == there
        if tied:
            ties.groups += not inside
            ties.across += i == cutoff
        inside = tied


def collect(run, Judged judged not None, bint single, int64_t cutoff):
    """The judged documents of a run `{topic: {document: score}}`, or None if it is not as plain as that.

    Args:
        run: scores by topic and document.
        judged: the judgments.
        single: whether scores are compared in single precision.
        cutoff: the rank at which ties are looked for; 0 where they need not be counted.

    Returns:
        The topics; for each list the number of its topic (-1: not judged) and its length; for each judged document the
        list it stands in, its rank and the place of its judgment; groups of equal scores, those that reach across the
        cut-off, neighbours equal in single precision only; infinite scores.
    """
    cdef PyObject *whole = <PyObject *>run
    cdef PyObject *name
    cdef PyObject *listed
    cdef PyObject *known
    cdef Py_ssize_t position = 0
    cdef int64_t lists = 0, longest = 1, most = 0, size, i, row = 0, count = 0, infinite = 0
    cdef Listing listing
    cdef Topic nobody
    cdef Topic *topic
    cdef Ties ties
    cdef bint dense
    if not is_plain(whole, DEFAULTDICT):
        return None
    topics = list(run)
    number, retrieved = np.empty(len(topics), np.int64), np.empty(len(topics), np.int64)
    cdef int64_t[::1] number_of = number, retrieved_of = retrieved
    while PyDict_Next(whole, &position, &name, &listed):
        if lists == len(topics) or not is_id(name) or not is_plain(listed, DEFAULTDICT):
            return None
        size = PyDict_Size(listed)
        known = PyDict_GetItemWithError(<PyObject *>judged.number, name)
        number_of[lists] = -1 if known == NULL else PyLong_AsSsize_t(known)
        retrieved_of[lists] = size
        if known != NULL:
            most += min(size, judged.topic[number_of[lists]].size)
        longest = max(longest, size)
        lists += 1
    list_of, rank, place = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    cdef int64_t[::1] list_at = list_of, rank_at = rank, place_at = place
    room = np.empty((longest, 7), np.int64)
    cdef int64_t[:, ::1] memory = room
    cdef int64_t *free = &memory[0, 0]
    listing.score, listing.document, listing.mark = <double *>free, <PyObject **>(free + longest), free + 2 * longest
    listing.items, listing.spare = <Item *>(free + 3 * longest), <Item *>(free + 5 * longest)
    listing.single = single
    ties.groups = ties.across = ties.single = 0
    nobody.size = 0
    position = 0
    while PyDict_Next(whole, &position, &name, &listed):  # nothing below wakes the collector of garbage
        if row == lists:
            return None
        listing.size = size = retrieved_of[row]
        if not gather(listed, &listing, &infinite):
            return None
        topic = &nobody if number_of[row] < 0 else &judged.topic[number_of[row]]
        dense = topic.size * SPARSE > size
        if not listing.ordered and (cutoff or dense or topic.size > FEW):
            order(&listing)
        if cutoff:
            count_ties(&listing, cutoff, &ties)
        if dense:
            order_tied(&listing)
            find_listed(&listing, topic)
        elif topic.size:
            find_judged(&listing, listed, topic)
        for i in range(size if topic.size else 0):
            if listing.mark[i]:
                list_at[count], rank_at[count], place_at[count] = row, i + 1, listing.mark[i] - 1
                count += 1
        row += 1
    if row != lists:
        return None
    return (topics, number, retrieved, list_of[:count], rank[:count], place[:count],
            ties.groups, ties.across, ties.single, infinite)
