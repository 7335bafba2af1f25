"""The format of a solution file (`docs/solution_files.md`): blocks of numbers, facts, checksums.

Facts are JSON; arrays hold 64-bit numbers. Files are written whole or not at all. Blocks are read
on first access. The module knows nothing of the meaning of the numbers.
"""

from __future__ import annotations

import errno
import json
import os
import struct
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, overload

from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_count,
    is_names,
    is_text,
    many,
    refuse_odd,
)
from gamedsl.source.keeping import rights_of, whole_file

MAGIC = b"gamedsl solution"
VERSION = 1
NUMBER = 8
BLOCK = 1 << 15
"""Numbers per block."""
LEVEL = 1
"""Compression level; most of a table is hardly compressible."""
ZEROS = bytes(BLOCK * NUMBER)
BLOCKS_HELD = 256
"""Blocks of an array held in memory."""
DIGEST = 16
FOOTER = struct.Struct(f"<16sQQ{DIGEST}s{DIGEST}s")
"""Magic, offset and length of the facts, digest of the facts, digest of the footer."""


def write_solution(
    path: Path,
    facts: Mapping[str, Any],
    arrays: Mapping[str, Any],
    *,
    level: int = LEVEL,
) -> None:
    """Write a file beside the old file, then replace the old file.

    Raises OSError, with the old file unchanged. `level`: compression level; 0, the fastest,
    compresses only blocks of zeros.
    """
    place = path.resolve()
    part = place.with_name(place.name + ".part")
    with whole_file(place, rights_of(place), part) as file:
        _write(file, facts, arrays, level)
        file.flush()
        os.fsync(file.fileno())


def refuse_place(path: Path) -> None:
    """Check in advance whether a solution may be written to a path.

    Raises OSError if writing would fail, or would overwrite a file that is not a solution.
    """
    folder = path.resolve().parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if not path.exists():
        return
    if not path.is_file():
        raise FileExistsError(errno.EEXIST, "it is a folder or a device")
    with path.open("rb") as file:
        if file.read(len(MAGIC)) not in {b"", MAGIC}:
            raise FileExistsError(errno.EEXIST, "it is there, and no solution")


def _write(file: BinaryIO, facts: Mapping[str, Any], arrays: Mapping[str, Any], level: int) -> None:
    file.write(MAGIC + struct.pack("<I", VERSION))
    index = {name: _write_array(file, numbers, level) for name, numbers in arrays.items()}
    text = json.dumps({"facts": facts, "arrays": index}, separators=(",", ":")).encode()
    begin = file.tell()
    file.write(text)
    head = (MAGIC, begin, len(text), digest_of(text))
    footer_digest = digest_of(FOOTER.pack(*head, bytes(DIGEST)))
    file.write(FOOTER.pack(*head, footer_digest))


def _write_array(file: BinaryIO, numbers: Any, level: int) -> dict[str, Any]:
    """Write the blocks of an array; returns the index: offset, length and digest per block."""
    blocks = []
    for start in range(0, len(numbers), BLOCK):
        content = _bytes_of(numbers[start : start + BLOCK])
        packed = zlib.compress(content, LEVEL if content == ZEROS else level)
        blocks.append([file.tell(), len(packed), digest_of(packed).hex()])
        file.write(packed)
    return {"length": len(numbers), "blocks": blocks}


def _bytes_of(numbers: Any) -> bytes:
    if isinstance(numbers, memoryview | array):
        return numbers.tobytes()
    half = 1 << 63
    return array("q", [(number + half) % (2 * half) - half for number in numbers]).tobytes()


def digest_of(content: bytes) -> bytes:
    """The digest of bytes."""
    return blake2b(content, digest_size=DIGEST).digest()


def _is_block(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(map(is_count, value[:2]))
        and is_text(value[2])
    )


ARRAY = {"length": is_count, "blocks": many(_is_block)}
"""Shape of an array's index."""


class StoredArray(Sequence[int]):
    """Numbers in a file, read by blocks."""

    def __init__(self, path: Path, name: str, index: Mapping[str, Any]) -> None:
        self._path = path
        self._name = name
        self._length: int = index["length"]
        self._blocks: list[list[Any]] = index["blocks"]
        self.block = lru_cache(BLOCKS_HELD)(self._read)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, slice):
            begin, end, _ = place.indices(self._length)
            first, last = begin // BLOCK, (end - 1) // BLOCK
            if first == last:
                return list(self.block(first)[begin % BLOCK : (end - 1) % BLOCK + 1])
            return [self[number] for number in range(begin, end)]
        if place < 0:
            raise IndexError(place)
        element: int = self.block(place // BLOCK)[place % BLOCK]
        return element

    def __iter__(self) -> Iterator[int]:
        for number in range(len(self._blocks)):
            yield from self.block(number)

    def check(self) -> None:
        """Read every block. Raises SolutionFileError if a block is damaged."""
        for number in range(len(self._blocks)):
            self._read(number)

    def _read(self, number: int) -> array[int]:
        begin, size, digest = self._blocks[number]
        with self._path.open("rb") as file:
            file.seek(begin)
            packed = file.read(size)
        if digest_of(packed).hex() != digest:
            raise SolutionFileError(f"block {number} of `{self._name}` is damaged")
        count = min(BLOCK, self._length - number * BLOCK)
        content = _unpacked(packed, count * NUMBER)
        if len(content) != count * NUMBER:
            raise SolutionFileError(f"block {number} of `{self._name}` is not {count:,} numbers")
        return array("q", content)


def _unpacked(packed: bytes, most: int) -> bytes:
    """The decompressed bytes, at most `most` + 1; empty if the input is not compressed."""
    try:
        return zlib.decompressobj().decompress(packed, most + 1)
    except zlib.error:
        return b""


class SolutionFile:
    """An open solution file.

    Attributes:
        facts: the facts as written.
        arrays: the arrays by name.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError, SolutionFileError."""
        with path.open("rb") as file:
            contents = _contents(file)
        self.facts: dict[str, Any] = contents["facts"]
        self.arrays = {
            name: StoredArray(path, name, index) for name, index in contents["arrays"].items()
        }


def _contents(file: BufferedReader) -> Any:
    """The facts and the array index of a file."""
    head = file.read(len(MAGIC) + 4)
    if not head.startswith(MAGIC):
        raise SolutionFileError("it is no solution that gamedsl has written")
    version = int.from_bytes(head[len(MAGIC) :], "little")
    if version != VERSION:
        raise SolutionFileError(f"its format is number {version}; this gamedsl reads {VERSION}")
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - FOOTER.size))
    footer = file.read()
    if len(footer) != FOOTER.size:
        raise SolutionFileError("it ends too early")
    magic, begin, length, digest, footer_digest = FOOTER.unpack(footer)
    if magic != MAGIC:
        raise SolutionFileError("it ends too early, or its end is damaged")
    if footer_digest != digest_of(FOOTER.pack(magic, begin, length, digest, bytes(DIGEST))):
        raise SolutionFileError("its end is damaged")
    if begin + length + FOOTER.size != size:
        raise SolutionFileError("it is longer or shorter than it was written")
    file.seek(begin)
    text = file.read(length)
    if digest_of(text) != digest:
        raise SolutionFileError("its facts are damaged")
    try:
        contents = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SolutionFileError("its facts are not written as facts are") from error
    refuse_odd(contents, {"facts": is_names, "arrays": is_names}, "its contents")
    place = len(head)
    for name, index in contents["arrays"].items():
        refuse_odd(index, ARRAY, f"the contents of `{name}`")
        if len(index["blocks"]) != -(-index["length"] // BLOCK):
            raise SolutionFileError(f"the contents of `{name}` have another number of blocks")
        for start, size, _ in index["blocks"]:  # contiguous, each block once
            if start != place or size == 0:
                raise SolutionFileError(
                    f"the blocks of `{name}` do not lie where they were written"
                )
            place += size
    if place != begin:
        raise SolutionFileError("its blocks are not all that is between its ends")
    return contents
