"""Matches: paired games, intervals, records that go on."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.model import IllegalActionError, UnsupportedGameError
from gamedsl.reports.counts.matches import match_text
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.matches import players
from gamedsl.solvers.matches.elo import (
    SequentialTest,
    elo,
    elo_interval,
    expected_score,
    mean_interval,
    ratings,
    sequential_test,
)
from gamedsl.solvers.matches.match import Effort, MatchResult, Pair, PlayedGame, play_pair
from gamedsl.solvers.matches.players import PlayerTextError, RandomPlayer, player_settings


def chance_against_chance(name: str, number: int = 0) -> MatchResult:
    game = gamedsl.load(name)
    players = RandomPlayer(game, Random(1)), RandomPlayer(game, Random(2))
    return MatchResult((play_pair(game, players, number, 3),))


def test_the_games_of_a_pair_have_the_opening_in_common_and_the_seats_changed() -> None:
    first, second = chance_against_chance("connect_four").pairs[0].games
    assert (first.seats, second.seats) == ((0, 1), (1, 0))
    assert first.moves[:2] == second.moves[:2]
    assert first.moves != second.moves


def test_the_games_of_a_pair_have_the_deal_in_common() -> None:
    first, second = chance_against_chance("kuhn_poker").pairs[0].games
    assert first.moves[:2] == second.moves[:2]


def test_a_player_takes_each_seat_of_three() -> None:
    result = chance_against_chance("kuhn_poker_several")
    assert [game.seats for game in result.pairs[0].games] == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert result.elo is None
    game = result.pairs[0].games[0]
    assert game.margin == game.payoffs[0] - (game.payoffs[1] + game.payoffs[2]) / 2


ENDLESS = """game "For ever"
players Ann, Bob
{discount}
state:
    at[players]: bool = false
move go(b in bool):
    at[turn] = b
    reward Ann: 1/2
end:
    if at[Ann] and not at[Ann]: draw
endless: Bob wins
"""


@pytest.mark.parametrize(
    ("discount", "payoffs"), [("", (1, 1)), ("discount = 1/2", (1, 0)), ("discount = 1", (1, 1))]
)
def test_a_game_that_is_broken_off_counts_as_endless_play(
    discount: str, payoffs: tuple[int, int]
) -> None:
    game = gamedsl.load(ENDLESS.format(discount=discount))
    players = RandomPlayer(game, Random(1)), RandomPlayer(game, Random(2))
    plies = 4 if game.facts.discount == 1 else 100
    played = play_pair(game, players, 0, 3, longest=plies).games
    assert all(game.payoffs == payoffs for game in played)


def test_rewards_count_and_choices_at_once_are_made() -> None:
    for name in ("repeated_dilemma", "goofspiel"):
        assert all(game.payoffs for game in chance_against_chance(name).pairs[0].games)


def test_a_single_player_has_no_match() -> None:
    with pytest.raises(UnsupportedGameError, match="two players"):
        chance_against_chance("eight_puzzle")


def test_simulated_plays_beat_chance() -> None:
    result = gamedsl.match("tic_tac_toe", "search:plays=60", "random", pairs=4)
    won, _, lost = result.tally
    assert won > lost
    assert result.elo is not None
    assert result.elo.mean > 0
    assert result.efforts[0].unadvised == 0


def test_elo_by_hand() -> None:
    assert round(elo(10 / 11, 1000)) == 400
    assert elo(0.5, 10) == 0
    assert elo_interval([1.0] * 5).high < 800
    assert elo_interval([1.0] * 5).low < elo_interval([1.0] * 50).low
    assert mean_interval([1.0, 3.0]).mean == 2


def test_ratings_add_up_along_a_chain_and_agree_with_a_single_match() -> None:
    strong, middle, weak = ratings(3, [(0, 1, 91, 100), (1, 2, 91, 100)])
    assert strong + middle + weak == pytest.approx(0)
    assert strong - middle == pytest.approx(middle - weak)
    assert strong - middle == pytest.approx(elo(91.5 / 101, 100))


def test_processor_time_is_read_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(players, "process_time", lambda: next(ticks) / 1000)
    game = gamedsl.load("hex")
    for text, is_read in (("search:time=0.01", False), ("search:cpu=0.01", True)):
        player = players.player_of(player_settings(text), game, Random(1))
        player.choose(((game.initial_state(), None),), 0)
        assert (next(ticks) > 1) is is_read


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("serch", "did you mean search?"),
        ("levle:3", "did you mean level:1?"),
        ("level3", "did you mean level:1?"),
        ("search:plays=none", "a number above 0"),
        ("search:time=0", "a number above 0"),
        ("search:time=nan", "a number above 0"),
        ("random:time=1", "no options"),
        ("best:plays=3", "has the option `time` or `cpu`, found"),
        ("openspiel:time=1", "has the option `plays`, found"),
        ("search:cpu=0.1,time=1", "has a single limit, found"),
    ],
)
def test_a_text_that_is_no_player_is_explained(text: str, reason: str) -> None:
    with pytest.raises(PlayerTextError, match=reason):
        player_settings(text)


def test_settings_are_written_as_they_are_read() -> None:
    texts = "random", "search:plays=7", "search:cpu=0.5", "best:time=0.2", "openspiel:plays=9"
    for text in texts:
        assert str(player_settings(text)) == text


def test_no_difference_has_no_sign_of_a_loss() -> None:
    draws = PlayedGame((0, 1), (), (Fraction(0), Fraction(0)))
    result = MatchResult((Pair(0, (draws, draws), (Effort(), Effort())),))
    assert "Elo       +0 (" in match_text(gamedsl.load("nim"), ("best", "best"), result)


def test_a_match_goes_on_from_its_record(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    gamedsl.match("tic_tac_toe", "random", "random", pairs=2, record=record)
    lines = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join(lines) + lines[-1][:20], "utf-8")  # broken off while writing
    result = gamedsl.match("tic_tac_toe", "random", "random", pairs=3, record=record)
    assert len(result.pairs) == 3
    assert record.read_text("utf-8").splitlines(keepends=True)[:3] == lines
    game = result.pairs[2].games[0]
    after = gamedsl.load("tic_tac_toe").position(" ".join(game.moves))
    assert gamedsl.load("tic_tac_toe").utilities(after) == game.payoffs


def test_a_record_of_another_match_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    gamedsl.match("tic_tac_toe", "random", "random", pairs=1, record=record)
    with pytest.raises(ValueError, match="another seed"):
        gamedsl.match("tic_tac_toe", "random", "random", pairs=1, record=record, seed=2)
    record.write_text("something else\n", "utf-8")
    with pytest.raises(ValueError, match="not the record"):
        gamedsl.match("tic_tac_toe", "random", "random", pairs=1, record=record)


def test_a_sequential_test_ends_with_the_difference_that_is_there() -> None:
    """Of 100 tests at either difference one in twenty may be wrong, but for the approximation."""
    test = sequential_test("0,100")
    for difference in (0, 100):
        rng, score, wrong = Random(4), expected_score(difference), 0
        for _ in range(100):
            pairs: list[float] = []
            while (verdict := test.verdict(pairs)) is None:
                pairs.append(sum(rng.random() < score for _ in range(2)) / 2)
            wrong += verdict is not (difference == 100)
        assert wrong <= 16
    assert SequentialTest(0, 50).verdict([1.0]) is None


@pytest.mark.parametrize("text", ["5", "50,0", "a,b", "0,0", "0,nan", "0,2000"])
def test_a_sequential_test_needs_two_differences(text: str) -> None:
    with pytest.raises(ValueError, match="the smaller first"):
        sequential_test(text)


def test_a_match_ends_as_soon_as_its_test_is_decided() -> None:
    result = gamedsl.match("connect_small", "search:plays=200", "random", pairs=200, sprt=(0, 200))
    assert 2 <= len(result.pairs) < 50


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("level:0", "level:10"), ("level:11", "found `level:11`"), ("level", "level:1"),
        ("uci:", "command"), ("json:time=1", "command"), ("uci:time=0,x", "above 0"),
    ],
)  # fmt: skip
def test_levels_and_programs_that_are_none(text: str, why: str) -> None:
    with pytest.raises(PlayerTextError, match=why):
        player_settings(text)


@pytest.mark.parametrize("text", ["level:3", "uci:time=0.2,stockfish -x a,b", "json:time=1,a b"])
def test_the_text_of_a_player_is_read_as_written(text: str) -> None:
    assert str(player_settings(text)) == text


def test_levels_wait_for_machine_code_where_it_is_asked_for() -> None:
    """Else a slow machine has other levels: alpha-beta in Python looks at whole depths only."""
    game = gamedsl.load("othello_small")
    adviser = Adviser(game, Random(1))
    state = game.initial_state()
    adviser.prepare(state)
    few, many = (adviser.estimate(state, budget=plays) for plays in (4, 9))
    assert (few.nodes, many.nodes) == (4, 9)


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["do"] == "quit":
        break
    print(json.dumps({"action": "take(1, 1)"} if asked["do"] == "best" else {}), flush=True)
"""


def test_another_program_plays_a_match(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    command = f"{sys.executable} {tmp_path / 'program.py'}"
    with pytest.raises(IllegalActionError, match="take"):  # it knows one move
        gamedsl.match("nim", "random", f"json:{command}", pairs=1)
    result = gamedsl.match(ONE_HEAP, "random", f"json:{command}", pairs=1)
    assert all("take(1, 1)" in game.moves for game in result.pairs[0].games)


ONE_HEAP = """game "One by one"
players A, B
state:
    left: 0..9 = 9
move take(heap in 1..1, n in 1..1):
    left -= n
end:
    if left == 0: draw
"""
