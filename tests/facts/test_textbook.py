"""The figures of AIMA's chapter 5 and an exercise, replayed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import GameSourceError, UnsupportedGameError
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.expectiminimax import expectiminimax_decision
from gamedsl.solvers.textbook.maxn import maxn_decision
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.ordering import solved_order
from gamedsl.solvers.textbook.pruned_leaves import pruned_leaves
from gamedsl.solvers.textbook.trace import EventKind, Trace
from tests.generation.games import game_text

GAMES = Path(__file__).resolve().parents[2] / "games"
GENERATED = 60
MOST_NODES = 800
OTHER_GAMES = ("simultaneous", "secret", "chance", "payoff", "endless", "reward", "discount", "Cid")
"""Words of generated games that minimax refuses: not worth the time to check the text."""


def shipped(name: str) -> LoadedGame:
    return gamedsl.load(GAMES / f"{name}.game")


def names(game: LoadedGame, path: tuple[int, ...]) -> str:
    state, found = game.initial_state(), []
    for action in path:
        found.append(game.action_name(state, action))
        state = game.result(state, action)
    return " ".join(found)


def never_visited(game: LoadedGame, **options: object) -> list[str]:
    trace = Trace()
    alpha_beta_search(game, observer=trace, **options)
    pruned = pruned_leaves(game, trace.events)
    assert pruned.is_complete
    return [names(game, path) for path in pruned.leaves]


def test_figure_5_2_has_the_minimax_values_3_2_2_and_3_at_the_root() -> None:
    decision = minimax_decision(shipped("aima_fig_5_2"))
    assert [move.value for move in decision.moves] == [3, 2, 2]
    assert decision.value == 3
    assert decision.best == ("a1",)


def test_figure_5_5_prunes_c2_and_c3_of_figure_5_2_and_nothing_else() -> None:
    assert never_visited(shipped("aima_fig_5_2")) == ["a2 c2", "a2 c3"]


def test_sequential_rochambeau_is_lost_by_one_if_max_opens_with_scissors() -> None:
    """A lecture's exercise; by hand."""
    decision = minimax_decision(shipped("sequential_rochambeau"))
    values = {move.name: move.value for move in decision.moves}
    assert values == {"paper": -3, "rock": -2, "scissors": -1}
    assert decision.line == ("scissors", "paper", "rock")


def test_sequential_rochambeau_has_these_minimax_values() -> None:
    game = shipped("sequential_rochambeau")
    trace = Trace()
    minimax_decision(game, observer=trace)
    left = [event for event in trace.events if event.kind is EventKind.LEAVE]
    values = {names(game, event.path): event.value for event in left if len(event.path) == 2}
    assert values == {
        "paper rock": -3,
        "paper scissors": 3,
        "rock paper": 2,
        "rock scissors": -2,
        "scissors paper": -1,
        "scissors rock": 1,
    }


def test_alpha_beta_skips_leaves_of_sequential_rochambeau_only_in_a_better_order() -> None:
    """As declared every opening is better than the one before it; with the best moves first
    MIN's first answer refutes each of the others."""
    game = shipped("sequential_rochambeau")
    assert never_visited(game) == []
    best = solved_order(solve(game).moves_at)
    assert never_visited(game, ordering=best) == ["rock paper scissors", "paper scissors rock"]


def test_figure_5_4_backs_up_1_2_6_with_a_tie_at_the_root() -> None:
    decision = maxn_decision(shipped("aima_three_player"))
    assert decision.value == (1, 2, 6)
    assert [move.value for move in decision.moves] == [(1, 2, 6), (1, 5, 2)]
    assert decision.ties is not None
    assert "indifferent between left, right" in decision.ties


def test_the_rich_coin_is_worth_4_5() -> None:
    """A known program in Python divides averages once more, and takes the sure 1/2."""
    decision = expectiminimax_decision(shipped("expectiminimax"))
    values = {move.name: move.value for move in decision.moves}
    assert values == {"sure": Fraction(1, 2), "poor": Fraction(2, 5), "rich": Fraction(4, 5)}
    assert decision.line == ("rich",)


class TooLargeError(RuntimeError):
    """A generated tree has more nodes than this test has time for."""


class Watch(Trace):
    def __call__(self, event: object) -> None:
        super().__call__(event)  # type: ignore[arg-type]
        if len(self.events) > 3 * MOST_NODES:
            raise TooLargeError


def test_minimax_alpha_beta_and_the_exact_solver_agree_on_60_generated_games() -> None:
    agreed = 0
    for seed in range(20 * GENERATED):
        text = game_text(seed)
        if any(word in text for word in OTHER_GAMES):
            continue
        try:  # that all these texts are valid is tested where the generator is
            game = gamedsl.load(text, "interpreter")
            full = minimax_decision(game, observer=Watch())
        except (GameSourceError, UnsupportedGameError, TooLargeError):
            continue
        truth = solve(game)
        assert truth.value is not None
        assert full.value == truth.value[0], seed
        for ordering in (solved_order(truth.moves_at), None):
            options = {} if ordering is None else {"ordering": ordering}
            pruned = alpha_beta_search(game, **options)
            assert pruned.value == full.value, seed
            assert pruned.leaves <= full.leaves, seed
        agreed += 1
        if agreed == GENERATED:
            return
    pytest.fail(f"only {agreed} of the generated games suit minimax")


@pytest.mark.parametrize(
    ("name", "search"),
    [
        ("kuhn_poker", minimax_decision),
        ("aima_three_player", alpha_beta_search),
        ("pig", maxn_decision),
    ],
)
def test_what_an_algorithm_cannot_do_it_refuses_in_a_sentence(name: str, search: object) -> None:
    with pytest.raises(UnsupportedGameError) as refusal:
        search(shipped(name))  # type: ignore[operator]
    assert refusal.value.reason
    assert refusal.value.instead
