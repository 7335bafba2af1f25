"""Games of the language in OpenSpiel, and games of OpenSpiel by the contract."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import gamedsl
from tests.bridges.checkers import openspiel_says

FILES = (
    "tic_tac_toe connect_four breakthrough nim chomp hexapawn othello_small pig craps_throws "
    "knuth_yao_tosses frozen_lake grid_world eight_puzzle lights_out kuhn_poker kuhn_poker_several "
    "leduc_poker liars_dice phantom_line hidden_coin monty_hall goofspiel goofspiel_by_lot "
    "rock_paper_scissors repeated_dilemma market_entry blotto_three_fields morra auction "
    "three_player_race aima_three_player aima_fig_5_2 beer_and_quiche centipede ultimatum "
    "secretary shut_the_box yahtzee_turn dark_hex phantom_tic_tac_toe expectiminimax nim_misere"
)
"""Of all kinds: chance, hidden information, choices at once, one to three players, rewards, trees,
play that returns, included files."""


@pytest.fixture(autouse=True)
def spiel() -> ModuleType:
    pytest.importorskip("numpy", reason="numpy is not installed: pip install numpy")
    found: ModuleType = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    return found


@pytest.mark.parametrize("name", FILES.split())
def test_openspiel_has_no_complaint(name: str) -> None:
    assert openspiel_says(name) == []


def test_regrets_of_openspiel_go_to_the_value_that_the_solver_proves(spiel: ModuleType) -> None:
    import gamedsl.openspiel

    game = gamedsl.openspiel.load("kuhn_poker")
    solver = spiel.CFRSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert spiel.exploitability(game, policy) < 0.02
    values = spiel.expected_returns(game.new_initial_state(), policy, -1, True)
    proved = gamedsl.solve("kuhn_poker").value
    assert values == pytest.approx([float(value) for value in proved], abs=0.02)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("kuhn_poker", "kuhn_poker"),
        ("kuhn_poker_several", "kuhn_poker(players=3)"),
        ("liars_dice", "liars_dice(dice_sides=3)"),
        ("leduc_poker", "leduc_poker(suit_isomorphism=true)"),
    ],
)
def test_random_play_is_as_exploitable_as_in_the_game_of_openspiel(
    ours: str, theirs: str, spiel: ModuleType
) -> None:
    import gamedsl.openspiel

    games = gamedsl.openspiel.load(ours), spiel.load_game(theirs)
    found = [spiel.nash_conv(game, spiel.UniformRandomPolicy(game)) for game in games]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice", "centipede", "monty_hall"])
def test_openspiel_confirms_the_strategies_of_a_solution(name: str, spiel: ModuleType) -> None:
    import gamedsl.openspiel

    solution = gamedsl.solve(name)
    game, policy = gamedsl.openspiel.policy(solution)
    assert spiel.expected_returns(game.new_initial_state(), policy, -1, True) == pytest.approx(
        [float(value) for value in solution.value or ()]
    )
    if solution.value and sum(solution.value) == 0:
        assert spiel.exploitability(game, policy) == pytest.approx(0, abs=1e-12)


def test_strategies_of_games_of_openspiel_and_games_that_are_too_large(spiel: ModuleType) -> None:
    import gamedsl.openspiel

    solution = gamedsl.solve(gamedsl.from_openspiel("kuhn_poker"))
    assert spiel.exploitability(*gamedsl.openspiel.policy(solution)) == pytest.approx(0, abs=1e-12)
    with pytest.raises(gamedsl.UnsupportedGameError, match="plays without end"):
        gamedsl.openspiel.policy(gamedsl.solve("craps_throws"))


def test_parameters_are_written_in_the_name(spiel: ModuleType, tmp_path: Path) -> None:
    import gamedsl.openspiel

    game = spiel.load_game("gamedsl(file=nim,sizes=[1;2])")
    assert (game.max_game_length(), game.utility_sum(), str(game)) == (
        3,
        0.0,
        "gamedsl(file=nim,sizes=[1;2])",
    )
    own = tmp_path / "own.game"
    own.write_text(
        'game "Own"\nparam most = 2\nplayers A, B\nstate:\n    left: 0..5 = 5\n'
        "move take(n in 1..most):\n    require n <= left\n    left -= n\n"
        "end:\n    if left == 0: opponent wins\n"
    )
    assert gamedsl.openspiel.register(own) == "gamedsl_own"
    assert spiel.load_game("gamedsl_own(most=3)").num_distinct_actions() == 3
    assert gamedsl.openspiel.load(own, most=1).max_game_length() == 5
    again = spiel.deserialize_game_and_state(
        spiel.serialize_game_and_state(game, game.new_initial_state().child(0))
    )[1]
    assert again.legal_actions() == game.new_initial_state().child(0).legal_actions()


def test_what_is_wrong_is_said(spiel: ModuleType) -> None:
    import gamedsl.openspiel

    assert gamedsl.openspiel
    for name, said in (
        ("gamedsl(file=kuhn_pokr)", "did you mean the shipped game `kuhn_poker`"),
        ("gamedsl(file=nim,width=3)", "this game has no parameter `width`; it has `sizes`"),
        ("gamedsl(file=nim,longest=0)", "at least 1 ply, not 0"),
        ("gamedsl", "name a file or a shipped game"),
    ):
        with pytest.raises((ValueError, gamedsl.GameSourceError)) as caught:
            spiel.load_game(name)
        assert said in str(caught.value)


@pytest.mark.parametrize("name", ["hexapawn", "openspiel:tic_tac_toe"])
def test_the_tree_search_of_openspiel_plays_a_match(name: str) -> None:
    pytest.importorskip("open_spiel.python.algorithms.mcts", reason="absl-py is not installed")
    result = gamedsl.match(name, "openspiel:plays=200", "random", pairs=2)
    won, _, lost = result.tally
    assert won > lost


def test_the_search_of_openspiel_plays_whole_games() -> None:
    pytest.importorskip("open_spiel.python.algorithms.mcts", reason="absl-py is not installed")
    with pytest.raises(gamedsl.UnsupportedGameError, match="plays whole games"):
        gamedsl.match("tic_tac_toe", "openspiel:plays=9", "random", "a1 b2 c3", pairs=1)


def test_the_process_ends_well() -> None:
    """OpenSpiel frees what is registered after the end of Python."""
    code = "import pyspiel, gamedsl.openspiel; gamedsl.openspiel.load('nim'); print('done')"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")


# --- inwards -----------------------------------------------------------------------------------


def test_games_of_openspiel_are_solved_and_counted() -> None:
    kuhn = gamedsl.from_openspiel("kuhn_poker")
    assert gamedsl.solve(kuhn).value == (Fraction(-1, 18), Fraction(1, 18))
    assert gamedsl.solve(gamedsl.from_openspiel("matrix_pd")).value == (1, 1)
    nim = gamedsl.from_openspiel("nim(pile_sizes=1;2)", merged=True)
    assert gamedsl.perft(nim, 2) == gamedsl.perft(gamedsl.load("nim", sizes=[1, 2]), 2)
    assert nim.position("pile:1, take:1;") == nim.result(
        nim.initial_state(), nim.legal_actions(nim.initial_state())[0]
    )


def test_plays_of_one_text_are_one_state_only_if_they_go_on_alike() -> None:
    apart, merged = (gamedsl.from_openspiel("tic_tac_toe", merged=one) for one in (False, True))
    moves = ("x(0,0)", "o(1,1)", "x(0,1)"), ("x(0,1)", "o(1,1)", "x(0,0)")
    for game, same in ((apart, False), (merged, True)):
        ends = []
        for play in moves:
            state = game.initial_state()
            for move in play:
                state = game.result(state, move)
            ends.append(state)
        assert (ends[0] == ends[1]) == same
    with pytest.raises(ValueError, match="pays during play"):
        gamedsl.from_openspiel("cliff_walking", merged=True)


def test_games_that_openspiel_does_not_have_are_named() -> None:
    with pytest.raises(ValueError, match="no game `kun_poker`; did you mean `kuhn_poker`"):
        gamedsl.from_openspiel("kun_poker")
    with pytest.raises(ValueError, match="Unknown parameter 'piles'"):
        gamedsl.from_openspiel("nim(piles=3)")
    with pytest.raises(gamedsl.UnsupportedGameError, match="mean field game"):
        gamedsl.from_openspiel("mfg_crowd_modelling")
    with pytest.raises(gamedsl.UnsupportedGameError, match="without rules as text"):
        gamedsl.explain(gamedsl.from_openspiel("nim"))


@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        ("tic_tac_toe", "tic_tac_toe", {}),
        ("liars_dice", "liars_dice(dice_sides=3)", {}),
        ("rock_paper_scissors", "matrix_rps", {}),
        ("nim", "nim(pile_sizes=3;4;5,is_misere=false)", {}),
        (
            "kuhn_poker",
            "kuhn_poker",
            {"check": "Pass", "fold": "Pass", "bet": "Bet", "call": "Bet"},
        ),
    ],
)
def test_the_same_rules_are_found_to_be_the_same(
    ours: str, theirs: str, names: dict[str, str]
) -> None:
    found = gamedsl.compare(ours, f"openspiel:{theirs}", names=names, positions=300, plays=2)
    assert found.is_same, str(found)


def test_players_in_another_order_and_moves_in_a_notation_are_matched() -> None:
    """OpenSpiel's White is player 1; in antichess a capture in passing is no capture there."""
    text = str(gamedsl.compare("chess", "openspiel:chess", positions=30, plays=0))
    assert "White is player 1 there" in text
    assert "no difference" in text
    passing = {"positions": 1, "plays": 100, "longest": 100}
    difference = gamedsl.compare("antichess", "openspiel:antichess", **passing).difference
    assert difference is not None
    assert re.fullmatch(r"legal (here|there) alone: [a-h]x[a-h][36]", difference.said)


def test_a_difference_from_openspiel_is_found() -> None:
    found = gamedsl.compare("nim", "openspiel:nim(pile_sizes=3;4;5)").difference
    assert found is not None
    assert (len(found.play), found.said) == (3, "the game pays 1, -1 here, -1, 1 there")
