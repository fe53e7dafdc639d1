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

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define ahead(address) __builtin_prefetch(address)
    #else
    #define ahead(address) ((void)0)
    #endif
    /* Whether a table would take it as an id: text, not empty, without zeros and halves of surrogate pairs. */
    static inline int is_id(PyObject *value) {
        Py_ssize_t length, i;
        Py_UCS4 point;
        if (!PyUnicode_CheckExact(value)) return 0;
    #if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(value) < 0) { PyErr_Clear(); return 0; }
    #endif
        length = PyUnicode_GET_LENGTH(value);
        if (length == 0) return 0;
        if (PyUnicode_IS_COMPACT_ASCII(value)) return memchr(PyUnicode_1BYTE_DATA(value), 0, length) == NULL;
        for (i = 0; i < length; i++) {
            point = PyUnicode_READ_CHAR(value, i);
            if (point == 0 || (point >= 0xD800 && point <= 0xDFFF)) return 0;
        }
        return 1;
    }
    /* Reads a plain number; `others` are the types of NumPy that are, the first of them a float of Python inside. */
    static inline int is_number(PyObject *value, PyTypeObject **others, double *number) {
        PyTypeObject *type = Py_TYPE(value);
        if (type == &PyFloat_Type || type == others[0]) { *number = PyFloat_AS_DOUBLE(value); return 1; }
        if (type == &PyLong_Type || type == &PyBool_Type) {
            *number = PyLong_AsDouble(value);
            if (*number == -1.0 && PyErr_Occurred()) { PyErr_Clear(); return 0; }
            return 1;
        }
        if (type == others[1] || type == others[2] || type == others[3]) {
            PyObject *made = PyNumber_Float(value);
            if (made == NULL) { PyErr_Clear(); return 0; }
            *number = PyFloat_AS_DOUBLE(made);
            Py_DECREF(made);
            return 1;
        }
        return 0;
    }
    static inline int same(PyObject *here, PyObject *there) {
        return here == there || PyUnicode_Compare(here, there) == 0;
    }
    /* Words of eight bytes that an id takes if it is ASCII without zeros, else very many. */
    static inline Py_ssize_t width_of(PyObject *id) {
        if (!PyUnicode_IS_COMPACT_ASCII(id) || memchr(PyUnicode_1BYTE_DATA(id), 0, PyUnicode_GET_LENGTH(id))) return 1 << 20;
        return (PyUnicode_GET_LENGTH(id) + 7) / 8;
    }
    static inline void copy_ascii(PyObject *id, char *text) {
        memcpy(text, PyUnicode_1BYTE_DATA(id), PyUnicode_GET_LENGTH(id));
    }
    /* Whether an id without zeros is this text, which zeros fill to its width. */
    static inline int is_ascii_of(PyObject *id, const char *text, Py_ssize_t width) {
        Py_ssize_t length = PyUnicode_GET_LENGTH(id);
        return length <= width && (length == width || text[length] == 0) && PyUnicode_IS_COMPACT_ASCII(id)
            && memcmp(PyUnicode_1BYTE_DATA(id), text, length) == 0;
    }
    static inline int is_plain(PyObject *value, PyTypeObject *other) {
        return Py_TYPE(value) == &PyDict_Type || Py_TYPE(value) == other;
    }
    """
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
    int PyUnicode_Compare(PyObject *here, PyObject *there)

cdef PyTypeObject *DEFAULTDICT = <PyTypeObject *><PyObject *>defaultdict
cdef PyTypeObject *NUMBERS[4]
for which, kind in enumerate((np.float64, np.float32, np.int64, np.int32)):
    NUMBERS[which] = <PyTypeObject *><PyObject *>kind  # NumPy keeps its types for good

cdef int SPARSE = 8  # so many times more documents listed than judged: the judged ones are looked up
cdef int FEW = 8  # judged documents whose ranks are counted, where nobody needs the list in order
cdef int SHORT = 128  # documents; longer lists are sorted by digits
cdef int WIDE = 8  # words of eight bytes
cdef uint64_t TOP = <uint64_t>1 << 63
cdef uint64_t LOW = (<uint64_t>1 << 32) - 1


cdef struct Item:
    double score
    PyObject *document


cdef struct Listing:  # the list of one topic, and room to work in
    int64_t size
    double *score
    PyObject **document
    Item *items
    Item *spare
    int64_t *mark  # by rank: place + 1 of what is judged
    bint ordered  # scores from high to low
    bint single  # how scores are compared


cdef struct Topic:  # its judgments, and an open hash table of them
    int64_t size
    PyObject **document
    int64_t *place
    uint64_t mask
    uint64_t *slot  # the upper half of a hash, and the number of the document + 1; 0 where it is free
    int64_t width  # of the documents' bytes one after the other; 0 where they are too long for that, or not ASCII
    char *text


cdef class Judged:
    """The judged documents of all topics, ready to be looked up.

    Args:
        topics: the judged topics.
        begin: where the documents of each topic begin, and where the last ones end.
        place: for each document, topic by topic, the place of its judgment.
        buffer, start, length: the documents' bytes.
    """

    cdef dict number
    cdef list documents  # which stay alive here
    cdef object memory
    cdef Topic *topic

    def __init__(self, topics, const int64_t[::1] begin, const int64_t[::1] place,
                 const uint8_t[::1] buffer, const int64_t[::1] start, const int64_t[::1] length):
        cdef int64_t count = len(topics), number, i, size, width, words = 0
        cdef PyObject *document
        cdef Topic *topic
        cdef const char *bytes_at = <const char *>&buffer[0]
        self.number = {name: i for i, name in enumerate(topics)}
        self.documents = [
            PyUnicode_DecodeUTF8(bytes_at + start[i], length[i], b"surrogateescape") for i in range(place.shape[0])
        ]
        for number in range(count):
            size, width = begin[number + 1] - begin[number], 0
            for i in range(begin[number], begin[number + 1]):
                width = max(width, width_of(PyList_GET_ITEM(<PyObject *>self.documents, i)))
            words += sizeof(Topic) // 8 + size * (2 + (width if width <= WIDE else 0)) + room_for(size)
        self.memory = np.zeros(words + 1, np.int64)
        cdef int64_t[::1] memory = self.memory
        cdef int64_t *free = &memory[0]
        self.topic = <Topic *>free
        free += count * sizeof(Topic) // 8
        for number in range(count):
            topic = &self.topic[number]
            topic.size = size = begin[number + 1] - begin[number]
            topic.document, topic.place, topic.slot = <PyObject **>free, free + size, <uint64_t *>(free + 2 * size)
            topic.mask = room_for(size) - 1
            free += 2 * size + topic.mask + 1
            for i in range(size):
                document = PyList_GET_ITEM(<PyObject *>self.documents, begin[number] + i)
                topic.document[i], topic.place[i] = document, place[begin[number] + i]
                topic.width = max(topic.width, width_of(document))
                enter(topic, PyObject_Hash(document), i + 1)
            topic.width = 8 * topic.width if topic.width <= WIDE else 0
            topic.text = <char *>free
            for i in range(size if topic.width else 0):
                copy_ascii(topic.document[i], topic.text + i * topic.width)
            free += size * topic.width // 8


cdef inline int64_t room_for(int64_t documents) noexcept:
    """Slots of a table that stays half empty."""
    cdef int64_t size = 2
    while size < 2 * documents:
        size *= 2
    return size


cdef inline void enter(Topic *topic, uint64_t code, int64_t number) noexcept:
    cdef uint64_t at = code & topic.mask
    while topic.slot[at]:
        at = (at + 1) & topic.mask
    topic.slot[at] = code >> 32 << 32 | number


cdef inline int64_t place_of(Topic *topic, PyObject *document, uint64_t code) noexcept:
    """The place of a judgment + 1; 0 if there is none."""
    cdef uint64_t at = code & topic.mask
    cdef int64_t number
    while topic.slot[at]:
        if topic.slot[at] >> 32 == code >> 32:
            number = <int64_t>(topic.slot[at] & LOW) - 1
            if is_ascii_of(document, topic.text + number * topic.width, topic.width) if topic.width else same(
                    document, topic.document[number]):
                return topic.place[number] + 1
        at = (at + 1) & topic.mask
    return 0


cdef bint gather(PyObject *listed, Listing *listing, int64_t *infinite):
    """Copy the list of a topic out of its dictionary; False if something in it is not plain."""
    cdef Py_ssize_t place = 0
    cdef PyObject *document
    cdef PyObject *value
    cdef double score = 0, last = 0
    cdef int64_t i = 0
    listing.ordered = True
    while PyDict_Next(listed, &place, &document, &value):
        # objects that were made one after the other mostly lie so in memory, too: what comes next is fetched early
        ahead(<char *>document + 1024)
        ahead(<char *>value + 512)
        if i == listing.size or not is_id(document) or not is_number(value, NUMBERS, &score):
            return False
        if score - score != 0:
            if score != score:
                return False
            infinite[0] += 1
        if i and score > last:
            listing.ordered = False
        listing.document[i] = document
        listing.score[i] = last = score
        i += 1
    return i == listing.size


cdef inline double seen(double score, bint single) noexcept:
    """The score as the tie policy sees it."""
    return <double><float>score if single else score


# --- order -----------------------------------------------------------------------------------------------------------

cdef inline bint before(Item here, Item there, bint by_document) noexcept:
    """Whether `there` must stand before `here`."""
    return PyUnicode_Compare(there.document, here.document) > 0 if by_document else there.score > here.score


cdef void sort(Item *items, Item *spare, int64_t count, bint by_document) noexcept:
    """Merge sort, from high to low: blocks by insertion, then merges that stop where two halves are in order."""
    cdef int64_t block = 16, low, middle, high, i, j, k
    cdef Item item
    low = 0
    while low < count:
        high = min(low + block, count)
        for i in range(low + 1, high):
            item = items[i]
            j = i
            while j > low and before(items[j - 1], item, by_document):
                items[j] = items[j - 1]
                j -= 1
            items[j] = item
        low = high
    while block < count:
        low = 0
        while low + block < count:
            middle, high = low + block, min(low + 2 * block, count)
            if before(items[middle - 1], items[middle], by_document):
                memcpy(spare, items + low, block * sizeof(Item))
                i, j, k = 0, middle, low
                while i < block and j < high:
                    if before(spare[i], items[j], by_document):
                        items[k] = items[j]
                        j += 1
                    else:
                        items[k] = spare[i]
                        i += 1
                    k += 1
                memcpy(items + k, spare + i, (block - i) * sizeof(Item))
            low = high
        block *= 2


cdef inline uint64_t turned(uint64_t bits) noexcept:
    """The bits of a score as a number that ascends where scores descend, and back again."""
    return bits if bits & TOP else ~bits & ~TOP


cdef void sort_by_digits(Item *items, Item *spare, int64_t count) noexcept:
    """The same by score, one byte of it after the other; a byte that all have is skipped."""
    cdef int64_t[8][256] begin
    cdef int64_t i, digit, value, total
    cdef uint64_t bits
    memset(begin, 0, sizeof(begin))
    for i in range(count):
        items[i].score += 0.0  # no negative zero
        memcpy(&bits, &items[i].score, 8)
        bits = turned(bits)
        memcpy(&items[i].score, &bits, 8)
        for digit in range(8):
            begin[digit][(bits >> (8 * digit)) & 255] += 1
    for digit in range(8):
        memcpy(&bits, &items[0].score, 8)
        if begin[digit][(bits >> (8 * digit)) & 255] == count:
            continue
        total = 0
        for value in range(256):
            total += begin[digit][value]
            begin[digit][value] = total - begin[digit][value]
        for i in range(count):
            memcpy(&bits, &items[i].score, 8)
            value = (bits >> (8 * digit)) & 255
            spare[begin[digit][value]] = items[i]
            begin[digit][value] += 1
        memcpy(items, spare, count * sizeof(Item))
    for i in range(count):
        memcpy(&bits, &items[i].score, 8)
        bits = turned(bits)
        memcpy(&items[i].score, &bits, 8)


cdef void order(Listing *listing) noexcept:
    """The list from the highest score to the lowest."""
    cdef int64_t i, size = listing.size
    for i in range(size):
        listing.items[i].score, listing.items[i].document = listing.score[i], listing.document[i]
    if size > SHORT:
        sort_by_digits(listing.items, listing.spare, size)
    else:
        sort(listing.items, listing.spare, size, False)
    for i in range(size):
        listing.score[i], listing.document[i] = listing.items[i].score, listing.items[i].document
    listing.ordered = True


cdef void order_tied(Listing *listing) noexcept:
    """Documents of one score from the highest id to the lowest."""
    cdef int64_t low = 0, high, i, size = listing.size
    cdef double mine
    while low < size:
        mine = seen(listing.score[low], listing.single)
        high = low + 1
        while high < size and seen(listing.score[high], listing.single) == mine:
            high += 1
        if high - low > 1:
            for i in range(low, high):
                listing.items[i].document = listing.document[i]
            sort(listing.items + low, listing.spare, high - low, True)
            for i in range(low, high):
                listing.document[i] = listing.items[i].document
        low = high


# --- find ------------------------------------------------------------------------------------------------------------

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
    """As `cranfield.align.ties` does."""
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
