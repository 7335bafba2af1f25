"""Games and solutions as data of NetworkX, pandas, Polars, Arrow, NashPy and python-chess."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.bridges.extras import MissingExtraError
from gamedsl.bridges.tables import from_chess, to_chess, to_frame, to_nashpy, to_networkx

COIN = """\
game "A coin for a guess"
players Ann
type Side = heads | tails
state:
    said: nothing | Side = nothing
    came: nothing | Side = nothing
move say(s in Side):
    said = s
    chance c in {heads: 2/3, tails: 1/3}
    came = c
end:
    if came != nothing:
        if came == said: payoff Ann: 1
        payoff Ann: 0
"""


def test_a_solved_game_is_a_graph() -> None:
    pytest.importorskip("networkx")
    game = gamedsl.load(COIN)
    graph = to_networkx(game, solution=gamedsl.solve(game))
    assert (len(graph), graph.number_of_edges()) == (7, 6)
    start = next(iter(graph))
    assert graph.nodes[start] == {"to_move": "Ann", "payoffs": None, "value": (Fraction(2, 3),)}
    told = {data["action"]: data["chance"] for _, _, data in graph.edges(data=True)}
    assert told["say(heads)"] is None
    assert told["c=tails"] == Fraction(1, 3)
    at_once = to_networkx(gamedsl.load("prisoners_dilemma"))
    assert at_once.number_of_edges() == 4


@pytest.mark.parametrize("tool", ["pandas", "polars", "arrow"])
def test_a_solution_is_a_table(tool: str) -> None:
    pytest.importorskip({"arrow": "pyarrow"}.get(tool, tool))
    solution = gamedsl.solve("subtraction")
    table = to_frame(gamedsl.rows(solution), tool)
    rows = list(gamedsl.rows(solution))
    size = table.num_rows if tool == "arrow" else len(table)
    assert size == len(rows)
    values = table["value[A]"]
    assert list(values.to_pylist() if tool == "arrow" else values) == [r["value[A]"] for r in rows]
    assert len(to_frame([], tool)) == 0


def test_a_normal_form_is_a_game_of_nashpy() -> None:
    pytest.importorskip("nashpy")
    first, second = to_nashpy(gamedsl.load("battle_of_the_sexes")).payoff_matrices
    assert first.shape == (2, 2)
    assert first[0, 0] != second[0, 0]
    found = list(to_nashpy(gamedsl.load("matching_pennies")).support_enumeration())
    assert [[float(x) for x in mix] for mix in found[0]] == [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(gamedsl.UnsupportedGameError, match="two players"):
        to_nashpy(gamedsl.load("three_player_race"))


def test_a_board_of_python_chess_is_a_state_and_back() -> None:
    chess = pytest.importorskip("chess")
    game = gamedsl.load("chess")
    board = chess.Board()
    for move in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        board.push_uci(move)
    assert game.is_terminal(from_chess(game, board)), "the third repetition"
    assert to_chess(game, from_chess(game, board)).board_fen() == board.board_fen()
    assert to_chess(game) == chess.Board()
    assert type(to_chess(gamedsl.load("three_check"))).uci_variant == "3check"
    board = chess.Board("8/8/8/8/8/3p4/4P3/8 w - - 0 1")
    board.push_uci("e2e4")
    with pytest.raises(ValueError, match="e2e4, is not legal in Antichess"):
        from_chess(gamedsl.load("antichess"), board)
    with pytest.raises(gamedsl.UnsupportedGameError, match="no men of chess"):
        to_chess(gamedsl.load("nim"))


def test_without_a_tool_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load("nim")
    for module, call, extra in (
        ("networkx", lambda: to_networkx(game), "tables"),
        ("polars", lambda: to_frame([], "polars"), "tables"),
        ("nashpy", lambda: to_nashpy(game), "tables"),
        ("chess", lambda: to_chess(game), "chess"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtraError, match=rf"gamedsl\[{extra}\]"):
            call()
    with pytest.raises(ValueError, match="not by 'excel'"):
        to_frame([], "excel")
