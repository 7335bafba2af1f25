"""The Grundy value or the outcome class of a position, as text and as data.

The data follow the schema of the machine interface.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.json_text import data_of
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
MOST_ACTIONS = 40
"""Limit on the listed actions that lead to one value."""
MOST_VALUES = 16
"""Limit on the listed values that actions lead to."""
IMPARTIAL = (
    "impartial, normal play, proved of the rules: both players have the same moves in every"
    " position, and the player to move at the end loses"
)
PARTIZAN = (
    "normal play, proved of the rules: players take turns, and the player to move at the end loses"
)


def sum_text(sum_value: SumValue) -> str:
    """The value with the values of the parts, or the outcome class."""
    if sum_value.grundy is None:
        words = f"outcome class {sum_value.outcome}"
    else:
        words = f"Grundy value {sum_value.grundy}"
    headline = f"{titled(sum_value.game, sum_value.settings)}: {words}"
    lines = (labelled(f"  {label}", text, MARGIN) for label, text in _lines(sum_value))
    return "\n".join([fill(headline, later="  "), "", *lines])


def _lines(sum_value: SumValue) -> Iterator[tuple[str, str]]:
    yield "theory", PARTIZAN if sum_value.grundy is None else IMPARTIAL
    yield "class", f"{sum_value.outcome}: {_class_words(sum_value)}"
    if len(sum_value.parts) > 1:
        values = " xor ".join(str(part.value) for part in sum_value.parts)
        yield "sum", f"{sum_value.grundy} = {values}, of parts that no move joins:"
        for part in sum_value.parts[:MOST_PARTS]:
            yield "", f"{part.value}  {listed(part.cells, MOST_CELLS)}"
        if len(sum_value.parts) > MOST_PARTS:
            yield "", f"... and {len(sum_value.parts) - MOST_PARTS} more"
    if sum_value.period is not None:
        begin, period = sum_value.period
        yield "rows", f"the values of rows of {begin} and more repeat with period {period}"
    values_after = sorted({value for _, value in sum_value.moves})
    for value in values_after[:MOST_VALUES]:
        label = "best moves" if value == 0 else f"to {value}"
        names = [name for name, after in sum_value.moves if after == value]
        yield label, listed(names, MOST_ACTIONS)
    if len(values_after) > MOST_VALUES:
        yield "", f"... and {len(values_after) - MOST_VALUES} more values"
    if sum_value.grundy is None:
        yield "looked at", count(sum_value.positions, "position")
    else:
        yield "looked at", f"{sum_value.positions:,} parts of positions, those alike once"


def _class_words(sum_value: SumValue) -> str:
    left, right = (
        name if name == side else f"{name} ({side})"
        for name, side in zip(sum_value.players, ("Left", "Right"), strict=True)
    )
    match sum_value.outcome:
        case OutcomeClass.N:
            return "who begins wins"
        case OutcomeClass.P:
            return "who begins loses"
        case OutcomeClass.L:
            return f"{left} wins, whoever begins"
        case OutcomeClass.R:
            return f"{right} wins, whoever begins"


def sum_data(sum_value: SumValue) -> dict[str, object]:
    """The result, JSON-ready."""
    return data_of(
        sum_value,
        "game parameters players grundy outcome_class=outcome parts moves positions period",
        parameters=dict(sum_value.settings),
        parts=[data_of(part, "value cells") for part in sum_value.parts],
        moves=[{"action": name, "grundy": value} for name, value in sum_value.moves],
    )
