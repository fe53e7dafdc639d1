# Decimal numerals, correctly rounded.

cdef uint64_t EXACT = 1 << 53  # whole numbers up to here are doubles
cdef int64_t ENDLESS = 64  # characters; numerals are shorter, or are read elsewhere
cdef double[23] POWER = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
                         1e17, 1e18, 1e19, 1e20, 1e21, 1e22]


cdef bint by_library(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """Read a numeral by the C library, which a locale can keep from understanding the point; then False."""
    cdef char[64] text  # shorter than ENDLESS, with a zero behind
    cdef char *stopped
    memcpy(text, at, end - at)
    text[end - at] = 0
    value[0] = strtod(text, &stopped)
    return stopped == text + (end - at)


cdef inline bint scaled(uint64_t mantissa, int exponent, bint negative, double *value) noexcept nogil:
    """The number from its digits; False where its last bit cannot be told so."""
    cdef double size
    if DIRECT and mantissa <= EXACT and exponent >= -22 and exponent <= 22:  # both exact: one rounding
        size = <double><int64_t>mantissa
        size = size / POWER[-exponent] if exponent < 0 else size * POWER[exponent]
    elif not rounded(mantissa, exponent, &size):
        return False
    value[0] = -size if negative else size
    return True


cdef bint spelt(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """Read any numeral, digit by digit; False for infinities, endless numerals, and what is no number."""
    cdef const uint8_t *begin = at
    cdef uint64_t mantissa = 0
    cdef int exponent = 0, written = 0, digits = 0
    cdef bint negative = False, down
    cdef uint8_t digit
    if end - at >= ENDLESS:
        return False
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
    if digits <= 19 and scaled(mantissa, exponent, negative, value):  # nineteen digits fit a machine word
        return True
    return by_library(begin, end, value)


cdef inline bint number(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """The same; short ones, as nearly all are, at once."""
    cdef bint negative = at[0] == b'-'
    cdef int exponent
    cdef int64_t mantissa = digits_of(at + negative, end - at - negative, &exponent)
    return (mantissa >= 0 and scaled(mantissa, exponent, negative, value)) or spelt(at, end, value)


cdef inline bint whole(const uint8_t *at, const uint8_t *end, double *value) noexcept nogil:
    """The same for digits alone, behind a sign: 1.0 and 1e2 are not spelt as whole numbers."""
    cdef const uint8_t *digit = at + (at[0] == b'-' or at[0] == b'+')
    while digit < end and b'0' <= digit[0] and digit[0] <= b'9':
        digit += 1
    return digit == end and number(at, end, value)
