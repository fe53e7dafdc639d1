# Order keys.

cdef enum:
    BITS = 11  # of a key at a time: the counts of all digits stay near the processor
    VALUES = 2048  # of such a digit
    DIGITS = 6  # of 64 bits


def ascending(const uint64_t[::1] key):
    """The rows in which the keys ascend, equal ones as they stand: digit by digit, from the lowest to the highest."""
    cdef int64_t rows = key.shape[0], i, digit, value, before, here
    order, spare = np.arange(rows), np.empty(rows, dtype=np.int64)
    counts = np.zeros((DIGITS, VALUES), dtype=np.int64)
    cdef int64_t[:, ::1] count = counts
    cdef int64_t[::1] source = order, target = spare
    with nogil:
        for i in range(rows):
            for digit in range(DIGITS):
                count[digit, (key[i] >> (BITS * digit)) & (VALUES - 1)] += 1
        for digit in range(DIGITS):
            if rows == 0 or count[digit, (key[0] >> (BITS * digit)) & (VALUES - 1)] == rows:
                continue  # a digit that all keys share
            before = 0
            for value in range(VALUES):
                here = count[digit, value]
                count[digit, value] = before
                before += here
            for i in range(rows):
                value = (key[source[i]] >> (BITS * digit)) & (VALUES - 1)
                target[count[digit, value]] = source[i]
                count[digit, value] += 1
            source, target = target, source
    return np.asarray(source)
