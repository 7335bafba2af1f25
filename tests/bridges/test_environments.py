"""Games as environments of PettingZoo and Gymnasium, before these projects' own checkers."""

from __future__ import annotations

import pytest

import gamedsl
from tests.bridges.checkers import gymnasium_says, pettingzoo_says

SEVERAL = (
    "tic_tac_toe",  # players take turns
    "kuhn_poker",  # chance, hidden cards
    "goofspiel",  # choices at once
    "goofspiel_by_lot",  # both
    "three_player_race",
    "beer_and_quiche",  # a tree
    "repeated_dilemma",  # rewards
    "pig",  # play may return
)
PUZZLES = ("frozen_lake", "eight_puzzle", "grid_world", "secretary")


@pytest.fixture(autouse=True)
def _needs_gymnasium() -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install gymnasium")


@pytest.mark.parametrize("name", [*SEVERAL, "frozen_lake"])
def test_pettingzoo_has_no_complaint(name: str) -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    assert pettingzoo_says(name, 20) == []


@pytest.mark.parametrize("name", PUZZLES)
def test_gymnasium_has_no_complaint(name: str) -> None:
    assert gymnasium_says(name) == []


def test_the_mask_has_the_legal_actions_and_an_illegal_one_ends_the_play() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from gamedsl.pettingzoo import env

    table = env("tic_tac_toe")
    table.reset()
    for action in (0, 4):
        table.step(action)
    seen = table.observe("player_0")
    assert [*seen["action_mask"]] == [0, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not table.observe("player_1")["action_mask"].any()
    assert table.observation_space("player_0").contains(seen)
    table.step(4)
    assert table.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert all(table.terminations.values())


def test_choices_at_once_are_hidden_until_the_last() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from gamedsl.pettingzoo import env

    table = env("rock_paper_scissors")
    table.reset()
    before = table.observe("player_1")["observation"].copy()
    table.step(0)
    assert table.agent_selection == "player_1"
    assert (table.observe("player_1")["observation"] == before).all()
    table.step(1)
    assert table.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_who_does_not_choose_waits_in_the_parallel_environment() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from gamedsl.pettingzoo import parallel_env

    table = parallel_env("tic_tac_toe")
    seen, _ = table.reset()
    assert [*seen["player_1"]["action_mask"]] == [0] * 9 + [1]
    assert seen["player_0"]["action_mask"][-1] == 0
    at_once = parallel_env("goofspiel")
    assert at_once.action_space("player_0").n == gamedsl.load("goofspiel").facts.action_count


def test_a_play_of_the_environment_pays_what_the_game_pays() -> None:
    import gymnasium

    import gamedsl.gymnasium

    assert gamedsl.gymnasium
    lake = gymnasium.make("gamedsl/frozen_lake-v0").unwrapped
    returns = []
    for seed in range(30):
        _, info = lake.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            action = int(lake.np_random.choice(info["action_mask"].nonzero()[0]))
            _, reward, ended, cut, info = lake.step(action)
            over, total = ended or cut, total + reward
        moment = lake.sitting.moment
        assert total == float(moment.returns[0])
        returns.append(total)
    assert set(returns) == {0.0, 1.0}


def test_a_game_of_two_is_no_puzzle() -> None:
    import gamedsl.gymnasium

    with pytest.raises(ValueError, match="Nim has 2 players"):
        gamedsl.gymnasium.PuzzleEnvironment("nim")
    with pytest.raises(ValueError, match="`render_mode` is ansi, human or None, not 'rgb_array'"):
        gamedsl.gymnasium.PuzzleEnvironment("frozen_lake", render_mode="rgb_array")
    with pytest.raises(gamedsl.GameSourceError, match="did you mean the shipped game"):
        gamedsl.gymnasium.PuzzleEnvironment("frozen_lac")


def test_a_step_before_the_beginning_is_refused_with_a_sentence() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    import gymnasium

    from gamedsl.pettingzoo import env, parallel_env

    with pytest.raises(gymnasium.error.ResetNeeded, match="call `reset` first"):
        env("nim").step(0)
    with pytest.raises(gymnasium.error.ResetNeeded, match="call `reset` first"):
        parallel_env("nim").step({})
    with pytest.raises(ValueError, match="whole numbers, not 'x'"):
        gamedsl.batch("nim", "x")  # type: ignore[arg-type]
