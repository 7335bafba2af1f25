"""Values of the intermediate representation: typed expressions without side effects.

Equal `Value`s are the same object, so that comparing, counting and hashing values costs nothing.
Constants are folded when a value is made; all other rewriting is done by `passes`. Statements are
in `statements`.

A set of squares is an integer with one bit per square, never negative. `complement` and `negate` of
a set stand only inside an `&` with a set, which `verify` checks: Python's integers have no width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache, reduce
from weakref import WeakValueDictionary

from gamedsl.source.records import dataclass

WORD = 64
"""Bits of a machine word."""


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """The type of a value: `bool`, `int` (a word, signed), `bits` (a set of `width` squares, or a
    word of a state), `row` (a writable array of words), `state`, `many` (several results of a
    call). Equal types are the same object: the constants below, and the results of `bits`.
    """

    kind: str
    width: int

    @property
    def is_wide(self) -> bool:
        """Whether a value takes more than one word."""
        return self.width > WORD

    def __str__(self) -> str:
        return f"bits{self.width}" if self.kind == "bits" else self.kind


BOOL = Type("bool", 1)
INT = Type("int", WORD)
ROW = Type("row", WORD)
STATE = Type("state", 0)
MANY = Type("many", 0)


@cache
def bits(width: int) -> Type:
    """The type of sets of `width` squares."""
    return Type("bits", width)


class Op(Enum):
    """The operation of a value; `arg` is a constant operand besides the arguments."""

    __hash__ = object.__hash__  # Enum's hash is slow

    CONST = "const"  # arg: the number or truth value
    NAME = "name"  # arg: a local, a parameter or a field of the state
    STATE = "state"  # arg: "" for the parameter state, else a local; packed: words
    NOT = "not"
    ALL = "and"  # from the left, no further than needed
    ANY = "or"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    AND = "&"
    OR = "|"
    XOR = "^"
    COMPLEMENT = "~"
    SHL = "<<"
    SHR = ">>"
    ADD = "+"
    SUB = "-"
    MUL = "*"
    FLOORDIV = "//"
    MOD = "%"
    NEGATE = "neg"
    ABS = "abs"
    MIN = "min"
    MAX = "max"
    LOWEST = "lowest"  # the number of the lowest bit of a non-empty set
    HIGHEST = "highest"
    COUNT = "count_bits"
    TO_INT = "int"  # of a truth value
    SELECT = "select"  # condition, then, otherwise: only the chosen value is evaluated
    LOOKUP = "lookup"  # arg: the entries of a table, a tuple; index
    LOAD = "load"  # row, index
    CALL = "call"  # arg: the name of a function
    GUARD = "guard"  # arg: a site; condition, value, found, place: the value, or a fault
    TUPLE = "tuple"  # the words of a state, as one of the values of a `Return`
    BIND = "bind"  # arg: a local, assigned at the first evaluation of the value


UNBOUNDED = frozenset({Op.COMPLEMENT, Op.NEGATE, Op.SHL, Op.ADD, Op.SUB, Op.MUL})
"""Operations whose results may have bits beyond the squares, or be negative: a mask is kept."""
LAZY = frozenset({Op.ALL, Op.ANY, Op.SELECT, Op.GUARD})
"""Operations that do not evaluate all their arguments."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, repr=False)
class Value:
    """An expression. Made only by the functions of this module, which share equal values.

    Attributes:
        names: the locals, parameters and fields in the value, including rows that are read.
        can_fail: the value has a guard or a call that may fail: it may raise a fault.
        binds: a part of the value is bound to a name.
        chooses: a part of the value is `and`, `or` or a choice.
        calls: a part of the value is a call.
        size: the number of operations when written down; a repeated part counts repeatedly.
    """

    op: Op
    type: Type
    args: tuple[Value, ...]
    arg: object
    names: frozenset[str]
    can_fail: bool
    binds: bool
    chooses: bool
    calls: bool
    size: int

    @property
    def is_const(self) -> bool:
        """Whether the value is a constant number or truth value."""
        return self.op is Op.CONST

    @property
    def is_name(self) -> bool:
        """Whether the value is a local, a parameter or a field."""
        return self.op is Op.NAME

    @property
    def const(self) -> int:
        """The constant number or truth value."""
        assert self.op is Op.CONST
        assert isinstance(self.arg, int)
        return self.arg

    @property
    def name(self) -> str:
        """The name of a local, a parameter or a field."""
        assert isinstance(self.arg, str)
        return self.arg

    @property
    def is_atom(self) -> bool:
        """Whether the value can be repeated at no cost."""
        op = self.op
        return op is Op.NAME or op is Op.CONST or op is Op.STATE

    # --- integers and sets; a plain integer becomes a constant of the operand's type ----------

    def __and__(self, other: Operand) -> Value:
        return _binary(Op.AND, self, other)

    def __or__(self, other: Operand) -> Value:
        return _binary(Op.OR, self, other)

    def __xor__(self, other: Operand) -> Value:
        return _binary(Op.XOR, self, other)

    def __lshift__(self, places: Operand) -> Value:
        return _shift(Op.SHL, self, places)

    def __rshift__(self, places: Operand) -> Value:
        return _shift(Op.SHR, self, places)

    def __add__(self, other: Operand) -> Value:
        return _binary(Op.ADD, self, other)

    def __sub__(self, other: Operand) -> Value:
        return _binary(Op.SUB, self, other)

    def __mul__(self, other: Operand) -> Value:
        return _binary(Op.MUL, self, other)

    def __floordiv__(self, other: Operand) -> Value:
        return _binary(Op.FLOORDIV, self, other)

    def __mod__(self, other: Operand) -> Value:
        return _binary(Op.MOD, self, other)

    def __neg__(self) -> Value:
        if self.is_const and self.type is INT:
            return integer(-self.const)
        return make(Op.NEGATE, self.type, (self,))

    def __invert__(self) -> Value:
        if self.op is Op.COMPLEMENT:
            return self.args[0]
        if self.is_const and self.type.kind == "bits":
            return number(((1 << self.type.width) - 1) & ~self.const, self.type)
        return make(Op.COMPLEMENT, self.type, (self,))

    # --- comparisons (`==` itself tests whether two values are the same object) ---------------

    def eq(self, other: Operand) -> Value:
        """Whether two numbers or sets are equal."""
        return _compare(Op.EQ, self, other)

    def ne(self, other: Operand) -> Value:
        """Whether two numbers or sets differ."""
        return _compare(Op.NE, self, other)

    def lt(self, other: Operand) -> Value:
        """Less than; for numbers."""
        return _compare(Op.LT, self, other)

    def le(self, other: Operand) -> Value:
        """Less than or equal; for numbers."""
        return _compare(Op.LE, self, other)

    def gt(self, other: Operand) -> Value:
        """Greater than; for numbers."""
        return _compare(Op.LT, self._operand(other), self)

    def ge(self, other: Operand) -> Value:
        """Greater than or equal; for numbers."""
        return _compare(Op.LE, self._operand(other), self)

    def _operand(self, other: Operand) -> Value:
        return other if isinstance(other, Value) else number(other, self.type)

    def __repr__(self) -> str:
        if self.is_atom:
            return str(self.arg)
        head = self.op.value if self.arg is None else f"{self.op.value} {self.arg}"
        return f"({', '.join([head, *map(repr, self.args)])})"


Operand = Value | int
_interned: WeakValueDictionary[object, Value] = WeakValueDictionary()


def make(
    op: Op, kind: Type, args: tuple[Value, ...] = (), arg: object = None, can_fail: bool = False
) -> Value:
    """The value of an operation; the same object for the same operation. No folding.

    `can_fail`: the called function may fail; for other operations the flag is derived.
    """
    may_fail = can_fail and op is Op.CALL
    key = (op, kind, args, arg, arg.__class__, may_fail)
    value = _interned.get(key)
    if value is None:
        names: frozenset[str] = frozenset()
        if op is Op.NAME or op is Op.STATE:
            names = frozenset((str(arg),))
        fails, binds = may_fail or op is Op.GUARD, op is Op.BIND
        chooses = op is Op.ALL or op is Op.ANY or op is Op.SELECT
        calls, size = op is Op.CALL, 1
        for operand in args:
            names = names | operand.names if names else operand.names
            fails = fails or operand.can_fail
            binds = binds or operand.binds
            chooses = chooses or operand.chooses
            calls = calls or operand.calls
            size += operand.size
        value = Value(op, kind, args, arg, names, fails, binds, chooses, calls, size)
        _interned[key] = value
    return value


# --- making values -----------------------------------------------------------------------------


def number(value: int, kind: Type) -> Value:
    """A constant of a type."""
    return make(Op.CONST, kind, (), bool(value) if kind is BOOL else int(value))


def integer(value: int) -> Value:
    """A constant number."""
    return number(value, INT)


def truth(value: bool) -> Value:
    """A constant truth value."""
    return number(value, BOOL)


TRUE, FALSE = truth(True), truth(False)
ZERO = integer(0)


def name(title: str, kind: Type) -> Value:
    """A local, a parameter or a field of the state."""
    return make(Op.NAME, kind, (), title)


def state(title: str = "") -> Value:
    """A whole state: the parameter state, or a state in a local."""
    return make(Op.STATE, STATE, (), title)


def not_(condition: Value) -> Value:
    """Negation."""
    if condition.is_const:
        return truth(not condition.const)
    if condition.op is Op.NOT:
        return condition.args[0]
    opposite = {Op.EQ: Op.NE, Op.NE: Op.EQ}.get(condition.op)
    if opposite is not None:
        return make(opposite, BOOL, condition.args)
    return make(Op.NOT, BOOL, (condition,))


def all_of(conditions: Iterable[Value]) -> Value:
    """All conditions, from the left, no further than needed."""
    return _connected(Op.ALL, conditions)


def any_of(conditions: Iterable[Value]) -> Value:
    """Any of the conditions, from the left, no further than needed."""
    return _connected(Op.ANY, conditions)


def _connected(op: Op, conditions: Iterable[Value]) -> Value:
    """Constant conditions are dropped; a deciding constant cuts off the conditions behind it."""
    decides = op is Op.ANY
    parts: list[Value] = []
    for condition in conditions:
        inner = condition.args if condition.op is op else (condition,)
        for part in inner:
            if not part.is_const:
                parts.append(part)
            elif bool(part.const) is decides:
                parts.append(part)
                break
        if parts and parts[-1].is_const:
            break
    if not parts:
        return truth(not decides)
    if parts[-1].is_const and not any(part.can_fail for part in parts):
        return parts[-1]
    return parts[0] if len(parts) == 1 else make(op, BOOL, tuple(parts))


def select(condition: Value, then: Value, otherwise: Value) -> Value:
    """`then` where the condition holds, else `otherwise`; only the chosen value is evaluated."""
    if condition.is_const:
        return then if condition.const else otherwise
    if then is otherwise and not condition.can_fail:
        return then
    return make(Op.SELECT, then.type, (condition, then, otherwise))


def guard(
    condition: Value, value: Value, site: int, detail: Operand = 0, place: Operand = 0
) -> Value:
    """The value, where the condition holds; else the fault `site`, with the number `detail` and the
    number of the cell (`place`).
    """
    if condition.is_const and condition.const:
        return value
    numbers = tuple(n if isinstance(n, Value) else integer(n) for n in (detail, place))
    return make(Op.GUARD, value.type, (condition, value, *numbers), site)


def to_int(condition: Value) -> Value:
    """A truth value as 0 or 1."""
    if condition.is_const:
        return integer(condition.const)
    return make(Op.TO_INT, INT, (condition,)) if condition.type is BOOL else condition


def lowest(squares: Value) -> Value:
    """The number of the lowest bit; the set must not be empty."""
    return _unary(Op.LOWEST, INT, squares, lambda n: (n & -n).bit_length() - 1)


def highest(squares: Value) -> Value:
    """The number of the highest bit; the set must not be empty."""
    return _unary(Op.HIGHEST, INT, squares, lambda n: n.bit_length() - 1)


def count(squares: Value) -> Value:
    """The number of set bits."""
    return _unary(Op.COUNT, INT, squares, int.bit_count)


def absolute(value: Value) -> Value:
    """The absolute value."""
    return _unary(Op.ABS, INT, value, abs)


def minimum(first: Value, *rest: Value) -> Value:
    """The least of some numbers."""
    for value in rest:
        first = _binary(Op.MIN, first, value)
    return first


def maximum(first: Value, *rest: Value) -> Value:
    """The greatest of some numbers."""
    for value in rest:
        first = _binary(Op.MAX, first, value)
    return first


def lookup(entries: tuple[int, ...], index: Value, kind: Type = INT) -> Value:
    """The entry of a table; the index must be in range."""
    if index.is_const and 0 <= index.const < len(entries):
        return number(entries[index.const], kind)
    return make(Op.LOOKUP, kind, (index,), entries)


def load(row: Value, index: Operand) -> Value:
    """The number at a place of a row."""
    return make(Op.LOAD, INT, (row, index if isinstance(index, Value) else integer(index)))


def call(function: str, arguments: Iterable[Value], kind: Type, can_fail: bool = True) -> Value:
    """The result of a function. A call of type `STATE` or `MANY` stands alone in an `AssignAll` or
    as one of the values of a `Return`.
    """
    return make(Op.CALL, kind, tuple(arguments), function, can_fail)


def united(values: Iterable[Value]) -> Value:
    """The union of sets; 0 if there are none."""
    return reduce(Value.__or__, values, ZERO)


def mixed(stream: Value, position: Value) -> Value:
    """31 random bits that depend on both numbers."""
    return call("mixed", (stream, position), INT, can_fail=False)


def deposit(bits: Value, mask: int) -> Value:
    """The lowest bits of a number, in order, at the set bits of a mask."""
    return call("deposit", (bits, integer(mask)), INT, can_fail=False)


def words_of(parts: Iterable[Value]) -> Value:
    """The words of a state as one of the values of a `Return`."""
    return make(Op.TUPLE, MANY, tuple(parts))


def bind(local: str, value: Value) -> Value:
    """A value bound to a name where it is evaluated."""
    return make(Op.BIND, value.type, (value,), local)


# --- folding -----------------------------------------------------------------------------------


def _unary(op: Op, kind: Type, value: Value, function: Callable[[int], int]) -> Value:
    if value.is_const:
        return number(function(value.const), kind)
    return make(op, kind, (value,))


_FOLDS: dict[Op, Callable[[int, int], int]] = {
    Op.AND: int.__and__,
    Op.OR: int.__or__,
    Op.XOR: int.__xor__,
    Op.ADD: int.__add__,
    Op.SUB: int.__sub__,
    Op.MUL: int.__mul__,
    Op.FLOORDIV: int.__floordiv__,
    Op.MOD: int.__mod__,
    Op.SHL: int.__lshift__,
    Op.SHR: int.__rshift__,
    Op.MIN: min,
    Op.MAX: max,
    Op.EQ: int.__eq__,
    Op.NE: int.__ne__,
    Op.LT: int.__lt__,
    Op.LE: int.__le__,
}


def _binary(op: Op, first: Value, operand: Operand) -> Value:
    second = operand if isinstance(operand, Value) else number(operand, first.type)
    if (
        first.is_const
        and second.is_const
        and not (op in {Op.FLOORDIV, Op.MOD} and second.const == 0)
    ):
        return number(_FOLDS[op](first.const, second.const), _joined(first, second))
    kind = _joined(first, second)
    known = _with_constant(op, first, second) or _with_constant(op, second, first, is_left=True)
    return known if known is not None and known.type is kind else make(op, kind, (first, second))


def _with_constant(op: Op, value: Value, constant: Value, is_left: bool = False) -> Value | None:
    """Folding of neutral and absorbing constants; `is_left`: the constant is the left operand."""
    if not constant.is_const:
        return None
    known = constant.const
    if op is Op.AND:
        if known == 0 and not value.can_fail:
            return number(0, value.type)
        is_full = known == (1 << value.type.width) - 1 and constant.type is value.type
        is_set = value.type.kind == "bits" and value.op not in UNBOUNDED
        return value if is_full and is_set else None
    is_set = value.type.kind == "bits" and constant.type is value.type
    if op is Op.OR and is_set and known == (1 << value.type.width) - 1 and not value.can_fail:
        return constant
    if known == 0 and (op in {Op.OR, Op.XOR, Op.ADD} or (op is Op.SUB and not is_left)):
        return value
    if known == 1 and (op is Op.MUL or (op is Op.FLOORDIV and not is_left)):
        return value
    if op in {Op.ADD, Op.SUB} and not is_left and value.op is Op.ADD and value.args[1].is_const:
        step = known if op is Op.ADD else -known
        return value.args[0] + (value.args[1].const + step)
    if op is Op.SUB and not is_left and value.type is INT:
        return make(Op.ADD, INT, (value, integer(-known)))
    return None


def _joined(first: Value, second: Value) -> Type:
    """The type of an operation on two values: the wider set type, or a set before a number."""
    if first.type is second.type:
        return first.type
    sets = [value.type for value in (first, second) if value.type.kind == "bits"]
    return max(sets, key=lambda kind: kind.width) if sets else INT


def _shift(op: Op, value: Value, places: Operand) -> Value:
    by = places if isinstance(places, Value) else integer(places)
    if by.is_const and by.const == 0:
        return value
    if value.is_const and by.is_const and by.const >= 0:
        return number(_FOLDS[op](value.const, by.const), value.type)
    if by.is_const and by.const >= 0 and value.op is op and value.args[1].is_const:
        return _shift(op, value.args[0], value.args[1].const + by.const)
    return make(op, value.type, (value, by))


def _compare(op: Op, first: Value, operand: Operand) -> Value:
    second = operand if isinstance(operand, Value) else number(operand, first.type)
    if first.is_const and second.is_const:
        return truth(bool(_FOLDS[op](first.const, second.const)))
    if first is second and not first.can_fail:
        return truth(op in {Op.EQ, Op.LE})
    return make(op, BOOL, (first, second))
