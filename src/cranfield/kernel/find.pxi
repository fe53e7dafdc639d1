# Find the judged documents.

cdef uint64_t SALT = 0xD6E8FEB86659FD93  # as in `cranfield.strings.pair_key`
cdef uint64_t UPPER = 0xFFFFFFFF00000000


def table(const uint64_t[::1] key, const int64_t[::1] topic, int64_t topics, const int64_t[::1] start):
    """Open hash tables of different keys, one for each topic: where each begins, a sieve for it, and the slots.

    A sieve is a word with a bit for the upper end of every key: where few documents are judged, it keeps most others
    from being looked up. A slot holds half a key with the place + 1 of its judgment, and where the document stands in
    its buffer. A list is looked up in the table of its topic alone, which is small enough to stay near the processor.
    """
    cdef int64_t count = key.shape[0], number, i, place, size
    cdef bint numbered = True
    if count >= 0xFFFFFFFF:
        raise OverflowError("more judgments than a table can hold")
    begin = np.zeros(topics + 1, dtype=np.int64)
    cdef int64_t[::1] begins = begin
    with nogil:
        for i in range(count):
            if topic[i] < 0 or topic[i] >= topics:
                numbered = False
                break
            begins[topic[i] + 1] += 1
        for number in range(topics):
            size = 1
            while begins[number + 1] and size < 2 * begins[number + 1]:
                size *= 2
            begins[number + 1] = begins[number] + size
    if not numbered:  # as in `rank`
        raise IndexError("a judgment has a topic that does not exist")
    sieve, slots = np.zeros(topics, dtype=np.uint64), np.zeros((begin[topics], 2), dtype=np.uint64)
    cdef uint64_t[::1] sieve_of = sieve
    cdef uint64_t[:, ::1] slot = slots
    with nogil:
        for i in range(count):
            sieve_of[topic[i]] |= <uint64_t>1 << (key[i] >> 58)
            number = begins[topic[i]]
            size = begins[topic[i] + 1] - number
            place = key[i] & (size - 1)
            while slot[number + place, 0]:
                place = (place + 1) & (size - 1)
            slot[number + place, 0] = key[i] & UPPER | <uint64_t>(i + 1)
            slot[number + place, 1] = start[i]
    return begin, sieve, slots


def find(const int64_t[::1] table_begin, const uint64_t[::1] sieve, const uint64_t[:, ::1] slot,
         const uint8_t[::1] judged_buffer, const int64_t[::1] judged_length,
         const int64_t[::1] row, const int64_t[::1] begin, const int64_t[::1] topic_of, const uint64_t[::1] code,
         const uint8_t[::1] buffer, const int64_t[::1] start, const int64_t[::1] length):
    """Positions in the rankings that are judged, their ranks, and the places of their judgments.

    `topic_of` gives each list the number of its topic among the judgments, or -1; `row` may be None: rows in order.
    """
    cdef int64_t lists = begin.shape[0] - 1, number, i, here, place, first, mask, total = 0, count = 0, judgment
    cdef uint64_t salt, wanted, sieved, held
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
            sieved = sieve[topic_of[number]]
            salt = <uint64_t>topic_of[number] * SALT
            for i in range(begin[number], begin[number + 1]):
                if i + 8 < begin[number + 1]:
                    here = i + 8 if identity else row[i + 8]
                    ahead(&slot[first + ((code[here] ^ salt) & mask), 0])
                here = i if identity else row[i]
                wanted = code[here] ^ salt
                if not sieved >> (wanted >> 58) & 1:
                    continue
                place = wanted & mask
                while True:
                    held = slot[first + place, 0]
                    if not held:
                        break
                    if (held ^ wanted) & UPPER == 0:
                        judgment = <int64_t>(held & ~UPPER) - 1
                        if same(&buffer[0] + start[here], length[here],
                                &judged_buffer[0] + slot[first + place, 1], judged_length[judgment]):
                            position_of[count] = i
                            rank_of[count] = i - begin[number] + 1
                            place_of[count] = judgment
                            count += 1
                            break
                    place = (place + 1) & mask
    return position[:count].copy(), ranks[:count].copy(), places[:count].copy()
