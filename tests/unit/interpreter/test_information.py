"""What players observe: changes they can see, moves, and of secret moves the name."""

from __future__ import annotations

from gamedsl import CHANCE, TERMINAL
from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action, JointAction
from gamedsl.model import State
from tests.unit.interpreter.playing import loaded, shipped

History = list[tuple[State, Action | JointAction | None]]


def histories(game: LoadedGame) -> list[History]:
    """All histories, each with its last state undecided."""
    found: list[History] = []
    growing: list[History] = [[(game.initial_state(), None)]]
    while growing:
        history = growing.pop()
        found.append(history)
        state = history[-1][0]
        mover = game.current_player(state)
        if mover == TERMINAL:
            continue
        if mover == CHANCE:
            following: list[Action] = [outcome for outcome, _ in game.chance_outcomes(state)]
        else:
            following = list(game.legal_actions(state))
        for action in following:
            growing.append([*history[:-1], (state, action), (game.result(state, action), None)])
    return found


def information_sets(game: LoadedGame, player: int) -> dict[tuple[object, ...], list[History]]:
    sets: dict[tuple[object, ...], list[History]] = {}
    for history in histories(game):
        if game.current_player(history[-1][0]) == player:
            sets.setdefault(game.information_state(history, player), []).append(history)
    return sets


def test_kuhn_poker_has_six_information_sets_a_player_of_two_deals_each() -> None:
    game = shipped("kuhn_poker")
    for player in game.players:
        sets = information_sets(game, player)
        assert len(sets) == 6
        assert {len(members) for members in sets.values()} == {2}


def test_nobody_forgets_his_card_or_his_moves() -> None:
    game = shipped("kuhn_poker")
    for members in information_sets(game, 0).values():
        own = {
            tuple(action for state, action in history if game.current_player(state) == 0)
            for history in members
        }
        cards = {history[-1][0].cells[0] for history in members}
        assert len(own) == 1
        assert len(cards) == 1


def test_in_an_open_game_every_history_of_a_state_is_told_apart() -> None:
    game = shipped("subtraction", n="5")
    sets = information_sets(game, 1)
    assert {len(members) for members in sets.values()} == {1}


SECRET = """game "Boxes"
players A, B
state:
    box[p in players]: 0..2 = 0 secret to p
    nobodys: 0..2 = 0 secret
    told: 0..9 = 0
move hide(k in 1..2) secret:
    require box[turn] == 0
    box[turn] = k
    nobodys = k
move tell(k in 1..2):
    require box[turn] > 0
    told = k
end:
    if told > 0: draw
"""


def after(game: LoadedGame, *names: str) -> History:
    state = game.initial_state()
    history: History = []
    for name in names:
        action = game.action_named(state, name)
        history.append((state, action))
        state = game.result(state, action)
    return [*history, (state, None)]


def test_of_a_secret_move_others_see_the_name_alone() -> None:
    game = loaded(SECRET)
    one, other = after(game, "hide(1)"), after(game, "hide(2)")
    assert game.information_state(one, 0) != game.information_state(other, 0)
    assert game.information_state(one, 1) == game.information_state(other, 1)


def test_what_nobody_sees_keeps_no_histories_apart() -> None:
    game = loaded(SECRET.replace("box[turn] = k", "box[turn] = 1"))
    one, other = after(game, "hide(1)"), after(game, "hide(2)")
    assert one[-1][0] != other[-1][0]
    assert game.information_state(one, 1) == game.information_state(other, 1)


def test_a_public_move_is_seen_with_its_values() -> None:
    game = loaded(SECRET)
    one = after(game, "hide(1)", "hide(1)", "tell(1)")
    other = after(game, "hide(1)", "hide(1)", "tell(2)")
    assert game.information_state(one, 1) != game.information_state(other, 1)


def test_a_board_shown_to_a_player_keeps_the_others_secrets() -> None:
    game = loaded(SECRET)
    state = after(game, "hide(2)")[-1][0]
    assert "box: A 2, B 0" in game.show(state)
    assert "box: A ?, B 0" in game.show(state, 1)
    assert "nobodys: ?" in game.show(state, 0)


def test_in_a_tree_a_player_knows_his_information_set_and_no_more() -> None:
    game = shipped("myerson_poker")
    sets = information_sets(game, 1)
    assert list(sets) == [("blind",)]
    assert len(sets["blind",]) == 2
    assert len(information_sets(game, 0)) == 2
