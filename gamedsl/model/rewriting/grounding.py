"""Write rules out for single cells: the possible values of each expression, with conditions.

`Cases` map the values of an expression to propositions over cells; locals have known values. The
result refers to the board only by cell numbers, and so allows proofs of symmetries. Raises
NotToldError if an expression has too many cases, or an unknown order of evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from gamedsl.model import nodes, operations
from gamedsl.model.builtins import row_of, ways_of
from gamedsl.model.model import Model
from gamedsl.model.rewriting.cases import (
    MOST_CASES,
    Cases,
    InSomeOrder,
    Locals,
    Members,
    Place,
    cases_of_cell,
    chosen,
    chosen_members,
    each,
    extreme,
    is_certain,
    members_of,
    possible,
    reduction,
    total,
    truth,
    unique,
)
from gamedsl.model.rewriting.moments import NotToldError
from gamedsl.model.rewriting.propositions import (
    Proposition,
    all_of,
    connected,
    negated,
    some_of,
)
from gamedsl.model.rewriting.terms import constant
from gamedsl.model.semantics.evaluate import fold
from gamedsl.model.semantics.expressions import compares_sets
from gamedsl.model.semantics.symbolic import SymbolicBodies
from gamedsl.model.types import ListType, SetType
from gamedsl.model.values import EMPTY, NONE, Square, Value, Vector
from gamedsl.model.walk import parts, with_parts

MOST_STEPS = 300_000
"""Limit on the evaluations in writing out rules: a few seconds."""


class Grounding:
    """Writes out the rules of a game."""

    def __init__(self, model: Model, most_steps: int = MOST_STEPS) -> None:
        self.model = model
        self.board = model.board
        self._steps = 0
        self._most_steps = most_steps
        self.cells: dict[int, Cases] = {}
        self._calls: dict[tuple[Any, ...], Cases] = {}
        self._results: dict[tuple[int, tuple[Value, ...]], Value | None] = {}
        for variable in model.variables:
            for n in range(variable.size):
                self.cells[variable.offset + n] = cases_of_cell(variable, variable.offset + n)

    # --- conditions and values -------------------------------------------------------------

    def holds(self, node: nodes.Expr, held: Locals, place: Place) -> Proposition:
        """The proposition under which a condition holds."""
        return self.cases(node, held, place).get(True, False)

    def cases(self, node: nodes.Expr, held: Locals, place: Place) -> Cases:
        """The cases of an expression that is not a collection."""
        self._steps += 1
        if self._steps > self._most_steps:
            raise NotToldError(f"it takes more than {self._most_steps} steps to write out")
        match node:
            case nodes.Const():
                return {node.value: True}
            case nodes.Local():
                binding = held[node.slot]
                if isinstance(binding, list):
                    raise NotToldError("a collection where a value is needed")
                return binding
            case nodes.Mover(word="turn"):
                return place.turn
            case nodes.Stuck():
                if node.player is not None:
                    raise NotToldError("`stuck(...)` asks for the moves of another state")
                return truth(("stuck",))
            case nodes.Cell():
                return self._cell(node, held, place)
            case nodes.Logic():
                operands = list(self._operands(node, held, place))
                return truth(
                    connected(all_of(operands)) if node.operator == "and" else some_of(operands)
                )
            case nodes.Not():
                return truth(negated(self.holds(node.operand, held, place)))
            case nodes.Conditional():
                test = self.holds(node.condition, held, place)
                if isinstance(test, bool):
                    return self.cases(node.then if test else node.otherwise, held, place)
                then = self.cases(node.then, held, place)
                return chosen(test, then, self.cases(node.otherwise, held, place))
            case nodes.ApplyRecursive():
                raise NotToldError(f"`{node.definition.name}` calls itself")
            case nodes.Apply():
                return self._applied(node, held, place)
            case nodes.Comprehension():
                return self._quantified(node, held, place)
            case nodes.Member():
                element = self.cases(node.element, held, place)
                members = self.members(node.collection, held, place)
                return truth(
                    some_of(all_of((there, element.get(value, False))) for there, value in members)
                )
            case nodes.Builtin(name="line" | "full"):
                return self._board_builtin(node, held, place)
            case nodes.Compare() if compares_sets(node):
                raise NotToldError("equality of sets")
            case nodes.Builtin(name="len" | "sum" | "min" | "max" | "any" | "all" | "count"):
                return self._reduced(node, held, place)
        return self._combined(node, held, place)

    def _applied(self, node: nodes.Apply, held: Locals, place: Place) -> Cases:
        """A call of a `def`; cached if its arguments are known and no cell has been written."""
        arguments = [self.value(argument, held, place) for argument in node.arguments]
        inner = {**held, **dict(zip(node.definition.slots, arguments, strict=True))}
        if place.cells or not all(is_certain(cases) for cases in (place.turn, *arguments)):
            return self.cases(node.definition.body, inner, place)
        key = (
            id(node.definition),
            *(value for cases in (place.turn, *arguments) for value in cases),
        )
        if key not in self._calls:
            self._calls[key] = self.cases(node.definition.body, inner, place)
        return self._calls[key]

    def _operands(self, node: nodes.Logic, held: Locals, place: Place) -> Iterator[Proposition]:
        """The operands from the left, no further than needed."""
        for operand in node.operands:
            proposition = self.holds(operand, held, place)
            yield proposition
            if proposition is (node.operator == "or"):
                return

    def _combined(self, node: nodes.Expr, held: Locals, place: Place) -> Cases:
        """An operation on single values, evaluated for each combination of the operands' values."""
        operands = [self.cases(part, held, place) for part in parts(node)]
        conditions: dict[Value, list[Proposition]] = {}
        count = 1
        for operand in operands:
            count *= len(operand)
        if count > MOST_CASES:
            raise NotToldError("an operation with too many cases")
        for combination in product(*(operand.items() for operand in operands)):
            condition = all_of(test for _, test in combination)
            if condition is not False:
                values = tuple(value for value, _ in combination)
                key = (id(node), values)
                if key not in self._results:
                    self._results[key] = self._worked_out(node, values)
                value = self._results[key]
                if value is not None:
                    conditions.setdefault(value, []).append(condition)
        return {value: some_of(tests) for value, tests in conditions.items()}

    def _worked_out(self, node: nodes.Expr, values: tuple[Value, ...]) -> Value | None:
        """The value of a node for values of its parts; None if the operation is an error in
        play."""
        function = row_of(node.called).value if node.called else None
        operands = iter(values)
        try:
            if function is not None:
                return function(self.model)(*values)
            known = with_parts(node, lambda part: constant(part.span, next(operands)))
            folded = fold(known, self.model)
        except operations.OperationError:
            return None
        if folded.known is None:
            raise NotToldError("an operation without a known value")
        return folded.known

    def _cell(self, node: nodes.Cell, held: Locals, place: Place) -> Cases:
        conditions: dict[Value, list[Proposition]] = {}
        for number, test in self.numbers(node.variable, node.indices, held, place):
            if number is None:
                conditions.setdefault(NONE, []).append(test)
                continue
            for value, holds in self.cell(number, place).items():
                conditions.setdefault(value, []).append(all_of((test, holds)))
        return possible({value: some_of(tests) for value, tests in conditions.items()})

    def cell(self, number: int, place: Place) -> Cases:
        """The cases of a cell."""
        return place.cells.get(number, self.cells[number])

    def numbers(
        self,
        variable: nodes.Variable,
        indices: tuple[nodes.Expr, ...],
        held: Locals,
        place: Place,
    ) -> Iterator[tuple[int | None, Proposition]]:
        """The cells that indices may name, None for `none`."""
        options = [self.cases(index, held, place).items() for index in indices]
        for combination in product(*options):
            test = all_of(test for _, test in combination)
            if test is False:
                continue
            number = variable.number_of(value for value, _ in combination)
            yield (None if number is None else variable.offset + number), test

    # --- collections -----------------------------------------------------------------------

    def value(self, node: nodes.Expr, held: Locals, place: Place) -> Cases | Members:
        """The cases of a value, or the members of a collection."""
        if isinstance(node.type, SetType | ListType):
            return self.members(node, held, place)
        return self.cases(node, held, place)

    def members(self, node: nodes.Expr, held: Locals, place: Place) -> Members:
        """The elements of a collection in order, each with the condition of its membership."""
        match node:
            case nodes.Const(value=tuple() as values):
                return [(True, value) for value in values]
            case nodes.Local():
                binding = held[node.slot]
                if isinstance(binding, list):
                    return binding
                return members_of(binding)
            case nodes.Collection():
                items = [
                    (test, value)
                    for item in node.items
                    for value, test in self.cases(item, held, place).items()
                ]
                return unique(items) if isinstance(node.type, SetType) else items
            case nodes.Builtin(name="|"):
                sides = [self.value(side, held, place) for side in node.arguments]
                listed = [side if isinstance(side, list) else each(side) for side in sides]
                return unique(listed[0] + listed[1], *listed)
            case nodes.Comprehension(kind="set" | "list"):
                elements = [
                    (all_of((test, there)), value)
                    for test, inner in self.rounds(node.clauses, held, place)
                    for value, there in self.cases(node.element, inner, place).items()
                ]
                return unique(elements) if node.kind == "set" else elements
            case nodes.Conditional():
                return self._chosen_members(node, held, place)
            case nodes.Apply():
                inner_held: dict[int, Cases | Members] = dict(held)
                for slot, argument in zip(node.definition.slots, node.arguments, strict=True):
                    inner_held[slot] = self.value(argument, held, place)
                return self.members(node.definition.body, inner_held, place)
            case nodes.Builtin(name="group" | "sight") if node.array.fixed:
                raise NotToldError(f"`{node.name}` of part of a variable")
            case nodes.Builtin(name="group", arguments=(_, start, *_)):
                return self._group(node.array.variable, start, ways_of(node), held, place)
            case nodes.Builtin(name="sight", arguments=(_, start, way)):
                return self._sight(node.array.variable, start, way, held, place)
        return members_of(self._combined(node, held, place))

    def _chosen_members(self, node: nodes.Conditional, held: Locals, place: Place) -> Members:
        """The members of `then` or `otherwise`."""
        test = self.holds(node.condition, held, place)
        if isinstance(test, bool):
            return self.members(node.then if test else node.otherwise, held, place)
        then = self.members(node.then, held, place)
        return chosen_members(test, then, self.members(node.otherwise, held, place))

    def in_order(self, node: nodes.Expr, held: Locals, place: Place) -> Members:
        """The members, for uses that depend on the order."""
        members = self.members(node, held, place)
        if isinstance(members, InSomeOrder):
            raise NotToldError("a set whose order depends on the state")
        return members

    def rounds(
        self,
        clauses: tuple[nodes.Clause, ...],
        held: Locals,
        place: Place,
        *,
        ordered: bool = True,
    ) -> Iterator[tuple[Proposition, Locals]]:
        """The bindings of `for` clauses, with the condition of each binding; `ordered`: the order
        matters."""
        clause, rest = clauses[0], clauses[1:]
        members = self.in_order if ordered else self.members
        for there, value in members(clause.domain, held, place):
            inner = {**held, clause.slot: {value: True}}
            test = there
            if clause.condition is not None:
                test = all_of((there, self.holds(clause.condition, inner, place)))
            if test is False:
                continue
            if not rest:
                yield test, inner
                continue
            for more, innermost in self.rounds(rest, inner, place, ordered=ordered):
                yield all_of((test, more)), innermost

    def _quantified(self, node: nodes.Comprehension, held: Locals, place: Place) -> Cases:
        ordered = node.kind in {"first", "last"}
        rounds = self.rounds(node.clauses, held, place, ordered=ordered)
        match node.kind:
            case "any":
                tests = (all_of((t, self.holds(node.element, i, place))) for t, i in rounds)
                return truth(some_of(map(connected, tests)))
            case "all":
                return truth(
                    all_of(
                        some_of((negated(t), self.holds(node.element, i, place))) for t, i in rounds
                    )
                )
            case "first" | "last":
                listed = [(t, self.cases(node.element, i, place)) for t, i in rounds]
                selected: Cases = {NONE: True}
                for test, cases in reversed(listed) if node.kind == "first" else listed:
                    selected = chosen(test, cases, selected)
                return selected
            case "count" | "sum":
                return total([self._summand(node, t, i, place) for t, i in rounds])
        raise NotToldError(f"`{node.kind}` written out")

    def _summand(
        self, node: nodes.Comprehension, test: Proposition, held: Locals, place: Place
    ) -> tuple[Proposition, Cases]:
        """The contribution of a round to `sum`, or to `count` (truth values count if true)."""
        cases = self.cases(node.element, held, place)
        if node.kind == "sum":
            return test, cases
        if all(isinstance(value, bool) for value in cases):
            test = all_of((test, cases.get(True, False)))
        return test, {1: True}

    def _reduced(self, node: nodes.Builtin, held: Locals, place: Place) -> Cases:
        collection = node.arguments[0]
        if node.name in {"min", "max"} and isinstance(collection, nodes.Collection):
            return extreme(node.name, [self.cases(i, held, place) for i in collection.items])
        members = self.members(collection, held, place)
        if node.name == "len":
            return total([(test, {1: True}) for test, _ in members])
        if node.name == "sum":
            return total([(test, {value: True}) for test, value in members])
        if all(test is True for test, _ in members):
            return {reduction(node.name, tuple(value for _, value in members)): True}
        raise NotToldError(f"`{node.name}` of a collection that depends on the state")

    # --- the board -------------------------------------------------------------------------

    def _square_holds(
        self, variable: nodes.Variable, square: Value, value: Value, place: Place
    ) -> Proposition:
        return self.cell(_number(variable, square), place).get(value, False)

    def _board_builtin(self, node: nodes.Builtin, held: Locals, place: Place) -> Cases:
        whole = node.array
        squares = self.board.squares if self.board else ()
        if whole.fixed or [index.values for index in whole.indices] != [squares]:
            raise NotToldError(f"`{node.name}` of cells that are not those of the board")
        assert self.board is not None
        if node.name == "full":
            vacant = (self._square_holds(whole.variable, s, EMPTY, place) for s in squares)
            return truth(negated(some_of(vacant)))
        line_conditions, directions = [], ways_of(node)
        values = self.cases(node.arguments[1], held, place)
        for size, test in self.cases(node.arguments[2], held, place).items():
            for run in self.board.lines(size, directions) if isinstance(size, int) else ():
                for value, is_it in values.items():
                    run_holds = [self._square_holds(whole.variable, s, value, place) for s in run]
                    line_conditions.append(all_of((test, is_it, *run_holds)))
        return truth(some_of(line_conditions))

    def _sight(
        self,
        variable: nodes.Variable,
        start: nodes.Expr,
        way: nodes.Expr,
        held: Locals,
        place: Place,
    ) -> Members:
        assert self.board is not None
        visible: Members = []
        starts, offsets = self.cases(start, held, place), self.cases(way, held, place)
        if len(starts) > 1 or len(offsets) > 1:
            raise NotToldError("`sight` from a square that depends on the state")
        for square, offset in product(starts, offsets):
            clear: Proposition = True
            for seen in self.board.ray(square, offset):  # type: ignore[arg-type]
                visible.append((clear, seen))
                clear = all_of((clear, self._square_holds(variable, seen, EMPTY, place)))
        return visible

    def _group(
        self,
        variable: nodes.Variable,
        start: nodes.Expr,
        directions: tuple[Vector, ...] | None,
        held: Locals,
        place: Place,
    ) -> Members:
        """Group membership stays unevaluated: an atom for each pair of squares, a set if either
        square is in the group of the other."""
        assert self.board is not None
        pair_of = frozenset if self.board.is_mutual(directions) else tuple
        numbers = range(variable.offset, variable.offset + variable.size)
        if any(number in place.cells for number in numbers):
            raise NotToldError("`group` of an array that has been changed")
        memberships: dict[Value, list[Proposition]] = {square: [] for square in self.board.squares}
        for first, test in self.cases(start, held, place).items():
            for square, tests in memberships.items():
                if first is square:
                    tests.append(test)
                elif isinstance(first, Square):
                    pair = pair_of(_number(variable, s) for s in (first, square))
                    tests.append(all_of((test, ("group", variable.offset, directions, pair))))
        return [(some_of(tests), square) for square, tests in memberships.items()]


def _number(variable: nodes.Variable, square: Value) -> int:
    """The number of the cell of a square."""
    return variable.offset + variable.indices[0].digit[square]


class At(NamedTuple):
    """A moment: the meanings of locals, and the state."""

    held: Locals
    place: Place


class GroundStatements(SymbolicBodies[At, Proposition]):
    """Statements written out for single cells."""

    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding

    def both(self, one: Proposition, other: Proposition) -> Proposition:
        """`one and other`."""
        return all_of((one, other))

    def negated(self, one: Proposition) -> Proposition:
        """`not one`."""
        return negated(one)

    def is_never(self, one: Proposition) -> bool:
        """Whether a proposition is the constant False."""
        return one is False

    def asked(self, node: nodes.Expr, state: At) -> Proposition:
        """The proposition under which a condition holds."""
        return self.grounding.holds(node, *state)

    def bound(self, slot: int, name: str, node: nodes.Expr, state: At) -> At:
        """The local stands for the cases of the expression."""
        return At({**state.held, slot: self.grounding.value(node, *state)}, state.place)

    def rounds(self, domain: nodes.Expr, state: At) -> Iterator[tuple[nodes.Const, Proposition]]:
        """The possible elements, in an order that is independent of the state."""
        for there, value in self.grounding.in_order(domain, *state):
            yield constant(domain.span, value), there


class GroundBodies(GroundStatements):
    """Bodies, which change a place: a block that may be carried out changes a copy."""

    def required(self, statement: nodes.Require, state: At, guard: Proposition) -> At:
        """The condition joins the conditions of legality."""
        test = self.asked(statement.condition, state)
        state.place.legal = all_of((state.place.legal, test))
        return state

    def put(self, statement: nodes.Put, state: At, guard: Proposition) -> At:
        """Change the place."""
        grounding, variable, (held, place) = self.grounding, statement.place.variable, state
        value = grounding.cases(statement.value, held, place)
        if variable.offset == nodes.TURN:
            place.turn = value
        elif variable.offset == nodes.KEPT:
            place.keeps_turn = True
        else:
            numbers = grounding.numbers(variable, statement.place.indices, held, place)
            for number, test in [*numbers]:
                if number is not None:
                    place.cells[number] = chosen(test, value, grounding.cell(number, place))
        return state

    def under(self, test: Proposition, block: nodes.Block, state: At, before: At) -> At:
        """The block on a copy of the place, whose contents are taken over where `test` holds."""
        if test is True:
            self.block(block, state, True)
            return state
        inside = state.place.copy()
        inside.legal = True
        self.block(block, At(state.held, inside), True)
        state.place.become(test, inside, self.grounding.cells)
        return state
