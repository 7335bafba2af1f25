"""Expressions of the Python subset as values.

An expression becomes an `Item`. Parts that need statements, such as calls with several results, are
written before the expression; conditional parts stay behind their condition.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence

from gamedsl.compiler.frontend.annotations import Annotations
from gamedsl.compiler.frontend.items import (
    Item,
    Kind,
    Row,
    fitted,
    flat,
    flat_kinds,
    joined,
    named,
    rebuilt,
)
from gamedsl.compiler.frontend.text import SubsetError, Text
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.builder import Builder
from gamedsl.compiler.ir.values import (
    BOOL,
    INT,
    ROW,
    Value,
    absolute,
    all_of,
    any_of,
    call,
    count,
    guard,
    highest,
    integer,
    load,
    lookup,
    lowest,
    maximum,
    minimum,
    mixed,
    name,
    not_,
    select,
    to_int,
    truth,
)

BINARY: dict[type, Callable[[Value, Value], Value]] = {
    ast.Add: Value.__add__,
    ast.Sub: Value.__sub__,
    ast.Mult: Value.__mul__,
    ast.FloorDiv: Value.__floordiv__,
    ast.Mod: Value.__mod__,
    ast.BitAnd: Value.__and__,
    ast.BitOr: Value.__or__,
    ast.BitXor: Value.__xor__,
    ast.LShift: Value.__lshift__,
    ast.RShift: Value.__rshift__,
}
UNARY: dict[type, Callable[[Value], Value]] = {
    ast.UAdd: to_int,
    ast.USub: Value.__neg__,
    ast.Invert: Value.__invert__,
}
COMPARISONS: dict[type, Callable[[Value, Value], Value]] = {
    ast.Eq: Value.eq,
    ast.NotEq: Value.ne,
    ast.Lt: Value.lt,
    ast.LtE: Value.le,
    ast.Gt: Value.gt,
    ast.GtE: Value.ge,
}
INTRINSICS: dict[str, Callable[..., Value]] = {
    "lowest": lowest,
    "highest": highest,
    "count_bits": count,
    "abs": absolute,
    "min": minimum,
    "max": maximum,
    "int": to_int,
    "mixed": mixed,
    "nth_bit": lambda bits, number: call("nth_bit", (bits, number), INT, can_fail=False),
}


class Expressions:
    """The expressions of one function."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.builder = Builder()
        self.kinds: dict[str, Kind] = {}
        self.known: dict[str, Value] = {}
        self.annotations = Annotations(text)
        self._fresh = 0

    @abstractmethod
    def called(self, node: ast.Call, function: str, items: list[Item]) -> tuple[Value, Kind]:
        """The call of a function, and the kind of its result."""

    def error(self, message: str, node: ast.AST) -> SubsetError:
        """An error about a construct."""
        return SubsetError(message, node, self.text.name)

    def fresh(self, stem: str) -> str:
        """A new name."""
        self._fresh += 1
        return f"{stem}.t{self._fresh}"

    # --- by type -----------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        """A number, a set or a truth value."""
        item = self.item(node)
        if not isinstance(item, Value):
            raise self.error("a number is needed", node)
        return item

    def number(self, node: ast.expr) -> Value:
        """A number or a set; a truth value as 0 or 1."""
        value = self.value(node)
        return to_int(value) if value.type is BOOL else value

    def condition(self, node: ast.expr) -> Value:
        """A truth value."""
        return fitted(self.value(node), BOOL)

    def parts(self, node: ast.expr) -> tuple[Item, ...]:
        """The parts of a tuple."""
        item = self.item(node)
        if not isinstance(item, tuple):
            raise self.error("a tuple is needed", node)
        return item

    def items(self, nodes: Sequence[ast.expr]) -> Iterator[Item]:
        """Items in a row; `*state` is expanded."""
        for node in nodes:
            if isinstance(node, ast.Starred):
                yield from self.parts(node.value)
            else:
                yield self.item(node)

    # --- expressions -------------------------------------------------------------------------

    def item(self, node: ast.expr) -> Item:
        """The meaning of an expression."""
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Constant(value=bool(known)):
                return truth(known)
            case ast.Constant(value=int(known)):
                return integer(known)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
                return BINARY[type(op)](self.number(left), self.number(right))
            case ast.Compare():
                return self._comparison(node)
            case ast.BoolOp(op=op, values=nodes):
                return self._connected(isinstance(op, ast.And), nodes)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not_(self.condition(operand))
            case ast.UnaryOp(op=op, operand=operand):
                return UNARY[type(op)](self.number(operand))
            case ast.IfExp():
                return self._choice(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Tuple(elts=nodes):
                return tuple(self.items(nodes))
            case ast.Call(func=ast.Name(id=function), keywords=[]):
                return self._call(node, function)
        raise self.error("not in the subset", node)

    def _name(self, node: ast.Name) -> Item:
        title = node.id
        if title in self.known:
            return self.known[title]
        if title in self.kinds:
            return named(title, self.kinds[title])
        if title in self.text.constants:
            return self.text.constants[title]
        raise self.error("a name that is not known", node)

    def _comparison(self, node: ast.Compare) -> Value:
        left, tests = self.number(node.left), []
        for op, operand in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In) and isinstance(operand, ast.Tuple):
                tests.append(any_of([left.eq(self.number(element)) for element in operand.elts]))
                continue
            if type(op) not in COMPARISONS:
                raise self.error("not in the subset", node)
            right = self.number(operand)
            tests.append(COMPARISONS[type(op)](left, right))
            left = right
        return all_of(tests)

    def within(self, write: Callable[[], None]) -> ir.Body:
        """The statements written by `write`, in a new block."""
        outer, inner = self.builder, Builder()
        self.builder = inner
        try:
            write()
        finally:
            self.builder = outer
        return inner.body

    def _apart(self, node: ast.expr, work: Callable[[ast.expr], Value]) -> tuple[Value, ir.Body]:
        """A value, and the statements that must precede its evaluation."""
        values: list[Value] = []
        body = self.within(lambda: values.append(work(node)))
        return values[0], body

    def _connected(self, is_all: bool, nodes: Sequence[ast.expr]) -> Value:
        """`and`, `or`: operands behind a deciding operand are not evaluated."""
        connect = all_of if is_all else any_of
        connected = self.condition(nodes[0])
        for node in nodes[1:]:
            if connected.is_const:
                if bool(connected.const) is not is_all:
                    return connected
                connected = self.condition(node)
                continue
            more, before = self._apart(node, self.condition)
            if before:
                target = name(self.fresh("both"), BOOL)
                self.builder.assign(target, connected)
                test = target if is_all else not_(target)
                self.builder.add(ir.If(test, (*before, ir.Assign(target, more))))
                connected = target
            else:
                connected = connect((connected, more))
        return connected

    def _choice(self, node: ast.IfExp) -> Value:
        test = self.condition(node.test)
        if test.is_const:
            return self.value(node.body if test.const else node.orelse)
        match node.orelse:
            case ast.Call(func=ast.Name(id="fault"), args=[site, detail, place]):
                numbers = self.number(detail), self.number(place)
                return guard(
                    test, self.value(node.body), self.known_number(site, "a guard"), *numbers
                )
        then, before = self._apart(node.body, self.value)
        otherwise, behind = self._apart(node.orelse, self.value)
        kind = joined(then.type, otherwise.type)
        then, otherwise = fitted(then, kind), fitted(otherwise, kind)
        if not (before or behind):
            if then.type is kind:
                return select(test, then, otherwise)
            return select(not_(test), otherwise, then)  # the first operand determines the type
        target = name(self.fresh("either"), kind)
        first = (*before, ir.Assign(target, then))
        self.builder.add(ir.If(test, first, (*behind, ir.Assign(target, otherwise))))
        return target

    def known_number(self, node: ast.expr, what: str) -> int:
        """A number known when the function is compiled; `what`: its meaning, for errors."""
        value = self.value(node)
        if not value.is_const:
            raise self.error(f"{what} that is not known", node)
        return value.const

    # --- parts -------------------------------------------------------------------------------

    def _subscript(self, node: ast.Subscript) -> Item:
        if isinstance(node.value, ast.Name) and node.value.id in self.text.tables:
            return lookup(self.text.tables[node.value.id], self.number(node.slice))
        row = self.item(node.value)
        title = self.annotations.of_rows(node.value)
        if title is not None:
            assert isinstance(row, Row)
            return row, self.number(node.slice) * self.annotations.width(title)
        if isinstance(row, Row):
            return load(row.row, self.number(node.slice))
        if not isinstance(row, tuple):
            raise self.error("no row, no tuple", node)
        what = "a place in a tuple"
        if isinstance(node.slice, ast.Slice):
            low, high = (
                None if end is None else self.known_number(end, what)
                for end in (node.slice.lower, node.slice.upper)
            )
            return row[low:high]
        return row[self.known_number(node.slice, what)]

    # --- records and structures --------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Item:
        """A number of a record, or an argument of a structure."""
        owner = self.annotations.record(node.value)
        if owner is not None and owner.is_passed and node.attr in owner.fields:
            return self.parts(node.value)[owner.place(node.attr)]
        row, place = self.field(node)
        return load(row.row, place)

    def field(self, node: ast.Attribute) -> tuple[Row, Value]:
        """The row and the place of a number of a record. A record is a row of its own, or a row
        and the place of the record's first number."""
        owner = self.annotations.record(node.value)
        if owner is None or owner.is_passed or node.attr not in owner.fields:
            raise self.error("no record with such a number", node)
        match self.item(node.value):
            case Row() as row:
                return row, integer(owner.place(node.attr))
            case (Row() as row, Value() as begin):
                return row, begin + owner.place(node.attr)
        raise self.error("no record", node)

    # --- calls -------------------------------------------------------------------------------

    def _call(self, node: ast.Call, function: str) -> Item:
        items = list(self.items(node.args))
        if function == "len":
            title = self.annotations.of_rows(node.args[0])
            length = self._length(node, items[0])
            return length if title is None else length // self.annotations.width(title)
        if function == "numbers":
            return self._numbers(node, items)
        if function == "tail":
            return self._tail(items)
        if function == "prefetch":
            assert isinstance(items[0], Row)
            return call("prefetch", (items[0].row, *flat(items[1])), INT, can_fail=False)
        if function == "exchange":
            return self._exchange(items)
        if function in {"bool", "narrow", "limb"} or function in INTRINSICS:
            values = [part for item in items for part in flat(item)]
            return _intrinsic(function, values)
        value, kind = self.called(node, function, items)
        return value if not isinstance(kind, tuple) else self.taken_apart(value, kind)

    def _length(self, node: ast.Call, item: Item) -> Value:
        if isinstance(item, tuple):
            return integer(len(item))
        if not isinstance(item, Row):
            raise self.error("no row, no tuple", node)
        return item.length

    def _numbers(self, node: ast.Call, items: list[Item]) -> Row:
        size = items[0]
        if not isinstance(size, Value) or not size.is_const:
            raise self.error("a size that is not known", node)
        row = name(self.fresh("numbers"), ROW)
        self.builder.assign(row, call("numbers", (size,), ROW, can_fail=False))
        return Row(row, size)

    def _tail(self, items: list[Item]) -> Row:
        whole, begin = items
        assert isinstance(whole, Row)
        assert isinstance(begin, Value)
        row = name(self.fresh("tail"), ROW)
        self.builder.assign(row, call("tail", (whole.row, begin), ROW, can_fail=False))
        return Row(row, whole.length - begin)

    def _exchange(self, items: list[Item]) -> Value:
        """The exchanged number, under a name: the exchange happens once, at this place."""
        assert isinstance(items[0], Row)
        values = [part for item in items[1:] for part in flat(item)]
        exchanged = name(self.fresh("exchanged"), INT)
        arguments = (items[0].row, *values)
        self.builder.assign(exchanged, call("exchange", arguments, INT, can_fail=False))
        return exchanged

    def taken_apart(self, value: Value, kind: Kind) -> Item:
        """The results of a call under names."""
        stem = self.fresh("r")
        targets = [name(f"{stem}.{n}", part_kind) for n, part_kind in enumerate(flat_kinds(kind))]
        self.builder.assign_all(tuple(targets), value)
        return rebuilt(kind, iter(targets))


def _intrinsic(function: str, values: list[Value]) -> Value:
    if function == "bool":
        return fitted(values[0], BOOL)
    if function not in INTRINSICS:
        if not values[0].type.is_wide:
            return values[0]
        return call("limb", (values[0], *(values[1:] or [integer(0)])), INT, can_fail=False)
    if function in {"min", "max"}:
        values = [to_int(value) for value in values]
    return INTRINSICS[function](*values)
