"""Facts about the extensive form of a game: sequences, plans, opposed interests."""

from __future__ import annotations

from functools import cached_property

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.extensive_form import (
    MOST_NUMBERED,
    ExtensiveForm,
    extensive_form,
)
from gamedsl.solvers.equilibria.numbered_form import form_of_graph
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.graphs.graph import Progress, within
from gamedsl.solvers.histories.observed_graph import ObservedGraph, observed_graph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.normal_form.reduced import ReducedForm, reduced_form
from gamedsl.solvers.options import SolveOptions

FEW_SEQUENCES = 500
"""Sequences of both players together for which a linear program is solved in seconds."""


class FormAnalysis:
    """Facts about the extensive form from the first state, computed once, on demand."""

    def __init__(self, game: Game, options: SolveOptions) -> None:
        self._game, self._options = game, options

    @cached_property
    def form(self) -> ExtensiveForm:
        """The extensive form, from the beginning; raises the errors of the construction, and
        OutOfMemoryError."""
        return self._form(with_tree=self._options.solver is SolverName.EXTERNAL_SAMPLING)

    @cached_property
    def graph(self) -> ObservedGraph | None:
        """The graph of states with what the players observe; None where kernels do not apply.
        Raises the errors of the construction."""
        options = self._options
        most = options.max_positions or MOST_NUMBERED
        return observed_graph(self._game, most, self._progress, options.max_bytes)

    @property
    def _progress(self) -> Progress | None:
        options = self._options
        if options.max_bytes is None:
            return options.progress
        return within(options.max_bytes, options.progress)

    def _form(self, *, with_tree: bool) -> ExtensiveForm:
        most = self._options.max_positions
        if not with_tree and self.graph is not None:
            form = form_of_graph(self.graph, most or MOST_NUMBERED, self._progress)
            if form is not None:
                return form
        return extensive_form(
            self._game,
            max_histories=most,
            progress=self._progress,
            with_tree=with_tree,
            by_kernel=False,
        )

    @property
    def has_many_histories(self) -> bool:
        """Whether two players with opposed interests have more histories than can be listed, and
        kernels apply."""
        if len(self._game.players) != 2 or self.graph is None:
            return False
        most = self._options.max_positions or MOST_NUMBERED
        return (
            self.graph.histories > most and constant_sum(self.graph.outcomes, range(2)) is not None
        )

    @property
    def form_with_tree(self) -> ExtensiveForm:
        """The extensive form with all histories."""
        return self.form if self.form.tree is not None else self._form(with_tree=True)

    @cached_property
    def reduced(self) -> ReducedForm | UnsupportedGameError:
        """The plans of all players; or the error if the plans are too many."""
        try:
            return reduced_form(self.form)
        except UnsupportedGameError as error:
            return error

    @property
    def has_normal_form(self) -> bool:
        """Whether equilibria are computed from plans, being few enough."""
        return not self.has_opposed_form and isinstance(self.reduced, ReducedForm)

    @property
    def has_few_sequences(self) -> bool:
        """Whether an exact linear program on sequences is quick."""
        return self.has_opposed_form and sum(self.form.size.sequences) <= FEW_SEQUENCES

    @property
    def has_opposed_form(self) -> bool:
        """Whether the game has one player, or two players with opposed interests in every play."""
        return constant_sum(self.form.outcomes, self._game.facts.sides) is not None
