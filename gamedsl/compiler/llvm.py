"""LLVM, by which machine code is made: whether it is installed, and loading on first use."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

NO_LLVM = "llvmlite, which makes machine code, is not installed here"


def has_llvm() -> bool:
    """Whether machine code can be made on this installation."""
    return find_spec("llvmlite") is not None


@cache
def llvm() -> Any:
    """LLVM, loaded on first use. Raises MemoryError if there is no room for LLVM."""
    try:
        from llvmlite import binding

        binding.get_process_triple()
    except OSError as error:
        if "map" in str(error.__context__) or "memory" in str(error.__context__):
            raise MemoryError("there is no room for LLVM") from error
        raise
    return binding
