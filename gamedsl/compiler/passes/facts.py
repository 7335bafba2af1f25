"""Facts behind `and` and `or` and in the arms of a choice: outcomes of earlier tests.

The pass drops tests whose outcome is known at their place: `c and (c or d)` is `c`, `select(c,
select(c, a, b), d)` is `select(c, a, d)`. Conditions that read rows or may write to rows count as
unknown.
"""

from __future__ import annotations

from gamedsl.compiler.ir.rewrite import remade
from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import BOOL, Op, Value, make, not_, truth

LARGEST = 3000
"""Size limit of examined values, in operations; repeated operations are counted repeatedly."""


class Facts:
    """Tests whose outcomes are known; `rows`: the rows that may be written to."""

    def __init__(self, rows: frozenset[str]) -> None:
        self._known: dict[Value, bool] = {}
        self._pending: list[tuple[Value, ...]] = []
        self._rows = rows
        self._done: dict[Value, Value] = {}

    def with_(self, test: Value, outcome: bool) -> Facts:
        """The facts after a test."""
        if not test.names.isdisjoint(self._rows):
            return self
        facts = Facts(self._rows)
        facts._known, facts._pending = dict(self._known), list(self._pending)
        _assume(test, outcome, facts._known, facts._pending)
        return facts

    def value(self, value: Value) -> Value:
        """A value simplified by the facts."""
        if value.is_atom and value.type is not BOOL:
            return value
        simplified = self._done.get(value)
        if simplified is None:
            simplified = self._done[value] = self._worked_out(value)
        return simplified

    def _worked_out(self, value: Value) -> Value:
        if value.type is BOOL and not value.is_const:
            outcome = _outcome(value, self._known)
            if outcome is not None:
                return truth(outcome)
        match value.op:
            case Op.ALL | Op.ANY:
                return self._connected(value)
            case Op.SELECT:
                test = self.value(value.args[0])
                if test.is_const:
                    return self.value(value.args[1 if test.const else 2])
                then = self.with_(test, True).value(value.args[1])
                return remade(value, (test, then, self.with_(test, False).value(value.args[2])))
            case Op.GUARD:
                test, then, *numbers = value.args
                test = self.value(test)
                simplified = self.with_(test, True).value(then)
                if test.is_const and test.const:
                    return simplified
                operands = simplified, *map(self.with_(test, False).value, numbers)
                return remade(value, (test, *operands))
        return remade(value, tuple(map(self.value, value.args)))

    def _connected(self, value: Value) -> Value:
        facts, args = self, list[Value]()
        for test in value.args:
            args.append(facts.value(test))
            if not args[-1].is_const:
                facts = facts.with_(args[-1], value.op is Op.ALL)
        return remade(value, tuple(args))


def without_known(value: Value) -> Value:
    """A value without tests of known outcome. If the value is too large, only its sufficiently
    small parts are simplified.
    """
    if not value.chooses:
        return value
    done: dict[Value, Value] = {}
    row_names: set[str] = set()
    for part in parts(value):
        if part.type.kind == "row":
            row_names |= part.names
    rows = frozenset(row_names)

    def shortened(operand: Value) -> Value:
        if not operand.chooses:
            return operand
        if operand not in done:
            is_small = operand.size <= LARGEST
            done[operand] = (
                Facts(rows).value(operand)
                if is_small
                else remade(operand, tuple(map(shortened, operand.args)))
            )
        return done[operand]

    return shortened(value)


def _literal(test: Value, outcome: bool) -> tuple[Value, bool]:
    """A test normalised to `==` or `<`; other tests are unchanged."""
    match test.op:
        case Op.NOT:
            return _literal(test.args[0], not outcome)
        case Op.NE:
            return make(Op.EQ, BOOL, test.args), not outcome
        case Op.LE:
            return make(Op.LT, BOOL, (test.args[1], test.args[0])), not outcome
    return test, outcome


def _outcome(test: Value, known: dict[Value, bool]) -> bool | None:
    literal, sign = _literal(test, True)
    outcome = known.get(literal)
    return None if outcome is None else outcome is sign


def _assume(
    test: Value, outcome: bool, known: dict[Value, bool], pending: list[tuple[Value, ...]]
) -> None:
    """Record the outcome of a test; `pending`: groups of tests; every group has a false test."""
    literal, outcome = _literal(test, outcome)
    known[literal] = outcome
    if (literal.op is Op.ALL and outcome) or (literal.op is Op.ANY and not outcome):
        for operand in literal.args:
            _assume(operand, outcome, known, pending)
    elif literal.op is Op.ALL:
        pending.append(literal.args)
    elif literal.op is Op.ANY:
        pending.append(tuple(map(not_, literal.args)))
    _resolve(known, pending)


def _resolve(known: dict[Value, bool], pending: list[tuple[Value, ...]]) -> None:
    for tests in list(pending):
        rest = [test for test in tests if _outcome(test, known) is not True]
        if len(rest) == 1 and tests in pending:
            pending.remove(tests)
            if _outcome(rest[0], known) is None:
                _assume(rest[0], False, known, pending)
