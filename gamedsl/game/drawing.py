"""A state as plain text: the board with its men, other variables, and who is to move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from itertools import zip_longest
from typing import TYPE_CHECKING

from gamedsl.game.engines import Engine
from gamedsl.game.pictures.looks import (
    KNOWN_LETTERS,
    LETTERS,
    View,
    is_nothing,
    is_owner,
    letters_of,
    view_of,
)
from gamedsl.game.pictures.rings import holds_squares, ring_texts, rings_of
from gamedsl.game.pictures.text_boards import board_text
from gamedsl.game.pictures.text_figures import figure_text, lines_text
from gamedsl.game.pictures.text_lines import UNSEEN, WIDEST, folded, value_at, variable_lines
from gamedsl.game.pictures.tints import tint_of, tinted
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, Model, State, nodes
from gamedsl.model.engine import RulesEngine
from gamedsl.model.nodes.looks import VariableLook, is_truth
from gamedsl.model.values import EMPTY, NONE, Atom, Square, Value, text_of

if TYPE_CHECKING:
    from gamedsl.interpreter import TreeInterpreter

GAP = "   "
COLOUR = re.compile(r"\x1b\[[\d;]*m")
FREE = "."


def draw_state(
    model: Model,
    engine: Engine,
    state: State,
    viewer: int | None = None,
    marked: Set[str] = frozenset(),
    in_words: bool = False,
    has_colours: bool = False,
) -> str:
    """The board and other drawings, then the other variables, then the player to move or the
    result.

    `viewer` is the viewing player; None sees everything. `marked` are names of squares, of the last
    move. `in_words`: variables other than boards are written on lines, not drawn. `has_colours`:
    men, and the name of the player to move, are in the colours of the players.
    """
    parts: list[str] = []
    if not isinstance(engine, RulesEngine):
        parts.append(_place_in_tree(model, engine, state, viewer))
    else:
        seen = state if viewer is None else as_seen(model, state, viewer)
        view = view_of(model)
        boards, left_over = _boards(model, view, seen, marked, has_colours)
        in_lines = [variable for variable, _ in view.figures]
        figures, as_lines = ([], in_lines) if in_words else _figures(view, seen)
        parts += [*boards, *figures]
        lines = {v.name for v in (*view.lines, *left_over, *as_lines)}
        written = [
            line for v in model.variables if v.name in lines for line in variable_lines(v, seen)
        ]
        parts += map(folded, written)
    parts.append((_to_move if has_colours else standing)(model, engine, state))
    return "\n".join(parts)


def _to_move(model: Model, engine: Engine, state: State) -> str:
    """The player to move, in the player's colour."""
    told = standing(model, engine, state)
    names = tuple(player.name for player in engine.players)
    for player, name in enumerate(names):
        if told == f"{name} to move":
            return f"{tinted(name, tint_of(names, player))} to move"
    return told


def _boards(
    model: Model, view: View, state: State, marked: Set[str], has_colours: bool
) -> tuple[list[str], list[nodes.Variable]]:
    """The men and the boards beside them; the variables without a drawing."""
    on_squares = [*view.men, *view.marks, *(variable for variable, _ in view.boards)]
    board = model.board
    if board is None or board_text(board, [""] * len(board.squares)) is None:
        return [], on_squares
    drawn: list[tuple[str, str | None]] = []
    for variable, panels in view.boards:
        texts = symbols(model, variable)
        for panel in panels:
            values = _values(variable, state, panel.cells)
            cells = [texts[value] for value in values]
            tints = [_tint(model, (value,)) if has_colours else "" for value in values]
            drawn.append((panel.title, board_text(board, cells, marked, tints)))
    holders = [variable for variable in view.lines if holds_squares(variable)]
    rings = [ring for variable in holders for ring in rings_of(variable, state)]
    layers = (*view.men, *view.marks)
    if holders and not view.boards and all(is_truth(variable.domain) for variable in view.men):
        signs = ring_texts(model, rings, FREE)
        marks = men_texts(model, view, state) if layers else signs
        drawn.append(("", board_text(board, list(map(_together, signs, marks)), marked)))
    elif layers:
        title = ", ".join(variable.name for variable in layers)
        tints = _men_tints(model, view, state) if has_colours else []
        drawn.insert(0, (title, board_text(board, men_texts(model, view, state), marked, tints)))
    titled = [f"{title}:\n{text}" if len(drawn) > 1 else f"{text}" for title, text in drawn]
    legend = [f"{name[0]}: {name}" for name in (variable.name for variable in view.marks)]
    is_explained = bool(legend) and bool(view.men)
    return [*side_by_side(titled), *([", ".join(legend)] if is_explained else [])], []


def _together(sign: str, mark: str) -> str:
    """The text of a square with the sign of a man and a mark."""
    return sign if mark in {FREE, sign} else mark if sign == FREE else sign + mark


def _figures(view: View, state: State) -> tuple[list[str], list[nodes.Variable]]:
    """Variables with a drawing of their own as text, and variables without a drawing."""
    drawn: list[str] = []
    as_lines: list[nodes.Variable] = []
    dotted = tuple(v for v, look in view.figures if look is VariableLook.LINES)
    grid = lines_text(dotted, state) if dotted else None
    if grid is None:
        as_lines += dotted
    else:
        drawn.append(grid)
    for variable, look in view.figures:
        if look is VariableLook.LINES:
            continue
        text = figure_text(variable, look, state)
        if text is None:
            as_lines.append(variable)
        else:
            drawn.append(text)
    return drawn, as_lines


def _men_tints(model: Model, view: View, state: State) -> list[str]:
    """The colour of the men on each square: the owner's colour."""
    count = len(model.board.squares) if model.board else 0
    columns = [_values(variable, state, range(count)) for variable in view.men]
    return [_tint(model, values) for values in zip(*columns, strict=True)] or [""] * count


def _tint(model: Model, values: Iterable[Value | None]) -> str:
    players = tuple(player.name for player in model.players)
    owners = (n for value in values for n, player in enumerate(model.players) if value is player)
    return next((tint_of(players, owner) for owner in owners), "")


def men_texts(model: Model, view: View, state: State) -> list[str]:
    """The texts of the squares, in the order of the squares. If several variables make one man, the
    first gives the owner and the second the kind, by a letter: of two players, the first has
    upper-case letters and the second lower-case letters. Letters of marks follow. What is unseen is
    `?` on squares where nothing else is seen.
    """
    layers = (*view.men, *view.marks)
    count = len(model.board.squares) if model.board else 0
    columns = [_values(variable, state, range(count)) for variable in layers]
    if len(layers) == 1:
        texts = symbols(model, layers[0])
        return [texts[value] for value in columns[0]]
    letters = [men_letters(model, variable) for variable in layers]
    return [_man(model, view, values, letters) for values in zip(*columns, strict=True)]


def _man(
    model: Model, view: View, values: tuple[Value | None, ...], letters: list[dict[Value, str]]
) -> str:
    there = [
        (variable, value, letters[n].get(value, text_of(value)))
        for n, (variable, value) in enumerate(zip((*view.men, *view.marks), values, strict=True))
        if value is not None and not is_nothing(value, variable.domain)
    ]
    marks = "".join(letter for variable, _, letter in there if variable in view.marks)
    men = [(value, letter) for variable, value, letter in there if variable in view.men]
    owners = [value for value, _ in men if value in model.players]
    kinds = "".join(letter for value, letter in men if value not in model.players)
    if owners and kinds.isalpha() and len(model.players) == 2:
        kinds = kinds.upper() if owners[0] is model.players[0] else kinds.lower()
    elif owners:
        kinds = "".join(letter for value, letter in men if value in model.players) + kinds
    return kinds + marks or (UNSEEN if None in values else FREE)


def men_letters(model: Model, variable: nodes.Variable) -> dict[Value, str]:
    """Letters for the values of a variable that makes men together with a second variable."""
    if is_truth(variable.domain):
        return {True: variable.name[0], False: ""}
    if is_owner(model, variable):
        return {
            value: text for value, text in symbols(model, variable).items() if value is not None
        }
    return letters_of(variable.domain.values) | _signs(model)


def _signs(model: Model) -> dict[Value, str]:
    """The signs that the file gives to values, with replacements for signs that a terminal may
    lack.
    """
    return {
        value: LETTERS.get(sign, sign)
        for value, sign in model.looks.glyphs
        if sign.isascii() or sign in LETTERS
    }


def _place_in_tree(model: Model, engine: TreeInterpreter, state: State, viewer: int | None) -> str:
    """The play so far, or, for a player who may not have seen all of it, the information set."""
    node = engine.node(state)
    if viewer is not None and model.facts.has_secrets:
        if node.player != viewer:
            return "in the middle of play"
        sets = [other.information_set for other in engine.tree.nodes if other.player == viewer]
        if sets.count(node.information_set) > 1:
            return f"in [{node.information_set}]"
    return "after " + (", ".join(node.path) or "nothing yet")


def as_seen(model: Model, state: State, viewer: int) -> State:
    """The state with every cell left open that `viewer` does not see."""
    cells = list(state.cells)
    for variable in model.variables:
        for number in range(variable.size):
            if not variable.is_seen(number, viewer):
                cells[variable.offset + number] = None
    return State(tuple(cells), state.turn, state.pending, state.history)


def side_by_side(drawn: list[str]) -> list[str]:
    """Drawings beside each other, in rows as wide as fits."""
    rows: list[list[str]] = []
    for drawing in drawn:
        row = [*(rows[-1] if rows else []), drawing]
        if rows and sum(map(_width, row)) + len(GAP) * (len(row) - 1) <= WIDEST:
            rows[-1] = row
        else:
            rows.append([drawing])
    return ["\n".join(_joined(row)) for row in rows]


def _width(drawn: str) -> int:
    return max(map(_columns, drawn.splitlines()))


def _columns(line: str) -> int:
    """The number of columns of a line, without colour codes."""
    return len(COLOUR.sub("", line))


def _joined(row: list[str]) -> list[str]:
    lines = zip_longest(*(drawing.splitlines() for drawing in row), fillvalue="")
    widths = [_width(drawing) for drawing in row]
    return [
        GAP.join(
            part + " " * (width - _columns(part)) for part, width in zip(line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]


def _values(variable: nodes.Variable, state: State, cells: Iterable[int]) -> list[Value | None]:
    return [value_at(variable, state, number) for number in cells]


def symbols(model: Model, variable: nodes.Variable) -> dict[Value | None, str]:
    """A short text for each value: the sign given by the file, a letter where the letters of all
    values differ, else the whole name; `?` for an unseen value.
    """
    atoms = [v for v in variable.domain.values if isinstance(v, Atom)]
    named = [v for v in atoms if v is not EMPTY and v is not NONE and v.name != "nothing"]
    letters = {v: KNOWN_LETTERS.get(v.name, v.name[0]) for v in named}
    short = len(set(letters.values())) == len(named)
    texts: dict[Value | None, str] = {None: UNSEEN}
    for value in variable.domain.values:
        if value is EMPTY or value is NONE or value is False:
            texts[value] = FREE
        elif value is True:
            texts[value] = "x"
        elif isinstance(value, Atom) and value not in named:
            texts[value] = FREE
        elif isinstance(value, Atom) and short and not isinstance(value, Square):
            texts[value] = letters[value]
        else:
            texts[value] = text_of(value)
    signs = _signs(model)
    return {value: signs.get(value, text) if value is not None else text
            for value, text in texts.items()}  # fmt: skip


def men_on(model: Model, state: State) -> dict[str, str]:
    """The short texts of the squares, by square name. Secret contents are left out."""
    view = view_of(model)
    board = model.board
    if board is None or any(v.viewers is not None for v in (*view.men, *view.marks)):
        return {}
    if not view.men or all(variable.is_constant for variable in view.men):
        return {}
    texts = men_texts(model, view, state)
    return {
        square.name: text for square, text in zip(board.squares, texts, strict=True) if text != FREE
    }


def standing(model: Model, engine: Engine, state: State) -> str:
    """The player to move, or the result of the game."""
    try:
        player = engine.current_player(state)
    except GameRuleError:
        return "the rules fail here"
    if player == TERMINAL:
        payoffs = engine.utilities(state)
        if len(payoffs) == 2 and not any(payoffs) and model.facts.has_winners:
            return "game over: draw"
        shares = ", ".join(
            f"{side.name} {amount}" for side, amount in zip(engine.players, payoffs, strict=True)
        )
        return f"game over: {shares}"
    if player == CHANCE:
        return "chance decides"
    if player == SIMULTANEOUS:
        return "all choose at once"
    return f"{player.name} to move"
