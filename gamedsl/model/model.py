"""The checked rules of a game, frozen and complete: the input of all later stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.expectations import Expectation
from gamedsl.model.facts import Facts
from gamedsl.model.limits import CALL_AS_ROUNDS, MOST_ROUNDS
from gamedsl.model.nodes.looks import Looks
from gamedsl.model.values import Atom, Value
from gamedsl.source import SourceFile
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.model.nodes.tree import Tree


@dataclass(frozen=True, slots=True)
class Model:
    """A game with every name resolved, its parameters bound.

    Attributes:
        players: in turn order.
        parameters: name and value of each `param`, in order.
        atoms: every named value of the game by name, squares and players included.
        moves: in order of declaration; `groups` are the same moves between `otherwise` lines.
        end: the statements of `end:`.
        endless: the outcome of play that never ends, if declared.
        slot_names: the local names; a slot is a position in this tuple.
        max_rounds: limit on the loop rounds of a body, as checked.
        changed: names of the parameters whose value differs from the file's.
        looks: drawing hints, without effect on the rules.
        tree: the explicit game tree; a game with a tree has no variables and no moves.
        left_out: of a slice (`model.slicing`), the names of the left-out variables and draws.
    """

    source: SourceFile
    title: str
    players: tuple[Atom, ...]
    parameters: tuple[tuple[str, Value], ...]
    board: Board | None
    atoms: dict[str, Atom]
    variables: tuple[nodes.Variable, ...]
    setup: nodes.Block
    moves: tuple[nodes.Move, ...]
    end: nodes.Block
    endless: nodes.Outcome | None
    repeats: tuple[nodes.Repeat, ...]
    evaluation: nodes.Evaluation | None
    tree: Tree | None
    expectations: tuple[Expectation, ...]
    slot_names: tuple[str, ...]
    facts: Facts
    max_rounds: int = MOST_ROUNDS
    looks: Looks = Looks()
    changed: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    @property
    def most_calls(self) -> int:
        """Recursive calls of `def`s that a call may lead to."""
        return max(1, self.max_rounds // CALL_AS_ROUNDS)

    @property
    def groups(self) -> tuple[tuple[nodes.Move, ...], ...]:
        """The moves between `otherwise` lines, first group first."""
        count = max((move.group for move in self.moves), default=-1) + 1
        return tuple(
            tuple(move for move in self.moves if move.group == number) for number in range(count)
        )
