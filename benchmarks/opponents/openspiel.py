"""OpenSpiel: its C++ states driven from Python, which is as far as its Python interface goes.

`state.child(action)` makes a new state and leaves the old one as it was; playouts change one state
in place (`apply_action`), as its examples do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from benchmarks.contender import need


def start(name: str) -> Any:
    """The initial state of a game of OpenSpiel's, which has the shipped game's name."""
    need("OpenSpiel", "pyspiel")
    import pyspiel

    return pyspiel.load_game(name).new_initial_state()


def stepper(name: str, plays: int) -> Callable[[int], int]:
    """A function that makes so many steps with random actions in OpenSpiel's environments side by
    side, with observations; returns the number of plays that ended."""
    need("OpenSpiel", "pyspiel")
    need("absl-py", "absl")
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    table = SyncVectorEnv([Environment(name) for _ in range(plays)])
    rng = Random(1)
    told = table.reset()

    def run(steps: int) -> int:
        nonlocal told
        ended = 0
        for _ in range(steps):
            legal = [
                t.observations["legal_actions"][t.observations["current_player"]] for t in told
            ]
            chosen = [StepOutput(action=rng.choice(actions), probs=None) for actions in legal]
            told, _, done, _ = table.step(chosen, reset_if_done=True)
            ended += sum(done)
        return ended

    return run


class CfrPlus:
    """CFR+ of OpenSpiel's, in C++, on a game of its own."""

    def __init__(self, game: Any) -> None:
        import pyspiel

        self._game = game
        self._solver = pyspiel.CFRPlusSolver(game)

    def go_on(self, rounds: int) -> None:
        """Learn for so many rounds."""
        for _ in range(rounds):
            self._solver.evaluate_and_update_policy()

    def exploitability(self) -> float:
        """Of the mean of all rounds."""
        import pyspiel

        found: float = pyspiel.exploitability(self._game, self._solver.average_policy())
        return found

    def curve(self, marks: Sequence[int]) -> list[float]:
        """Exploitability after so many rounds, from the beginning."""
        found, played = [], 0
        for mark in marks:
            self.go_on(mark - played)
            played = mark
            found.append(self.exploitability())
        return found


def cfr_plus(name: str) -> CfrPlus:
    """CFR+ at the beginning."""
    need("OpenSpiel", "pyspiel")
    import pyspiel

    return CfrPlus(pyspiel.load_game(name))


def tree_builder(name: str, sides: int) -> Callable[[], int]:
    """Makes a solver of a game of dice, which lists the information sets; returns 0, as the number
    of the sets is not told."""
    need("OpenSpiel", "pyspiel")
    import pyspiel

    game = pyspiel.load_game(name, {"dice_sides": sides})

    def build() -> int:
        pyspiel.CFRPlusSolver(game)
        return 0

    return build


def perft(state: Any, depth: int, *, is_bulk: bool) -> int:
    """Plays of `depth` > 0 plies."""
    return _bulk(state, depth) if is_bulk else _leaves(state, depth)


def _leaves(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    return sum(_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def _bulk(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(_bulk(state.child(action), depth - 1) for action in actions)


def play_out(start: Any, random: Random) -> tuple[int, Any]:
    """A uniform random play: its plies and its last state."""
    state = start.clone()
    choice, plies = random.choice, 0
    while not state.is_terminal():
        state.apply_action(choice(state.legal_actions()))
        plies += 1
    return plies, state
