"""The machine code of a module's functions, made by numba.

In: the text of a native module, and that of an entry: a function of numbers and pointers. Out: an
object file, and the name of the entry in it. It needs nothing of numba or Python any more: guards
that fail call `NOTE`, arrays belong to who passes them, and every call is to what is in the file.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from gamedsl.compiler.machine_code import FAILED, NOTE

LATER = re.compile(
    r'^(@"\.numba\.unresolved\$([^"]*)") = external (?:\w+ )*global .*$', re.MULTILINE
)
"""How numba declares a variable that is to hold the address of a function."""


@dataclass(frozen=True, slots=True)
class ObjectCode:
    """An object file, and the name of the entry in it."""

    symbol: str
    code: bytes


class NumbaModule:
    """The functions of a module, compiled as far as entries have asked for them."""

    def __init__(self, text: str, name: str) -> None:
        module = ModuleType(f"gamedsl_native_{name}")
        sys.modules[module.__name__] = module  # numba asks where a function is from
        self._names = vars(module)
        self._names |= {"NOTE": NOTE, "FAILED": FAILED}
        exec(compile(text, f"<game {name}>", "exec"), self._names)

    def compiled(self, text: str, kinds: tuple[str, ...]) -> ObjectCode:
        """The entry `called` that this text defines, for arguments of these kinds."""
        exec(text, self._names)
        return self._made([one for kind in kinds for one in _types_of(kind)])

    def _made(self, arguments: list[Any]) -> ObjectCode:
        from numba import types
        from numba.core import compiler, registry
        from numba.core.compiler_lock import global_compiler_lock

        from gamedsl.compiler.gathering import Gathering

        target: Any = registry.cpu_target
        numba: Any = compiler
        flags = numba.Flags()
        target.options.parse_as_flags(flags, self._names["OPTIONS"] | {"nopython": True})
        with global_compiler_lock:
            target.typing_context.refresh()
            target.target_context.refresh()
            gathering = Gathering("gamedsl")
            contexts = target.typing_context, target.target_context
            with gathering.instead_of_that_of(target.target_context):
                called = self._names["called"]
                found = numba.compile_extra(*contexts, called, arguments, types.int64, flags, {})
            entry = found.fndesc.llvm_func_name
            code = gathering.object_code(self._closed(found.library.get_llvm_str()), entry)
        return ObjectCode(entry, code)

    def _closed(self, text: str) -> Any:
        """An LLVM module with all that its functions call later on.

        numba calls what may call itself through a variable that it sets when all is loaded; nobody
        will be there to set it when this is, so the variable gets its value here.
        """
        from llvmlite.binding import parse_assembly

        module = parse_assembly(text)
        known: set[str] = set()
        while missing := {name for _, name in LATER.findall(str(module))} - known:
            known |= missing
            for name in missing & self._libraries.keys():
                module.link_in(parse_assembly(self._libraries[name].get_llvm_str()))
        return parse_assembly(LATER.sub(r'\1 = internal constant ptr @"\2"', str(module)))

    @property
    def _libraries(self) -> dict[str, Any]:
        """The functions that numba has compiled so far, each with the library that it is in."""
        functions = [f for f in self._names.values() if hasattr(f, "overloads")]
        made = [found for function in functions for found in function.overloads.values()]
        return {found.fndesc.llvm_func_name: found.library for found in made}


def _types_of(kind: str) -> list[Any]:
    """What the entry takes for an argument of a kind."""
    import numba

    types: Any = numba.types
    pointer = types.CPointer(types.int64)
    passed = {"integer": [types.int64], "array": [pointer, types.int64]}
    return passed.get(kind, [pointer])
