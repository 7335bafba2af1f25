"""Values as LLVM instructions: each worked out once where it is needed, as far as that is known.

In: values, and the numbers that locals stand for at the present place. Out: operands; instructions
are appended. A value that has been worked out is not worked out again below, until a local in it is
assigned or, if it reads a row, something is written. What Python leaves out behind `and`, `or` and
in `... if ... else ...` is left out by a branch, or worked out anyway where it is known already.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from gamedsl.compiler.ir.signatures import INTRINSICS
from gamedsl.compiler.ir.values import BOOL, INT, ROW, Op, Type, Value
from gamedsl.compiler.ir.wrapping import signed, whole_words
from gamedsl.compiler.printers.llvm_effects import Callees, Effect
from gamedsl.compiler.printers.llvm_globals import Globals, Table

CHEAP = 0
"""Operations that are rather done in vain than branched around."""
UNLIKELY = "!prof !0"

SIMPLE = {
    Op.AND: "and", Op.OR: "or", Op.XOR: "xor", Op.ADD: "add", Op.SUB: "sub", Op.MUL: "mul",
}  # fmt: skip
SIGNED = {Op.EQ: "eq", Op.NE: "ne", Op.LT: "slt", Op.LE: "sle"}
UNSIGNED = {Op.EQ: "eq", Op.NE: "ne", Op.LT: "ult", Op.LE: "ule"}
NEVER_CHEAP = {Op.CALL, Op.LOAD, Op.LOOKUP, Op.GUARD, Op.BIND}


class Local(NamedTuple):
    """What a local is at the present place."""

    operand: str
    type: Type
    since: int


class Known(NamedTuple):
    """A value that has been worked out: when, and at which state of the rows (-1: no matter)."""

    operand: str
    since: int
    memory: int


Environment = dict[str, Local]
Edge = tuple[str, Environment]
"""A block from which something goes on, and the locals there."""


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
    """The LLVM type of what a function gives: its results, and whether it has broken off."""
    types = [type_text(one) for one in results] + (["i1"] if fails else [])
    return types[0] if len(types) == 1 else "{" + ", ".join(types) + "}"


class Values:
    """The instructions of one function."""

    def __init__(self, callees: Callees, globals_: Globals) -> None:
        self.callees = callees
        self.globals = globals_
        self.lines: list[str] = []
        self.env: Environment = {}
        self.block = "entry"
        self.is_open = True
        self.can_fail = False
        self.clock = 0
        self._memory = 0
        self._memo: dict[Value, Known] = {}
        self._undo: list[tuple[Value, Known | None]] = []
        self._costs: dict[Value, int] = {}
        self._fresh = 0

    # --- instructions ------------------------------------------------------------------------

    def fresh(self) -> str:
        """A new name."""
        self._fresh += 1
        return f"%v{self._fresh}"

    def emit(self, text: str) -> str:
        """An instruction with a result."""
        found = self.fresh()
        self.lines.append(f"  {found} = {text}")
        return found

    def label(self, stem: str) -> str:
        """A new name of a block."""
        self._fresh += 1
        return f"{stem}{self._fresh}"

    def start(self, block: str) -> None:
        """Go on in a block."""
        self.lines.append(f"{block}:")
        self.block = block
        self.is_open = True

    def jump(self, block: str) -> None:
        """Go on elsewhere."""
        self.lines.append(f"  br label %{block}")
        self.is_open = False

    def branch(self, test: str, then: str, otherwise: str, hint: str = "") -> None:
        """Go on elsewhere, by a condition."""
        self.lines.append(
            f"  br i1 {test}, label %{then}, label %{otherwise}{', ' + hint if hint else ''}"
        )
        self.is_open = False

    # --- what is known -----------------------------------------------------------------------

    def mark(self) -> int:
        """A place to which `forget` goes back."""
        return len(self._undo)

    def forget(self, mark: int) -> None:
        """Forget what has been worked out since, in blocks that may not have been run."""
        for value, before in reversed(self._undo[mark:]):
            if before is None:
                del self._memo[value]
            else:
                self._memo[value] = before
        del self._undo[mark:]

    def rows_change(self) -> None:
        """What has been read from rows may be read otherwise from here on."""
        self._memory += 1

    def set(self, name: str, operand: str, kind: Type) -> None:
        """Give a local a value."""
        self.clock += 1
        self.env[name] = Local(operand, kind, self.clock)

    def _remember(self, value: Value, operand: str) -> None:
        effect = self.callees.effect_of(value)
        if effect is Effect.WRITES:
            return
        memory = self._memory if effect is Effect.READS else -1
        self._undo.append((value, self._memo.get(value)))
        self._memo[value] = Known(operand, self.clock, memory)

    def _remembered(self, value: Value) -> str | None:
        known = self._memo.get(value)
        if known is None or known.memory not in {-1, self._memory}:
            return None
        if known.since != self.clock:
            env, since = self.env, known.since
            for name in value.names:
                local = env.get(name)
                if local is None or local.since > since:
                    return None
        return known.operand

    def cost(self, value: Value) -> int:
        """Operations of a value, more than CHEAP where one of them must not be done in vain."""
        known = self._costs.get(value)
        if known is None:
            if value.op in {Op.CONST, Op.NAME}:
                known = 0
            elif value.op in NEVER_CHEAP or not _is_sound(value):
                known = CHEAP + 1
            else:
                known = min(CHEAP + 1, 1 + sum(map(self.cost, value.args)))
            self._costs[value] = known
        return known

    def is_cheap(self, value: Value) -> bool:
        """Whether it may be worked out although nobody may need it."""
        return self.cost(value) <= CHEAP or self._remembered(value) is not None

    # --- values ------------------------------------------------------------------------------

    def operand(self, value: Value, kind: Type | None = None) -> str:
        """A value, as one of a type; else of its own."""
        wanted = kind or value.type
        if value.op is Op.CONST:
            return literal(value.const, wanted)
        if value.op is Op.NAME:
            local = self.env[value.name]
            return self.converted(local.operand, local.type, wanted)
        found = self._remembered(value)
        if found is None:
            found = WORK[value.op](self, value)
            self._remember(value, found)
        return found if kind is None else self.converted(found, value.type, kind)

    def converted(self, operand: str, kind: Type, wanted: Type) -> str:
        """An operand as one of another type."""
        own, to = type_text(kind), type_text(wanted)
        if own == to:
            return operand
        if wanted is BOOL:
            return self.emit(f"icmp ne {own} {operand}, 0")
        if kind is BOOL:
            return self.emit(f"zext i1 {operand} to {to}")
        if width_of(kind) > width_of(wanted):
            return self.emit(f"trunc {own} {operand} to {to}")
        work = "sext" if kind is INT else "zext"
        return self.emit(f"{work} {own} {operand} to {to}")

    def _simple(self, value: Value) -> str:
        """Operations whose first argument is such a one are done in a row: there may be many."""
        row = [value]
        while row[-1].args[0].op in SIMPLE and self._remembered(row[-1].args[0]) is None:
            row.append(row[-1].args[0])
        found = self.operand(row[-1].args[0])
        for one in reversed(row):
            found = self.converted(found, one.args[0].type, one.type)
            two = self.operand(one.args[1], one.type)
            found = self.emit(f"{SIMPLE[one.op]} {type_text(one.type)} {found}, {two}")
            if one is not value:
                self._remember(one, found)
        return found

    def _compare(self, value: Value) -> str:
        kind = _common(*(arg.type for arg in value.args))
        one, two = (self.operand(arg, kind) for arg in value.args)
        sign = (SIGNED if kind is INT else UNSIGNED)[value.op]
        return self.emit(f"icmp {sign} {type_text(kind)} {one}, {two}")

    def _shift(self, value: Value) -> str:
        one, places = (self.operand(arg, value.type) for arg in value.args)
        work = "shl" if value.op is Op.SHL else "ashr" if value.type is INT else "lshr"
        return self.emit(f"{work} {type_text(value.type)} {one}, {places}")

    def _divide(self, value: Value) -> str:
        """Python's division: to minus infinity."""
        kind, by = type_text(value.type), value.args[1]
        one, two = (self.operand(arg, value.type) for arg in value.args)
        is_floor = value.op is Op.FLOORDIV
        if by.is_const and by.const > 0 and not by.const & (by.const - 1):
            if not is_floor:
                return self.emit(f"and {kind} {one}, {by.const - 1}")
            shift = "ashr" if value.type is INT else "lshr"
            return self.emit(f"{shift} {kind} {one}, {by.const.bit_length() - 1}")
        if value.type is not INT:
            return self.emit(f"{'udiv' if is_floor else 'urem'} {kind} {one}, {two}")
        rest = self.emit(f"srem {kind} {one}, {two}")
        sign = rest if by.is_const and by.const > 0 else self.emit(f"xor {kind} {rest}, {two}")
        below = self.emit(f"icmp slt {kind} {sign}, 0")
        if sign is not rest:
            some = self.emit(f"icmp ne {kind} {rest}, 0")
            below = self.emit(f"and i1 {below}, {some}")
        if not is_floor:
            more = self.emit(f"select i1 {below}, {kind} {two}, {kind} 0")
            return self.emit(f"add {kind} {rest}, {more}")
        quotient = self.emit(f"sdiv {kind} {one}, {two}")
        one_less = self.emit(f"sext i1 {below} to {kind}")
        return self.emit(f"add {kind} {quotient}, {one_less}")

    def _least(self, value: Value) -> str:
        sign = "s" if value.type is INT else "u"
        name = f"llvm.{sign}{value.op.value}"
        one, two = (self.operand(arg, value.type) for arg in value.args)
        return self._intrinsic(name, value.type, one, f"{type_text(value.type)} {two}")

    def _intrinsic(self, name: str, kind: Type, operand: str, more: str = "") -> str:
        own = type_text(kind)
        title = f"{name}.{own}"
        types = [own, more.split()[0]] if more else [own]
        self.globals.declare(title, f"declare {own} @{title}({', '.join(types)})")
        return self.emit(f"call {own} @{title}({own} {operand}{', ' + more if more else ''})")

    def _count(self, value: Value) -> str:
        kind = _set_type(value.args[0].type)
        operand = self.operand(value.args[0], kind)
        found = {
            Op.COUNT: lambda: self._intrinsic("llvm.ctpop", kind, operand),
            Op.LOWEST: lambda: self._intrinsic("llvm.cttz", kind, operand, "i1 true"),
            Op.HIGHEST: lambda: self._highest(kind, operand),
        }[value.op]()
        return self.converted(found, kind, INT)

    def _highest(self, kind: Type, operand: str) -> str:
        zeros = self._intrinsic("llvm.ctlz", kind, operand, "i1 true")
        return self.emit(f"sub {type_text(kind)} {width_of(kind) - 1}, {zeros}")

    def _absolute(self, value: Value) -> str:
        return self._intrinsic("llvm.abs", INT, self.operand(value.args[0], INT), "i1 false")

    def _not(self, value: Value) -> str:
        return self.emit(f"xor i1 {self.operand(value.args[0], BOOL)}, true")

    def _complement(self, value: Value) -> str:
        kind = type_text(value.type)
        return self.emit(f"xor {kind} {self.operand(value.args[0], value.type)}, -1")

    def _negate(self, value: Value) -> str:
        kind = type_text(value.type)
        return self.emit(f"sub {kind} 0, {self.operand(value.args[0], value.type)}")

    def _to_int(self, value: Value) -> str:
        return self.operand(value.args[0], INT)

    # --- rows, tables ------------------------------------------------------------------------

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
        own = INT if value.type is BOOL else value.type
        return self.converted(self.entry_of(table, at, own), own, value.type)

    def entry_of(self, table: Table, at: str, kind: Type) -> str:
        """An entry of a table, as a number or set of a type."""
        bits = table.bits
        place = self.emit(f"getelementptr inbounds i{bits}, ptr {table.name}, i64 {at}")
        found = self.emit(f"load i{bits}, ptr {place}")
        if bits == width_of(kind):
            return found
        work = "sext" if table.is_signed else "zext"
        return self.emit(f"{work} i{bits} {found} to {type_text(kind)}")

    # --- what is not always worked out -------------------------------------------------------

    def _connected(self, value: Value) -> str:
        is_all = value.op is Op.ALL
        decided = "false" if is_all else "true"
        found = self.operand(value.args[0], BOOL)
        edges: list[tuple[str, str]] = []
        end, mark = "", self.mark()
        for part in value.args[1:]:
            if self.is_cheap(part):
                more = self.operand(part, BOOL)
                pair = f"i1 {more}, i1 false" if is_all else f"i1 true, i1 {more}"
                found = self.emit(f"select i1 {found}, {pair}")
                continue
            end = end or self.label("decided")
            edges.append((decided, self.block))
            go_on = self.label("next")
            self.branch(found, *((go_on, end) if is_all else (end, go_on)))
            self.start(go_on)
            found = self.operand(part, BOOL)
        if not edges:
            return found
        edges.append((found, self.block))
        self.jump(end)
        self.forget(mark)
        self.start(end)
        return self.phi("i1", edges)

    def phi(self, kind: str, edges: list[tuple[str, str]]) -> str:
        """What a value is, by the block from which one comes."""
        return self.emit(f"phi {kind} " + ", ".join(f"[{one}, %{block}]" for one, block in edges))

    def _select(self, value: Value) -> str:
        test, then, other = value.args
        kind, decided = type_text(value.type), self.operand(test, BOOL)
        if self.is_cheap(then) and self.is_cheap(other):
            one, two = self.operand(then, value.type), self.operand(other, value.type)
            return self.emit(f"select i1 {decided}, {kind} {one}, {kind} {two}")
        self._share(then, other)
        blocks, end, edges = [self.label("then"), self.label("else")], self.label("end"), []
        self.branch(decided, *blocks)
        for block, chosen in zip(blocks, (then, other), strict=True):
            mark = self.mark()
            self.start(block)
            edges.append((self.operand(chosen, value.type), self.block))
            self.jump(end)
            self.forget(mark)
        self.start(end)
        return self.phi(kind, edges)

    def _share(self, *values: Value) -> None:
        """Work out what several branches need, as far as that can be done in vain: a value with
        much in common could be written down any number of times."""
        seen: set[Value] = set()
        for value in values:
            own: set[Value] = set()
            pending = list(value.args)
            while pending:
                one = pending.pop()
                if one in own or one.op in {Op.CONST, Op.NAME}:
                    continue
                own.add(one)
                if one not in seen:
                    pending.extend(one.args)
                elif self._is_harmless(one):
                    self.operand(one)
            seen |= own

    def _is_harmless(self, value: Value) -> bool:
        return self.callees.is_harmless(value)

    def _guard(self, value: Value) -> str:
        test, result, found, place = value.args
        bad, good = self.label("bad"), self.label("good")
        self.branch(self.operand(test, BOOL), good, bad, "!prof !1")
        mark = self.mark()
        self.start(bad)
        assert isinstance(value.arg, int)
        self.break_off(value.arg, found, place)
        self.forget(mark)
        self.start(good)
        return self.operand(result, value.type)

    def break_off(self, site: int, found: Value, place: Value) -> None:
        """Note a fault, and leave the function."""
        numbers = ", ".join(f"i64 {self.operand(one, INT)}" for one in (found, place))
        self.lines.append(f"  call void @gamedsl.fault(i64 {site}, {numbers})")
        self.can_fail = True
        self.jump("failed")

    def _bind(self, value: Value) -> str:
        found = self.operand(value.args[0])
        self.set(value.name, found, value.type)
        return found

    # --- calls -------------------------------------------------------------------------------

    def _call(self, value: Value) -> str:
        if value.name in INTRINSICS:
            return self._known_function(value)
        found, results = self.called(value)
        kind = self.callees.signature(value.name).results[0]
        return self.converted(found[0], kind, value.type) if results else found[0]

    def called(self, value: Value) -> tuple[list[str], tuple[Type, ...]]:
        """All results of a call, with their types."""
        signature, fails = self.callees.signature(value.name), self.callees.fails(value.name)
        given = ", ".join(
            f"{type_text(kind)} {self.operand(arg, kind)}"
            for kind, arg in zip(signature.parameters, value.args, strict=True)
        )
        text = result_text(signature.results, fails)
        found = self.emit(f"call {CONVENTION} {text} {function_text(value.name)}({given})")
        if self.callees.effect(value.name) is Effect.WRITES:
            self.rows_change()
        count = len(signature.results)
        if fails:
            self._check(found, text, count)
        if count == 1 and not fails:
            return [found], signature.results
        return [self.emit(f"extractvalue {text} {found}, {n}") for n in range(count)], (
            signature.results
        )

    def _check(self, found: str, text: str, place: int) -> None:
        """Leave the function if the one that was called has broken off."""
        status = self.emit(f"extractvalue {text} {found}, {place}")
        good = self.label("good")
        self.branch(status, "failed", good, "!prof !0")
        self.can_fail = True
        self.start(good)

    def _known_function(self, value: Value) -> str:
        match value.name:
            case "numbers":
                return self.stack_row(value.args[0].const)
            case "limb":
                return self._limb(*value.args)
            case "wide":
                return self._wide(value)
            case "mixed":
                one, two = (self.operand(arg, INT) for arg in value.args)
                self.globals.need("mixed")
                return self.emit(f"call i64 @gamedsl.mixed(i64 {one}, i64 {two})")
        kind = _set_type(value.args[0].type)
        own, bits = type_text(kind), self.operand(value.args[0], kind)
        number = self.operand(value.args[1], INT)
        self.globals.need_nth_bit(width_of(kind))
        return self.emit(f"call i64 @gamedsl.nth_bit.{own}({own} {bits}, i64 {number})")

    @abstractmethod
    def stack_row(self, size: int) -> str:
        """A row of so many zeros."""

    def _limb(self, value: Value, number: Value) -> str:
        own, found = type_text(value.type), self.operand(value)
        if number.const:
            found = self.emit(f"lshr {own} {found}, {64 * number.const}")
        return self.converted(found, value.type, INT)

    def _wide(self, value: Value) -> str:
        own, row = type_text(value.type), value.args[0]
        found = ""
        for number in range(width_of(value.type) // 64):
            word = self.emit(f"load i64, ptr {self.place(row, value.args[1] + number)}, align 8")
            part = self.emit(f"zext i64 {word} to {own}")
            if number:
                part = self.emit(f"shl {own} {part}, {64 * number}")
            found = self.emit(f"or {own} {found}, {part}") if found else part
        return found


CONVENTION = "fastcc"


def function_text(name: str) -> str:
    """The name of a function in LLVM text."""
    return f'@"{name}"'


def _common(one: Type, two: Type) -> Type:
    if one is two:
        return one
    sets = [kind for kind in (one, two) if kind.kind == "bits"]
    return max(sets, key=lambda kind: kind.width) if sets else INT


def _set_type(kind: Type) -> Type:
    return INT if kind is BOOL else kind


def _is_sound(value: Value) -> bool:
    """Whether an operation does no harm where Python would have left it out."""
    return value.op not in {Op.FLOORDIV, Op.MOD} or (
        value.args[1].is_const and value.args[1].const > 0
    )


Work = Callable[[Values, Value], str]
WORK: dict[Op, Work] = {
    **dict.fromkeys(SIMPLE, Values._simple),
    **dict.fromkeys(SIGNED, Values._compare),
    **dict.fromkeys((Op.SHL, Op.SHR), Values._shift),
    **dict.fromkeys((Op.FLOORDIV, Op.MOD), Values._divide),
    **dict.fromkeys((Op.MIN, Op.MAX), Values._least),
    **dict.fromkeys((Op.COUNT, Op.LOWEST, Op.HIGHEST), Values._count),
    **dict.fromkeys((Op.ALL, Op.ANY), Values._connected),
    Op.NOT: Values._not,
    Op.COMPLEMENT: Values._complement,
    Op.NEGATE: Values._negate,
    Op.ABS: Values._absolute,
    Op.TO_INT: Values._to_int,
    Op.SELECT: Values._select,
    Op.LOOKUP: Values._lookup,
    Op.LOAD: Values._load,
    Op.CALL: Values._call,
    Op.GUARD: Values._guard,
    Op.BIND: Values._bind,
}
