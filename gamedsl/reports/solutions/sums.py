"""The Grundy value or the outcome class of a position, as text and as data.

The data follow the schema of the machine interface.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.paragraphs import fill, labelled, listed
from gamedsl.reports.phrases import titled
from gamedsl.solvers.sums import OutcomeClass, SumValue
from gamedsl.source.plurals import count

MARGIN = 14
"""Columns of the label in front of a line."""
MOST_PARTS = 12
"""Limit on the parts listed."""
MOST_CELLS = 8
"""Limit on the named cells of a part."""
IMPARTIAL = (
    "impartial, normal play, proved of the rules: both players have the same moves in every"
    " position, and who is to move at the end loses"
)
PARTIZAN = (
    "normal play, proved of the rules: players take turns, and who is to move at the end loses"
)


def sum_text(found: SumValue) -> str:
    """The value with the values of the parts, or the outcome class."""
    if found.grundy is None:
        worth = f"outcome class {found.outcome}"
    else:
        worth = f"Grundy value {found.grundy}"
    headline = f"{titled(found.game, found.settings)}: {worth}"
    lines = (labelled(f"  {label}", text, MARGIN) for label, text in _lines(found))
    return "\n".join([fill(headline, later="  "), "", *lines])


def _lines(found: SumValue) -> Iterator[tuple[str, str]]:
    yield "theory", PARTIZAN if found.grundy is None else IMPARTIAL
    yield "class", f"{found.outcome}: {_class_words(found)}"
    if len(found.parts) > 1:
        values = " xor ".join(str(part.value) for part in found.parts)
        yield "sum", f"{found.grundy} = {values}, of parts that no move joins:"
        for part in found.parts[:MOST_PARTS]:
            yield "", f"{part.value}  {listed(part.cells, MOST_CELLS)}"
        if len(found.parts) > MOST_PARTS:
            yield "", f"... and {len(found.parts) - MOST_PARTS} more"
    values_after = sorted({value for _, value in found.moves})
    for value in values_after:
        label = "best moves" if value == 0 else f"to {value}"
        yield label, listed(name for name, after in found.moves if after == value)
    if found.grundy is None:
        yield "looked at", count(found.positions, "position")
    else:
        yield "looked at", f"{found.positions:,} parts of positions, those alike once"


def _class_words(found: SumValue) -> str:
    left, right = (
        name if name == side else f"{name} ({side})"
        for name, side in zip(found.players, ("Left", "Right"), strict=True)
    )
    match found.outcome:
        case OutcomeClass.N:
            return "who begins wins"
        case OutcomeClass.P:
            return "who begins loses"
        case OutcomeClass.L:
            return f"{left} wins, whoever begins"
        case OutcomeClass.R:
            return f"{right} wins, whoever begins"


def sum_data(found: SumValue) -> dict[str, object]:
    """The result, JSON-ready."""
    return {
        "game": found.game,
        "parameters": dict(found.settings),
        "players": list(found.players),
        "grundy": found.grundy,
        "outcome_class": str(found.outcome),
        "parts": [{"value": part.value, "cells": list(part.cells)} for part in found.parts],
        "moves": [{"action": name, "grundy": value} for name, value in found.moves],
        "positions": found.positions,
    }
