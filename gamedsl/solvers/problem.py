"""A game to be solved: the root, the options, and facts about the game for the choice of a method.

Methods ask a `Problem` whether they apply, and run on the `Problem`. Facts about the explored graph
are in `GraphAnalysis`, facts about the extensive form in `FormAnalysis`; both are computed once, on
demand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from math import inf
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from gamedsl.game.accelerator import (
    UNWANTED,
    Accelerator,
    NativeMode,
    Needs,
    Refusal,
    accelerator_of,
    machine_code_of,
    native_mode,
)
from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.exact.teams import Team, opposed_teams_of, team_of_graph
from gamedsl.solvers.graph_analysis import GraphAnalysis
from gamedsl.solvers.graphs.graph import (
    DEFAULT_MAX_POSITIONS,
    Exploration,
    OutOfBudgetError,
    OutOfReachError,
    Progress,
    StateGraph,
    until,
    usual_limit,
    within,
)
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.reach import A_WHILE, LikelySize, beyond_memory, beyond_search, rounded
from gamedsl.solvers.requirements import BY_BEST_PLAY, meets
from gamedsl.solvers.solution import Solution, Status

if TYPE_CHECKING:
    from gamedsl.solvers.form_analysis import FormAnalysis
    from gamedsl.solvers.verdicts import Proved

SMALL_PUZZLE = 20_000
"""Puzzles with more states are left to native code or solved from S0 alone."""
WORTH_COMPILING = 10_000
"""States explored in Python before native code is thought of."""
WORTH_WAITING = 4.0
"""Seconds of computing after which the first look at a large game ends early."""
MOST_TOGETHER = 100_000
"""Default limit on positions of simultaneous choices in Python, where every stage is a game to
solve and stages with unopposed interests are slow. Positions of a single player do not count, such
as the positions behind all pairs of choices."""
LARGE_PUZZLE = 10_000_000
"""Puzzles with more states are solved from S0 alone, even with native code."""
CELLS_OF_PUZZLES = 100_000_000
"""Limit on the cells of all states of a puzzle together, beyond which only S0 is solved."""
IN_DOUBT = 100_000
"""Positions of native code before a check whether memory suffices for all positions."""
BYTES_IN_DOUBT = 1_000
"""Bytes of memory per position before the check, where memory is small."""
BEFORE_VALUE = 4_000_000
"""The same where a search for the value of the position alone comes before the check; it is to have
half of the memory."""
A_LOOK = 1_000
"""States explored in Python to detect returning play where native code is wanted, or the value
alone."""
MOST_ACTIONS = 1 << 15
"""Actions of a game up to which a search that looks ahead is tried: one visit lists all successors
and tests each for its end, a number of steps up to the square of the actions."""


class Problem:
    """A game, a root and options, with the explored part of the graph.

    Attributes:
        ends: the end of the time, of `perf_counter`; None without a time limit.
        most_in_python: greatest number of states to explore in Python.
        is_whole: whether all reachable states have been explored.
        plays_return: whether play returns, beyond the explored states.
        known: the value of the root, where a search has proved the value.
        proved: facts about the value, where a search has proved no more.
        given_up: positions solved in an attempt that was given up.
    """

    def __init__(
        self,
        game: Game,
        root: State,
        options: SolveOptions,
        ends: float | None = None,
        a_while: float = A_WHILE,
    ) -> None:
        """`a_while`: seconds for the check whether memory suffices."""
        self.game = game
        self.root = root
        self.options = options
        self.ends = ends
        self._a_while = a_while
        self.most_in_python = options.max_positions or usual_limit(root, DEFAULT_MAX_POSITIONS)
        self.most_stages = inf if options.max_positions else MOST_TOGETHER
        self.exploration = Exploration(game, root)
        self.is_whole = False
        self.plays_return = False
        self.known: Solution | None = None
        self.proved: Proved | None = None
        self.given_up = 0

    def within_part(self, part: float) -> Problem:
        """The problem with a part of the remaining time; unchanged without a time limit."""
        ends = self._end_of(part)
        if ends is None:
            return self
        return self.with_options(
            replace(self.options, progress=until(ends, self.options.progress)), ends
        )

    def _end_of(self, part: float) -> float | None:
        """The end of a part of the remaining time, by `perf_counter`; None without a time limit."""
        return None if self.ends is None else perf_counter() + (self.ends - perf_counter()) * part

    def form_tick(self, part: float = 1.0) -> Callable[[], None]:
        """Reports a step of work that needs no more histories; raises OutOfTimeError after a part
        of the remaining time."""
        ends, histories = self._end_of(part), self.form_analysis.form.size.histories
        report = self.options.progress if ends is None else until(ends, self.options.progress)
        return lambda: None if report is None else report(histories, 0)

    def with_options(self, options: SolveOptions, ends: float | None = None) -> Problem:
        """A new problem of the same game with different options, and an earlier end if given."""
        problem = Problem(
            self.game, self.root, options, self.ends if ends is None else ends, self._a_while
        )
        problem.plays_return = self.returns
        return problem

    def keep(self, result: Solution) -> None:
        """Keep what a search for the value of the root has proved; a value without first moves
        replaces no value."""
        if result.status is Status.OPEN:
            self.proved = result.facts_proved or self.proved
        elif self.known is None or result.moves:
            self.known = result

    @cached_property
    def analysis(self) -> GraphAnalysis:
        """Facts about the graph of all states."""
        return GraphAnalysis(self.exploration.graph())

    @cached_property
    def form_analysis(self) -> FormAnalysis:
        """Facts about the extensive form of the game."""
        from gamedsl.solvers.form_analysis import FormAnalysis

        return FormAnalysis(self.game, self.options)

    @property
    def graph(self) -> StateGraph:
        """The graph of all states."""
        return self.analysis.graph

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
        return self.is_puzzle and not self.options.wants_all

    @property
    def may_find_best_play(self) -> bool:
        """Whether a single play that pays every player the most is an acceptable answer where not
        all states are valued."""
        may_suit_all = self.game.facts.may_suit_all
        return may_suit_all and not self.options.wants_all and meets(self.game, BY_BEST_PLAY)

    @property
    def native_mode(self) -> NativeMode:
        """When native code is to be used."""
        return native_mode(self.game)

    @cached_property
    def accelerator(self) -> Accelerator | Refusal:
        """Native code of the game, where allowed."""
        if self.native_mode is NativeMode.NEVER:
            return Refusal(UNWANTED)
        return accelerator_of(self.game)

    @property
    def in_doubt(self) -> int:
        """Positions of native code before a check whether memory suffices for all
        positions."""
        most, each = IN_DOUBT, BYTES_IN_DOUBT
        if self.seeks_value:
            most, each = BEFORE_VALUE, 2 * max(1, self.bytes_each)
        return most if self.options.max_bytes is None else min(most, self.options.max_bytes // each)

    @cached_property
    def _needs(self) -> Needs | None:
        """Bytes of native code for each position; None if native code does not apply."""
        if isinstance(self.accelerator, Refusal):
            return None
        needs = self.accelerator.needs(returns=self.returns, branching=1)
        return None if isinstance(needs, Refusal) else needs

    @property
    def bytes_each(self) -> int:
        """Bytes of memory per position of native code while tables grow, at most; 0 if native code
        does not apply."""
        return 0 if self._needs is None else self._needs.most

    @property
    def room(self) -> int | None:
        """Greatest number of positions that native code may hold in memory; None where native code
        does not apply, or memory has no limit."""
        most = self.options.max_bytes
        return None if most is None or self._needs is None else most // self._needs.least

    @cached_property
    def likely_size(self) -> LikelySize:
        """The number of positions, as an estimate."""
        return LikelySize(self.game, self.root)

    @cached_property
    def beyond_memory(self) -> OutOfReachError | None:
        """The reason not to continue in native code, or None.

        Without an explicit limit, native code stops if the game very probably has more positions
        than fit in memory, or more than a search for a solution can expand.
        """
        is_timed = self.ends is not None and not self.is_puzzle
        if self.options.max_positions is not None or is_timed:
            return None
        accelerator, most, room = self.accelerator, self.options.max_bytes, self.room
        if most is None or room is None or isinstance(accelerator, Refusal):
            return None
        if self.is_puzzle:
            return self._beyond_search(accelerator.goals(), room)
        least = beyond_memory(self.game, self.root, room, self._a_while)
        if least is None:
            return None
        reason = (
            f"as it is out of reach: very probably at least {rounded(least)} positions, by "
            f"random plays that seldom meet, and {most / 10**9:.2g} GB hold {rounded(room)}"
        )
        return OutOfReachError(reason, least)

    def _beyond_search(
        self, goals: tuple[Mapping[int, int], ...], room: int
    ) -> OutOfReachError | None:
        """The reason not to search on in a partly explored puzzle, or None."""
        states = self.exploration.graph().states
        if self.is_whole or self.game.facts.state_bound <= room:
            return None
        reason = beyond_search(states, goals, room)
        return None if reason is None else OutOfReachError(f"as it is out of reach: {reason}")

    @property
    def suits_search(self) -> bool:
        """Whether machine code may find the value of one position without valuing all positions."""
        return self.may_search and not isinstance(machine_code_of(self.game), Refusal)

    @property
    def may_search(self) -> bool:
        """Whether the value of one position may be searched for without valuing all positions."""
        facts, options = self.game.facts, self.options
        is_seen = not (facts.has_secrets or facts.is_simultaneous or facts.has_chance)
        wants_all = options.wants_all or options.checkpoints is not None
        if wants_all or not (is_seen and facts.is_opposed and facts.pays_at_the_end):
            return False
        return facts.action_count <= MOST_ACTIONS and not self.game.is_terminal(self.root)

    @property
    def seeks_value(self) -> bool:
        """Whether the value of the root is searched for beside an attempt to solve all
        positions."""
        options = self.options
        if not options.searches or options.solver is not None or options.wants_value:
            return False
        return not (self.is_puzzle or self.returns) and self.suits_search

    @property
    def first_look(self) -> int:
        """Number of states explored before methods for larger games are considered."""
        if self.is_puzzle and not self.options.wants_value:
            wanted = SMALL_PUZZLE
        else:
            is_early = self.native_mode is NativeMode.ALWAYS or self.options.wants_value
            wanted = min(A_LOOK, WORTH_COMPILING) if is_early else WORTH_COMPILING
        is_asked = self.options.max_positions is not None
        return min(wanted, self.most_in_python if is_asked else self.most_in_python - 1)

    @property
    def suits_native(self) -> bool:
        """Whether native code is requested, or the game is too large for Python.

        Small games with chance are left to Python, which gives exact numbers.
        """
        wants = self.native_mode is NativeMode.ALWAYS and not self.game.facts.has_chance
        return (wants or not self.is_whole) and not isinstance(self.accelerator, Refusal)

    @property
    def suits_turns(self) -> bool:
        """Whether native code may solve a game with chance turn by turn, unless already explored.

        Results of the turn-by-turn solver are not saved on the way.
        """
        options = self.options
        is_wanted = options.uses_turns and options.checkpoints is None
        if not (is_wanted and self.game.facts.has_chance) or self.is_whole:
            return False
        return not isinstance(machine_code_of(self.game), Refusal)

    @property
    def most_in_native_code(self) -> int | None:
        """Greatest number of states to value in native code; None: as many as memory holds."""
        most = self.options.max_positions
        if not self.is_puzzle or self.options.wants_all:
            return most
        large = usual_limit(self.root, LARGE_PUZZLE, CELLS_OF_PUZZLES)
        return large if most is None else min(most, large)

    @property
    def team(self) -> Team | None:
        """The team, where several players have identical interests in all plays, or, with hidden
        information, the two opposed sides of more than two; None otherwise or if not yet known."""
        facts = self.game.facts
        is_known = facts.has_secrets or self.is_whole
        is_several = len(facts.players) > 1 and not facts.is_opposed
        return self._team if is_known and is_several else None

    @cached_property
    def _team(self) -> Team | None:
        facts = self.game.facts
        if facts.has_secrets:
            form = self.form_analysis
            idle = [player for player, sets in enumerate(form.form.sets) if not sets]
            team = None if form.has_opposed_form else opposed_teams_of(form.form.outcomes, idle)
            is_of_two = len(facts.players) - len(idle) <= 2
            return None if team is not None and is_of_two and any(team.sides) else team
        analysis = self.analysis
        endless = facts.endless if analysis.can_return else None
        if analysis.is_opposed and (endless is None or analysis.opposed_endless is not None):
            return None
        return team_of_graph(analysis.graph, endless)

    def explore(self, most: int, progress: Progress | None = None) -> None:
        """Explores up to `most` states, or until `progress` (by default the options' progress) ends
        exploration.

        Raises OutOfBudgetError if `most` is the limit of the problem, OutOfMemoryError.
        """
        progress = progress or self.options.progress
        if self.options.max_bytes is not None:
            progress = within(self.options.max_bytes, progress)
        if most < self.most_in_python:
            progress = self._while_worth_waiting(progress)
        try:
            self.exploration.run(most, progress, self.most_stages)
        except OutOfBudgetError:
            if most == self.most_in_python or self.exploration.stages > self.most_stages:
                raise
            return
        self.is_whole = True

    def _while_worth_waiting(self, progress: Progress | None) -> Progress:
        """Progress that ends a first look that takes long, where native code gives the same
        answers: without chance and choices at once, all answers are exact."""
        facts, started = self.game.facts, process_time()
        is_exact = not (facts.has_chance or facts.is_simultaneous)

        def tell(explored: int, waiting: int) -> None:
            is_late = is_exact and process_time() - started > WORTH_WAITING
            if is_late and not isinstance(self.accelerator, Refusal):
                raise OutOfBudgetError(explored, explored, waiting)
            if progress is not None:
                progress(explored, waiting)

        return tell
