"""The graph of states with what each player observes, as flat arrays for `form_kernel`.

In: a game with sights. Out: `ObservedGraph`: every reachable state once, its successors, and the
observations of the players by number; by machine code in large games. Histories are counted, not
listed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm

from gamedsl.game.accelerator import ListedStates, Refusal, SearchLimits, machine_code_of
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.sights import Sights, sights_of
from gamedsl.game.steps import Steps, steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.solvers.graphs.graph import (
    REPORT_EVERY,
    OutOfHistoriesError,
    Progress,
    Vector,
)
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.histories import form_kernel, pairs_kernel
from gamedsl.solvers.histories.form_kernel import GREATEST, Graph
from gamedsl.solvers.histories.native import Kernels, is_worth_compiling

WORTH_LISTING = 5_000
"""States listed in Python before machine code of the game is asked for."""
ONE = Fraction(1)
Numbers = dict[Hashable, int]


class ObservedGraph:
    """The states reachable from the first state.

    Attributes:
        game: the game.
        arrays: as `form_kernel` has them, without names.
        state: the state with a number; choice: the action of an edge.
        outcomes: the payoffs of endings; share: payoffs are multiples of 1 / `share`.
    """

    def __init__(
        self,
        game: Game,
        arrays: Graph,
        payoffs: dict[int, Vector],
        state: Callable[[int], State],
        choice: Callable[[int], Action | JointAction],
    ) -> None:
        """`payoffs`: the payoffs of each ending."""
        self.game, self.arrays, self.state, self.choice = game, arrays, state, choice
        self.outcomes = frozenset(payoffs.values())
        self.share = lcm(*(payoff.denominator for vector in self.outcomes for payoff in vector))
        nothing = [0] * len(game.players)
        known = {
            vector: [int(payoff * self.share) for payoff in vector] for vector in self.outcomes
        }
        for place in range(len(arrays.movers)):
            paid = payoffs.get(place)
            arrays.paid.extend(nothing if paid is None else known[paid])

    @cached_property
    def _measures(self) -> tuple[int, int, int, array[int]]:
        """Histories, longest history, unit, order of the states; zeros if play can return."""
        states = len(self.arrays.movers)
        entering, order = (array("q", bytes(8 * states)) for _ in range(2))
        measures = array("q", bytes(24 * states))
        kernels = Kernels(
            self.game, form_kernel, pairs_kernel, is_native=is_worth_compiling(states)
        )
        sorted_states = kernels.call("measure", self.arrays, entering, order, measures)
        is_whole = sorted_states == states
        return (measures[0], measures[1], measures[2], order) if is_whole else (0, 0, 0, order)

    @property
    def histories(self) -> int:
        """Number of histories, at most `GREATEST`; 0 if play can return."""
        return self._measures[0]

    @property
    def longest(self) -> int:
        """Number of states of the longest history."""
        return self._measures[1]

    @property
    def unit(self) -> int:
        """Probabilities of histories by chance are multiples of 1 / `unit`."""
        return self._measures[2]

    @property
    def order(self) -> array[int]:
        """The states, each before its successors, if play ends."""
        return self._measures[3]

    @property
    def suits(self) -> bool:
        """Whether the kernel can walk the histories: play ends, the sums of payoffs are exact, and
        joint choices are listed in the order of a product."""
        if not self.histories:
            return False
        most = max((abs(payoff) for vector in self.outcomes for payoff in vector), default=0)
        return self.unit * (int(most * self.share) + 1) < GREATEST and self._is_in_order()

    def _is_in_order(self) -> bool:
        arrays = self.arrays
        if SIMULTANEOUS not in arrays.movers:
            return True
        for state, mover in enumerate(arrays.movers):
            if mover == SIMULTANEOUS:
                edges = range(arrays.firsts[state], arrays.firsts[state + 1])
                own = (self.game.legal_actions(self.state(state), p) for p in self.game.players)
                if list(product(*own)) != list(map(self.choice, edges)):
                    return False
        return True

    def with_names(self) -> tuple[Graph, list[tuple[str, bool]]]:
        """The arrays with names of the edges by number, and the names; true for chance outcomes."""
        numbers: dict[tuple[str, bool], int] = {}
        names, game, arrays = array("q"), self.game, self.arrays
        for number in range(len(arrays.movers)):
            edges = range(arrays.firsts[number], arrays.firsts[number + 1])
            if edges:
                state, is_chance = self.state(number), arrays.movers[number] == CHANCE
                for edge in edges:
                    name = game.action_name(state, self.choice(edge)), is_chance
                    names.append(numbers.setdefault(name, len(numbers)))
        fields = {field: getattr(arrays, field) for field in Graph.FIELDS}
        return Graph(**{**fields, "names": names}), list(numbers)

    def history(self, edges: Sequence[int]) -> History:
        """The history along edges: states with the action taken in each."""
        number = 0
        steps: list[tuple[State, Action | JointAction | None]] = []
        for edge in edges:
            steps.append((self.state(number), self.choice(edge)))
            number = self.arrays.nexts[edge]
        return (*steps, (self.state(number), None))

    def edges_of(self, history: History) -> list[int] | None:
        """The edges of a history; None for a history that the game does not have."""
        number, arrays, taken = 0, self.arrays, list[int]()
        for _, action in history[:-1]:
            edges = range(arrays.firsts[number], arrays.firsts[number + 1])
            edge = next((edge for edge in edges if self.choice(edge) == action), None)
            if edge is None:
                return None
            taken.append(edge)
            number = arrays.nexts[edge]
        return taken

    def end_of(self, edges: Sequence[int]) -> int:
        """The state behind edges from the first state."""
        return self.arrays.nexts[edges[-1]] if edges else 0

    def action_names(self, number: int, player: int) -> tuple[str, ...]:
        """The names of a player's choices in a state."""
        state, arrays = self.state(number), self.arrays
        if arrays.movers[number] == SIMULTANEOUS:
            choices: Sequence[Action | JointAction] = self.game.legal_actions(state, player)
        else:
            choices = [*map(self.choice, range(arrays.firsts[number], arrays.firsts[number + 1]))]
        return tuple(self.game.action_name(state, choice) for choice in choices)


class _Explorer:
    """Lists the states of a game through the contract."""

    def __init__(self, game: Game, sights: Sights) -> None:
        self.game = game
        self.keys: list[Hashable] = []
        self.choices: list[Action | JointAction] = []
        self.payoffs: dict[int, Vector] = {}
        self.arrays = Graph(**{name: array("q") for name in Graph.FIELDS})
        self.steps: Steps = steps_of(game)
        self._sights = sights
        self._players = range(len(game.players))
        self._seen: Numbers = {}
        self._offers: Numbers = {}

    def explore(self, most: int, progress: Progress | None) -> bool:
        """List all states; false if there are more than `most`."""
        steps, arrays = self.steps, self.arrays
        root = steps.key(self.game.initial_state())
        number = {root: 0}
        self.keys.append(root)
        arrays.firsts.append(0)
        for place, key in enumerate(self.keys):  # grows on the way
            if len(self.keys) > most:
                return False
            if progress is not None and place % REPORT_EVERY == 0:
                progress(place, len(self.keys) - place)
            mover, choices, keys, shares = steps.after(key)
            for following in keys:
                if following not in number:
                    number[following] = len(self.keys)
                    self.keys.append(following)
                arrays.nexts.append(number[following])
            arrays.firsts.append(len(arrays.nexts))
            self.choices += choices
            self._note(place, mover, choices, shares)
        return True

    def _note(
        self,
        place: int,
        mover: int,
        choices: Sequence[Action | JointAction],
        shares: Sequence[Fraction],
    ) -> None:
        """Note the mover, chances, choices and observations of a state."""
        arrays, state = self.arrays, self.steps.state(self.keys[place])
        arrays.movers.append(mover)
        total = 1
        if mover == TERMINAL:
            self.payoffs[place] = tuple(shares)
        elif mover == CHANCE:
            total = lcm(*(share.denominator for share in shares))
        arrays.totals.append(total)
        chances = shares if mover == CHANCE else [ONE] * len(choices)
        arrays.weights.extend(int(share * total) for share in chances)
        for player in self._players:
            arrays.views.append(self._number(self._sights.view(state, player)))
            own = self._own_choices(state, mover, choices, player)
            arrays.widths.append(len(own))
            arrays.choices.append(self._offers.setdefault(own, len(self._offers)))
        for choice in choices:
            for player in self._players:
                heard = self._sights.heard(state, choice, player)
                arrays.heard.append(-1 if heard is None else self._number(heard))

    def _own_choices(
        self, state: State, mover: int, choices: Sequence[Action | JointAction], player: int
    ) -> tuple[Action | JointAction, ...]:
        if mover == SIMULTANEOUS:
            return tuple(self.game.legal_actions(state, player))
        return tuple(choices) if mover == player else ()

    def _number(self, seen: Hashable) -> int:
        return self._seen.setdefault(seen, len(self._seen))


def observed_graph(
    game: Game, most: int, progress: Progress | None = None, max_bytes: int | None = None
) -> ObservedGraph | None:
    """The graph of a game; None if the kernels do not apply: the game has no sights, pays on the
    way, has a fault in the rules or play that returns.

    Raises OutOfHistoriesError if there are more than `most` states; OutOfMemoryError.
    """
    sights = sights_of(game)
    if sights is None or not game.facts.pays_at_the_end:
        return None
    try:
        graph = _graph(game, sights, most, progress, max_bytes)
    except GameRuleError:
        return None
    return graph if graph.suits else None


def _graph(
    game: Game, sights: Sights, most: int, progress: Progress | None, max_bytes: int | None
) -> ObservedGraph:
    explorer = _Explorer(game, sights)
    if explorer.explore(min(most, WORTH_LISTING), progress):
        return _of(explorer)
    if most <= WORTH_LISTING:
        raise OutOfHistoriesError(most, most)
    code = machine_code_of(game)
    limits = SearchLimits(positions=most, bytes=max_bytes, progress=progress)
    listed = code if isinstance(code, Refusal) else code.list_states(limits)
    if not isinstance(listed, Refusal):
        return _of_listed(game, listed)
    explorer = _Explorer(game, sights)
    if not explorer.explore(most, progress):
        raise OutOfHistoriesError(most, most)
    return _of(explorer)


def _of(explorer: _Explorer) -> ObservedGraph:
    keys, steps = explorer.keys, explorer.steps
    return ObservedGraph(
        explorer.game,
        explorer.arrays,
        explorer.payoffs,
        lambda number: steps.state(keys[number]),
        explorer.choices.__getitem__,
    )


def _of_listed(game: Game, listed: ListedStates) -> ObservedGraph:
    width = len(game.players) + 1
    arrays = Graph(**{name: listed.arrays.get(name, array("q")) for name in Graph.FIELDS})
    paid = listed.paid
    known: dict[tuple[int, ...], Vector] = {}
    payoffs: dict[int, Vector] = {}
    for place, mover in enumerate(arrays.movers):
        if mover == TERMINAL:
            numbers = tuple(paid[place * width : (place + 1) * width])
            if numbers not in known:
                known[numbers] = tuple(Fraction(number, numbers[0]) for number in numbers[1:])
            payoffs[place] = known[numbers]
    return ObservedGraph(game, arrays, payoffs, listed.state, listed.codes.__getitem__)
