/* What is asked of single objects of Python: ids and numbers; all of it is inline. */

#ifndef CRANFIELD_OBJECTS_H
#define CRANFIELD_OBJECTS_H

#include <Python.h>
#include <string.h>

#if defined(__GNUC__)
#define ahead(address) __builtin_prefetch(address)
#else
#define ahead(address) ((void)0)
#endif
/* Whether a table would take it as an id: text, not empty, without zeros and halves of surrogate pairs. */
static inline int is_id(PyObject *value) {
    Py_ssize_t length, i;
    Py_UCS4 point;
    if (!PyUnicode_CheckExact(value)) return 0;
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(value) < 0) { PyErr_Clear(); return 0; }
#endif
    length = PyUnicode_GET_LENGTH(value);
    if (length == 0) return 0;
    if (PyUnicode_IS_COMPACT_ASCII(value)) return memchr(PyUnicode_1BYTE_DATA(value), 0, length) == NULL;
    for (i = 0; i < length; i++) {
        point = PyUnicode_READ_CHAR(value, i);
        if (point == 0 || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    }
    return 1;
}
/* Reads a plain number; `others` are the types of NumPy that are, the first of them a float of Python inside. */
static inline int is_number(PyObject *value, PyTypeObject **others, double *number) {
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyFloat_Type || type == others[0]) { *number = PyFloat_AS_DOUBLE(value); return 1; }
    if (type == &PyLong_Type || type == &PyBool_Type) {
        *number = PyLong_AsDouble(value);
        if (*number == -1.0 && PyErr_Occurred()) { PyErr_Clear(); return 0; }
        return 1;
    }
    if (type == others[1] || type == others[2] || type == others[3]) {
        PyObject *made = PyNumber_Float(value);
        if (made == NULL) { PyErr_Clear(); return 0; }
        *number = PyFloat_AS_DOUBLE(made);
        Py_DECREF(made);
        return 1;
    }
    return 0;
}
static inline int same(PyObject *here, PyObject *there) {
    return here == there || PyUnicode_Compare(here, there) == 0;
}
/* Words of eight bytes that an id takes if it is ASCII without zeros, else very many. */
static inline Py_ssize_t width_of(PyObject *id) {
    const Py_ssize_t length = PyUnicode_GET_LENGTH(id);
    if (!PyUnicode_IS_COMPACT_ASCII(id) || memchr(PyUnicode_1BYTE_DATA(id), 0, length)) return 1 << 20;
    return (length + 7) / 8;
}
static inline void copy_ascii(PyObject *id, char *text) {
    memcpy(text, PyUnicode_1BYTE_DATA(id), PyUnicode_GET_LENGTH(id));
}
/* Whether an id without zeros is this text, which zeros fill to its width. */
static inline int is_ascii_of(PyObject *id, const char *text, Py_ssize_t width) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(id);
    return length <= width && (length == width || text[length] == 0) && PyUnicode_IS_COMPACT_ASCII(id)
        && memcmp(PyUnicode_1BYTE_DATA(id), text, length) == 0;
}
static inline int is_plain(PyObject *value, PyTypeObject *other) {
    return Py_TYPE(value) == &PyDict_Type || Py_TYPE(value) == other;
}

#endif
