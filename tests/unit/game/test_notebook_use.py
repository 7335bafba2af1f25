"""What a person at a Python prompt does with a game: reads states by names, goes to positions,
enumerates states, plays."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.game.contents import NoSuchCellError
from gamedsl.game.notebook import StateView

CELLS = """game "Cells"
players A, B
board 2 wide 1 high
state:
    at: square | none = none
    ready: true | false = true
    left: 0..3 = 3
    owner[1..2, square]: empty | players = empty
    viewer: 0..1 = 0
move take(n in 1..2):
    require n <= left
    left -= n
    owner[n, a1] = turn
    at = b1
end:
    if left == 0: turn loses
"""


def first(view: StateView) -> str:
    return view.action_names[0]


def test_what_variables_hold_is_read_by_their_names() -> None:
    game = gamedsl.load(CELLS)
    view = game.view(game.initial_state())
    assert view.at is None
    assert view.ready is True
    assert view["left"] == view.left == 3
    assert view["viewer"] == 0
    after = game.view(game.position("take(2)"))
    assert after["owner", 2, "a1"] == "A"
    assert after.owner == {
        (1, "a1"): "empty", (1, "b1"): "empty", (2, "a1"): "A", (2, "b1"): "empty"
    }  # fmt: skip
    assert after.at == "b1"
    assert repr(after) == str(after) == game.show(after.state)


def test_what_is_not_there_is_refused_with_what_is() -> None:
    game = gamedsl.load(CELLS)
    view = game.view(game.initial_state())
    for place, said in [
        ("lft", "did you mean `left`?"),
        (("owner", 3, "a1"), "its indices are (1, 'a1'), (1, 'b1')"),
        (("owner", "a1"), "no cell 'a1'"),
        (("left", 1), "has no index"),
    ]:
        with pytest.raises(NoSuchCellError) as refused:
            view[place]  # type: ignore[index]
        assert said in str(refused.value)
    with pytest.raises(AttributeError, match="did you mean `left`"):
        _ = view.lft
    assert not hasattr(view, "_repr_mimebundle_")


def test_hidden_cells_are_hidden_from_a_viewer_alone() -> None:
    game = gamedsl.load("kuhn_poker")
    state = game.position("card[Ann]=K card[Bob]=Q")
    assert game.view(state).card == {"Ann": "K", "Bob": "Q"}
    assert game.view(state, 1).card == {"Bob": "Q"}
    with pytest.raises(NoSuchCellError, match=r"card\[Ann\].*hidden"):
        _ = game.view(state, 1)["card", "Ann"]


def test_a_cell_is_unseen_before_it_is_set() -> None:
    game = gamedsl.load("kuhn_poker")
    assert game.view(game.initial_state()).card == {}


def test_positions_are_reached_by_moves_as_people_write_them() -> None:
    game = gamedsl.load("tic_tac_toe")
    state = game.position("a1 b2")
    by_hand = game.initial_state()
    for name in ("mark(a1)", "b2"):
        by_hand = game.result(by_hand, name)
    assert state == by_hand
    assert game.position("c3", state) == game.result(state, game.action_named(state, "c3"))
    assert game.position() == game.initial_state()
    with pytest.raises(gamedsl.IllegalActionError, match="legal are"):
        game.result(state, "a1")


def test_rewards_are_asked_by_name() -> None:
    game = gamedsl.load(
        "game 'Paid'\nplayers A\nstate:\n    n: 0..2 = 2\nmove take(k in 1..2):\n"
        "    require k <= n\n    n -= k\n    reward A: k\nend:\n    if n == 0: draw\n".replace(
            "'", '"'
        )
    )
    assert game.rewards(game.initial_state(), "take(2)") == (2,)
    play = game.play([first])
    assert play.payoffs == (2,)


@pytest.mark.parametrize(("name", "count"), [("tic_tac_toe", 5478), ("kuhn_poker", 58)])
def test_all_states_are_enumerated_once(name: str, count: int) -> None:
    game = gamedsl.load(name)
    found = list(game.states())
    assert len(found) == len(set(found)) == count
    assert found[0] == game.initial_state()


def test_states_are_found_when_they_are_asked_for() -> None:
    game = gamedsl.load("chess")
    states = game.states()
    assert [next(states) for _ in range(21)][1:] == [
        game.result(game.initial_state(), action)
        for action in game.legal_actions(game.initial_state())
    ]


def test_states_begin_anywhere() -> None:
    game = gamedsl.load("tic_tac_toe")
    over = game.position("a1 a2 b1 b2 c1")
    assert list(game.states(over)) == [over]


def test_agents_play_and_the_record_leads_back() -> None:
    game = gamedsl.load("tic_tac_toe")
    play = game.play([first, lambda view: view.action_names[-1]])
    assert str(play) == "mark(a1) mark(c3) mark(b1) mark(b3) mark(c1)"
    assert play.payoffs == (1, -1)
    assert game.position(str(play)) == play.state


def test_agents_see_what_their_players_see_and_chance_is_drawn_by_the_seed() -> None:
    game = gamedsl.load("kuhn_poker")
    seen: list[object] = []

    def agent(view: StateView) -> str:
        seen.append((view.viewer, view.card))
        return view.action_names[0]

    play = game.play([agent, agent], seed=3)
    assert all(set(card) == {"Ann" if viewer == 0 else "Bob"} for viewer, card in seen)  # type: ignore[misc]
    assert play == game.play([agent, agent], seed=3)
    assert len({game.play([agent, agent], seed=seed).names[:2] for seed in range(30)}) == 6


def test_all_who_choose_at_once_are_asked() -> None:
    game = gamedsl.load("rock_paper_scissors")
    play = game.play([first, lambda view: view.action_names[1]])
    assert play.payoffs is not None
    assert set(play.payoffs) == {Fraction(1), Fraction(-1)}


def test_a_play_without_end_is_broken_off() -> None:
    game = gamedsl.load("tic_tac_toe")
    play = game.play([first, first], longest=3)
    assert len(play.steps) == 3
    assert play.payoffs is None


@pytest.mark.parametrize("answer", ["a1", 99, None])
def test_an_agent_that_answers_wrongly_is_told_so(answer: object) -> None:
    game = gamedsl.load("tic_tac_toe")
    with pytest.raises(gamedsl.IllegalActionError) as refused:
        game.play([first, lambda _: answer])  # type: ignore[arg-type, return-value]
    assert refused.value.__notes__ == ["it was for O to answer"]


def test_every_player_needs_an_agent() -> None:
    with pytest.raises(ValueError, match="an agent is needed for each of X, O; there are 1"):
        gamedsl.load("tic_tac_toe").play([first])


def test_a_misspelt_shipped_game_is_suggested() -> None:
    with pytest.raises(gamedsl.GameSourceError, match=r"did you mean .* `tic_tac_toe`"):
        gamedsl.load("tictactoe")


def test_a_traceback_shows_line_and_hint() -> None:
    with pytest.raises(gamedsl.GameSourceError, match=r"line 6: .*write `==`"):
        gamedsl.load(
            'game "G"\nplayers A\nstate:\n    n: 0..1 = 0\n'
            "move go:\n    require n = 0\n    n = 1\nend:\n    if n == 1: draw\n"
        )
