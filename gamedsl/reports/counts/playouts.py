"""The results of random plays, as text and as data in the schema of the machine interface."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.accelerator import PlayoutCounts
from gamedsl.game.contract import Game
from gamedsl.model import Player
from gamedsl.reports.json_text import data_of, game_data, plain

SHOWN = 12
"""Number of different endings written out."""


def tally_text(game: Game, tally: PlayoutCounts) -> str:
    """The frequencies of endings, the mean payoffs, the lengths."""
    lines = [f"{game.name}: {tally.playouts:,} random plays"]
    for payoffs, times in tally.endings[:SHOWN]:
        share = times / tally.playouts
        lines.append(f"  {share:7.2%}  {_payoffs(game, payoffs)}")
    rest = sum(times for _, times in tally.endings[SHOWN:])
    if rest:
        others = f"{len(tally.endings) - SHOWN:,} other endings"
        lines.append(f"  {rest / tally.playouts:7.2%}  {others}")
    if tally.unfinished:
        lines.append(f"  {tally.unfinished / tally.playouts:7.2%}  broken off")
    means = [f"{player!r} {float(mean):.4f}" for player, mean in _means(game, tally)]
    if means:
        lines.append(f"  mean payoff  {', '.join(means)}")
    mean = tally.plies / tally.playouts
    lines.append(f"  plies        {tally.shortest} to {tally.longest}, on average {mean:.2f}")
    return "\n".join(lines)


def tally_data(game: Game, seed: int, tally: PlayoutCounts) -> dict[str, object]:
    """The tally, JSON-ready; payoffs are exact, as text."""
    return {**game_data(game), "seed": seed} | data_of(
        tally,
        "playouts endings unfinished mean_payoffs plies",
        endings=[{"payoffs": plain(payoffs), "count": times} for payoffs, times in tally.endings],
        mean_payoffs={player.name: str(mean) for player, mean in _means(game, tally)},
        plies=data_of(tally, "total=plies shortest longest"),
    )


def _means(game: Game, tally: PlayoutCounts) -> list[tuple[Player, Fraction]]:
    return list(zip(game.players, tally.mean_payoffs, strict=False))


def _payoffs(game: Game, payoffs: tuple[Fraction, ...]) -> str:
    return ", ".join(
        f"{player!r} {payoff}" for player, payoff in zip(game.players, payoffs, strict=True)
    )
