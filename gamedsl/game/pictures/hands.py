"""Layout of cards and dice: a single row of cells, or a row for each value of the first index.

A variable and the values of its cells become rows of cards. Where the cells are truth values,
`hand[p, c]: bool`, a card is shown for each true cell, with its own index as face. Cells drawn as
faces, `shown[1..6]: 0..5`, count dice: each die shows the last index of its cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.game.pictures.looks import is_nothing, signs_of_suits
from gamedsl.game.pictures.text_lines import UNSEEN
from gamedsl.model.nodes import Variable
from gamedsl.model.nodes.looks import VariableLook, is_truth
from gamedsl.model.values import Pair, Value, text_of
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """A card by its cell. The face is `?` for an unseen card and "" for an empty place; `name` is
    written below the card. A value of a product type also has a rank and a suit, which is a sign
    for the suits of French playing cards, else a name.
    """

    cell: int
    face: str
    name: str = ""
    rank: str = ""
    suit: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cards side by side; `title` stands before the cards."""

    title: str
    cards: tuple[Card, ...]


def rows_of(
    variable: Variable, look: VariableLook, values: Sequence[Value | None]
) -> tuple[Row, ...]:
    """The cards or dice of a variable; `values` has the values of all its cells, None for unseen
    cells.
    """
    cards_in = _counted if look is VariableLook.FACES else _cards
    size = variable.size if len(variable.indices) < 2 else variable.size // len(variable.indices[0])
    titles = (
        [""]
        if len(variable.indices) < 2
        else [text_of(value) for value in variable.indices[0].values]
    )
    return tuple(
        Row(title, cards_in(variable, values, range(n * size, (n + 1) * size)))
        for n, title in enumerate(titles)
    )


def _counted(variable: Variable, values: Sequence[Value | None], cells: range) -> tuple[Card, ...]:
    """As many dice as each cell counts; a single `?` for an unseen count."""
    return tuple(_dice(variable, values, cells))


def _dice(variable: Variable, values: Sequence[Value | None], cells: range) -> Iterator[Card]:
    faces = variable.indices[-1].values
    for cell in cells:
        count = values[cell]
        if count is None:
            yield Card(cell, UNSEEN)
        elif isinstance(count, int) and cell not in variable.missing:
            yield from [Card(cell, text_of(faces[cell % len(faces)]))] * count


def _cards(variable: Variable, values: Sequence[Value | None], cells: range) -> tuple[Card, ...]:
    if is_truth(variable.domain) and variable.indices:
        names = variable.indices[-1].values
        held = [
            _card(n, names[n % len(names)], names)
            for n in cells
            if values[n] is True and n not in variable.missing
        ]
        unseen = next((n for n in cells if values[n] is None), None)
        return tuple(held) if unseen is None else (*held, Card(unseen, UNSEEN))
    alone = len(variable.indices) == 1
    return tuple(
        _face(variable, n, values[n], text_of(variable.indices[0].values[n]) if alone else "")
        for n in cells
        if n not in variable.missing
    )


def _face(variable: Variable, cell: int, value: Value | None, name: str) -> Card:
    if value is not None and is_nothing(value, variable.domain):
        return Card(cell, "", name)
    return _card(cell, value, variable.domain.values, name)


def _card(cell: int, value: Value | None, among: tuple[Value, ...], name: str = "") -> Card:
    """The card of a value, one of several."""
    if value is None:
        return Card(cell, UNSEEN, name)
    if not isinstance(value, Pair):
        return Card(cell, text_of(value), name)
    rank, suit = text_of(value.part), text_of(value.owner)
    sign = signs_of_suits(among).get(suit)
    return Card(cell, rank + sign if sign else value.name, name, rank, sign or suit)
