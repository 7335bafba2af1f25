"""What a payoff matrix shows, without a format.

In: a normal form. Out: a `Matrix` for two players, for more one for each choice of the others:
names, and cells with what is paid, what is a best reply to the others' choices, and whether all
are. It solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gamedsl.solvers.normal_form.form import NormalForm, Profile, best_replies
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """Payoffs as text in turn order, each with whether it is a best reply's."""

    payoffs: tuple[tuple[str, bool], ...]

    @property
    def is_equilibrium(self) -> bool:
        """Whether nobody gains by another choice."""
        return all(is_best for _, is_best in self.payoffs)


@dataclass(frozen=True, slots=True)
class Matrix:
    """One table: whose choices are rows and columns, their names, the cells by rows, and what the
    others choose, "" of two players."""

    players: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    others: str


def matrices(form: NormalForm) -> Iterator[Matrix]:
    """All tables of a form of two players or more."""
    rows, columns = form.strategies[:2]
    for rest in product(*map(range, form.sizes[2:])):
        chosen = zip(form.players[2:], form.strategies[2:], rest, strict=True)
        cells = tuple(
            tuple(_cell(form, (row, column, *rest)) for column in range(len(columns)))
            for row in range(len(rows))
        )
        others = ", ".join(f"{player}: {own[n]}" for player, own, n in chosen)
        yield Matrix((form.players[0], form.players[1]), rows, columns, cells, others)


def _cell(form: NormalForm, profile: Profile) -> Cell:
    paid = map(str, form.payoffs[profile])
    return Cell(tuple(zip(paid, best_replies(form, profile), strict=True)))
