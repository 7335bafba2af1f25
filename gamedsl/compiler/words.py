"""Functions of a state's words: which fields they unpack, how they put them together again.

In: what writes the body of a function, in terms of fields. Out: the function, in terms of words.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.flow import Flow
from gamedsl.compiler.layout import TURN, WORD
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.writer import Writer, names_in
from gamedsl.model import nodes
from gamedsl.model.types import Scalar

GIVEN = "%words%"
ALL_SAVED = "%saved%"


def padding(used: int) -> str:
    """Stands for the zeros after `used` saved locals."""
    return f"%zeros{used}%"


class WordFunctions(Flow):
    """The functions of a state of one game."""

    has_draws: bool = False

    @property
    def groups(self) -> tuple[tuple[nodes.Move, ...], ...]:
        """The moves between `otherwise` lines that have instances."""
        return tuple(group for group in self.model.groups if group)

    @property
    def word_names(self) -> list[str]:
        """The parameters of a function of a state."""
        names = [f"w{n}" for n in range(self.layout.words)]
        names[-1] += ALL_SAVED
        return names

    def state_function(
        self, name: str, more: list[str], write: Callable[[], None], packs: bool = False
    ) -> None:
        """A function of a state's words and `more`, which works on the fields it mentions."""
        body = self.program.body(write)
        whole = Writer()
        used = names_in(body.text)
        for field in self.layout.fields:
            if field.name in used:
                whole.line(f"{field.name} = {self._unpacked(field.name)}")
        whole.lines += body.lines
        if packs:
            whole.line(f"return {self._packed(body, used)}")
        elif GIVEN in body.text:
            words = ", ".join(self._packed_words(body, used))
            whole.lines = [line.replace(GIVEN, words) for line in whole.lines]
        self.program.function(name, [*self.word_names, *more], whole)

    def _unpacked(self, name: str) -> str:
        field = self.layout.field(name)
        word = f"w{field.word}"
        if field.bits >= WORD:
            return word
        shifted = f"({word} >> {field.shift})" if field.shift else word
        return f"{shifted} & {self.program.mask(field.mask)}"

    def _packed(self, body: Writer, used: set[str]) -> str:
        words = self._packed_words(body, used)
        if self.has_draws:
            words.append("0" + padding(0))
        return "(" + ", ".join(words) + ",)"

    def _packed_words(self, body: Writer, used: set[str]) -> list[str]:
        """The words of a state. (`+` stands where a constant may be alone; it says nothing.)"""
        words = []
        for word in range(self.layout.words):
            fields = [f for f in self.layout.fields if f.word == word]
            if not any(f.name in body.defined for f in fields):
                words.append(f"w{word}")
                continue
            rest = sum(f.mask << f.shift for f in fields if f.name not in body.defined)
            parts = [f"{f.name} << {f.shift}" if f.shift else f.name
                     for f in fields if f.name in body.defined]  # fmt: skip
            parts += [f"w{word} & {self.program.mask(rest)}"] if rest else []
            text = " | ".join(f"({part})" if " " in part else part for part in parts)
            is_narrow = self.program.is_wide and all(f.bits <= WORD for f in fields)
            is_bare = len(fields) == 1 and fields[0].bits < WORD
            words.append(f"narrow({text})" if is_narrow else f"+{text}" if is_bare else text)
        return words

    def scope_of(self, player: int, block: nodes.Block = ()) -> Scope:
        """The scope in which a player is to move; `turn` is not known where it is assigned."""
        if self.sets_turn(block):
            return Scope(Code(TURN, Scalar(atoms=frozenset(self.model.players))))
        return Scope(Known(self.model.players[player]))
