"""What single constructs mean, asked of the interpreter itself."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gamedsl.game import LoadedGame
from gamedsl.interpreter.rules import RulesInterpreter
from gamedsl.model import GameRuleError
from gamedsl.model.operations import scale
from gamedsl.model.values import NONE
from tests.unit.interpreter.playing import cells, legal_names, loaded, play, shipped

RULES = """players P
board 2 wide 2 high
state:
    spare: 0..3 = 0
    at[n in 1..3]: 0..3 = 0
    got: 0..9 = 0
move go(n in 0..3):
    {body}
end:
    if spare == 3: P wins
endless: P loses
"""


def after(body: str, move: str) -> dict[str, str]:
    game = loaded(RULES.format(body=body))
    return cells(game, play(game, move))


@pytest.mark.parametrize(("number", "got"), [(1, "4"), (2, "5"), (3, "6")])
def test_of_several_branches_one_is_taken_the_last_if_no_other_is(number: int, got: str) -> None:
    body = (
        "if n == 1:\n        got = 4\n    elif n == 2:\n        got = 5\n    else:\n        got = 6"
    )
    assert after(body, f"go({number})")["got"] == got


@pytest.mark.parametrize(
    ("test", "legal"),
    [
        ("{n, 1} == {1, 2}", [2]),
        ("{n, 1} != {1, 2}", [0, 1, 3]),
        ("n == 0 or n == 2 or n == 3", [0, 2, 3]),
        ("n > 0 and n < 3 and n != 2", [1]),
        ("min(n, 3, 2) == 2", [2, 3]),
        ("n / 1 == 3", [3]),
    ],
)
def test_a_condition_is_legal_for_these(test: str, legal: list[int]) -> None:
    game = loaded(RULES.format(body=f"require {test}"))
    assert legal_names(game, game.initial_state()) == [f"go({n})" for n in legal]


def test_what_does_not_fit_a_cell_is_told_by_the_name_of_the_cell() -> None:
    game = loaded(RULES.format(body="at[2] = n + 1"))
    with pytest.raises(GameRuleError, match=r"`at\[2\]`.*4|4.*`at\[2\]`"):
        play(game, "go(3)")


def test_of_moves_that_pay_nothing_nothing_is_got() -> None:
    game = loaded(RULES.format(body="got = n"))
    assert rewards_of(game) == {(Fraction(0),)}
    paying = loaded(RULES.format(body="reward P: n"))
    assert rewards_of(paying) == {(Fraction(n),) for n in range(4)}


def test_a_tree_pays_at_its_leaves_alone_and_hides_by_its_information_sets() -> None:
    game = shipped("beer_and_quiche")
    state = play(game, game.action_name(game.initial_state(), chance_of(game)))
    assert not any(game.engine.is_secret(action) for action in game.legal_actions(state))
    assert rewards_of(game, state) == {(Fraction(0), Fraction(0))}


def chance_of(game: LoadedGame) -> int:
    return game.chance_outcomes(game.initial_state())[0][0]


def rewards_of(game: LoadedGame, state: object = None) -> set[tuple[Fraction, ...]]:
    at = game.initial_state() if state is None else state
    return {tuple(game.engine.rewards(at, action)) for action in game.legal_actions(at)}


def test_a_number_times_none_is_none_in_either_order() -> None:
    assert scale(2, NONE) is NONE
    assert scale(NONE, 2) is NONE


@pytest.mark.parametrize("order", ["n < other", "other >= n"])
def test_a_number_is_not_compared_with_what_may_be_none(order: str) -> None:
    text = RULES.replace("got: 0..9 = 0", "got: 0..9 = 0\n    other: none | 0..3 = none")
    game = loaded(text.format(body=f"require {order}"))
    with pytest.raises(GameRuleError, match="none"):
        game.legal_actions(game.initial_state())


@pytest.mark.parametrize(("most", "is_enough"), [(4, True), (3, False)])
def test_every_call_of_a_definition_is_counted_once(most: int, is_enough: bool) -> None:
    text = RULES.replace("state:", "def down(n in 0..3) = 0 if n == 0 else down(n - 1)\nstate:")
    game = loaded(text.format(body="require n == 3 and down(n) == 0"))
    assert isinstance(game.engine, RulesInterpreter)
    game.engine._expressions.most_calls = most
    if is_enough:
        assert legal_names(game, game.initial_state()) == ["go(3)"]
        return
    with pytest.raises(GameRuleError, match="has led to 3 more"):
        game.legal_actions(game.initial_state())
