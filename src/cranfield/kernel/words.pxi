# Strings as machine words.

cdef extern from "words.h":
    bint DIRECT
    void ahead(const void *address) nogil  # fetch early what is looked at later
    int first_bit(uint64_t word) nogil
    uint64_t small_bytes(const uint8_t *at) nogil
    bint repeated(const uint8_t *here, const uint8_t *there, int64_t width) nogil
    uint64_t hashed(const uint8_t *at, int64_t length) nogil
    int64_t digits_of(const uint8_t *at, int64_t width, int *exponent) nogil
    bint rounded(uint64_t mantissa, int exponent, double *value) nogil

cdef int64_t LONG = 256  # bytes; longer strings are hashed in Python


cdef inline bint same(const uint8_t *here, int64_t width, const uint8_t *there, int64_t its_width) noexcept nogil:
    return width == its_width and repeated(here, there, width)


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
