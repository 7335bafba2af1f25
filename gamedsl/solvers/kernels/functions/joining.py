"""Simultaneous choices: the words of the state after the choices of all players.

`joining` makes `joined(*before, *others, *own)`. `before` is the state before all choices, `others`
the state after the choices of some players, `own` the state after the choice of one more player.
The result is `others` with the cells that `own` changes. The turn is taken from `others`.
"""

from __future__ import annotations

from gamedsl.compiler.definitions import state_values
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import Value, united, words_of
from gamedsl.compiler.layout import TURN, Digits, Layout, Planes, Slice


def joining(layout: Layout, saved: int) -> Function:
    """The function `joined`; a state has its words and `saved` more numbers."""
    before, others, own = (state_values(layout, saved, stem) for stem in ("b", "w", "v"))
    f = FunctionBuilder("joined", *before, *others, *own)
    after = {TURN: _part(others, layout.field(TURN))}
    for place in layout.places:
        names = [title for _, title in place.names] if isinstance(place, Planes) else place.names
        fields = [layout.field(title) for title in names]
        changes = [_part(before, field) ^ _part(own, field) for field in fields]
        if isinstance(place, Planes) and fields:  # a square has changed if a plane has
            changes = [f.local("changed", united(changes))] * len(fields)
        for field, changed in zip(fields, changes, strict=True):
            if isinstance(place, Digits):
                changed = f.local("changed", _whole_cells(changed, place, field))
            kept, new = _part(others, field) & ~changed, _part(own, field) & changed
            after[field.name] = f.local(field.name, kept | new)
    words = [
        united(after[field.name] << field.shift for field in layout.fields if field.word == word)
        for word in range(layout.words)
    ]
    f.give(words_of((*words, *others[layout.words :])))
    return f.function


def _part(state: tuple[Value, ...], field: Slice) -> Value:
    return (state[field.word] >> field.shift) & field.mask


def _whole_cells(change: Value, place: Digits, field: Slice) -> Value:
    """All bits of each cell of which a bit has changed."""
    lowest = sum(1 << n for n in range(0, field.bits, place.bits))
    return (united(change >> n for n in range(place.bits)) & lowest) * ((1 << place.bits) - 1)
