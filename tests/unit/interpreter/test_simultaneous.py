"""All choose at once: nobody sees another's choice, and no order can matter."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from gamedsl import SIMULTANEOUS, GameRuleError, IllegalActionError
from tests.unit.interpreter.playing import cells, loaded, shipped

COPY = """game "Copycats"
players {players}
state:
    card[p in players]: 1..3 = 1 if p == A else 2 if p == B else 3
    rounds[players]: 0..9 = 0
simultaneous copy(p in players where p != me):
    card[me] = card[p]
    rounds[me] += 1
end:
    if rounds[A] == 2: payoff p: card[p]
"""


@pytest.mark.parametrize("order", list(permutations(["A", "B", "C"])))
def test_the_order_of_the_players_is_no_matter(order: tuple[str, ...]) -> None:
    game = loaded(COPY.replace("{players}", ", ".join(order)))
    state = game.initial_state()
    wanted = {"A": "copy(B)", "B": "copy(C)", "C": "copy(A)"}
    choice = tuple(game.action_named(state, wanted[player.name], player) for player in game.players)
    found = cells(game, game.result(state, choice))
    assert [found[f"card[{name}]"] for name in "ABC"] == ["2", "3", "1"]


def test_each_has_legal_actions_of_his_own() -> None:
    game = loaded(COPY.replace("{players}", "A, B, C"))
    state = game.initial_state()
    assert game.current_player(state) == SIMULTANEOUS
    names = [
        [game.action_name(state, a) for a in game.legal_actions(state, p)] for p in game.players
    ]
    assert names[0] == ["copy(B)", "copy(C)"]
    assert names[2] == ["copy(A)", "copy(B)"]
    with pytest.raises(ValueError, match="name the player"):
        game.legal_actions(state)


@pytest.mark.parametrize("choice", [0, (0,), (0, 0, 0), (1, 1, 0, 0), (1, 1, 0)])
def test_a_choice_that_is_not_one_legal_action_each_is_refused(choice: object) -> None:
    game = loaded(COPY.replace("{players}", "A, B, C"))
    with pytest.raises(IllegalActionError):
        game.result(game.initial_state(), choice)  # type: ignore[arg-type]


def test_nobody_learns_the_choice_of_another_before_his_own() -> None:
    game = shipped("rock_paper_scissors")
    state = game.initial_state()
    seen = {game.information_state([(state, None)], p) for p in game.players}
    assert len(seen) == 1
    after = game.result(state, (0, 1))
    told = game.information_state([(state, (0, 1)), (after, None)], 0)
    assert ("all", (0, 1)) in told


def test_an_error_in_one_body_names_the_whole_choice() -> None:
    text = COPY.replace("{players}", "A, B").replace(
        "rounds[me] += 1", "rounds[me] += 5 * card[me]"
    )
    game = loaded(text)
    state = game.initial_state()
    choice = tuple(game.legal_actions(state, p)[0] for p in game.players)
    with pytest.raises(GameRuleError) as caught:
        game.result(state, choice)
    assert {"copy(B)", "copy(A)"} == set(re.split(r"[^\w()]+", caught.value.action or ""))
    assert caught.value.message == "`rounds[A]` can reach 10, its domain is `0..9`"
