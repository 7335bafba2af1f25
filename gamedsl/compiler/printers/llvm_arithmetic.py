"""Arithmetic as LLVM instructions.

Operations on numbers and sets become operands. All operations are safe when their results are
unused, except division by a value that may be 0.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.ir.values import BOOL, INT, Op, Type, Value
from gamedsl.compiler.printers.llvm_instructions import Instructions
from gamedsl.compiler.printers.llvm_types import common_type, set_type, type_text, width_of
from gamedsl.compiler.printers.llvm_vectors import union

SIMPLE = {
    Op.AND: "and", Op.OR: "or", Op.XOR: "xor", Op.ADD: "add", Op.SUB: "sub", Op.MUL: "mul",
}  # fmt: skip
SIGNED = {Op.EQ: "eq", Op.NE: "ne", Op.LT: "slt", Op.LE: "sle"}
UNSIGNED = {Op.EQ: "eq", Op.NE: "ne", Op.LT: "ult", Op.LE: "ule"}


def _simple(values: Instructions, value: Value) -> str:
    """Chains of simple operations are printed in a loop instead of recursively: they may be
    long.
    """
    first = union(values, value)
    if first is not None:
        return first
    row = [value]
    while row[-1].args[0].op in SIMPLE and values.remembered(row[-1].args[0]) is None:
        inner = row[-1].args[0]
        if row[-1].op is not Op.OR and (first := union(values, inner)) is not None:
            values.remember(inner, first)
            break
        row.append(inner)
    first = first or values.operand(row[-1].args[0])
    for step in reversed(row):
        first = values.converted(first, step.args[0].type, step.type)
        second = values.operand(step.args[1], step.type)
        first = values.emit(f"{SIMPLE[step.op]} {type_text(step.type)} {first}, {second}")
        if step is not value:
            values.remember(step, first)
    return first


def _compare(values: Instructions, value: Value) -> str:
    kind = common_type(*(arg.type for arg in value.args))
    left, right = (values.operand(arg, kind) for arg in value.args)
    sign = (SIGNED if kind is INT else UNSIGNED)[value.op]
    return values.emit(f"icmp {sign} {type_text(kind)} {left}, {right}")


def _shift(values: Instructions, value: Value) -> str:
    operand, places = (values.operand(arg, value.type) for arg in value.args)
    work = "shl" if value.op is Op.SHL else "ashr" if value.type is INT else "lshr"
    return values.emit(f"{work} {type_text(value.type)} {operand}, {places}")


def _divide(values: Instructions, value: Value) -> str:
    """Python's division: rounding to minus infinity."""
    kind, by = type_text(value.type), value.args[1]
    left, right = (values.operand(arg, value.type) for arg in value.args)
    is_floor = value.op is Op.FLOORDIV
    if by.is_const and by.const > 0 and not by.const & (by.const - 1):
        if not is_floor:
            return values.emit(f"and {kind} {left}, {by.const - 1}")
        shift = "ashr" if value.type is INT else "lshr"
        return values.emit(f"{shift} {kind} {left}, {by.const.bit_length() - 1}")
    if value.type is not INT:
        return values.emit(f"{'udiv' if is_floor else 'urem'} {kind} {left}, {right}")
    rest = values.emit(f"srem {kind} {left}, {right}")
    sign = rest if by.is_const and by.const > 0 else values.emit(f"xor {kind} {rest}, {right}")
    below = values.emit(f"icmp slt {kind} {sign}, 0")
    if sign is not rest:
        some = values.emit(f"icmp ne {kind} {rest}, 0")
        below = values.emit(f"and i1 {below}, {some}")
    if not is_floor:
        more = values.emit(f"select i1 {below}, {kind} {right}, {kind} 0")
        return values.emit(f"add {kind} {rest}, {more}")
    quotient = values.emit(f"sdiv {kind} {left}, {right}")
    one_less = values.emit(f"sext i1 {below} to {kind}")
    return values.emit(f"add {kind} {quotient}, {one_less}")


def _least(values: Instructions, value: Value) -> str:
    sign = "s" if value.type is INT else "u"
    name = f"llvm.{sign}{value.op.value}"
    left, right = (values.operand(arg, value.type) for arg in value.args)
    return _intrinsic(values, name, value.type, left, f"{type_text(value.type)} {right}")


def _intrinsic(values: Instructions, name: str, kind: Type, operand: str, more: str = "") -> str:
    type_name = type_text(kind)
    title = f"{name}.{type_name}"
    types = [type_name, more.split()[0]] if more else [type_name]
    values.globals.declare(title, f"declare {type_name} @{title}({', '.join(types)})")
    return values.emit(
        f"call {type_name} @{title}({type_name} {operand}{', ' + more if more else ''})"
    )


def _count(values: Instructions, value: Value) -> str:
    kind = set_type(value.args[0].type)
    operand = values.operand(value.args[0], kind)
    register = {
        Op.COUNT: lambda: _intrinsic(values, "llvm.ctpop", kind, operand),
        Op.LOWEST: lambda: _intrinsic(values, "llvm.cttz", kind, operand, "i1 true"),
        Op.HIGHEST: lambda: _highest(values, kind, operand),
    }[value.op]()
    return values.converted(register, kind, INT)


def _highest(values: Instructions, kind: Type, operand: str) -> str:
    zeros = _intrinsic(values, "llvm.ctlz", kind, operand, "i1 true")
    return values.emit(f"sub {type_text(kind)} {width_of(kind) - 1}, {zeros}")


def _absolute(values: Instructions, value: Value) -> str:
    return _intrinsic(values, "llvm.abs", INT, values.operand(value.args[0], INT), "i1 false")


def _not(values: Instructions, value: Value) -> str:
    return values.emit(f"xor i1 {values.operand(value.args[0], BOOL)}, true")


def _complement(values: Instructions, value: Value) -> str:
    kind = type_text(value.type)
    return values.emit(f"xor {kind} {values.operand(value.args[0], value.type)}, -1")


def _negate(values: Instructions, value: Value) -> str:
    kind = type_text(value.type)
    return values.emit(f"sub {kind} 0, {values.operand(value.args[0], value.type)}")


def _to_int(values: Instructions, value: Value) -> str:
    return values.operand(value.args[0], INT)


Work = Callable[..., str]
"""Writes an operation of the function being written; gives the operand."""
ARITHMETIC: dict[Op, Work] = {
    **dict.fromkeys(SIMPLE, _simple),
    **dict.fromkeys(SIGNED, _compare),
    **dict.fromkeys((Op.SHL, Op.SHR), _shift),
    **dict.fromkeys((Op.FLOORDIV, Op.MOD), _divide),
    **dict.fromkeys((Op.MIN, Op.MAX), _least),
    **dict.fromkeys((Op.COUNT, Op.LOWEST, Op.HIGHEST), _count),
    Op.NOT: _not,
    Op.COMPLEMENT: _complement,
    Op.NEGATE: _negate,
    Op.ABS: _absolute,
    Op.TO_INT: _to_int,
}
