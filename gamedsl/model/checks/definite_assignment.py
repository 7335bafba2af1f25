"""Definite assignment: every cell has a value before its first read, and when the game starts.

The block of `setup:` is followed loop by loop as far as values are known. Findings are reported as
diagnostics.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.builtins import Setting
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.evaluate import Evaluator, Locals, NotKnownError
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.values import Value, text_of
from gamedsl.model.walk import blocks_of, body_of, expressions_of, parts, within
from gamedsl.source import Label


def check_initialised(
    variables: tuple[nodes.Variable, ...], setup: nodes.Block, setting: Setting, reporter: Reporter
) -> None:
    """Report cells without an initial value that `setup` may leave unset, or reads before
    setting."""
    unset = {
        variable.offset + number
        for variable in variables
        for number, digit in enumerate(variable.initial)
        if digit is None
    }
    if not unset:
        return
    walker = _Initialisation(setting, reporter)
    left = set(unset)
    walker.block(setup, left, {})
    for variable in variables:
        missing = [n for n in range(variable.size) if variable.offset + n in left]
        if missing and walker.is_silent(variable):
            names = ", ".join(variable.cell_name(number) for number in missing[:3])
            more = ", ..." if len(missing) > 3 else ""
            reporter.report(
                "E1305",
                variable.span,
                f"`{variable.name}` has no initial value"
                + (f", and `setup:` does not set {names}{more} on every path" if setup else ""),
                hint=f"give one, as in `= {text_of(variable.domain.values[0])}`"
                + ("" if setup else ", or set it in `setup:`"),
            )
        elif walker.leaves_open(variable) and not variable.may_be_unset:
            reporter.report(
                "E1305",
                variable.span,
                f"`{variable.name}` has no initial value, and is not set in the first "
                f"{MOST_ROUNDS:,} steps of `setup:`",
                hint=f"give one, as in `= {text_of(variable.domain.values[0])}`",
            )


MOST_ROUNDS = 300_000
"""Limit on the steps of `setup:` that are followed; later steps are checked in play, where chance
may decide on the way."""
OF_A_QUANTIFIER = 10
"""Steps that an element of a quantifier counts as."""
PLAIN = nodes.Const | nodes.Local | nodes.Arithmetic | nodes.Compare
"""Nodes that are evaluated at every followed step: only nodes without iteration."""


class _Initialisation:
    def __init__(self, setting: Setting, reporter: Reporter) -> None:
        self.evaluator = Evaluator(setting)
        self.reporter = reporter
        self.readings: dict[int, list[nodes.Expr]] = {}
        """The cells that an expression reads, by the expression's identity."""
        self.reported: set[str] = set()
        self.rounds = 0
        self.unfollowed: set[int] = set()
        """Cells that were not set before the limit on steps was met."""
        self.going_over: list[tuple[str, tuple[Value, ...]]] = []
        """Names and values of the loops and quantifiers around, outermost first."""

    def is_silent(self, variable: nodes.Variable) -> bool:
        return variable.name not in self.reported

    def _may_be_unset(self, variable: nodes.Variable, unset: set[int]) -> bool:
        """Whether some cell of the variable is unset, and not reported."""
        cells = range(variable.offset, variable.offset + variable.size)
        return not unset.isdisjoint(cells) and self.is_silent(variable)

    def leaves_open(self, variable: nodes.Variable) -> bool:
        """Whether a cell of the variable was not set before the limit on steps was met."""
        cells = range(variable.offset, variable.offset + variable.size)
        return not self.unfollowed.isdisjoint(cells)

    def block(self, block: nodes.Block, unset: set[int], known: dict[int, Value]) -> None:
        """Remove from `unset` the cells that the block certainly sets; `known` are constant
        slots."""
        for statement in block:
            self._count_round(unset)
            if unset:
                self._statement(statement, unset, known)

    def _count_round(self, unset: set[int], rounds: int = 1) -> None:
        self.rounds += rounds
        if self.rounds > MOST_ROUNDS:
            self.unfollowed |= unset
            unset.clear()

    def _branched(self, block: nodes.Block, unset: set[int], known: dict[int, Value]) -> set[int]:
        """The cells left unset after a block that may or may not be run."""
        self.rounds += len(unset) // 100
        left = set(unset)
        self.block(block, left, dict(known))
        return left

    def _statement(
        self, statement: nodes.Statement, unset: set[int], known: dict[int, Value]
    ) -> None:
        facts = facts_of(statement)
        where = facts.teaches if facts.draws else None
        for expression in expressions_of(statement):
            if expression is not where:
                self._read(expression, unset, known)
        if facts.place is not None:
            self._set(facts.place, unset, known)
        if where is not None:  # asked with the outcome in place
            self._read(where, unset, known)
        match statement:
            case nodes.Let():
                value = self._value(statement.value, known)
                known.pop(statement.slot, None)
                if value is not None:
                    known[statement.slot] = value
            case nodes.Branch():
                left = [self._branched(block, unset, known) for block in blocks_of(statement)]
                unset.intersection_update(set().union(*left))
            case nodes.Loop():
                self._loop(statement, unset, known)
            case _:
                pass

    def _value(self, node: nodes.Expr, known: dict[int, Value]) -> Value | None:
        """The value of a plain expression of constants and known slots, or None."""
        if not all(isinstance(part, PLAIN) for part in within(node)):
            return None
        try:
            return self.evaluator.value(node, Locals(known))
        except (NotKnownError, OperationError):
            return None

    def _loop(self, loop: nodes.Loop, unset: set[int], known: dict[int, Value]) -> None:
        values = self._value(loop.domain, known)
        if not isinstance(values, tuple):
            self._branched(loop.body, unset, known)
            return
        self.going_over.append((loop.name, values))
        for value in values:
            inner = {**known, loop.slot: value}
            wanted = True if loop.condition is None else self._value(loop.condition, inner)
            if wanted is True and loop.going is None:
                self.block(loop.body, unset, inner)
            elif wanted is not False:
                self._branched(loop.body, unset, inner)
        self.going_over.pop()

    def _set(self, place: nodes.Place, unset: set[int], known: dict[int, Value]) -> None:
        number = self._cell(place.variable, place.indices, known)
        if number is not None:
            unset.discard(place.variable.offset + number)

    def _cell(
        self,
        variable: nodes.Variable,
        indices: tuple[nodes.Expr, ...],
        known: dict[int, Value],
    ) -> int | None:
        return variable.number_of(self._value(index, known) for index in indices)

    def _read(self, expression: nodes.Expr, unset: set[int], known: dict[int, Value]) -> None:
        if not unset:
            return
        if isinstance(expression, nodes.Comprehension):
            clauses = expression.clauses
            self._read_for_each(expression.element, clauses, unset, known)
            return
        body = body_of(expression)
        if body is not None or expression.reads is not None:
            self._read_cells(expression, unset, known)
            return
        for part in parts(expression):
            self._read(part, unset, known)

    def _read_for_each(
        self,
        element: nodes.Expr,
        clauses: tuple[nodes.Clause, ...],
        unset: set[int],
        known: dict[int, Value],
    ) -> None:
        """Read the element, and the conditions, once for each known value of the clauses."""
        if not clauses:
            self._read(element, unset, known)
            return
        clause, rest = clauses[0], clauses[1:]
        self._read(clause.domain, unset, known)
        values = self._value(clause.domain, known)
        each: list[dict[int, Value]] = [{s: v for s, v in known.items() if s != clause.slot}]
        if isinstance(values, tuple):
            each = [{**known, clause.slot: value} for value in values]
            self.going_over.append((clause.name, values))
        for inner in each:
            self._count_round(unset, OF_A_QUANTIFIER)
            if not unset:
                break
            if clause.condition is not None:
                self._read(clause.condition, unset, inner)
                if self._value(clause.condition, inner) is False:
                    continue
            self._read_for_each(element, rest, unset, inner)
        if isinstance(values, tuple):
            self.going_over.pop()

    def _read_cells(self, expression: nodes.Expr, unset: set[int], known: dict[int, Value]) -> None:
        if id(expression) not in self.readings:
            readings = [node for node in within(expression) if node.reads is not None]
            self.readings[id(expression)] = readings
        for node in self.readings[id(expression)]:
            variable = node.reads
            if variable is None or not self._may_be_unset(variable, unset):
                continue
            number = None if node.whole is not None else self._cell(variable, parts(node), known)
            if number is None or variable.offset + number in unset:
                self.reported.add(variable.name)
                self.reporter.report(
                    "E1305",
                    node.span,
                    f"`{variable.name}` is read here, and may not have been set yet",
                    hint=self._hint(variable),
                    secondary=(Label(variable.span, "declared without an initial value"),),
                )

    def _hint(self, variable: nodes.Variable) -> str:
        """The hint for a cell that is read too early; inside a loop over the cells, the cells set
        by earlier rounds."""
        outer, inner = self.going_over[:-1], self.going_over[-1:]
        for name, values in inner:
            for earlier, same in outer:
                if values == same and len(values) > 1:
                    where = f"`for {name} in ... where {name} < {earlier}`"
                    return f"the earlier rounds of `for {earlier}` have set: {where}"
        return f"give it an initial value, as in `= {text_of(variable.domain.values[0])}`"
