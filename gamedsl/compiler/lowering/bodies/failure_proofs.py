"""Proofs that a failure on the way through a body is impossible, instance by instance.

Parameters, players to move and rounds of loops are finite. Conditions on the way to the failure
are evaluated for each combination without a state: `and` and `or` are decided by the operands
that are known, and a cell that a condition compares with a value holds the value. A combination
with a false condition cannot fail; a failure without a possible combination is no risk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gamedsl.compiler.lowering.bodies.failure_paths import Way
from gamedsl.model import nodes
from gamedsl.model.builtins import Setting
from gamedsl.model.nodes.likeness import Keys
from gamedsl.model.operations import OperationError, as_collection
from gamedsl.model.semantics.evaluate import (
    Evaluation,
    Evaluator,
    Meaning,
    NotKnownError,
    place_of,
)
from gamedsl.model.values import Atom, Value
from gamedsl.model.walk import within
from gamedsl.source.records import dataclass

MOST_TRIES = 4096

"""Limit on the (partial) combinations tried for a failure; beyond the limit the failure counts as
possible."""

Variable = nodes.Parameter | nodes.Ranging


class Proofs:
    """The proofs for one move.

    `bound`: the values of locals by slot, in terms of parameters, loops and the player to move of
    the head.
    """

    def __init__(
        self,
        setting: Setting,
        parameters: Sequence[nodes.Parameter],
        bound: Mapping[int, nodes.Expr],
    ) -> None:
        self._players = setting.players
        self._parameters = parameters
        self._bound = bound
        self._evaluator = PartialEvaluator(setting)
        self._keys, self._known = Keys(), dict[tuple[int, ...], bool]()
        self._tries = 0

    def may_happen(self, way: Way) -> bool:
        """Whether a failure is possible; False is proved."""
        conditions = (*way.later, *way.asked, *way.held)
        key = tuple(map(self._keys.of, conditions))
        if key not in self._known:
            self._tries, read = 0, self._read(conditions[:1])
            variables: list[Variable] = [*self._parameters, *way.loops]
            variables.sort(key=lambda variable: variable.slot not in read)
            self._known[key] = any(
                self._may_happen(way, turn, {}, variables) for turn in self._players
            )
        return self._known[key]

    def _read(self, conditions: Sequence[nodes.Expr]) -> set[int]:
        """The locals that conditions depend on."""
        read: set[int] = set()
        pending = list(conditions)
        while pending:
            for node in within(pending.pop()):
                if node.local is not None and node.local not in read:
                    read.add(node.local)
                    pending += [self._bound[node.local]] if node.local in self._bound else []
        return read

    def _may_happen(
        self, way: Way, turn: Atom, known: dict[int, Value], rest: Sequence[Variable]
    ) -> bool:
        self._tries += 1
        if self._tries > MOST_TRIES:
            return True
        names = _Names(self._evaluator, turn, known, self._bound)
        if any(holds is False for holds in self._evaluator.verdicts(way, names)):
            return False
        if not rest:
            return True
        variable, rest = rest[0], rest[1:]
        values = self._values_of(variable, names)
        if values is None:
            return self._may_happen(way, turn, known, rest)
        return any(
            self._may_happen(way, turn, {**known, variable.slot: value}, rest) for value in values
        )

    def _values_of(self, variable: Variable, names: _Names) -> Sequence[Value] | None:
        """The values of a variable, perhaps with others; None if unknown."""
        if isinstance(variable, nodes.Parameter):
            return variable.values.values
        self._evaluator.forget()
        try:
            return as_collection(self._evaluator.value(variable.domain, names))
        except (NotKnownError, OperationError):
            return None


class PartialEvaluator(Evaluator):
    """Evaluates conditions of which some parts are unknown."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._digits: dict[tuple[int, int], int] = {}

    def forget(self) -> None:
        """Forget the values of cells."""
        self._digits.clear()

    def verdicts(self, way: Way, names: _Names) -> Iterator[bool | None]:
        """Whether the conditions of a way hold, one after the other; None if unknown."""
        self.forget()
        for condition in way.later:
            yield self._verdict(condition, names)
        for condition in (*way.asked, *way.held):
            yield self._verdict(condition, names)
            self._note(condition, names)

    def _verdict(self, condition: nodes.Expr, names: _Names) -> bool | None:
        try:
            return self.value(condition, names) is True
        except (NotKnownError, OperationError):
            return None

    def _note(self, condition: nodes.Expr, names: _Names) -> None:
        """Keep the value of the cell that a condition compares with a value."""
        match condition:
            case nodes.Compare(operator="==", left=nodes.Cell() as cell, right=side):
                pass
            case nodes.Compare(operator="==", left=side, right=nodes.Cell() as cell):
                pass
            case _:
                return
        try:
            place = place_of(cell.variable, [self.value(index, names) for index in cell.indices])
            digit = cell.variable.domain.position(self.value(side, names))
        except (NotKnownError, OperationError):
            return
        if place is not None and digit is not None:
            self._digits[cell.variable.offset, place] = digit

    def read(self, node: nodes.Reading) -> Meaning:
        """A cell whose value is noted, or that lies off the board, is known, too."""
        if not isinstance(node, nodes.Cell) or node.variable.is_constant:
            return super().read(node)
        return self.held(node, lambda variable, place: self._digits.get((variable.offset, place)))

    def _logic(self, node: nodes.Logic) -> Meaning:
        operands = tuple(self.meaning(operand) for operand in node.operands)
        settles = node.operator == "or"

        def value(now: Evaluation) -> Value:
            is_known, outer = True, now.locals
            for operand in operands:
                try:
                    if operand(now) is settles:
                        return settles
                except NotKnownError:
                    is_known, now.locals = False, outer
            if not is_known:
                raise NotKnownError
            return not settles

        return value


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a combination."""

    evaluator: Evaluator
    player: Atom
    known: Mapping[int, Value]
    bound: Mapping[int, nodes.Expr]

    def local(self, slot: int) -> Value:
        if slot in self.known:
            return self.known[slot]
        if slot in self.bound:
            return self.evaluator.value(self.bound[slot], self)
        raise NotKnownError

    def mover(self, word: nodes.MoverWord) -> Value:
        if word == "me":
            raise NotKnownError
        return self.player
