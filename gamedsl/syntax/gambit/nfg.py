"""Reads Gambit's strategic games (`.nfg` files) as game trees.

In: a `Reader` that has taken the words before the title (`NFG 1 R`). Out: a `GambitGame`, or
GambitError. In the tree, the players choose in turn, and nobody sees the choices of the others. The
file has a cell for each combination of strategies, with the first player's strategy changing
fastest; a cell is a number for each player, or the number of an outcome from a list before the
cells.
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
"""Greatest number of cells, and of strategies of a player."""
Amounts = tuple[Fraction, ...]
"""The payoffs of all players."""


def read_nfg(reader: Reader) -> GambitGame:
    """The game in a file, read from the title on."""
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
    span = reader.next.span
    cell = _outcomes(reader, len(players)) if reader.next.kind is Kind.OPEN else _numbers(reader)
    cells = [cell(len(players)) for _ in range(prod(sizes))]
    if reader.next.kind is not Kind.END:
        message = f"all {prod(sizes)} cells are filled, and this stands behind them"
        reader.refuse(f"{message}: {told(reader.next)}", reader.next)
    root = _tree(strategies, cells, span, 0, 0, 1)
    return GambitGame(title, players, opening.span, root, {})


def _strategies(reader: Reader, players: int) -> tuple[tuple[str, ...], ...]:
    """The names of each player's strategies, from `{ 2 3 }` or `{ { "up" "down" } { ... } }`."""
    opening = reader.expect(Kind.OPEN, "the numbers of strategies, or their names")
    strategies: list[tuple[str, ...]] = []
    while reader.next.kind is not Kind.CLOSE:
        if reader.next.kind is Kind.OPEN:
            strategies.append(names_in_braces(reader, "the names of strategies"))
            continue
        size = reader.whole("the number of a player's strategies", 1)
        if size.number > MOST_PROFILES:
            reader.refuse(f"a player has at most {MOST_PROFILES:,} strategies", size)
        strategies.append(tuple(str(n + 1) for n in range(int(size.number))))
    reader.take()
    if len(strategies) != players or not all(strategies):
        message = (
            f"strategies of {count(players, 'player')} are expected; there are {len(strategies)}"
        )
        reader.refuse(message, opening)
    return tuple(strategies)


def _numbers(reader: Reader) -> Callable[[int], Amounts]:
    """A function that reads a cell, given the number of players: a number for each player."""

    def cell(players: int) -> Amounts:
        return tuple(reader.expect(Kind.NUMBER, "a payoff").number for _ in range(players))

    return cell


def _outcomes(reader: Reader, players: int) -> Callable[[int], Amounts]:
    """Reads the list of outcomes, `{ { "name" 1, 2 } ... }`; returns a function that reads a cell:
    the number of an outcome, from 1, or 0 for no payoffs."""
    outcomes: list[Amounts] = [(Fraction(0),) * players]
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
        outcomes.append(tuple(amounts))
    reader.take()

    def cell(_: int) -> Amounts:
        chosen = reader.whole("the number of an outcome", 0)
        if chosen.number >= len(outcomes):
            reader.refuse(
                f"there is no outcome {chosen.text}; the file has {len(outcomes) - 1}", chosen
            )
        return outcomes[int(chosen.number)]

    return cell


def _tree(
    strategies: tuple[tuple[str, ...], ...],
    cells: list[Amounts],
    span: Span,
    player: int,
    offset: int,
    step: int,
) -> GambitNode:
    """The choices of a player and of the later players. `offset` is the cell if each of them takes
    the first strategy; the player's next strategy is `step` cells further on."""
    if player == len(strategies):
        return GambitNode(span, None, payoffs=cells[offset])
    actions = strategies[player]
    children = tuple(
        _tree(strategies, cells, span, player + 1, offset + step * number, step * len(actions))
        for number in range(len(actions))
    )
    return GambitNode(span, player, 1, actions, (), children)
