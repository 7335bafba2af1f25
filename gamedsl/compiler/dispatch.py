"""Functions by turn, by action, by chance event: which of the functions of a game answers.

In: the functions that exist. Out: one name for each question, whoever is to move.
"""

from __future__ import annotations

from gamedsl.compiler.layout import TURN
from gamedsl.compiler.stuck import Stuck


class Dispatch(Stuck):
    """The functions that call the others."""

    def _dispatchers(self) -> None:
        turn = self._unpacked(TURN)
        body = self.program.body(lambda: self.program.writer.line(f"return {turn}"))
        self.program.function("turn_of", self.word_names, body)
        self._dispatch("end", ["past", "length"] if self.is_stuck_by_history else [])
        for number, rule in enumerate(self.model.repeats):
            if rule.outcome is not None:
                self._dispatch(f"repeat_{number}", [])
        if self.events:
            self._dispatch_event("draws", "weights")
            self._dispatch_event("draw", "outcome")
        if self.model.facts.is_simultaneous:
            for number in range(len(self.groups)):
                self._dispatch(f"moves_{number}", ["out", "n"])
            for player in range(len(self.model.players)):
                self._dispatch_action(player)
            self._dispatch("apply", ["action"])
            return
        if any(rule.outcome is None for rule in self.model.repeats):
            for number in range(len(self.groups)):
                self._dispatch(f"group_{number}", ["out", "n"])
        self._dispatch("legal", ["out", "n"])
        self._dispatch("legal_count", [])
        for player in range(len(self.model.players)):
            self._dispatch_action(player)
        self._dispatch("apply", ["action"])

    def _dispatch_event(self, name: str, more: str) -> None:
        """`name(state, ...)`: the function of the event at which the state stands."""
        words = ", ".join([*self.word_names, more])

        def write() -> None:
            for event in self.events[:-1]:
                with self.program.writer.block(f"if at == {event.number}"):
                    self.program.writer.line(f"return {name}_{event.number}({words})")
            last = self.events[-1].number
            self.program.writer.line(f"return {name}_{last}({words})")

        self.program.function(name, [*self.word_names, more], self.program.body(write))

    def _dispatch(self, name: str, more: list[str]) -> None:
        """`name(state, ...)`: the function of the player to move."""
        words = ", ".join([*self.word_names, *more])

        def write() -> None:
            writer = self.program.writer
            count = len(self.model.players)
            if count > 1:
                writer.assign("turn", self._unpacked(TURN))
            for player in range(count - 1):
                with writer.block(f"if turn == {player}"):
                    writer.line(f"return {name}_{player}({words})")
            writer.line(f"return {name}_{count - 1}({words})")

        self.program.function(name, [*self.word_names, *more], self.program.body(write))

    def _dispatch_action(self, player: int) -> None:
        words = ", ".join([*self.word_names, "action"])

        def write() -> None:
            writer = self.program.writer
            last = len(self.model.moves) - 1
            if last < 0:
                writer.line(f"return ({words},)")
            for number, move in enumerate(self.model.moves):
                name = "choose" if move.is_simultaneous else "apply"
                text = f"return {name}_{number}_{player}({words})"
                if number == last:
                    writer.line(text)
                    continue
                with writer.block(f"if action < {move.first_id + move.size}"):
                    writer.line(text)

        self.program.function(
            f"apply_{player}", [*self.word_names, "action"], self.program.body(write)
        )
