# The judged documents of all topics, as objects of Python.

cdef int WIDE = 8  # words of eight bytes
cdef uint64_t LOW = (<uint64_t>1 << 32) - 1


cdef struct Topic:  # its judgments, and an open hash table of them
    int64_t size
    PyObject **document
    int64_t *place
    uint64_t mask
    uint64_t *slot  # the upper half of a hash, and the number of the document + 1; 0 where it is free
    int64_t width  # of the documents' bytes one after the other; 0 where they are too long for that, or not ASCII
    char *text


cdef class Judged:
    """The judged documents of all topics, ready to be looked up.

    Args:
        topics: the judged topics.
        begin: where the documents of each topic begin, and where the last ones end.
        place: for each document, topic by topic, the place of its judgment.
        buffer, start, length: the documents' bytes.
    """

    cdef dict number
    cdef list documents  # which stay alive here
    cdef object memory
    cdef Topic *topic

    def __init__(self, topics, const int64_t[::1] begin, const int64_t[::1] place,
                 const uint8_t[::1] buffer, const int64_t[::1] start, const int64_t[::1] length):
        cdef int64_t count = len(topics), number, i, size, width, words = 0
        cdef PyObject *document
        cdef Topic *topic
        cdef const char *bytes_at = <const char *>&buffer[0]
        self.number = {name: i for i, name in enumerate(topics)}
        self.documents = [
            PyUnicode_DecodeUTF8(bytes_at + start[i], length[i], b"surrogateescape") for i in range(place.shape[0])
        ]
        for number in range(count):
            size, width = begin[number + 1] - begin[number], 0
            for i in range(begin[number], begin[number + 1]):
                width = max(width, width_of(PyList_GET_ITEM(<PyObject *>self.documents, i)))
            words += sizeof(Topic) // 8 + size * (2 + (width if width <= WIDE else 0)) + room_for(size)
        self.memory = np.zeros(words + 1, np.int64)
        cdef int64_t[::1] memory = self.memory
        cdef int64_t *free = &memory[0]
        self.topic = <Topic *>free
        free += count * sizeof(Topic) // 8
        for number in range(count):
            topic = &self.topic[number]
            topic.size = size = begin[number + 1] - begin[number]
            topic.document, topic.place, topic.slot = <PyObject **>free, free + size, <uint64_t *>(free + 2 * size)
            topic.mask = room_for(size) - 1
            free += 2 * size + topic.mask + 1
            for i in range(size):
                document = PyList_GET_ITEM(<PyObject *>self.documents, begin[number] + i)
                topic.document[i], topic.place[i] = document, place[begin[number] + i]
                topic.width = max(topic.width, width_of(document))
                enter(topic, PyObject_Hash(document), i + 1)
            topic.width = 8 * topic.width if topic.width <= WIDE else 0
            topic.text = <char *>free
            for i in range(size if topic.width else 0):
                copy_ascii(topic.document[i], topic.text + i * topic.width)
            free += size * topic.width // 8


cdef inline int64_t room_for(int64_t documents) noexcept:
    """Slots of a table that stays half empty."""
    cdef int64_t size = 2
    while size < 2 * documents:
        size *= 2
    return size


cdef inline void enter(Topic *topic, uint64_t code, int64_t number) noexcept:
    cdef uint64_t at = code & topic.mask
    while topic.slot[at]:
        at = (at + 1) & topic.mask
    topic.slot[at] = code >> 32 << 32 | number


cdef inline int64_t place_of(Topic *topic, PyObject *document, uint64_t code) noexcept:
    """The place of a judgment + 1; 0 if there is none."""
    cdef uint64_t at = code & topic.mask
    cdef int64_t number
    while topic.slot[at]:
        if topic.slot[at] >> 32 == code >> 32:
            number = <int64_t>(topic.slot[at] & LOW) - 1
            if is_ascii_of(document, topic.text + number * topic.width, topic.width) if topic.width else same(
                    document, topic.document[number]):
                return topic.place[number] + 1
        at = (at + 1) & topic.mask
    return 0
