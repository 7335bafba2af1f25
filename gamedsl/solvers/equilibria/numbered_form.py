"""Build the extensive form of a game by a kernel over its graph of states.

In: a game. Out: `ExtensiveForm`, or None where `history_walk` has to build the form. Histories are
counted before they are walked. The names that tell information sets apart are collected by a second
walk, on demand.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial
from typing import Any

from gamedsl.game.contract import Game
from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.equilibria.form import Cells, ExtensiveForm, FormSize, InformationSet, Story
from gamedsl.solvers.graphs.graph import OutOfHistoriesError, Progress
from gamedsl.solvers.histories import form_kernel, pairs_kernel
from gamedsl.solvers.histories.native import Kernels, is_worth_compiling
from gamedsl.solvers.histories.observed_graph import ObservedGraph, observed_graph
from gamedsl.solvers.interruptible import interruptible


def numbered_form(game: Game, most: int, progress: Progress | None = None) -> ExtensiveForm | None:
    """The extensive form; None if the kernel does not apply, or finds a fault in the rules.

    Raises OutOfHistoriesError if there are more than `most` histories.
    """
    graph = observed_graph(game, most, progress)
    return None if graph is None else form_of_graph(graph, most, progress)


def form_of_graph(
    graph: ObservedGraph, most: int, progress: Progress | None = None
) -> ExtensiveForm | None:
    """As `numbered_form`, of a graph that is known."""
    if graph.histories > most:
        raise OutOfHistoriesError(most, len(graph.arrays.movers))
    walk = _Walk(graph)
    if interruptible(partial(walk.run, graph.arrays)) != form_kernel.DONE:
        return None
    if progress is not None:
        progress(graph.histories, 0)
    return walk.form()


class _Walk:
    """The histories of a graph, walked; `arrays` holds the result, and `stories` walks again."""

    def __init__(self, graph: ObservedGraph) -> None:
        self.graph = graph
        self.players = len(graph.game.players)
        self._names = cache(graph.action_names)
        self._kernels = Kernels(
            graph.game, form_kernel, pairs_kernel, is_native=is_worth_compiling(graph.histories)
        )

    def run(self, arrays: form_kernel.Graph, names: int = 0) -> int:
        """Walk the histories; the status of the kernel. `names`: number of different names."""
        graph, players, kernels, row = self.graph, self.players, self._kernels, self._kernels.row
        depth = graph.longest + 1
        knowledge = kernels.pairs(players * (2 * graph.histories + 1))
        cells = kernels.pairs(players * graph.histories)
        path = form_kernel.Path(
            frames=kernels.rows(form_kernel.Frame, depth),
            known=row(depth * players), played=row(depth * players), entered=row(depth * players),
        )  # fmt: skip
        form = self._form_arrays(names)
        path.frames[0].weight = graph.unit
        for player in range(players):
            path.known[player] = pairs_kernel.pair_number(player, 0, knowledge)
            form.lasts[player] = -1
            form.made[player] = 1
        self.arrays = form
        return kernels.call("walk", players, arrays, path, knowledge, cells, form)

    def _form_arrays(self, names: int) -> form_kernel.Form:
        histories, players, row = self.graph.histories, self.players, self._kernels.row
        sets = players * histories
        told = self.graph.longest * sets if names else 0
        return form_kernel.Form(
            lasts=row(players * (2 * histories + 1)),
            set_of=row(players * (2 * histories + 1)),
            made=row(players),
            sets=self._kernels.rows(form_kernel.Set, sets),
            cell_of=row(players * histories),
            sequences=row(players * histories),
            sums=row(players * histories),
            chances=row(histories),
            edges=row(told),
            common=row(told),
            counts=row(names),
            notes=self._kernels.record(form_kernel.FormNotes),
        )  # fmt: skip

    def form(self) -> ExtensiveForm:
        """The extensive form of the walked histories."""
        graph, arrays, players = self.graph, self.arrays, self.players
        sets: list[list[InformationSet]] = [[] for _ in range(players)]
        for number, entry in enumerate(self._sets()):
            player, parent, first, _, _, state, members, *_ = entry
            actions = self._names(state, player)
            tell = partial(self._story, number)
            sets[player].append(InformationSet(actions, parent, first, members, tell))
        movers = graph.arrays.movers
        size = FormSize(
            arrays.notes.histories, tuple(map(len, sets)), tuple(arrays.made),
            len(movers) - movers.count(CHANCE), movers.count(TERMINAL), movers.count(CHANCE),
        )  # fmt: skip
        count = arrays.notes.cells
        cells = Cells(
            _copied(arrays.sequences, count * players),
            _copied(arrays.sums, count * players),
            _copied(arrays.chances, count),
            graph.unit,
            graph.share,
        )
        return ExtensiveForm(graph.game, tuple(map(tuple, sets)), cells, graph.outcomes, size)

    def _sets(self) -> Iterator[tuple[int, ...]]:
        """The numbers of each record `Set`."""
        width = len(form_kernel.Set.FIELDS)
        row = _copied(self.arrays.sets.row, self.arrays.notes.sets * width)
        return zip(*(row[n::width] for n in range(width)), strict=True)

    def _story(self, number: int) -> Story:
        return self._stories[number]

    @cached_property
    def _stories(self) -> list[Story]:
        """The stories of all sets, by a second walk."""
        walked = self.arrays
        arrays, names = self.graph.with_names()
        self.run(arrays, len(names))
        told, self.arrays = self.arrays, walked
        return [self._told(told, number, names) for number in range(walked.notes.sets)]

    def _told(
        self, told: form_kernel.Form, number: int, names: Sequence[tuple[str, bool]]
    ) -> Story:
        entry = told.sets[number]
        edges = told.edges[entry.story : entry.story + entry.length]
        common = [names[n] for n in told.common[entry.story : entry.story + entry.common]]
        return Story(
            tuple(name for name, is_chance in common if is_chance),
            tuple(name for name, is_chance in common if not is_chance),
            self.graph.history(edges),
        )


def _copied(row: Any, count: int) -> array[int]:
    """The first numbers of a row."""
    part = row[:count]
    return array("q", part.tobytes() if isinstance(part, memoryview) else part)
