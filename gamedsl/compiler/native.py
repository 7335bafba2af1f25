"""Native code: the functions of a game with kernels, compiled by LLVM when they are first called.

In: the functions of a game, and the text of kernels that use them. Out: the kernels, ready to be
called. Code that takes long to make is kept in a file named by the hash of all it depends on: the
rules, the kernels, this package and the machine; where it is found, nothing is made, not even the
functions of the game. Words are signed here: bit 63 is the sign.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import Lock
from time import perf_counter

from gamedsl.compiler.cache import GAME, cache_folder, hash_of, hash_of_compiler
from gamedsl.compiler.frontend.items import Kind
from gamedsl.compiler.frontend.specialise import Specialiser
from gamedsl.compiler.frontend.text import read_text
from gamedsl.compiler.ir.values import INT, ROW
from gamedsl.compiler.ir.wrapping import signed, unsigned, whole_words
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.machine_code import Argument, Entry, kind_of
from gamedsl.compiler.module import Generated
from gamedsl.compiler.object_code import machine, object_code
from gamedsl.compiler.printers.llvm import print_llvm
from gamedsl.source.keeping import keep, kept

WORTH_KEEPING = 0.3
"""Seconds of work from which on nobody should wait for it twice."""

__all__ = ["NativeModule", "signed", "unsigned"]


class NativeModule:
    """The functions of a game with kernels, or kernels alone that need no game."""

    def __init__(
        self, generated: Generated | None, kernels: str, folder: Path | None = None
    ) -> None:
        self._generated = generated
        self._kernels = kernels
        self._folder = folder or cache_folder()
        self._lock = Lock()
        self._entries: dict[tuple[str, ...], Entry] = {}

    def call(self, name: str, *arguments: Argument) -> int:
        """What a kernel gives for these arguments. Raises Fault where a guard fails."""
        wanted = (name, *map(kind_of, arguments))
        entry = self._entries.get(wanted)
        if entry is None:
            with self._lock:
                entry = self._entries.get(wanted)
                if entry is None:
                    entry = self._entries[wanted] = Entry(self._code(wanted))
        return entry(*arguments)

    def text(self, name: str, *kinds: str) -> str:
        """The LLVM assembly of a kernel for arguments of these kinds (see `kind_of`)."""
        made = self._specialiser.function(name, tuple(map(_kind, kinds)))
        return print_llvm(self._specialiser.linked.functions, made.name, kinds)

    @cached_property
    def _specialiser(self) -> Specialiser:
        return specialiser_for(self._generated, self._kernels)

    def _code(self, wanted: tuple[str, ...]) -> bytes:
        generated = self._generated
        source = "" if generated is None else generated.source
        key = hash_of(hash_of_compiler(), source, self._kernels, *machine(), *wanted)
        of_whom = "kernels" if generated is None else f"{GAME}{hash_of(generated.origin)}"
        path = self._folder / f"{of_whom}_{key}.o"
        found = kept(path)
        if found is not None:
            return found
        start = perf_counter()
        code = object_code(self.text(*wanted))
        if perf_counter() - start > WORTH_KEEPING:
            keep(path, code)
        return code


def specialiser_for(generated: Generated | None, kernels: str) -> Specialiser:
    """What makes the functions of a game and its kernels for the arguments they are given."""
    if generated is None:
        return Specialiser(read_text(kernels))
    widest = generated.layout.widest
    wide_bits = whole_words(widest) if widest > WORD else 0
    return Specialiser(read_text(kernels, wide_bits=wide_bits), generated.module())


def _kind(kind: str) -> Kind:
    """How the kernels see an argument."""
    known: dict[str, Kind] = {"integer": INT, "array": ROW}
    return known[kind] if kind in known else (INT,) * int(kind)
