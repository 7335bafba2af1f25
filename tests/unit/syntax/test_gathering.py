"""Loops of assignments say the same as assignments that take place at once."""

from __future__ import annotations

from random import Random

from gamedsl.syntax import ast
from gamedsl.syntax.kif.gathering import Gathering
from gamedsl.syntax.kif.quantifiers import Quantifying
from tests.unit.syntax.test_quantifiers import AT, CONSTANTS, Board, read, value

SIZE = 4


def cell(row: int, column: int) -> ast.Index:
    return ast.Index(AT, ast.Name(AT, "cell"), (ast.Number(AT, row), ast.Number(AT, column)))


def assigned(random: Random) -> tuple[ast.Statement, ...]:
    """Assignments at once of cells, constants, or cells beside, most of them in the same way."""
    step, usual = random.choice([(0, 1), (1, 0), (-1, 0), (0, -1)]), random.choice("csk")
    targets, values = [], []
    for row in range(1, SIZE + 1):
        for column in range(1, SIZE + 1):
            kind = usual if random.random() < 0.9 else random.choice("csk")
            beside = row + step[0], column + step[1]
            if kind == "k" or not 1 <= min(beside) <= max(beside) <= SIZE:
                new: ast.Expression = ast.Name(AT, random.choice(CONSTANTS))
            else:
                new = cell(*beside) if kind == "s" else cell(column, row)
            targets.append(cell(row, column))
            values.append(new)
    return (ast.AssignAll(AT, tuple(targets), tuple(values)),)


def carried_out(block: ast.Block, board: Board, names: dict[str, object]) -> None:
    """Carry statements out by definition."""
    for statement in block:
        match statement:
            case ast.Assign():
                place(statement.target, board, names, value(statement.value, board, names))
            case ast.AssignAll():
                new = [value(one, board, names) for one in statement.values]
                for target, one in zip(statement.targets, new, strict=True):
                    place(target, board, names, one)
            case ast.For():
                domain = value(statement.domain, board, names)
                assert isinstance(domain, tuple)
                for one in domain:
                    carried_out(statement.body, board, {**names, statement.name.text: one})


def place(target: ast.Expression, board: Board, names: dict[str, object], new: object) -> None:
    assert isinstance(target, ast.Index)
    key = tuple(value(index, board, names) for index in target.indices)
    board[key] = str(new)  # type: ignore[index]


def test_loops_assign_as_all_at_once() -> None:
    loops = 0
    for seed in range(60):
        random = Random(seed)
        block = assigned(random)
        kinds = dict.fromkeys(CONSTANTS, "constant")
        gathering = Gathering(Quantifying(kinds.get, (), lambda wish: wish), {})
        written = gathering.block(block)
        loops += sum(isinstance(statement, ast.For) for statement in written)
        side = range(1, SIZE + 1)
        board = {(row, column): f"{row}{column}" for row in side for column in side}
        expected, actual = dict(board), dict(board)
        carried_out(block, expected, {})
        carried_out(written, actual, {})
        assert actual == expected, seed
    assert loops > 30


def test_a_cell_is_read_through_a_call_before_it_is_assigned() -> None:
    """`chosen` reads `choice[1]`, which is assigned last."""
    one = ast.Number(AT, 1)
    choice = ast.Index(AT, ast.Name(AT, "choice"), (one,))
    block: ast.Block = (
        ast.Assign(AT, cell(1, 1), "=", cell(1, 2)),
        ast.Assign(AT, cell(1, 2), "=", ast.Name(AT, "chosen")),
        ast.Assign(AT, choice, "=", ast.Name(AT, "none")),
    )
    quantifying = Quantifying({}.get, (), lambda wish: wish)
    assert Gathering(quantifying, {"chosen": frozenset({"choice[1]"})}).block(block) == block


def test_a_loop_over_players_takes_the_players_in_their_order() -> None:
    """All read the cell of Ann, who is assigned last, and is the first of the players."""
    players = ("Ann", "Bob", "Cid")
    quantifying = Quantifying(dict.fromkeys(players, "player").get, players, lambda wish: wish)
    cells = [read(f"purse[{name}]") for name in ("Bob", "Cid", "Ann")]
    new = read("purse[Ann] + 1")
    block: ast.Block = tuple(ast.Assign(cell.span, cell, "=", new) for cell in cells)
    assert Gathering(quantifying, {}).block(block) == block
