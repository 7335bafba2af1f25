"""Players of hidden cards and choices at once, against chance, exact strategies, and OpenSpiel.

In: `liars_dice:random`, `liars_dice:best` or `hearts:openspiel`. Out: a function that plays the
pair of a number: its games have chance in common, and the payoffs of the player less those of the
other seats.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import gamedsl
from benchmarks.arena.contests import EXPLORATIONS, row_of
from benchmarks.arena.players import SpielPlayer
from benchmarks.arena.series import Play, result_of
from gamedsl.game.paid import Paid
from gamedsl.model.state import CHANCE
from gamedsl.solvers.matches.match import Step, play_pair
from gamedsl.solvers.matches.players import Player, player_of, player_settings

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "phantom_tic_tac_toe": ("phantom_tic_tac_toe", {}),
    "liars_dice": ("liars_dice", {"sides": 6}),
    "goofspiel": ("goofspiel", {"n": 6}),
    "kuhn_for_three": ("kuhn_poker_several", {"n": 3}),
    "kuhn": ("kuhn_poker", {}),
    "leduc": ("leduc_poker", {}),
    "bridge_of_two": ("games/openspiel/tiny_bridge_of_two.game", {}),
    "yahtzee": ("yahtzee", {}),
    "oh_hell": ("games/openspiel/oh_hell.game", {}),
    "hearts": ("games/openspiel/hearts.game", {}),
    "euchre": ("games/openspiel/euchre.game", {}),
    "gin_rummy": ("games/openspiel/gin_rummy.game", {}),
    "bridge": ("games/openspiel/bridge.game", {}),
}
"""Games of matches, and their parameters."""
EXACT = ("liars_dice", "goofspiel", "kuhn", "leduc")
"""Games whose exact strategies are found before play."""
SEARCHED = ("euchre", "oh_hell", "gin_rummy", "bridge", "leduc")
"""Games in which OpenSpiel's search of information sets can draw positions; in hearts drawing
positions crashes."""
HIDDEN = (
    *(f"{name}:random" for name in GAMES),
    *(f"{name}:best" for name in EXACT),
    *(f"{name}:openspiel" for name in SEARCHED),
)


def open_hidden(name: str, seconds: float, seed: int) -> Play:
    """The pairs of a contest; `seconds` is processor time of a move."""
    contest, _, against = name.partition(":")
    file, parameters = GAMES[contest]
    row = row_of(Path(file).stem) if against == "openspiel" else None
    if row is not None:
        parameters = dict(row.parameters)
    game = gamedsl.load(file, "auto", **parameters)
    other = "best:time=4" if against == "best" else against
    players: list[Player] = [
        player_of(player_settings(text), game, Random(seed))
        for text in (f"search:cpu={seconds:g}", *([] if row else [other]))
    ]
    if row is not None:
        players.append(SpielPlayer(row, seconds, seed, EXPLORATIONS[-1]))

    def play(number: int) -> dict[str, Any]:
        if len(game.players) == 1:
            paid = [_alone(game, player, f"{seed}/{number}") for player in players]
            return {"scores": [], "plies": [], "margin": paid[0] - paid[1], "paid": paid}
        pair = play_pair(game, players, number, seed)
        unadvised = [effort.unadvised for effort in pair.efforts]
        return result_of(pair) | {"margin": pair.margin, "unadvised": unadvised}

    return play


def _alone(game: gamedsl.LoadedGame, player: Player, seed: str) -> float:
    """What a single player is paid."""
    rng, state, steps, paid = Random(seed), game.initial_state(), list[Step](), Paid(game)
    player.prepare(((state, None),))
    while not game.is_terminal(state):
        if game.current_player(state) == CHANCE:
            outcomes, shares = zip(*game.chance_outcomes(state), strict=True)
            action = rng.choices(outcomes, [float(share) for share in shares])[0]
        else:
            action = player.choose((*steps, (state, None)), 0)
        steps.append((state, action))
        state = game.result(state, action)
        paid.add(*steps[-1], state)
    return float(paid.total(game.utilities(state))[0])
