"""Layers of a solution in a folder (`docs/solution_files.md`, format 2): keys, codes, checksums.

A layer is a file: compressed blocks of sorted keys with the codes of the keys, and an index
with the first key and the digest of each block, so that a position is found in one block. The
folder's `manifest.json` names the layers with the digests of their ends. Files are written whole
or not at all; files that the manifest does not name do not count. The module knows nothing of the
meaning of the numbers.
"""

from __future__ import annotations

import io
import json
import mmap
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from gamedsl.archive.format import DIGEST, digest_of
from gamedsl.game.batches import BLOCK, Block, Key
from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_count,
    is_names,
    is_text,
    is_texts,
    many,
    refuse_odd,
)
from gamedsl.source.keeping import rights_of, whole_file

MANIFEST = "manifest.json"
MAGIC = b"gamedsl layer 2\n"
HEAD = struct.Struct("<QIII16s")
"""Of a block: the place, the bytes of keys and of codes, the count of planes of codes, and the
digest. The first key and the sizes of the keys follow (`Block.sizes`)."""
FOOTER = struct.Struct("<16sQQII16s16s")
"""Magic; the place of the index; the number of keys; the numbers of a key; whether there are codes;
the digest of the index, and of the footer with zeros in its place."""
LEVEL = 1
"""Compression level: higher levels take several times as long, and save a tenth."""
MOST_OPEN = 64
"""Layers of a store held open."""
HELD = 16
"""Blocks of a layer held in memory after reading."""
ZEROS = 1 << 20
"""Bytes of zeros written at a time."""
MOST_WIDTH = 64
"""Greatest number of numbers of a key."""


class LayerFile:
    """Like `StoredLayer`: a layer in a file, open for reading.

    Attributes:
        end: the digest of the footer, which vouches for the whole file.
    """

    def __init__(self, path: Path, *, stays_open: bool = False) -> None:
        """`stays_open`: the file is opened once, and has to be closed. Raises OSError,
        SolutionFileError."""
        self._path = path
        if not path.exists():
            raise self._damaged("is missing")
        self._file = path.open("rb") if stays_open else None
        self._lock = Lock()
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - FOOTER.size))
            footer = file.read()
            if len(footer) != FOOTER.size or not footer.startswith(MAGIC):
                raise self._damaged("ends too early, or its end is damaged")
            _, begin, count, width, has_codes, index_digest, end = FOOTER.unpack(footer)
            self.count: int = count
            self.width: int = width
            self.end: bytes = end
            if self.end != digest_of(footer[:-DIGEST] + bytes(DIGEST)):
                raise self._damaged("has a damaged end")
            file.seek(begin)
            self._index = file.read(max(0, size - FOOTER.size - begin))
        self.has_codes = bool(has_codes)
        self.blocks = -(-self.count // BLOCK)
        fits = 0 < self.width <= MOST_WIDTH and len(self._index) == self.blocks * self._entry
        if not fits or digest_of(self._index) != index_digest:
            raise self._damaged("has a damaged index")
        self._block = lru_cache(HELD)(self._read)

    @property
    def _entry(self) -> int:
        """Bytes of a block in the index."""
        return HEAD.size + 24 * self.width

    def _damaged(self, how: str) -> SolutionFileError:
        return SolutionFileError(f"{self._path.name} {how}")

    def head(self, number: int) -> tuple[tuple[Any, ...], Key, tuple[int, ...]]:
        """The head of a block, the first key, and the sizes of the keys."""
        at = number * self._entry
        key = struct.unpack_from(f"<{self.width}q", self._index, at + HEAD.size)
        place = at + HEAD.size + 8 * self.width
        sizes = struct.unpack_from(f"<{4 * self.width}I", self._index, place)
        return HEAD.unpack_from(self._index, at), key, sizes

    def first(self, number: int) -> Key:
        """Like `StoredLayer.first`."""
        return self.head(number)[1]

    def count_of(self, number: int) -> int:
        """The number of keys of a block."""
        return min(BLOCK, self.count - number * BLOCK)

    def keys(self, number: int) -> Block:
        """Like `StoredLayer.keys`."""
        _, first, sizes = self.head(number)
        count, size = self.count_of(number), 0
        for known, planes, left, left_planes in zip(*[iter(sizes)] * 4, strict=True):
            size += planes * _filled(known) + left_planes * _filled(left)
            size += _filled(count) if known else 0
            if max(planes, left_planes) > 8 or known > 255 or left > count:
                raise self._damaged(f"has an impossible block, number {number}")
        return Block(count, first, sizes, self._unpacked(number, self.packed(number)[0], size))

    def codes(self, number: int) -> Block:
        """Like `StoredLayer.codes`."""
        planes, count = self.head(number)[0][3], self.count_of(number)
        if planes > 8:
            raise self._damaged(f"has an impossible block, number {number}")
        content = self._unpacked(number, self.packed(number)[1], planes * _filled(count))
        return Block(count, (), (planes,), content)

    def packed(self, number: int) -> tuple[bytes, bytes]:
        """The compressed keys and codes of a block."""
        return self._block(number)

    def _read(self, number: int) -> tuple[bytes, bytes]:
        (begin, keys, codes, _, expected), *_ = self.head(number)
        if self._file is None:
            with self._path.open("rb") as file:
                file.seek(begin)
                content = file.read(keys + codes)
        else:
            with self._lock:
                self._file.seek(begin)
                content = self._file.read(keys + codes)
        if len(content) != keys + codes or digest_of(content) != expected:
            raise self._damaged(f"has a damaged block, number {number}")
        return content[:keys], content[keys:]

    def _unpacked(self, number: int, packed: bytes, size: int) -> bytes:
        try:
            content = zlib.decompressobj().decompress(packed, size + 1) if size else b""
        except zlib.error:
            content = b""
        if len(content) != size:
            raise self._damaged(f"has an impossible block, number {number}")
        return content

    def close(self) -> None:
        """Close the file, if it stays open."""
        if self._file is not None:
            self._file.close()

    def check(self) -> None:
        """Read every block. Raises SolutionFileError if a block is damaged."""
        for number in range(self.blocks):
            self._read(number)


def _filled(count: int) -> int:
    """Bytes of a plane."""
    return -(-count // 8) * 8


class _LayerWriter:
    """A layer being written to a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._index = file, bytearray()
        self._width, self._count, self._has_codes = 0, 0, False

    def add(
        self, count: int, first: Key, sizes: tuple[int, ...], keys: bytes, codes: Block | None
    ) -> None:
        """Write a block, whose keys and codes are compressed already."""
        packed = b"" if codes is None else codes.content
        planes = 0 if codes is None else codes.sizes[0]
        checked = digest_of(keys + packed)
        self._index += HEAD.pack(self._file.tell(), len(keys), len(packed), planes, checked)
        self._index += struct.pack(f"<{len(first)}q{len(sizes)}I", *first, *sizes)
        self._file.write(keys)
        self._file.write(packed)
        self._width, self._count = len(first), self._count + count
        self._has_codes = codes is not None

    def finish(self) -> tuple[int, str]:
        """Write the index and the footer; return the number of keys, and the digest of the end."""
        head = (MAGIC, self._file.tell(), self._count, self._width, self._has_codes)
        index = bytes(self._index)
        footer = FOOTER.pack(*head, digest_of(index), bytes(DIGEST))
        self._file.write(index + FOOTER.pack(*head, digest_of(index), digest_of(footer)))
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._count, digest_of(footer).hex()


class LayerFolder:
    """Like `LayerStore`: a folder of layers, and of numbers of the present run.

    Attributes:
        contents: the manifest: facts of the problem, and `work` or `stored`.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError, SolutionFileError for a damaged manifest."""
        self.path = path
        self.contents = read_manifest(path) if (path / MANIFEST).exists() else {}
        self._held: dict[Path, LayerFile] = {}
        self._ends: dict[int, str] = {}
        self._settled: set[int] = set()
        self._open: dict[str, BinaryIO] = {}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Like `LayerStore.facts`."""
        work: Mapping[str, Any] = self.contents.get("work", {})
        return work

    def begin(self, problem: Mapping[str, Any]) -> None:
        """Begin anew with the facts of a problem; earlier layers are removed."""
        self.contents = dict(problem)
        self._close_layers()
        self._ends, self._settled = {}, set()
        self._remove_others(set())

    def go_on(self) -> None:
        """Check the layers that the manifest names, and remove all further files of this module.
        Raises SolutionFileError if a layer is damaged."""
        files, layers = self.contents.get("files", {}), {"layers": many(many(is_count, 3))}
        refuse_levels(files)
        refuse_odd(self.facts, layers)
        self._ends = {int(level): end for level, end in files.items()}
        self._settled = {level for level, _, has_codes in self.facts["layers"] if has_codes}
        if {*self._ends} != {level for level, *_ in self.facts["layers"]}:
            raise SolutionFileError("it has other layers than it says")
        for level, end in self._ends.items():
            self._check(level, end)
        self._remove_others({MANIFEST, *(self._path(level).name for level in self._ends)})

    def _remove_others(self, names: Set[str]) -> None:
        for file in self.path.iterdir():
            if _is_ours(file) and file.name not in names:
                file.unlink()

    def _check(self, level: int, end: str) -> None:
        """Raise SolutionFileError if a layer is damaged, or of other work."""
        layer = LayerFile(self._path(level))
        if layer.end.hex() != end:
            raise SolutionFileError(f"{self._path(level).name} is of other work")
        layer.check()

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the manifest of a finished solution."""
        self.contents = {key: value for key, value in self.contents.items() if key != "work"}
        self.contents |= facts
        write_manifest(self.path, self.contents)
        self._remove_others({MANIFEST, *(f"{level}.layer" for level in self._ends)})

    # --- layers -------------------------------------------------------------------------------

    def _path(self, level: int) -> Path:
        """The file of a layer: with codes, if there are some."""
        return self.path / f"{level}.{'layer' if level in self._settled else 'keys'}"

    def layer(self, level: int) -> LayerFile:
        """Like `LayerStore.layer`."""
        path = self._path(level)
        if path not in self._held:
            if len(self._held) >= MOST_OPEN:
                self._close_layers()
            self._held[path] = LayerFile(path, stays_open=True)
        return self._held[path]

    def _close_layers(self) -> None:
        for layer in self._held.values():
            layer.close()
        self._held.clear()

    def packed(self, block: Block) -> Block:
        """Like `LayerStore.packed`: compressed."""
        return replace(block, content=zlib.compress(block.content, LEVEL))

    def keep_keys(self, level: int, blocks: Iterable[Block]) -> int:
        """Like `LayerStore.keep_keys`."""

        def write(writer: _LayerWriter) -> None:
            for block in blocks:
                writer.add(block.count, block.first, block.sizes, block.content, None)

        return self._keep(level, write)

    def keep_codes(self, level: int, blocks: Iterable[Block]) -> None:
        """Like `LayerStore.keep_codes`."""
        layer = self.layer(level)

        def write(writer: _LayerWriter) -> None:
            for number, codes in enumerate(blocks):
                _, first, sizes = layer.head(number)
                writer.add(codes.count, first, sizes, layer.packed(number)[0], codes)

        self._settled.add(level)
        try:
            self._keep(level, write)
        except BaseException:
            self._settled.discard(level)
            raise

    def _keep(self, level: int, write: Callable[[_LayerWriter], None]) -> int:
        path = self._path(level)
        with whole_file(path, rights_of(path), path.with_name(path.name + ".part")) as file:
            writer = _LayerWriter(file)
            write(writer)
            count, self._ends[level] = writer.finish()
        if path in self._held:
            self._held.pop(path).close()
        return count

    def keep_facts(self, facts: Mapping[str, Any]) -> None:
        """Like `LayerStore.keep_facts`."""
        files = {str(level): self._ends[level] for level, *_ in facts["layers"]}
        self.contents |= {"work": dict(facts), "files": files}
        write_manifest(self.path, self.contents)
        for level in self._settled:
            (self.path / f"{level}.keys").unlink(missing_ok=True)

    # --- numbers on the way -------------------------------------------------------------------

    def append(self, name: str, numbers: Any) -> None:
        """Like `LayerStore.append`."""
        if name not in self._open:
            self._open[name] = self._way(name).open("w+b")
        file = self._open[name]
        file.seek(0, os.SEEK_END)
        file.write(numbers)

    def read(self, name: str, begin: int, numbers: Any) -> int:
        """Like `LayerStore.read`."""
        if name not in self._open:
            return 0
        file = self._open[name]
        file.seek(8 * begin)
        count: int = file.readinto(memoryview(numbers).cast("B"))  # type: ignore[attr-defined]
        return count // 8

    def numbers(self, name: str, count: int) -> Any:
        """Like `LayerStore.numbers`. All is written before the file is mapped: a disk that gets
        full then would end the process."""
        self.drop(name)
        nothing = bytes(ZEROS)
        for left in range(8 * count, 0, -ZEROS):
            self.append(name, nothing[:left])
        with self._open[name] as file:
            file.flush()
            return memoryview(mmap.mmap(file.fileno(), 8 * count)).cast("q")

    def drop(self, name: str) -> None:
        """Like `LayerStore.drop`."""
        file = self._open.pop(name, None)
        if file is not None:
            with suppress(OSError):  # a full disk does not take what the file still holds back
                file.close()
            self._way(name).unlink(missing_ok=True)

    def _way(self, name: str) -> Path:
        return self.path / f"{name}.way"

    def close(self) -> None:
        """Remove the numbers of this run."""
        self._close_layers()
        for name in [*self._open]:
            self.drop(name)


class FollowingFolder(LayerFolder):
    """Like `LayerStore`, of a further process at work in a folder: layers and facts are kept by the
    first process, numbers on the way by each."""

    def __init__(self, path: Path, rank: int) -> None:
        super().__init__(path)
        self._rank = rank

    def _way(self, name: str) -> Path:
        return self.path / f"{name}_{self._rank}.way"

    def _path(self, level: int) -> Path:
        solved = self.path / f"{level}.layer"
        return solved if solved.exists() else self.path / f"{level}.keys"

    def _check(self, level: int, end: str) -> None:
        """Nothing: the first process checks."""

    def _remove_others(self, names: Set[str]) -> None:
        """Nothing: the first process removes."""

    def _keep(self, level: int, write: Callable[[_LayerWriter], None]) -> int:
        write(_LayerWriter(io.BytesIO()))  # takes part in the work
        return 0

    def keep_facts(self, facts: Mapping[str, Any]) -> None:
        """Nothing: the first process keeps facts."""

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Nothing: the first process finishes."""


_OURS = re.compile(r"(\d+\.(keys|layer)|manifest\.json)(\.part)?|[a-z]+_\d+(_\d+)?\.way")


def _is_ours(file: Path) -> bool:
    return _OURS.fullmatch(file.name) is not None


def is_ours_alone(path: Path) -> bool:
    """Whether a folder has only files that this module writes."""
    return all(file.is_file() and _is_ours(file) for file in path.iterdir())


def write_manifest(path: Path, contents: Mapping[str, Any]) -> None:
    """Write the manifest of a folder, whole or not at all."""
    text = json.dumps(contents, separators=(",", ":"), sort_keys=True)
    signed = {"gamedsl_layers": 2, "digest": digest_of(text.encode()).hex(), "contents": contents}
    place = path / MANIFEST
    with whole_file(place, rights_of(place), place.with_name(MANIFEST + ".part")) as file:
        file.write(json.dumps(signed, separators=(",", ":"), sort_keys=True).encode())
        file.flush()
        os.fsync(file.fileno())


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a folder. Raises OSError, SolutionFileError."""
    if path.is_dir() and not (path / MANIFEST).exists():
        raise SolutionFileError(f"it is a folder without {MANIFEST}, so without a solution")
    try:
        signed = json.loads((path / MANIFEST).read_bytes())
    except (ValueError, RecursionError) as error:
        raise SolutionFileError(f"its {MANIFEST} is damaged") from error
    refuse_odd(signed, {"gamedsl_layers": lambda n: n == 2}, f"its {MANIFEST}")
    refuse_odd(signed, {"digest": is_text, "contents": is_names}, f"its {MANIFEST}")
    contents: dict[str, Any] = signed["contents"]
    text = json.dumps(contents, separators=(",", ":"), sort_keys=True)
    if digest_of(text.encode()).hex() != signed["digest"]:
        raise SolutionFileError(f"its {MANIFEST} is damaged")
    if "files" in contents:
        refuse_odd(contents, {"files": is_texts}, f"its {MANIFEST}")
    return contents


def refuse_levels(files: Mapping[str, str]) -> None:
    """Raise SolutionFileError for names that are no levels."""
    for level in files:
        if not (level.isascii() and level.isdecimal()) or level != str(int(level)):
            raise SolutionFileError(f"it has a layer named {level!r}")


class SolvedFolder:
    """A folder of a finished solution, as `format.SolutionFile` shows a file.

    Attributes:
        facts: the facts of the solution; arrays: the layers by level.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError, SolutionFileError."""
        self.facts = read_manifest(path)
        if "work" in self.facts:
            raise SolutionFileError(
                "it is work under way; `gamedsl solve --save OUT --out-of-core --resume` goes on "
                "with it"
            )
        refuse_odd(self.facts, {"files": is_texts})
        refuse_levels(self.facts["files"])
        self.arrays: dict[str, LayerFile] = {}
        for level, name in self.facts["files"].items():
            layer = LayerFile(path / f"{level}.layer")
            if layer.end.hex() != name or not layer.has_codes:
                raise SolutionFileError(f"{level}.layer is not the layer that was written")
            self.arrays[level] = layer
