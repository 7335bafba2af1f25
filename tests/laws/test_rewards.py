"""Rewards and discounts: solving against plain recursion, and against a counter in the state."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import assume, given, settings

from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import Refusal
from gamedsl.model import Facts, State
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from tests.generation.games import Wish, games
from tests.laws.oracle import CyclicError, best_play
from tests.laws.test_solving import small_game

Payoffs = tuple[Fraction, ...]


class Counted:
    """A game with rewards as one that is paid at the end: what has been paid so far is kept beside
    the history of each state. What is not said here is asked of the game itself.
    """

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self.players = game.players

    @property
    def facts(self) -> Facts:
        return replace(self.game.facts, has_rewards=False)

    def initial_state(self) -> State:
        return counting(self.game.initial_state(), (Fraction(0),) * len(self.players))

    def result(self, state: State, action: Any) -> State:
        before = uncounted(state)
        more = self.game.rewards(before, action)
        paid = tuple(map(sum, zip(paid_before(state), more, strict=True)))
        return counting(self.game.result(before, action), paid)

    def utilities(self, state: State) -> Payoffs:
        at_the_end: Payoffs = self.game.utilities(uncounted(state))
        return tuple(map(sum, zip(paid_before(state), at_the_end, strict=True)))

    def accelerator(self) -> Refusal:
        return Refusal("it has no code of its own")

    def steps(self) -> None:
        """Nor steps."""

    def __getattr__(self, name: str) -> Any:
        own = getattr(self.game, name)
        return own if not callable(own) else lambda state, *more: own(uncounted(state), *more)


def counting(state: State, paid: Payoffs) -> State:
    return State(state.cells, state.turn, state.pending, (state.history, paid))


def uncounted(state: State) -> State:
    return State(state.cells, state.turn, state.pending, state.history[0])  # type: ignore[index]


def paid_before(state: State) -> Payoffs:
    return state.history[1]  # type: ignore[index]


@settings(max_examples=12)
@given(games(wish=Wish.REWARDS))
def test_solving_agrees_with_recursion_and_with_a_counter_in_the_state(text: str) -> None:
    game, _ = small_game(text)
    try:
        expected = best_play(game)
    except CyclicError:
        assume(False)
    solution = solve(game)
    assert {state: solution.value_at(state) for state in expected} == expected
    if game.facts.discount == 1:
        counted = solve(Counted(game), options=SolveOptions(max_positions=20_000))  # type: ignore[arg-type]
        assert counted.value == solution.value
