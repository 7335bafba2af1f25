"""Equilibria against brute force: the matrix of all pure plans, every pair played out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.graphs.information import History, information_sets
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

MOST_PLANS = 40
ROUNDS, NEAR = 3_000, Fraction(1, 100)
"""Rounds of regret minimisation, and the bound that they prove at least: payoffs are 3 at most."""
Plan = Mapping[object, str]
"""For what a player has seen the name of the action."""


@st.composite
def small_games(draw: st.DrawFn) -> str:
    """Two players with opposed interests: a throw that is seen by one or by nobody, an announcement
    that may be secret, an answer, or choices made at once; payoffs of all kinds."""
    owner = draw(st.sampled_from([" secret to A", " secret to B", " secret", ""]))
    hidden = draw(st.sampled_from([" secret", ""]))
    share = draw(st.sampled_from(["1/2", "1/3", "1/5"]))
    entry = st.integers(-3, 3)
    table = [[[draw(entry) for _ in range(2)] for _ in range(2)] for _ in range(2)]
    if draw(st.booleans()):
        moves = "simultaneous choose(k in 1..2):\n    said[me] = k\n"
    else:
        moves = (
            f"move choose(k in 1..2){hidden}:\n    require said[turn] == 0\n    said[turn] = k\n"
        )
    see = " secret to p" if hidden and "move" in moves else ""
    paid = draw(st.sampled_from(["", "    reward A: k - 1, B: 1 - k\n" if see == "" else ""]))
    return (
        'game "Small"\nplayers A, B\n'
        f"param pay = {table}\n"
        f"state:\n    die: 0..2 = 0{owner}\n    said[p in players]: 0..2 = 0{see}\n"
        f"setup:\n    chance die in {{1: {share}, 2: 1 - {share}}}\n"
        f"{moves}{paid if moves.startswith('move') else ''}"
        "end:\n    if said[A] > 0 and said[B] > 0: A wins pay[die][said[A]][said[B]]\n"
    )


def plans(sets: Mapping[object, tuple[str, ...]]) -> Iterator[Plan]:
    for names in product(*sets.values()):
        yield dict(zip(sets, names, strict=True))


def paid(game: LoadedGame, history: History, both: tuple[Plan, Plan]) -> Fraction:
    """What the first player gets on average."""
    state = history[-1][0]
    mover = game.current_player(state)
    if mover == TERMINAL:
        return game.utility(state, 0)

    def after(action: int | tuple[int, ...]) -> Fraction:
        child = game.result(state, action)
        reward = game.rewards(state, action)[0] if game.facts.has_rewards else Fraction(0)
        return reward + paid(game, (*history[:-1], (state, action), (child, None)), both)

    if mover == CHANCE:
        return sum((p * after(one) for one, p in game.chance_outcomes(state)), Fraction(0))
    chosen = []
    for player in game.players if mover == SIMULTANEOUS else (mover,):
        name = both[player][game.information_state(history, player)]
        chosen.append(game.action_named(state, name, player if mover == SIMULTANEOUS else None))
    return after(tuple(chosen) if mover == SIMULTANEOUS else chosen[0])


def brute_force(game: LoadedGame) -> Fraction | None:
    """The value of the matrix of all pure plans; None if there are too many."""
    sets: list[dict[object, tuple[str, ...]]] = [{}, {}]
    for found in information_sets(game):
        sets[found.player][found.observations] = found.actions
    rows, columns = (list(islice(plans(own), MOST_PLANS + 1)) for own in sets)
    if max(len(rows), len(columns)) > MOST_PLANS:
        return None
    start: History = ((game.initial_state(), None),)
    return solve_matrix([[paid(game, start, (a, b)) for b in columns] for a in rows]).value


@settings(
    suppress_health_check=[HealthCheck.too_slow],
    deadline=None,
    max_examples=max(60, settings.default.max_examples),
)
@given(small_games())
def test_the_value_is_that_of_the_matrix_of_all_plans(text: str) -> None:
    """By the linear program exactly; by CFR+ within the bound that it proves; and so is what
    `solve` answers by itself, whichever solver that is."""
    game = gamedsl.load(text)
    expected = brute_force(game)
    assume(expected is not None)
    assert expected is not None
    by_tree = solve(game, options=SolveOptions(solver=SolverName.SEQUENCE_FORM))
    assert by_tree.value == (expected, -expected)
    if game.facts.has_secrets or game.facts.is_simultaneous:
        assert solve(game).value == (expected, -expected)
    for solver in (SolverName.REGRETS, SolverName.CFR_PLUS):
        near = solve(game, options=SolveOptions(solver=solver, rounds=ROUNDS))
        assert near.value is not None
        assert abs(near.value[0] - expected) <= near.error_bound
        assert near.error_bound <= NEAR
