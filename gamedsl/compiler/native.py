"""Native code: a generated module, compiled by numba the first time, kept as machine code.

In: generated source and the source of kernels that use it. Out: the kernels, ready to be called.
Each is compiled when it is first called and kept in a file named by the hash of all it depends on,
as is any other that this module has; where it is found, numba is not even loaded.
Words are signed here: bit 63 is the sign, and every shift to the right is masked by the code.
"""

from __future__ import annotations

import os
from functools import cache, partial
from pathlib import Path
from threading import Lock

from gamedsl.compiler.cache import GAME, cache_folder, hash_of, keep, kept
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.machine_code import Argument, Entry, kind_of
from gamedsl.compiler.module import Generated
from gamedsl.compiler.through_numba import NumbaModule
from gamedsl.compiler.wide import wide_prelude

SIGN = 1 << 63

PRELUDE = '''\
"""Generated from the rules of a game; the comments are the lines of its file."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

ONE = 1
ZERO = 0


def word(value):
    return value - (1 << 64) if value >> 63 else value


def table(values):
    return np.array([word(value) if value >= 0 else value for value in values], dtype=np.int64)


OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "looplift": False,
    "_nrt": False,
}
compiled = entry = njit(**OPTIONS)
inlined = njit(forceinline=True, **OPTIONS)


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


ROW = types.Array(types.int64, 1, "C")


def row_at(context, builder, data, size):
    eight = ir.Constant(ir.IntType(64), 8)
    found = context.make_array(ROW)(context, builder)
    populate_array(found, data=data, shape=[size], strides=[eight], itemsize=eight, meminfo=None)
    return found._getvalue()


@intrinsic
def row(typing_context, data, size):
    def build(context, builder, signature, arguments):
        return row_at(context, builder, *arguments)

    return ROW(types.CPointer(types.int64), types.int64), build


@intrinsic(prefer_literal=True)
def numbers(typing_context, count):
    def build(context, builder, signature, arguments):
        number, size = ir.IntType(64), count.literal_value
        room = cgutils.alloca_once(builder, ir.ArrayType(number, size))
        data = builder.bitcast(room, number.as_pointer())
        cgutils.memset(builder, data, ir.Constant(number, 8 * size), 0)
        return row_at(context, builder, data, ir.Constant(number, size))

    return ROW(count), build


@compiled
def mixed(stream, position):
    x = np.uint64(stream) + np.uint64(position) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((x ^ (x >> np.uint64(31))) >> np.uint64(33))


@intrinsic
def fault(typing_context, site, found, place):
    def build(context, builder, signature, arguments):
        number = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [number] * 3)
        note = cgutils.get_or_insert_function(builder.module, kind, NOTE)
        none = ir.Constant(number, 0)
        with cgutils.if_unlikely(builder, builder.icmp_signed(">=", arguments[0], none)):
            builder.call(note, arguments)
            builder.ret(ir.Constant(ir.IntType(32), FAILED))
        return none

    return types.int64(types.int64, types.int64, types.int64), build
'''


def signed(value: int) -> int:
    """A word as native code holds it."""
    return value - 2 * SIGN if value & SIGN else value


def unsigned(value: int) -> int:
    """A word as Python code holds it."""
    return value + 2 * SIGN if value < 0 else value


class NativeModule:
    """The module of a game with kernels."""

    def __init__(self, generated: Generated, kernels: str, folder: Path | None = None) -> None:
        widest = generated.layout.widest
        prelude = [PRELUDE, *([wide_prelude(widest)] if widest > WORD else [])]
        self._text = "\n\n".join([*prelude, generated.source, kernels])
        self._hash = hash_of(self._text)
        self._folder = folder or cache_folder()
        self._lock = Lock()
        self._entries: dict[tuple[str, ...], Entry] = {}
        self._compiler = cache(partial(NumbaModule, self._text, self._hash))

    def call(self, name: str, *arguments: Argument) -> int:
        """What a kernel gives for these arguments. Raises Fault where a guard fails."""
        wanted = (name, *map(kind_of, arguments))
        with self._lock:
            if wanted not in self._entries:
                self._entries[wanted] = self._entry(*wanted)
        return self._entries[wanted](*arguments)

    def _entry(self, name: str, *kinds: str) -> Entry:
        text = entry_text(name, kinds)
        key = hash_of(text, *machine())
        path = self._folder / f"{GAME}{self._hash}_{name}_{key}.o"
        found = kept(path)
        if found is not None:
            symbol, _, code = found.partition(b"\n")
            return Entry(code, symbol.decode())
        made = self._compiler().compiled(text, kinds)
        keep(path, made.symbol.encode() + b"\n" + made.code)
        return Entry(made.code, made.symbol)


def entry_text(name: str, kinds: tuple[str, ...]) -> str:
    """A function that takes numbers and pointers, and calls a kernel with what they stand for."""
    parameters, arguments = [], []
    for number, kind in enumerate(kinds):
        one = f"a{number}"
        parameters.append(one)
        if kind == "integer":
            arguments.append(one)
        elif kind == "array":
            parameters.append(f"n{number}")
            arguments.append(f"row({one}, n{number})")
        else:
            arguments.append("".join(["(", *(f"{one}[{n}], " for n in range(int(kind))), ")"]))
    return f"def called({', '.join(parameters)}):\n    return {name}({', '.join(arguments)})\n"


@cache
def machine() -> tuple[str, ...]:
    """What machine code depends on besides its source: the processor, LLVM, numba."""
    from importlib.metadata import version

    from llvmlite import __version__, binding

    return (
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        __version__,
        version("numba"),
        *sorted(f"{n}={value}" for n, value in os.environ.items() if n.startswith("NUMBA_")),
    )
