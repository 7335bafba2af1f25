"""Native code: a generated module, stored as a file of its own, compiled by numba.

In: generated source and the source of kernels that use it. Out: the loaded module. The file is
named by the hash of all it contains, so that equal text is compiled once for all processes; it is
written whole and moved into place, and compared before it is used, so a damaged one is replaced.
Words are signed here: bit 63 is the sign, and every shift to the right is masked by the code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from gamedsl.compiler.layout import WORD
from gamedsl.compiler.module import Generated
from gamedsl.compiler.wide import wide_prelude

SIGN = 1 << 63

PRELUDE = '''\
"""Generated from the rules of a game; the comments are the lines of its file."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

ONE = 1
ZERO = 0


class Fault(Exception):
    pass


def word(value):
    return value - (1 << 64) if value >> 63 else value


def table(values):
    return np.array([word(value) if value >= 0 else value for value in values], dtype=np.int64)


compiled = njit(
    nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
inlined = njit(
    nogil=True,
    error_model="numpy",
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    forceinline=True,
)
entry = njit(nogil=True, error_model="numpy", cache=True)


@intrinsic
def lowest(typing_context, bits):
    def build(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@intrinsic
def highest(typing_context, bits):
    def build(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), build


@intrinsic
def count_bits(typing_context, bits):
    def build(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@inlined
def nth_bit(bits, number):
    for _ in range(number):
        bits &= bits - ONE
    return lowest(bits)


@compiled
def numbers(count):
    return np.zeros(count, dtype=np.int64)


@compiled
def mixed(stream, position):
    x = np.uint64(stream) + np.uint64(position) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((x ^ (x >> np.uint64(31))) >> np.uint64(33))


@compiled
def fault(site, found, place):
    if site >= 0:
        raise Fault(site, found, place)
    return 0
'''


def signed(value: int) -> int:
    """A word as native code holds it."""
    return value - 2 * SIGN if value & SIGN else value


def unsigned(value: int) -> int:
    """A word as Python code holds it."""
    return value + 2 * SIGN if value < 0 else value


def cache_folder() -> Path:
    """Where generated modules and their machine code are kept."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("gamedsl")) / "native"


@dataclass(frozen=True, slots=True)
class CacheContents:
    """What is kept: where, how many games, how many bytes with their machine code."""

    folder: Path
    games: int
    size: int


def cache_contents(folder: Path | None = None) -> CacheContents:
    """What is kept on this machine."""
    where = folder or cache_folder()
    files = [path for path in where.rglob("*") if path.is_file()] if where.is_dir() else []
    games = sum(1 for path in files if path.parent == where and path.suffix == ".py")
    return CacheContents(where, games, sum(path.stat().st_size for path in files))


def clear_cache(folder: Path | None = None) -> CacheContents:
    """Delete all that is kept; what it was."""
    found = cache_contents(folder)
    if found.folder.is_dir():
        shutil.rmtree(found.folder)
    return found


def load_native(generated: Generated, kernels: str, folder: Path | None = None) -> ModuleType:
    """The module of a game with kernels, ready to be called; compiled at the first call."""
    widest = generated.layout.widest
    prelude = f"{PRELUDE}\n\n{wide_prelude(widest)}" if widest > WORD else PRELUDE
    text = f"{prelude}\n\n{generated.source}\n\n{kernels}"
    return _imported(stored(text, folder or cache_folder()))


def stored(text: str, folder: Path) -> Path:
    """The file with exactly this text, written if there is none or if it is damaged."""
    path = folder / f"game_{hashlib.sha256(text.encode()).hexdigest()[:24]}.py"
    if path.is_file() and path.read_bytes() == text.encode():
        return path
    write_whole(path, text.encode())
    return path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file elsewhere and move it into place: nobody ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _imported(path: Path) -> ModuleType:
    name = f"gamedsl_native_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
