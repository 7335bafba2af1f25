"""A state as plain text: boards as grids, other variables as lines, and who is to move."""

from __future__ import annotations

from itertools import product, zip_longest

from gamedsl.game.engines import Engine
from gamedsl.interpreter import TreeInterpreter
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, Model, State, nodes
from gamedsl.model.board import Board, column_name
from gamedsl.model.values import EMPTY, NONE, Atom, Square, Value, text_of
from gamedsl.source.records import dataclass

MOST_BOARDS = 16
"""A variable that would make more boards than this is not drawn as boards."""
WIDEST = 78
"""Boards stand beside each other as long as lines are no longer than this."""
GAP = "   "


def draw_state(
    model: Model,
    engine: Engine,
    state: State,
    viewer: int | None = None,
) -> str:
    """The boards drawn, then the other variables, then who is to move or how it ended.

    `viewer` is the player who looks; None sees everything.
    """
    parts: list[str] = []
    if isinstance(engine, TreeInterpreter):
        parts.append(_place_in_tree(model, engine, state, viewer))
    else:
        seen = state if viewer is None else as_seen(model, state, viewer)
        boards = {v.name: boards_of(model, v) for v in model.variables} if _is_drawn(model) else {}
        several = sum(map(len, boards.values())) > 1
        for variable in model.variables:
            drawn = [
                (f"{one.title}:\n" if several else "")
                + draw_board(model.board, variable, seen, one.first)  # type: ignore[arg-type]
                for one in boards.get(variable.name, ())
            ]
            parts += side_by_side(drawn)
        lines = [variable_line(v, seen) for v in model.variables if not boards.get(v.name)]
        if lines:
            parts.append("\n".join(lines))
    parts.append(standing(engine, state))
    return "\n".join(parts)


def _place_in_tree(model: Model, engine: TreeInterpreter, state: State, viewer: int | None) -> str:
    """The play so far, or, for a player who may not have seen all of it, what is known."""
    node = engine.node(state)
    if viewer is None or not model.facts.has_secrets:
        return "after " + (", ".join(node.path) or "nothing yet")
    if node.player == viewer:
        return f"in [{node.information_set}]"
    return "in the middle of play"


def as_seen(model: Model, state: State, viewer: int) -> State:
    """The state with every cell left open that `viewer` does not see."""
    cells = list(state.cells)
    for variable in model.variables:
        for number, owner in enumerate(variable.owners or ()):
            if owner != viewer:
                cells[variable.offset + number] = None
    return State(tuple(cells), state.turn, state.pending, state.history)


@dataclass(frozen=True, slots=True)
class OneBoard:
    """Cells of a variable that make one board: `first` is the number of the first of them in the
    variable, `indices` are those that they share."""

    title: str
    first: int
    indices: tuple[str, ...]


def boards_of(model: Model, variable: nodes.Variable) -> tuple[OneBoard, ...]:
    """The boards that a variable is, one for each combination of its other indices; none where it
    is not told apart by squares, or where they would be too many."""
    squares = model.board.squares if model.board else ()
    if not variable.indices or not squares or variable.indices[-1].values != squares:
        return ()
    if variable.missing or variable.size > MOST_BOARDS * len(squares):
        return ()
    others = product(*(index.values for index in variable.indices[:-1]))
    return tuple(
        OneBoard(
            f"{variable.name}[{', '.join(shared)}]" if shared else variable.name,
            number * len(squares),
            shared,
        )
        for number, shared in enumerate(tuple(map(text_of, one)) for one in others)
    )


def side_by_side(drawn: list[str]) -> list[str]:
    """Drawings beside each other, in rows as wide as fits."""
    rows: list[list[str]] = []
    for one in drawn:
        row = [*(rows[-1] if rows else []), one]
        if rows and sum(map(_width, row)) + len(GAP) * (len(row) - 1) <= WIDEST:
            rows[-1] = row
        else:
            rows.append([one])
    return ["\n".join(_joined(row)) for row in rows]


def _width(drawn: str) -> int:
    return max(map(len, drawn.splitlines()))


def _joined(row: list[str]) -> list[str]:
    lines = zip_longest(*(one.splitlines() for one in row), fillvalue="")
    widths = [_width(one) for one in row]
    return [
        GAP.join(part.ljust(width) for part, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def _is_drawn(model: Model) -> bool:
    """Whether the board is a grid, or a graph that says where its points are."""
    return model.board is not None and (model.board.is_grid or bool(model.board.places))


def _value(variable: nodes.Variable, digit: int | None) -> Value | None:
    return None if digit is None else variable.domain.values[digit]


def symbols(variable: nodes.Variable) -> dict[Value, str]:
    """A short text for each value: a letter where first letters differ, else the whole name."""
    atoms = [v for v in variable.domain.values if isinstance(v, Atom)]
    named = [v for v in atoms if v is not EMPTY and v is not NONE and v.name != "nothing"]
    letters = {v.name[0] for v in named}
    short = len(letters) == len(named)
    found: dict[Value, str] = {}
    for value in variable.domain.values:
        if value is EMPTY or value is NONE or value is False:
            found[value] = "."
        elif value is True:
            found[value] = "x"
        elif isinstance(value, Atom) and value not in named:
            found[value] = "."
        elif isinstance(value, Atom) and short and not isinstance(value, Square):
            found[value] = value.name[0]
        else:
            found[value] = text_of(value)
    return found


def draw_board(board: Board, variable: nodes.Variable, state: State, first: int = 0) -> str:
    """Cells of squares, from the one with the number `first` on, as a grid with its coordinates,
    first row at the bottom; of a graph where its points are, each behind its name."""
    texts = symbols(variable)
    if board.places:
        return _draw_points(board, variable, state, first, texts)
    cells: dict[tuple[int, int], str] = {}
    for number, square in enumerate(board.squares):
        value = _value(variable, state.cells[variable.offset + first + number])
        assert square.column is not None
        assert square.row is not None
        cells[square.column, square.row] = "?" if value is None else texts[value]
    width = max((len(text) for text in cells.values()), default=1)
    columns = [column_name(c) for c in range(1, board.width + 1)]
    width = max(width, *(len(name) for name in columns))
    margin = len(str(board.height))
    lines = []
    for row in range(board.height, 0, -1):
        row_cells = [
            cells.get((column, row), "").ljust(width) for column in range(1, board.width + 1)
        ]
        lines.append(f"{row:>{margin}} " + " ".join(row_cells).rstrip())
    lines.append(" " * margin + " " + " ".join(name.ljust(width) for name in columns).rstrip())
    return "\n".join(lines)


def men_on(model: Model, state: State) -> dict[str, str]:
    """What stands on the squares, in short, by their names: what the first variable holds there
    that holds something. What is secret is left out."""
    men: dict[str, str] = {}
    for variable in model.variables:
        boards = boards_of(model, variable)
        if len(boards) != 1 or variable.owners is not None or variable.is_constant:
            continue
        texts = symbols(variable)
        for number, square in enumerate(model.board.squares if model.board else ()):
            value = _value(variable, state.cells[variable.offset + number])
            if value is not None and texts[value] != ".":
                men.setdefault(square.name, texts[value])
    return men


def _draw_points(
    board: Board, variable: nodes.Variable, state: State, first: int, texts: dict[Value, str]
) -> str:
    across = {x: n for n, x in enumerate(sorted({x for x, _ in board.places}))}
    up = {y: n for n, y in enumerate(sorted({y for _, y in board.places}, reverse=True))}
    rows = [[""] * len(across) for _ in up]
    for number, (square, (x, y)) in enumerate(zip(board.squares, board.places, strict=True)):
        value = _value(variable, state.cells[variable.offset + first + number])
        text = "?" if value is None else texts[value]
        rows[up[y]][across[x]] = f"{square.name} {text}"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def variable_line(variable: nodes.Variable, state: State) -> str:
    """A variable with the values of its cells, on one line; `?` for what is not seen."""
    values = [_value(variable, state.cells[variable.offset + n]) for n in variable.cells]
    texts = ["?" if value is None else text_of(value) for value in values]
    if not variable.indices:
        return f"{variable.name}: {texts[0]}"
    names = cell_names(variable)
    pairs = [f"{name} {text}" for name, text in zip(names, texts, strict=True)]
    return f"{variable.name}: " + ", ".join(pairs)


def cell_names(variable: nodes.Variable) -> list[str]:
    """The indices of each cell as text, in order of the cells that there are."""
    names = [""]
    for domain in variable.indices:
        names = [
            f"{before},{text_of(value)}" if before else text_of(value)
            for before in names
            for value in domain.values
        ]
    return [names[number] for number in variable.cells]


def standing(engine: Engine, state: State) -> str:
    """Who is to move, or how the game ended."""
    try:
        player = engine.current_player(state)
    except GameRuleError:
        return "the rules fail here"
    if player == TERMINAL:
        payoffs = engine.utilities(state)
        if len(payoffs) <= 2 and not any(payoffs):
            return "game over: draw"
        shares = ", ".join(
            f"{one.name} {amount}" for one, amount in zip(engine.players, payoffs, strict=True)
        )
        return f"game over: {shares}"
    if player == CHANCE:
        return "chance decides"
    if player == SIMULTANEOUS:
        return "all choose at once"
    return f"{player.name} to move"
