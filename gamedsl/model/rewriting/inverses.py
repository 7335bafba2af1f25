"""Take moves back: what a move overwrote, told by the state after it.

In: a move. Out: for every cell that it writes an expression for what stood there, and who moved;
or `Unknown`, naming the cell that is not pinned. A state that is restored comes before the given
one only if the move is legal there and leads back: that is asked of the rules themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.nodes.likeness import key
from gamedsl.model.rewriting.effects import Effect, effect_of
from gamedsl.model.rewriting.knowledge import Knowledge, Reasoning
from gamedsl.model.rewriting.moments import Moment, NotToldError, Unknown, Write
from gamedsl.model.rewriting.pins import conjuncts
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Inverse:
    """How a move is taken back.

    Attributes:
        restored: cells to write, with values told by the state after the move, in which it is the
            mover's turn again. Parameters of the move and the slots of its bindings are free.
        movers: who moved, by who is to move afterwards.
    """

    effect: Effect
    restored: tuple[Write, ...]
    movers: Mapping[Value, Value]


def inverse_of(model: Model, move: nodes.Move) -> Inverse | Unknown:
    """The inverse of a move."""
    effect = effect_of(model, move)
    if isinstance(effect, Unknown):
        return effect
    inversion = _Inversion(model, effect)
    try:
        restored = tuple(inversion.restored(n) for n in range(len(effect.writes)))
        return Inverse(effect, restored, inversion.movers())
    except NotToldError as error:
        return Unknown(str(error))


class _Inversion:
    """Inverts one effect."""

    def __init__(self, model: Model, effect: Effect) -> None:
        self.model = model
        self.effect = effect
        self.terms = Terms(model.board, model.players)
        self.rewriter = Rewriter(self.terms, effect.slot_names)
        self.reasoning = Reasoning(self.rewriter)
        plain = {slot: node for slot, node in effect.bindings if self._is_plain(node)}
        self.moment = Moment(locals=plain)
        needs = (one for need in effect.needs for one in conjuncts(need, self.rewriter.opened))
        self.needs = [self.rewriter.before(one, self.moment) for one in needs]

    def _is_plain(self, node: nodes.Expr) -> bool:
        """Whether the cells have no part in an expression."""
        reads = self.rewriter.footprint(node)
        return not reads.variables and not reads.stuck

    def _cell(self, write: Write) -> nodes.Cell:
        """The cell that is written, told by parameters and by bindings that read cells."""
        indices = tuple(self.rewriter.before(index, self.moment) for index in write.indices)
        if not all(self._is_plain(index) for index in indices):
            raise NotToldError(f"which cell of `{write.variable.name}` is written is not told")
        return self.terms.cell(write.value.span, write.variable, indices)

    def restored(self, number: int) -> Write:
        """What stood where the write with this number went."""
        write = self.effect.writes[number]
        name = write.variable.name
        if not is_known(write.guard, True):
            raise NotToldError(f"whether `{name}` is written depends on the state")
        cell = self._cell(write)
        value = self._pinned(write, cell) or self._moved(cell) or self._undone(write, cell)
        if value is None:
            raise NotToldError(f"what `{name}` held before is not pinned by a `require`")
        return replace(write, indices=cell.indices, value=value)

    def _pinned(self, write: Write, cell: nodes.Cell) -> nodes.Expr | None:
        """A value that a `require` names."""
        written = self.terms.cell(write.value.span, write.variable, write.indices)
        kind = self.effect.after.pins.get(key(written))
        values = kind.enumerate() if isinstance(kind, Scalar) and kind.size == 1 else None
        if values:
            return constant(write.value.span, values[0])
        for need in self.needs:
            if isinstance(need, nodes.Compare) and need.operator == "==":
                for one, other in ((need.left, need.right), (need.right, need.left)):
                    if key(one) == key(cell) and self._is_plain(other):
                        return other
        return None

    def _moved(self, cell: nodes.Cell) -> nodes.Expr | None:
        """A value that was written to another cell, which holds it still."""
        writes = self.effect.writes
        for n, write in enumerate(writes):
            value = self.rewriter.before(write.value, self.moment)
            if key(value) != key(cell):
                continue
            goal = self._cell(write)
            later = (self._cell(one) for one in writes[n + 1 :])
            if all(self.reasoning.are_different(goal, one, Knowledge()) for one in later):
                return goal
        return None

    def _undone(self, write: Write, cell: nodes.Cell) -> nodes.Expr | None:
        """`old + x` and `old - x`, if nothing else is written to the array."""
        same = [w for w in self.effect.writes if w.variable.offset == write.variable.offset]
        value = self.rewriter.before(write.value, self.moment)
        match value:
            case nodes.Arithmetic(operator="+" | "-", left=left, right=right) if len(same) == 1:
                if key(left) == key(cell) and self._is_plain(right):
                    opposite = "-" if value.operator == "+" else "+"
                    return replace(value, operator=opposite)
        return None

    def movers(self) -> dict[Value, Value]:
        """Who moved, by who is to move afterwards."""
        found: dict[Value, Value] = {}
        turn = self.effect.after.turn
        assert turn is not None
        for player in self.model.players:
            moment = Moment(turn=constant(turn.span, player))
            after = self.rewriter.before(turn, moment)
            if not isinstance(after, nodes.Const) or after.value in found:
                raise NotToldError("who moved is not told by who is to move")
            found[after.value] = player
        return found
