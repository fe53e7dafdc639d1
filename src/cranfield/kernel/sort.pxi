# Stable merge sort. The file that includes it defines `Item`, `Rule` and `before(here, there, rule)`.

cdef void sort(Item *items, Item *spare, int64_t count, Rule rule) noexcept nogil:
    """From high to low: blocks by insertion, then merges that stop where two halves are in order already."""
    cdef int64_t block = 16, low, middle, high, i, j, k
    cdef Item item
    low = 0
    while low < count:
        high = min(low + block, count)
        for i in range(low + 1, high):
            item = items[i]
            j = i
            while j > low and before(items[j - 1], item, rule):
                items[j] = items[j - 1]
                j -= 1
            items[j] = item
        low = high
    while block < count:
        low = 0
        while low + block < count:
            middle, high = low + block, min(low + 2 * block, count)
            if before(items[middle - 1], items[middle], rule):
                memcpy(spare, items + low, block * sizeof(Item))
                i, j, k = 0, middle, low
                while i < block and j < high:
                    if before(spare[i], items[j], rule):
                        items[k] = items[j]
                        j += 1
                    else:
                        items[k] = spare[i]
                        i += 1
                    k += 1
                memcpy(items + k, spare + i, (block - i) * sizeof(Item))
            low = high
        block *= 2
