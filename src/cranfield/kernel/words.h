/* What the scan does with machine words, for every compiler; all of it is inline. */

#ifndef CRANFIELD_WORDS_H
#define CRANFIELD_WORDS_H

#if defined(__GNUC__)
#define ahead(address) __builtin_prefetch(address)
#else
#define ahead(address) ((void)0)
#endif

#include <float.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#define INLINE static __forceinline
INLINE int first_bit(uint64_t word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
#else /* GCC and all that understand its words */
#define INLINE static inline __attribute__((always_inline))
INLINE int first_bit(uint64_t word) { return __builtin_ctzll(word); }
#endif

/* Eight bytes from anywhere. */
INLINE uint64_t load(const uint8_t *at) { uint64_t word; memcpy(&word, at, 8); return word; }

/* The first bytes of a word, one to eight of them; zeros behind. */
INLINE uint64_t kept(uint64_t word, int64_t bytes) { return word & (uint64_t)-1 >> 8 * (8 - bytes); }

/* Whether so many bytes are the same. */
INLINE int repeated(const uint8_t *here, const uint8_t *there, int64_t width) {
    for (; width > 8; here += 8, there += 8, width -= 8) if (load(here) != load(there)) return 0;
    return width == 0 || kept(load(here) ^ load(there), width) == 0;
}

/* The hash of `Text.hash`: the words of the string, zero beyond its end. */
INLINE uint64_t hashed(const uint8_t *at, int64_t length) {
    const uint64_t mix = 0x9E3779B97F4A7C15ULL, second = 0xD6E8FEB86659FD93ULL;
    uint64_t mixed = (uint64_t)length * mix, word, value;
    for (; length > 0; at += 8, length -= 8) {
        word = length < 8 ? kept(load(at), length) : load(at);
        value = (mixed ^ word) * mix;
        mixed = (value ^ value >> 29) + (word ^ word >> 31) * second;
    }
    return mixed ^ mixed >> 32;
}

/* Which of 64 bytes are blanks or control characters: a bit for each. */
#if defined(__SSE2__)
#include <emmintrin.h>
INLINE uint64_t small_bytes(const uint8_t *at) {
    const __m128i top = _mm_set1_epi8(32);
    uint64_t bits = 0;
    int part;
    for (part = 3; part >= 0; part--) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
        bits = bits << 16 | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, top), bytes));
    }
    return bits;
}
#else
INLINE uint64_t small_bytes(const uint8_t *at) {
    uint64_t bits = 0, word;
    int part;
    for (part = 7; part >= 0; part--) {
        word = load(at + 8 * part);
        word = ~(((word & 0x7F7F7F7F7F7F7F7FULL) + 0x5F5F5F5F5F5F5F5FULL) | word) & 0x8080808080808080ULL;
        bits = bits << 8 | (word >> 7) * 0x0102040810204080ULL >> 56;
    }
    return bits;
}
#endif

/* The number that so many digits spell, one to eight of them; -1 if one is no digit. */
INLINE int64_t eight_digits(uint64_t word, int64_t digits) {
    const int64_t unused = 8 * (8 - digits);
    word = word << unused ^ 0x3030303030303030ULL << unused; /* leading bytes are zeros now */
    if (((word + 0x7676767676767676ULL) | word) & 0x8080808080808080ULL) return -1;
    word = word * 10 + (word >> 8);
    return (int64_t)(((word & 0x000000FF000000FFULL) * 0x000F424000000064ULL
        + ((word >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL) >> 32);
}

/* Up to sixteen characters, digits and perhaps a point among the first eight, as digits and a power of ten; -1 for
   whatever else. */
INLINE int64_t digits_of(const uint8_t *at, int64_t width, int *exponent) {
    static const int64_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    uint64_t low, high = 0, other, point;
    int64_t mantissa, more;
    *exponent = 0;
    if (width < 1 || width > 16) return -1;
    low = load(at);
    if (width > 8) high = kept(load(at + 8), width - 8);
    else low = kept(low, width);
    other = low ^ 0x2E2E2E2E2E2E2E2EULL;
    point = (other - 0x0101010101010101ULL) & ~other & 0x8080808080808080ULL;
    if (point) { /* leave it out */
        const int before = first_bit(point) >> 3;
        const uint64_t below = ((uint64_t)1 << 8 * before) - 1;
        low = (low & below) | (low >> 8 & ~below) | high << 56;
        high >>= 8;
        width -= 1;
        *exponent = before - (int)width;
        if (width == 0) return -1;
    }
    if (width <= 8) return eight_digits(low, width);
    mantissa = eight_digits(low, 8);
    more = eight_digits(high, width - 8);
    return mantissa < 0 || more < 0 ? -1 : mantissa * power[width - 8] + more;
}

/* Whether a quotient of doubles is rounded to double at once, and not to extended precision first. */
#define DIRECT (FLT_EVAL_METHOD == 0)

/* A quotient in extended precision, rounded once more to double, is right unless it lies next to the middle between
   two doubles. Returns 0 where that cannot be told. */
#if LDBL_MANT_DIG == 64
INLINE int rounded(uint64_t mantissa, int exponent, double *value) {
    static const long double power[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L,
        1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    long double extended = (long double)mantissa;
    uint64_t bits;
    if (exponent < -27 || exponent > 27) return 0;
    extended = exponent < 0 ? extended / power[-exponent] : extended * power[exponent];
    memcpy(&bits, &extended, 8);
    bits &= 2047;
    if (bits >= 1022 && bits <= 1026) return 0;
    *value = (double)extended;
    return 1;
}
#else
INLINE int rounded(uint64_t mantissa, int exponent, double *value) { return 0; }
#endif

#endif
