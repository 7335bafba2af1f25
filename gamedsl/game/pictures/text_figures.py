"""Pits, heaps, towers, cards, dice, and lines between dots as text, beside or instead of a board.

The results are lines of text, or None for looks that are written as a line.
"""

from __future__ import annotations

from gamedsl.game.pictures.looks import is_across, line_ends, line_starts
from gamedsl.game.pictures.pits import pits_of
from gamedsl.game.pictures.text_cards import cards_text
from gamedsl.game.pictures.text_lines import UNSEEN, cell_names, text_at, value_at
from gamedsl.model import State, nodes
from gamedsl.model.nodes.looks import VariableLook, is_truth
from gamedsl.model.values import Value, text_of

WIDEST_TOWER = 9
"""Largest number of discs of a drawn tower."""
MOST_THINGS = 50
"""Largest number of strokes of a drawn heap."""
GONE = "."


def figure_text(variable: nodes.Variable, look: VariableLook, state: State) -> str | None:
    """The drawing of one variable; None where a line of text is as informative."""
    match look:
        case VariableLook.PITS:
            return _pits(variable, state)
        case VariableLook.TOWERS:
            return _towers(variable, state)
        case VariableLook.HEAPS if is_truth(variable.domain):
            return _things(variable, state)
        case VariableLook.HEAPS:
            return _heaps(variable, state)
        case VariableLook.CARDS | VariableLook.DICE | VariableLook.FACES:
            return cards_text(variable, look, state)
        case _:
            return None


def _pits(variable: nodes.Variable, state: State) -> str:
    """Rows of pits with their numbers above and below, and a store at either end."""
    pits = pits_of(variable)
    numbers = [number for row in pits.rows for number in row]
    stores = [number for number in (pits.left, pits.right) if number is not None]
    texts = {number: text_at(variable, state, number) for number in (*numbers, *stores)}
    names = {number: pits.names[number] for number in texts}
    width = max(map(len, (*texts.values(), *names.values())))
    indent = " " * (width + 2) if stores else ""
    rows = [
        indent + " ".join(texts[number].rjust(width + 1) for number in row) for row in pits.rows
    ]
    labels = [
        indent + " ".join(names[number].rjust(width + 1) for number in row) for row in pits.rows
    ]
    lines = [f"{variable.name}:"]
    for place, (row, label) in enumerate(zip(rows, labels, strict=True)):
        is_top = place == 0 and len(rows) > 1
        lines += [label, row] if is_top else [row, label]
        if is_top and stores:
            gap = " " * (len(row) - len(indent))
            left = "" if pits.left is None else texts[pits.left]
            right = "" if pits.right is None else texts[pits.right]
            lines.append(f"{left.rjust(width)}  {gap}  {right.rjust(width)}")
    return "\n".join(line.rstrip() for line in lines)


def _heaps(variable: nodes.Variable, state: State) -> str:
    """A heap on a line: a stroke per thing, then the number; for large heaps the number alone."""
    names = cell_names(variable)
    margin = max(map(len, names))
    lines = []
    for number, name in zip(variable.cells, names, strict=True):
        value = value_at(variable, state, number)
        strokes = ""
        if isinstance(value, int) and 0 < value <= MOST_THINGS:
            strokes = "|" * value + " "
        lines.append(f"{name:>{margin}}  {strokes}{text_at(variable, state, number)}")
    if not variable.indices:
        return f"{variable.name}: {lines[0].strip()}"
    return "\n".join([f"{variable.name}:", *lines])


def _things(variable: nodes.Variable, state: State) -> str:
    """Things by name on a line, a dot for each missing thing."""
    shown = []
    for number, name in zip(variable.cells, cell_names(variable), strict=True):
        value = value_at(variable, state, number)
        text = UNSEEN if value is None else name if value else GONE
        shown.append(text.center(len(name)))
    return f"{variable.name}: {' '.join(shown).rstrip()}"


def _towers(variable: nodes.Variable, state: State) -> str | None:
    """Pegs with discs, the widest with the greatest number."""
    discs = len(variable.indices[0])
    pegs = variable.domain.values
    if discs > WIDEST_TOWER or len(pegs) * (2 * discs + 3) > 78:
        return None
    standing: dict[Value, list[int]] = {peg: [] for peg in pegs}
    for number in range(discs):
        value = value_at(variable, state, number)
        if value is None:
            return None
        standing[value].append(number)
    columns = []
    for peg in pegs:
        drawn = ["=" * (2 * number + 1) for number in standing[peg]]
        poles = ["|"] * (discs - len(drawn))
        columns.append([line.center(2 * discs + 1) for line in (*poles, *drawn, text_of(peg))])
    lines = ["  ".join(parts).rstrip() for parts in zip(*columns, strict=True)]
    return "\n".join([f"{variable.name}:", *lines])


def lines_text(variables: tuple[nodes.Variable, ...], state: State) -> str | None:
    """Lines between dots, horizontal and vertical, in a common drawing; None for variables of
    another form.
    """
    ends = {line_ends(variable) for variable in variables}
    size = next(iter(ends))
    if len(ends) != 1 or size is None or size[0] > 18:
        return None
    wide, high = size
    paper = [[" "] * (4 * wide + 1) for _ in range(2 * high + 1)]
    for row in range(high + 1):
        for column in range(wide + 1):
            paper[2 * row][4 * column] = "."
    for variable in variables:
        (left, low), high_count = line_starts(variable), len(variable.indices[1])
        for number in range(variable.size):
            column = left + number // high_count
            row = low + number % high_count
            value = value_at(variable, state, number)
            if value is False:
                continue
            if is_across(variable):
                paper[2 * (high - row)][4 * column - 3 : 4 * column] = "---" if value else " ? "
            else:
                paper[2 * (high - row) + 1][4 * column] = "|" if value else "?"
    margin = len(str(high))
    lines = []
    for place, line in enumerate(paper):
        label = str(high - place // 2) if place % 2 == 0 else ""
        lines.append(f"{label:>{margin}} {''.join(line)}".rstrip())
    names = "".join(str(column).ljust(4) for column in range(wide + 1))
    return "\n".join([*lines, f"{'':>{margin}} {names}".rstrip()])
