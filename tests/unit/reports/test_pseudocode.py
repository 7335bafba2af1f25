"""The line of the pseudo-code that each step of a search is at."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.reports.trees.data import GameTree
from gamedsl.reports.trees.pseudocode import pseudocode

NARROWED = "l[r] ← v unless v ≤ A, h[r] ← v unless v ≥ B"


def lines_of(tree: GameTree) -> list[str]:
    code = pseudocode(tree)
    assert code is not None
    assert len(code.places) == len(tree.steps)
    return [code.lines[place].strip() for place in code.places]


@pytest.mark.parametrize(
    ("game", "algorithm", "cutoff"),
    [
        ("sequential_rochambeau", "minimax", None),
        ("sequential_rochambeau", "alpha-beta", None),
        ("sequential_rochambeau", "maxn", None),
        ("expectiminimax", "expectiminimax", None),
        ("expectiminimax", "maxn", None),
        ("aima_three_player", "maxn", None),
        ("aima_three_player", "paranoid", None),
        ("sequential_rochambeau", "paranoid", None),
        ("expectiminimax", "star1", None),
        ("expectiminimax", "star2", None),
        ("othello_small", "alpha-beta", 2),
        ("othello_small", "minimax", 2),
    ],
)
def test_every_step_has_a_line(game: str, algorithm: str, cutoff: int | None) -> None:
    tree = gamedsl.tree(game, depth=2, algorithm=algorithm, cutoff=cutoff)
    lines = lines_of(tree)
    assert lines[0].startswith("function")
    assert lines[-1].startswith(("return", "if"))


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
@pytest.mark.parametrize(("moves", "mover"), [("a1 b1 a2 b2", "MAX"), ("a1 b1 a2 b2 c3", "MIN")])
def test_a_search_begins_with_the_function_of_who_is_to_move(
    algorithm: str, moves: str, mover: str
) -> None:
    code = pseudocode(gamedsl.tree("tic_tac_toe", moves, algorithm=algorithm))
    assert code is not None
    assert code.lines[code.start].startswith(f"  v ← {mover}-VALUE(s")
    assert code.lines[code.places[0]].startswith(f"function {mover}-VALUE(s")


def test_a_value_that_chance_adds_to_is_at_the_sum() -> None:
    tree = gamedsl.tree("expectiminimax", algorithm="expectiminimax")
    at = {step.words: line for step, line in zip(tree.steps, lines_of(tree), strict=True)}
    assert at["chance after poor: the value is now 2/5, by tails."].startswith("v ← v + P(r)")
    assert at["Look at the end after sure."].startswith("function EXPECTIMINIMAX")
    assert at["Leave the end after sure with utility 1/2."].startswith("if TERMINAL-TEST(s)")


def test_a_search_that_is_cut_off_asks_eval() -> None:
    tree = gamedsl.tree("othello_small", depth=1, algorithm="minimax", cutoff=1)
    assert "if CUTOFF-TEST(s, depth) then return EVAL(s)" in lines_of(tree)


def test_the_last_action_that_passes_the_window_returns_as_a_cut_does() -> None:
    """Nothing is left to cut, and yet the book's line returns."""
    tree = gamedsl.tree("sequential_rochambeau", algorithm="alpha-beta", order="best")
    lines = lines_of(tree)
    assert any(
        step.kind == "leave" and not tree.nodes[step.node].cut and line.startswith("if v")
        for step, line in zip(tree.steps, lines, strict=True)
    )


def test_star2_probes_the_outcomes_before_it_searches_them() -> None:
    lines = lines_of(gamedsl.tree("expectiminimax", algorithm="star2"))
    assert lines.count("function PROBE(s, l, h)") == 4
    assert lines.index("look at no other action") < lines.index(NARROWED)


def test_what_the_probes_prove_ends_a_chance_event_of_star2() -> None:
    """The poor coin is worth 2/5 whatever is searched, less than the sure 1/2."""
    code = pseudocode(gamedsl.tree("expectiminimax", algorithm="star2"))
    assert code is not None
    enough = [n for n, line in enumerate(code.lines) if line.strip().startswith("if L ≥ β")]
    assert [place in code.places for place in enough] == [True, False]


def test_who_is_not_searched_for_is_min_in_paranoid_search() -> None:
    tree = gamedsl.tree("aima_three_player", algorithm="paranoid")
    assert any(line.startswith("v ← MIN(v, PARANOID") for line in lines_of(tree))


def test_what_is_not_written_down_has_no_lines() -> None:
    assert pseudocode(gamedsl.tree("expectiminimax")) is None
