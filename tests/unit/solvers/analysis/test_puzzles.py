"""Puzzles have exactly one winning move, by another engine, and are no images of each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, islice
from random import Random

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import Refusal, accelerator_of
from gamedsl.model import State
from gamedsl.solvers.analysis.plays import Strengths
from gamedsl.solvers.analysis.puzzles import RUNGS, BySearch, BySolution, Puzzle
from gamedsl.solvers.graphs.images import images_of
from gamedsl.solvers.matches.players import Player
from gamedsl.solvers.textbook.algorithms import Algorithm, search


def winning_moves(game: LoadedGame, state: State) -> list[str]:
    """The winning moves, by textbook alpha-beta over the interpreter's rules."""
    mover = game.current_player(state)
    winning = []
    for action in game.legal_actions(state):
        after = game.result(state, action)
        if game.is_terminal(after):
            margin = game.utilities(after)[0]
        else:
            margin = Fraction(search(Algorithm.ALPHA_BETA, game, after).value)  # type: ignore[arg-type]
        if (1 - 2 * mover) * margin > 0:
            winning.append(game.action_name(state, action))
    return winning


def unique_by_another_engine(game: LoadedGame, puzzles: tuple[Puzzle, ...]) -> None:
    other = gamedsl.load(game.source.text, engine="interpreter", **game.settings)
    for puzzle in puzzles:
        moves = " ".join(game.action_name(*step) for step in puzzle.steps)
        state = other.position(moves)
        assert state == puzzle.state
        assert winning_moves(other, state) == [puzzle.move]


def test_puzzles_of_a_solved_game_are_proved_and_differ() -> None:
    game = gamedsl.load("tic_tac_toe", engine="python")
    made = gamedsl.puzzles(game, count=6, seconds=30)
    assert len(made.puzzles) == 6
    unique_by_another_engine(game, made.puzzles)
    images = images_of(game.model)
    keys = {(images(puzzle.state), puzzle.state.turn) for puzzle in made.puzzles}
    assert len(keys) == 6
    plies = [puzzle.plies for puzzle in made.puzzles]
    assert all(plies)
    assert all(len(p.line) == p.plies for p in made.puzzles)


def test_the_difficulty_is_tried_as_far_as_the_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: set[int] = set()
    player, clock = Strengths.player, count(step=0.25)

    def noted(self: Strengths, plays: int, rng: Random, number: int = 0) -> Player:
        tried.add(plays)
        return player(self, plays, rng, number)

    monkeypatch.setattr(Strengths, "player", noted)
    monkeypatch.setattr("gamedsl.solvers.analysis.puzzles.process_time", lambda: next(clock))
    made = gamedsl.puzzles("tic_tac_toe", count=2, seconds=4)
    assert made.puzzles
    assert RUNGS[0] in tried
    assert RUNGS[-1] not in tried


@pytest.mark.parametrize(
    ("name", "reason"),
    [("pig", "without chance"), ("eight_puzzle", "two players"), ("prisoners_dilemma", "opposed")],
)
def test_a_game_without_winning_moves_is_refused(name: str, reason: str) -> None:
    with pytest.raises(gamedsl.UnsupportedGameError, match=reason):
        gamedsl.puzzles(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("tic_tac_toe", {}),
        ("connect_small", {}),
        ("hex", {}),
        ("hexapawn", {"width": 4, "height": 4}),
    ],
)
def test_twenty_puzzles_of_four_games_are_unique(name: str, sizes: dict[str, int]) -> None:
    """Machine code makes the puzzles; generated Python, without machine code, solves all states."""
    game = gamedsl.load(name, **sizes)
    made = gamedsl.puzzles(game, count=20, seconds=20)
    assert len(made.puzzles) == 20
    other = gamedsl.load(name, engine="python", **sizes)
    solution = gamedsl.solve(other)
    for puzzle in made.puzzles:
        state, mover = puzzle.state, other.current_player(puzzle.state)
        winning = [
            other.action_name(state, action)
            for action in other.legal_actions(state)
            if solution.value_at(other.result(state, action))[mover] > 0
        ]
        assert winning == [puzzle.move]


@pytest.mark.slow
def test_the_search_and_the_solution_prove_equal_results() -> None:
    game = gamedsl.load("hex")
    code = accelerator_of(game)
    assert not isinstance(code, Refusal)
    search = code.value_search()
    assert not isinstance(search, Refusal)
    by_search = BySearch(game, code, search)
    by_solution = BySolution(game, gamedsl.solve(game, goal="all"))
    states = [state for state in islice(game.states(), 400) if not game.is_terminal(state)]
    assert len(states) > 100
    assert [*map(by_search.margin, states)] == [*map(by_solution.margin, states)]
