"""Cards and dice as text: boxes beside each other, each with its name below.

An unseen card shows `?`; an empty place is an empty box.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.game.pictures.hands import Card, rows_of
from gamedsl.game.pictures.text_lines import WIDEST, value_at
from gamedsl.model import State, nodes
from gamedsl.model.nodes.looks import VariableLook

GAP = "  "
PIPS = {
    "1": ("   ", " o ", "   "), "2": ("o  ", "   ", "  o"), "3": ("o  ", " o ", "  o"),
    "4": ("o o", "   ", "o o"), "5": ("o o", " o ", "o o"), "6": ("o o", "o o", "o o"),
}  # fmt: skip


def cards_text(variable: nodes.Variable, look: VariableLook, state: State) -> str:
    """The cells of a variable as cards, or as dice, in rows as wide as fits."""
    are_dice = look is not VariableLook.CARDS
    values = [value_at(variable, state, number) for number in range(variable.size)]
    rows = rows_of(variable, look, values)
    if not any(row.cards for row in rows) and len(rows) == 1:
        return f"{variable.name}: nothing"
    widest = max((len(card.face) for row in rows for card in row.cards), default=1)
    margin = max(len(row.title) for row in rows)
    lines = [f"{variable.name}:"]
    for row in rows:
        drawn = [_die(card) if are_dice else _box([card.face.center(widest)]) for card in row.cards]
        width = max((len(face[0]) for face in drawn), default=0)
        width = max(width, *(len(card.name) for card in row.cards), 0)
        named = [
            [line.center(width) for line in (*face, *([card.name] if card.name else []))]
            for face, card in zip(drawn, row.cards, strict=True)
        ]
        below = list(_side_by_side(named, margin)) or [""]
        before = [row.title if n == len(below) // 2 else "" for n in range(len(below))]
        pairs = zip(before, below, strict=True)
        lines += [
            f"{f'{title:<{margin}}  ' if margin else ''}{text}".rstrip() for title, text in pairs
        ]
    return "\n".join(lines)


def _side_by_side(drawn: list[list[str]], margin: int) -> Iterator[str]:
    """Boxes of equal size, as many in a row as fit behind a margin."""
    if not drawn:
        return
    fit = max(1, (WIDEST - margin) // (len(drawn[0][0]) + len(GAP)))
    for start in range(0, len(drawn), fit):
        yield from (GAP.join(parts) for parts in zip(*drawn[start : start + fit], strict=True))


def _die(card: Card) -> list[str]:
    return _box([" ".join(row) for row in PIPS.get(card.face, ("   ", f"{card.face:^3}", "   "))])


def _box(rows: list[str]) -> list[str]:
    edge = "─" * (len(rows[0]) + 2)
    return [f"┌{edge}┐", *(f"│ {row} │" for row in rows), f"└{edge}┘"]
