"""Machine code in the running process: LLVM links an object file, and its entry is called.

Arguments are integers, tuples of integers, arrays or views of 64-bit integers. The result is an
integer, or `Fault` is raised.

The entry is a C function `int32 entry(int64 *result, ...)` that returns 0, or `FAILED` after a call
of `NOTE` with the three numbers of a fault. The entry touches no Python object, so threads run
concurrently. The memory is freed with the last reference to the `Entry`.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Union

from gamedsl.compiler.faults import Fault
from gamedsl.compiler.object_code import initialize, llvm
from gamedsl.compiler.printers.llvm_entry import ENTRY, FAILED, NOTE

Argument = Union[int, tuple[int, ...], "array[int]", "memoryview[int]"]


class Prepared:
    """Arguments as numbers and pointers; the arguments are kept alive.

    Attributes:
        numbers: of all arguments, in order.
    """

    def __init__(self, arguments: Sequence[Argument]) -> None:
        self._kept = arguments
        self.numbers = tuple(itertools.chain.from_iterable(map(_passed, arguments)))


class Entry:
    """The function of an object file."""

    def __init__(self, code: bytes) -> None:
        builder = llvm().JITLibraryBuilder().add_object_img(code).add_current_process()
        builder.import_symbol(NOTE, _note_address()).export_symbol(ENTRY)
        self._library = builder.link(_linker(), f"game_{next(_numbers())}")
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32)(self._library[ENTRY])

    def __call__(self, *arguments: Argument) -> int:
        """Call the function. Raises Fault where a guard of the game fails."""
        return self.run(Prepared(arguments))

    def run(self, arguments: Prepared) -> int:
        """Call the function. Raises Fault where a guard of the game fails."""
        result = ctypes.c_int64()
        status = self._function(ctypes.byref(result), *arguments.numbers)
        if status == FAILED:
            raise Fault(*_noted().numbers)
        return result.value


def kind_of(argument: Argument) -> str:
    """How an argument is passed: `integer`, `array`, or the size of a tuple."""
    if isinstance(argument, int):
        return "integer"
    return "array" if isinstance(argument, array | memoryview) else str(len(argument))


def _note_address() -> int:
    """The address of the function `NOTE`."""
    return ctypes.cast(_note(), ctypes.c_void_p).value or 0


def _passed(argument: Argument) -> Iterator[Any]:
    """The numbers and pointers that represent an argument."""
    if isinstance(argument, int):
        yield ctypes.c_int64(argument)
    elif isinstance(argument, array):
        address, length = argument.buffer_info()
        yield ctypes.c_void_p(address)
        yield ctypes.c_int64(length)
    elif isinstance(argument, memoryview):
        yield (ctypes.c_int64 * len(argument)).from_buffer(argument)
        yield ctypes.c_int64(len(argument))
    else:
        yield (ctypes.c_int64 * len(argument))(*argument)


@cache
def _linker() -> Any:
    initialize()
    return llvm().create_lljit_compiler()


@cache
def _numbers() -> Iterator[int]:
    """A number for the name of each library: LLVM accepts no name twice."""
    return itertools.count()


class _Noted(threading.local):
    """The numbers noted by the last failed guard in the current thread."""

    numbers = (0, 0, 0)


@cache
def _noted() -> _Noted:
    return _Noted()


@cache
def _note() -> Any:
    def note(site: int, detail: int, place: int) -> None:
        _noted().numbers = (site, detail, place)

    return ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(note)
