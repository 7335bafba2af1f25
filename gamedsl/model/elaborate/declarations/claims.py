"""Elaborate `expect` lines: claims become numbers, payoffs, decimals or names of actions."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.statements import outcomes
from gamedsl.model.expectations import Approximate, Claim, Expectation
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.types import TupleType
from gamedsl.source import nearest
from gamedsl.syntax import ast

FACTS = [
    "value",
    "only value",
    "first value",
    "states",
    "terminals",
    "chances",
    "actions",
    "perft",
    "plays",
    "longest",
    "best",
    "progress",
    "plies",
    "infosets",
    "equilibria",
    "histories",
]
"""Facts that `expect` can claim."""
OTHER_NAMES = {
    "draw": "value",
    "endings": "terminals",
    "leaves": "terminals",
    "length": "plies",
    "moves": "actions",
    "nodes": "histories",
    "payoff": "value",
    "payoffs": "value",
    "positions": "states",
    "result": "value",
    "utility": "value",
    "winner": "value",
}
"""Words for a fact that authors try first, and the name of the fact."""
WITH_DEPTH = frozenset({"perft"})
OF_THE_WHOLE_GAME = frozenset({"actions", "infosets"})
ABOUT_ACTIONS = frozenset({"best", "progress"})


def elaborate_expectation(elaborator: Elaborator, written: ast.ExpectDecl) -> Expectation | None:
    """The claim, ready to be verified; None after a reported error."""
    fact = written.fact.text
    reporter = elaborator.reporter
    if fact not in FACTS:
        near = OTHER_NAMES.get(fact) or nearest(fact, FACTS)
        reporter.report(
            "E2301",
            written.fact.span,
            f"nothing called `{fact}` can be expected; the facts are {', '.join(FACTS)}",
            hint=f"did you mean `{near}`?" if near else "as in `expect value: draw`",
        )
        return None
    if (written.number is None) == (fact in WITH_DEPTH):
        message = f"`{fact}` needs a depth" if fact in WITH_DEPTH else f"`{fact}` has no depth"
        reporter.report("E2301", written.span, message, hint="as in `expect perft 4: 3024`")
        return None
    if written.after is not None and fact in OF_THE_WHOLE_GAME:
        message = f"`{fact}` is a fact of the whole game, not of a position"
        reporter.report("E2301", written.span, message, hint="leave `after` out")
        return None
    for name, _ in written.settings:
        if name.text not in elaborator.symbols.params:
            message = f"this game has no parameter `{name.text}` to set"
            hint = f"declare it: `param {name.text} = ...`"
            reporter.report("E1402", name.span, message, hint=hint)
            return None
    inner = _with_players_of(elaborator, written.settings)
    if inner is None:
        return None
    claims = [_claim(inner, fact, claim) for claim in written.claims]
    if any(claim is None for claim in claims):
        return None
    return Expectation(
        written.span,
        fact,
        written.number,
        written.in_turns,
        written.after or "",
        tuple((name.text, elaborator.text(value)) for name, value in written.settings),
        tuple(claim for claim in claims if claim is not None),
        elaborator.text(written),
    )


def _with_players_of(
    elaborator: Elaborator, settings: tuple[tuple[ast.Name, ast.Expression], ...]
) -> Elaborator | None:
    """The elaborator of a claim; None after errors in the rules.

    Where the number of players is a parameter, a claim is about the players of its own settings,
    not about the players of parameters given from outside.
    """
    declared = next(elaborator.symbols.all(ast.PlayersDecl), None)
    if declared is None or declared.count is None:
        return elaborator
    if elaborator.reporter.has_errors:
        return None
    from gamedsl.model.elaborate.declarations.declaration_elaborator import DeclarationElaborator

    symbols = SymbolTable(elaborator.symbols.program, elaborator.reporter)
    inner = type(elaborator)(symbols)
    bound = {name.text: elaborator.text(value) for name, value in settings}
    symbols.start(DeclarationElaborator(inner, bound))
    return inner


def _claim(
    elaborator: Elaborator, fact: str, written: ast.Expression | ast.Outcome
) -> Claim | None:
    if fact in ABOUT_ACTIONS:
        return elaborator.text(written)
    match written:
        case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff():
            outcome = outcomes.outcome(elaborator, written, Scope(RuleContext.CONSTANT))
            return None if outcome is None else _payoffs(elaborator, outcome)
        case ast.Decimal():
            return _approximate(written.text, 1)
        case ast.Unary(operator="-", operand=ast.Decimal() as operand):
            return _approximate(operand.text, -1)
        case ast.Name(text=name) if not elaborator.symbols.knows(name) and _is_draw(name):
            message = f"`{name}` is no outcome; did you mean `draw`?"
            elaborator.reporter.report("E2301", written.span, message)
            return None
    constant = elaborator.constant(written, Scope(RuleContext.CONSTANT))
    if constant is None:
        return None
    if isinstance(constant.type, TupleType) and isinstance(constant.value, tuple):
        numbers = [v for v in constant.value if isinstance(v, int | Fraction)]
        if len(numbers) == len(elaborator.symbols.players):
            return tuple(Fraction(value) for value in numbers)
    elif isinstance(constant.value, int | Fraction) and not isinstance(constant.value, bool):
        return Fraction(constant.value)
    elaborator.reporter.report(
        "E2301",
        written.span,
        f"`{elaborator.text(written)}` is no number and no outcome",
        hint="write `draw`, `X wins`, a number, or one payoff for each player",
    )
    return None


def _is_draw(word: str) -> bool:
    return word in {"tie", "tied", "remis", "stalemate"} or nearest(word, ["draw"]) is not None


def _approximate(text: str, sign: int) -> Approximate:
    digits = len(text.partition(".")[2])
    shown = text if sign > 0 else f"-{text}"
    return Approximate(shown, sign * Fraction(text), Fraction(1, 2 * 10**digits))


def _payoffs(elaborator: Elaborator, outcome: nodes.Outcome) -> Claim | None:
    players = elaborator.symbols.players
    if isinstance(outcome, nodes.Pay):
        values = [part.known for part in outcome.payoffs if part.known is not None]
        return tuple(Fraction(v) for v in values if isinstance(v, int | Fraction))
    amount = outcome.amount
    if outcome.player.known is None or not isinstance(amount, nodes.Const | None):
        return None
    size = 1 if amount is None else amount.value
    if outcome.player.known not in players or not isinstance(size, int | Fraction):
        return None
    return win_payoffs(
        players.index(outcome.player.known), outcome.sign * Fraction(size), len(players)
    )


def win_payoffs(winner: int, amount: Fraction, count: int) -> tuple[Fraction, ...]:
    """The payoffs when player `winner` of one or two players wins `amount` (negative: loses)."""
    return tuple(amount if player == winner else -amount for player in range(count))
