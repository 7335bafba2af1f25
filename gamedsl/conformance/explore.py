"""Bounded exploration: the mistakes in a game that only playing it shows, each with a play.

In: a loaded game and limits. Out: a `PlayTest` with diagnostics. First the positions nearest
to the start are visited in order; where these are not all, some random plays go deep. What is
found holds; what is not found is only proved absent where the exploration was complete. Limits
are numbers of positions, moves carried out, plies and legal actions, so that a game is told the
same on every machine.
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

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.conformance.alike import Alike
from gamedsl.conformance.branches import Branches
from gamedsl.conformance.cycles import find_cycle
from gamedsl.conformance.endings import OutcomeLog
from gamedsl.conformance.late import LateEndings
from gamedsl.conformance.pace import Pace, TimeIsUpError, TooSlowError
from gamedsl.conformance.plays import RandomPlays
from gamedsl.conformance.quick_wins import quick_wins
from gamedsl.conformance.remarks import Seen
from gamedsl.conformance.repeats import remarks_on_repeats
from gamedsl.conformance.sample import Sample
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
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is done of one kind of game.

    Attributes:
        positions: as many may be found of a game that is seen whole.
        sample: moves carried out from the positions nearest to the start, of a larger game.
        plies: of all random plays together.
        offered: legal actions listed on the way of these plays.
    """

    positions: int
    sample: int
    plies: int
    offered: int


QUICK = Budget(100_000, 50_000, 20_000, 500_000)
"""Of games whose states are words."""
COMPILED = Budget(20_000, 10_000, 2_000, 30_000)
"""Of compiled rules that let all choose at once, or look at what has occurred before."""
SLOW = Budget(20_000, 2_500, 2_000, 5_000)
"""Of rules that are not compiled."""
REPEATING = 10_000
"""Positions of rules that look at what has occurred before: hardly one comes up twice."""
MOST_CELLS = 10_000_000
"""Cells of all positions found together, beyond which exploration ends too."""
MOST_CELLS_TOGETHER = 2_000_000
"""The same where all choose at once."""
MOST_SEEN = 8_000_000
"""Cells seen and moves tried in random plays together, of such games."""
WORTH_COUNTING = 100_000
"""Moves carried out, from which on positions are rather counted."""
Count = Callable[[LoadedGame, int, OnProgress | None], int | None]
MOST_DUPLICATE_CHECKS = 300
FEWEST_PLAYS = 250
"""Random plays to their end, from which on it tells something that they never ended so."""
FEWEST_FOR_REMARKS = 50
"""The same for what may happen on the way."""
FEWEST_TIMES, FEWEST_OF_ALL = 100, 5
"""How often a condition has to come out the same, where not all was seen, and where it was."""
MOST_ENDINGS = 1_000
"""Endings that are looked at to see whether two outcomes clash."""


@dataclass(frozen=True, slots=True)
class PlayTest:
    """What was visited and found.

    Attributes:
        positions: different positions looked at where a player moves or the game is over.
        waiting: how many more were found and not looked at.
        is_complete: whether these are all reachable states.
        plays: random plays made besides.
        returns: whether play is known to come back to a position, in games of three players and
            more, where it is paid on the way and where something is hidden: that may be the end of
            solving.
        diagnostics: errors in the game, warnings and notes, each with a play that shows it.
        visits: what was looked at.
        per_second: positions or steps a second, where it was ended as they were so few.
        is_out_of_time: whether there was no time for the positions that wait.
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
        max_positions: how many positions are found before no more are looked at; None: as the
            budget of the game has it, and of larger games a sample.
        plays: how many random plays are made at most where these were not all.
        count: faster than looking at each: the number of positions of a game without an error,
            more than it is given if there are more, None if it cannot tell.
        pace: ends it where each position takes long; None: nothing does.
        max_seconds: how long it may take at most; two thirds of it for the nearest positions.
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
    findings.visits = visits
    budget = _budget(game)
    cells = MOST_CELLS_TOGETHER if game.facts.is_simultaneous else MOST_CELLS
    limit = max_positions or _usual(game, budget.positions, cells)
    counted, is_out_of_time = None, False
    playing = RandomPlays(
        game,
        random.Random(seed),
        findings.error,
        findings.end_of_play,
        findings.sample.add,
        findings.endless if findings.must_end and not game.facts.has_rewards else None,
        pace,
    )
    try:
        try:
            if max_positions is None:
                counted = _look_around(visits, limit, budget.sample, count, progress)
            else:
                counted = _look_so_far(visits, limit, count, progress)
        except TimeIsUpError:
            is_out_of_time = True
        if pace is not None and max_seconds is not None:
            pace.until = begun + max_seconds
        if not visits.is_whole:
            with suppress(TimeIsUpError):
                _play_at_random(playing, findings, plays, budget, is_known=counted is not None)
    except TooDearError:
        found = findings.diagnostics()
        return PlayTest(visits.looked_at, visits.waiting, False, playing.made, found)
    except TooSlowError as slow:
        found = findings.diagnostics()
        return PlayTest(
            visits.looked_at, visits.waiting, False, playing.made, found, per_second=slow.per_second
        )
    made = playing.made
    findings.conclude(made)
    graph = dict(enumerate(visits.successors))
    facts = game.facts
    may_be_refused = len(game.players) > 2 or facts.has_rewards or facts.has_secrets
    if counted is not None:
        return PlayTest(counted, 0, True, made, findings.diagnostics())
    return PlayTest(
        positions=visits.looked_at,
        waiting=visits.waiting,
        is_complete=visits.is_whole,
        plays=made,
        diagnostics=findings.diagnostics(),
        returns=may_be_refused and find_cycle(graph) is not None,
        visits=visits,
        is_out_of_time=is_out_of_time,
    )


def _play_at_random(
    playing: RandomPlays, findings: _Findings, plays: int, budget: Budget, *, is_known: bool
) -> None:
    """Random plays where not all was looked at; `is_known`: no error is to be found, only what is
    odd."""
    visits = findings.visits
    assert visits is not None
    most = MOST_SEEN * budget.plies // QUICK.plies
    game = findings.game
    plies = _usual(game, budget.plies, most, _choices_of(game, visits))
    if is_known:
        playing.run(min(plays, FEWEST_FOR_REMARKS), plies // 8, budget.offered / 8)
    if not is_known or findings.sample.finished >= FEWEST_FOR_REMARKS // 8:
        playing.run(plays - playing.made, plies, budget.offered)


def _budget(game: LoadedGame) -> Budget:
    """What is done of the kind of game that this is."""
    if game.steps() is not None:
        return QUICK
    if not isinstance(game.engine, CompiledEngine):
        return replace(SLOW, positions=REPEATING) if game.facts.repeats else SLOW
    return replace(COMPILED, positions=REPEATING) if game.facts.repeats else COMPILED


def _look_around(
    visits: Visits, limit: int, sample: int, count: Count | None, progress: OnProgress | None
) -> int | None:
    """Look at all positions, if they are at most so many; else at those nearest to the start,
    until `sample` moves were carried out: what was looked at besides is forgotten. How many there
    are, where that was counted."""
    visits.run(limit, progress, min(sample, WORTH_COUNTING))
    mark = visits.mark()
    while visits.waiting and visits.found <= limit and not visits.will_exceed(limit):
        if visits.carried_out < WORTH_COUNTING:
            visits.run(limit, progress, sample)
            continue
        counted = None if count is None else count(visits.game, limit, progress)
        if counted is not None:
            if counted <= limit:
                return counted
            break
        visits.run(limit, progress)
        break
    if visits.waiting:
        visits.go_back(mark)
    return None


def _look_so_far(
    visits: Visits, limit: int, count: Count | None, progress: OnProgress | None
) -> int | None:
    """The same where somebody has said how far."""
    visits.run(limit, progress, inf if count is None else WORTH_COUNTING)
    if count is not None and visits.waiting and visits.found <= limit:
        known = limit + 1 if visits.will_exceed(limit) else count(visits.game, limit, progress)
        if known is not None and known <= limit:
            return known
        visits.run(limit, progress, inf if known is None else WORTH_COUNTING)
    return None


def _usual(game: LoadedGame, most: int, cells: int, moves: int = 0) -> int:
    """So many of the states of a game, fewer where states are large or moves are many."""
    size = game.initial_state().size + moves
    return min(most, max(1, cells // max(1, size)))


def _choices_of(game: LoadedGame, visits: Visits) -> int:
    """How many things can be done in the first position, those that were left out included."""
    known = len(visits.choices[0]) if visits.choices else 0
    if not (visits.left_out and known and visits.movers[0] == SIMULTANEOUS):
        return known
    state = visits.state(0)
    return prod(len(game.legal_actions(state, player)) for player in game.players)


def looked_at(positions: int, waiting: int, is_whole: bool, plays: int) -> str:
    """How much was looked at, as text; `waiting` were found besides."""
    if is_whole:
        return "the only position" if positions == 1 else f"all {positions:,} positions"
    seen = f"{'the nearest ' if waiting else ''}{count(positions, 'position')}"
    parts = [*([seen] if positions else []), *([count(plays, "random play")] if plays else [])]
    return " and ".join(parts) or "no position"


@dataclass
class _Findings:
    """What was found so far, the first of its kind at its place."""

    game: LoadedGame
    visits: Visits | None = None
    found: dict[tuple[object, ...], Diagnostic] = field(default_factory=dict)
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
        """Whether play that comes back to a state is an error."""
        facts = self.game.facts
        return facts.endless is None and not facts.repeats and facts.discount == 1

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that was found."""
        return tuple(self.found.values())

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
        """Note an error in the game at a position that was visited."""
        assert self.visits is not None
        if (error.code, error.span) not in self.found:
            state, past = self.visits.state(number), self.visits.play_to(number)
            self.error(error, state, choice, past)

    def error(
        self,
        error: GameRuleError,
        state: State | None,
        choice: AnyAction | None,
        past: Play | None = None,
    ) -> None:
        """Note an error in the game. Raises TooDearError where no more is to be looked at."""
        key = (error.code, error.span)
        if key not in self.found:
            self.found[key] = Diagnostic(
                error.code,
                error.message,
                None if error.span is None else Label(error.span),
                self.game.source,
                notes=self._notes(state, choice, past),
                hint=error.hint,
            )
        if error.code in TOO_DEAR:
            raise TooDearError

    def end_of_play(self, state: State, past: Play) -> None:
        """Look at where a random play has ended."""
        paid = Paid(self.game)
        if not self.game.facts.pays_at_the_end:
            following = [*(before for before, _ in past[1:]), state]
            for (before, choice), after in zip(past, following, strict=True):
                paid.add(before, choice, after)
        self.sample.end(state, paid.total(self.game.utilities(state)))
        self.endings.look_at(state, lambda: self._notes(state, None, past)[:1])
        if past:
            self.late.look_at(past[-1][0], state)

    # --- once all that was to be visited was visited ---------------------------------------

    def conclude(self, plays: int) -> None:
        """What can be said about the game as a whole."""
        visits = self.visits
        assert visits is not None
        self._look_at_endings(visits)
        self._look_for_duplicates(visits)
        if self.must_end:
            self._report_cycle(visits)
        if visits.movers[0] == TERMINAL:
            message = "the game is over before the first move"
            self.found["over",] = self._remark("W3103", message, Severity.WARNING)
        has_errors = any(found.is_error for found in self.found.values())
        extent = looked_at(visits.looked_at, visits.waiting, visits.is_whole, plays)
        if visits.is_whole and not has_errors:
            self.found |= {("idle", idle): idle for idle in self.endings.idle()}
        elif not has_errors and self.sample.finished >= FEWEST_PLAYS:
            self.found |= {("idle", idle): idle for idle in self.endings.not_met(extent)}
        clash = self.endings.clash()
        if clash is not None:
            self.found["clash",] = clash
        if ("over",) not in self.found and not has_errors:
            self.sample.look_at(visits)
            self._remark_on(Seen(self.game, self.sample, extent, visits.is_whole))

    def _remark_on(self, seen: Seen) -> None:
        """What is odd, where enough was seen to tell."""
        self.found |= {("late", late): late for late in self.late.found(seen.extent)}
        self._remark_on_repeats(seen)
        if self.endings.ties is not None:
            self.found |= {("tie", tie): tie for tie in self.endings.ties.found(seen.extent)}
        assert self.visits is not None
        self.found |= {("win", win): win for win in quick_wins(self.visits, seen.extent)}
        is_enough = seen.is_whole or self.sample.finished >= FEWEST_FOR_REMARKS
        self.found |= {("odd", odd): odd for odd in seen.remarks(is_enough=is_enough)}
        if self.branches is not None and self.game.steps() is not None and is_enough:
            self.branches.run(self.sample.steps)
            is_certain = seen.is_whole and self.branches.run_on(self.visits.steps(), FEWEST_OF_ALL)
            fewest = FEWEST_OF_ALL if is_certain else FEWEST_TIMES
            self.found |= {("branch", odd): odd for odd in self.branches.one_sided(fewest)}

    def _remark_on_repeats(self, seen: Seen) -> None:
        """Repetitions that cannot come up, as far as play shows."""
        visits = self.visits
        if not self.game.facts.repeats or visits is None:
            return
        ends = [visits.state(n) for n, mover in enumerate(visits.movers) if mover == TERMINAL]
        states = [*ends, *self.sample.states]
        chooser = random.Random(0)
        idle = remarks_on_repeats(
            self.game, chooser, states, seen.extent, seen.is_whole, self.error
        )
        self.found |= {("repeat", remark): remark for remark in idle}

    def _remark(
        self, code: str, message: str, severity: Severity, notes: tuple[str, ...] = ()
    ) -> Diagnostic:
        return Diagnostic(code, message, None, self.game.source, notes=notes, severity=severity)

    def _look_at_endings(self, visits: Visits) -> None:
        """Which outcomes hold where play ends: all endings if they are few, or if some outcome
        has not been met before."""
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
        """Note two actions of one player that do the same wherever both can be done."""
        numbers = (n for n, mover in enumerate(visits.movers) if mover is not None and mover >= 0)
        alike = Alike(visits)
        for number in islice(numbers, MOST_DUPLICATE_CHECKS):
            state = visits.state(number)
            for same in alike.pairs(number):
                names = [self.game.action_name(state, choice) for choice in same]
                key = ("duplicate", *sorted(name.partition("(")[0] for name in names))
                if key not in self.found and alike.are_always(number, same, key):
                    self.found[key] = self._remark(
                        "W3104",
                        f"`{names[0]}` and `{names[1]}` do the same: two actions, one effect",
                        Severity.NOTE,
                        self._way_to(number),
                    )

    def _report_cycle(self, visits: Visits) -> None:
        unpaid = visits.unpaid()
        if all(min(after, default=n + 1) > n for n, after in enumerate(unpaid)):
            return  # every step leads to a position found later
        cycle = find_cycle(dict(enumerate(unpaid)))
        if cycle is not None:
            around = [
                (visits.state(n), visits.choices[n][visits.edge(n, after)])
                for n, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            ]
            self.endless(visits.play_to(cycle[0]), around)

    def endless(self, into: Play, around: Play) -> None:
        """Note that play can go round for ever, and where."""
        states = [state for state, _ in around]
        self.found["cycle",] = Diagnostic(
            "E3006",
            "play can go on for ever, and the game does not say what that is worth",
            None,
            self.game.source,
            notes=(
                f"the play that leads there: {self._told(into)}",
                f"and round again: {self._told(around)}",
                f"the state:\n{self.game.show(states[0])}",
            ),
            hint=_endless_hint(states, self.game.facts.has_rewards),
        )


def _spread(numbers: list[int]) -> Iterator[int]:
    """All the numbers, the first of them from everywhere in the list."""
    stride = max(1, len(numbers) // MOST_ENDINGS)
    for start in range(stride):
        yield from numbers[start::stride]


def _is_idle(cycle: list[State]) -> bool:
    """Whether nothing but the player to move changes all the way round."""
    return all(state.cells == cycle[0].cells for state in cycle)


def _endless_hint(cycle: list[State], pays: bool) -> str:
    if pays:
        return "nothing is paid on the way round: write `endless: draw`, or a `discount`"
    if _is_idle(cycle):
        return "these moves change nothing: forbid them with `require`, or write `endless: draw`"
    return "write `endless: draw` (or another outcome), or count moves and end the game"
