"""How numba is told to gather functions as LLVM modules, to be optimised once all are together.

numba would optimise each function with all that it calls, and make machine code of it, before it
turns to the next one that calls it in turn. This module imports numba; import it late.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import codegen

Library: Any = codegen.AOTCodeLibrary
Codegen: Any = codegen.JITCPUCodegen


class Gathered(Library):  # type: ignore[misc]
    """A function and those that it calls."""

    def finalize(self) -> None:
        """Link, and nothing else."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code to point to."""
        self._ensure_finalized()
        return 0


class Gathering(Codegen):  # type: ignore[misc]
    """Machine code for this processor, made only when it is asked for."""

    _library_class = Gathered

    def set_env(self, name: str, environment: object) -> None:
        """Nobody will look up what a function finds in Python."""

    @contextmanager
    def instead_of_that_of(self, context: Any) -> Iterator[None]:
        """Inside, what numba compiles is gathered; for who holds numba's lock."""
        own = context._internal_codegen
        context._internal_codegen = self
        try:
            yield
        finally:
            context._internal_codegen = own

    def object_code(self, module: Any, entry: str) -> bytes:
        """Machine code of a module of which one function is called from outside."""
        for function in module.functions:
            if not function.is_declaration and function.name != entry:
                function.linkage = "internal"
        for options in ({"cost": "cheap", "opt": 0, "slp_vectorize": False}, {}):
            manager, builder = self._module_pass_manager(**options)
            manager.run(module, builder)
        code: bytes = self._tm.emit_object(module)
        return code
