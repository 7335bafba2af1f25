"""Walks: plays counted by carrying out every legal action where it is found.

In: the moves of a game. Out: `walk`. Legal actions that make up a set of squares, or whose ids fit
a word, are never written down: they are taken out of the set one by one and carried out with what
is known of them there, instead of being taken apart by their ids; the others go through a list.
Where asking for legal actions may fail they are asked for before any is carried out; such games
have no walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gamedsl.compiler.dispatch import Dispatch
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.moves import Found, Instance
from gamedsl.compiler.scope import Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes

LARGEST_WORD = 63
"""A move with at most so many instances has the ids of those found one by one in a word."""

LISTED = "n += 1"


@dataclass(frozen=True, slots=True)
class Source:
    """Where legal actions are.

    Attributes:
        word: the local in whose bits they are; "" for those in the list.
        some: whether there are any left, as code.
        is_filled: they have been put into the word one by one.
        done: the state after the action at a bit, or at a place of the list.
    """

    word: str
    some: str
    is_filled: bool
    done: Callable[[str], str]

    @property
    def count(self) -> str:
        """How many there are."""
        return f"count_bits({self.word})" if self.word else "n - first"


class Walking(Dispatch):
    """The walk of one game."""

    @cached_property
    def can_walk(self) -> bool:
        """Whether the game has a walk."""
        if self.has_draws or self.model.facts.is_simultaneous or not self.model.moves:
            return False
        if any(rule.outcome is None for rule in self.model.repeats):
            return False
        return all(self.is_safe(move) or not self.risks(move) for move in self.model.moves)

    def do_function(
        self, number: int, move: nodes.Move, player: int, run: Callable[[Scope], None]
    ) -> None:
        """`do`, which carries out (`run`) an action given by its digits; `apply` calls it."""
        names = tuple(
            f"d{place}" if len(parameter.values) > 1 else "0"
            for place, parameter in enumerate(move.parameters)
        )

        def write() -> None:
            for name in names:
                self.program.named(name)
            run(self.with_digits(move, names, self.scope_of(player, move.body)))

        own = [name for name in names if name != "0"]
        self.state_function(f"do_{number}_{player}", own, write, packs=True)

        def write_apply() -> None:
            done = self._done(player, Instance(move, self.digits_of(move), "action"))
            self.program.writer.line(f"return {done}")

        self.state_function(f"apply_{number}_{player}", ["action"], write_apply)

    def _done(self, player: int, instance: Instance) -> str:
        """The state after an action."""
        number = self.model.moves.index(instance.move)
        given = [
            digit
            for digit, parameter in zip(instance.digits, instance.move.parameters, strict=True)
            if len(parameter.values) > 1
        ]
        return f"do_{number}_{player}({', '.join([*self.word_names, *given])})"

    def write_walk(self) -> None:
        """`walk`: one function for all players, since one that calls itself can be kept as machine
        code, and several that call each other cannot."""
        players = len(self.model.players)

        def write() -> None:
            writer = self.program.writer
            writer.assign("total", "depth * 0")
            writer.assign("first", "n")
            if players > 1:
                writer.assign("turn", self._unpacked(TURN))
            for player in range(players - 1):
                with writer.block(f"if turn == {player}"):
                    self._walk_of(player)
            self._walk_of(players - 1)

        self.state_function("walk", ["depth", "is_bulk", "out", "n"], write)

    def _walk_of(self, player: int) -> None:
        writer = self.program.writer
        self._go_through(self.sources_of_all(player))
        words = ", ".join(self.word_names)
        with writer.block(f"if total == 0 and legal_count_{player}({words}) == 0"):
            writer.line(f"fault(NO_MOVES, {player}, 0)")
        writer.line("return total")

    def sources_of_all(self, player: int) -> list[Source]:
        """Where the legal actions are, once what is written here has been run. Those that are
        written down lie in `out` from `first` to before `n`; that source, if any, is the last."""
        writer = self.program.writer
        sources: list[Source] = []
        is_listed = False
        for group in self.groups:
            place = len(writer.lines)
            is_later = bool(sources) or is_listed
            if is_later:
                listed = [self._list_of(player)] if is_listed else []
                with writer.block(f"if not ({self._any_left([*sources, *listed])})"):
                    more = self._sources(group, player)
            else:
                more = self._sources(group, player)
            for source in more:
                if is_later or source.is_filled:
                    writer.assign_before(place, source.word, "0")
            sources += more
            is_listed = is_listed or any(line.strip() == LISTED for line in writer.lines[place:])
        return [*sources, self._list_of(player)] if is_listed else sources

    def _sources(self, group: Sequence[nodes.Move], player: int) -> list[Source]:
        return [source for move in group for source in self._sources_of(move, player)]

    def _sources_of(self, move: nodes.Move, player: int) -> list[Source]:
        """Where the legal instances of a move are, once what is written here has been run."""
        writer = self.program.writer
        sources: list[Source] = []
        start, word = len(writer.lines), self.program.fresh("known")

        def one(instance: Instance) -> None:
            inner = self.program.writer
            if move.size <= LARGEST_WORD and all(digit.isdigit() for digit in instance.digits):
                bit = 1 << (int(instance.number) - move.first_id)
                inner.line(f"{word} |= {bit:#x}")
            else:
                inner.line(f"out[n] = {instance.number}")
                inner.line(LISTED)

        def each(bits: str, instance_at: Callable[[Low], Instance]) -> None:
            def done(place: str) -> str:
                return self._done(player, instance_at(self.square_at(place)))

            sources.append(Source(bits, f"{bits} != 0", False, done))

        self.instances(move, self.scope_of(player, move.body), Found(one, each=each))
        if any(line.lstrip().startswith(f"{word} |= ") for line in writer.lines[start:]):
            sources.append(self._word_of(player, move, word))
        return sources

    def _word_of(self, player: int, move: nodes.Move, word: str) -> Source:
        """The actions of a move whose ids are in a word."""

        def instance(found: str) -> str:
            action = self.program.named("action")
            self.program.writer.assign(action, f"{found} + {move.first_id}")
            return self._done(player, Instance(move, self.digits_of(move), action))

        return Source(word, f"{word} != 0", True, instance)

    def _list_of(self, player: int) -> Source:
        words = ", ".join(self.word_names)
        return Source(
            "", "n > first", False, lambda place: f"apply_{player}({words}, out[{place}])"
        )

    @staticmethod
    def _any_left(sources: Sequence[Source]) -> str:
        return " or ".join(source.some for source in sources)

    def _go_through(self, sources: Sequence[Source]) -> None:
        """Carry out all instances; what follows on them is written once, since it is much."""
        if not sources:
            return
        writer = self.program.writer
        names = ", ".join(f"c{number}" for number in range(len(self.word_names)))
        with writer.block(f"while {self._any_left(sources)}"):
            for number, source in enumerate(sources):
                if len(sources) == 1:
                    self._take(source, names)
                    continue
                head = f"{'elif' if number else 'if'} {source.some}"
                with writer.block("else" if number == len(sources) - 1 else head):
                    self._take(source, names)
            with writer.block("if depth == 1"):
                writer.line("total += 1")
            with writer.block(f"elif goes_on({names})"):
                with writer.block("if is_bulk and depth == 2"):
                    writer.line(f"total += leaves({names})")
                with writer.block("else"):
                    writer.line(f"total += walk({names}, depth - 1, is_bulk, out, n)")

    def _take(self, source: Source, names: str) -> None:
        """Take one action out and carry it out."""
        writer = self.program.writer
        place = self.program.named("place")
        if source.word:
            writer.assign(place, f"lowest({source.word})")
            writer.line(f"{source.word} &= {source.word} - ONE")
        else:
            writer.line("n -= 1")
            writer.assign(place, "n")
        writer.line(f"{names}, = {source.done(place)}")
