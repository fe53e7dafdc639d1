# Rank inside topics; look for repeats and ties.

cdef struct Item:
    double key
    int64_t row


cdef struct Strings:
    const uint8_t *buffer
    const int64_t *start
    const int64_t *length


ctypedef Strings *Rule


cdef inline bint before(Item here, Item there, Rule documents) noexcept nogil:
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


include "sort.pxi"


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
        there.key, there.row = key[0], 0
        number = topic[0]
        for i in range(rows):
            here = there
            there.key, there.row = key[i], i
            if topic[i] < 0 or topic[i] >= topics:
                numbered = False
                break
            begins[topic[i] + 1] += 1
            if topic[i] < number or (topic[i] == number and before(here, there, &documents)):
                sorted_already = False
            number = topic[i]
        for i in range(topics):
            longest = max(longest, begins[i + 1])
            begins[i + 1] += begins[i]
    if not numbered:  # whoever builds a table by hand may get this wrong, and here it would hit other memory
        raise IndexError("a row has a topic that does not exist")
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
    """Whether two documents of one list have hashes that differ in the last bit at most: then they may be the same.

    `row` may be None: rows in order.
    """
    cdef int64_t lists = begin.shape[0] - 1, number, i, longest = 0, size = 16, place
    cdef uint64_t value
    cdef bint found = False, identity = row is None
    for number in range(lists):
        longest = max(longest, begin[number + 1] - begin[number])
    while size < 4 * longest:
        size *= 2
    cdef uint64_t *slot = <uint64_t *>PyMem_RawMalloc(size * 8)
    if slot == NULL:
        raise MemoryError
    with nogil:
        for number in range(lists):
            size = 16
            while size < 4 * (begin[number + 1] - begin[number]):
                size *= 2
            memset(slot, 0, size * 8)
            for i in range(begin[number], begin[number + 1]):
                value = (code[i] if identity else code[row[i]]) | 1  # zero is an empty slot
                place = (value >> 8) & (size - 1)
                while slot[place] and slot[place] != value:
                    place = (place + 1) & (size - 1)
                found |= slot[place] == value
                slot[place] = value
    PyMem_RawFree(slot)
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
