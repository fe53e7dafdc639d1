"""Parquet files made by hand: few bytes that stand for as many rows as wanted."""

import struct


def parquet_bomb(rows: int, *, topic: bytes = b"301", document: bytes = b"d1", pages: int = 1) -> bytes:
    """A run of equal rows: each column has a dictionary of one value, and a run of references to it."""
    columns = [
        _column("topic", 6, struct.pack("<i", len(topic)) + topic, rows, pages),
        _column("doc", 6, struct.pack("<i", len(document)) + document, rows, pages),
        _column("score", 5, struct.pack("<d", 1.5), rows, pages),
    ]
    whole, chunks = b"PAR1", []
    for name, kind, first, others in columns:
        facts = [
            _i32(1, kind),
            _list(2, 5, [_zigzag(8)]),
            _list(3, 8, [_text(name)]),
            _i32(3 + 1, 0),  # not compressed
            _i64(5, rows),
            _i64(6, len(first) + len(others)),
            _i64(7, len(first) + len(others)),
            _i64(9, len(whole) + len(first)),
            _i64(11, len(whole)),
        ]
        chunks.append(_struct(_i64(2, len(whole)), _nested(3, _struct(*facts))))
        whole += first + others
    group = _struct(_list(1, 12, chunks), _i64(2, len(whole)), _i64(3, rows))
    schema = [_struct(_binary(4, "schema"), _i32(5, 3))]
    for name, kind, _, _ in columns:
        schema.append(_struct(_i32(1, kind), _i32(3, 0), _binary(4, name), *([_i32(6, 0)] if kind == 6 else [])))
    footer = _struct(_i32(1, 1), _list(2, 12, schema), _i64(3, rows), _list(4, 12, [group]))
    return whole + footer + struct.pack("<i", len(footer)) + b"PAR1"


def _column(name: str, kind: int, value: bytes, rows: int, pages: int) -> tuple[str, int, bytes, bytes]:
    first = _page(2, value, _nested(7, _struct(_i32(1, 1), _i32(2, 0))))
    rest = b""
    for page in range(pages):
        size = rows // pages + (page < rows % pages)
        references = b"\x01" + _varint(size << 1) + b"\x00"
        rest += _page(0, references, _nested(5, _struct(_i32(1, size), _i32(2, 8), _i32(3, 3), _i32(4, 3))))
    return name, kind, first, rest


def _page(kind: int, data: bytes, header: "tuple[int, int, bytes]") -> bytes:
    return _struct(_i32(1, kind), _i32(2, len(data)), _i32(3, len(data)), header) + data


# --- Thrift's compact protocol --------------------------------------------------------------------------------------


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def _zigzag(value: int) -> bytes:
    return _varint(value << 1)


def _text(value: str) -> bytes:
    return _varint(len(value)) + value.encode()


def _i32(number: int, value: int) -> tuple[int, int, bytes]:
    return number, 5, _zigzag(value)


def _i64(number: int, value: int) -> tuple[int, int, bytes]:
    return number, 6, _zigzag(value)


def _binary(number: int, value: str) -> tuple[int, int, bytes]:
    return number, 8, _text(value)


def _nested(number: int, value: bytes) -> tuple[int, int, bytes]:
    return number, 12, value


def _list(number: int, kind: int, members: list[bytes]) -> tuple[int, int, bytes]:
    return number, 9, bytes([len(members) << 4 | kind]) + b"".join(members)


def _struct(*fields: tuple[int, int, bytes]) -> bytes:
    out, last = b"", 0
    for number, kind, value in fields:
        out, last = out + bytes([(number - last) << 4 | kind]) + value, number
    return out + b"\x00"
