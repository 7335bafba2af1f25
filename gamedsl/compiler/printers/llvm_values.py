"""Values as LLVM instructions, each evaluated once where it is needed, as far as known.

Instructions are appended; the methods return operands. A computed value is reused below, until a
local in the value is assigned or, if the value reads a row, a row is written. Values that Python
skips behind `and`, `or` and in `... if ... else ...` are skipped by a branch, or computed anyway if
already known.
"""

from __future__ import annotations

from abc import abstractmethod

from gamedsl.compiler.ir.signatures import INTRINSICS
from gamedsl.compiler.ir.values import BOOL, INT, Op, Type, Value
from gamedsl.compiler.printers.llvm_arithmetic import ARITHMETIC, Work
from gamedsl.compiler.printers.llvm_effects import Effect, can_be_vain
from gamedsl.compiler.printers.llvm_globals import Table
from gamedsl.compiler.printers.llvm_instructions import Instructions
from gamedsl.compiler.printers.llvm_lanes import together
from gamedsl.compiler.printers.llvm_types import (
    CONVENTION,
    function_text,
    literal,
    result_text,
    set_type,
    type_text,
    width_of,
)

SOON_DONE = 8
"""Cost in operations up to which an arm of `if-else` is computed unconditionally."""


class Values(Instructions):
    """The values of one function."""

    def is_cheap(self, value: Value) -> bool:
        """Whether the value costs nothing even if unused. (LLVM does better with branches than with
        unneeded operations.)
        """
        return value.op in {Op.CONST, Op.NAME} or self.remembered(value) is not None

    # --- values ------------------------------------------------------------------------------

    def operand(self, value: Value, kind: Type | None = None) -> str:
        """A value, converted to a type if given."""
        wanted = kind or value.type
        if value.op is Op.CONST:
            return literal(value.const, wanted)
        if value.op is Op.NAME:
            local = self.env[value.name]
            return self.converted(local.operand, local.type, wanted)
        register = self.remembered(value)
        if register is None:
            register = WORK[value.op](self, value)
            self.remember(value, register)
        return register if kind is None else self.converted(register, value.type, kind)

    def place(self, row: Value, index: Value) -> str:
        """The address of a number of a row."""
        at = self.operand(index, INT)
        return self.emit(f"getelementptr inbounds i64, ptr {self.operand(row)}, i64 {at}")

    def _load(self, value: Value) -> str:
        place = self.place(*value.args)
        return self.converted(self.emit(f"load i64, ptr {place}, align 8"), INT, value.type)

    def _lookup(self, value: Value) -> str:
        assert isinstance(value.arg, tuple)
        table = self.globals.table(value.arg, 64 if value.type is BOOL else width_of(value.type))
        at = self.operand(value.args[0], INT)
        kind = INT if value.type is BOOL else value.type
        return self.converted(self.entry_of(table, at, kind), kind, value.type)

    def entry_of(self, table: Table, at: str, kind: Type) -> str:
        """An entry of a table, as a number or set of a type."""
        bits = table.bits
        place = self.emit(f"getelementptr inbounds i{bits}, ptr {table.name}, i64 {at}")
        entry = self.emit(f"load i{bits}, ptr {place}")
        if bits == width_of(kind):
            return entry
        work = "sext" if table.is_signed else "zext"
        return self.emit(f"{work} i{bits} {entry} to {type_text(kind)}")

    # --- conditional evaluation ---------------------------------------------------------------

    def _connected(self, value: Value) -> str:
        is_all = value.op is Op.ALL
        decided = "false" if is_all else "true"
        first, *rest = value.args if is_all else together(value.args)
        register = self.operand(first, BOOL)
        edges: list[tuple[str, str]] = []
        end, mark = "", self.mark()
        for part in rest:
            if self.is_cheap(part):
                more = self.operand(part, BOOL)
                pair = f"i1 {more}, i1 false" if is_all else f"i1 true, i1 {more}"
                register = self.emit(f"select i1 {register}, {pair}")
                continue
            end = end or self.label("decided")
            edges.append((decided, self.block))
            go_on = self.label("next")
            self.branch(register, *((go_on, end) if is_all else (end, go_on)))
            self.start(go_on)
            register = self.operand(part, BOOL)
        if not edges:
            return register
        edges.append((register, self.block))
        self.jump(end)
        self.forget(mark)
        self.start(end)
        return self.phi("i1", edges)

    def _select(self, value: Value) -> str:
        test, then, otherwise = value.args
        kind, decided = type_text(value.type), self.operand(test, BOOL)
        if self._is_soon_done(then) and self._is_soon_done(otherwise):
            left, right = self.operand(then, value.type), self.operand(otherwise, value.type)
            return self.emit(f"select i1 {decided}, {kind} {left}, {kind} {right}")
        self._share(then, otherwise)
        blocks, end, edges = [self.label("then"), self.label("else")], self.label("end"), []
        self.branch(decided, *blocks)
        for block, chosen in zip(blocks, (then, otherwise), strict=True):
            mark = self.mark()
            self.start(block)
            edges.append((self.operand(chosen, value.type), self.block))
            self.jump(end)
            self.forget(mark)
        self.start(end)
        return self.phi(kind, edges)

    def _is_soon_done(self, value: Value) -> bool:
        """Whether a value is better computed without need than branched around: the choice between
        two sets is often unpredictable. A name bound in the value is read only inside the value.
        """
        cost, pending = 0, [value]
        while pending and cost <= SOON_DONE:
            part = pending.pop()
            if self.is_cheap(part):
                continue
            if part.op is not Op.BIND:
                if not can_be_vain(part):
                    return False
                cost += 1
            pending += part.args
        return cost <= SOON_DONE

    def _share(self, *values: Value) -> None:
        """Compute values needed in several branches, as far as safe without need: a value with
        large common parts could otherwise be copied any number of times.
        """
        seen: set[Value] = set()
        for value in values:
            reached: set[Value] = set()
            pending = list(value.args)
            while pending:
                part = pending.pop()
                if part in reached or part.op in {Op.CONST, Op.NAME}:
                    continue
                reached.add(part)
                if part not in seen:
                    pending.extend(part.args)
                elif self._is_harmless(part):
                    self.operand(part)
            seen |= reached

    def _is_harmless(self, value: Value) -> bool:
        return self.callees.is_harmless(value)

    def _guard(self, value: Value) -> str:
        test, result, detail, place = value.args
        bad, good = self.label("bad"), self.label("good")
        self.branch(self.operand(test, BOOL), good, bad, "!prof !1")
        mark = self.mark()
        self.start(bad)
        assert isinstance(value.arg, int)
        self.break_off(value.arg, detail, place)
        self.forget(mark)
        self.start(good)
        return self.operand(result, value.type)

    def break_off(self, site: int, detail: Value, place: Value) -> None:
        """Note a fault, and leave the function."""
        numbers = ", ".join(f"i64 {self.operand(number, INT)}" for number in (detail, place))
        self.lines.append(f"  call void @gamedsl.fault(i64 {site}, {numbers})")
        self.can_fail = True
        self.jump("failed")

    def _bind(self, value: Value) -> str:
        register = self.operand(value.args[0])
        self.set(value.name, register, value.type)
        return register

    # --- calls -------------------------------------------------------------------------------

    def _call(self, value: Value) -> str:
        if value.name in INTRINSICS:
            return self._known_function(value)
        registers, results = self.called(value)
        kind = self.callees.signature(value.name).results[0]
        return self.converted(registers[0], kind, value.type) if results else registers[0]

    def called(self, value: Value) -> tuple[list[str], tuple[Type, ...]]:
        """All results of a call, with their types."""
        signature, fails = self.callees.signature(value.name), self.callees.fails(value.name)
        arguments = ", ".join(
            f"{type_text(kind)} {self.operand(arg, kind)}"
            for kind, arg in zip(signature.parameters, value.args, strict=True)
        )
        text = result_text(signature.results, fails)
        register = self.emit(f"call {CONVENTION} {text} {function_text(value.name)}({arguments})")
        if self.callees.effect(value.name) is Effect.WRITES:
            self.rows_change()
        count = len(signature.results)
        if fails:
            self._check(register, text, count)
        if count == 1 and not fails:
            return [register], signature.results
        return [self.emit(f"extractvalue {text} {register}, {n}") for n in range(count)], (
            signature.results
        )

    def _check(self, register: str, text: str, place: int) -> None:
        """Leave the function if the called function has failed."""
        status = self.emit(f"extractvalue {text} {register}, {place}")
        good = self.label("good")
        self.branch(status, "failed", good, "!prof !0")
        self.can_fail = True
        self.start(good)

    def _known_function(self, value: Value) -> str:
        match value.name:
            case "numbers":
                return self.stack_row(value.args[0].const)
            case "tail":
                return self.place(*value.args)
            case "limb":
                return self._limb(*value.args)
            case "prefetch":
                return self._prefetch(*value.args)
            case "exchange":
                return self._exchange(*value.args)
            case "deposit":
                left, right = (self.operand(arg, INT) for arg in value.args)
                function = self.globals.need_deposit()
                return self.emit(f"call i64 {function}(i64 {left}, i64 {right})")
            case "mixed":
                left, right = (self.operand(arg, INT) for arg in value.args)
                self.globals.need("mixed")
                return self.emit(f"call i64 @gamedsl.mixed(i64 {left}, i64 {right})")
        kind = set_type(value.args[0].type)
        type_name, bits = type_text(kind), self.operand(value.args[0], kind)
        number = self.operand(value.args[1], INT)
        self.globals.need_nth_bit(width_of(kind))
        return self.emit(f"call i64 @gamedsl.nth_bit.{type_name}({type_name} {bits}, i64 {number})")

    @abstractmethod
    def stack_row(self, size: int) -> str:
        """A row of `size` zeros."""

    def _prefetch(self, row: Value, index: Value) -> str:
        self.globals.declare("prefetch", "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        place = self.place(row, index)
        self.lines.append(f"  call void @llvm.prefetch.p0(ptr {place}, i32 0, i32 3, i32 1)")
        return literal(0, INT)

    def _exchange(self, row: Value, index: Value, old: Value, new: Value) -> str:
        place = self.place(row, index)
        before, behind = (self.operand(operand, INT) for operand in (old, new))
        register = self.emit(
            f"cmpxchg ptr {place}, i64 {before}, i64 {behind} acq_rel monotonic, align 8"
        )
        self.rows_change()
        return self.emit(f"extractvalue {{ i64, i1 }} {register}, 0")

    def _limb(self, value: Value, number: Value) -> str:
        type_name, register = type_text(value.type), self.operand(value)
        if number.const:
            register = self.emit(f"lshr {type_name} {register}, {64 * number.const}")
        return self.converted(register, value.type, INT)


WORK: dict[Op, Work] = {
    **ARITHMETIC,
    **dict.fromkeys((Op.ALL, Op.ANY), Values._connected),
    Op.SELECT: Values._select,
    Op.LOOKUP: Values._lookup,
    Op.LOAD: Values._load,
    Op.CALL: Values._call,
    Op.GUARD: Values._guard,
    Op.BIND: Values._bind,
}
