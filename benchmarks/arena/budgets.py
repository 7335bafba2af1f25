"""Processor time of moves against their budgets: `python -m benchmarks.arena.budgets [GAME ...]`.

Games of all kinds: perfect information, chance, hidden cards, choices at once, three players,
rewards. Each row: the time that a move may take, the least, the mean and the greatest time taken.
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

import gamedsl
from gamedsl.game.contract import History
from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.matches.players import player_of, player_settings

GAMES = (
    "connect_four", "breakthrough", "hex", "othello", "chess", "nine_mens_morris", "pig",
    "kuhn_poker_several", "liars_dice", "phantom_tic_tac_toe", "goofspiel", "three_player_race",
)  # fmt: skip


def main() -> None:
    """Plays some moves of each game, and prints the times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena.budgets", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=0.5, help="of processor time, for a move")
    parser.add_argument("--moves", type=int, default=4)
    options = parser.parse_args()
    for name in options.games:
        times = _times(name, options.seconds, options.moves)
        least, most = min(times, default=0.0), max(times, default=0.0)
        mean = sum(times) / max(1, len(times))
        told = f"{least:.3f} {mean:.3f} {most:.3f}"
        print(f"{name:22} {options.seconds:g} s: {told}, {len(times)} moves", flush=True)


def _times(name: str, seconds: float, moves: int) -> list[float]:
    """The processor time of each move with a choice, of one player in all seats."""
    game, rng = gamedsl.load(name), Random(1)
    player = player_of(player_settings(f"search:cpu={seconds:g}"), game, rng)
    state, steps, times = game.initial_state(), [], []
    player.prepare(((state, None),))
    while not game.is_terminal(state) and len(times) < moves:
        mover = game.current_player(state)
        history: History = (*steps, (state, None))
        if mover == CHANCE:
            outcomes, shares = zip(*game.chance_outcomes(state), strict=True)
            action = rng.choices(outcomes, [float(share) for share in shares])[0]
        else:
            chosen = []
            for seat in game.players if mover == SIMULTANEOUS else (mover,):
                begun = process_time()
                chosen.append(player.choose(history, seat))
                if len(game.legal_actions(history[-1][0], seat)) > 1:
                    times.append(process_time() - begun)
            action = tuple(chosen) if mover == SIMULTANEOUS else chosen[0]
        steps.append((state, action))
        state = game.result(state, action)
    return times


if __name__ == "__main__":
    main()
