"""Solvers against plain recursion and against one another, on small generated games."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import HealthCheck, assume, given, settings

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.algorithms import Algorithm, search
from tests.generation.games import Wish, games
from tests.generation.plays import reachable
from tests.laws.oracle import CyclicError, best_play, endless_play, tree_size

MOST_STATES = 150
MOST_HISTORIES = 1_500


def small_game(text: str) -> tuple[LoadedGame, list[State]]:
    """A game whose positions have a value, and all its states; other examples are put aside, most
    of them before anything is compiled."""
    game = gamedsl.load(text, "interpreter")
    assume(not game.facts.has_secrets and not game.facts.is_simultaneous)
    states = reachable(game, MOST_STATES)
    assume(states is not None)
    return gamedsl.load(text), states or []


def has_opposed_interests(game: LoadedGame, states: list[State]) -> bool:
    """Whether it has one player, or two whose payoffs always add up to the same."""
    ends = [game.utilities(state) for state in states if game.is_terminal(state)]
    ends += [game.facts.endless] if game.facts.endless is not None else []
    return len(game.players) == 1 or (len(game.players) == 2 and len({sum(e) for e in ends}) == 1)


@given(games(wish=Wish.OPEN))
def test_solving_agrees_with_plain_recursion(text: str) -> None:
    game, _ = small_game(text)
    try:
        expected = best_play(game)
    except CyclicError:
        assume(False)
    solution = solve(game)
    assert solution.value == expected[game.initial_state()]
    assert solution.solved is not None
    assert {state: solution.value_at(state) for state in expected} == expected


@given(games(wish=Wish.OPEN))
def test_retrograde_analysis_agrees_with_backward_induction(text: str) -> None:
    game, states = small_game(text)
    assume(not game.facts.has_chance and has_opposed_interests(game, states))
    try:
        expected = best_play(game)
    except CyclicError:
        assume(False)
    one = solve(game, options=SolveOptions(solver=SolverName.BACKWARD_INDUCTION))
    other = solve(game, options=SolveOptions(solver=SolverName.RETROGRADE))
    assert [one.value_at(s) for s in expected] == [other.value_at(s) for s in expected]
    if game.facts.endless is None:
        assert [one.remoteness(s) for s in expected] == [other.remoteness(s) for s in expected]


@given(games(wish=Wish.OPEN))
def test_value_iteration_agrees_with_backward_induction(text: str) -> None:
    game, states = small_game(text)
    assume(has_opposed_interests(game, states))
    try:
        expected = best_play(game)
    except CyclicError:
        assume(False)
    found = solve(game, options=SolveOptions(solver=SolverName.VALUE_ITERATION))
    assert found.value is not None
    exact = expected[game.initial_state()]
    pairs = zip(found.value, exact, strict=True)
    assert max(abs(one - other) for one, other in pairs) <= found.error_bound


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(games(wish=Wish.ENDLESS))
def test_endless_play_is_worth_what_nobody_can_better(text: str) -> None:
    game, states = small_game(text)
    assume(not game.facts.has_chance and game.facts.endless is not None)
    assume(len(game.players) == 2 and has_opposed_interests(game, states))
    endless = game.facts.endless or (Fraction(0),)
    expected = endless_play(game, states, endless[0])
    solution = solve(game)
    assert {state: solution.value_at(state)[0] for state in states} == expected


@settings(
    max_examples=15, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(games(wish=Wish.ENDLESS))
def test_nobody_gains_by_leaving_a_stationary_equilibrium_in_one_position(text: str) -> None:
    """Each value follows from those behind it, and no other action has a better one."""
    game, states = small_game(text)
    assume(game.facts.endless is not None)
    try:
        solution = solve(game, options=SolveOptions(solver=SolverName.STATIONARY))
    except UnsupportedGameError:
        return
    values = {state: solution.value_at(state) for state in states if state in solution}
    for state, value in values.items():
        if game.is_terminal(state):
            assert value == game.utilities(state)
        elif (action := solution.choice(state)) is None:
            after = [(values[game.result(state, c)], p) for c, p in game.chance_outcomes(state)]
            assert value == tuple(sum(v[k] * p for v, p in after) for k in range(len(value)))
        else:
            mover = game.current_player(state)
            after = [values[game.result(state, c)] for c in game.legal_actions(state)]
            assert value == values[game.result(state, action)]
            assert value[mover] == max(payoffs[mover] for payoffs in after)


@given(games(wish=Wish.OPEN))
def test_the_searches_of_the_textbook_agree_with_solving(text: str) -> None:
    game, _ = small_game(text)
    try:
        assume(tree_size(game) <= MOST_HISTORIES)
    except CyclicError:
        assume(False)
    expected = best_play(game)[game.initial_state()]
    if not game.facts.has_chance:
        assert search(Algorithm.MAXN, game).value == expected
    if len(game.players) == 2 and game.facts.is_zero_sum:
        names = [Algorithm.EXPECTIMINIMAX, Algorithm.STAR1, Algorithm.STAR2]
        if not game.facts.has_chance:
            names = [Algorithm.MINIMAX, Algorithm.ALPHA_BETA]
        assert [search(name, game).value for name in names] == [expected[0]] * len(names)
