"""The payoff matrix of simultaneous moves as text, with best replies and equilibria marked.

The matrix comes from a normal form, or from the moves of a solution, one for each combination of
choices. A combination has the value of best play afterwards. With three or more players there is a
table for each combination of the remaining players' choices. On a narrow page a constant-sum matrix
shows only the first player's payoffs. The result is None without a matrix or without enough room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from textwrap import indent

from gamedsl.model.action_names import parts_of
from gamedsl.reports.paragraphs import line_width
from gamedsl.reports.solutions.move_values import short_names
from gamedsl.reports.solutions.policy import share
from gamedsl.solvers.decimals import SHORT_DENOMINATOR
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.form import NormalForm, Profile, best_replies
from gamedsl.solvers.solution import MoveValue

MARK = "*"
INDENT = 2
MOST_TABLES = 6
"""Limit on the tables of a game of three or more players; with more tables the matrix is omitted.
"""
MOST_LISTED = 40
"""Limit on the listed combinations of choices, if no matrix can be shown."""


def titled_matrix(players: Sequence[str], form: NormalForm) -> str | None:
    """The matrix below a heading; None if the matrix does not fit the page."""
    if (matrix := matrix_text(form)) is not None:
        return f"{heading(players, matrix)}\n\n{indent(matrix, INDENT * ' ')}"
    totals = {sum(payoffs) for payoffs in form.payoffs.values()}
    if len(players) != 2 or len(totals) != 1 or (matrix := _of_first(form)) is None:
        return None
    total = totals.pop()
    first, second = players
    words = f"; {second} gets {total} less each" if total else f", which {second} loses"
    brackets = "; [ ] an equilibrium" if "[" in matrix else ""
    told = f"payoffs of {first}{words}{brackets}:"
    return f"{told}\n\n{indent(matrix, INDENT * ' ')}"


def too_many_words(moves: Sequence[MoveValue]) -> str | None:
    """The sentence in place of a long list of combinations of choices; None for a short list."""
    if len(moves) <= MOST_LISTED or not all(isinstance(move.action, tuple) for move in moves):
        return None
    return (
        f"{len(moves):,} combinations of choices are too many to be shown here: --json has what "
        "each leads to"
    )


def matrix_text(form: NormalForm) -> str | None:
    """Rows of the first player, columns of the second; cells hold all payoffs.

    A star marks a best reply, brackets an equilibrium.
    """
    paid = (payoff for payoffs in form.payoffs.values() for payoff in payoffs)
    if not _has_choices(form) or any(payoff.denominator > SHORT_DENOMINATOR for payoff in paid):
        return None
    around = list(product(*map(range, form.sizes[2:])))
    if len(around) > MOST_TABLES:
        return None
    tables = []
    for rest in around:
        table = _table(form, rest)
        if table is None:
            return None
        names = (form.strategies[2 + place][number] for place, number in enumerate(rest))
        told = ", ".join(
            f"{player} {name}" for player, name in zip(form.players[2:], names, strict=True)
        )
        tables.append(f"{told}:\n{table}" if told else table)
    return "\n\n".join(tables)


def heading(players: Sequence[str], matrix: str) -> str:
    """The meaning of the marks in a matrix."""
    brackets = ", [ ] an equilibrium" if "[" in matrix else ""
    return f"payoffs of {', '.join(players)}; * marks a best reply{brackets}:"


def _has_choices(form: NormalForm) -> bool:
    """Whether the first two players can choose."""
    return len(form.sizes) >= 2 and min(form.sizes[:2]) >= 2


def _of_first(form: NormalForm) -> str | None:
    """The first player's payoffs only, long fractions rounded, equilibria in brackets.

    Choices of a common family are named by their arguments.
    """
    if not _has_choices(form):
        return None
    names = (_brief(form.strategies[0]), _brief(form.strategies[1]))
    brief = NormalForm(form.players, names, form.payoffs)

    def cell(profile: Profile) -> str:
        text = share(form.payoffs[profile][0])
        return f"[{text}]" if all(best_replies(form, profile)) else text

    return _table_of(brief, (), cell)


def _brief(names: Sequence[str]) -> tuple[str, ...]:
    """`show(1, 2)` as `1,2`, if all names belong to one family."""
    parts = [parts_of(name) for name in names]
    if len({head for head, _, _ in parts}) != 1 or not all(arguments for _, _, arguments in parts):
        return tuple(names)
    return tuple(",".join(arguments) for _, _, arguments in parts)


def _table(form: NormalForm, rest: tuple[int, ...]) -> str | None:
    return _table_of(form, rest, lambda profile: _cell(form, profile))


def _table_of(
    form: NormalForm, rest: tuple[int, ...], cell: Callable[[Profile], str]
) -> str | None:
    rows, columns = form.strategies[:2]
    table = [["", *columns]]
    for row, name in enumerate(rows):
        cells = (cell((row, column, *rest)) for column in range(len(columns)))
        table.append([name, *cells])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if INDENT + sum(widths) + 2 * (len(widths) - 1) > line_width():
        return None
    lines = (
        "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in table
    )
    return "\n".join(lines)


def _cell(form: NormalForm, profile: Profile) -> str:
    best = list(best_replies(form, profile))
    paid = zip(form.payoffs[profile], best, strict=True)
    text = ", ".join(f"{payoff}{MARK if is_best else ''}" for payoff, is_best in paid)
    return f"[{text}]" if all(best) else text


def form_of_moves(moves: Sequence[MoveValue]) -> NormalForm | None:
    """The moves of two simultaneous players as a normal form."""
    pairs = [tuple(name.split("+")) for name in short_names(moves).values()]
    is_joint = all(isinstance(move.action, tuple) and len(move.value) == 2 for move in moves)
    if not moves or not is_joint or any(len(pair) != 2 for pair in pairs):
        return None
    rows, columns = (list(dict.fromkeys(column)) for column in zip(*pairs, strict=True))
    payoffs: dict[Profile, Vector] = {
        (rows.index(row), columns.index(column)): move.value
        for (row, column), move in zip(pairs, moves, strict=True)
    }
    if len(payoffs) != len(rows) * len(columns) or min(len(rows), len(columns)) < 2:
        return None
    return NormalForm(("", ""), (tuple(rows), tuple(columns)), payoffs)
