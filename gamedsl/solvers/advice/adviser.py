"""Chooses moves within a time limit: by an exact solution if possible, else by the best estimate.

In: a game, a time, a generator of random numbers. Out: a solution, or decisions for single
positions. Hopeless solving is not begun; all other solving continues beside an estimate, after the
estimate's first plays. An estimate is UCT in machine code as soon as compiled. Where nothing is
compiled, an estimate is iterative deepening with the file's `evaluate`, if the file has `evaluate`;
else UCT in Python after a search for forced wins and losses. Machine code also searches for the
value of the position alone, as long as such searches succeed; a value proved in time is not an
estimate (decision 84). `why_not` gives the reason for a missing solution (decision 31).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import ceil, inf
from random import Random
from threading import Event
from time import perf_counter

from gamedsl.game.contract import Action, Game
from gamedsl.game.slices import game_for_search, in_slice
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.advice.machine_values import MachineValues
from gamedsl.solvers.advice.sampled_play import SampledPlay
from gamedsl.solvers.advice.tactics import Tactics, tactics
from gamedsl.solvers.graphs.graph import OutOfTimeError, Progress
from gamedsl.solvers.interruptible import Beside, has_threads
from gamedsl.solvers.montecarlo.contenders import RunLimits
from gamedsl.solvers.montecarlo.machine_uct import FOR_MATCH, MachineUct
from gamedsl.solvers.montecarlo.uct import uct_search
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.reach import out_of_reach
from gamedsl.solvers.requirements import (
    EXACT_SOLVING,
    SEARCH,
    Requirement,
    meets,
    refuse_unless,
)
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.solvers.textbook.iterative_deepening import iterative_deepening_search
from gamedsl.source.plurals import count

SOON = 10**16
"""Greatest number of positions that are solved within a move's time."""
MOST_BYTES = 600_000_000
"""Memory for solving."""
FOR_SAMPLE = 0.25
"""Share of the time for solving spent on random plays that test hopelessness."""
FOR_TACTICS = 0.25
"""Share of an estimate's time for the search of forced wins and losses."""
WORTH_COMPILING = 1.0
"""Seconds of an estimate from which compiling machine code is worthwhile."""
FOR_COMPILING = 0.5
"""Share of an estimate's time for which nothing else is done while machine code is compiled."""
FOR_PLAYS = 0.2
"""Share of an estimate's time that is worth plays by machine code after alpha-beta."""
MOST_FOR_MATCH = 0.15
"""Share of an estimate's time for matches between searches."""
WORTH_PLAYING = 10_000
"""Plays of an estimate from which compiling machine code is worthwhile."""
TOO_LATE = "machine code for estimates was not ready: allow more time (`--time`)"
"""Advice where only machine code can estimate."""
LAST_MOMENT = 0.1
"""Seconds reserved for completing and reporting an estimate, at most a tenth of the time, since
threads and processes take turns."""
PATIENCE = 2.0
"""Extra seconds in which an estimate may try every move; at most the given time again."""
FOR_CHOICE = 0.25
"""Share of an estimate's time for choosing between moves proved equally good."""

HEAD_START = 0.1
"""Share of the time for solving small games before an estimate begins."""
MOST_IN_VAIN = 3
"""Answers without a proof after which proofs are no longer expected..."""
IN_VAIN = 0.1
"""...and get this share of the time."""
WITHOUT_THREADS = 0.6
"""Share of the time for a proof where threads are not available."""


class TooFewPlaysError(UnsupportedGameError):
    """Too few plays were simulated to try every move."""


class Adviser:
    """Advice on the positions of one game.

    Attributes:
        solution: the solution, if any.
        why_not: the reason for a missing solution, as a clause; "" if solved, or not tried.
        preparing: seconds that the last estimate waited for machine code and its choice.
        for_match: most seconds of processor time for matches between searches; 0 where moves have a
            number of plays, so that a play is equal on every machine.
        sampled: strategies by simulated plays, where information is hidden or all choose at once.
    """

    def __init__(
        self,
        game: Game,
        rng: Random,
        *,
        max_positions: int | None = None,
        max_bytes: int = MOST_BYTES,
        solution: Solution | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`solution`: a known solution. `clock` measures time."""
        self.game = game_for_search(game)
        self._whole = game
        self.solution = solution
        self.why_not = ""
        self.preparing = 0.0
        self.for_match = FOR_MATCH
        self._rng = rng
        self._clock = clock
        self._max_positions = max_positions
        self._max_bytes = max_bytes
        self._tried = Event()
        """Solving waits until the event is set: moves are tried first."""
        self._tried.set()
        self._uct = MachineUct(self.game, rng)
        self._in_vain = 0
        """Answers in a row without a proof."""
        self._looks_until = inf
        self._values = MachineValues(self.game)
        self.sampled = SampledPlay(game, rng, clock=clock)

    def can_estimate(self) -> bool:
        """Whether an estimate is possible, by the rules; of rewards on the way only by machine
        code."""
        is_paid_on_the_way = self._uct.is_possible and meets(self.game, EXACT_SOLVING)
        return meets(self.game, SEARCH) or is_paid_on_the_way

    @property
    def is_compiled(self) -> bool:
        """Whether plays are simulated by machine code, if they can be."""
        return self._uct.is_ready or not self._uct.is_possible

    @property
    def method(self) -> str:
        """The method of estimates, in words."""
        if self._uct.is_ready or not self.game.facts.has_evaluate:
            return self._uct.name
        return "alpha-beta and `evaluate`"

    def solve(
        self, root: State, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution | None:
        """The solution from `root` on, if the limits allow one.

        Raises:
            UnsupportedGameError: the algorithms here do not apply, with the reason.
            GameRuleError: the rules fail in some reachable state.
        """
        return self._noted(self._solving(root, seconds, progress), seconds, seconds)

    def answer(
        self, state: State, seconds: float, progress: Progress | None = None
    ) -> Solution | Decision:
        """The solution from `state` on if the time allows one, else the decision of `estimate`,
        made while solving continues.

        Raises the errors of `estimate`, and GameRuleError.
        """
        begun = self._clock()
        share = seconds if has_threads() else seconds * WITHOUT_THREADS
        state = self._here(state)
        if self._values.is_ready:
            self.look_beside(state, seconds)
        try:
            solving = self._solving(state, share, progress)
            solution = self._known(solving, share, seconds * HEAD_START)
            if solution is not None:
                return solution
            try:
                decision = self._estimate(state, begun, seconds, None, solving)
            except UnsupportedGameError:
                patience = max(0, begun + seconds - self._clock())
                solution = self._known(solving, share, patience)
                if solution is None:
                    raise
                return solution
            solution = self._known(solving, share, 0)
        finally:
            self.look_no_more()
        return solution or self._proved(state, decision)

    def _known(
        self, solving: Beside[Solution | str], seconds: float, patience: float
    ) -> Solution | None:
        """The result of `_noted`; a refusal is noted in `why_not`."""
        try:
            return self._noted(solving, seconds, patience)
        except UnsupportedGameError as refusal:
            self.why_not = refusal.reason
            return None

    def _noted(
        self, solving: Beside[Solution | str], seconds: float | None, patience: float | None
    ) -> Solution | None:
        """The result of solving with limit `seconds`, after waiting for at most `patience`
        seconds."""
        try:
            solution = solving.wait(patience)
        except (TimeoutError, OutOfTimeError):
            self.why_not = _too_late(seconds)
            return None
        if isinstance(solution, str):
            self.why_not = solution
            return None
        self.solution, self.why_not = solution, ""
        return solution

    def _solving(
        self, root: State, seconds: float | None, progress: Progress | None
    ) -> Beside[Solution | str]:
        return Beside(lambda: self._solved(root, seconds, progress))

    def _solved(
        self, root: State, seconds: float | None, progress: Progress | None
    ) -> Solution | str:
        if self._max_positions is None:
            sampled = None if seconds is None else seconds * FOR_SAMPLE
            reason = out_of_reach(*in_slice(self._whole, root), SOON, sampled)
            if reason is not None:
                return reason

        def listen(explored: int, waiting: int) -> None:
            self._tried.wait(seconds)
            if progress is not None:
                progress(explored, waiting)

        solution = solve(
            self._whole,
            root,
            SolveOptions(
                max_positions=self._max_positions,
                max_seconds=seconds,
                max_bytes=self._max_bytes,
                progress=listen,
                searches=False,
            ),
        )
        if solution.status is not Status.OPEN or solution.moves or solution.informed is not None:
            return solution
        if self._max_positions is None:
            return solution.outcome if seconds is None else _too_late(seconds)
        return f"more than {count(self._max_positions, 'position')} lie ahead"

    def estimate(
        self, state: State, *, seconds: float | None = None, budget: int | None = None
    ) -> Decision:
        """A decision for the player to move, within the time or the budget of nodes or plays; at
        once where proved.

        Raises:
            UnsupportedGameError: no search here suits the game, with the reason.
            TooFewPlaysError: not every move was tried, in twice the time.
            ValueError: no player is to move at `state`.
        """
        begun = self._clock()
        if self._values.is_ready:
            self.look_beside(state, seconds)
        try:
            decision = self._estimate(state, begun, seconds, budget)
        finally:
            self.look_no_more()
        return self._proved(state, decision)

    def _proved(self, state: State, decision: Decision) -> Decision:
        """The decision proved in parallel, if any, instead of an estimate."""
        proof = self.proof(state)
        self._in_vain = 0 if proof is not None else self._in_vain + 1
        if proof is None or decision.is_exact:
            return decision
        return _decided(proof, decision)

    def _estimate(
        self,
        state: State,
        begun: float,
        seconds: float | None,
        budget: int | None,
        solving: Beside[Solution | str] | None = None,
    ) -> Decision:
        game, state, clock = self.game, self._here(state), self._clock
        if game.current_player(state) < 0:
            raise ValueError("nobody is to move here")
        ends = None if seconds is None else begun + seconds - min(LAST_MOMENT, seconds / 10)

        def left() -> float | None:
            return None if ends is None else max(0.0, ends - clock())

        decided = partial(self._is_decided, state, solving)
        until = partial(decided, begun + FOR_CHOICE * (seconds or 0))
        only_compiled = not game.facts.pays_at_the_end
        if seconds is not None and (seconds >= WORTH_COMPILING or only_compiled):
            share = 1 if only_compiled else FOR_COMPILING
            for_match = min(self.for_match, MOST_FOR_MATCH * seconds)
            before = clock()
            self._uct.prepare(state, share * (left() or 0), for_match)
            self.preparing = clock() - before
            self.look_beside(state, seconds)
        elif budget is not None:
            is_large = budget >= WORTH_PLAYING and not game.facts.has_evaluate
            if is_large or only_compiled or self._uct.is_coming:  # equal on every machine
                self._uct.prepare(state, None, for_match=0)
        if not self._uct.is_ready:
            instead = {Requirement.PAID_AT_THE_END: TOO_LATE} if self._uct.is_possible else {}
            refuse_unless(game, frozenset({Requirement.PAID_AT_THE_END}), instead=instead)
        if game.facts.has_evaluate and not self._uct.is_ready:
            decision = self._evaluated(state, seconds, budget, left, until)
            if decision is not None:
                return decision
        lost = frozenset[Action]()
        if not self._uct.is_coming:
            known = self._tactics(state, seconds, budget, partial(decided, begun))
            if known.decision is not None:
                return known.decision
            proof = self.proof(state)
            if proof is not None and _leaves_no_choice(proof):
                return _decided(proof)
            lost = known.lost
        return self._simulated(state, seconds, budget, ends, until, lost)

    def _evaluated(
        self,
        state: State,
        seconds: float | None,
        budget: int | None,
        left: Callable[[], float | None],
        until: Callable[[], bool],
    ) -> Decision | None:
        """A decision by alpha-beta with `evaluate`; None where alpha-beta does not apply, or
        machine code becomes ready while time is left."""

        def gives_way() -> bool:
            return self._uct.is_ready and (left() or 0) > FOR_PLAYS * (seconds or 0)

        try:
            decision = iterative_deepening_search(
                self.game, state, nodes=budget, seconds=left(), clock=self._clock,
                until=lambda: until() or gives_way(),
            )  # fmt: skip
        except UnsupportedGameError:
            return None  # chance, or more than two players: plays are simulated
        return None if gives_way() and not until() else decision

    def _simulated(
        self,
        state: State,
        seconds: float | None,
        budget: int | None,
        ends: float | None,
        until: Callable[[], bool],
        lost: frozenset[Action],
    ) -> Decision:
        """A decision by simulated plays: by machine code, or in Python until machine code is ready;
        `lost` are moves known to lose."""
        uct, clock = self._uct, self._clock
        moves = len(self.game.legal_actions(state)) - len(lost)
        patience = max(PATIENCE, seconds or 0)
        decision, is_known = None, False
        with self._trying(moves, until) as told:
            if not uct.is_ready:
                left = None if ends is None else max(0.0, ends - clock())
                decision = uct_search(
                    self.game, state, iterations=budget, seconds=left, patience=patience,
                    rng=self._rng, leaving_out=lost, clock=clock,
                    until=lambda: told(1) or uct.is_ready,
                )  # fmt: skip
            if uct.is_ready and (
                decision is None or not (until() or ends is None or clock() >= ends)
            ):
                limits = RunLimits(budget, ends, moves, patience)
                decision = uct.decide(state, limits, clock=clock, until=told)
                is_known = uct.is_finished
        assert decision is not None, "machine code is ready, or Python has searched"
        is_known = is_known or self.proof(state) is not None
        if decision.nodes < moves and not is_known and not until():
            raise _too_few_plays(decision.nodes, moves, seconds)
        return decision

    @contextmanager
    def _trying(self, moves: int, until: Callable[[], bool]) -> Iterator[Callable[[int], bool]]:
        """Context in which solving waits for the first simulated plays.

        Yields a function to call after a number of plays, which counts plays and passes on `until`.
        """
        plays = 0

        def told(more: int) -> bool:
            nonlocal plays
            plays += more
            if plays >= moves:
                self._tried.set()
            return until()

        self._tried.clear()
        try:
            yield told
        finally:
            self._tried.set()

    def _is_decided(
        self, state: State, solving: Beside[Solution | str] | None, chosen: float
    ) -> bool:
        """Whether more time cannot change the decision.

        True if the game is solved; or if all moves are proved, with a single best move or enough
        time spent on comparing the best moves (`chosen`).
        """
        if self._looks_until < inf and self._clock() >= self._looks_until:
            self.look_no_more()
        if solving is not None and solving.is_over and self._known(solving, 0, 0) is not None:
            return True
        proof = self.proof(state)
        if proof is None or proof.undecided:
            return False
        return _leaves_no_choice(proof) or self._clock() >= chosen

    def look_beside(self, state: State, seconds: float | None) -> None:
        """Starts a parallel search for the value of a position, if the time suffices."""
        has_time = seconds is not None and (seconds >= WORTH_COMPILING or self._values.is_ready)
        if has_time and self._max_positions is None:
            is_promising = self._in_vain < MOST_IN_VAIN
            self._looks_until = inf if is_promising else self._clock() + IN_VAIN * (seconds or 0)
            self._values.begin(self._here(state))

    def look_no_more(self) -> None:
        """Ends the search begun by `look_beside`."""
        self._values.stop()

    def proof(self, state: State) -> Solution | None:
        """The position's value and the actions that keep the value, if proved by the parallel
        search."""
        return self._values.proof(self._here(state))

    def _here(self, state: State) -> State:
        """The state of `game` that stands for a state of the given game."""
        return state if self.game is self._whole else in_slice(self._whole, state)[1]

    def prepare(self, state: State, seconds: float = 0) -> None:
        """Compiles machine code for estimates; waits at most the given number of seconds."""
        started = self._clock()
        state = self._here(state)
        self._uct.prepare(state, seconds, self.for_match)
        if seconds > 0:
            self._values.prepare(state, max(0.0, started + seconds - self._clock()))

    def level_rates(self, state: State, levels: int) -> tuple[float, ...]:
        """As `MachineUct`, after machine code has been compiled."""
        state = self._here(state)
        self._uct.prepare(state, None, for_match=0)
        return self._uct.level_rates(state, levels)

    def _tactics(
        self, state: State, seconds: float | None, budget: int | None, until: Callable[[], bool]
    ) -> Tactics:
        try:
            share = None if seconds is None else seconds * FOR_TACTICS
            return tactics(
                self.game, state, nodes=budget, seconds=share, clock=self._clock, until=until
            )
        except UnsupportedGameError:
            return Tactics(None, frozenset())


def _too_late(seconds: float | None) -> str:
    return f"not within {round(seconds or 0, 1):g} s"


def _too_few_plays(plays: int, moves: int, seconds: float | None) -> TooFewPlaysError:
    time = 0 if seconds is None else ceil(2 * seconds * moves / plays)
    wanted = f"--time {time}s" if time else f"--budget {moves}"
    return TooFewPlaysError(
        f"no move is recommended, as {count(plays, 'play')} could be simulated and there are "
        f"{count(moves, 'move')} to be tried",
        f"{wanted} may do",
    )


def _leaves_no_choice(proof: Solution) -> bool:
    return len(proof.moves) == 1 and not proof.undecided


def _decided(proof: Solution, estimate: Decision | None = None) -> Decision:
    """An action proved to keep the value; of several actions the action preferred by an
    estimate."""
    assert proof.value is not None, "the value is proved"
    value = proof.value[0]
    keeping = {move.action: move for move in proof.moves if isinstance(move.action, int)}
    tried = [] if estimate is None else sorted(estimate.moves, key=lambda move: -move.visits)
    preferred = [None if estimate is None else estimate.action, *(move.action for move in tried)]
    action = next(
        (candidate for candidate in preferred if candidate in keeping), next(iter(keeping))
    )
    moves = tuple(RootMove(candidate, move.name, value) for candidate, move in keeping.items())
    line = (keeping[action].name,)
    return Decision(str(proof.solver), value, action, moves, line, proof.positions, 0)
