"""Execution of generated Python: its code, and the rows that it writes into. The bytecode of long
texts is cached between runs."""

from __future__ import annotations

import marshal
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from threading import local
from types import CodeType
from typing import Any

from gamedsl.compiler.cache import cache_folder, hash_of
from gamedsl.source.keeping import keep, kept

WORTH_KEEPING = 50_000
"""Letters from which the bytecode of a text is cached."""


def run_source(source: str, folder: Path | None = None) -> dict[str, Any]:
    """The names that a generated module defines."""
    names: dict[str, Any] = {"__name__": "generated"}
    exec(_code(source, folder or cache_folder()) if _is_long(source) else _read(source), names)
    return names


def _is_long(source: str) -> bool:
    return len(source) > WORTH_KEEPING


def _read(source: str) -> CodeType:
    code: CodeType = compile(source, "<generated game>", "exec")
    return code


def _code(source: str, folder: Path) -> CodeType:
    path = folder / f"python_{hash_of(source, sys.version, MAGIC_NUMBER.hex())}"
    cached = kept(path)
    if cached is not None:
        known: CodeType = marshal.loads(cached)
        return known
    code = _read(source)
    keep(path, marshal.dumps(code))
    return code


class ThreadRow(local):
    """A row of zeros of a given size that generated code writes into, with one copy per thread.

    With a shared row, concurrent threads of one engine (advice beside a proof) would overwrite the
    numbers of the other threads.

    Attributes:
        row: the row of the current thread.
    """

    def __init__(self, size: int) -> None:
        self.row = [0] * size
