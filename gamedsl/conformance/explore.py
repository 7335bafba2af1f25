"""Bounded exploration for mistakes that only play reveals, with a play as evidence.

First, positions are visited in order of distance from the start. If the visit is incomplete, random
plays explore deeper. Reported findings are certain; absence is proved only by a complete
exploration. Limits count positions, moves, plies and legal actions, so that the report for a game
is equal on all machines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from itertools import islice
from math import inf, prod
from time import perf_counter
from weakref import proxy

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.conformance.branches import Branches
from gamedsl.conformance.cycles import find_cycle
from gamedsl.conformance.endings import OutcomeLog
from gamedsl.conformance.equivalent_actions import EquivalentActions
from gamedsl.conformance.late_endings import LateEndings
from gamedsl.conformance.plays import RandomPlays
from gamedsl.conformance.quick_wins import quick_wins
from gamedsl.conformance.remarks import Seen
from gamedsl.conformance.repeats import remarks_on_repeats
from gamedsl.conformance.sample import Sample
from gamedsl.conformance.time_limits import Pace, TimeIsUpError, TooSlowError
from gamedsl.conformance.visits import (
    TOO_DEAR,
    AnyAction,
    OnProgress,
    Play,
    TooDearError,
    Visits,
)
from gamedsl.game.game import LoadedGame
from gamedsl.game.paid import Paid
from gamedsl.model import SIMULTANEOUS, TERMINAL, GameRuleError, State
from gamedsl.model.facts import Facts
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of the exploration for a kind of game.

    Attributes:
        positions: positions discovered at most in a complete exploration.
        sample: moves carried out near the start if the game is larger.
        plies: plies of all random plays together.
        offered: legal actions listed during the random plays.
    """

    positions: int
    sample: int
    plies: int
    offered: int


QUICK = Budget(100_000, 30_000, 20_000, 500_000)
"""Games whose states fit machine words."""
COMPILED = Budget(20_000, 10_000, 2_000, 30_000)
"""Compiled rules with simultaneous moves or with dependence on history."""
SLOW = Budget(20_000, 2_500, 2_000, 5_000)
"""Rules that are not compiled."""
REPEATING = 10_000
"""Positions for rules with dependence on history, under which positions hardly ever recur."""
MOST_CELLS = 10_000_000
"""Limit on the cells of all discovered positions together."""
MOST_CELLS_TOGETHER = 2_000_000
"""Limit on the cells of all discovered positions in games with simultaneous moves."""
MOST_SEEN = 1_500_000
"""Limit on the cells of all positions of the random plays, joint actions of the first included."""
MOST_SAMPLED = 4_000_000
"""Limit on the cells of the positions after the moves of the largest sample; a smaller sample has
its share."""
LARGE = 200
"""Cells of a state above which fewer positions near the start are explored: a move goes through
the cells of the state, and takes longer the more there are."""
FEWEST_NEAR = 100
"""Least limit of the exploration near the start on account of large states."""
WORTH_COUNTING = 100_000
"""Moves carried out before positions are counted by `count` instead."""
Count = Callable[[LoadedGame, int, OnProgress | None], int | None]
MOST_DUPLICATE_CHECKS = 300
FEWEST_PLAYS = 250
"""Least number of finished random plays for a note that an outcome never occurred."""
FEWEST_FOR_REMARKS = 50
"""Least number of finished random plays for notes about events during play."""
FEWEST_TIMES, FEWEST_OF_ALL = 100, 5
"""Evaluations of a condition for a note on a constant result: in a partial, a complete exploration.
"""
MOST_ENDINGS = 1_000
"""Endings examined for clashes between outcomes."""


@dataclass(frozen=True, slots=True)
class PlayTest:
    """The extent and the findings of an exploration.

    Attributes:
        positions: distinct positions visited with a player to move or the game over.
        waiting: further positions discovered but not visited.
        is_complete: whether all reachable states were visited.
        plays: random plays made in addition.
        returns: whether play is known to return to a position, determined only for games with
            three or more players, rewards or hidden information, because solvers may then fail.
        diagnostics: errors in the game, warnings and notes, with plays as evidence.
        visits: the visited positions.
        per_second: positions or steps per second if the exploration stopped as too slow.
        is_out_of_time: whether time ran out before all waiting positions were visited.
    """

    positions: int
    waiting: int
    is_complete: bool
    plays: int
    diagnostics: tuple[Diagnostic, ...]
    returns: bool = False
    visits: Visits | None = field(default=None, compare=False, repr=False)
    per_second: float | None = None
    is_out_of_time: bool = False


def explore(
    game: LoadedGame,
    *,
    max_positions: int | None = None,
    plays: int = 500,
    seed: int = 0,
    progress: OnProgress | None = None,
    count: Count | None = None,
    pace: Pace | None = None,
    max_seconds: float | None = None,
) -> PlayTest:
    """Look for errors by playing.

    Args:
        max_positions: positions discovered before the exploration stops; None: the budget for the
            kind of game, and a sample of larger games.
        plays: random plays at most after an incomplete exploration.
        count: a faster way to count the positions of a game without errors; returns a number
            above the given limit if there are more positions, None if the count is unknown.
        pace: stops the exploration if positions take long; None: no such limit.
        max_seconds: time limit; two thirds are for the positions nearest to the start.
    """
    findings = _Findings(game)
    begun = perf_counter()
    if max_seconds is not None:
        pace = Pace(inf, begun + max_seconds * 2 / 3)
    try:
        visits = Visits(game, findings.error_at, pace)
    except GameRuleError as error:
        with suppress(TooDearError):
            findings.error(error, None, None)
        return PlayTest(0, 0, True, 0, findings.diagnostics())
    findings.visits = proxy(visits)  # in no cycle: all positions are freed with the last reference
    budget = _budget(game)
    cells = MOST_CELLS_TOGETHER if game.facts.is_simultaneous else MOST_CELLS
    limit = max_positions or _near(game, budget.positions, cells)
    counted, is_out_of_time = None, False
    playing = findings.random_plays(random.Random(seed), pace)
    try:
        try:
            if max_positions is None:
                most = MOST_SAMPLED * budget.sample // QUICK.sample
                sample = _near(game, budget.sample, most)
                counted = _look_around(visits, limit, sample, count, progress)
            else:
                counted = _look_so_far(visits, limit, count, progress)
        except TimeIsUpError:
            is_out_of_time = True
        if pace is not None and max_seconds is not None:
            pace.until = begun + max_seconds
        if not visits.is_whole:
            with suppress(TimeIsUpError):
                _play_at_random(playing, findings, plays, budget, is_known=counted is not None)
    except (TooDearError, TooSlowError) as end:
        seen = visits.looked_at, visits.waiting, False, playing.begun, findings.diagnostics()
        return PlayTest(*seen, per_second=end.per_second if isinstance(end, TooSlowError) else None)
    findings.conclude(playing.begun)
    if counted is not None:
        return PlayTest(counted, 0, True, playing.begun, findings.diagnostics())
    return _explored(game, visits, playing.begun, findings, is_out_of_time=is_out_of_time)


def _explored(
    game: LoadedGame, visits: Visits, plays: int, findings: _Findings, *, is_out_of_time: bool
) -> PlayTest:
    """The result of an exploration that no error and no slow position ended."""
    facts = game.facts
    may_be_refused = len(game.players) > 2 or facts.has_rewards or facts.has_secrets
    graph = dict(enumerate(visits.successors))
    return PlayTest(
        positions=visits.looked_at,
        waiting=visits.waiting,
        is_complete=visits.is_whole,
        plays=plays,
        diagnostics=findings.diagnostics(),
        returns=may_be_refused and find_cycle(graph) is not None,
        visits=visits,
        is_out_of_time=is_out_of_time,
    )


def _play_at_random(
    playing: RandomPlays, findings: _Findings, plays: int, budget: Budget, *, is_known: bool
) -> None:
    """Random plays after an incomplete exploration.

    `is_known`: errors are already excluded, and only oddities are of interest.
    """
    visits = findings.visits
    assert visits is not None
    most = MOST_SEEN * budget.plies // QUICK.plies
    game = findings.game
    plies = _usual(game, budget.plies, most, _choices_of(game, visits))
    if is_known:
        playing.run(min(plays, FEWEST_FOR_REMARKS), plies // 8, budget.offered / 8)
    if not is_known or findings.sample.finished >= FEWEST_FOR_REMARKS // 8:
        playing.run(plays - playing.begun, plies, budget.offered, FEWEST_FOR_REMARKS)


def _budget(game: LoadedGame) -> Budget:
    """The budget for the kind of game."""
    if game.steps() is not None:
        return QUICK
    if not isinstance(game.engine, CompiledEngine):
        return replace(SLOW, positions=REPEATING) if game.facts.repeats else SLOW
    return replace(COMPILED, positions=REPEATING) if game.facts.repeats else COMPILED


def _look_around(
    visits: Visits, limit: int, sample: int, count: Count | None, progress: OnProgress | None
) -> int | None:
    """Visit all positions if there are at most `limit`; else a sample nearest to the start.

    The sample ends after `sample` moves, and further visits are forgotten. Returns the number of
    positions if counted.
    """
    visits.run(limit, progress, min(sample, WORTH_COUNTING))
    mark = visits.mark()
    while visits.waiting and visits.discovered <= limit and not visits.will_exceed(limit):
        if count is not None and visits.carried_out >= WORTH_COUNTING:
            counted, count = count(visits.game, limit, progress), None
            if counted is not None:
                if counted <= limit:
                    return counted
                break
        visits.run(limit, progress, sample)
    if visits.waiting:
        visits.go_back(mark)
    return None


def _look_so_far(
    visits: Visits, limit: int, count: Count | None, progress: OnProgress | None
) -> int | None:
    """Like `_look_around`, with a limit set by the user, and left only where new positions are
    expected for twice the room.
    """
    visits.run(limit, progress, inf if count is None else WORTH_COUNTING)
    if count is not None and visits.waiting and visits.discovered <= limit:
        is_beyond = visits.will_exceed(2 * limit - visits.discovered)
        known = limit + 1 if is_beyond else count(visits.game, limit, progress)
        if known is not None and known <= limit:
            return known
        visits.run(limit, progress, inf if known is None else WORTH_COUNTING)
    return None


def _usual(game: LoadedGame, most: int, cells: int, moves: int = 0) -> int:
    """A limit of at most `most` states, lower for large states and many moves."""
    size = game.initial_state().size + moves
    return min(most, max(1, cells // max(1, size)))


def _near(game: LoadedGame, most: int, cells: int) -> int:
    """A limit like `_usual`, lower still for states of more than `LARGE` cells."""
    usual, size = _usual(game, most, cells), game.initial_state().size
    return min(usual, max(FEWEST_NEAR, usual * LARGE // max(LARGE, size)))


def _choices_of(game: LoadedGame, visits: Visits) -> int:
    """Number of choices in the first position, including choices left out."""
    known = len(visits.choices[0]) if visits.choices else 0
    if not (visits.left_out and known and visits.movers[0] == SIMULTANEOUS):
        return known
    state = visits.state(0)
    return prod(len(game.legal_actions(state, player)) for player in game.players)


def looked_at(positions: int, waiting: int, is_whole: bool, plays: int) -> str:
    """The extent of an exploration as text; `waiting` positions were discovered but not visited."""
    if is_whole:
        return "the only position" if positions == 1 else f"all {positions:,} positions"
    seen = f"{'the nearest ' if waiting else ''}{count(positions, 'position')}"
    parts = [*([seen] if positions else []), *([count(plays, "random play")] if plays else [])]
    return " and ".join(parts) or "no position"


@dataclass
class _Findings:
    """The findings so far: the first of a kind at a place."""

    game: LoadedGame
    visits: Visits | None = None
    recorded: dict[tuple[object, ...], Diagnostic] = field(default_factory=dict)
    endings: OutcomeLog = field(init=False)
    late: LateEndings = field(init=False)
    sample: Sample = field(default_factory=Sample)

    branches: Branches | None = None

    def __post_init__(self) -> None:
        if self.game.model.tree is None:
            self.branches = Branches(self.game)
        definition = None if self.branches is None else self.branches.definition
        ties = None if self.branches is None else self.branches.ties
        self.endings = OutcomeLog(self.game, definition, ties)
        self.late = LateEndings(self.game, definition)

    @property
    def must_end(self) -> bool:
        """Whether return to an earlier state is an error."""
        facts = self.game.facts
        return facts.endless is None and not facts.repeats and facts.discount == 1

    def random_plays(self, chooser: random.Random, pace: Pace | None) -> RandomPlays:
        """Random plays whose errors and ends are recorded here."""
        must_end = self.must_end and not self.game.facts.has_rewards
        return RandomPlays(
            self.game,
            chooser,
            self.error,
            self.end_of_play,
            self.sample.add,
            self.endless if must_end else None,
            pace,
        )

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings."""
        return tuple(self.recorded.values())

    # --- plays as text ---------------------------------------------------------------------

    def _told(self, play: Play) -> str:
        names = [self.game.action_name(state, choice) for state, choice in play]
        if len(names) > 60:
            names = [*names[:10], f"... {len(names) - 30} more ...", *names[-20:]]
        return ", ".join(names) if names else "nothing: it is so from the start"

    def _notes(
        self, state: State | None, choice: AnyAction | None, past: Play | None
    ) -> tuple[str, ...]:
        if state is None or past is None:
            return ("this happens before the first move",)
        shown = self.game.show(state)
        if choice is not None:
            told = self._told([*past, (state, choice)])
            return (f"the play that does it: {told}", f"before the last step:\n{shown}")
        return (f"the play that leads there: {self._told(past)}", f"the state:\n{shown}")

    # --- while positions are visited -------------------------------------------------------

    def error_at(self, error: GameRuleError, number: int, choice: AnyAction | None) -> None:
        """Record an error in the game at a visited position."""
        assert self.visits is not None
        if (error.code, error.span) not in self.recorded:
            state, past = self.visits.state(number), self.visits.play_to(number)
            self.error(error, state, choice, past)

    def error(
        self,
        error: GameRuleError,
        state: State | None,
        choice: AnyAction | None,
        past: Play | None = None,
    ) -> None:
        """Record an error in the game. Raises TooDearError if the rules are too expensive."""
        key = (error.code, error.span)
        if key not in self.recorded:
            self.recorded[key] = Diagnostic(
                error.code,
                error.message,
                None if error.span is None else Label(error.span),
                self.game.source,
                notes=self._notes(state, choice, past),
                hint=error.hint,
            )
        if error.code in TOO_DEAR:
            raise TooDearError

    def end_of_play(self, state: State, past: Play, paid: Paid) -> None:
        """Examine the end of a random play."""
        self.sample.end(state, paid.total(self.game.utilities(state)))
        self.endings.look_at(state, lambda: self._notes(state, None, past)[:1])
        if past:
            self.late.look_at(past[-1][0], state)

    # --- after all visits ------------------------------------------------------------------

    def conclude(self, plays: int) -> None:
        """Add the findings about the game as a whole."""
        visits = self.visits
        assert visits is not None
        self._look_at_endings(visits)
        self._look_for_duplicates(visits)
        if self.must_end:
            self._report_cycle(visits)
        if visits.movers[0] == TERMINAL:
            message = "the game is over before the first move"
            self.recorded["over",] = self._remark("W3103", message, Severity.WARNING)
        has_errors = any(diagnostic.is_error for diagnostic in self.recorded.values())
        extent = looked_at(visits.looked_at, visits.waiting, visits.is_whole, plays)
        if visits.is_whole and not has_errors:
            self.recorded |= {("idle", idle): idle for idle in self.endings.idle()}
        elif not has_errors and self.sample.finished >= FEWEST_PLAYS:
            self.recorded |= {("idle", idle): idle for idle in self.endings.not_met(extent)}
        clash = self.endings.clash()
        if clash is not None:
            self.recorded["clash",] = clash
        if ("over",) not in self.recorded and not has_errors:
            self.sample.look_at(visits)
            self._remark_on(Seen(self.game, self.sample, extent, visits.is_whole))

    def _remark_on(self, seen: Seen) -> None:
        """Add notes on oddities, as far as the sample suffices."""
        self.recorded |= {("late", late): late for late in self.late.diagnostics(seen.extent)}
        self._remark_on_repeats(seen)
        if self.endings.ties is not None:
            self.recorded |= {
                ("tie", tie): tie for tie in self.endings.ties.diagnostics(seen.extent)
            }
        assert self.visits is not None
        self.recorded |= {("win", win): win for win in quick_wins(self.visits, seen.extent)}
        is_enough = seen.is_whole or self.sample.finished >= FEWEST_FOR_REMARKS
        self.recorded |= {("odd", odd): odd for odd in seen.remarks(is_enough=is_enough)}
        if self.branches is not None and self.game.steps() is not None and is_enough:
            self.branches.run(self.sample.steps)
            is_certain = seen.is_whole and self.branches.run_on(self.visits.steps(), FEWEST_OF_ALL)
            fewest = FEWEST_OF_ALL if is_certain else FEWEST_TIMES
            self.recorded |= {("branch", odd): odd for odd in self.branches.one_sided(fewest)}

    def _remark_on_repeats(self, seen: Seen) -> None:
        """Add notes on repetition rules that play never reaches."""
        visits = self.visits
        if not self.game.facts.repeats or visits is None:
            return
        ends = [visits.state(n) for n, mover in enumerate(visits.movers) if mover == TERMINAL]
        states = [*ends, *self.sample.states]
        chooser = random.Random(0)
        idle = remarks_on_repeats(
            self.game, chooser, states, seen.extent, seen.is_whole, self.error
        )
        self.recorded |= {("repeat", remark): remark for remark in idle}

    def _remark(
        self, code: str, message: str, severity: Severity, notes: tuple[str, ...] = ()
    ) -> Diagnostic:
        return Diagnostic(code, message, None, self.game.source, notes=notes, severity=severity)

    def _look_at_endings(self, visits: Visits) -> None:
        """Examine the outcomes that hold in terminal states.

        All terminal states are examined if few, or if an outcome has not been met before.
        """
        endings = [n for n, mover in enumerate(visits.movers) if mover == TERMINAL]
        for done, number in enumerate(_spread(endings)):
            if done >= MOST_ENDINGS and not (visits.is_whole and self.endings.are_missing()):
                return
            state = visits.state(number)
            self.endings.look_at(state, partial(self._way_to, number))
            if number and done < MOST_ENDINGS:
                self.late.look_at(visits.before(number), state)

    def _way_to(self, number: int) -> tuple[str, ...]:
        assert self.visits is not None
        return (f"the play that leads there: {self._told(self.visits.play_to(number))}",)

    def _look_for_duplicates(self, visits: Visits) -> None:
        """Note two actions of a player with equal effects wherever both are legal."""
        numbers = (n for n, mover in enumerate(visits.movers) if mover is not None and mover >= 0)
        alike = EquivalentActions(visits)
        for number in islice(numbers, MOST_DUPLICATE_CHECKS):
            state = visits.state(number)
            for same in alike.pairs(number):
                names = [self.game.action_name(state, choice) for choice in same]
                key = ("duplicate", *sorted(name.partition("(")[0] for name in names))
                if key not in self.recorded and alike.are_always(number, same, key):
                    self.recorded[key] = self._remark(
                        "W3104",
                        f"`{names[0]}` and `{names[1]}` do the same: two actions, one effect",
                        Severity.NOTE,
                        self._way_to(number),
                    )

    def _report_cycle(self, visits: Visits) -> None:
        unpaid = visits.unpaid()
        if all(min(after, default=n + 1) > n for n, after in enumerate(unpaid)):
            return  # every step leads to a position discovered later
        cycle = find_cycle(dict(enumerate(unpaid)))
        if cycle is not None:
            around = [
                (visits.state(n), visits.choices[n][visits.edge(n, after)])
                for n, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            ]
            self.endless(visits.play_to(cycle[0]), around)

    def endless(self, into: Play, around: Play) -> None:
        """Report endless play, with a way into the cycle and the cycle."""
        states = [state for state, _ in around]
        self.recorded["cycle",] = Diagnostic(
            "E3006",
            "play can go on for ever, and the game does not say what that is worth",
            None,
            self.game.source,
            notes=(
                f"the play that leads there: {self._told(into)}",
                f"and round again: {self._told(around)}",
                f"the state:\n{self.game.show(states[0])}",
            ),
            hint=_endless_hint(states, self.game.facts),
        )


def _spread(numbers: list[int]) -> Iterator[int]:
    """All the numbers, in an order whose beginning covers the whole list."""
    stride = max(1, len(numbers) // MOST_ENDINGS)
    for start in range(stride):
        yield from numbers[start::stride]


def _is_idle(cycle: list[State]) -> bool:
    """Whether only the player to move changes along the cycle, and no chance event is in it."""
    return all(state.cells == cycle[0].cells and state.pending is None for state in cycle)


def _endless_hint(cycle: list[State], facts: Facts) -> str:
    line = facts.endless_line
    if facts.has_rewards:
        return f"nothing is paid on the way round: write `{line}`, or a `discount`"
    if _is_idle(cycle):
        return f"these moves change nothing: forbid them with `require`, or write `{line}`"
    return f"write `{line}` (or another outcome), or count moves and end the game"
