"""Elaborate payoffs whose players are expressions: `payoff turn: 1, next(turn): 0`.

The result has a payoff for every player, and a flag whether the named players are provably all
players without repetition. If the form does not prove this, the check is made in play.
"""

from __future__ import annotations

from functools import reduce

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import BOOLEAN, UNKNOWN, Scalar, describe, join, type_of
from gamedsl.model.values import Atom
from gamedsl.syntax import ast

PAYOFF = "a payoff is a number"
Place = tuple[str, int]
"""An expression for a player, and the number of places behind that player in turn order."""


def named_payoffs(elaborator: Elaborator, written: ast.Payoff, scope: Scope) -> nodes.Pay | None:
    """The payoffs, chosen for each player by comparison."""
    players = elaborator.symbols.players
    keys = [_player(elaborator, key, scope) for key, _ in written.entries]
    amounts = [elaborator.number(amount, scope, PAYOFF) for _, amount in written.entries]
    if len(keys) != len(players):
        elaborator.wrong(
            "E2101",
            written.span,
            f"`payoff` must name every player once; this names {len(keys)} of {len(players)}",
            hint="for one rule for all write `payoff p: ...`",
        )
        return None
    known_keys = [key for key in keys if key is not None]
    if len(known_keys) < len(keys) or any(amount.type == UNKNOWN for amount in amounts):
        return None
    pairs = tuple(zip(known_keys, amounts, strict=True))
    places = [
        _place(elaborator, text, key)
        for (text, _), key in zip(written.entries, known_keys, strict=True)
    ]
    if len(set(places)) < len(places):
        twice = next(n for n, place in enumerate(places) if place in places[:n])
        key = written.entries[twice][0]
        elaborator.wrong("E2101", key.span, f"`{elaborator.text(key)}` has two payoffs")
        return None
    is_proved = len({who for who, _ in places}) == 1 and all(map(_is_surely_player, known_keys))
    payoffs = tuple(_of(player, pairs) for player in players)
    return nodes.Pay(written.span, payoffs, pairs, is_proved)


def _player(elaborator: Elaborator, written: ast.Expression, scope: Scope) -> nodes.Expr | None:
    node = elaborator.expression(written, scope)
    if node.type == UNKNOWN:
        return None
    if not (isinstance(node.type, Scalar) and node.type.is_player):
        message = f"`payoff` needs players; this is {describe(node.type)}"
        elaborator.wrong("E1101", written.span, message)
        return None
    return node


def _place(elaborator: Elaborator, written: ast.Expression, key: nodes.Expr) -> Place:
    """A player as the player of an expression and a number of places behind."""
    players = elaborator.symbols.players
    if isinstance(key, nodes.Const) and key.value in players:
        return players[0].name, players.index(key.value)
    steps = 0
    while isinstance(written, ast.Call) and written.function.text in {"next", "other"}:
        written, steps = written.arguments[0], steps + 1
    if isinstance(written, ast.Name) and written.text == "opponent":
        return "turn", (steps + 1) % len(players)
    return elaborator.text(written), steps % len(players)


def _is_surely_player(key: nodes.Expr) -> bool:
    return isinstance(key.type, Scalar) and key.type.kinds == {"player"}


def _of(player: Atom, pairs: tuple[tuple[nodes.Expr, nodes.Expr], ...]) -> nodes.Expr:
    """The payoff of a player: the amount beside the equal key."""

    def choose(rest: nodes.Expr, pair: tuple[nodes.Expr, nodes.Expr]) -> nodes.Expr:
        key, amount = pair
        who = nodes.Const(key.span, type_of(player), player)
        test = nodes.Compare(key.span, BOOLEAN, "==", key, who)
        return nodes.Conditional(amount.span, join(amount.type, rest.type), test, amount, rest)

    return reduce(choose, reversed(pairs[:-1]), pairs[-1][1])
