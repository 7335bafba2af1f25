"""Simultaneous choices: the words of the state after the choices of all players.

`joining` writes the text of `joined(*before, *others, *own)`. `before` is the state before all
choices, `others` the state after the choices of some players, `own` the state after the choice of
one more player. The result is `others` with the cells that `own` changes. The turn is taken from
`others`.
"""

from __future__ import annotations

from gamedsl.compiler.layout import TURN, WORD, Digits, Layout, Planes, Slice


def joining(layout: Layout, saved: int) -> str:
    """The text of `joined`; a state has its words and `saved` more numbers."""
    size = layout.words + saved
    parameters = [f"{side}{n}" for side in ("b", "w", "v") for n in range(size)]
    lines = ["@compiled", f"def joined({', '.join(parameters)}):"]
    for place in layout.places:
        if isinstance(place, Planes):
            names = [layout.field(name) for _, name in place.names]
            lines += _write_planes(names)
        else:
            for name in place.names:
                lines += _write_digits(place, layout.field(name))
    words = [_packed(layout, word) for word in range(layout.words)]
    words += [f"w{n}" for n in range(layout.words, size)]
    return "\n".join([*lines, f"    return ({', '.join(words)},)"])


def _part(side: str, field: Slice) -> str:
    return f"(({side}{field.word} >> {field.shift}) & MASK_{field.name})"


def _write_planes(fields: list[Slice]) -> list[str]:
    """A square has changed if a plane has changed at the square."""
    if not fields:
        return []
    changed = " | ".join(f"({_part('b', f)} ^ {_part('v', f)})" for f in fields)
    lines = [f"    changed = {changed}"]
    lines += [
        f"    {f.name} = ({_part('w', f)} & ~changed) | ({_part('v', f)} & changed)" for f in fields
    ]
    return lines


def _write_digits(place: Digits, field: Slice) -> list[str]:
    """A cell has changed if a bit of the cell has changed."""
    if place.bits == field.bits:
        after, before = _part("v", field), _part("b", field)
        return [f"    {field.name} = {after} if {after} != {before} else {_part('w', field)}"]
    lines = [f"    changed = {_part('b', field)} ^ {_part('v', field)}"]
    some = " | ".join(f"(changed >> {n})" if n else "changed" for n in range(place.bits))
    full = (1 << place.bits) - 1
    lines += [
        f"    changed = (({some}) & FIRST_{field.name}) * {full}",
        f"    {field.name} = ({_part('w', field)} & ~changed) | ({_part('v', field)} & changed)",
    ]
    return lines


def _packed(layout: Layout, word: int) -> str:
    parts = []
    for field in layout.fields:
        if field.word == word:
            value = _part("w", field) if field.name == TURN else field.name
            parts.append(f"({value} << {field.shift})" if field.shift else value)
    return " | ".join(parts)


def constants(layout: Layout) -> str:
    """The masks for `joined`: the mask of each field, and of the lowest bit of each digit."""
    lines = [
        f"MASK_{field.name} = {'word' if field.bits <= WORD else 'big'}({field.mask:#x})"
        for field in layout.fields
    ]
    for place in layout.places:
        if isinstance(place, Digits):
            for name in place.names:
                bits = sum(1 << n for n in range(0, layout.field(name).bits, place.bits))
                lines.append(f"FIRST_{name} = word({bits:#x})")
    return "\n".join(lines)
