"""Facts that follow from the rules, and the order of findings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gamedsl.model import PayoffSum
from gamedsl.model.facts import Facts
from tests.unit.model.reading import BOARD, HEAP, checked, errors, model_of, spoilt


def facts(text: str, **parameters: str) -> Facts:
    return model_of(text, **parameters).facts


@pytest.mark.parametrize(
    ("players", "outcome", "has_winners"),
    [
        ("A", "A loses", True),
        ("A", "draw", True),
        ("A", "payoff turn: 1", False),
        ("A", "payoff A: 1/2", False),
        ("A", "payoff A: 1 if left == 0 else 0", False),
        ("A", "payoff A: -left", False),
        ("A", "A wins 2", False),
        ("A, B", "A wins 2", True),
        ("A, B", "payoff A: left, B: 9 - left", True),
        ("A, B", "payoff A: left - 4, B: 5 - left", True),
        ("A, B", "payoff A: left, B: left", False),
        ("A, B", "payoff A: 1 if left == 0 else -1, B: 1 if left == 1 else -1", True),
    ],
)
def test_players_who_are_paid_numbers_neither_win_nor_lose(
    players: str, outcome: str, has_winners: bool
) -> None:
    text = spoilt(spoilt(HEAP, "players A, B", f"players {players}"), "turn loses", outcome)
    assert facts(text).has_winners is has_winners


@pytest.mark.parametrize(
    ("outcome", "kind", "bounds"),
    [
        ("turn loses", PayoffSum.ZERO, (-1, 1)),
        ("A wins left + 2", PayoffSum.ZERO, (-11, 11)),
        ("payoff A: left, B: -left", PayoffSum.ZERO, (-9, 9)),
        ("payoff A: left - kept, B: kept - left", PayoffSum.ZERO, (-9, 9)),
        ("payoff A: left - kept, B: left - kept", PayoffSum.GENERAL, (0, 9)),
        ("payoff A: 1, B: 2", PayoffSum.CONSTANT, (1, 2)),
        ("payoff p: 1/2", PayoffSum.CONSTANT, (Fraction(1, 2), Fraction(1, 2))),
        ("payoff p: left", PayoffSum.GENERAL, (0, 9)),
        ("draw", PayoffSum.ZERO, (0, 0)),
    ],
)
def test_what_payoffs_add_up_to_is_proved_or_general(
    outcome: str, kind: PayoffSum, bounds: tuple[int, int]
) -> None:
    found = facts(spoilt(HEAP, "turn loses", outcome))
    assert found.payoff_sum is kind
    assert found.utility_bounds == bounds
    assert found.is_zero_sum == (kind is PayoffSum.ZERO)


def test_a_lone_player_who_loses_is_paid_less_than_nothing() -> None:
    alone = spoilt(HEAP, "players A, B", "players A")
    found = facts(spoilt(alone, "turn loses", "turn loses 3"))
    assert found.utility_bounds == (-3, -3)
    assert found.best_payoffs == (-3,)


@pytest.mark.parametrize(
    ("players", "outcome", "greatest"),
    [
        ("A", "turn loses", (-1,)),
        ("A", "turn wins left - 2", (7,)),
        ("A, B", "turn loses", (1, 1)),
        ("A, B", "A loses left - 2", (2, 7)),
        ("A, B", "payoff turn: left, next(turn): left - 3", (9, 9)),
    ],
)
def test_the_greatest_payoff_is_known_by_player(
    players: str, outcome: str, greatest: tuple[int, ...]
) -> None:
    text = spoilt(HEAP, "turn loses", outcome)
    assert facts(text.replace("players A, B", f"players {players}")).greatest == greatest


@pytest.mark.parametrize(
    ("outcome", "pair"),
    [("turn loses", (1, -1)), ("payoff A: 1, B: 2", (1, 2)), ("payoff A: 100, B: 0", (1, 99))],
)
def test_a_constant_sum_gives_the_second_payoff(outcome: str, pair: tuple[int, int]) -> None:
    assert facts(spoilt(HEAP, "turn loses", outcome)).payoffs_from(Fraction(1)) == pair


def test_no_second_payoff_follows_without_a_constant_sum() -> None:
    with pytest.raises(ValueError, match="do not follow"):
        facts(spoilt(HEAP, "turn loses", "payoff p: left")).payoffs_from(Fraction(1))


def test_what_endless_play_is_worth_counts_as_a_payoff() -> None:
    found = facts(HEAP + "endless: payoff A: 2, B: 3\n")
    assert found.endless == (2, 3)
    assert found.payoff_sum is PayoffSum.GENERAL
    assert found.utility_bounds == (-1, 3)


def test_two_constant_sums_that_differ_are_general() -> None:
    text = spoilt(HEAP, "if stuck: turn loses", "if left == 1: payoff p: 1\n    if stuck: draw")
    assert facts(text).payoff_sum is PayoffSum.GENERAL


@pytest.mark.parametrize(
    ("text", "trait"),
    [
        (spoilt(HEAP, "    left -= n", "    left -= n\n    chance kept in 1..2"), "has_chance"),
        (HEAP + "setup:\n    chance kept in 1..2\n", "has_chance"),
        (spoilt(HEAP, "kept: 0..9 = 0", "kept: 0..9 = 0 secret to A"), "has_secrets"),
        (spoilt(HEAP, "n in 1..3)", "n in 1..3) secret"), "has_secrets"),
        (HEAP + "repeat kept, turn 3 times: draw\n", "repeats"),
        (HEAP + "evaluate p: left\n", "has_evaluate"),
        ('game "Tree"\nplayers A\ntree:\n    A: x -> 1\n', "is_tree"),
        (
            'game "All"\nplayers A, B\nstate:\n    c[players]: 0..1 = 0\n'
            "simultaneous go:\n    c[me] = 1\nend:\n    if c[A] == 1: draw\n",
            "is_simultaneous",
        ),
    ],
)
def test_a_trait_is_seen_in_the_rules_and_nowhere_else(text: str, trait: str) -> None:
    traits = ["has_chance", "has_secrets", "repeats", "has_evaluate", "is_tree", "is_simultaneous"]
    found = facts(text)
    assert [name for name in traits if getattr(found, name)] == [trait]
    assert not any(getattr(facts(HEAP), name) for name in traits)


def test_actions_and_states_are_counted() -> None:
    found = facts(BOARD)
    assert found.action_count == 9
    assert found.state_bits == 1 + 9 * 2
    assert found.state_bound == 2 * 3**9


def test_chance_of_a_tree_is_seen_and_secrets_are_shared_information_sets() -> None:
    tree = 'game "Tree"\nplayers A, B\ntree:\n    chance:\n'
    told = facts(tree + "        1/2 h -> A: x -> 1\n        1/2 t -> A: x -> 2\n")
    assert (told.has_chance, told.has_secrets) == (True, False)
    hidden = facts(tree + "        1/2 h -> A [i]: x -> 1\n        1/2 t -> A [i]: x -> 2\n")
    assert (hidden.has_chance, hidden.has_secrets) == (True, True)


def test_findings_come_in_the_order_of_the_file() -> None:
    text = spoilt(spoilt(HEAP, "left -= n", "lfet -= m"), "turn loses", "nobody loses")
    _, found = checked(text)
    places = [one.position for one in found]
    assert places == sorted(places, key=lambda place: place or (0, 0))
    assert len(found) == 3


def test_all_mistakes_of_a_file_are_reported_at_once() -> None:
    text = spoilt(HEAP, "0..9 = 9", "0..9 = 12")
    text = spoilt(spoilt(text, "n <= left", "n <= lfet"), "turn loses", "turn loses 1 + true")
    assert {code for code, _ in errors(text)} == {"E1201", "E1001", "E1101"}


def test_an_error_in_an_effect_is_reported_once_however_often_it_is_called() -> None:
    text = spoilt(HEAP, "    left -= n", "    drop()\n    drop()\n    left -= n")
    assert len(errors(text + "effect drop: kept = lfet\n")) == 1


def test_a_model_exists_exactly_if_there_is_no_error() -> None:
    for text in (HEAP, BOARD, spoilt(HEAP, "left -= n", "lfet -= n"), ""):
        model, found = checked(text)
        assert (model is None) == any(one.is_error for one in found)
