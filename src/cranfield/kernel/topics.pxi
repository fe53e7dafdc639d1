# The topics of a file, numbered as they appear.

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
