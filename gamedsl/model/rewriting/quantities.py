"""Find monotone quantities of a state, proved from the text of the moves.

Candidates are the number of cells of an array with a given value, and the sum of an array of
numbers; for repetitions also the sum of the places of the cells with a given value, which men raise
or lower that walk in one direction. For each candidate the module bounds the change by a single
move; candidates whose bounds have one sign are kept. Bodies are carried out on the facts known of
cells: a cell that a `require` pins has a single value before the write. Unproved quantities are
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.knowledge import Reasoning
from gamedsl.model.rewriting.moments import Fact, Knowledge, Moment, NotToldError, Unknown
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant
from gamedsl.model.statement_facts import draws_in, facts_in, sets_turn, written_in
from gamedsl.model.types import BOOLEAN, Scalar, element_of, scalar_of, size_of
from gamedsl.model.values import Value, text_of
from gamedsl.model.walk import statements
from gamedsl.source.records import dataclass

MOST_VALUES = 8
"""Greatest number of values of an array whose values are counted."""
MOST_CELLS = 64
"""Greatest number of cells of an array whose cells are looked at one by one."""
MOST_ACTIONS = 200
"""Number of actions of a move beyond which the parameters are left open."""
MOST_STEPS = 400
"""Number of actions in all, of all players, beyond which actions are not looked at one by one."""
MOST_ROUNDS = 64
"""Number of rounds, of nested loops multiplied, beyond which a loop is judged by a single general
round; a loop that changes no quantity always is."""

Change = tuple[int, int]
"""Least and greatest change."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """The number of cells of an array with `value`, or, with `value` None, the sum of the
    numbers; `is_placed`: the sum of the places of the cells with `value`, counted from 0; `cell`:
    the number in this cell alone."""

    variable: nodes.Variable
    value: Value | None
    is_placed: bool = False
    cell: int | None = None

    def of(self, cells: Sequence[int | None]) -> int:
        """The quantity in a state, given by a digit per cell."""
        variable = self.variable
        digits = cells[variable.offset : variable.offset + variable.size]
        if self.value is not None:
            digit = variable.domain.position(self.value)
            if self.is_placed:
                return sum(place for place, held in enumerate(digits) if held == digit)
            return digits.count(digit)
        values = variable.domain.values
        if self.cell is not None:
            digits = digits[self.cell : self.cell + 1]
        numbers = (values[digit] for digit in digits if digit is not None)
        return sum(number for number in numbers if isinstance(number, int))

    @property
    def bounds(self) -> Change:
        """The least and the greatest value in any state."""
        variable = self.variable
        if self.value is not None:
            size = len(variable.cells)
            return 0, size * (size - 1) // 2 if self.is_placed else size
        cells = variable.cells if self.cell is None else [self.cell]
        domains = [variable.domain_of(number).values for number in cells]
        numbers = [[value for value in values if isinstance(value, int)] for values in domains]
        return sum(map(min, numbers)), sum(map(max, numbers))

    @property
    def words(self) -> str:
        """The quantity, in words."""
        name = self.variable.name
        if self.cell is not None:
            return self.variable.cell_name(self.cell)
        return f"sum of {name}" if self.value is None else f"{text_of(self.value)} in {name}"


@dataclass(frozen=True, slots=True)
class Trend:
    """A quantity that a move changes by `low..high`, both of one sign or zero."""

    quantity: Quantity
    low: int
    high: int


def trends(model: Model) -> tuple[Trend, ...] | Unknown:
    """The quantities that moves only lower, or only raise (or never change)."""
    steps = changes_by_step(model)
    if isinstance(steps, Unknown):
        return steps
    changes: dict[Quantity, Change] = {}
    for step in steps:
        for quantity, change in step.items():
            changes[quantity] = _hull(changes.get(quantity, change), change)
    return tuple(
        Trend(quantity, low, high)
        for quantity, (low, high) in changes.items()
        if low >= 0 or high <= 0
    )


def changes_by_step(model: Model, *, by_cell: bool = False) -> tuple[Changes, ...] | Unknown:
    """The bounds of change of every candidate quantity: for each move, player, and combination of
    arguments if few; moves that are never legal are left out. `by_cell`: of the single cells of
    arrays of numbers instead."""
    if model.tree is not None or not model.moves:
        return Unknown("there are no moves")
    reason = _refusal(model.moves)
    if reason is not None:
        return Unknown(reason)
    try:
        candidates = _cells(model) if by_cell else _candidates(model)
        return tuple(_steps(model, model.moves, tuple(candidates)))
    except NotToldError as error:
        return Unknown(str(error))


def only_ways(model: Model, rule: nodes.Repeat) -> tuple[Trend, ...] | None:
    """Monotone quantities that prove that the compared part of a state never recurs.

    Every step that may change the part raises the first quantity, or every such step lowers it, or
    leaves it as it is; steps of the latter kind do so with the second quantity, and so on, until no
    step is left (a lexicographic order). None if no quantities are proved.
    """
    written = {variable.offset for variable in rule.variables}
    moves = {
        number: move
        for number, move in enumerate(model.moves)
        if rule.with_turn
        or not rule.exempts_unchanged
        or not written.isdisjoint(written_in(move.body))
    }
    if model.tree is not None or not moves or _refusal(tuple(moves.values())) is not None:
        return None
    candidates = tuple(
        candidate for candidate in _candidates(model) if candidate.variable.offset in written
    )
    placed = tuple(
        replace(candidate, is_placed=True)
        for candidate in candidates
        if candidate.value is not None
    )
    try:
        steps = _as_wholes(model, moves, candidates)
        settling, left = _levels(steps or {})
        fine = _by_arguments(model, left, (*candidates, *placed)) if left else {}
        further, left = _levels(fine or {})
    except NotToldError:
        return None
    if steps is None or fine is None or left:
        return None
    return (*settling, *further) or None  # none: no step is ever legal


def _refusal(moves: Sequence[nodes.Move]) -> str | None:
    """The reason why no trend is derived for the moves; None if trends can be derived."""
    for move in moves:
        if move.is_simultaneous:
            return "all players choose at once"
        if draws_in(move.body):
            return "chance decides in the body"
    return None


Step = tuple[int, Value]
"""The number of a move, and a player."""
Changes = Mapping[Quantity, Change]


def _change(
    model: Model,
    move: nodes.Move,
    player: Value,
    quantities: tuple[Quantity, ...],
    arguments: Mapping[int, Value] = MappingProxyType({}),
) -> Changes | None:
    """The bounds of change of each quantity by a move; None if the move is never legal."""
    path = _Walk(model, quantities).through(move, player, arguments)
    return None if path is None else dict(zip(quantities, path.changes, strict=True))


def _as_wholes(
    model: Model, moves: Mapping[int, nodes.Move], quantities: tuple[Quantity, ...]
) -> dict[Step, list[Changes | None]] | None:
    """The changes by each move with open parameters, short moves first; None if a move need not
    change any quantity, and its actions are too many to be looked at one by one."""
    steps: dict[Step, list[Changes | None]] = {}
    players = len(model.players)
    for number in sorted(moves, key=lambda n: len(list(statements(moves[n].body)))):
        for player in model.players:
            changes = _change(model, moves[number], player, quantities)
            steps[number, player] = [changes]
            is_divided = 1 < moves[number].size <= MOST_ACTIONS // players
            if not _may_settle(changes) and not is_divided:
                return None
    return steps


def _may_settle(changes: Changes | None) -> bool:
    """Whether a step surely changes some quantity, in a known direction, or never comes up."""
    return changes is None or any(map(_is_strict, changes.values()))


def _by_arguments(
    model: Model, steps: Collection[Step], quantities: tuple[Quantity, ...]
) -> dict[Step, list[Changes | None]] | None:
    """The changes by each action of the moves; None if there are too many actions in all, or an
    action need not change any quantity."""
    players = len(model.players)
    arguments = {number: list(_arguments(model.moves[number], players)) for number, _ in steps}
    if sum(len(arguments[number]) for number, _ in steps) > MOST_STEPS:
        return None
    fine: dict[Step, list[Changes | None]] = {}
    for number, player in steps:
        fine[number, player] = []
        for each in arguments[number]:
            changes = _change(model, model.moves[number], player, quantities, each)
            fine[number, player].append(changes)
            if not _may_settle(changes):
                return None
    return fine


def _levels(steps: Mapping[Step, Sequence[Changes | None]]) -> tuple[tuple[Trend, ...], set[Step]]:
    """Quantities that settle steps in turn, and the steps left."""
    left = {
        step: [changes for changes in each if changes is not None] for step, each in steps.items()
    }
    settling: list[Trend] = []
    while left := {step: each for step, each in left.items() if each}:
        trend = _next_way([changes for each in left.values() for changes in each])
        if trend is None:
            break
        settling.append(trend)
        left = {
            step: [c for c in each if not _is_strict(c[trend.quantity])]
            for step, each in left.items()
        }
    return tuple(settling), set(left)


def _next_way(steps: Sequence[Changes]) -> Trend | None:
    """A quantity that steps raise or leave, or that steps lower or leave; a quantity that all steps
    change is preferred."""
    trend: Trend | None = None
    for quantity in steps[0]:
        changes = [step[quantity] for step in steps]
        low, high = min(low for low, _ in changes), max(high for _, high in changes)
        if low > 0 or high < 0:
            return Trend(quantity, low, high)
        if (low == 0 or high == 0) and any(map(_is_strict, changes)):
            trend = trend or Trend(quantity, low, high)
    return trend


def _is_strict(change: Change) -> bool:
    return change[0] > 0 or change[1] < 0


def _holds_numbers(variable: nodes.Variable) -> bool:
    values = variable.domain.values
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _cells(model: Model) -> Iterator[Quantity]:
    for variable in filter(_holds_numbers, model.variables):
        if 1 < variable.size <= MOST_CELLS:
            yield from (Quantity(variable, None, cell=cell) for cell in variable.cells)


def _candidates(model: Model) -> Iterator[Quantity]:
    for variable in model.variables:
        values = variable.domain.values
        if _holds_numbers(variable):
            yield Quantity(variable, None)
        if variable.size > 1 and len(values) <= MOST_VALUES:
            yield from (Quantity(variable, value) for value in values)


def _steps(
    model: Model, moves: Sequence[nodes.Move], quantities: tuple[Quantity, ...]
) -> Iterator[Changes]:
    """The bounds of change of each quantity by each move: by player and by the values of the
    parameters if few."""
    for move in moves:
        for player in model.players:
            for arguments in _arguments(move, len(model.players)):
                changes = _change(model, move, player, quantities, arguments)
                if changes is not None:
                    yield changes


def _arguments(move: nodes.Move, players: int) -> Iterator[Mapping[int, Value]]:
    """The combinations of arguments if few; otherwise a single empty combination."""
    if not 0 < move.size * players <= MOST_ACTIONS:
        yield from ({},) if move.size else ()
        return
    slots = [parameter.slot for parameter in move.parameters]
    for values in product(*(parameter.values.values for parameter in move.parameters)):
        yield dict(zip(slots, values, strict=True))


def _hull(first: Change, second: Change) -> Change:
    return (min(first[0], second[0]), max(first[1], second[1]))


@dataclass(frozen=True, slots=True)
class _Path:
    """The progress of a body: the knowledge, and the present change of each quantity."""

    known: Knowledge
    moment: Moment
    changes: tuple[Change, ...]

    def joined(self, alternative: _Path | None) -> _Path:
        """The join of two alternative paths."""
        if alternative is None:
            return self
        changes = tuple(_hull(a, b) for a, b in zip(self.changes, alternative.changes, strict=True))
        moment = (
            self.moment if self.moment.turn is alternative.moment.turn else _any_turn(self.moment)
        )
        return _Path(self.known.joined(alternative.known), moment, changes)


def _any_turn(moment: Moment) -> Moment:
    return replace(moment, turn=None)


class _Walk:
    """Carries out a body on known facts."""

    def __init__(self, model: Model, quantities: tuple[Quantity, ...]) -> None:
        self.quantities = quantities
        self.terms = Terms(model.board, model.players)
        self.rewriter = Rewriter(self.terms, model.slot_names)
        self.reasoning = Reasoning(self.rewriter)
        self.slot_names = model.slot_names
        self.rounds = 1
        """Rounds of the unrolled loops around the statement, multiplied."""

    def through(
        self, move: nodes.Move, player: Value, arguments: Mapping[int, Value]
    ) -> _Path | None:
        """The path at the end of a body; None if the move is never legal."""
        held = {slot: constant(move.span, value) for slot, value in arguments.items()}
        moment = Moment(turn=constant(move.span, player), locals=held)
        path: _Path | None = _Path(
            Knowledge(self.terms.keys), moment, tuple((0, 0) for _ in self.quantities)
        )
        for parameter in move.parameters:
            kind = scalar_of(parameter.values.values)
            local = nodes.Local(move.span, kind, parameter.name, parameter.slot)
            if parameter.choices is not None:
                member = nodes.Member(move.span, BOOLEAN, local, parameter.choices)
                path = self._assume(member, True, path)
            if parameter.condition is not None:
                path = self._assume(parameter.condition, True, path)
        return self._block(move.body, path)

    def _told(self, node: nodes.Expr, path: _Path) -> nodes.Expr:
        return self.rewriter.before(node, path.moment)

    def _assume(self, node: nodes.Expr, holds: bool, path: _Path | None) -> _Path | None:
        if path is None:
            return None
        known = self.reasoning.assume(self._told(node, path), holds, path.known)
        return None if known is None else replace(path, known=known)

    def _block(self, block: nodes.Block, path: _Path | None) -> _Path | None:
        for statement in block:
            if path is not None:
                path = self._statement(statement, path)
        return path

    def _statement(self, statement: nodes.Statement, path: _Path) -> _Path | None:
        match statement:
            case nodes.Require():
                return self._assume(statement.condition, True, path)
            case nodes.Greatest():
                return path
            case nodes.Let():
                return self._bound(statement.slot, statement.name, statement.value, path)
            case nodes.Put() if statement.place.variable.offset == nodes.TURN:
                value = self._told(statement.value, path)
                known_turn = value if value.known is not None else None
                path = self._forget(path, lambda fact: self.rewriter.footprint(fact.node).turn)
                return replace(path, moment=replace(path.moment, turn=known_turn))
            case nodes.Put():
                return self._put(statement, path)
            case nodes.Branch():
                return self._branch(statement, path)
            case nodes.Loop():
                return self._loop(statement, path)
            case nodes.Reward():
                return path
            case nodes.Chance() | nodes.Ending():
                raise AssertionError("moves without chance alone, and outcomes stand in `end:`")

    # --- locals ----------------------------------------------------------------------------

    def _bound(self, slot: int, name: str, node: nodes.Expr, path: _Path) -> _Path:
        """Bind a local: to its expression if the expression is independent of the state, else to
        its facts."""
        value = self._told(node, path)
        path = self._forget(path, lambda fact: slot in self.rewriter.footprint(fact.node).slots)
        reads = self.rewriter.footprint(value)
        held = {
            bound_slot: told
            for bound_slot, told in path.moment.locals.items()
            if bound_slot != slot
        }
        if not (reads.variables or reads.turn or reads.stuck):
            held[slot] = value
            return replace(path, moment=replace(path.moment, locals=held))
        path = replace(path, moment=replace(path.moment, locals=held))
        if not isinstance(value.type, Scalar):
            return path
        local = nodes.Local(node.span, value.type, name, slot)
        kind = self.reasoning.kind(value, path.known)
        known = path.known
        if not kind.boolean and not kind.unknown:
            known = known.having(local, kind)
        holds = self.rewriter.condition_of_first(value, local)
        if holds is not None:
            known = self.reasoning.assume(holds, True, known) or known
        return replace(path, known=known)

    def _forget(self, path: _Path, is_over: Callable[[Fact], bool]) -> _Path:
        facts = {name: fact for name, fact in path.known.facts.items() if not is_over(fact)}
        return replace(path, known=Knowledge(self.terms.keys, facts))

    # --- writing ---------------------------------------------------------------------------

    def _put(self, statement: nodes.Put, path: _Path) -> _Path | None:
        variable = statement.place.cell_variable
        if variable is None:
            return path
        indices = tuple(self._told(index, path) for index in statement.place.indices)
        if any(
            index.known is not None and domain.position(index.known) is None
            for domain, index in zip(variable.indices, indices, strict=True)
        ):
            return None  # there is no such cell, and the rules fail
        cell = self.terms.cell(statement.span, variable, indices)
        value = self._told(statement.value, path)
        changes = tuple(
            (low + change[0], high + change[1])
            for (low, high), change in zip(
                path.changes, self._changed(cell, value, path.known), strict=True
            )
        )
        holds = self._truth_or_kind(value, path.known)
        offset, known = variable.offset, path.known

        def is_over(fact: Fact) -> bool:
            if offset not in self.rewriter.footprint(fact.node).variables:
                return False
            if not isinstance(fact.node, nodes.Cell):
                return True
            is_inside = any(
                offset in self.rewriter.footprint(index).variables for index in fact.node.indices
            )
            return is_inside or not self.reasoning.are_different(fact.node, cell, known)

        path = replace(self._forget(path, is_over), changes=changes)
        if any(offset in self.rewriter.footprint(index).variables for index in indices):
            return path
        if holds is None:
            return path
        return replace(path, known=path.known.having(cell, holds))

    def _truth_or_kind(self, value: nodes.Expr, known: Knowledge) -> Scalar | bool | None:
        if isinstance(value.type, Scalar) and value.type.boolean:
            return self.reasoning.truth(value, known) if value.type == BOOLEAN else None
        kind = self.reasoning.kind(value, known)
        return None if kind.unknown else kind

    def _changed(self, cell: nodes.Cell, value: nodes.Expr, known: Knowledge) -> Iterator[Change]:
        for quantity in self.quantities:
            if quantity.variable.offset != cell.variable.offset:
                yield (0, 0)
            elif quantity.cell is not None:
                yield self._changed_cell(quantity.cell, value, cell, known)
            elif quantity.value is None:
                yield self._difference(value, cell, known)
            else:
                was = self.reasoning.is_value(cell, quantity.value, known)
                now = self.reasoning.is_value(value, quantity.value, known)
                least, most = (now is True) - (was is not False), (now is not False) - (was is True)
                if self.terms.keys.of(value) == self.terms.keys.of(cell):
                    yield (0, 0)
                elif quantity.is_placed:
                    places = _places(cell)
                    products = [n * place for n in (least, most) for place in places]
                    yield (min(products), max(products))
                else:
                    yield (least, most)

    def _changed_cell(
        self, number: int, value: nodes.Expr, cell: nodes.Cell, known: Knowledge
    ) -> Change:
        """The change of a single cell, which may be the cell that is written, or not."""
        low, high = _places(cell)
        if low == high == number:
            return self._difference(value, cell, known)
        indices = tuple(constant(cell.span, index) for index in cell.variable.indices_of(number))
        there = self.terms.cell(cell.span, cell.variable, indices)
        if self.reasoning.are_different(there, cell, known):
            return (0, 0)
        return _hull((0, 0), self._difference(value, cell, known))

    def _difference(self, value: nodes.Expr, cell: nodes.Cell, known: Knowledge) -> Change:
        """The bounds of the difference between a new number and the old number."""
        relative = self._relative(value, cell, known)
        if relative is not None:
            return relative
        (low, high), (least, most) = (
            self._interval(value, known),
            self._interval(cell, known),
        )
        return (low - most, high - least)

    def _interval(self, node: nodes.Expr, known: Knowledge) -> Change:
        kind = self.reasoning.kind(node, known)
        if kind.unknown or not kind.is_number or kind.rational:
            raise NotToldError("a number without bounds")
        low, high = kind.interval
        return (int(low), int(high))

    def _relative(self, value: nodes.Expr, cell: nodes.Cell, known: Knowledge) -> Change | None:
        """The difference for `old + x` and similar forms."""
        if self.terms.keys.of(value) == self.terms.keys.of(cell):
            return (0, 0)
        match value:
            case nodes.Arithmetic(operator="+" | "-"):
                left = self._relative(value.left, cell, known)
                if left is not None:
                    low, high = self._interval(value.right, known)
                    if value.operator == "-":
                        low, high = -high, -low
                    return (left[0] + low, left[1] + high)
                right = self._relative(value.right, cell, known)
                if right is not None and value.operator == "+":
                    low, high = self._interval(value.left, known)
                    return (right[0] + low, right[1] + high)
            case nodes.Builtin(name="min" | "max", arguments=(nodes.Collection(items=items),)):
                pick = min if value.name == "min" else max
                ends = [self._difference(item, cell, known) for item in items]
                return (pick(low for low, _ in ends), pick(high for _, high in ends))
            case nodes.Conditional():
                hull: Change | None = None
                for holds, side in ((True, value.then), (False, value.otherwise)):
                    inside = self.reasoning.assume(value.condition, holds, known)
                    if inside is not None:
                        difference = self._difference(side, cell, inside)
                        hull = difference if hull is None else _hull(hull, difference)
                return hull
        return None

    # --- branches and loops ----------------------------------------------------------------

    def _branch(self, statement: nodes.Branch, path: _Path) -> _Path | None:
        joined: _Path | None = None
        rest: _Path | None = path
        for condition, block in statement.branches:
            taken = self._block(block, self._assume(condition, True, rest))
            joined = joined if taken is None else taken.joined(joined)
            rest = self._assume(condition, False, rest)
        rest = self._block(statement.otherwise, rest)
        return joined if rest is None else rest.joined(joined)

    def _loop(self, statement: nodes.Loop, path: _Path) -> _Path | None:
        domain = self._told(statement.domain, path)
        known = domain.known
        counted = {quantity.variable.offset for quantity in self.quantities}
        if (
            isinstance(known, tuple)
            and len(known) * self.rounds <= MOST_ROUNDS
            and not counted.isdisjoint(written_in(statement.body))
        ):
            self.rounds *= max(1, len(known))
            after = self._unrolled(statement, known, path)
            self.rounds //= max(1, len(known))
            return after
        return self._repeated(statement, domain, path)

    def _unrolled(
        self, statement: nodes.Loop, values: tuple[Value, ...], path: _Path
    ) -> _Path | None:
        here: _Path | None = path
        ended: _Path | None = None
        for value in values:
            if here is None:
                break
            here = self._bound(
                statement.slot, statement.name, constant(statement.span, value), here
            )
            skipped, taken, stopped = self._round(statement, here)
            if stopped is not None:
                ended = stopped.joined(ended)
            here = taken if skipped is None else skipped.joined(taken)
        return ended if here is None else here.joined(ended)

    def _round(
        self, statement: nodes.Loop, path: _Path
    ) -> tuple[_Path | None, _Path | None, _Path | None]:
        """The paths of a round skipped by `where`, carried out, and ended by `while`."""
        skipped: _Path | None = None
        stopped: _Path | None = None
        taken: _Path | None = path
        if statement.condition is not None:
            skipped = self._assume(statement.condition, False, taken)
            taken = self._assume(statement.condition, True, taken)
        if statement.going is not None:
            stopped = self._assume(statement.going, False, taken)
            taken = self._assume(statement.going, True, taken)
        return skipped, self._block(statement.body, taken), stopped

    def _repeated(self, statement: nodes.Loop, domain: nodes.Expr, path: _Path) -> _Path | None:
        """The path after any number of rounds, judged by a general round."""
        written, slots, sets_turn = _touched(statement)
        if sets_turn:
            path = replace(path, known=Knowledge(self.terms.keys), moment=_any_turn(path.moment))

        def is_over(fact: Fact) -> bool:
            reads = self.rewriter.footprint(fact.node)
            return not (reads.variables.isdisjoint(written) and reads.slots.isdisjoint(slots))

        held = {s: node for s, node in path.moment.locals.items() if s not in slots}
        path = replace(path, moment=replace(path.moment, locals=held))
        path = self._forget(path, is_over)
        element = element_of(domain.type)
        start = replace(path, changes=tuple((0, 0) for _ in self.quantities))
        if isinstance(element, Scalar) and not element.unknown:
            local = nodes.Local(statement.span, element, statement.name, statement.slot)
            start = replace(start, known=start.known.having(local, element))
        _, once, _ = self._round(statement, start)
        if once is None:
            return path
        rounds = size_of(domain.type)
        changes = tuple(
            (low + min(0, rounds * change[0]), high + max(0, rounds * change[1]))
            for (low, high), change in zip(path.changes, once.changes, strict=True)
        )
        return replace(path, changes=changes)


def _places(cell: nodes.Cell) -> tuple[int, int]:
    """The least and the greatest place of a cell among the cells of its array."""
    place = cell.variable.number_of(index.known for index in cell.indices)
    return (0, cell.variable.size - 1) if place is None else (place, place)


def _touched(statement: nodes.Loop) -> tuple[frozenset[int], set[int], bool]:
    """The written variables of a loop, the bound slots, and whether the loop sets the turn."""
    slots = {slot for facts in facts_in((statement,)) for slot in facts.binds}
    return written_in(statement.body), slots, sets_turn(statement.body)
