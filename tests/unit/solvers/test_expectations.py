"""`expect` lines verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import gamedsl
from gamedsl.model.elaborate.declarations import claims
from gamedsl.solvers import expectations, planner, problem
from gamedsl.solvers.chance import value_iteration
from gamedsl.solvers.exact import puzzle
from gamedsl.solvers.expectations import Verifier, verify, verify_all
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.solution import Goal, Status

NIM = """\
game "Nim"
param sizes = [3, 4, 5]
players A, B
state:
    left[h in 1..len(sizes)]: 0..max(sizes) = sizes[h]
move take(h in 1..len(sizes), n in 1..max(sizes)):
    require n <= left[h]
    left[h] -= n
end:
    if stuck: turn loses
"""
COIN = """\
game "Coin"
players A, B
state:
    side: 0..2 = 2
move flip:
    chance side in {0: 1/3, 1: 2/3}
end:
    if side == 0: A wins
    if side == 1: B wins
"""
ENDLESS = """\
game "Walk"
players A, B
state:
    at: 0..2 = 0
move step:
    at = (at + 1) % 3
end:
    if at == 5: A wins
endless: draw
"""

LONG_WAY = """\
game "Long way"
players P
state:
    at: 0..40 = 0
move go(n in 1..2):
    require at == 0
    at = 1 if n == 1 else 2
move on:
    require at > 1
    at += 1
end:
    if at == 1 or at == 40: P wins
"""


def verdict(text: str, *lines: str, **options: Any) -> Any:
    whole = text + "\n" + "".join(f"expect {line}\n" for line in lines)
    game = gamedsl.load(whole)
    found = verify_all(
        game, game.expectations, lambda settings: gamedsl.load(whole, **settings), **options
    )
    return found[0] if len(found) == 1 else found


@pytest.mark.parametrize(
    "line",
    [
        "value: A wins",
        "value: 1",
        "value: (1, -1)",
        "value: 1.0",
        "value with sizes = [1, 2, 3]: B wins",
        "states: 232",
        "terminals: 2",
        "chances: 0",
        "actions: 15",
        "perft 2: 113",
        "perft 2 turns: 113",
        "plays with sizes = [1, 1]: 2",
        "histories with sizes = [1, 1]: 5",
        "longest: 12",
        "plies: 11",
        "best: take(1, 2)",
        "best with sizes = [1, 1, 1]: take(1, 1), take(3, 1), take(2, 1)",
        "best with sizes = [1, 1, 2]: take(3, 2)",
        "best with sizes = [2, 2]: take(1, 1), take(1, 2), take(2, 1), take(2, 2)",
        "progress with sizes = [2, 2]: take(1, 1), take(2, 1)",
        "infosets with sizes = [1, 1]: 3",
    ],
)
def test_a_true_claim_holds(line: str) -> None:
    found = verdict(NIM, line)
    assert found.ok is True, found
    assert found.expected == line.partition(": ")[2]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("value: B wins", "(1, -1), A wins"),
        ("value: draw", "(1, -1), A wins"),
        ("value: 2", "(1, -1), A wins"),
        ("value: 0.9", "(1, -1), A wins"),
        ("value with sizes = [1, 2, 3]: A wins", "(-1, 1), B wins"),
        ("states: 231", "232"),
        ("perft 2: 124", "113"),
        ("longest: 11", "12"),
        ("plies: 12", "11"),
        ("best: take(1, 1)", "take(1, 2)"),
        ("best: take(1, 2), take(1, 1)", "take(1, 2)"),
        ("best with sizes = [1, 1]: take(1, 1)", "take(1, 1), take(2, 1)"),
        ("best: take(9, 9)", "take(1, 2)"),
        ("progress with sizes = [2, 2]: take(1, 1)", "take(1, 1), take(2, 1)"),
        ("progress with sizes = [2, 2]: take(1, 2)", "take(1, 1), take(2, 1)"),
        ("infosets with sizes = [1, 1]: 4", "3"),
    ],
)
def test_a_false_claim_fails_and_says_what_was_found(line: str, found: str) -> None:
    result = verdict(NIM, line)
    assert (result.ok, result.observed) == (False, found)


def test_a_decimal_claim_is_true_within_half_a_unit_of_its_last_digit() -> None:
    claims = ("value: -0.333", "value: -0.33334", "value: -1/3")
    assert [found.ok for found in verdict(COIN, *claims)] == [True, False, True]


def test_arguments_alone_name_an_action(games: Any) -> None:
    game = gamedsl.load(games / "misere_tic_tac_toe.game")
    best = [e for e in game.expectations if e.fact == "best"]
    assert best
    assert all(v.ok for v in verify_all(game, best, lambda _: game))


def test_all_moves_of_the_best_value_are_best_also_where_one_player_solves_a_puzzle() -> None:
    lines = ("best: go(1), go(2)", "best: go(1)", "progress: go(1)", "progress: go(1), go(2)")
    assert [one.ok for one in verdict(LONG_WAY, *lines)] == [True, False, True, False]


def test_a_first_move_that_is_not_known_to_be_best_leaves_the_claim_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(problem, "SMALL_PUZZLE", 2)
    monkeypatch.setattr(problem, "LARGE_PUZZLE", 2)
    monkeypatch.setattr(puzzle, "FEW_STATES", 10)
    lines = ("best: go(1)", "best: go(1), go(2)", "best: go(2)", "progress: go(1)")
    found = verdict(LONG_WAY, *lines)
    assert [one.ok for one in found] == [None, None, False, True]
    assert "not known whether go(2) are as good" in found[0].reason


def test_best_play_without_length_has_no_plies() -> None:
    for text in (COIN, ENDLESS):
        found = verdict(text, "plies: 1")
        assert (found.ok, found.observed) == (False, "none")
    assert verdict(ENDLESS, "value: draw").ok is True


@pytest.mark.parametrize("name", ["dobutsu_shogi", "tic_tac_toe", "kuhn_poker"])
def test_counting_plays_keeps_to_its_number_of_positions(games: Any, name: str) -> None:
    text = (games / f"{name}.game").read_text("utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("expect"))
    found = verdict(text, "perft 9999: 5", max_positions=5)
    assert (found.ok, found.reason) == (None, "not verified: there are more than 5 positions")
    found = verdict(text, "perft 0: 1" if name != "kuhn_poker" else "perft 0: 6")
    assert found.ok is True


def test_counting_plays_for_ever_ends_without_a_limit_too(games: Any) -> None:
    text = (games / "dobutsu_shogi.game").read_text("utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("expect"))
    found = verdict(text, "perft 9999: 5")
    assert found.ok is None
    assert "more than 50,000,000 positions" in found.reason


def test_what_cannot_be_verified_is_neither_true_nor_false(games: Any) -> None:
    found = verdict(NIM, "value: A wins", max_positions=100)
    assert (found.ok, found.reason) == (None, "not verified: there are more than 100 positions")
    found = verdict(ENDLESS, "longest: 3")
    assert found.ok is None
    assert "no play is the longest" in found.reason
    kuhn = (games / "kuhn_poker.game").read_text("utf-8")
    kuhn = "\n".join(line for line in kuhn.splitlines() if not line.startswith("expect"))
    assert verdict(kuhn, "value: -1/18").ok is True
    assert verdict(kuhn, "value: 1/18").ok is False
    found = verdict(kuhn, "best: check")
    assert found.ok is None
    assert "chooses by chance" in found.reason


def test_equilibria_that_are_not_known_to_be_several_are_not_counted() -> None:
    """The first stage has one equilibrium, and the second several."""
    found = verdict(
        'game "Two stages"\nplayers A, B\n'
        "param first = [[4, 0, 0], [0, 4, 0], [3, 3, 6]]\n"
        "param second = [[0, 4, 3], [4, 0, 3], [0, 0, 6]]\n"
        "state:\n    one[players]: 0..3 = 0\n    two[players]: 0..2 = 0\n"
        "simultaneous go(c in 1..3):\n    require one[me] == 0 or c < 3\n"
        "    if one[me] == 0: one[me] = c\n    else: two[me] = c\n"
        "end:\n    if two[A] > 0:\n        let more = 1 if two[A] == two[B] else 0\n"
        "        payoff A: first[one[A]][one[B]] + more, B: second[one[A]][one[B]] + more\n",
        "best: go(3) and go(3)",
    )
    assert found.ok is None
    assert found.reason == "there may be several equilibria, and no move is best by itself"


def test_an_exact_claim_about_an_iterated_value_cannot_be_verified(
    games: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_iteration, "EXACT_BITS", 0)
    pig = (games / "pig.game").read_text("utf-8")
    pig = "\n".join(line for line in pig.splitlines() if not line.startswith("expect"))
    lines = ("value with goal = 2: 1/3", "value with goal = 2: 0.9", "value with goal = 2: 0.7143")
    found = verdict(pig, *lines)
    assert [v.ok for v in found][1:] == [False, True]
    assert found[0].ok is False


@pytest.mark.parametrize(
    ("line", "found", "reason"),
    [
        ('value after "take(1, 3)": A wins', "(-1, 1), B wins", ""),
        ('perft 1 after "1 3 2 4": 4', "5", ""),
        ('value after "take(1, 4)": A wins', "", "`take(1, 4)` is not legal here"),
        ('value after "1 3 2 4 3 5 1 1": A wins', "", "`1` is not legal here; nothing is"),
    ],
)
def test_a_claim_about_a_position_is_held_against_play_from_there(
    line: str, found: str, reason: str
) -> None:
    result = verdict(NIM, line)
    assert (result.ok, result.observed) == (False, found)
    assert reason in result.reason


def test_an_unknown_fact_is_answered_with_the_nearest() -> None:
    game = gamedsl.load(NIM + "\nexpect value: A wins\n")
    odd = replace(game.expectations[0], fact="vaule")
    found = verify(game, odd, lambda _: game)
    assert found.ok is False
    assert found.reason == "nothing called `vaule` can be expected; did you mean `value`?"


def test_several_claims_about_one_game_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = expectations.solve

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(args)
        return original(*args, **options)

    monkeypatch.setattr(expectations, "solve", counted)
    lines = ("value: A wins", "plies: 11", "best: take(1, 2)", "value with sizes = [1]: A wins")
    assert all(v.ok for v in verdict(NIM, *lines))
    assert len(calls) == 2


def test_settings_are_loaded_once_each() -> None:
    text = NIM + "\nexpect value with sizes = [1]: A wins\nexpect plies with sizes = [1]: 1\n"
    game = gamedsl.load(text)
    loaded: list[Mapping[str, str]] = []

    def reload(settings: Mapping[str, str]) -> Any:
        loaded.append(settings)
        return gamedsl.load(text, **settings)

    verifier = Verifier(game, reload)
    assert [verifier.verify(e).ok for e in game.expectations] == [True, True]
    assert loaded == [{"sizes": "[1]"}]


def test_the_facts_that_files_may_claim_are_those_that_can_be_verified() -> None:
    assert set(claims.FACTS) == set(expectations.KNOWN_FACTS)


def test_a_value_alone_needs_no_look_at_every_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectations, "FEW", 20_000)
    text = gamedsl.load("connect_small", width=4, height=4).source.text
    rules = text.partition("\nexpect")[0].replace("height = 3", "height = 4")
    both = verdict(rules, "value: draw", "best: drop(1), drop(2), drop(3), drop(4)")
    assert [one.ok for one in both] == [True, True], both
    game = gamedsl.load(rules + "\nexpect value: draw\n")
    verifier = Verifier(game, lambda _: game, game.expectations)
    assert verifier.verify(game.expectations[0]).ok
    assert verifier.solution().status is Status.ULTRA_WEAK
    assert Verifier(game, lambda _: game).solution().status is Status.STRONG


def test_positions_are_counted_by_the_solution_that_another_claim_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(expectations, "explore", None)  # nothing is explored besides
    assert all(v.ok for v in verdict(NIM, "states: 232", "terminals: 2", "value: A wins"))


def test_positions_are_counted_by_a_solution_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load(f"{NIM}expect states: 232\n", "interpreter")
    verifier = Verifier(game, lambda _: game)
    assert verifier.solution().positions == 232
    monkeypatch.setattr(expectations, "explore", None)
    assert verifier.verify(game.expectations[0]).ok


def test_who_asks_for_nothing_in_particular_is_told_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goals: list[Goal] = []
    solving = expectations.solve

    def solve(game: Any, state: Any, options: SolveOptions) -> Any:
        goals.append(options.goal)
        return solving(game, state, options)

    monkeypatch.setattr(expectations, "solve", solve)
    game = gamedsl.load(f"{LONG_WAY}expect plies: 40\n", "interpreter")
    Verifier(game, lambda _: game).solution()
    Verifier(game, lambda _: game, game.expectations).solution()
    assert goals == [Goal.ALL, Goal.PLAY]


def test_lengths_are_worked_out_only_where_a_claim_asks_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool] = []
    solving = expectations.solve

    def noted(game: Any, state: Any, options: SolveOptions) -> Any:
        asked.append(options.lengths)
        return solving(game, state, options)

    monkeypatch.setattr(expectations, "solve", noted)
    assert all(v.ok for v in verdict(COIN, "value: -1/3", "best: flip"))
    assert all(v.ok for v in verdict(COIN, "value: -1/3", "progress: flip"))
    assert asked == [False, True]


def test_without_lengths_a_solution_is_the_same_but_for_these() -> None:
    game = gamedsl.load("piglet", goal=2)
    full, plain = (
        planner.solve(game, options=SolveOptions(lengths=lengths)) for lengths in (True, False)
    )
    assert [(m.name, m.value, m.is_best) for m in full.moves] == [
        (m.name, m.value, m.is_best) for m in plain.moves
    ]
    assert full.value == plain.value
