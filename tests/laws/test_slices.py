"""The slice of a game agrees with the game along every play, and so do the values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.slices import Slice
from gamedsl.model import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    GameRuleError,
    GameSourceError,
    State,
    UnsupportedGameError,
)
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status
from tests.generation.games import Wish, games
from tests.generation.plays import reachable
from tests.laws.oracle import CyclicError, best_play
from tests.whole_texts import whole_text

MOST_STATES = 150
Outcome = tuple[State, tuple[Fraction, ...]]

DECLARED = """\
    zz_flag: bool = false
    zz_count: 0..2 = 0
    zz_moves: 0..MOST = 0
    zz_coin[p in players]: bool = false
    zz_note: bool = true SECRET
"""
IN_BODIES = """\
    zz_flag = not zz_flag
    zz_moves += 1
    zz_count = (zz_count + 1) % 3
    if zz_flag: zz_note = zz_count == 1
    for zz_p in players:
        if zz_p != turn: zz_coin[zz_p] = zz_flag
"""
AT_ONCE = """\
    zz_coin[me] = not zz_coin[me]
"""
BY_CHANCE = """\
    chance zz_coin[turn] in {true, false}
    chance zz_die in 1..2
    zz_note = zz_coin[turn] and zz_die == 2
"""


def with_idle_parts(
    text: str, *, is_secret: bool = False, by_chance: bool = True, most: int | None = None
) -> str:
    """The text with further variables that nothing asks for, changed by every move; with a counter
    of moves up to `most`."""
    lines: list[str] = []
    head = ""
    for line in (*text.splitlines(), "end"):
        if head and line and not line.startswith(" ") and not line.startswith("#"):
            changes = IN_BODIES + (BY_CHANCE if by_chance else "")
            changes = AT_ONCE if head.startswith("simultaneous") else changes
            while lines and not lines[-1].strip():
                lines.pop()
            added = DECLARED if head.startswith("state:") else changes
            lines += [*added.splitlines(), ""]
            head = ""
        if line.startswith(("move ", "simultaneous ", "state:")) and line.rstrip().endswith(":"):
            head = line
        lines.append(line)
    joined = "\n".join(lines[:-1]) + "\n"
    if most is None:
        joined = "".join(line for line in joined.splitlines(True) if "zz_moves" not in line)
    joined = joined.replace("MOST", str(most))
    return joined.replace(" SECRET", " secret" if is_secret else "")


def outcomes(game: LoadedGame, state: State, action: object) -> dict[Outcome, Fraction]:
    """The states in which a player decides or the game is over, and what is paid on the way, after
    an action with the chance events behind it; with their probabilities."""
    found: dict[Outcome, Fraction] = {}
    waiting = [(state, action, (Fraction(0),) * len(game.players), Fraction(1))]
    while waiting:
        before, chosen, paid, share = waiting.pop()
        paid = tuple(map(sum, zip(paid, game.rewards(before, chosen), strict=True)))
        after = game.result(before, chosen)
        if game.current_player(after) == CHANCE:
            events = game.chance_outcomes(after)
            waiting += [(after, outcome, paid, share * chance) for outcome, chance in events]
        else:
            found[after, paid] = found.get((after, paid), Fraction(0)) + share
    return found


def actions(game: LoadedGame, state: State) -> Iterator[tuple[int | tuple[int, ...], ...]]:
    """The legal actions of each player to choose."""
    players = game.players if game.current_player(state) == SIMULTANEOUS else (None,)
    return (game.legal_actions(state, player) for player in players)


def answers(game: LoadedGame, state: State, stands: Callable[[State], State | None]) -> object:
    """All that the rules say of a state, with states as `stands` gives them; the error's code where
    the rules fail."""
    try:
        mover = game.current_player(state)
        if mover == TERMINAL:
            return game.utilities(state)
        choices = tuple(actions(game, state))
        after = []
        for combination in islice(product(*choices), 40):
            action = combination if mover == SIMULTANEOUS else combination[0]
            found: dict[Outcome, Fraction] = {}
            for (rest, paid), share in outcomes(game, state, action).items():
                seen = stands(rest)
                assert seen is not None, "a player decides"
                found[seen, paid] = found.get((seen, paid), Fraction(0)) + share
            after.append(found)
        return mover, choices, after
    except GameRuleError as error:
        return error.code


def agree(part: Slice) -> int:
    """Compare the slice with the game in all states that are soon reached, in which somebody
    decides; their number."""
    game, slice_ = part.whole, part.game
    assert isinstance(game, LoadedGame)
    assert isinstance(slice_, LoadedGame)
    compared = 0
    with suppress(GameRuleError):  # the rules fail in the state that comes next
        for state in islice(game.states(), MOST_STATES):
            if state.pending is None:
                stands = part.state_of(state)
                assert stands is not None
                told = answers(slice_, stands, lambda after: after)
                assert answers(game, state, part.state_of) == told
                compared += 1
    return compared


def sliced(text: str, engine: str = "auto") -> Slice:
    """The slice of a game; other examples are put aside."""
    try:
        game = gamedsl.load(text, engine=engine)
    except GameSourceError:  # a repetition cannot be illegal where chance has a part
        assume(False)
    part = game.slice
    assume(part is not None)
    assert part is not None
    return part


@given(games())
def test_a_slice_agrees_with_its_game(text: str) -> None:
    assume(agree(sliced(text, "interpreter")))


@given(games(), st.booleans(), st.booleans(), st.sampled_from([None, 2, 5, 9]))
def test_a_slice_leaves_out_idle_parts(
    text: str, is_secret: bool, by_chance: bool, most: int | None
) -> None:
    text = with_idle_parts(text, is_secret=is_secret, by_chance=by_chance, most=most)
    assume(agree(sliced(text, "interpreter")))


@given(games(wish=Wish.OPEN), st.booleans())
def test_the_values_of_a_slice_are_those_of_the_game(text: str, by_chance: bool) -> None:
    part = sliced(with_idle_parts(text, by_chance=by_chance))
    game = part.whole
    assume(not game.facts.is_simultaneous and reachable(game, MOST_STATES) is not None)
    try:
        expected = best_play(game)
    except CyclicError:
        assume(False)
    solution = solve(game)
    assert solution.part is part
    assert {state: solution.value_at(state) for state in expected} == expected


@settings(max_examples=10)
@given(games(wish=Wish.REWARDS), st.booleans())
def test_rewards_and_discounts_are_those_of_the_game(text: str, by_chance: bool) -> None:
    part = sliced(with_idle_parts(text, by_chance=by_chance))
    assume(reachable(part.whole, MOST_STATES) is not None)
    try:
        whole = solve(part.whole, options=SolveOptions(uses_slice=False))
    except UnsupportedGameError:
        assume(False)
    assume(whole.status is Status.STRONG and not whole.error_bound)
    solution = solve(part.whole)
    assert solution.value == whole.value
    assert whole.solved is not None
    for state in whole.solved.states:
        assert solution.value_at(state) == whole.value_at(state)


WITH_IDLE_PARTS = {
    "nim": {},
    "connect_small": {"width": 3, "height": 3, "run": 3},
    "subtraction": {},
    "three_player_race": {},
    "grid_world": {},
    "pig": {"goal": 6},
    "goofspiel": {},
    "repeated_dilemma": {},
    "hanoi": {"discs": 3},
}


@pytest.mark.parametrize("by_chance", [False, True])
@pytest.mark.parametrize("is_secret", [False, True])
@pytest.mark.parametrize("name", WITH_IDLE_PARTS)
def test_idle_parts_of_shipped_games_cost_no_positions(
    name: str, is_secret: bool, by_chance: bool
) -> None:
    parameters = WITH_IDLE_PARTS[name]
    plain = solve(gamedsl.load(name, **parameters))
    text = with_idle_parts(whole_text(name), is_secret=is_secret, by_chance=by_chance)
    padded = gamedsl.load(text, **parameters)
    solution = solve(padded)
    assert solution.left_out
    assert solution.value == plain.value
    assert (solution.positions, solution.terminals) == (plain.positions, plain.terminals)
    assert solution.chance_nodes == plain.chance_nodes
