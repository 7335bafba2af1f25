"""Common subexpressions: a value evaluated twice gets a name at the first evaluation.

The module is packed. A value is shared while the names in the value keep their meaning. The order
of evaluation is kept: a value is named where it stands, and a value evaluated conditionally (behind
`and`, in one arm of `if-else`) has a name only there. A row is memory of its own, equal to no other
row. A large value in several conditional places
is evaluated before them if it cannot fail, and otherwise becomes a function (`repeated`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import with_blocks, with_values
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import LAZY, MANY, ROW, Op, Value, bind, call, make, name
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.passes.available import Available, Changes
from gamedsl.compiler.passes.repeated import LARGE, Movable, Repeated

CHEAP = frozenset({Op.CONST, Op.NAME, Op.COMPLEMENT, Op.NEGATE, Op.NOT, Op.TUPLE, Op.BIND})
"""Operations too cheap for a name of their own."""


def share(module: Module, _: Layout, __: int) -> Module:
    """The module with each value evaluated once."""
    sharing = _Sharing()
    for function in module.functions.values():
        sharing.of(function)
    return replace(module, functions=sharing.functions)


class _Sharing:
    """State shared by all functions of a module.

    Attributes:
        functions: the finished functions, including those made of large values.
    """

    def __init__(self) -> None:
        self.functions: dict[str, ir.Function] = {}
        self.changes = Changes()
        self.movable = Movable()
        self._titles: dict[Value, str] = {}
        self._first = ""

    def of(self, function: ir.Function) -> None:
        """Add a function of the module. Functions made of its large values include its name in
        theirs, so that functions added to the module later cannot clash.
        """
        self._first = function.name
        self.add(function)

    def add(self, function: ir.Function) -> None:
        """Add a function with each value evaluated once."""
        stem = _free_stem(function.body)
        first = _Walk(self, frozenset(), stem)
        body = first.body(function.body)
        if first.wanted:
            body = _Walk(self, frozenset(first.wanted), stem).body(function.body)
        self.functions[function.name] = replace(function, body=body)

    def call(self, value: Value) -> Value:
        """A call of the function that computes a value."""
        parameters = tuple(part for part in ir.parts(value) if part.is_name)
        if value not in self._titles:
            title = self._titles[value] = f"{self._first}_shared__f{len(self._titles)}"
            self.add(ir.Function(title, parameters, (ir.Return((value,)),)))
        return call(self._titles[value], parameters, value.type, value.can_fail)


def _free_stem(body: ir.Body) -> str:
    """The prefix of new names: no local of the game has the form PREFIX_NUMBER, even a local
    `t`.
    """
    names = {*ir.names_in(body), *ir.assigned_in(body)}
    stem = "t"
    while any(re.fullmatch(rf"{stem}_\d+", title) for title in names):
        stem += "t"
    return stem


class _Walk:
    """One walk through a function in the order of evaluation.

    The first walk introduces no names and notes the repeated values. The second walk names the
    noted values, and visits the places in the same order.
    """

    def __init__(self, sharing: _Sharing, wanted: frozenset[int], stem: str) -> None:
        self.wanted: set[int] = set()
        self._sharing = sharing
        self._named = wanted
        self._stem = stem
        self._known = Available()
        self._places = 0
        self._alone: set[Value] = set()

    # --- statements --------------------------------------------------------------------------

    def body(self, body: ir.Body) -> ir.Body:
        """The statements of a block; values available at the end stay available."""
        statements: list[ir.Statement] = []
        for statement in body:
            statements += self._before(statement)
            statements.append(self._statement(statement))
            if not isinstance(statement, ir.Comment):
                self._known.forget(self._sharing.changes.of(statement))
        return tuple(statements)

    def _inner(self, body: ir.Body) -> ir.Body:
        with self._known.branch():
            return self.body(body)

    def _before(self, statement: ir.Statement) -> list[ir.Statement]:
        """Assignments of the values evaluated before a statement."""
        values = ir.values_of(statement)
        if all(value.size <= LARGE for value in values):
            return []
        repeated = Repeated(self._sharing.movable, self._known, not isinstance(statement, ir.While))
        with self._known.branch():
            repeated.look_at(values)
        self._alone |= repeated.alone
        assignments: list[ir.Statement] = []
        for value in repeated.early:
            made = self._worked_out(value)
            title = f"{self._stem}_{self._place(value)}"
            assignments.append(ir.Assign(name(title, value.type), made))
        return assignments

    def _statement(self, statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, ir.While | ir.For | ir.ForEntries):
            return self._loop(statement)
        return with_blocks(with_values(statement, self.value), self._inner)

    def _loop(self, statement: ir.Statement) -> ir.Statement:
        """A loop: the test of a `while` is evaluated in each round, bounds before the first."""
        is_while = isinstance(statement, ir.While)
        if not is_while:
            statement = with_values(statement, self.value)
        self._known.forget(self._sharing.changes.of(statement))
        with self._known.branch():
            if is_while:
                statement = with_values(statement, self.value)
            return with_blocks(statement, self.body)

    # --- values ------------------------------------------------------------------------------

    def value(self, value: Value) -> Value:
        """A value with names for the known parts; parts evaluated unconditionally become known."""
        if value.is_atom:
            return value
        place = self._known.place(value)
        if place is not None:
            self.wanted.add(place)
            return name(f"{self._stem}_{place}", value.type) if place in self._named else value
        computed = self._worked_out(value)
        rows = self._sharing.changes.handed(value)
        if rows:
            self._known.forget(rows)
        if rows or value.op in CHEAP or value.type in {MANY, ROW}:
            return computed
        place = self._place(value)
        return bind(f"{self._stem}_{place}", computed) if place in self._named else computed

    def _worked_out(self, value: Value) -> Value:
        if value in self._alone:
            return self._sharing.call(value)
        if value.op in LAZY:
            first = self.value(value.args[0])
            return _on(value, (first, *self._lazily(value)))
        return _on(value, tuple(map(self.value, value.args)))

    def _lazily(self, value: Value) -> list[Value]:
        """The arguments that are evaluated conditionally."""
        operands = value.args[1:]
        if value.op in {Op.ALL, Op.ANY}:
            with self._known.branch():
                return [self.value(operand) for operand in operands]
        values: list[Value] = []
        for operand in operands:
            with self._known.branch():
                values.append(self.value(operand))
        return values

    def _place(self, value: Value) -> int:
        place = self._places
        self._places += 1
        self._known.add(value, place)
        return place


def _on(value: Value, args: tuple[Value, ...]) -> Value:
    """The same operation on new arguments; not folded, since a dropped part may bind a name."""
    if args == value.args:
        return value
    return make(value.op, value.type, args, value.arg, value.op is Op.CALL and value.can_fail)
