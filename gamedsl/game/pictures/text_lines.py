"""Variables as lines of text: the values of their cells, each with its indices.

Variables with a drawing of their own are drawn by `text_figures` and `text_boards`.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from gamedsl.game.pictures.looks import is_nothing
from gamedsl.model import State, nodes
from gamedsl.model.nodes.looks import is_count, is_range, is_truth
from gamedsl.model.values import Domain, Value, text_of

UNSEEN = "?"
MANY = 13
"""Number of cells from which cells with the same value are told together."""
WIDEST = 78
"""Columns of a line in a terminal."""


def value_at(variable: nodes.Variable, state: State, number: int) -> Value | None:
    """The value of a cell, by its number among the cells of its variable; None if unseen."""
    digit = state.cells[variable.offset + number]
    return None if digit is None else variable.domain.values[digit]


def text_at(variable: nodes.Variable, state: State, number: int) -> str:
    """The value of a cell as text; `?` if unseen."""
    value = value_at(variable, state, number)
    return UNSEEN if value is None else text_of(value)


def variable_lines(variable: nodes.Variable, state: State) -> list[str]:
    """A variable with the values of its cells, on one line: `stake: Ann 1, Bob 2`, with numbers
    among the indices `left: 1=3, 2=5`; for truth values, the set of true cells. With two or more
    indices, a line for each value of the first index, with the non-empty cells, any number
    included; a single `?` if all cells, or all truth values, are unseen. Many cells by number, and
    many lines, are told in runs, `owner: 0..5=none, 6=Ann`.
    """
    texts = {number: text_at(variable, state, number) for number in variable.cells}
    if not variable.indices:
        return [f"{variable.name}: {texts[0]}"]
    first, *rest = variable.indices
    names = dict(zip(variable.cells, cell_names(variable), strict=True))
    if not rest:
        held = [names[number] for number, text in texts.items() if text == "true"]
        if is_truth(variable.domain) and UNSEEN not in texts.values():
            return [f"{variable.name}: {{{', '.join(held)}}}"]
        if is_truth(variable.domain) and set(texts.values()) == {UNSEEN}:
            return [f"{variable.name}: {UNSEEN}"]
        cells = [(names[number], text) for number, text in texts.items()]
        told = _in_runs(cells) if len(cells) >= MANY and is_range(first) else cells
        pairs = (f"{name}{_between(first)}{text}" for name, text in told)
        return [f"{variable.name}: {', '.join(pairs)}"]
    lines = []  # the first index and the cells of each line
    size = variable.size // len(first)
    for place, value in enumerate(first.values):
        head = text_of(value)
        there = {
            names[number].removeprefix(f"{head},"): text
            for number, text in texts.items()
            if number // size == place and not _is_nothing(variable, state, number)
        }
        if there and set(there.values()) == {UNSEEN}:
            lines.append((head, UNSEEN))
            continue
        if is_truth(variable.domain) and UNSEEN not in there.values():
            lines.append((head, f"{{{', '.join(there)}}}"))
            continue
        pairs = (f"{name}{_between(*rest)}{text}" for name, text in there.items())
        lines.append((head, ", ".join(pairs) or "nothing"))
    has_gaps = _has_numbers(first) and not is_range(first)
    told = _in_runs(lines) if len(lines) >= MANY and not has_gaps else lines
    return [f"{variable.name}[{head}]: {text}" for head, text in told]


def _in_runs(cells: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Cells beside each other that hold the same as one, `6..51` for the cells from 6 to 51."""
    runs = [(text, [name for name, _ in run]) for text, run in groupby(cells, itemgetter(1))]
    return [
        (f"{names[0]}..{names[-1]}" if len(names) > 1 else names[0], text) for text, names in runs
    ]


def _between(*indices: Domain) -> str:
    """The sign between an index and the value of its cell: two numbers need a sign."""
    return "=" if any(map(_has_numbers, indices)) else " "


def _has_numbers(index: Domain) -> bool:
    return any(isinstance(value, int) for value in index.values)


def _is_nothing(variable: nodes.Variable, state: State, number: int) -> bool:
    """Whether a line leaves a cell out. Numbers are always shown, 0 too: a number may be a place as
    well as a count.
    """
    value = value_at(variable, state, number)
    return value is not None and not is_count(value) and is_nothing(value, variable.domain)


def cell_names(variable: nodes.Variable) -> list[str]:
    """The indices of each cell as text, in the order of the declared cells."""
    names = [""]
    for domain in variable.indices:
        names = [
            f"{before},{text_of(value)}" if before else text_of(value)
            for before in names
            for value in domain.values
        ]
    return [names[number] for number in variable.cells]


def folded(line: str) -> str:
    """A long line broken behind commas into several lines, the lower lines indented."""
    lines = [""]
    for part in line.split(", "):
        if lines[-1] and len(lines[-1]) + len(part) + len(", ,") > WIDEST:
            lines[-1] += ","
            lines.append(f"  {part}")
        else:
            lines[-1] += f", {part}" if lines[-1] else part
    return "\n".join(lines)
