"""Functions by turn, by action, by chance event: which of the functions of a game answers.

In: the functions that exist. Out: one name for each question, whoever is to move.
"""

from __future__ import annotations

from gamedsl.compiler.flow import OUTCOME, WEIGHTS
from gamedsl.compiler.ir.values import INT, ROW, Value, name, state
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.moves import ACTION
from gamedsl.compiler.stuck import LENGTH, PAST, Stuck

OUT, NEXT = name("out", ROW), name("n", INT)
"""Where the ids of legal actions are written, and the first free place."""
EVENT = name("at", INT)
"""The chance event at which a state stands; 0 where a player decides."""


class Dispatch(Stuck):
    """The functions that call the others."""

    def _dispatchers(self) -> None:
        self.state_function("turn_of", (), lambda: self.builder.give(self.field(TURN)))
        self._dispatch("end", (PAST, LENGTH) if self.is_stuck_by_history else ())
        for number, rule in enumerate(self.model.repeats):
            if rule.outcome is not None:
                self._dispatch(f"repeat_{number}", ())
        if self.events:
            self._dispatch_event("draws", WEIGHTS)
            self._dispatch_event("draw", OUTCOME)
        if self.model.facts.is_simultaneous:
            for number in range(len(self.groups)):
                self._dispatch(f"moves_{number}", (OUT, NEXT))
            for player in range(len(self.model.players)):
                self._dispatch_action(player)
            self._dispatch("apply", (ACTION,))
            return
        if any(rule.outcome is None for rule in self.model.repeats):
            for number in range(len(self.groups)):
                self._dispatch(f"group_{number}", (OUT, NEXT))
        self._dispatch("legal", (OUT, NEXT))
        self._dispatch("legal_count", ())
        for player in range(len(self.model.players)):
            self._dispatch_action(player)
        self._dispatch("apply", (ACTION,))

    def _give_call(self, title: str, more: tuple[Value, ...]) -> None:
        """Give back what a function of the state gives."""
        self.builder.give(self.program.call_of(title, (state(), *more)))

    def _dispatch_event(self, title: str, more: Value) -> None:
        """`title(state, more)`: the function of the event at which the state stands."""

        def write() -> None:
            for event in self.events[:-1]:
                with self.builder.when(EVENT.eq(event.number)):
                    self._give_call(f"{title}_{event.number}", (more,))
            self._give_call(f"{title}_{self.events[-1].number}", (more,))

        self.state_function(title, (more,), write)

    def _dispatch(self, title: str, more: tuple[Value, ...]) -> None:
        """`title(state, more)`: the function of the player to move."""

        def write() -> None:
            last = len(self.model.players) - 1
            for player in range(last):
                with self.builder.when(self.field(TURN).eq(player)):
                    self._give_call(f"{title}_{player}", more)
            self._give_call(f"{title}_{last}", more)

        self.state_function(title, more, write)

    def _dispatch_action(self, player: int) -> None:
        def write() -> None:
            last = len(self.model.moves) - 1
            if last < 0:
                self.builder.give(state())
            for number, move in enumerate(self.model.moves):
                title = f"{'choose' if move.is_simultaneous else 'apply'}_{number}_{player}"
                if number == last:
                    self._give_call(title, (ACTION,))
                    continue
                with self.builder.when(ACTION.lt(move.first_id + move.size)):
                    self._give_call(title, (ACTION,))

        self.state_function(f"apply_{player}", (ACTION,), write)
