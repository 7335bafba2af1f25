"""Functions of a few lines, made machine code of and called."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent
from typing import Any

from gamedsl.compiler.frontend.items import Kind
from gamedsl.compiler.frontend.specialise import Specialiser
from gamedsl.compiler.frontend.text import read_text
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import INT, ROW
from gamedsl.compiler.machine_code import Entry
from gamedsl.compiler.object_code import object_code
from gamedsl.compiler.printers.llvm import print_llvm

KINDS: dict[str, Kind] = {"integer": INT, "array": ROW}


def specialised(text: str) -> Specialiser:
    """A text, read."""
    return Specialiser(read_text(dedent(text)))


def compiled(text: str, name: str, *kinds: str, can_deposit: bool = False) -> Callable[..., int]:
    """A function of a text as machine code."""
    specialiser = specialised(text)
    given = tuple(KINDS[kind] if kind in KINDS else (INT,) * int(kind) for kind in kinds)
    made = specialiser.function(name, given)
    return Entry(
        object_code(print_llvm(specialiser.linked, made.name, kinds, can_deposit=can_deposit))
    )


def linked(
    function: ir.Function, *kinds: str, can_deposit: bool = False, **others: Any
) -> Callable[..., int]:
    """A function of the intermediate representation as machine code, with those that it calls."""
    functions = {function.name: function, **others}
    text = print_llvm(functions, function.name, kinds, can_deposit=can_deposit)
    return Entry(object_code(text))
