"""Packing: functions of fields become functions of the words of a state.

Before the pass, functions work on fields by name and pass whole states. After the pass, a state is
one parameter per word and, where the game has chance, the number of the pending event and the
locals of the body (`at`, `l0`, ...). The layout gives the place of each field.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import Rewriter, map_values, with_blocks
from gamedsl.compiler.ir.values import (
    INT,
    MANY,
    STATE,
    WORD,
    Op,
    Type,
    Value,
    bits,
    make,
    name,
    number,
    words_of,
)
from gamedsl.compiler.layout import Layout, Slice


def pack(module: ir.Module, layout: Layout, saved: int) -> ir.Module:
    """The module in terms of words; `saved`: number of integers behind the words of a state."""
    packer = _Packer(layout, saved)
    functions = {title: packer.function(function) for title, function in module.functions.items()}
    return replace(module, functions=functions)


class _Packer:
    """Data shared by all functions of a game."""

    def __init__(self, layout: Layout, saved: int) -> None:
        self._layout = layout
        self._fields = {field.name: field for field in layout.fields}
        self._types = [self._type(word) for word in range(layout.words)]
        self._saved = saved
        self._with_words = Rewriter(self._handed_words)

    def _type(self, word: int) -> Type:
        is_wide = any(f.word == word and f.bits > WORD for f in self._layout.fields)
        return bits(self._layout.widest if is_wide else WORD)

    def words(self, local: str) -> tuple[Value, ...]:
        """The words of a state, and the saved integers."""
        stem = local or "w"
        words = [name(f"{stem}{n}", kind) for n, kind in enumerate(self._types)]
        if self._saved:
            names = ["at", *(f"l{n}" for n in range(self._saved - 1))]
            words += [name(f"{local}{title}", INT) for title in names]
        return tuple(words)

    def function(self, function: ir.Function) -> ir.Function:
        """A function of words."""
        body = map_values(self._body(function), self._value)
        parameters = self._flat(function.parameters)
        return replace(function, parameters=parameters, body=body)

    def _flat(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Values with states replaced by their words."""
        flat: list[Value] = []
        for value in values:
            flat += self.words(value.name) if value.op is Op.STATE else [value]
        return tuple(flat)

    def _value(self, value: Value) -> Value:
        """A value whose calls are passed words; a state by itself is a tuple of words."""
        if value.op is Op.STATE:
            return words_of(self.words(value.name))
        return self._with_words(value) if value.calls else value

    def _handed_words(self, value: Value) -> Value:
        """A call that is passed the words of states."""
        if value.op is not Op.CALL:
            return value
        kind = MANY if value.type is STATE else value.type
        return make(Op.CALL, kind, self._flat(value.args), value.arg, value.can_fail)

    # --- fields ------------------------------------------------------------------------------

    def _body(self, function: ir.Function) -> ir.Body:
        """The body with the needed fields at its start, and states as words at its end."""
        mentioned = ir.names_in(function.body)
        assigned = ir.assigned_in(function.body)
        needed = _needed(function.body, mentioned)
        ends = any(isinstance(statement, ir.ReturnState) for statement in ir.walk(function.body))
        start = [
            ir.Assign(mentioned[field.name], self._read(field))
            for field in self._layout.fields
            if function.takes_state
            and field.name in mentioned
            and mentioned[field.name] not in function.parameters
            and field.name in needed
        ]
        body = function.body
        if ends:
            words = [self._word(word, assigned) for word in range(self._layout.words)]
            body = self._ended(body, words)
        return (*start, *map(self._assigned, body))

    def _assigned(self, statement: ir.Statement) -> ir.Statement:
        """A statement that assigns whole states as words."""
        if isinstance(statement, ir.AssignAll):
            return replace(statement, targets=self._flat(statement.targets))
        return with_blocks(statement, lambda block: tuple(map(self._assigned, block)))

    def _read(self, field: Slice) -> Value:
        word = self.words("")[field.word]
        if field.bits >= WORD:
            return word
        return (word >> field.shift) & field.mask

    def _ended(self, body: ir.Body, words: list[Value]) -> ir.Body:
        return tuple(
            ir.Return(self._made(statement, words))
            if isinstance(statement, ir.ReturnState)
            else with_blocks(statement, lambda block: self._ended(block, words))
            for statement in body
        )

    def _made(self, end: ir.ReturnState, words: list[Value]) -> tuple[Value, ...]:
        if self._saved:
            zeros = (number(0, INT),) * (self._saved - 1 - len(end.saved))
            words = [*words, end.event, *end.saved, *zeros]
        return (words_of(words), *end.more)

    def _word(self, word: int, assigned: frozenset[str]) -> Value:
        """A word with some fields assigned."""
        kind = self._types[word]
        before = self.words("")[word]
        fields = [field for field in self._layout.fields if field.word == word]
        changed = [field for field in fields if field.name in assigned]
        if not changed:
            return before
        rest = sum(field.mask << field.shift for field in fields if field not in changed)
        packed = before & rest if rest else number(0, kind)
        for field in changed:
            packed = (name(field.name, kind) << field.shift) | packed
        return packed


def _needed(body: ir.Body, mentioned: Collection[str]) -> frozenset[str]:
    """The names mentioned in a body that are read before they are surely assigned."""
    needed: set[str] = set()
    assigned: set[str] = set()
    for statement in body:
        for value in ir.values_of(statement):
            needed |= value.names - assigned
        if isinstance(statement, ir.Assign):
            assigned.add(statement.target.name)
        for nested in ir.walk((statement,)):
            if isinstance(nested, ir.ReturnState):
                return frozenset(needed | (set(mentioned) - assigned))
            if nested is not statement:
                for value in (*ir.values_of(nested), *ir.targets_of(nested)):
                    needed |= value.names - assigned
    return frozenset(needed)
