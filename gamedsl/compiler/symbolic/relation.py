"""The moves of a game as changes of sets of states.

In: a generated module. Out: a `Relation`: the set of the states in which play is over, and for
each set of states the set of their successors. A move is split into cases, so that in each case
every bit of the state is set, cleared, inverted, or left alone: no variables are needed for the
state after the move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.layout import WORD, Planes
from gamedsl.compiler.lowering.bodies.dispatch import NEXT
from gamedsl.compiler.state_words import Words
from gamedsl.compiler.symbolic.diagrams import Diagrams, Function, NotOnSetsError
from gamedsl.compiler.symbolic.execution import Execution, Held
from gamedsl.model.model import Model
from gamedsl.model.slicing.boards import on_squares
from gamedsl.source.records import dataclass

MOST_CASES = 20_000
"""Greatest number of cases of all moves."""

Bit = tuple[int, int]
"""The number of a word, and of a bit in the word."""
Effects = tuple[tuple[int, bool | None], ...]
"""The variables that change: set, cleared, or (None) inverted."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A case of the moves: the states before, and the effects."""

    before: Function
    touched: Function
    after: Function
    inversion: object


class Relation:
    """The moves of a game whose state is known to everybody, without chance or past.

    Attributes:
        over: the states in which play is over.
        failing: the states in which the rules fail: a guard fails, or the player to move is stuck.
    """

    def __init__(self, generated: Generated, model: Model, most_bytes: int) -> None:
        """Raises NotOnSetsError, MemoryError."""
        self._bits = _variables(generated, model)
        self._diagrams = diagrams = Diagrams(len(self._bits), most_bytes)
        self._number = {bit: number for number, bit in enumerate(self._bits)}
        self._limbs = generated.layout.limbs
        self._run = Execution(diagrams, generated.module())
        numbers = self._run.numbers
        self._words = [self._word(number) for number in range(len(self._limbs))]
        over = self._run.call("end_after", self._words) or [numbers.constant(0)]
        self.over = ~numbers.is_equal(over[0], numbers.constant(0))
        in_end, self._run.faults = self._run.faults, diagrams.false
        self._alone = self._exclusive(generated)
        can_move, self._cases = self._moves()
        self.failing = in_end | (~self.over & (self._run.faults | ~can_move))

    def only(self, words: Words) -> Function:
        """The set of one state."""
        held = {n: bool(words[word] >> bit & 1) for n, (word, bit) in enumerate(self._bits)}
        return self._diagrams.product(held)

    def count(self, states: Function) -> int:
        """The number of states of a set."""
        return self._diagrams.count(states)

    def example(self, states: Function) -> Words:
        """A state of a set that is not empty."""
        words = [0] * len(self._limbs)
        for (word, bit), is_set in zip(self._bits, self._diagrams.example(states), strict=True):
            words[word] |= is_set << bit
        return tuple(words)

    def is_empty(self, states: Function) -> bool:
        """Whether a set is empty."""
        return bool(states == self._diagrams.false)

    def after(self, states: Function) -> Iterator[Function]:
        """Sets of successors of the states, case by case."""
        for case in self._cases:
            touched = self._diagrams.without(states, case.before, case.touched)
            if case.inversion is not None:
                touched = touched.substitute(case.inversion)
            yield touched & case.after

    def union(self, sets: Sequence[Function]) -> Function:
        """The union of sets of states; nodes that are no longer in use are given up."""
        return self._diagrams.union(sets)

    def forget(self) -> None:
        """Give up the nodes of sets that are no longer in use."""
        self._diagrams.forget()

    def _word(self, number: int) -> Held:
        """A word of the state, as a number that depends on the variables."""
        places = ((number, place) for place in range(self._limbs[number] * WORD))
        known = (self._number.get(place) for place in places)
        variables, none = self._diagrams.variables, self._diagrams.false
        bits = [none if variable is None else variables[variable] for variable in known]
        return self._run.numbers.shortened((*bits, none))

    def _moves(self) -> tuple[Function, list[_Case]]:
        """The states in which a player can move, and the cases of the moves."""
        numbers = self._run.numbers
        counter = numbers.constant(0) if _is_asked(self._run.module) else None
        self._run.call("legal", [*self._words, None, counter])
        legal: dict[int, Function] = {}
        for condition, action in self._run.stored:
            legal[action] = legal.get(action, self._diagrams.false) | condition
        states: dict[Effects, Function] = {}
        for action, where in legal.items():
            words = self._run.call("apply", [*self._words, numbers.constant(action)], where)
            for effects, part in self._split(where, words) if words else ():
                states[effects] = states.get(effects, self._diagrams.false) | part
            if len(states) > MOST_CASES:
                raise NotOnSetsError("moves with so many effects")
        cases = [self._case(effects, where) for effects, where in states.items()]
        return self._diagrams.union(legal.values()), cases

    def _split(self, where: Function, words: Sequence[Held]) -> Iterator[tuple[Effects, Function]]:
        """The cases of an action that is legal in the states `where`, given the words after it."""
        cases: list[tuple[Effects, Function]] = [((), where)]
        for number, (word, place) in enumerate(self._bits):
            bits = words[word]
            assert isinstance(bits, tuple)
            after, before = bits[min(place, len(bits) - 1)], self._diagrams.variables[number]
            if where & (after ^ before) == self._diagrams.false:
                continue
            cases = [
                ((*effects, *effect), part)
                for effects, states in cases
                for effect, part in self._effects(number, states & self._alone[number], after)
            ]
            if len(cases) > MOST_CASES:
                raise NotOnSetsError("a move with so many effects")
        return iter(cases)

    def _effects(
        self, number: int, states: Function, after: Function
    ) -> Iterator[tuple[Effects, Function]]:
        """The effects on a variable, each with the states."""
        none = self._diagrams.false
        changed = states & (after ^ self._diagrams.variables[number])
        if states == none:
            return
        if changed == none:
            yield (), states
        elif states & ~after == none:
            yield ((number, True),), states
        elif states & after == none:
            yield ((number, False),), states
        elif changed == states:
            yield ((number, None),), states
        else:
            yield from self._effects(number, changed, after)
            yield (), states & ~changed

    def _case(self, effects: Effects, before: Function) -> _Case:
        after = {number: is_set for number, is_set in effects if is_set is not None}
        inverted = [number for number, is_set in effects if is_set is None]
        touched = self._diagrams.product(dict.fromkeys(after, True))
        inversion = self._diagrams.inversion(inverted) if inverted else None
        return _Case(before, touched, self._diagrams.product(after), inversion)

    def _exclusive(self, generated: Generated) -> list[Function]:
        """For each variable, the states in which the square of the variable has one value."""
        layout, diagrams = generated.layout, self._diagrams
        alone = [diagrams.true] * len(self._bits)
        for place in layout.places:
            if isinstance(place, Planes):
                fields = [layout.field(name) for _, name in place.names]
                for square in range(place.variable.size):
                    numbers = [self._number[field.word, field.shift + square] for field in fields]
                    none = diagrams.product(dict.fromkeys(numbers, False))
                    values = (dict.fromkeys(numbers, False) | {n: True} for n in numbers)
                    exclusive = diagrams.union([none, *map(diagrams.product, values)])
                    for number in numbers:
                        alone[number] = exclusive
        return alone


def _is_asked(module: ir.Module) -> bool:
    """Whether the functions of the legal actions ask how many actions are written down."""
    return any(
        isinstance(statement, ir.If | ir.While) and NEXT.name in statement.test.names
        for title, function in module.functions.items()
        if title.startswith("legal_")
        for statement in ir.walk(function.body)
    )


def _variables(generated: Generated, model: Model) -> list[Bit]:
    """The bits of a state in the order of the variables: bits of numbers first, then square by
    square along the shorter side of the board, the bits of a square side by side."""
    layout = generated.layout
    planes = {
        name: place.variable.size
        for place in layout.places
        if isinstance(place, Planes)
        for _, name in place.names
    }
    bits = [
        (field.word, field.shift + bit)
        for field in layout.fields
        if field.name not in planes
        for bit in reversed(range(field.bits))
    ]
    board = [layout.field(name) for name in planes]
    return bits + [
        (field.word, field.shift + square) for square in _in_order(model) for field in board
    ]


def _in_order(model: Model) -> list[int]:
    """The numbers of the squares, along the shorter sides of the board."""
    board = on_squares(model).board
    if board is None:
        return []
    places = board.places or [board.coordinates.get(square, ()) for square in board.squares]
    sizes = [len(set(side)) for side in zip(*places, strict=True)]
    sides = sorted(range(len(sizes)), key=lambda side: -sizes[side])
    return sorted(range(len(places)), key=lambda n: [places[n][side] for side in sides])
