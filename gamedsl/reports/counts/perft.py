"""Perft counts as text and as data in the schema of the machine interface."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.game.contract import Game
from gamedsl.reports.json_text import game_data
from gamedsl.reports.phrases import compiling_words, duration

Rows = Sequence[tuple[str, int]]


def counts_text(counts: Sequence[int]) -> str:
    """One line per depth, from 1, up to the first depth without plays.

    Depth 0 is the position itself, unless a chance event comes first.
    """
    last = next((depth for depth, number in enumerate(counts) if depth and not number), None)
    shown = list(enumerate(counts[: None if last is None else last + 1]))[1:] or [(0, counts[0])]
    wide = max(len(f"{number:,}") for _, number in shown)
    digits = len(str(shown[-1][0]))
    lines = [f"{depth:>{digits}}  {number:>{wide},}" for depth, number in shown]
    if last is not None and last + 1 < len(counts):
        lines.append(f"no play is longer: 0 up to depth {len(counts) - 1:,}")
    return "\n".join(lines)


def divide_text(rows: Rows) -> str:
    """One line per first move, and the total."""
    lines = [*rows, ("total", sum(number for _, number in rows))]
    name_width = max(len(name) for name, _ in lines)
    wide = max(len(f"{number:,}") for _, number in lines)
    return "\n".join(f"{name:<{name_width}}  {number:>{wide},}" for name, number in lines)


def rate_text(plays: int, seconds: float, compiling: float = 0.0) -> str:
    """The duration of a count, the share of compilation, and the plays per second of the rest."""
    counting = seconds - compiling
    rate = f", {plays / counting:,.0f} plays a second" if counting > 0 and plays else ""
    return f"{duration(seconds)}{compiling_words(compiling)}{rate}"


def counts_data(game: Game, depth: int, turns: bool, counts: Sequence[int]) -> dict[str, object]:
    """Counts from depth 0, JSON-ready."""
    return _heading(game, depth, turns) | {"counts": list(counts)}


def divide_data(game: Game, depth: int, turns: bool, rows: Rows) -> dict[str, object]:
    """The counts of the first moves, JSON-ready."""
    total = sum(number for _, number in rows)
    return _heading(game, depth, turns) | {"moves": dict(rows), "total": total}


def _heading(game: Game, depth: int, turns: bool) -> dict[str, object]:
    return {**game_data(game), "depth": depth, "unit": "turns" if turns else "plies"}
