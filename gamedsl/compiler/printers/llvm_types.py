"""Types, constants and names in LLVM assembly.

A number is an `i64`, a set an integer of whole words.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import BOOL, INT, ROW, Type
from gamedsl.compiler.ir.wrapping import signed, whole_words

CONVENTION = "fastcc"
"""The calling convention between functions."""


def type_text(kind: Type) -> str:
    """The LLVM type of a value."""
    if kind is BOOL:
        return "i1"
    if kind is ROW:
        return "ptr"
    return f"i{width_of(kind)}"


def width_of(kind: Type) -> int:
    """Bits of the LLVM integer that a number or set is held in: whole words."""
    return 64 if kind.kind != "bits" else whole_words(kind.width)


def literal(value: int, kind: Type) -> str:
    """A constant."""
    if kind is BOOL:
        return "true" if value else "false"
    return str(signed(value, width_of(kind)))


def result_text(results: tuple[Type, ...], fails: bool) -> str:
    """The LLVM type of a function's return value: its results, and a failure flag."""
    types = [type_text(kind) for kind in results] + (["i1"] if fails else [])
    return types[0] if len(types) == 1 else "{" + ", ".join(types) + "}"


def function_text(name: str) -> str:
    """The name of a function in LLVM text."""
    return f'@"{name}"'


def common_type(first: Type, second: Type) -> Type:
    """The type in which two values are compared."""
    if first is second:
        return first
    sets = [kind for kind in (first, second) if kind.kind == "bits"]
    return max(sets, key=lambda kind: kind.width) if sets else INT


def set_type(kind: Type) -> Type:
    """The type of a set whose bits are looked at."""
    return INT if kind is BOOL else kind
