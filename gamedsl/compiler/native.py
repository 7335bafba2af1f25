"""Native code: the functions of a game with kernels, compiled by LLVM on the first call.

The inputs are the functions of a game, and the text of kernels that use the functions. Code that
takes long to compile is cached in a file named by the hash of all its inputs: the rules, the
kernels, this package and the machine. If the file exists, nothing is generated, not even the
functions of the game. Kernels that are called for a slice of work at a time start with quickly
compiled code. After running for the time that better code takes to make, a thread compiles better
code, and the kernels switch to the better code when it is ready; no call waits for the compilation.

Words are signed here: bit 63 is the sign.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from gamedsl.compiler.cache import GAME, cache_folder, hash_of, hash_of_compiler
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir.wrapping import signed, unsigned
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.machine_code import Argument, Entry, Prepared, kind_of
from gamedsl.compiler.object_code import (
    can_deposit,
    machine,
    object_code,
    plain_object_code,
    quick_object_code,
)
from gamedsl.compiler.records import Passed, arguments_of
from gamedsl.source.keeping import keep, kept
from gamedsl.source.stopwatch import COMPILING

if TYPE_CHECKING:
    from gamedsl.compiler.frontend.items import Kind
    from gamedsl.compiler.frontend.specialise import Specialiser

WORTH_KEEPING = 0.05
"""Seconds of compilation from which the code is cached, whatever its tier: a cached file also saves
generating the functions of the game."""
LONG = 20_000
"""Letters of a game's functions from which the code of every kernel is cached: a single kernel that
is not cached would have all functions of the game generated again."""
SHORT = 8_000
"""Letters of assembly up to which optimisation takes negligible time."""
MOST_LEVELS = 64
"""Depth of recursion of a `def` up to which quick code is used: quick code takes up to ten times as
much stack, at most some 13,000 bytes per call.
"""
SECONDS_A_BYTE = {"quick": 3e-6, "plain": 30e-6}
"""Seconds of running until the next better code is made (plain after quick, then optimised), for
each byte of code."""
BEGUN = "begun"
"""Names an empty file beside the code: optimised code was begun in an earlier process, and is begun
at once where that process ended too early."""

__all__ = ["CompiledModule", "signed", "unsigned"]


@dataclass
class _Made:
    """The code of a kernel, in a tier: optimised, or quick or plain and to be replaced after some
    seconds. The replacement is compiled by a thread (`maker`), or failed (`error`).
    """

    entry: Entry
    tier: str = "optimised"
    seconds_left: float | None = None
    maker: Thread | None = None
    error: Exception | None = None


class CompiledModule:
    """The functions of a game with kernels, or kernels alone that need no game."""

    def __init__(
        self,
        generated: Generated | None,
        kernels: str,
        folder: Path | None = None,
        *,
        in_slices: bool = False,
    ) -> None:
        """`in_slices`: kernels are called for a little work at a time."""
        self._generated = generated
        self._kernels = kernels
        self._folder = folder or cache_folder()
        levels = 1 if generated is None else generated.levels
        self._may_be_quick = in_slices and levels <= MOST_LEVELS
        self._lock = RLock()
        self._made: dict[tuple[str, ...], _Made] = {}

    def call(self, name: str, *passed: Argument | Passed) -> int:
        """The result of a kernel. Raises Fault where a guard fails."""
        return self.bound(name, *passed)()

    def bound(self, name: str, *passed: Argument | Passed) -> Callable[[], int]:
        """A kernel with its arguments, which are prepared once for all calls. No array may change
        its length between calls. Raises as `call`."""
        arguments = [part for argument in passed for part in arguments_of(argument)]
        wanted = (name, *map(kind_of, arguments))
        prepared = Prepared(arguments)
        return lambda: self._run(wanted, prepared)

    def _run(self, wanted: tuple[str, ...], arguments: Prepared) -> int:
        made = self._made.get(wanted)
        if made is None:
            with self._lock:
                made = self._made.get(wanted)
                if made is None:
                    with COMPILING.running():
                        made = self._made[wanted] = self._first(wanted)
        if made.seconds_left is None:
            return made.entry.run(arguments)
        if made.seconds_left < 0:
            self._replace(wanted, made)
            return made.entry.run(arguments)
        started = time.thread_time()
        try:
            return made.entry.run(arguments)
        finally:
            made.seconds_left -= time.thread_time() - started

    def _replace(self, wanted: tuple[str, ...], made: _Made) -> None:
        """Start making the code that replaces quick or plain code, once. Raises the error of a
        failed replacement.
        """
        if made.error is not None:
            raise made.error
        if made.maker is not None:  # the thread may hold the lock for a while
            return
        with self._lock:
            if made.maker is None:
                made.maker = Thread(target=self._improve, args=(wanted, made), daemon=True)
                made.maker.start()

    def _improve(self, wanted: tuple[str, ...], made: _Made) -> None:
        tier = "plain" if made.tier == "quick" else "optimised"
        if tier == "optimised":
            keep(self._path((BEGUN, *wanted)), b"")
        try:
            self._made[wanted] = self._in_tier(tier, wanted)
        except Exception as error:  # noqa: BLE001 (raised by the next call of the kernel)
            made.error = error

    def text(self, name: str, *kinds: str) -> str:
        """The LLVM assembly of a kernel for arguments of the given kinds (see `kind_of`)."""
        from gamedsl.compiler.printers.llvm import print_llvm

        with self._lock:
            made = self._specialiser.entry(name, tuple(map(self._kind, kinds)))
            return print_llvm(self._specialiser.linked, made.name, kinds, can_deposit=can_deposit())

    def _kind(self, kind: str) -> Kind:
        """The kind of an argument in kernels; the words of a state may be wide."""
        from gamedsl.compiler.ir.values import INT, ROW, bits

        if not kind.isdigit():
            return {"integer": INT, "array": ROW}[kind]
        limbs = () if self._generated is None else self._generated.layout.limbs
        if max(limbs, default=1) == 1:
            return (INT,) * int(kind)
        saved = int(kind) - sum(limbs)
        return (*(INT if n == 1 else bits(WORD * n) for n in limbs), *(INT,) * saved)

    @cached_property
    def _specialiser(self) -> Specialiser:
        return specialiser_for(self._generated, self._kernels)

    def _first(self, wanted: tuple[str, ...]) -> _Made:
        """The initial code: the best that is cached; else quick code where optimisation is slow, or
        plain code where the functions of the game are long and take longer to generate."""
        if not self._may_be_quick or kept(self._path(wanted)) is not None:
            return self._in_tier("optimised", wanted)
        if kept(self._path(("plain", *wanted))) is not None:
            return self._in_tier("plain", wanted)
        return self._in_tier("plain" if self._is_long else "quick", wanted)

    @property
    def _is_long(self) -> bool:
        return self._generated is not None and len(self._generated.source) > LONG

    def _in_tier(self, tier: str, wanted: tuple[str, ...]) -> _Made:
        """The code of a tier; optimised code for quick code where optimisation is fast enough."""
        if tier == "optimised":
            code = self._code(wanted, lambda: object_code(self.text(*wanted)))
            return _Made(Entry(code))
        make = self._quick if tier == "quick" else self._plain
        code = self._code((tier, *wanted), lambda: make(wanted))
        if not code:
            return self._in_tier("optimised", wanted)
        is_begun = tier == "plain" and kept(self._path((BEGUN, *wanted))) is not None
        return _Made(Entry(code), tier, -1 if is_begun else len(code) * SECONDS_A_BYTE[tier])

    def _quick(self, wanted: tuple[str, ...]) -> bytes:
        """Quickly compiled code; empty where optimisation is fast enough."""
        text = self.text(*wanted)
        return quick_object_code(text) if len(text) > SHORT else b""

    def _plain(self, wanted: tuple[str, ...]) -> bytes:
        return plain_object_code(self.text(*wanted))

    def _code(self, wanted: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
        """The code of a kernel, compiled or cached; cached if compilation takes long, or the
        functions of the game are long."""
        path = self._path(wanted)
        cached = kept(path)
        if cached is not None:
            return cached
        start = perf_counter()
        code = make()
        if self._is_long or perf_counter() - start > WORTH_KEEPING:
            keep(path, code)
        return code

    def _path(self, wanted: tuple[str, ...]) -> Path:
        """The file of the code in the cache."""
        generated = self._generated
        source = "" if generated is None else generated.source
        key = hash_of(hash_of_compiler(), source, self._kernels, *machine(), *wanted)
        of_whom = "kernels" if generated is None else f"{GAME}{hash_of(generated.origin)}"
        return self._folder / f"{of_whom}_{key}.o"


def specialiser_for(generated: Generated | None, kernels: str) -> Specialiser:
    """The specialiser of a game's functions and kernels for the kinds of arguments."""
    from gamedsl.compiler.frontend.specialise import NOTHING, Specialiser
    from gamedsl.compiler.frontend.text import read_text

    if generated is None:
        return Specialiser(read_text(kernels))
    beside = NOTHING if generated.more is None else generated.more()
    return Specialiser(read_text(kernels), generated.module, beside)
