"""States and games as JSON and as pickles: what comes back is what went in."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

import gamedsl
from gamedsl import GameSourceError, IllegalActionError, UnsupportedGameError
from gamedsl.game import LoadedGame, StateFormatError, state_from_json, state_to_json
from tests.unit.interpreter.playing import loaded, play, shipped

PLAYS = {
    "tic_tac_toe": ["a1", "b2", "c3"],
    "chess": ["e2, e4", "e7, e5"],
    "kalah": ["2"],
    "kuhn_poker": ["card[Ann]=Q", "card[Bob]=K", "bet"],
    "checkers": ["c3, NE"],
    "myerson_poker": ["red", "raise"],
    "nim": ["take(1, 2)"],
}


@pytest.mark.parametrize("name", PLAYS)
def test_a_state_comes_back_from_json(name: str) -> None:
    game = shipped(name)
    state = play(game, *PLAYS[name])
    written = json.loads(json.dumps(state_to_json(game, state)))
    back = state_from_json(game, written)
    assert (back.cells, back.turn) == (state.cells, state.turn)
    assert game.show(back) == game.show(state)


@pytest.mark.parametrize("name", PLAYS)
def test_a_state_and_its_game_come_back_from_a_pickle(name: str) -> None:
    game = shipped(name)
    state = play(game, *PLAYS[name])
    other, back = pickle.loads(pickle.dumps((game, state)))
    assert back == state
    assert hash(back) == hash(state)
    assert other.legal_actions(back) == game.legal_actions(state)
    assert dict(other.parameters) == dict(game.parameters)
    assert other.facts == game.facts


CHANCE = """game "Draws"
players A, B
type Card = low | high
board 2 wide 2 high
param slip = 1/3
state:
    cell[square]: empty | players = empty
effect mark(p, places, flag):
    chance s in places where cell[s] == empty
    cell[s] = p if flag else next(p)
move go(c in Card, d in {N, E}):
    let n = 7
    mark(turn, {a1 + d, a1}, c == high)
    chance slipped in {true: slip, false: 1 - slip}
    if slipped: cell[b2] = turn
end:
    if full(cell): draw
endless: draw
"""


def test_a_chance_node_comes_back_from_a_pickle_and_plays_on() -> None:
    game = loaded(CHANCE)
    for names in (["go(low, N)"], ["go(high, E)", "s=a1"]):
        state = play(game, *names)
        other, back = pickle.loads(pickle.dumps((game, state)))
        assert back == state
        outcomes = game.chance_outcomes(state)
        assert other.chance_outcomes(back) == outcomes
        assert [other.result(back, o) for o, _ in outcomes] == [
            game.result(state, o) for o, _ in outcomes
        ]


def test_a_game_with_a_fraction_as_parameter_comes_back() -> None:
    game = gamedsl.load(CHANCE, slip="1/4")
    assert dict(pickle.loads(pickle.dumps(game)).parameters) == {"slip": "1/4"}


def test_states_are_copied_by_value() -> None:
    state = play(loaded(CHANCE), "go(low, N)")
    assert copy.deepcopy(state) == state


def test_errors_come_back_from_a_pickle_with_their_fields() -> None:
    with pytest.raises(GameSourceError) as source:
        gamedsl.load("game\n")
    back = pickle.loads(pickle.dumps(source.value))
    assert [one.code for one in back.diagnostics] == [one.code for one in source.value.diagnostics]
    illegal = IllegalActionError("not here", 3, play(shipped("nim")))
    assert pickle.loads(pickle.dumps(illegal)).action == 3
    refused = UnsupportedGameError("it has secrets", "ask another")
    assert pickle.loads(pickle.dumps(refused)).instead == "ask another"


def test_a_chance_node_is_not_written_down() -> None:
    game = loaded(CHANCE)
    state = play(game, "go(low, N)")
    with pytest.raises(ValueError, match="chance node"):
        state_to_json(game, state)


@pytest.fixture
def nim() -> LoadedGame:
    return shipped("nim")


def test_what_is_left_out_keeps_its_initial_value(nim: LoadedGame) -> None:
    assert state_from_json(nim, {}) == nim.initial_state()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "a state is a JSON object"),
        (3, "a state is a JSON object"),
        (None, "a state is a JSON object"),
        ({"game": "Chess"}, "this is a state of 'Chess'"),
        ({"moves": "1 2"}, "a state has no 'moves'; what it may have: schema_version, game, "),
        ({"parameters": 3}, "`parameters` is a JSON object"),
        ({"parameters": {"sizes": "[1, 2]"}}, "with sizes = [1, 2]; `sizes` is [3, 4, 5] here"),
        ({"parameters": {"size": "3"}}, "with size = 3; there is no `size` here"),
        ({"schema_version": 99}, "`schema_version` is 99; this gamedsl reads 1"),
        ({"path": ["left"]}, "has no `path`; it has `turn` and `variables`"),
        ({"turn": "nobody"}, "`turn` is one of"),
        ({"turn": ["A"]}, "`turn` is one of"),
        ({"variables": 3}, "`variables` is a JSON object"),
        ({"variables": {"lfet": {}}}, "this game has no variable `lfet`; did you mean `left`?"),
        ({"variables": {"left": 3}}, "`left` has several cells"),
        ({"variables": {"left": {"9": 1}}}, "`left` has no cell '9'"),
        ({"variables": {"left": {"1": 99}}}, "`left[1]` cannot be 99"),
        ({"variables": {"left": {"1": None}}}, "`left[1]` cannot be None"),
        ({"variables": {"left": {"1": True}}}, "`left[1]` cannot be True"),
        ({"variables": {"left": {"1": [1]}}}, "`left[1]` cannot be"),
    ],
)
def test_what_is_no_state_is_refused_with_the_place(
    nim: LoadedGame, data: object, words: str
) -> None:
    with pytest.raises(StateFormatError) as caught:
        state_from_json(nim, data)
    assert words in str(caught.value)


def test_a_state_must_give_what_setup_would_have_set() -> None:
    game = shipped("kuhn_poker")
    with pytest.raises(StateFormatError, match="`card` is not given, and has no initial value"):
        state_from_json(game, {"turn": "Ann"})


@pytest.mark.parametrize("path", [["raise"], ["red", "fold", "meet"], "red", 3, [3], [None], {}])
def test_a_path_that_is_not_in_the_tree_is_refused(path: object) -> None:
    with pytest.raises(StateFormatError):
        state_from_json(shipped("myerson_poker"), {"path": path})
