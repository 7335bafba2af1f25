"""The number of positions by plies, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.game.contract import Game
from gamedsl.reports.json_text import data_of, game_data
from gamedsl.solvers.graphs.layers import Layers


def _plies_text(counts: Sequence[int]) -> str:
    """A line for each number of plies in a shortest play to the positions."""
    wide = max((len(f"{number:,}") for number in counts), default=0)
    return "".join(f"{plies:>3}  {number:>{wide},}\n" for plies, number in enumerate(counts))


def layers_text(layers: Layers) -> str:
    """The positions by plies, and the total with the endings among the positions."""
    total = f"{layers.positions:,} positions, {layers.endings:,} of them endings"
    return f"{_plies_text(layers.counts)}{total}{'' if layers.is_whole else ', so far'}"


def layers_data(game: Game, layers: Layers) -> dict[str, object]:
    """The counts, JSON-ready."""
    names = "positions endings counts complete=is_whole"
    return game_data(game) | data_of(layers, names)
