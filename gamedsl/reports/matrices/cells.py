"""The content of payoff matrices, independent of the format.

A game of two players has one `Matrix`, a game of more players a matrix for each combination of the
remaining players' choices. Cells hold payoffs, marks for best replies, and for equilibria.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gamedsl.solvers.normal_form.form import NormalForm, Profile, best_replies
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """Payoffs as text in turn order, with marks for best replies."""

    payoffs: tuple[tuple[str, bool], ...]

    @property
    def is_equilibrium(self) -> bool:
        """Whether no player gains by a deviation."""
        return all(is_best for _, is_best in self.payoffs)


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table: the row and column player, the strategies, the cells by rows, and the choices of the
    remaining players ("" with two players).
    """

    players: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    other_choices: str


def matrices(form: NormalForm) -> Iterator[Matrix]:
    """All tables of a normal form with at least two players."""
    rows, columns = form.strategies[:2]
    for rest in product(*map(range, form.sizes[2:])):
        chosen = zip(form.players[2:], form.strategies[2:], rest, strict=True)
        cells = tuple(
            tuple(_cell(form, (row, column, *rest)) for column in range(len(columns)))
            for row in range(len(rows))
        )
        other_choices = ", ".join(f"{player}: {names[n]}" for player, names, n in chosen)
        yield Matrix((form.players[0], form.players[1]), rows, columns, cells, other_choices)


def _cell(form: NormalForm, profile: Profile) -> Cell:
    paid = map(str, form.payoffs[profile])
    return Cell(tuple(zip(paid, best_replies(form, profile), strict=True)))
