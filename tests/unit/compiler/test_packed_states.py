"""States held as words: what they equal, how they hash, and when their digits are worked out."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.packed_state import PackedState
from gamedsl.compiler.state_words import Words, decoding, encode
from gamedsl.conformance.laws import choices
from gamedsl.game import LoadedGame
from gamedsl.model import CHANCE, State
from gamedsl.model.engine import RulesEngine
from gamedsl.model.state import Cells
from gamedsl.solvers.planner import solve

UNLIKE = """game "Unlike"
players A, B
type Card = low | high | none_of_them
board 3 wide 3 high
state:
    card[Card]: 0..2
    far: 0..5000 = 70
    late: 0..5000
    only: 0..0
    flags[1..70]: false | true = false
    few[1..40]: 0..4 = 3
    here[square]: empty | players = empty
move go(n in 1..40, s in square):
    far = (far * 7 + n) % 5001
    few[n] = (few[n] + n) % 5
    flags[n + 30] = not flags[n + 30]
    here[s] = turn
    chance card[high] in 0..2
setup:
    chance card[low] in 0..2
    chance card[high] in 0..1
    card[none_of_them] = 2
    late = 4999
    only = 0
end:
    if far == 0: draw
endless: draw
"""
"""All ways in which a variable is held: sets, single bits, small digits, wide ones, unset ones."""

GAMES = {
    name: name
    for name in (
        "tic_tac_toe",
        "kalah",
        "chess",
        "go",
        "eight_puzzle",
        "dots_and_boxes",
        "kuhn_poker",
        "goofspiel",
        "pig",
    )
} | {"all kinds of variables": UNLIKE}


def compiled(text: str) -> LoadedGame:
    return gamedsl.load(text, "python")


def random_play(game: LoadedGame, seed: int, longest: int = 30) -> Iterator[tuple[State, object]]:
    """The states of a random play, each with the choice made there."""
    chooser = random.Random(seed)
    state = game.initial_state()
    for _ in range(longest):
        possible = list(choices(game, state))
        choice = chooser.choice(possible) if possible else None
        yield state, choice
        if choice is None:
            return
        state = game.result(state, choice)


def explored(game: LoadedGame, most: int) -> list[State]:
    """States nearest to the start, each once."""
    found = {game.initial_state(): None}
    for state in (queue := list(found)):
        for choice in choices(game, state):
            after = game.result(state, choice)
            if after not in found and len(found) < most:
                found[after] = None
                queue.append(after)
    return queue


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The words that were turned into digits, as they are."""
    asked: list[object] = []

    def noting(layout: Layout) -> Callable[[Words], Cells]:
        decoded = decoding(layout)
        return lambda words: asked.append(words) or decoded(words)  # type: ignore[func-returns-value]

    monkeypatch.setattr("gamedsl.compiler.packed_state.decoding", noting)
    return asked


@pytest.mark.parametrize("name", GAMES)
def test_states_of_both_engines_are_equal_and_hash_alike(name: str) -> None:
    game, definition = compiled(GAMES[name]), gamedsl.load(GAMES[name], "interpreter")
    twin = definition.initial_state()
    for state, choice in random_play(game, 1, 12):
        assert isinstance(state, PackedState)
        if state.pending is None:
            assert state == twin
            assert twin == state
            assert hash(state) == hash(twin)
            assert {twin: "found"}[state] == "found"
            assert state.history == twin.history
        if choice is not None:
            twin = definition.result(twin, choice)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
def test_a_state_given_by_its_digits_equals_the_packed_one_and_hashes_alike(name: str) -> None:
    game = compiled(GAMES[name])
    for state, _ in random_play(game, 2):
        plain = State(state.cells, state.turn, state.pending, state.history)
        assert state == plain
        assert plain == state
        assert hash(state) == hash(plain)
        assert state.position() == plain.position()
        assert hash(state.position()) == hash(plain.position())


@pytest.mark.parametrize("name", GAMES)
def test_one_variable_alone_is_the_same_however_it_is_held(name: str) -> None:
    game = compiled(GAMES[name])
    for state, _ in random_play(game, 3, 10):
        plain = State(state.cells, state.turn)
        for variable in game.model.variables:
            one, other = state.part((variable,), False), plain.part((variable,), False)
            assert one == other
            assert (
                one.cells
                == other.cells
                == state.cells[variable.offset : variable.offset + variable.size]
            )
            assert hash(one) == hash(other)


@pytest.mark.parametrize("name", GAMES)
def test_a_position_has_one_form_in_words(name: str) -> None:
    game = compiled(GAMES[name])
    engine = game.engine
    assert isinstance(engine, CompiledEngine)
    layout = engine.generated.layout
    for state, _ in random_play(game, 4):
        assert isinstance(state, PackedState)
        assert state.words[: layout.words] == encode(layout, state.cells, state.turn)
        assert state.pending is not None or not any(state.words[layout.words :])
        assert engine.words_of(State(state.cells, state.turn, state.pending)) == state.words


def test_what_differs_in_digits_turn_history_or_place_is_another_state() -> None:
    game = compiled("go")
    start = game.initial_state()
    assert start == game.initial_state()
    after = game.result(start, game.legal_actions(start)[0])
    assert after != start
    assert State(start.cells, 1, None, start.history) != start
    assert start.position() != start
    assert start != "a state"
    first, second = (game.result(s, a) for s, a in ((start, 0), (start, 1)))
    assert first.history != second.history
    chance = compiled("pig")
    rolled = next(state for state, _ in random_play(chance, 1) if state.pending is not None)
    assert rolled.position() != rolled


def test_states_of_two_compiled_engines_are_equal_by_their_digits() -> None:
    one, other = compiled("kalah"), compiled("kalah")
    for state, choice in random_play(one, 1, 5):
        again = State(state.cells, state.turn)
        twin = other.engine.state_of(again.cells, again.turn)  # type: ignore[union-attr]
        assert state == twin
        assert hash(state) == hash(twin)
        if choice is not None and state.pending is None:
            assert other.result(state, choice) == one.result(state, choice)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
def test_a_state_comes_back_from_a_pickle_and_from_a_copy_and_plays_on(name: str) -> None:
    game = compiled(GAMES[name])
    for state, choice in random_play(game, 5):
        for back in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
            assert (back, hash(back), repr(back)) == (state, hash(state), repr(state))
            assert game.show(back) == game.show(state)
            if choice is not None:
                assert game.result(back, choice) == game.result(state, choice)  # type: ignore[arg-type]


def test_asking_about_a_state_leaves_it_as_it_was() -> None:
    game = compiled("chess")
    state = game.initial_state()
    before = pickle.dumps(state)
    game.legal_actions(state)
    game.is_terminal(state)
    assert pickle.dumps(state) == before


@pytest.mark.parametrize("name", ["tic_tac_toe", "kalah", "chess", "go", "pig", "kuhn_poker"])
def test_exploring_works_out_no_digits(name: str, unpacked: list[object]) -> None:
    states = explored(compiled(name), 60)
    assert len(set(states)) > 20
    assert not unpacked


def test_solving_works_out_no_digits(unpacked: list[object]) -> None:
    assert solve(compiled("tic_tac_toe")).value == (Fraction(0), Fraction(0))
    assert not unpacked


def test_digits_are_worked_out_once_when_they_are_asked_for(unpacked: list[object]) -> None:
    game = compiled("tic_tac_toe")
    start = game.initial_state()
    state = game.result(start, game.legal_actions(start)[4])
    assert state.cells == state.cells == (0, 0, 0, 0, 1, 0, 0, 0, 0)
    assert len(unpacked) == 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "kalah", "chess", "eight_puzzle"])
def test_different_states_hash_differently(name: str) -> None:
    states = explored(compiled(name), 500)
    assert len({hash(state) for state in states}) == len(states) == 500


def test_a_state_of_many_cells_hashes_like_its_digits() -> None:
    text = """game "Many"
    players A, B
    state:
        digits[1..4000]: 0..6 = 3
        flags[1..4000]: false | true = false
    move go(n in 1..3): digits[1] = n
    end:
        if digits[1] == 0: draw
    endless: draw
    """.replace("\n    ", "\n")
    game = compiled(text)
    state = game.result(game.initial_state(), 1)
    assert isinstance(state, PackedState)
    assert hash(state) == hash(State(state.cells, state.turn))


def test_a_state_in_which_a_body_waits_has_as_many_words_as_any_other() -> None:
    game = gamedsl.load("""players P
state:
    at: 0..9 = 0
    left: 0..2 = 2
move go(n in 0..3):
    left -= 1
    let twice = 2 * n
    chance first in {0: 1/2, 1: 1/2}
    if first == 1:
        chance second in {0: 1/2, 1: 1/2}
        at = twice + second
end:
    if left == 0: P wins
""")
    engine = game.engine
    assert isinstance(engine, CompiledEngine)
    size = engine.generated.layout.words + engine.generated.saved
    waiting, states = 0, [game.initial_state()]
    for state in states:
        assert len(engine.words_of(state)) == size
        waiting += state.pending is not None
        if game.is_terminal(state):
            continue
        chance = game.current_player(state) == CHANCE
        ways = [way for way, _ in game.chance_outcomes(state)] if chance else None
        states += [game.result(state, way) for way in ways or game.legal_actions(state)]
    assert waiting > 20
    assert engine.generated.saved > 1


@pytest.mark.parametrize("name", GAMES)
def test_what_cells_hold_in_many_states_is_told_from_their_words(name: str) -> None:
    game = compiled(GAMES[name])
    states = [state for state, _ in random_play(game, 5)]
    assert isinstance(game.engine, CompiledEngine)
    asked = RulesEngine.digits_held(game.engine, [State(one.cells, one.turn) for one in states])
    assert game.engine.digits_held(states) == asked
    assert game.engine.digits_held(states[:1]) == [{digit} for digit in states[0].cells]


SET_AT_THE_START = """game "Set at the start"
players A, B
board 4 wide 4 high
state:
    at[players]: square
setup:
    at[A] = a1
    at[B] = d4
move go(d in directions):
    require at[turn] + d != none and at[turn] + d != at[opponent]
    at[turn] = at[turn] + d
end:
    if at[turn] == c3: turn wins
endless: draw
"""


def test_a_cell_that_setup_surely_sets_has_no_number_for_no_value() -> None:
    """Else every read is guarded, and moves are listed one by one, at a tenth of the speed."""
    game = gamedsl.load(SET_AT_THE_START, "python")
    known = gamedsl.load(SET_AT_THE_START, "interpreter")
    assert isinstance(game.engine, CompiledEngine)
    assert "before it is set" not in str(game.engine.generated.sites)
    assert game.engine.generated.layout.places[0].unset is None  # type: ignore[union-attr]
    state, other, rng = game.initial_state(), known.initial_state(), random.Random(5)
    for _ in range(30):
        assert state.cells == other.cells
        actions = game.legal_actions(state)
        assert actions == known.legal_actions(other)
        if game.is_terminal(state):
            break
        action = rng.choice(actions)
        state, other = game.result(state, action), known.result(other, action)
    drawn = SET_AT_THE_START.replace("at[A] = a1", "chance at[A] in {a1, a2}")
    first = gamedsl.load(drawn, "python").initial_state()
    assert first.cells == gamedsl.load(drawn, "interpreter").initial_state().cells == (None, None)
