# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The three steps that carry all the cost, compiled: scan a file into columns, rank inside topics, find what is judged.

Plain arrays in and out; `cranfield.kernel` says what each function promises, and the same steps in NumPy give the same
arrays. Whatever is unusual (a line with other columns, a word that is no number) ends the scan: the exact reader in
NumPy then reads the file again and words the error. Every loop runs without the interpreter's lock.
"""

import numpy as np

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport strtod
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    #include <float.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int first_bit(unsigned __int64 word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #else
    static inline int first_bit(unsigned long long word) { return __builtin_ctzll(word); }
    #endif
    /* Which of 64 bytes are blanks or control characters: a bit for each. */
    #if defined(__SSE2__)
    #include <emmintrin.h>
    static inline unsigned long long small_bytes(const unsigned char *at) {
        const __m128i top = _mm_set1_epi8(32);
        unsigned long long bits = 0;
        int part;
        for (part = 3; part >= 0; part--) {
            const __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
            bits = bits << 16 | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, top), bytes));
        }
        return bits;
    }
    #else
    static inline unsigned long long small_bytes(const unsigned char *at) {
        unsigned long long bits = 0, word;
        int part;
        for (part = 7; part >= 0; part--) {
            memcpy(&word, at + 8 * part, 8);
            word = ~(((word & 0x7F7F7F7F7F7F7F7FULL) + 0x5F5F5F5F5F5F5F5FULL) | word) & 0x8080808080808080ULL;
            bits = bits << 8 | (word >> 7) * 0x0102040810204080ULL >> 56;
        }
        return bits;
    }
    #endif
    /* A quotient in extended precision, rounded once more to double, is right unless it lies next to the middle
       between two doubles. Returns 0 where that cannot be told. */
    #if LDBL_MANT_DIG == 64
    static inline int rounded(unsigned long long mantissa, int exponent, double *value) {
        static const long double power[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L,
            1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
        long double extended = (long double)mantissa;
        unsigned long long bits;
        if (exponent < -27 || exponent > 27) return 0;
        extended = exponent < 0 ? extended / power[-exponent] : extended * power[exponent];
        memcpy(&bits, &extended, 8);
        bits &= 2047;
        if (bits >= 1022 && bits <= 1026) return 0;
        *value = (double)extended;
        return 1;
    }
    #else
    static inline int rounded(unsigned long long mantissa, int exponent, double *value) { return 0; }
    #endif
    """
    int first_bit(uint64_t word) nogil
    uint64_t small_bytes(const uint8_t *at) nogil
    int rounded(uint64_t mantissa, int exponent, double *value) nogil

cdef uint64_t MIX = 0x9E3779B97F4A7C15
cdef uint64_t SECOND = 0xD6E8FEB86659FD93
cdef uint64_t EXACT = 1 << 53  # whole numbers up to here are doubles
cdef int64_t LONG = 256  # bytes; longer strings are hashed in Python
cdef double[23] POWER = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
                         1e17, 1e18, 1e19, 1e20, 1e21, 1e22]

cdef enum Kind:  # as in cranfield.kernel
    SKIP = 0
    TOPIC = 1
    TEXT = 2
    NUMBER = 3
    CONSTANT = 4
    WHOLE = 5


# --- scan ------------------------------------------------------------------------------------------------------------

cdef inline uint64_t load(const uint8_t *at) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, at, 8)
    return word


cdef inline bint blank(uint8_t byte) noexcept nogil:
    return byte == 32 or (9 <= byte and byte <= 13)


cdef inline uint64_t separators(const uint8_t *at, int64_t left) noexcept nogil:
    """The same for the bytes that are left, if these are fewer; an unfinished last line gets an end."""
    cdef uint8_t[64] rest
    if left >= 64:
        return small_bytes(at)
    memset(rest, 255, 64)
    memcpy(rest, at, left)
    rest[left] = 10
    return small_bytes(rest)


cdef inline uint64_t hashed(const uint8_t *at, int64_t length) noexcept nogil:
    """The hash of `Text.hash`: the words of the string, zero beyond its end."""
    cdef uint64_t mixed = <uint64_t>length * MIX
    cdef uint64_t word, value
    while length > 0:
        word = load(at)
        if length < 8:
            word &= (<uint64_t>-1) >> ((8 - length) * 8)
        value = (mixed ^ word) * MIX
        mixed = (value ^ (value >> 29)) + (word ^ (word >> 31)) * SECOND
        at += 8
        length -= 8
    return mixed ^ (mixed >> 32)


cdef bint by_library(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """The same by the C library, which a locale can keep from understanding the point; then False."""
    cdef char[64] text
    cdef char *stopped
    if end - at > 63:
        return False
    memcpy(text, at, end - at)
    text[end - at] = 0
    value[0] = strtod(text, &stopped)
    return stopped == text + (end - at)


cdef inline bint number(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """Read a decimal numeral, correctly rounded; False for infinities, endless numerals, and what is no number."""
    cdef const uint8_t *begin = at
    cdef uint64_t mantissa = 0
    cdef int exponent = 0, written = 0, digits = 0
    cdef bint negative = False, down
    cdef uint8_t digit
    if at[0] == b'-' or at[0] == b'+':
        negative = at[0] == b'-'
        at += 1
    while at < end:
        digit = at[0] - 48
        if digit > 9:
            break
        mantissa = mantissa * 10 + digit
        digits += 1
        at += 1
    if at < end and at[0] == b'.':
        at += 1
        while at < end:
            digit = at[0] - 48
            if digit > 9:
                break
            mantissa = mantissa * 10 + digit
            digits += 1
            exponent -= 1
            at += 1
    if digits == 0:
        return False
    if at < end:
        if at[0] != b'e' and at[0] != b'E':
            return False
        at += 1
        down = False
        if at < end and (at[0] == b'-' or at[0] == b'+'):
            down = at[0] == b'-'
            at += 1
        if at >= end or end - at > 4:
            return False
        while at < end:
            digit = at[0] - 48
            if digit > 9:
                return False
            written = written * 10 + digit
            at += 1
        exponent += -written if down else written
    if digits > 19:  # nineteen digits fit a machine word
        return by_library(begin, end, value)
    if mantissa <= EXACT and exponent >= -22 and exponent <= 22:  # both exact in double precision: one rounding
        value[0] = <double>mantissa / POWER[-exponent] if exponent < 0 else <double>mantissa * POWER[exponent]
    elif not rounded(mantissa, exponent, value):
        return by_library(begin, end, value)
    if negative:
        value[0] = -value[0]
    return True


cdef inline bint whole(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """The same for digits alone, behind a sign: 1.0 and 1e2 are not spelt as whole numbers."""
    cdef const uint8_t *digit = at + (at[0] == b'-' or at[0] == b'+')
    while digit < end and b'0' <= digit[0] and digit[0] <= b'9':
        digit += 1
    return digit == end and number(at, end, value)


cdef inline bint same(const uint8_t *here, int64_t width, const uint8_t *there, int64_t its_width) noexcept nogil:
    return width == its_width and memcmp(here, there, width) == 0


cdef struct Topics:  # an open hash table of topic names
    int64_t *slot  # number of a topic + 1, or 0
    int64_t size
    int64_t count
    const uint8_t **name
    int64_t *length
    uint64_t *hash
    int64_t room


cdef bint topics_grow(Topics *topics) noexcept nogil:
    """Twice the room; False if there is no memory."""
    cdef int64_t room = topics.room * 2 if topics.room else 1024
    cdef int64_t size = room * 2, number, place
    cdef const uint8_t **name = <const uint8_t **>PyMem_RawMalloc(room * sizeof(void *))
    cdef int64_t *length = <int64_t *>PyMem_RawMalloc(room * 8)
    cdef uint64_t *code = <uint64_t *>PyMem_RawMalloc(room * 8)
    cdef int64_t *slot = <int64_t *>PyMem_RawCalloc(size, 8)
    if name == NULL or length == NULL or code == NULL or slot == NULL:
        PyMem_RawFree(name)
        PyMem_RawFree(length)
        PyMem_RawFree(code)
        PyMem_RawFree(slot)
        return False
    if topics.count:
        memcpy(name, topics.name, topics.count * sizeof(void *))
        memcpy(length, topics.length, topics.count * 8)
        memcpy(code, topics.hash, topics.count * 8)
    for number in range(topics.count):
        place = code[number] & (size - 1)
        while slot[place]:
            place = (place + 1) & (size - 1)
        slot[place] = number + 1
    topics_free(topics)
    topics.name, topics.length, topics.hash, topics.slot = name, length, code, slot
    topics.room, topics.size = room, size
    return True


cdef void topics_free(Topics *topics) noexcept nogil:
    PyMem_RawFree(topics.name)
    PyMem_RawFree(topics.length)
    PyMem_RawFree(topics.hash)
    PyMem_RawFree(topics.slot)


cdef int64_t topic_number(Topics *topics, const uint8_t *name, int64_t length) noexcept nogil:
    """The number of a topic, in order of first appearance; -1 if there is no memory."""
    cdef uint64_t code = hashed(name, length)
    cdef int64_t place, number
    if topics.count == topics.room and not topics_grow(topics):
        return -1
    place = code & (topics.size - 1)
    while topics.slot[place]:
        number = topics.slot[place] - 1
        if topics.hash[number] == code and same(name, length, topics.name[number], topics.length[number]):
            return number
        place = (place + 1) & (topics.size - 1)
    number = topics.count
    topics.slot[place] = number + 1
    topics.name[number], topics.length[number], topics.hash[number] = name, length, code
    topics.count += 1
    return number


def lines(const uint8_t[::1] buffer, int64_t size):
    """How many lines there are; the last one may lack its newline."""
    cdef const uint8_t *at = &buffer[0]
    cdef const uint8_t *end = at + size
    cdef int64_t count = 0, i, block
    cdef uint8_t few
    with nogil:
        while at < end:
            block = min(end - at, 255)  # as many as a byte can count: the compiler takes many bytes at once
            few = 0
            for i in range(block):
                few += at[i] == 10
            count += few
            at += block
        if size and (end - 1)[0] != 10:
            count += 1
    return count


def hashes(const uint8_t[::1] buffer, const int64_t[::1] start, const int64_t[::1] length):
    """The hash of each string, as in `Text.hash`, and whether one is so long that it is hashed there."""
    cdef int64_t rows = start.shape[0], i
    cdef bint long_text = False
    code = np.empty(rows, dtype=np.uint64)
    cdef uint64_t[::1] codes = code
    with nogil:
        for i in range(rows):
            codes[i] = hashed(&buffer[0] + start[i], length[i])
            long_text |= length[i] > LONG
    return code, long_text


cdef struct Column:
    int kind
    const uint8_t *constant  # the first token of a column in which all should be equal
    int64_t constant_width
    bint varies
    int64_t *start
    int64_t *length
    uint64_t *hash
    double *number


cdef int64_t *ints(array):
    cdef int64_t[::1] view = array
    return &view[0]


cdef uint64_t *words(array):
    cdef uint64_t[::1] view = array
    return &view[0]


cdef double *reals(array):
    cdef double[::1] view = array
    return &view[0]


cdef room_for(room, key, int64_t rows, kind):
    """An array of so many rows: a new one, or of a scan before that nobody needs any more."""
    if room is None:
        return np.empty(rows, kind)
    if key not in room or len(room[key]) < rows:
        room[key] = np.empty(rows + rows // 4, kind)
    return room[key]


def scan(const uint8_t[::1] buffer, int64_t size, kinds, room=None):
    """Columns of the kinds asked for, or None where a line or a word is not as expected.

    With a dictionary as `room` the arrays are kept in it and used again by the next scan: touching new memory would
    cost more than scanning.
    """
    cdef int columns = len(kinds), found = 0, number_of
    cdef int64_t capacity = lines(buffer, size)
    cdef Column[16] column
    cdef Column *one
    if columns > 16 or capacity == 0:
        return None
    made = [None] * columns
    for number_of, kind in enumerate(kinds):
        one = &column[number_of]
        one.kind, one.varies = kind, False
        if kind == TEXT:
            text = (
                room_for(room, (number_of, 0), capacity, np.int64),
                room_for(room, (number_of, 1), capacity, np.int64),
                room_for(room, (number_of, 2), capacity, np.uint64),
            )
            one.start, one.length, one.hash = ints(text[0]), ints(text[1]), words(text[2])
            made[number_of] = text
        elif kind == NUMBER or kind == WHOLE:
            made[number_of] = room_for(room, (number_of, 0), capacity, np.float64)
            one.number = reals(made[number_of])
    topic, line = room_for(room, "topic", capacity, np.int64), np.empty(capacity, np.int64)
    cdef int64_t *topic_of = ints(topic)
    cdef int64_t *line_of = ints(line)  # touched only once a line is skipped
    cdef const uint8_t *first = &buffer[0]
    cdef const uint8_t *word
    cdef const uint8_t *last_topic = NULL
    cdef int64_t width, last_width = -1, last_number = -1, row = 0, line_number = 0, i
    cdef int64_t base = 0, begin = 0, line_begin = 0, here  # the block, the token and the line being read
    cdef uint64_t bits
    cdef uint8_t byte
    cdef bint comment = False, skipped = False, regular = True, long_text = False
    cdef Topics topics
    topics.slot, topics.name, topics.length, topics.hash = NULL, NULL, NULL, NULL
    topics.size, topics.count, topics.room = 0, 0, 0
    with nogil:
        while regular and base <= size:
            bits = separators(first + base, size - base)
            while bits:
                here = base + first_bit(bits)
                bits &= bits - 1
                byte = first[here] if here < size else 10
                if not blank(byte):
                    continue
                if here > begin and not comment:
                    if found == columns:
                        regular = False
                        break
                    if begin == line_begin and first[begin] == b'#':
                        comment = True
                    else:
                        word, width = first + begin, here - begin
                        one = &column[found]
                        found += 1
                        if one.kind == SKIP:
                            pass
                        elif one.kind == TEXT:
                            one.start[row] = begin
                            one.length[row] = width
                            one.hash[row] = hashed(word, width)
                            long_text |= width > LONG
                        elif one.kind == NUMBER:
                            regular &= number(word, word + width, &one.number[row])
                        elif one.kind == WHOLE:
                            regular &= whole(word, word + width, &one.number[row])
                        elif one.kind == TOPIC:
                            if not same(word, width, last_topic, last_width):
                                last_topic, last_width = word, width
                                last_number = topic_number(&topics, word, width)
                                regular &= last_number >= 0
                            topic_of[row] = last_number
                        elif row == 0:
                            one.constant, one.constant_width = word, width
                        elif not same(word, width, one.constant, one.constant_width):
                            one.varies = True
                begin = here + 1
                if byte != 10 or line_begin == size:
                    continue
                line_number += 1
                line_begin, comment = begin, False
                if found == columns:
                    if skipped:
                        line_of[row] = line_number
                    row += 1
                elif found:
                    regular = False
                    break
                elif not skipped:
                    skipped = True
                    for i in range(row):
                        line_of[i] = i + 1
                found = 0
            base += 64
    try:
        if not regular or row == 0:
            return None
        names = [topics.name[i][: topics.length[i]] for i in range(topics.count)]
    finally:
        topics_free(&topics)
    for number_of in range(columns):
        one = &column[number_of]
        if one.kind == TEXT:
            made[number_of] = tuple(array[:row] for array in made[number_of])
        elif one.kind == NUMBER or one.kind == WHOLE:
            made[number_of] = made[number_of][:row]
        elif one.kind == CONSTANT and not one.varies:
            made[number_of] = one.constant[: one.constant_width]
    return names, topic[:row], made, line[:row] if skipped else None, long_text


# --- rank ------------------------------------------------------------------------------------------------------------

cdef struct Item:
    double key
    int64_t row


cdef struct Strings:
    const uint8_t *buffer
    const int64_t *start
    const int64_t *length


cdef inline bint before(Item here, Item there, Strings *documents) noexcept nogil:
    """Whether `there`, which comes later in the file, must stand before `here`: greater key, else greater document."""
    cdef int64_t mine, its
    cdef int order
    if there.key != here.key:  # what is no number comes last, as it was
        return there.key > here.key or (here.key != here.key and there.key == there.key)
    if documents.buffer == NULL:
        return False
    mine, its = documents.length[here.row], documents.length[there.row]
    order = memcmp(
        documents.buffer + documents.start[there.row], documents.buffer + documents.start[here.row], min(mine, its)
    )
    return order > 0 or (order == 0 and its > mine)


cdef void sort(Item *items, Item *spare, int64_t count, Strings *documents) noexcept nogil:
    """Stable merge sort: blocks by insertion, then merges that stop where two halves are in order already."""
    cdef int64_t block = 16, low, middle, high, i, j, k
    cdef Item item
    low = 0
    while low < count:
        high = min(low + block, count)
        for i in range(low + 1, high):
            item = items[i]
            j = i
            while j > low and before(items[j - 1], item, documents):
                items[j] = items[j - 1]
                j -= 1
            items[j] = item
        low = high
    while block < count:
        low = 0
        while low + block < count:
            middle, high = low + block, min(low + 2 * block, count)
            if before(items[middle - 1], items[middle], documents):
                memcpy(spare, items + low, block * sizeof(Item))
                i, j, k = 0, middle, low
                while i < block and j < high:
                    if before(spare[i], items[j], documents):
                        items[k] = items[j]
                        j += 1
                    else:
                        items[k] = spare[i]
                        i += 1
                    k += 1
                memcpy(items + k, spare + i, (block - i) * sizeof(Item))
            low = high
        block *= 2


def rank(const int64_t[::1] topic, int64_t topics, const double[::1] key, const uint8_t[::1] buffer,
         const int64_t[::1] start, const int64_t[::1] length):
    """Rows by topic, then key and, where a buffer is given, document from high to low; None where they are so already.

    With them where each list begins.
    """
    cdef int64_t rows = topic.shape[0], i, low, high, longest = 0, number
    begin = np.zeros(topics + 1, dtype=np.int64)
    cdef int64_t[::1] begins = begin
    cdef Strings documents
    documents.buffer, documents.start, documents.length = NULL, NULL, NULL
    if rows == 0:
        return None, begin
    if buffer is not None:
        documents.buffer, documents.start, documents.length = &buffer[0], &start[0], &length[0]
    if key.shape[0] != rows or (buffer is not None and (start.shape[0] != rows or length.shape[0] != rows)):
        raise ValueError("columns of different lengths")
    cdef bint sorted_already = True, numbered = True
    cdef Item here, there
    with nogil:
        for i in range(rows):  # whoever builds a table by hand may get this wrong, and here it would hit other memory
            numbered &= 0 <= topic[i] and topic[i] < topics
    if not numbered:
        raise IndexError("a row has a topic that does not exist")
    with nogil:
        there.key, there.row = key[0], 0
        begins[topic[0] + 1] += 1
        for i in range(1, rows):
            here = there
            there.key, there.row = key[i], i
            begins[topic[i] + 1] += 1
            if topic[i] < topic[i - 1] or (topic[i] == topic[i - 1] and before(here, there, &documents)):
                sorted_already = False
        for i in range(topics):
            longest = max(longest, begins[i + 1])
            begins[i + 1] += begins[i]
    if sorted_already:
        return None, begin
    row = np.empty(rows, dtype=np.int64)
    cdef int64_t[::1] row_of = row
    cdef Item *items = <Item *>PyMem_RawMalloc(longest * sizeof(Item))
    cdef Item *spare = <Item *>PyMem_RawMalloc(longest * sizeof(Item))
    cdef int64_t *place = <int64_t *>PyMem_RawMalloc((topics + 1) * 8)
    if items == NULL or spare == NULL or place == NULL:
        PyMem_RawFree(items)
        PyMem_RawFree(spare)
        PyMem_RawFree(place)
        raise MemoryError
    with nogil:
        memcpy(place, &begins[0], topics * 8)
        for i in range(rows):
            number = topic[i]
            row_of[place[number]] = i
            place[number] += 1
        for number in range(topics):
            low, high = begins[number], begins[number + 1]
            for i in range(low, high):
                items[i - low].key, items[i - low].row = key[row_of[i]], row_of[i]
            sort(items, spare, high - low, &documents)
            for i in range(low, high):
                row_of[i] = items[i - low].row
    PyMem_RawFree(items)
    PyMem_RawFree(spare)
    PyMem_RawFree(place)
    return row, begin


def repeats(const int64_t[::1] row, const int64_t[::1] begin, const uint64_t[::1] code):
    """Whether two documents of one list have the same hash (`row` may be None: rows in order)."""
    cdef int64_t lists = begin.shape[0] - 1, number, i, longest = 0, size = 16, place
    cdef uint64_t value
    cdef bint found = False
    for number in range(lists):
        longest = max(longest, begin[number + 1] - begin[number])
    while size < 2 * longest:
        size *= 2
    cdef uint64_t *slot = <uint64_t *>PyMem_RawMalloc(size * 8)
    cdef int64_t *owner = <int64_t *>PyMem_RawCalloc(size, 8)  # the list that filled a slot, + 1: nothing is cleared
    if slot == NULL or owner == NULL:
        PyMem_RawFree(slot)
        PyMem_RawFree(owner)
        raise MemoryError
    cdef bint identity = row is None
    with nogil:
        for number in range(lists):
            for i in range(begin[number], begin[number + 1]):
                value = code[i] if identity else code[row[i]]
                place = value & (size - 1)
                while owner[place] == number + 1:
                    if slot[place] == value:
                        found = True
                        break
                    place = (place + 1) & (size - 1)
                if found:
                    break
                slot[place] = value
                owner[place] = number + 1
            if found:
                break
    PyMem_RawFree(slot)
    PyMem_RawFree(owner)
    return found


def ties(const int64_t[::1] row, const int64_t[::1] begin, const double[::1] key, int64_t cutoff):
    """Groups of equal keys, those that reach across the cut-off, and neighbours equal in single precision only."""
    cdef int64_t lists = begin.shape[0] - 1, number, i, groups = 0, across = 0, single = 0
    cdef double here, there
    cdef bint identity = row is None, inside
    with nogil:
        for number in range(lists):
            if begin[number] == begin[number + 1]:
                continue
            inside = False
            there = key[begin[number]] if identity else key[row[begin[number]]]
            for i in range(begin[number] + 1, begin[number + 1]):
                here = there
                there = key[i] if identity else key[row[i]]
                if here == there:
                    groups += not inside
                    across += i - begin[number] == cutoff
                elif <float>here == <float>there:
                    single += 1
                inside = here == there
    return groups, across, single


# --- find ------------------------------------------------------------------------------------------------------------

def table(const uint64_t[::1] key, const int64_t[::1] topic, int64_t topics, const int64_t[::1] start,
          const int64_t[::1] length):
    """Open hash tables of different keys, one for each topic: where each begins; then the slots.

    A slot holds a key, its place + 1, and where its document stands in the buffer. A list is looked up in the table
    of its topic alone, which is small enough to stay near the processor.
    """
    cdef int64_t count = key.shape[0], number, i, place, size
    begin = np.zeros(topics + 1, dtype=np.int64)
    cdef int64_t[::1] begins = begin
    with nogil:
        for i in range(count):
            begins[topic[i] + 1] += 1
        for number in range(topics):
            size = 1
            while begins[number + 1] and size < 2 * begins[number + 1]:
                size *= 2
            begins[number + 1] = begins[number] + size
    slots = np.zeros((begin[topics], 4), dtype=np.uint64)
    cdef uint64_t[:, ::1] slot = slots
    with nogil:
        for i in range(count):
            number = begins[topic[i]]
            size = begins[topic[i] + 1] - number
            place = key[i] & (size - 1)
            while slot[number + place, 1]:
                place = (place + 1) & (size - 1)
            slot[number + place, 0] = key[i]
            slot[number + place, 1] = i + 1
            slot[number + place, 2] = start[i]
            slot[number + place, 3] = length[i]
    return begin, slots


def find(const int64_t[::1] table_begin, const uint64_t[:, ::1] slot, const uint8_t[::1] judged_buffer,
         const int64_t[::1] row, const int64_t[::1] begin, const int64_t[::1] topic_of, const uint64_t[::1] code,
         const uint8_t[::1] buffer, const int64_t[::1] start, const int64_t[::1] length):
    """Positions in the rankings that are judged, their ranks, and the places of their judgments.

    `topic_of` gives each list the number of its topic among the judgments, or -1; `row` may be None: rows in order.
    """
    cdef int64_t lists = begin.shape[0] - 1, number, i, here, place, first, mask, total = 0, count = 0
    cdef uint64_t salt, wanted
    cdef bint identity = row is None
    for number in range(lists):
        if topic_of[number] >= 0:
            total += begin[number + 1] - begin[number]
    position, ranks, places = np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int64)
    cdef int64_t[::1] position_of = position, rank_of = ranks, place_of = places
    with nogil:
        for number in range(lists):
            if topic_of[number] < 0:
                continue
            first = table_begin[topic_of[number]]
            mask = table_begin[topic_of[number] + 1] - first - 1
            salt = <uint64_t>topic_of[number] * SECOND
            for i in range(begin[number], begin[number + 1]):
                here = i if identity else row[i]
                wanted = code[here] ^ salt
                place = wanted & mask
                while slot[first + place, 1]:
                    if slot[first + place, 0] == wanted:
                        # equal keys are equal documents but for one in 10^19; here nobody has to believe that
                        if same(&buffer[0] + start[here], length[here],
                                &judged_buffer[0] + slot[first + place, 2], slot[first + place, 3]):
                            position_of[count] = i
                            rank_of[count] = i - begin[number] + 1
                            place_of[count] = slot[first + place, 1] - 1
                            count += 1
                        break
                    place = (place + 1) & mask
    return position[:count].copy(), ranks[:count].copy(), places[:count].copy()
