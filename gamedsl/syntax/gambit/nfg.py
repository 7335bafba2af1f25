"""Reader of Gambit's strategic games, as trees: the players choose in turn, without seeing the
choices of the others.

In: a reader behind the word `NFG`. Out: a `GambitGame`, or GambitError. Payoffs are listed with the
first player's strategy changing fastest, as numbers, or as outcomes listed before.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod

from gamedsl.source import Span
from gamedsl.source.plurals import count
from gamedsl.syntax.gambit.efg import names_in_braces
from gamedsl.syntax.gambit.scan import Kind, Reader, told
from gamedsl.syntax.gambit.tree import GambitGame, GambitNode

MOST_PROFILES = 100_000
Amounts = tuple[Fraction, ...]


def read_nfg(reader: Reader) -> GambitGame:
    """The game of a strategic form, behind the words of the first line."""
    title = reader.expect(Kind.TEXT, "the title of the game").text
    opening = reader.next
    players = names_in_braces(reader, "the players' names")
    if not players:
        reader.refuse("a game has at least one player", opening)
    strategies = _strategies(reader, len(players))
    if reader.next.kind is Kind.TEXT:
        reader.take()
    sizes = tuple(map(len, strategies))
    if prod(sizes) > MOST_PROFILES:
        message = f"strategies can be combined in {prod(sizes):,} ways; at most {MOST_PROFILES:,}"
        reader.refuse(message, opening)
    at = reader.next.span
    paid = _outcomes(reader, len(players)) if reader.next.kind is Kind.OPEN else _numbers(reader)
    cells = [paid(len(players)) for _ in range(prod(sizes))]
    if reader.next.kind is not Kind.END:
        message = f"all {prod(sizes)} cells are filled, and this stands behind them"
        reader.refuse(f"{message}: {told(reader.next)}", reader.next)
    root = _tree(strategies, cells, at, 0, 0, 1)
    return GambitGame(title, players, opening.span, root, {})


def _strategies(reader: Reader, players: int) -> tuple[tuple[str, ...], ...]:
    """`{ 2 3 }`, or `{ { "up" "down" } { ... } }`."""
    opening = reader.expect(Kind.OPEN, "the numbers of strategies, or their names")
    strategies: list[tuple[str, ...]] = []
    while reader.next.kind is not Kind.CLOSE:
        if reader.next.kind is Kind.OPEN:
            strategies.append(names_in_braces(reader, "the names of strategies"))
            continue
        number = reader.whole("the number of a player's strategies", 1)
        if number.number > MOST_PROFILES:
            reader.refuse(f"a player has at most {MOST_PROFILES:,} strategies", number)
        strategies.append(tuple(str(n + 1) for n in range(int(number.number))))
    reader.take()
    if len(strategies) != players or not all(strategies):
        message = (
            f"strategies of {count(players, 'player')} are expected; there are {len(strategies)}"
        )
        reader.refuse(message, opening)
    return tuple(strategies)


def _numbers(reader: Reader) -> Callable[[int], Amounts]:
    def cell(players: int) -> Amounts:
        return tuple(reader.expect(Kind.NUMBER, "a payoff").number for _ in range(players))

    return cell


def _outcomes(reader: Reader, players: int) -> Callable[[int], Amounts]:
    """`{ { "name" 1, 2 } ... }`, then a number for each cell; 0 stands for no payoffs."""
    known: list[Amounts] = [(Fraction(0),) * players]
    reader.take()
    while reader.next.kind is not Kind.CLOSE:
        opening = reader.expect(Kind.OPEN, "an outcome")
        if reader.next.kind is Kind.TEXT:
            reader.take()
        amounts: list[Fraction] = []
        while not reader.is_at(Kind.CLOSE):
            amounts.append(reader.expect(Kind.NUMBER, "a payoff").number)
        reader.take()
        if len(amounts) != players:
            message = f"a payoff for each player is expected, {players}; there are {len(amounts)}"
            reader.refuse(message, opening)
        known.append(tuple(amounts))
    reader.take()

    def cell(_: int) -> Amounts:
        at = reader.whole("the number of an outcome", 0)
        if at.number >= len(known):
            reader.refuse(f"there is no outcome {at.text}; the file has {len(known) - 1}", at)
        return known[int(at.number)]

    return cell


def _tree(
    strategies: tuple[tuple[str, ...], ...],
    cells: list[Amounts],
    span: Span,
    player: int,
    offset: int,
    step: int,
) -> GambitNode:
    """The choices of a player and of the players behind; `offset` is the cell of the strategies
    chosen so far."""
    if player == len(strategies):
        return GambitNode(span, None, payoffs=cells[offset])
    actions = strategies[player]
    children = tuple(
        _tree(strategies, cells, span, player + 1, offset + step * number, step * len(actions))
        for number in range(len(actions))
    )
    return GambitNode(span, player, 1, actions, (), children)
