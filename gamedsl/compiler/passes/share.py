"""Common subexpressions: what is worked out twice gets a name where it is worked out first.

In: a packed module. Out: the same, with locals for values that come up again while the names in
them stand for the same. Order of evaluation stays: a value is named where it stands, and where it
is not worked out in any case (behind `and`, in one arm of `if-else`), its name holds there alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import remade
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import LAZY, MANY, Op, Value, bind, name
from gamedsl.compiler.layout import Layout

CHEAP = frozenset({Op.CONST, Op.NAME, Op.COMPLEMENT, Op.NEGATE, Op.NOT, Op.TUPLE, Op.BIND})
"""Not worth a name of their own."""
Available = dict[Value, int]
"""Values that have been worked out, with the number of the place where."""


def share(module: Module, _: Layout, __: int) -> Module:
    """The module with each value worked out once."""
    functions = {title: _shared(one) for title, one in module.functions.items()}
    return replace(module, functions=functions)


def _shared(function: ir.Function) -> ir.Function:
    first = _Walk(frozenset())
    first.body(function.body, {})
    wanted = frozenset(place for place, times in first.uses.items() if times)
    if not wanted:
        return function
    return replace(function, body=_Walk(wanted).body(function.body, {}))


class _Walk:
    """One walk through a function in the order of evaluation.

    The first walk takes everything for named and counts how often each name is used; the second
    names what is wanted, and meets the same places in the same order.
    """

    def __init__(self, wanted: frozenset[int]) -> None:
        self.uses: Counter[int] = Counter()
        self._wanted = wanted
        self._places = 0

    # --- statements --------------------------------------------------------------------------

    def body(self, body: ir.Body, available: Available) -> ir.Body:
        """The statements of a block; what is available behind them stays in `available`."""
        found: list[ir.Statement] = []
        for statement in body:
            found.append(self._statement(statement, available))
        return tuple(found)

    def _statement(self, statement: ir.Statement, known: Available) -> ir.Statement:
        match statement:
            case ir.Assign():
                value = self.value(statement.value, known)
                _forget(known, frozenset({statement.target.name}))
                return ir.Assign(statement.target, value)
            case ir.AssignAll():
                value = self.value(statement.value, known)
                _forget(known, frozenset(target.name for target in statement.targets))
                _forget_rows(known, value)
                return ir.AssignAll(statement.targets, value)
            case ir.Store():
                value = self.value(statement.value, known)  # as in Python, before the index
                index = self.value(statement.index, known)
                _forget(known, statement.row.names)
                return ir.Store(statement.row, index, value)
            case ir.Evaluate():
                return ir.Evaluate(self.value(statement.value, known))
            case ir.Fault():
                found, place = (
                    self.value(statement.found, known),
                    self.value(statement.place, known),
                )
                return ir.Fault(statement.site, found, place)
            case ir.If():
                return self._branch(statement, known)
            case ir.While() | ir.For() | ir.ForEntries():
                return self._loop(statement, known)
            case ir.Return():
                return ir.Return(tuple(self.value(value, known) for value in statement.values))
        return statement

    def _branch(self, statement: ir.If, known: Available) -> ir.If:
        test = self.value(statement.test, known)
        then = self.body(statement.then, dict(known))
        otherwise = self.body(statement.otherwise, dict(known))
        _forget(known, ir.assigned_in(statement.then) | ir.assigned_in(statement.otherwise))
        _forget_rows_in(known, (statement,))
        return ir.If(test, then, otherwise)

    def _loop(self, statement: ir.While | ir.For | ir.ForEntries, known: Available) -> ir.Statement:
        changed = ir.assigned_in((statement,))
        if isinstance(statement, ir.For):
            low, high = self.value(statement.low, known), self.value(statement.high, known)
            statement = replace(statement, low=low, high=high)
        _forget(known, changed)
        _forget_rows_in(known, (statement,))
        inner = dict(known)
        if isinstance(statement, ir.While):
            test = self.value(statement.test, inner)
            return ir.While(test, self.body(statement.body, inner))
        return replace(statement, body=self.body(statement.body, inner))

    # --- values ------------------------------------------------------------------------------

    def value(self, value: Value, known: Available) -> Value:
        """A value with names for what is known; what it works out in any case becomes known."""
        if value.op in {Op.CONST, Op.NAME, Op.STATE}:
            return value
        if value in known:
            place = known[value]
            self.uses[place] += 1
            return name(f"t_{place}", value.type) if self._is_named(place) else value
        if value.op in LAZY:
            first, *others = value.args
            args = [self.value(first, known)]
            inner = dict(known)
            for one in others:
                if value.op in {Op.SELECT, Op.GUARD}:
                    inner = dict(known)
                args.append(self.value(one, inner))
        else:
            args = [self.value(one, known) for one in value.args]
        found = remade(value, tuple(args))
        if value.op in CHEAP or value.type is MANY or _is_impure(value):
            return found
        place = self._places
        self._places += 1
        known[value] = place
        return bind(f"t_{place}", found) if place in self._wanted else found

    def _is_named(self, place: int) -> bool:
        return place in self._wanted


def _is_impure(value: Value) -> bool:
    """Whether a value may be another the next time: calls that are handed a row write to it."""
    return value.op is Op.CALL and any(one.type.kind == "row" for one in value.args)


def _forget(known: Available, names: frozenset[str]) -> None:
    """What depends on names that have been assigned is no longer known."""
    if names:
        for value in [value for value in known if not value.names.isdisjoint(names)]:
            del known[value]


def _forget_rows(known: Available, value: Value) -> None:
    """Rows that calls are handed may have been written to."""
    rows = {
        row
        for one in ir.parts(value)
        if one.op is Op.CALL
        for argument in one.args
        if argument.type.kind == "row"
        for row in argument.names
    }
    _forget(known, frozenset(rows))


def _forget_rows_in(known: Available, body: ir.Body) -> None:
    for statement in ir.walk(body):
        for value in ir.values_of(statement):
            _forget_rows(known, value)
