"""The door for Python: what is at the top of `gamedsl`."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from gamedsl.game.notebook import StateView
from gamedsl.python import answers
from gamedsl.reports.trees.search import SearchLimitError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Status
from gamedsl.solvers.textbook.trace import Trace

GAME = """game "Take"
players A, B
state:
    left: 0..7 = 7
move take(n in 1..3):
    require n <= left
    left -= n
end:
    if left == 0: turn loses
"""


def men(view: StateView) -> float:
    cell = view.cell
    assert isinstance(cell, dict)
    return list(cell.values()).count("X") - list(cell.values()).count("O")


def centre(view: StateView) -> float:
    return {"X": 0.5, "O": -0.5}.get(str(view["cell", "b2"]), 0.0)


def test_a_game_is_taken_as_load_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "take.game"
    path.write_text(GAME, "utf-8")
    for given in (GAME, path, str(path), gamedsl.load(GAME)):
        assert gamedsl.solve(given).value == (1, -1)
    with pytest.raises(gamedsl.GameSourceError, match="tic_tac_toe"):
        gamedsl.solve("tictactoe")


def test_a_position_is_a_state_or_moves() -> None:
    game = gamedsl.load("tic_tac_toe")
    moves = "a1 b1"
    for given in (moves, game.position(moves)):
        assert gamedsl.best(game, given).names == ("mark(a2)", "mark(b2)", "mark(a3)")
        assert gamedsl.solve(game, given).best == ("mark(a2)", "mark(b2)", "mark(a3)")
        assert gamedsl.perft(game, 1, given) == (1, 7)
        assert gamedsl.tree(game, given, depth=1).root.state == game.position(moves)
        assert gamedsl.playouts(game, 10, given).longest <= 7
        assert gamedsl.search(game, state=given).value == 1
        assert "s1" in str(gamedsl.explain(game, given))
    with pytest.raises(gamedsl.IllegalActionError):
        gamedsl.solve(game, "a1 a1")


def test_a_limit_leaves_a_game_open() -> None:
    assert gamedsl.solve("connect_four", max_positions=100).status is Status.OPEN


def test_an_evaluation_in_python_guides_a_search() -> None:
    found = gamedsl.search("tic_tac_toe", limit=1, evaluation=centre)
    assert found.line == ("mark(b2)",)
    assert found.value == Fraction(1, 2)
    assert gamedsl.search("tic_tac_toe", "minimax", limit=2, evaluation=men).value == 0
    with pytest.raises(gamedsl.UnsupportedGameError):
        gamedsl.search("tic_tac_toe", limit=1)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), None, "much"])
def test_an_evaluation_gives_a_finite_number(number: float) -> None:
    with pytest.raises(ValueError, match="a finite number, not"):
        gamedsl.search("tic_tac_toe", limit=1, evaluation=lambda _: number)


def test_a_search_of_whole_plays_has_a_limit_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gamedsl.search("aima_fig_5_2", "minimax", max_visits=13).nodes == 13
    with pytest.raises(SearchLimitError, match="more than 12 nodes; give a `limit` of plies"):
        gamedsl.search("aima_fig_5_2", "minimax", max_visits=12)
    monkeypatch.setattr(answers, "MOST_VISITED", 500)
    with pytest.raises(SearchLimitError):
        gamedsl.search("connect_four")
    assert gamedsl.search("tic_tac_toe", "minimax", limit=3, evaluation=men).nodes > 500


def test_an_observer_is_told_of_what_is_counted() -> None:
    whole, counted = Trace(), Trace()
    gamedsl.search("aima_fig_5_2", observer=whole, limit=9, evaluation=lambda _: 0)
    gamedsl.search("aima_fig_5_2", observer=counted)
    assert counted.events == whole.events


def test_an_evaluation_without_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="depth limit"):
        gamedsl.search("tic_tac_toe", evaluation=men)


def test_names_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="alphabeta"):
        gamedsl.search("nim", "alphabeta")
    with pytest.raises(ValueError, match="a cutoff needs an algorithm"):
        gamedsl.tree("nim", cutoff=2)


def test_trees_show_values_or_a_search() -> None:
    assert gamedsl.tree("aima_fig_5_2").root.value == 3
    searched = gamedsl.tree("aima_fig_5_2", algorithm="alpha-beta")
    assert len(searched.pruned_nodes()) == 2
    assert str(searched).endswith("never visited: a2 c2, a2 c3")
    with pytest.raises(SearchLimitError):
        gamedsl.tree("tic_tac_toe", algorithm="minimax", max_visits=100)


def test_what_comes_back_is_printed_as_the_command_prints_it() -> None:
    assert str(gamedsl.solve(GAME)).startswith("Take: A wins\n\n  solved ")
    explained = gamedsl.explain(GAME, edition="4")
    assert "TO-MOVE" in str(explained)
    assert explained._repr_markdown_().startswith("# Take")


def test_check_reports_what_load_refuses() -> None:
    good = gamedsl.check(GAME)
    assert good.is_ok
    assert str(good) == "<text>: ok; no error in all 14 positions"
    bad = gamedsl.check(GAME.replace("left -= n", "left = = n"))
    assert not bad.is_ok
    assert "left = = n" in str(bad)
    assert not gamedsl.check("no_such_game_at_all").is_ok
    assert str(gamedsl.check("nim", plays=False)) == "nim: ok"
    with_parameters = gamedsl.check(gamedsl.load("nim", sizes=[1, 1]))
    assert with_parameters.is_ok
    assert with_parameters.left_out > 0


def test_rows_hold_every_position() -> None:
    rows = list(gamedsl.rows(gamedsl.solve("tic_tac_toe")))
    assert len(rows) == 5478
    assert rows[0]["to_move"] == "X"
    assert rows[0]["value[X]"] == 0
    assert {row["cell[a1]"] for row in rows} == {"empty", "X", "O"}
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    over = [row for row in rows if row["to_move"] == "terminal"]
    assert len(over) == 958
    assert {row["best"] for row in over} == {""}
    shares = next(gamedsl.rows(gamedsl.solve("expectiminimax")))
    assert Fraction(4, 5) in shares.values()


def test_rows_need_a_value_of_every_position() -> None:
    with pytest.raises(gamedsl.UnsupportedGameError, match="every position"):
        gamedsl.rows(gamedsl.solve("connect_four", max_positions=100))


def test_ready_made_agents_play() -> None:
    game = gamedsl.load("tic_tac_toe")
    best = gamedsl.best_agent(seconds=60)
    assert game.play([best, best]).payoffs == (0, 0)
    for seed in range(3):
        payoffs = game.play([gamedsl.random_agent(seed), best]).payoffs
        assert payoffs is not None
        assert payoffs[1] >= 0
    assert game.play([gamedsl.search_agent(1, centre), best]).names[0] == "mark(b2)"
    same = [game.play([gamedsl.random_agent(7), gamedsl.random_agent(8)]) for _ in range(2)]
    assert same[0] == same[1]


def test_the_best_agent_solves_puzzles() -> None:
    play = gamedsl.load("hanoi", discs=2).play([gamedsl.best_agent(seconds=60)])
    assert len(play.steps) == 3


def test_the_best_agent_bluffs_and_never_calls_with_the_lowest_card() -> None:
    game, best = gamedsl.load("kuhn_poker"), gamedsl.best_agent(seconds=60)
    plays = [str(game.play([best, best], seed=seed)) for seed in range(40)]
    assert any("card[Ann]=J" in play and "Q bet" in play for play in plays) or any(
        "card[Bob]=J check bet" in play for play in plays
    )
    assert not any("card[Bob]=J bet call" in play for play in plays)
    assert not any("card[Ann]=Q" in play and play.split()[2] == "bet" for play in plays)


def test_the_best_agent_asks_for_the_play_where_the_position_does_not_tell_it() -> None:
    game = gamedsl.load("kuhn_poker")
    with pytest.raises(gamedsl.UnsupportedGameError, match="the play that led there"):
        gamedsl.best_agent()(game.view(game.position("K Q"), 0))


def test_a_person_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    answers: Iterator[str] = iter(["z9", "b2"])
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers)

    game = gamedsl.load("tic_tac_toe")
    play = game.play([gamedsl.person_agent(read), gamedsl.random_agent()], longest=1)
    assert play.names == ("mark(b2)",)
    assert prompts == ["X> ", "X> "]
    assert "`z9` is not legal here" in capsys.readouterr().out


def test_a_state_says_who_knows_the_names() -> None:
    state = gamedsl.load("tic_tac_toe").initial_state()
    with pytest.raises(TypeError, match=r"game\.view"):
        state["cell", "a1"]
    with pytest.raises(AttributeError, match=r"no 'cell'; .*`game\.view\(state\)\.cell`"):
        _ = state.cell
    assert copy(state) == state
    assert not hasattr(state, "__array__")


def test_a_solver_has_the_name_of_the_command_line() -> None:
    assert gamedsl.solve("kuhn_poker", solver="sequence-form").solver is SolverName.SEQUENCE_FORM
    with pytest.raises(ValueError, match="did you mean `sequence-form`"):
        gamedsl.solve("kuhn_poker", solver="sequence-from")
