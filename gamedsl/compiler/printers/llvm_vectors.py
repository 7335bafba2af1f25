"""Unions of sets of equal form as vectors of words.

The sets of the eight directions of a line differ in constants alone. `union` finds four sets of
equal form among the operands of an `or`, and writes their common form once, with vectors for the
constants. LLVM's own vectorisation finds most of these sets too, and overlooks them in values that
are only a little longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce

from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import Op, Value
from gamedsl.compiler.printers.llvm_instructions import Instructions
from gamedsl.compiler.printers.llvm_types import literal, width_of

LANES = 4
"""Words in a vector."""
VECTOR = f"<{LANES} x i64>"
LEAST = 8
"""Operations from which a set is worth a lane."""
WORK = {
    Op.AND: "and", Op.OR: "or", Op.XOR: "xor", Op.ADD: "add", Op.SUB: "sub",
    Op.SHL: "shl", Op.SHR: "lshr",
}  # fmt: skip


def union(values: Instructions, value: Value) -> str | None:
    """A union with sets of equal form, as an operand; None for other values."""
    if value.op is not Op.OR or value.can_fail or not _is_word(value):
        return None
    sets = _operands(values, value)
    if len(sets) < LANES:
        return None
    inner = _bound_for_others(sets)
    alike: dict[object, list[Value]] = defaultdict(list)
    for part in sets:
        form = _form(part, {}, inner) if sum(1 for _ in parts(part)) >= LEAST else None
        alike[part if form is None else form].append(part)
    groups = [
        tuple(same_form[start : start + LANES])
        for same_form in alike.values()
        for start in range(0, len(same_form) - LANES + 1, LANES)
    ]
    if not groups:
        return None
    for bind in inner.values():
        values.operand(bind)
    vectors = [_Lanes(values, inner).operand(group) for group in groups]
    whole = reduce(lambda left, right: values.emit(f"or {VECTOR} {left}, {right}"), vectors)
    title = f"llvm.vector.reduce.or.v{LANES}i64"
    values.globals.declare(title, f"declare i64 @{title}({VECTOR})")
    register = values.emit(f"call i64 @{title}({VECTOR} {whole})")
    in_lanes = {part for group in groups for part in group}
    for part in sets:
        if part not in in_lanes:
            register = values.emit(f"or i64 {register}, {values.operand(part, value.type)}")
    return register


def _is_word(value: Value) -> bool:
    return value.type.kind == "bits" and width_of(value.type) == 64


def _operands(values: Instructions, value: Value) -> list[Value]:
    """The operands of a union, unions within opened unless already written."""
    operands: dict[Value, None] = {}
    pending = [value]
    while pending:
        part = pending.pop()
        if part.op is Op.OR and _is_word(part) and values.remembered(part) is None:
            pending += reversed(part.args)
        else:
            operands[part] = None
    return list(operands)


def _bound_for_others(sets: Sequence[Value]) -> dict[str, Value]:
    """The names bound in a set and read in others, with their bindings, in order."""
    bindings: dict[str, Value] = {}
    for part in sets:
        if part.binds:
            for bind in parts(part):
                if bind.op is Op.BIND and any(
                    bind.name in other.names for other in sets if other is not part
                ):
                    bindings[bind.name] = bind
    return bindings


def _form(value: Value, own: dict[str, int], inner: dict[str, Value]) -> object:
    """The form of a set, apart from constants; None if a part has no form of a vector."""
    match value.op:
        case Op.CONST:
            return Op.CONST
        case Op.NAME:
            return own.get(value.name, value.name)
        case Op.BIND:
            if value.name in inner:
                return value.name
            form = _form(value.args[0], own, inner)
            own[value.name] = len(own)
            return form and (Op.BIND, form)
        case Op.COMPLEMENT:
            pass
        case Op.SHL | Op.SHR if not value.args[1].is_const:
            return None
        case op if op not in WORK:
            return None
    if not _is_word(value):
        return None
    forms = tuple(_form(arg, own, inner) for arg in value.args)
    return None if None in forms else (value.op, *forms)


class _Lanes:
    """The values of equal form of several sets."""

    def __init__(self, values: Instructions, inner: dict[str, Value]) -> None:
        self._values = values
        self._inner = inner
        self._bound: dict[str, str] = {}
        self._made: dict[tuple[Value, ...], str] = {}

    def operand(self, lanes: tuple[Value, ...]) -> str:
        """The vector of some values."""
        if lanes not in self._made:
            self._made[lanes] = self._written(lanes)
        return self._made[lanes]

    def _written(self, lanes: tuple[Value, ...]) -> str:
        first, values = lanes[0], self._values
        if all(lane.is_const for lane in lanes):
            numbers = (f"i64 {literal(lane.const, lane.type)}" for lane in lanes)
            return f"<{', '.join(numbers)}>"
        if first.is_name and first.name in self._bound:
            return self._bound[first.name]
        if first.is_name or (first.op is Op.BIND and first.name in self._inner):
            local = values.env[first.name]
            kind = first.type if _is_word(first) else local.type
            scalar = values.converted(local.operand, local.type, kind)
            start = values.emit(f"insertelement {VECTOR} poison, i64 {scalar}, i64 0")
            return values.emit(
                f"shufflevector {VECTOR} {start}, {VECTOR} poison, <{LANES} x i32> zeroinitializer"
            )
        args = [
            self.operand(tuple(lane.args[number] for lane in lanes))
            for number in range(len(first.args))
        ]
        if first.op is Op.BIND:
            for number, lane in enumerate(lanes):
                self._bound[lane.name] = args[0]
                word = values.emit(f"extractelement {VECTOR} {args[0]}, i64 {number}")
                values.set(lane.name, word, lane.type)
            return args[0]
        if first.op is Op.COMPLEMENT:
            ones = ", ".join(["i64 -1"] * LANES)
            return values.emit(f"xor {VECTOR} {args[0]}, <{ones}>")
        return values.emit(f"{WORK[first.op]} {VECTOR} {args[0]}, {args[1]}")
