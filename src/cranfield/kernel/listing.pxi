# The list of one topic: taken out of its dictionary, and put in order.

cdef int SHORT = 128  # documents; longer lists are sorted by digits
cdef uint64_t TOP = <uint64_t>1 << 63


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


ctypedef bint Rule


cdef inline bint before(Item here, Item there, Rule by_document) noexcept nogil:
    """Whether `there` must stand before `here`."""
    return PyUnicode_Compare(there.document, here.document) > 0 if by_document else there.score > here.score


include "sort.pxi"


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
