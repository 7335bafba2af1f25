"""Equal numbers that one player wins: comparisons in `end:` that forget that both may be equal.

In: the comparisons of one player with another, and how each came out where play ended. Out: a note.
`Ann if card[Ann] > card[Bob] else Bob` says that Bob wins with the same card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from gamedsl.game.game import LoadedGame
from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.model import nodes
from gamedsl.model.engine import Payoffs
from gamedsl.model.nodes.likeness import key
from gamedsl.model.values import Atom, Value
from gamedsl.model.walk import expressions_of, parts, statements, with_parts
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.records import dataclass

FEWEST_TIES = 3
"""Endings with equal numbers from which on it tells something that one player won all of them."""


@dataclass(slots=True)
class Ties:
    """The comparisons of one game, and who has won where both sides were equal.

    Attributes:
        winners: by comparison, how often each player was ahead of all others alone; None: nobody.
    """

    game: LoadedGame
    comparisons: dict[int, nodes.Compare] = field(init=False)
    winners: dict[int, Counter[int | None]] = field(default_factory=dict)
    _equal: set[int] = field(default_factory=set)
    _sides: set[int] = field(init=False)
    _values: dict[int, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        model = self.game.model
        self.comparisons = {id(one): one for one in _comparisons(model.end, model.players)}
        self._sides = {id(x) for one in self.comparisons.values() for x in (one.left, one.right)}

    def watched(self, node: nodes.Expr, found: Meaning) -> Meaning:
        """The meaning of an expression; of a side of a comparison the value is kept, and of a
        comparison it is noted that both sides were equal."""
        values, number = self._values, id(node)
        if number in self._sides:

            def side(env: Environment) -> Value:
                value = values[number] = found(env)
                return value

            return side
        comparison = self.comparisons.get(number)
        if comparison is None:
            return found
        left, right = id(comparison.left), id(comparison.right)

        def compare(env: Environment) -> Value:
            value = found(env)
            if values[left] == values[right]:
                self._equal.add(number)
            return value

        return compare

    def begin(self) -> None:
        """Outcomes are asked for from here on."""
        self._equal.clear()

    def end(self, payoffs: Payoffs) -> None:
        """This is what play ended with."""
        best = max(payoffs)
        winner = payoffs.index(best) if payoffs.count(best) == 1 else None
        for one in self._equal:
            self.winners.setdefault(one, Counter())[winner] += 1

    def found(self, extent: str) -> Iterator[Diagnostic]:
        """A note of each comparison whose equal sides are one player's every time."""
        for number, winners in self.winners.items():
            (winner, times), *others = winners.items()
            if others or winner is None or times < FEWEST_TIES:
                continue
            name = self.game.model.players[winner].name
            yield Diagnostic(
                "W3115",
                f"both sides were equal {times:,} times, and `{name}` won, in {extent}",
                Label(self.comparisons[number].span),
                self.game.source,
                severity=Severity.NOTE,
                hint="if that is a draw, give each player a line of his own, and `draw` below",
            )


def _comparisons(end: nodes.Block, players: tuple[Atom, ...]) -> Iterator[nodes.Compare]:
    """Which is greater, of the same number of two players?"""
    for statement in statements(end):
        for expression in expressions_of(statement):
            pending = [expression]
            while pending:
                node = pending.pop()
                pending += parts(node)
                if isinstance(node, nodes.Compare) and node.operator in {"<", ">"}:
                    left, right = (_of_anybody(one, players) for one in (node.left, node.right))
                    if key(left) == key(right) and key(node.left) != key(node.right):
                        yield node


def _of_anybody(node: nodes.Expr, players: tuple[Atom, ...]) -> nodes.Expr:
    """An expression in which all players are one."""
    match node:
        case nodes.Builtin(name="other", arguments=(player,)):
            return _of_anybody(player, players)
        case nodes.Const(value=Atom() as value) if value in players:
            return nodes.Turn(node.span, node.type)
    return with_parts(node, lambda part: _of_anybody(part, players))
