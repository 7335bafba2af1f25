"""The names of a file by themselves: no expression is elaborated here."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from gamedsl.model import nodes
from gamedsl.model.board import Board, all_directions, grid_squares
from gamedsl.model.symbols.keywords import value_in_every_game, value_on_board
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.types import number
from gamedsl.source import SourceFile
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse

TEXT = """game "Names"
players X, O
type Stone = black | white
param size = 3
param length = size

state:
    cell: Stone = black
"""


@dataclass
class Told:
    """Meanings made up for a test, and in which order they were asked for."""

    symbols: SymbolTable | None = None
    asked: list[str] = field(default_factory=list)

    def board(self) -> Board | None:
        self.asked.append("board")
        return None

    def parameter(self, declared: ast.ParamDecl) -> nodes.Const | None:
        self.asked.append(declared.name.text)
        if isinstance(declared.value, ast.Name) and self.symbols is not None:
            found = self.symbols.find(declared.value.text)
            return found if isinstance(found, nodes.Const) else None
        return nodes.Const(declared.span, number(3, 3), 3)

    def type(self, declared: ast.TypeDecl) -> nodes.Const | None:
        self.asked.append(declared.name.text)
        return None

    def variable(self, declared: ast.VariableDecl) -> nodes.Variable | None:
        self.asked.append(declared.name.text)
        return None


def started(text: str = TEXT) -> tuple[SymbolTable, Told]:
    program, diagnostics = parse(SourceFile("names.game", text))
    assert not diagnostics
    told = Told()
    symbols = told.symbols = SymbolTable(program, Reporter(program.source))
    symbols.start(told)
    return symbols, told


def test_a_declaration_is_worked_out_when_it_is_first_asked_for_and_once() -> None:
    symbols, told = started()
    assert told.asked == ["board"]
    found = [symbols.find("length") for _ in range(3)]
    assert told.asked == ["board", "length", "size"]
    assert all(isinstance(one, nodes.Const) and one.value == 3 for one in found)


def test_a_declaration_in_error_is_known_and_is_not_worked_out_again() -> None:
    symbols, told = started()
    assert [symbols.find("cell"), symbols.find("cell")] == [None, None]
    assert symbols.knows("cell")
    assert told.asked.count("cell") == 1


def test_a_name_defined_by_itself_is_reported_with_the_whole_circle() -> None:
    symbols, _ = started(TEXT.replace("size = 3", "size = length"))
    assert symbols.find("size") is None
    assert [d.message for d in symbols.reporter.diagnostics] == [
        "`size` is defined by itself: size -> length -> size"
    ]


def test_new_words_of_a_type_are_values_of_the_game_and_others_mean_nothing() -> None:
    symbols, _ = started()
    found = symbols.find("black")
    assert isinstance(found, nodes.Const)
    assert found.value is symbols.atoms["black"]
    assert symbols.find("green") is None
    assert not symbols.knows("green")


GRID = Board(grid_squares(3, 2, 0), all_directions(), width=3, height=2)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("columns", (1, 2, 3)),
        ("rows", (1, 2)),
        ("square", GRID.squares),
        ("b2", GRID.named["b2"]),
    ],
)
def test_words_of_the_board_stand_for_its_parts(word: str, value: object) -> None:
    found = value_on_board(word, GRID)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("word", ["chains", "d1", "b3", "wide"])
def test_what_a_grid_lacks_means_nothing_on_it(word: str) -> None:
    assert value_on_board(word, GRID) is None


def test_truth_and_players_are_there_without_a_board() -> None:
    players = started()[0].players
    values = [value_in_every_game(word, players) for word in ("true", "bool", "players", "square")]
    assert [None if one is None else one.value for one in values] == [
        True,
        (False, True),
        players,
        None,
    ]
