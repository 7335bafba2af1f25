"""Elaborate the number in front of the names of the players: `players n of Ann, Bob, Cid`."""

from __future__ import annotations

from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import describe
from gamedsl.source.plurals import count as counted
from gamedsl.syntax import ast


def elaborate_player_count(
    elaborator: Elaborator, declared: ast.PlayersDecl, count: ast.Expression
) -> int | None:
    """The number of players, from 1 to the number of names; None after a reported error."""
    constant = elaborator.constant(count, Scope(RuleContext.CONSTANT))
    if constant is None:
        return None
    most, number, text = len(declared.names), constant.value, elaborator.text(count)
    if isinstance(number, bool) or not isinstance(number, int):
        elaborator.reporter.report(
            "E1403",
            count.span,
            f"in front of `of` stands how many play, a whole number; this is"
            f" {describe(constant.type)}",
            hint="a number that can be changed is a parameter: `param n = 2`, and"
            f" `players n of {', '.join(name.text for name in declared.names)}`",
        )
        return None
    if not 1 <= number <= most:
        shown = text if text == str(number) else f"{text} = {number}"
        elaborator.reporter.report(
            "E1403",
            count.span,
            f"the line names {counted(most, 'player')}, so from 1 to {most} can play; this is"
            f" {shown}",
            hint="name more players" if number > most else None,
        )
        return None
    return number
