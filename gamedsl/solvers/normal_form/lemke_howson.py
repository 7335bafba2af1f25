"""Find one equilibrium of two players by the algorithm of Lemke and Howson.

In: a normal form of two players. Out: mixtures of both players. In an equilibrium every strategy is
either unplayed or a best reply. The algorithm drops this condition for one strategy and follows the
path of almost complementary pairs from the artificial start, where no strategy is played, to an
equilibrium (C. Lemke and J. Howson, "Equilibrium points of bimatrix games", SIAM Journal 12, 1964;
as tableaus: B. von Stengel, chapter 3 of "Algorithmic Game Theory", 2007). A lexicographic rule
prevents cycling.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.normal_form.form import Mixture, NormalForm

ZERO, ONE = Fraction(0), Fraction(1)


def lemke_howson(form: NormalForm, dropped: int = 0) -> tuple[Mixture, Mixture]:
    """An equilibrium; `dropped` is the strategy dropped first; the first player's strategies are
    numbered before the second's."""
    rows, columns = form.sizes
    least = [min(payoffs[player] for payoffs in form.payoffs.values()) for player in (0, 1)]
    mine = [
        [form.payoffs[i, j][1] - least[1] + 1 for i in range(rows)] for j in range(columns)
    ]  # fmt: skip
    theirs = [
        [form.payoffs[i, j][0] - least[0] + 1 for j in range(columns)] for i in range(rows)
    ]  # fmt: skip
    labels = range(rows + columns)
    tableaus = (
        _Tableau(mine, labels[:rows], labels[rows:]),
        _Tableau(theirs, labels[rows:], labels[:rows]),
    )
    turn, entering = (0 if dropped < rows else 1), dropped
    while (entering := tableaus[turn].pivot(entering)) != dropped:
        turn = 1 - turn
    return tableaus[0].mixture(labels[:rows]), tableaus[1].mixture(labels[rows:])


class _Tableau:
    """Equations solved for basic variables. The column of a variable is its label; the last column
    holds the right-hand sides. `basic` holds the basic variables."""

    def __init__(
        self, table: Sequence[Sequence[Fraction]], labels: Sequence[int], slack: Sequence[int]
    ) -> None:
        width = len(labels) + len(slack)
        self.slack = slack
        self.basic = list(slack)
        self.rows: list[list[Fraction]] = []
        for label, entries in zip(slack, table, strict=True):
            row = [ZERO] * width + [ONE]
            row[label] = ONE
            for column, entry in zip(labels, entries, strict=True):
                row[column] = entry
            self.rows.append(row)

    def pivot(self, entering: int) -> int:
        """Increase a variable until a basic variable is 0; return the label of the leaving
        variable."""
        order = (-1, *self.slack)
        able = [n for n, row in enumerate(self.rows) if row[entering] > 0]
        place = min(able, key=lambda n: [self.rows[n][c] / self.rows[n][entering] for c in order])
        pivot = self.rows[place][entering]
        source = self.rows[place] = [entry / pivot for entry in self.rows[place]]
        for n, row in enumerate(self.rows):
            factor = row[entering]
            if n != place and factor:
                self.rows[n] = [a - factor * b for a, b in zip(row, source, strict=True)]
        leaving, self.basic[place] = self.basic[place], entering
        return leaving

    def mixture(self, labels: Sequence[int]) -> Mixture:
        """The variables of a player, scaled to the sum 1."""
        values = {label: row[-1] for label, row in zip(self.basic, self.rows, strict=True)}
        weights = [values.get(label, ZERO) for label in labels]
        total = sum(weights, ZERO)
        return tuple(weight / total for weight in weights)
