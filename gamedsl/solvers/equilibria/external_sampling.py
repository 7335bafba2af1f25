"""Regret minimisation by external sampling: in each round a player tries all own actions against
one sample of chance and of the opponents' actions.

In: an extensive form, a seed. Out: the mean behaviour, as of `regret_minimisation.Learner`; only
`best_response` tells its quality (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for
regret minimization in extensive games", NIPS 2009: external sampling). Equal seeds give equal
behaviour, in machine code and in Python.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from math import isqrt
from random import Random

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.history_tree import HistoryTree
from gamedsl.solvers.equilibria.regret_kernel import CHANCE, WHOLE, Tree
from gamedsl.solvers.equilibria.regret_minimisation import (
    MOST_PAYOFF,
    Learner,
    is_compiled,
    span_of_payoffs,
)

MOST_SAMPLES = 1 << 32
"""Maximal number of rounds; with more, sums could overflow."""
FEWEST_SAMPLES, USUAL_SAMPLES = 1_000, 1_000_000
MOST_STEPS, MOST_STEPS_COMPILED = 250_000, 50_000_000
"""Estimated number of nodes visited in all rounds: some seconds."""
CHEAP_MEAN = 32
"""Number of sequences whose summation takes about as long as a sample."""


class ExternalSampling(Learner):
    """All players learning from samples, with an own seed, on a form with its tree."""

    def __init__(
        self, form: ExtensiveForm, seed: int, most_rounds: int, *, is_native: bool = True
    ) -> None:
        super().__init__(form, min(most_rounds, MOST_SAMPLES), "sample", is_native=is_native)
        sequences, sets = self.shape.sequence_starts, self.shape.set_starts
        self._every, self._players = 1 + sequences[-1] // CHEAP_MEAN, len(form.sets)
        tree, random = _tree(form), Random(seed)
        places, chances, starts = array("q", tree.places), array("q"), list[int]()
        for shares in tree.shares:
            starts.append(len(chances))
            chances.extend(int(share * WHOLE) for share in accumulate(shares))
        for node, mover in enumerate(tree.movers):
            if mover >= 0:
                places[node] += sets[mover]
            elif mover == CHANCE:
                places[node] = starts[places[node]]
        above, turns = (array("q", bytes(8 * _most_decisions(form))) for _ in range(2))
        self._tree = Tree(
            movers=tree.movers,
            places=places,
            children=tree.children,
            chances=chances,
            paid=_paid(form),
            random=array("q", [1 + random.getrandbits(30) for _ in range(2)]),
            above=above,
            turns=turns,
        )

    def _go_on(self, first: int, last: int) -> None:
        rounds, every, players = last - first, self._every, self._players
        self._play(rounds, every, players, self._tree, self.shape, self.learnt)


def usual_samples(form: ExtensiveForm) -> int:
    """A number of rounds that takes some seconds. Half of a tree's branching is sampled, so a round
    visits about the square root of the tree's size."""
    steps = MOST_STEPS_COMPILED if is_compiled(form) else MOST_STEPS
    return max(FEWEST_SAMPLES, min(USUAL_SAMPLES, steps // isqrt(form.size.histories)))


def _tree(form: ExtensiveForm) -> HistoryTree:
    assert form.tree is not None, "who samples asks for the tree"
    return form.tree


def _paid(form: ExtensiveForm) -> array[int]:
    """The payoffs of endings, in the units of `regret_kernel`."""
    spans = [span_of_payoffs(form, player) for player in range(len(form.sets))]
    known = {
        payoffs: [
            round((payoff - middle) / reach * MOST_PAYOFF)
            for payoff, (middle, reach) in zip(payoffs, spans, strict=True)
        ]
        for payoffs in form.outcomes
    }
    return array("q", [number for payoffs in _tree(form).payoffs for number in known[payoffs]])


def _most_decisions(form: ExtensiveForm) -> int:
    """Maximal number of decisions of a player in a play; at least 1."""
    most = 1
    for sets, sequences in zip(form.sets, form.size.sequences, strict=True):
        made = [0] * sequences
        for information_set in sets:
            for sequence in information_set.sequences:
                made[sequence] = made[information_set.parent] + 1
        most = max(most, *made)
    return most
