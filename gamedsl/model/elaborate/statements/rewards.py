"""Elaborate rewards: `reward A: e, B: e` in bodies, and the declaration `discount = e`."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.statements.outcomes import looks_like_a_player
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import UNKNOWN, describe, type_of
from gamedsl.model.values import text_of
from gamedsl.syntax import ast

REWARD = "a reward is a number"


def reward(elaborator: Elaborator, written: ast.Reward, scope: Scope) -> nodes.Reward | None:
    """`reward A: e, B: e`, or `reward p: e` for every player p."""
    if not elaborator.symbols.players:
        return None  # the missing players have been reported
    (name, amount), *rest = written.shares
    if not rest and isinstance(name, ast.Name) and _stands_for_all(elaborator, name, scope):
        return nodes.Reward(written.span, _for_all(elaborator, name, amount, scope))
    shares = tuple(_share(elaborator, player, e, scope) for player, e in written.shares)
    known = tuple(share for share in shares if share is not None)
    return nodes.Reward(written.span, known) if len(known) == len(shares) else None


def _stands_for_all(elaborator: Elaborator, name: ast.Name, scope: Scope) -> bool:
    """Whether an unknown name stands for every player."""
    text = name.text
    if text in KEYWORDS or text in elaborator.reporter.broken or scope.find(text) is not None:
        return False
    return not elaborator.symbols.knows(text) and not looks_like_a_player(elaborator, text)


def _for_all(
    elaborator: Elaborator, name: ast.Name, amount: ast.Expression, scope: Scope
) -> tuple[tuple[nodes.Expr, nodes.Expr], ...]:
    shares = []
    for player in elaborator.symbols.players:
        receiver = nodes.Const(name.span, type_of(player), player)
        inner = scope.having(name.text, receiver)
        shares.append((receiver, elaborator.number(amount, inner, REWARD)))
    return tuple(shares)


def _share(
    elaborator: Elaborator, written: ast.Expression, amount: ast.Expression, scope: Scope
) -> tuple[nodes.Expr, nodes.Expr] | None:
    player = elaborator.expression(written, scope)
    number = elaborator.number(amount, scope, REWARD)
    if player.type == UNKNOWN or number.type == UNKNOWN:
        return None
    if not player.type.is_player:
        elaborator.wrong(
            "E1101",
            written.span,
            f"a reward goes to a player; this is {describe(player.type)}",
            hint="write whose it is in front of `:`, as in `reward turn: 1`",
        )
        return None
    return player, number


def discount(elaborator: Elaborator, written: ast.DiscountDecl) -> Fraction:
    """The discount factor of a payoff per ply; 1 after a reported error."""
    constant = elaborator.constant(written.value, Scope(RuleContext.CONSTANT))
    if constant is None:
        return Fraction(1)
    value = constant.value
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        message = f"a discount is a number; this is {describe(constant.type)}"
        elaborator.reporter.report("E1101", written.value.span, message)
        return Fraction(1)
    if not 0 < value <= 1:
        elaborator.reporter.report(
            "E1205",
            written.value.span,
            f"a discount is greater than 0 and at most 1; this is {text_of(value)}",
            hint="`discount = 9/10` makes what comes a ply later count nine tenths",
        )
        return Fraction(1)
    return Fraction(value)
