"""Whether the actions of a game wait: whether each action can be made at any turn, and once, and
turns go round whatever is done; and whether actions have owners.

In: a game without secrets and choices at once. Out: `actions_wait`, by random plays. Then the worth
of an action for a player depends little on when it is made, as where men are put on a board and
stay there. In games whose moves are the same for all players, everything depends on when.
"""

from __future__ import annotations

from random import Random

from gamedsl.game.contract import Game
from gamedsl.game.steps import drawn_outcome
from gamedsl.model.state import State

PLAYS = 4
"""Random plays."""
LONGEST = 200
"""Plies of a play that are looked at."""
ENOUGH = 100
"""Legal actions before which little is known."""
NEW = 0.03
"""Actions do not wait where so many of all legal actions were not legal at the player's turn
before, or were made there."""


def actions_wait(game: Game, root: State) -> bool:
    """Whether nearly all legal actions of a player, in random plays from a position on, were legal
    at the player's turn before, and were not made."""
    if not game.facts.mentions_mover:
        return False
    rng, seen, new = Random(1), 0, 0
    for _ in range(PLAYS):
        state, waiting, last = root, dict[int, set[int]](), -1
        for _ in range(LONGEST):
            if game.is_terminal(state):
                break
            mover = game.current_player(state)
            if mover < 0:
                state = game.result(state, drawn_outcome(game, state, rng))
                continue
            if mover == last:
                return False
            last, legal = mover, set(game.legal_actions(state))
            if mover in waiting:
                seen, new = seen + len(legal), new + len(legal - waiting[mover])
                if new > NEW * max(seen, ENOUGH):
                    return False
            action = rng.choice(sorted(legal))
            waiting[mover] = legal - {action}
            state = game.result(state, action)
    return new <= NEW * seen and seen > 0
