"""What actions are worth in information sets: against plays gone through one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.model import CHANCE
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution

ZERO = Fraction(0)


def paid(solution: Solution, history: History, player: int) -> Fraction:
    """What a player gets on average behind a history, by going on as in the solution."""
    assert solution.informed is not None
    game, state = solution.informed.game, history[-1][0]
    if game.is_terminal(state):
        return game.utilities(state)[player]
    if game.current_player(state) == CHANCE:
        shares = list(game.chance_outcomes(state))
    else:
        (local,) = solution.strategies_at(history)
        chances = (chance for _, chance in local.choices)
        shares = list(zip(game.legal_actions(state), chances, strict=True))
    return sum((share * paid(solution, after(solution, history, action), player)
                for action, share in shares if share), ZERO)  # fmt: skip


def after(solution: Solution, history: History, action: int) -> History:
    assert solution.informed is not None
    state = history[-1][0]
    child = solution.informed.game.result(state, action)
    return (*history[:-1], (state, action), (child, None))


@pytest.mark.parametrize("name", ["kuhn_poker", "myerson_poker", "beer_and_quiche", "monty_hall"])
def test_worths_are_means_over_the_plays_that_cannot_be_told_apart(name: str) -> None:
    game = gamedsl.load(name)
    solution = solve(game)
    sums: dict[tuple[int, int], list[tuple[Fraction, list[Fraction]]]] = {}
    choices: dict[tuple[int, int], InformedChoice] = {}
    stack = [(((game.initial_state(), None),), [Fraction(1)] * len(game.players))]
    while stack:
        history, reach = stack.pop()
        state = history[-1][0]
        if game.is_terminal(state):
            continue
        mover = int(game.current_player(state))
        if mover == CHANCE:
            for action, share in game.chance_outcomes(state):
                stack.append((after(solution, history, action), [r * share for r in reach]))
            continue
        (choice,) = solution.informed_choices(history)
        actions = game.legal_actions(state)
        worths = [paid(solution, after(solution, history, action), mover) for action in actions]
        choices[mover, choice.place] = choice
        sums.setdefault((mover, choice.place), []).append((reach[mover], worths))
        for action, (_, share) in zip(actions, choice.local.choices, strict=True):
            others = [r if n == mover else r * share for n, r in enumerate(reach)]
            stack.append((after(solution, history, action), others))
    for key, found in sums.items():
        total = sum((weight for weight, _ in found), ZERO)
        if not total:
            assert choices[key].worths is None
            continue
        columns = zip(*(worths for _, worths in found), strict=True)
        weights = [weight for weight, _ in found]
        means = tuple(
            sum((w * v for w, v in zip(weights, column, strict=True)), ZERO) / total
            for column in columns
        )
        assert choices[key].worths == means
