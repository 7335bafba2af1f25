"""Bounded exploration: the mistakes in a game that only playing it shows, each with a play.

In: a loaded game and limits. Out: a `PlayTest` with diagnostics. First the positions nearest
to the start are visited in order, then some random plays go deep. What is found holds; what is
not found is only proved absent where the exploration was complete.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from gamedsl.conformance.cycles import find_cycle
from gamedsl.conformance.endings import OutcomeLog
from gamedsl.conformance.laws import choices
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, GameRuleError, State
from gamedsl.source import Diagnostic, Label, Severity

AnyAction = Action | JointAction
OnProgress = Callable[[int, int], None]

LONGEST_PLAY = 2_000
MOST_CHOICES = 20_000
"""What can follow one state beyond this number is left out."""
MOST_DUPLICATE_CHECKS = 300


@dataclass(frozen=True, slots=True)
class PlayTest:
    """What was visited and found.

    Attributes:
        positions: different states visited where a player moves or the game is over.
        is_complete: whether these are all reachable states.
        plays: random plays made besides.
        diagnostics: errors in the game, warnings and notes, each with a play that shows it.
    """

    positions: int
    is_complete: bool
    plays: int
    diagnostics: tuple[Diagnostic, ...]


def explore(
    game: LoadedGame,
    *,
    max_positions: int = 2_000,
    max_seconds: float = 3.0,
    plays: int = 50,
    seed: int = 0,
    progress: OnProgress | None = None,
) -> PlayTest:
    """Look for errors by playing: at most so many positions, so many seconds, so many plays."""
    explorer = _Explorer(game, progress)
    try:
        explorer.visit(game.initial_state())
    except GameRuleError as error:
        explorer.error(error, None, None)
        return explorer.result(complete=True, plays=0)
    explorer.deadline = time.monotonic() + max_seconds
    complete = explorer.breadth_first(max_positions)
    made = 0
    if not complete:
        made = explorer.random_plays(plays, random.Random(seed), time.monotonic() + max_seconds / 2)
    explorer.conclude(complete)
    return explorer.result(complete, made)


@dataclass
class _Explorer:
    game: LoadedGame
    progress: OnProgress | None
    parents: dict[State, tuple[State, AnyAction] | None] = field(default_factory=dict)
    successors: dict[State, dict[State, AnyAction]] = field(default_factory=dict)
    found: dict[tuple[object, ...], Diagnostic] = field(default_factory=dict)
    endings: OutcomeLog = field(init=False)
    duplicate_checks: int = 0
    deadline: float = 0.0
    left_out: bool = False

    def __post_init__(self) -> None:
        self.endings = OutcomeLog(self.game)

    def result(self, complete: bool, plays: int) -> PlayTest:
        positions = sum(1 for state in self.parents if state.pending is None)
        return PlayTest(positions, complete, plays, tuple(self.found.values()))

    # --- visiting --------------------------------------------------------------------------

    def visit(self, state: State, came_from: tuple[State, AnyAction] | None = None) -> None:
        """Remember a state and how it was reached first."""
        self.parents.setdefault(state, came_from)

    def breadth_first(self, limit: int) -> bool:
        """Visit states nearest first; whether all were visited."""
        queue = list(self.parents)
        done = 0
        while done < len(queue):
            if done >= limit or self._is_late():
                return False
            state = queue[done]
            done += 1
            reached = self._expand(state)
            for choice, after in reached:
                if after not in self.parents:
                    self.visit(after, (state, choice))
                    queue.append(after)
            self.successors[state] = {after: choice for choice, after in reversed(reached)}
            if self.progress is not None and done % 64 == 0:
                self.progress(done, len(queue) - done)
        return not self.left_out

    def _is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def _expand(self, state: State) -> list[tuple[AnyAction, State]]:
        """All that can follow a state; errors in the game are noted and left out."""
        reached: list[tuple[AnyAction, State]] = []
        try:
            possible = list(islice(choices(self.game, state), MOST_CHOICES + 1))
            self._look_at_end(state)
        except GameRuleError as error:
            self.error(error, state, None)
            return []
        for choice in possible:
            if len(reached) == MOST_CHOICES or self._is_late():
                self.left_out = True
                break
            try:
                reached.append((choice, self.game.result(state, choice)))
            except GameRuleError as error:
                self.error(error, state, choice)
        self._look_for_duplicates(state, reached)
        return reached

    def random_plays(self, plays: int, chooser: random.Random, deadline: float) -> int:
        """Play at random; how many plays were made before time was up."""
        for number in range(plays):
            state = self.game.initial_state()
            past: list[tuple[State, AnyAction]] = []
            for _ in range(LONGEST_PLAY):
                if time.monotonic() > deadline:
                    return number
                following = self._random_step(state, chooser, past)
                if following is None:
                    break
                state = following
        return plays

    def _random_step(
        self, state: State, chooser: random.Random, past: list[tuple[State, AnyAction]]
    ) -> State | None:
        try:
            player = self.game.current_player(state)
            if player == TERMINAL:
                self._look_at_end(state, past)
                return None
            choice = self._random_choice(state, int(player), chooser)
        except GameRuleError as error:
            self.error(error, state, None, past)
            return None
        try:
            following = self.game.result(state, choice)
        except GameRuleError as error:
            self.error(error, state, choice, past)
            return None
        past.append((state, choice))
        return following

    def _random_choice(self, state: State, player: int, chooser: random.Random) -> AnyAction:
        if player == CHANCE:
            return chooser.choice([outcome for outcome, _ in self.game.chance_outcomes(state)])
        if player == SIMULTANEOUS:
            return tuple(
                chooser.choice(self.game.legal_actions(state, p)) for p in self.game.players
            )
        return chooser.choice(self.game.legal_actions(state))

    # --- plays as text ---------------------------------------------------------------------

    def _play_to(self, state: State) -> list[tuple[State, AnyAction]]:
        play: list[tuple[State, AnyAction]] = []
        came_from = self.parents.get(state)
        while came_from is not None:
            play.append(came_from)
            came_from = self.parents[came_from[0]]
        return play[::-1]

    def _told(self, play: list[tuple[State, AnyAction]]) -> str:
        names = [self.game.action_name(state, choice) for state, choice in play]
        if len(names) > 60:
            names = [*names[:10], f"... {len(names) - 30} more ...", *names[-20:]]
        return ", ".join(names) if names else "nothing: it is so from the start"

    def _notes(
        self,
        state: State | None,
        choice: AnyAction | None,
        past: list[tuple[State, AnyAction]] | None,
    ) -> tuple[str, ...]:
        if state is None:
            return ("this happens before the first move",)
        play = self._play_to(state) if past is None else past
        shown = self.game.show(state)
        if choice is not None:
            play = [*play, (state, choice)]
            return (f"the play that does it: {self._told(play)}", f"before the last step:\n{shown}")
        return (f"the play that leads there: {self._told(play)}", f"the state:\n{shown}")

    # --- findings --------------------------------------------------------------------------

    def error(
        self,
        error: GameRuleError,
        state: State | None,
        choice: AnyAction | None,
        past: list[tuple[State, AnyAction]] | None = None,
    ) -> None:
        """Note an error in the game, the first of its kind at its place."""
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

    def _remark(
        self, code: str, message: str, severity: Severity, notes: tuple[str, ...] = ()
    ) -> Diagnostic:
        return Diagnostic(code, message, None, self.game.source, notes=notes, severity=severity)

    def _look_at_end(self, state: State, past: list[tuple[State, AnyAction]] | None = None) -> None:
        self.endings.look_at(state, lambda: self._notes(state, None, past)[:1])

    def _look_for_duplicates(self, state: State, reached: list[tuple[AnyAction, State]]) -> None:
        """Note two actions of one player that do the same."""
        if state.pending is not None or self.duplicate_checks > MOST_DUPLICATE_CHECKS:
            return
        self.duplicate_checks += 1
        by_result: dict[State, AnyAction] = {}
        for choice, after in reached:
            if isinstance(choice, tuple):
                return
            if after.cells == state.cells:
                continue  # a move that changes nothing is another matter
            other = by_result.setdefault(after, choice)
            if other != choice:
                names = [self.game.action_name(state, c) for c in (other, choice)]
                moves = tuple(sorted(name.partition("(")[0] for name in names))
                if ("duplicate", moves) not in self.found:
                    self.found["duplicate", moves] = self._remark(
                        "W3104",
                        f"`{names[0]}` and `{names[1]}` do the same: two actions, one effect",
                        Severity.NOTE,
                        self._notes(state, None, None)[:1],
                    )

    def conclude(self, complete: bool) -> None:
        """What can be said once all that was to be visited was visited."""
        is_whole = complete and not any(found.is_error for found in self.found.values())
        if self.game.facts.endless is None and not self.game.facts.repeats:
            self._report_cycle()
        if self._is_over_at_once():
            message = "the game is over before the first move"
            self.found["over",] = self._remark("W3103", message, Severity.WARNING)
        if is_whole and ("cycle",) not in self.found:
            self.found |= {("idle", idle): idle for idle in self.endings.idle()}
        clash = self.endings.clash()
        if clash is not None:
            self.found["clash",] = clash

    def _is_over_at_once(self) -> bool:
        start = self.game.initial_state()
        try:
            return self.game.is_terminal(start)
        except GameRuleError:
            return False  # noted when the state was visited

    def _report_cycle(self) -> None:
        cycle = find_cycle(self.successors)
        if cycle is None:
            return
        into = self._told(self._play_to(cycle[0]))
        names: list[str] = []
        for state, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            names.append(self.game.action_name(state, self.successors[state][after]))
        self.found["cycle",] = Diagnostic(
            "E3006",
            "play can go on for ever, and the game does not say what that is worth",
            None,
            self.game.source,
            notes=(
                f"the play that leads there: {into}",
                f"and round again: {', '.join(names)}",
                f"the state:\n{self.game.show(cycle[0])}",
            ),
            hint=_endless_hint(cycle),
        )


def _is_idle(cycle: list[State]) -> bool:
    """Whether nothing but the player to move changes all the way round."""
    return all(state.cells == cycle[0].cells for state in cycle)


def _endless_hint(cycle: list[State]) -> str:
    if _is_idle(cycle):
        return "these moves change nothing: forbid them with `require`, or write `endless: draw`"
    return "write `endless: draw` (or another outcome), or count moves and end the game"
