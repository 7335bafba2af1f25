"""Collects facts about a game during the choice of a strategy: the graph, as far as explored.

A `Survey` holds a game, a state and limits. Strategies ask the `Survey` whether they apply, and run
on it. Facts computed once (components, a cycle) are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from time import perf_counter

from gamedsl.game.contract import Game
from gamedsl.game.native import (
    Checkpoints,
    NativeCode,
    SearchLimits,
    SolvesTurns,
    Use,
    goals_of,
    native_of,
    needs_of,
    turns_of,
)
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.chance.best_response import can_last
from gamedsl.solvers.chance.component_game import component_game
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, extensive_form
from gamedsl.solvers.exact.constant_sum import are_opposed, constant_sum, delays, neutral_payoff
from gamedsl.solvers.exact.teams import Team, team_of, team_of_graph
from gamedsl.solvers.graphs.components import components, endless_play_error, is_cyclic
from gamedsl.solvers.graphs.graph import (
    Exploration,
    OutOfBudgetError,
    OutOfMemoryError,
    OutOfTimeError,
    Progress,
    StateGraph,
    Vector,
    until,
    usual_limit,
    within,
)
from gamedsl.solvers.normal_form.reduced import ReducedForm, reduced_form
from gamedsl.solvers.reach import A_WHILE, beyond_memory, beyond_search, rounded
from gamedsl.solvers.solution import Limit
from gamedsl.source.records import dataclass

SMALL_PUZZLE = 20_000
"""Puzzles with more states are left to native code or solved from S0 alone."""
WORTH_COMPILING = 10_000
"""States explored in Python before native code is thought of."""
LARGE_PUZZLE = 10_000_000
"""Puzzles with more states are solved from S0 alone, even with native code."""
CELLS_OF_PUZZLES = 100_000_000
"""Limit on the cells of all states of a puzzle together, beyond which only S0 is solved."""
FEW_SEQUENCES = 500
"""Sequences of both players together for which a linear program is solved in seconds."""
IN_DOUBT = 100_000
"""Positions found by native code before a check whether memory suffices for all positions."""
BYTES_IN_DOUBT = 1_000
"""Bytes of memory per position before the check, where memory is small."""
A_LOOK = 1_000
"""States explored in Python to detect returning play where native code is wanted."""


Components = tuple[tuple[int, ...], ...]
"""Strongly connected parts of a graph, as states by number."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search: see `planner.solve`.

    The search `ends` at a time of `perf_counter`. `samples_tree`: the tree of histories is needed
    besides the extensive form. `tell` receives facts proved during the search, in words.
    """

    positions: int | None
    tolerance: Fraction
    progress: Progress | None
    bytes: int | None = None
    ends: float | None = None
    wants_all: bool = False
    wants_value: bool = False
    checkpoints: Checkpoints | None = None
    uses_symmetry: bool = True
    rounds: int | None = None
    seed: int = 0
    wants_lengths: bool = True
    rationality: Fraction = Fraction(1)
    samples_tree: bool = False
    uses_turns: bool = True
    threads: int = 1
    tell: Callable[[str], None] | None = None

    def met(self, reached: OutOfBudgetError | OutOfTimeError | OutOfMemoryError) -> Limit:
        """The limit at which a search has ended."""
        match reached:
            case OutOfTimeError():
                return Limit.TIME
            case OutOfMemoryError():
                return Limit.MEMORY
            case _:
                return Limit.POSITIONS if self.positions else Limit.USUAL_POSITIONS

    def in_native_code(self) -> SearchLimits:
        """The limits for native code."""
        return SearchLimits(
            self.positions, self.bytes, self.progress, self.uses_symmetry, self.threads
        )


class Survey:
    """A game under examination.

    Attributes:
        most_in_python: greatest number of states to explore in Python.
        is_whole: whether all reachable states have been explored.
        plays_return: whether returning play has been found, beyond the explored states.
    """

    def __init__(self, game: Game, root: State, limits: Limits, a_while: float = A_WHILE) -> None:
        """`a_while`: seconds for the check whether memory suffices."""
        self.game = game
        self._a_while = a_while
        self.root = root
        self.limits = limits
        self.most_in_python = limits.positions or usual_limit(root)
        self.exploration = Exploration(game, root)
        self.is_whole = False
        self.plays_return = False

    def within_part(self, part: float) -> Survey:
        """The survey with a part of the remaining time; unchanged without a time limit."""
        ends = self.limits.ends
        if ends is None:
            return self
        ends = perf_counter() + (ends - perf_counter()) * part
        return self.with_limits(
            replace(self.limits, ends=ends, progress=until(ends, self.limits.progress))
        )

    def with_limits(self, limits: Limits) -> Survey:
        """A new survey of the game with different limits."""
        found = Survey(self.game, self.root, limits, self._a_while)
        found.plays_return = self.returns
        return found

    @property
    def returns(self) -> bool:
        """Whether play is known to return to a state."""
        return self.plays_return or self.exploration.has_cycle()

    @property
    def is_puzzle(self) -> bool:
        """Whether a single player decides, without chance, rewards or discount."""
        facts = self.game.facts
        return len(self.game.players) == 1 and not facts.has_chance and facts.pays_at_the_end

    @property
    def may_find_one_play(self) -> bool:
        """Whether a single play of one player is an acceptable answer where not all states are
        valued."""
        return self.is_puzzle and not self.limits.wants_all

    @cached_property
    def native(self) -> NativeCode | None:
        """Native code of the game, where allowed."""
        if not self.game.facts.pays_at_the_end:
            return None  # native code evaluates only endings
        native = native_of(self.game)
        return None if native is None or native.use is Use.NEVER else native

    @property
    def in_doubt(self) -> int:
        """Positions found by native code before a check whether memory suffices for all
        positions."""
        most = self.limits.bytes
        return IN_DOUBT if most is None else min(IN_DOUBT, most // BYTES_IN_DOUBT)

    @cached_property
    def beyond_memory(self) -> str | None:
        """The reason not to continue in native code, or None.

        Without an explicit limit, native code stops if the game very probably has more positions
        than fit in memory, or more than a search for a solution can expand.
        """
        native, most = self.native, self.limits.bytes
        is_timed = self.limits.ends is not None and not self.is_puzzle
        if self.limits.positions is not None or is_timed:
            return None
        needs = needs_of(native, returns=self.returns, branching=1)
        if most is None or needs is None or isinstance(needs, str):
            return None
        room = most // needs.least
        if self.is_puzzle:
            return self._beyond_search(room)
        found = beyond_memory(self.game, self.root, room, self._a_while)
        if found is None:
            return None
        return (
            f"as it is out of reach: very probably at least {rounded(found)} positions, by "
            f"random plays that seldom meet, and {most / 10**9:.2g} GB hold {rounded(room)}"
        )

    def _beyond_search(self, room: int) -> str | None:
        """The reason not to search on in a partly explored puzzle, or None."""
        states, goals = self.exploration.graph().states, goals_of(self.native)
        if self.is_whole or self.game.facts.state_bound <= room:
            return None
        found = beyond_search(states, goals, room)
        return None if found is None else f"as it is out of reach: {found}"

    @property
    def suits_search(self) -> bool:
        """Whether machine code may find the value of one position without valuing all positions."""
        facts, limits, native = self.game.facts, self.limits, self.native
        is_seen = not (facts.has_secrets or facts.is_simultaneous or facts.has_chance)
        wants_all = limits.wants_all or limits.checkpoints is not None
        is_opposed = len(self.game.players) == 2 and facts.is_zero_sum
        if native is None or wants_all or not (is_seen and is_opposed):
            return False
        return native.machine_code_refusal() is None

    @property
    def _wants_native(self) -> bool:
        return self.native is not None and self.native.use is Use.ALWAYS

    @property
    def first_look(self) -> int:
        """Number of states explored before strategies for larger games are considered."""
        if self.is_puzzle:
            wanted = SMALL_PUZZLE
        else:
            wanted = A_LOOK if self._wants_native else WORTH_COMPILING
        return min(wanted, self.most_in_python)

    @property
    def suits_native(self) -> bool:
        """Whether native code is requested, or the game is too large for Python.

        Small games with chance are left to Python, which gives exact numbers.
        """
        if self.native is None:
            return False
        wants = self._wants_native and not self.game.facts.has_chance
        return wants or not self.is_whole

    @property
    def turns(self) -> SolvesTurns | None:
        """Native code that solves games with chance turn by turn; None if not allowed or not
        wanted.

        Also None if the game is already explored. Results of the turn-by-turn solver are not saved
        on the way.
        """
        native, limits = native_of(self.game), self.limits
        if native is None or native.use is Use.NEVER or self.is_whole:
            return None
        is_wanted = limits.uses_turns and limits.checkpoints is None
        return turns_of(native) if is_wanted and self.game.facts.has_chance else None

    @property
    def most_in_native_code(self) -> int | None:
        """Greatest number of states to value in native code; None: as many as memory holds."""
        most = self.limits.positions
        if not self.is_puzzle or self.limits.wants_all:
            return most
        large = usual_limit(self.root, LARGE_PUZZLE, CELLS_OF_PUZZLES)
        return large if most is None else min(most, large)

    @cached_property
    def form(self) -> ExtensiveForm:
        """The extensive form, from the beginning; raises the errors of the construction, and
        OutOfMemoryError."""
        return self._form(with_tree=self.limits.samples_tree)

    def _form(self, *, with_tree: bool) -> ExtensiveForm:
        limits = self.limits
        progress = limits.progress
        if limits.bytes is not None:
            progress = within(limits.bytes, progress)
        return extensive_form(
            self.game, max_histories=limits.positions, progress=progress, with_tree=with_tree
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
        return constant_sum(self.form.outcomes, len(self.game.players)) is not None

    @property
    def team(self) -> Team | None:
        """The team, where several players have identical interests in all plays; None otherwise or
        if not yet known."""
        facts = self.game.facts
        is_known = facts.has_secrets or self.is_whole
        is_several = len(facts.players) > 1 and not facts.is_zero_sum
        return self._team if is_known and is_several else None

    @cached_property
    def _team(self) -> Team | None:
        facts = self.game.facts
        if facts.has_secrets:
            return None if self.has_opposed_form else team_of(self.form.outcomes)
        endless = facts.endless if self.can_return else None
        if self.is_opposed and (endless is None or self.opposed_endless is not None):
            return None
        return team_of_graph(self.graph, endless)

    def tick(self) -> None:
        """Reports a step of work that needs no more histories."""
        if self.limits.progress is not None:
            self.limits.progress(self.form.size.histories, 0)

    def explore(self, most: int, progress: Progress | None = None) -> None:
        """Explores up to `most` states, or until `progress` (by default the limits' progress) ends
        exploration.

        Raises OutOfBudgetError if `most` is the survey's limit, OutOfMemoryError.
        """
        progress = progress or self.limits.progress
        if self.limits.bytes is not None:
            progress = within(self.limits.bytes, progress)
        try:
            self.exploration.run(most, progress)
        except OutOfBudgetError:
            if most == self.most_in_python:
                raise
            return
        self.is_whole = True

    # --- what the whole graph shows ----------------------------------------------------------

    @cached_property
    def graph(self) -> StateGraph:
        """All states."""
        return self.exploration.graph()

    @cached_property
    def order(self) -> Components:
        """The components, each after all its successor components.

        Raises GameRuleError where play can go on for ever with an undefined payoff.
        """
        order = components(self.graph.successors)
        if self.game.facts.endless is None and self._cycle(order) is not None:
            cycle = self._unpaid_cycle(order)
            if cycle is not None:
                raise endless_play_error(self.graph, cycle)
        return order

    def _unpaid_cycle(self, order: Components) -> tuple[int, ...] | None:
        """A part in which play can go on for ever without rewards that define the payoff; None if
        no such part exists."""
        facts, graph = self.game.facts, self.graph
        if facts.discount != 1:
            return None
        if not facts.has_rewards:
            return self._cycle(order)
        unpaid = graph.unpaid_successors()
        found = (part for part in reversed(components(unpaid)) if is_cyclic(part, unpaid))
        return next(found, None)

    def _cycle(self, order: Components) -> tuple[int, ...] | None:
        found = (c for c in reversed(order) if is_cyclic(c, self.graph.successors))
        return next(found, None)

    @cached_property
    def can_return(self) -> bool:
        """Whether play can return to an earlier state."""
        return self._cycle(self.order) is not None

    @cached_property
    def is_chain(self) -> bool:
        """Whether no player ever has a choice."""
        pairs = zip(self.graph.movers, self.graph.actions, strict=True)
        return all(len(actions) == 1 for mover, actions in pairs if mover >= 0)

    @cached_property
    def can_last(self) -> bool:
        """Whether play can go on for ever with positive probability under some policy."""
        cyclic = (c for c in self.order if is_cyclic(c, self.graph.successors))
        return any(can_last(component_game(self.graph, component)) for component in cyclic)

    @cached_property
    def opposed_endless(self) -> Vector | None:
        """Payoffs of endless play for one player, or for two players with opposed interests; else
        None.

        Interests must be opposed in all endings, and in endless play if endless play has positive
        probability.
        """
        players, outcomes = len(self.game.players), self.graph.outcomes()
        facts = self.game.facts
        if not facts.pays_at_the_end and not self.is_opposed:
            return None
        if facts.discount != 1:
            return self.nothing
        nothing = None if facts.pays_at_the_end else self.nothing
        declared = facts.endless or self.break_even or nothing
        if declared is None or constant_sum(outcomes | {declared}, players) is not None:
            return declared
        return None if self.can_last else neutral_payoff(outcomes, None, players)

    @property
    def has_opposed_stages(self) -> bool:
        """Whether two players with opposed interests choose at the same time."""
        game = self.game
        is_of_two = game.facts.is_simultaneous and len(game.players) == 2
        return is_of_two and self.is_opposed and self.opposed_endless is not None

    @property
    def nothing(self) -> Vector:
        """A payoff of zero for every player."""
        return (Fraction(0),) * len(self.game.players)

    @cached_property
    def is_opposed(self) -> bool:
        """Whether two players have opposed interests, or the game has one player."""
        return are_opposed(self.graph)

    @property
    def break_even(self) -> Vector | None:
        """The payoffs neither ahead nor behind; None where rewards or a discount leave them
        undefined."""
        if not self.game.facts.pays_at_the_end:
            return None
        players = len(self.game.players)
        return neutral_payoff(self.graph.outcomes(), self.game.facts.endless, players)

    @property
    def needs_lengths(self) -> bool:
        """Whether best play's length has to be computed separately from the value, in a graph
        without cycles.

        Needed where the length is an expectation, or steps pay.
        """
        facts = self.game.facts
        is_plain = facts.pays_at_the_end and not self.graph.has_chance
        return self.is_opposed and not is_plain and not facts.is_simultaneous

    def delays_among(self, values: Sequence[Vector]) -> Callable[[int], bool]:
        """Whether the mover at a state delays, given the values; no player delays where steps
        pay."""
        break_even, movers = self.break_even, self.graph.movers
        if break_even is None:
            return lambda _: False
        return lambda node: delays(values[node], movers[node], break_even)
