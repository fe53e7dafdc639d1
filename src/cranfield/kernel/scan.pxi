# Scan a file of white-space separated columns. Whatever is unusual (a line with other columns, a word that is no
# number) ends the scan: the exact reader in NumPy then reads the file again and words the error.

cdef enum Kind:  # as in cranfield.kernel
    SKIP = 0
    TOPIC = 1
    TEXT = 2
    NUMBER = 3
    CONSTANT = 4
    WHOLE = 5


cdef struct Column:
    int kind
    const uint8_t *constant  # the first token of a column in which all should be equal
    int64_t constant_width
    bint varies
    int64_t *start
    int64_t *length
    uint64_t *hash
    double *number


cdef struct Scan:
    const uint8_t *first
    int64_t size
    int columns
    Column[16] column
    int64_t row
    int64_t *line_of  # the line of each row, once a line was skipped
    bint skipped
    int64_t *topic_of
    Topics topics
    const uint8_t *last_topic
    int64_t last_width
    int64_t last_number
    bint plain
    bint long_text
    bint scattered  # a topic has come back
    # Most lines begin and end as the line before: with the same topic, with the same tag.
    int lead  # columns at the beginning, up to the first that differs
    int tail  # and at the end, from here on
    int64_t lead_begin  # their bytes in the last line that was read as a whole
    int64_t lead_width
    int64_t tail_begin
    int64_t tail_width


cdef inline bint blank(uint8_t byte) noexcept nogil:
    return byte == 32 or (9 <= byte and byte <= 13)


cdef inline uint64_t separators(const uint8_t *at, int64_t left) noexcept nogil:
    """`small_bytes`, also of fewer bytes; an unfinished last line gets an end."""
    cdef uint8_t[64] rest
    if left >= 64:
        return small_bytes(at)
    memset(rest, 255, 64)
    memcpy(rest, at, left)
    rest[left] = 10
    return small_bytes(rest)


cdef int64_t lines(const uint8_t *at, int64_t size, bint *plain) noexcept nogil:
    """How many lines there are, the last of which may lack its newline; and whether all bytes are ASCII, none zero."""
    cdef int64_t count = size > 0 and at[size - 1] != 10, begin, i
    cdef uint8_t few, odd = 0
    for begin in range(0, size - 239, 240):  # few enough for a byte to count: the compiler takes many at once
        few = 0
        for i in range(240):
            few += at[begin + i] == 10
            odd |= at[begin + i] | <uint8_t>(at[begin + i] - 1)
        count += few
    for i in range(size - size % 240, size):
        count += at[i] == 10
        odd |= at[i] | <uint8_t>(at[i] - 1)
    plain[0] = odd < 128
    return count


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
    key = key, kind  # another file may have other columns
    if key not in room or len(room[key]) < rows:
        room[key] = np.empty(rows + rows // 4, kind)
    return room[key]


cdef inline bint take(Scan *scan, Column *column, int64_t begin, int64_t end) noexcept nogil:
    """Note a token of the present row; False if it is not what the column asks for."""
    cdef const uint8_t *word = scan.first + begin
    cdef int64_t width = end - begin, row = scan.row
    if column.kind == TEXT:
        column.start[row] = begin
        column.length[row] = width
        column.hash[row] = hashed(word, width)
        scan.long_text |= width > LONG
    elif column.kind == NUMBER:
        return number(word, word + width, &column.number[row])
    elif column.kind == WHOLE:
        return whole(word, word + width, &column.number[row])
    elif column.kind == TOPIC:
        if not same(word, width, scan.last_topic, scan.last_width):
            scan.last_topic, scan.last_width = word, width
            scan.last_number = topic_number(&scan.topics, word, width)
            scan.scattered |= scan.last_number < scan.topics.count - 1
        scan.topic_of[row] = scan.last_number
        return scan.last_number >= 0
    elif column.kind == CONSTANT:
        if row == 0:
            column.constant, column.constant_width = word, width
        elif not same(word, width, column.constant, column.constant_width):
            column.varies = True
    return True


cdef bint line_alike(Scan *scan, int64_t *position) noexcept nogil:
    """Read a line that begins and ends as the one before, looking only at what is between; False if this is none."""
    cdef const uint8_t *first = scan.first
    cdef int64_t begin = position[0] + scan.lead_width, base = begin, here = begin
    cdef uint64_t bits
    cdef int found, last = scan.tail - 1
    if scan.size - begin <= 64 + scan.tail_width or not repeated(
            first + position[0], first + scan.lead_begin, scan.lead_width):
        return False
    scan.topic_of[scan.row] = scan.last_number
    bits = small_bytes(first + base)
    for found in range(scan.lead, last + 1):
        if bits == 0:
            return False
        here = base + first_bit(bits)
        bits &= bits - 1
        if here == begin or (found < last and first[here] != 32 and first[here] != 9):
            return False
        if scan.column[found].kind and not take(scan, &scan.column[found], begin, here):
            return False
        begin = here + 1
    if not repeated(first + here, first + scan.tail_begin, scan.tail_width):
        return False
    position[0] = here + scan.tail_width
    return True


cdef int any_line(Scan *scan, int64_t *position) noexcept nogil:
    """Read a line token by token: how many it has, not counting those of a comment; -1 if one is wrong."""
    cdef const uint8_t *first = scan.first
    cdef int64_t begin = position[0], base = begin, here, size = scan.size
    cdef uint64_t bits = separators(first + base, size - base)
    cdef uint8_t byte = 0
    cdef int found = 0
    cdef bint comment = first[begin] == b'#'
    while byte != 10:
        while bits == 0:
            base += 64
            bits = separators(first + base, size - base)
        here = base + first_bit(bits)
        bits &= bits - 1
        byte = first[here] if here < size else 10
        if not blank(byte):
            continue
        if here > begin and not comment:
            if found == scan.lead:
                scan.lead_begin, scan.lead_width = position[0], begin - position[0]
            if found == scan.columns or not take(scan, &scan.column[found], begin, here):
                return -1
            found += 1
            if found == scan.tail:
                scan.tail_begin = here
        begin = here + 1
    if found:  # else the line is blank, or a comment
        scan.tail_width = begin - scan.tail_begin
    position[0] = begin
    return found


cdef bint all_lines(Scan *scan) noexcept nogil:
    """Read all lines; False if one is not as expected."""
    cdef int64_t position = 0, line = 0, row
    cdef int patience = 64, found
    while position < scan.size:
        line += 1
        if scan.lead_width and line_alike(scan, &position):
            patience = min(patience + 1, 64)
        else:
            patience = max(patience - 1, 0)
            if patience == 0:
                scan.lead = -1  # lines are spaced, or topics change, so that looking for what is alike does not pay
                scan.lead_width = 0
            found = any_line(scan, &position)
            if found == 0 and not scan.skipped:
                scan.skipped = True
                for row in range(scan.row):
                    scan.line_of[row] = row + 1
            if found == 0:
                continue
            if found != scan.columns:
                return False
        if scan.skipped:
            scan.line_of[scan.row] = line
        scan.row += 1
    return scan.row > 0


def scan(const uint8_t[::1] buffer, int64_t size, kinds, room=None):
    """Columns of the kinds asked for, or None where a line or a word is not as expected.

    They are: the topics; the topic of each row; by column what its kind makes of it; the line of each row, None where
    that is its number; whether a string is longer than `hashes` can do; whether all bytes are ASCII, and none is zero;
    whether the rows of each topic stand together. With a dictionary as `room` the arrays are kept in it and used again
    by the next scan: touching new memory would cost more than scanning.
    """
    cdef Scan scan
    memset(&scan, 0, sizeof(scan))
    scan.first, scan.size, scan.columns, scan.last_width = &buffer[0], size, len(kinds), -1
    cdef int64_t capacity = lines(scan.first, size, &scan.plain)
    cdef Column *one
    cdef bint regular
    if scan.columns > 16 or capacity == 0:
        return None
    made = [None] * scan.columns
    for number_of, kind in enumerate(kinds):
        one = &scan.column[number_of]
        one.kind = kind
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
    scan.topic_of, scan.line_of = ints(topic), ints(line)
    scan.tail = scan.columns
    while scan.lead < scan.columns and scan.column[scan.lead].kind in (SKIP, TOPIC, CONSTANT):
        scan.lead += 1
    while scan.tail > scan.lead and scan.column[scan.tail - 1].kind in (TOPIC, CONSTANT):
        scan.tail -= 1
    with nogil:
        regular = all_lines(&scan)
    try:
        if not regular:
            return None
        names = [scan.topics.name[i][: scan.topics.length[i]] for i in range(scan.topics.count)]
    finally:
        topics_free(&scan.topics)
    for number_of in range(scan.columns):
        one = &scan.column[number_of]
        if one.kind == TEXT:
            start, length, hash_ = made[number_of]
            made[number_of] = start[: scan.row], length[: scan.row], hash_[: scan.row]
        elif one.kind == NUMBER or one.kind == WHOLE:
            made[number_of] = made[number_of][: scan.row]
        elif one.kind == CONSTANT and not one.varies:
            made[number_of] = one.constant[: one.constant_width]
    numbered = line[: scan.row] if scan.skipped else None
    return names, topic[: scan.row], made, numbered, scan.long_text, scan.plain, not scan.scattered
