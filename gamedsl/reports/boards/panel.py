"""Variables without a look of their own, as rows below or in place of a board.

A number is a row of counters or a bar, a value one of several tiles, an array a table of tiles, and
men in hand are men. In: figures. Out: SVG with width and height in pixels, the upper left corner at
(0, 0).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import groupby

from gamedsl.game.pictures.looks import is_nothing
from gamedsl.model import nodes
from gamedsl.model.nodes.looks import VariableLook, is_count, is_truth
from gamedsl.model.values import Value, text_of
from gamedsl.reports.boards.data import Figure, Piece
from gamedsl.reports.boards.figures import Drawn, die_face
from gamedsl.reports.boards.net import net_group
from gamedsl.reports.boards.pieces import piece_group, player_colour
from gamedsl.reports.boards.themes import Theme
from gamedsl.reports.boards.track import is_track, track_group
from gamedsl.reports.svg import INK, element, label, number, text_width
from gamedsl.source.records import dataclass

SIZE, TALL, GAP = 12.0, 26.0, 6.0
MOST_CELLS, MOST_CHOICES, MOST_COUNTERS = 32, 8, 12
COUNTER, BAR = 14.0, 160.0
TALLEST, MOST_COLUMNS, BETWEEN = 200.0, 3, 28.0
"""Height from which rows stand in columns, the number of columns, and the space between."""
DOOR = (48.0, 66.0)
TILE, LIT, BACK, WOOD, GROOVE = "#f3e6cd", "#ffd84d", "#2f6fb3", "#a9713f", "#6f4620"
VOID, FAINT = "#9aa3ad", "#7d8792"
UNSEEN = "?"


@dataclass(frozen=True, slots=True)
class Strip:
    """A row: the variable's name, the index, and the drawing with width and height."""

    name: str
    index: str
    drawn: Drawn


@dataclass(frozen=True, slots=True)
class Place:
    """What a drawing needs beside the figure: the players, the room for a row, and colours."""

    players: tuple[str, ...]
    room: float
    theme: Theme


def has_row(variable: nodes.Variable, players: tuple[str, ...]) -> bool:
    """Whether a variable is small enough for rows of a picture, or a track."""
    is_small = len(variable.indices) <= 2 and variable.size <= MOST_CELLS
    return is_small or is_track(variable, players)


def panel_group(figures: tuple[Figure, ...], place: Place) -> Drawn:
    """All rows, names at the left; without figures, nothing."""
    strips = [strip for group in _together(figures) for strip in _strips(group, place)]
    if not strips:
        return "", 0.0, 0.0
    columns = [_column(part, place) for part in _columns(strips)]
    if len(columns) == 1:
        return columns[0]
    parts, right = [], 0.0
    for group, wide, _ in columns:
        parts.append(element("g", group, transform=f"translate({number(right)} 0)"))
        right += wide + BETWEEN
    return element("g", *parts), right - BETWEEN, max(high for _, _, high in columns)


def _columns(strips: list[Strip]) -> list[list[Strip]]:
    """Rows in columns of about the same height, none much higher than `TALLEST`; the rows of a
    variable stay together."""
    whole = sum(strip.drawn[2] + GAP for strip in strips)
    share = whole / min(MOST_COLUMNS, max(1, round(whole / TALLEST)))
    columns: list[list[Strip]] = [[]]
    top = 0.0
    for _, rows in groupby(strips, lambda strip: strip.name):
        group = list(rows)
        high = sum(strip.drawn[2] + GAP for strip in group)
        if columns[-1] and top + high / 2 > share * len(columns):
            columns.append([])
        columns[-1] += group
        top += high
    return columns


def _column(strips: list[Strip], place: Place) -> Drawn:
    """Rows below each other, names at the left."""
    shown = _without_repetition([strip.name for strip in strips])
    first = max(text_width(name, SIZE) for name in shown)
    second = max(text_width(strip.index, SIZE) for strip in strips)
    left = first + (second + GAP if any(strip.index for strip in strips) else 0.0) + 2 * GAP
    parts, top = [], 0.0
    for name, strip in zip(shown, strips, strict=True):
        group, _, high = strip.drawn
        middle = top + min(high, TALL) / 2
        parts.append(label(first, middle, name, SIZE, text_anchor="end", fill=place.theme.quiet))
        if strip.index:
            words = label(left - 2 * GAP, middle, strip.index, SIZE, text_anchor="end")
            parts.append(words)
        parts.append(element("g", group, transform=f"translate({number(left)} {number(top)})"))
        top += high + GAP
    wide = left + max(strip.drawn[1] for strip in strips)
    return element("g", *parts), wide, top


def thrown_strip(thrown: tuple[tuple[str, bool], ...]) -> Drawn:
    """The outcomes of chance events side by side."""
    parts, x = [], 0.0
    for value, is_die in thrown:
        group, wide, _ = _outcome(value, is_die=is_die)
        parts.append(element("g", group, transform=f"translate({number(x)} 0)"))
        x += wide + GAP
    return "".join(parts), x - GAP, 44.0


def _outcome(value: str, *, is_die: bool) -> Drawn:
    """The outcome of a chance event: a die, a coin, or a tile."""
    if is_die:
        return die_face(value), 44.0, 44.0
    if value in {"heads", "tails"}:
        coin = element("circle", cx=22, cy=22, r=20, fill="#e5c35b", stroke=INK)
        rim = element("circle", cx=22, cy=22, r=16, fill="none", stroke="#8a6a1f")
        return (
            coin + rim + label(22, 22, value[0].upper(), 18, fill=INK, font_weight="bold"),
            44,
            44,
        )
    wide = max(44.0, text_width(value, 16) + 16)
    return _tile(value, wide, 44.0, LIT, 16.0), wide, 44.0


def _without_repetition(names: list[str]) -> list[str]:
    """The names, each only in the first of its rows."""
    return [
        name.replace("_", " ") if n == 0 or name != names[n - 1] else ""
        for n, name in enumerate(names)
    ]


def _together(figures: tuple[Figure, ...]) -> Iterator[tuple[Figure, ...]]:
    """Figures of the same doors and of the same net together, all others alone."""

    def shared(figure: Figure) -> Hashable:
        match figure.look:
            case VariableLook.DOORS:
                return _held_values(figure.variable)
            case VariableLook.NET:
                return figure.names
            case _:
                return figure.variable.name

    for _, group in groupby(figures, shared):
        yield tuple(group)


def _held_values(variable: nodes.Variable) -> tuple[Value, ...]:
    """The values of a variable that are something."""
    return tuple(
        v for v in variable.domain.values if v is False or not is_nothing(v, variable.domain)
    )


def _strips(group: tuple[Figure, ...], place: Place) -> Iterator[Strip]:
    figure = group[0]
    variable, values = figure.variable, figure.values
    if figure.look is VariableLook.DOORS:
        yield Strip("", "", _doors(group, place.theme))
    elif figure.look is VariableLook.NET:
        yield Strip("", "", net_group(_corners(group)))
    elif not variable.indices:
        yield Strip(variable.name, "", _single(variable, values[0], place))
    elif figure.look is VariableLook.TEXT and is_track(variable, place.players):
        yield Strip("", "", track_group(variable, values, place.players))
    elif len(variable.indices) == 2:
        yield from _table(figure, place)
    elif is_truth(variable.domain) and None not in values:
        things = [(name, value is True) for name, value in zip(figure.names, values, strict=True)]
        yield Strip(variable.name, "", _tokens(things, place))
    elif figure.names and set(figure.names) <= set(place.players) and _is_number(variable):
        for name, value in zip(figure.names, values, strict=True):
            yield Strip(variable.name, name, _hand(figure, name, value, place))
    else:
        yield Strip(variable.name, "", _tiles(figure, values, figure.names, place))


def _corners(group: tuple[Figure, ...]) -> dict[str, tuple[str, int]]:
    """By the place: the corner that is there, and its turn; without a variable of turns, 0."""
    there = {name: name for name in group[0].names}
    turns = dict.fromkeys(there, 0)
    for figure in group:
        for name, value in zip(figure.names, figure.values, strict=True):
            if isinstance(value, int):
                turns[name] = value
            elif value is not None:
                there[name] = text_of(value)
    return {name: (there[name], turns[name]) for name in there}


def _is_number(variable: nodes.Variable) -> bool:
    return all(map(is_count, variable.domain.values))


def _single(variable: nodes.Variable, value: Value | None, place: Place) -> Drawn:
    if value is not None and _is_number(variable):
        return _amount(variable, value, place.theme.ring, place)
    choices = [] if _is_number(variable) else [text_of(v) for v in _held_values(variable)]
    wide = sum(_tile_width(words) + 4 for words in choices)
    held = UNSEEN if value is None else text_of(value)
    if is_truth(variable.domain) and value is not None:
        return _lamp(is_on=value is True, place=place)
    if not choices or len(choices) > MOST_CHOICES or wide > place.room / 2 or value is None:
        wide = _tile_width(held)
        return _tile(held, wide, TALL, BACK if value is None else LIT, SIZE), wide, TALL
    parts, x = [], 0.0
    for words in choices:
        wide = _tile_width(words)
        tile = _tile(words, wide, TALL, LIT if words == held else None, SIZE)
        parts.append(element("g", tile, transform=f"translate({number(x)} 0)"))
        x += wide + 4
    return "".join(parts), x, TALL


def _lamp(*, is_on: bool, place: Place) -> Drawn:
    lamp = element("circle", cx=9, cy=TALL / 2, r=7, fill=LIT if is_on else "none",
                   stroke=place.theme.quiet)  # fmt: skip
    words = "yes" if is_on else "no"
    return lamp + label(22, TALL / 2, words, SIZE, text_anchor="start"), 50.0, TALL


def _amount(variable: nodes.Variable, value: Value, colour: str, place: Place) -> Drawn:
    """A number as counters out of the greatest number, or as a bar."""
    top = max(v for v in variable.domain.values if isinstance(v, int))
    least = min(v for v in variable.domain.values if isinstance(v, int))
    count = value if isinstance(value, int) else 0
    line = place.theme.quiet
    if top <= MOST_COUNTERS and top * COUNTER < place.room / 2 and least in {0, 1}:
        discs = [
            element("circle", cx=7 + n * COUNTER, cy=TALL / 2, r=5.5, stroke=line,
                    fill=colour if n < count else "none")
            for n in range(top)
        ]  # fmt: skip
        wide = top * COUNTER
    else:
        wide = min(BAR, place.room / 2)
        full = element("rect", x=0, y=7, width=wide, height=12, rx=6, fill="none", stroke=line)
        share = wide * count / max(top, 1)
        bar = element("rect", x=0, y=7, width=max(share, 0.0), height=12, rx=6, fill=colour)
        discs = [bar, full] if share > 0 else [full]
    words = label(wide + 8, TALL / 2, text_of(value), SIZE, text_anchor="start", font_weight="bold")
    return "".join(discs) + words, wide + 12 + text_width(text_of(value), SIZE), TALL


def _hand(figure: Figure, name: str, value: Value | None, place: Place) -> Drawn:
    """A player's number; of men, as many men of the player."""
    if value is None:
        return _tile(UNSEEN, TALL, TALL, BACK, SIZE), TALL, TALL
    colour = player_colour(place.players, place.players.index(name))
    return _amount(figure.variable, value, colour, place)


def _table(figure: Figure, place: Place) -> Iterator[Strip]:
    """A row for each value of the first index: men in hand, else tiles."""
    rows, columns = figure.variable.indices
    names = [text_of(value) for value in columns.values]
    length = len(columns)
    for at, value in enumerate(rows.values):
        values = figure.values[at * length : (at + 1) * length]
        row = text_of(value)
        if figure.look is VariableLook.MEN and _is_number(figure.variable) and None not in values:
            owner = place.players.index(row)
            yield Strip(figure.variable.name, row, _men(owner, names, values, place))
        elif is_truth(figure.variable.domain) and None not in values:
            things = [(name, held is True) for name, held in zip(names, values, strict=True)]
            yield Strip(figure.variable.name, row, _tokens(things, place))
        else:
            shown = tuple(names) if at == len(rows) - 1 else ()
            yield Strip(figure.variable.name, row, _tiles(figure, values, shown, place))


def _men(owner: int, names: list[str], values: tuple[Value | None, ...], place: Place) -> Drawn:
    """Men in hand: each kind that is there, with its number."""
    side, x = 34.0, 0.0
    parts = []
    for name, value in zip(names, values, strict=True):
        if not isinstance(value, int) or value == 0:
            continue
        piece = Piece(owner, name, is_wedge=len(place.players) == 2)
        parts.append(piece_group(piece, x + side / 2, side / 2, side, place.players))
        if value > 1:
            parts.append(label(x + side + 2, side / 2, f"\u00d7{value}", SIZE, text_anchor="start"))
            x += 16
        x += side + 4
    empty = label(0, side / 2, "\u2013", SIZE, text_anchor="start", fill=place.theme.quiet)
    return "".join(parts) or empty, max(x, 12.0), side


def _tokens(things: list[tuple[str, bool]], place: Place) -> Drawn:
    """Names in a row, the true ones lit."""
    wide = max(_tile_width(name) for name, _ in things)
    per_row = _per_row(len(things), wide, place)
    parts = []
    for n, (name, is_lit) in enumerate(things):
        row, column = divmod(n, per_row)
        tile = _tile(name, wide, TALL, LIT if is_lit else None, SIZE)
        x, y = column * (wide + 4), row * (TALL + 4)
        parts.append(element("g", tile, transform=f"translate({number(x)} {number(y)})"))
    rows = -(-len(things) // per_row)
    return "".join(parts), min(len(things), per_row) * (wide + 4), rows * (TALL + 4) - 4


def _tiles(
    figure: Figure, values: tuple[Value | None, ...], names: tuple[str, ...], place: Place
) -> Drawn:
    """Values side by side, unseen values face down, with names below."""
    variable = figure.variable
    texts = [UNSEEN if value is None else text_of(value) for value in values]
    known = [
        text_of(value) for value in variable.domain.values if not is_nothing(value, variable.domain)
    ]
    wide = max(_tile_width(words) for words in (*known, *names))
    per_row = _per_row(len(values), wide, place)
    high = TALL + (16 if names else 4)
    parts = []
    for n, (words, value) in enumerate(zip(texts, values, strict=True)):
        row, column = divmod(n, per_row)
        x, y = column * (wide + 4), row * high
        is_empty = value is not None and is_nothing(value, variable.domain)
        colour = BACK if value is None else None if is_empty else TILE
        tile = _tile("" if is_empty and value != 0 else words, wide, TALL, colour, SIZE)
        parts.append(element("g", tile, transform=f"translate({number(x)} {number(y)})"))
        if names:
            parts.append(label(x + wide / 2, y + TALL + 8, names[n], 10, fill=place.theme.quiet))
    rows = -(-len(values) // per_row)
    return "".join(parts), min(len(values), per_row) * (wide + 4), rows * high


def _doors(group: tuple[Figure, ...], theme: Theme) -> Drawn:
    """The doors of several variables: a door is open where a variable named so says it; below each
    door stand the names of the variables that hold it."""
    wide, high = DOOR
    doors = _held_values(group[0].variable)
    held = [(figure.variable.name, figure.values[0]) for figure in group]
    parts = []
    for n, door in enumerate(doors):
        x = n * (wide + 24) + 12
        here = [name for name, value in held if value == door]
        parts.append(_door(x, is_open=any(name in {"open", "opened"} for name in here)))
        parts.append(label(x + wide / 2, high + 13, text_of(door), SIZE, font_weight="bold"))
        parts += [
            label(x + wide / 2, high + 28 + 14 * row, name.replace("_", " "), SIZE, fill=theme.ring)
            for row, name in enumerate(here)
        ]
    unseen = [name for name, value in held if value is None]
    right = len(doors) * (wide + 24)
    if unseen:
        parts.append(
            label(right / 2, high + 30 + 14 * len(held), f"{', '.join(unseen)}: {UNSEEN}", SIZE)
        )
    most = max((sum(value == door for _, value in held) for door in doors), default=0)
    return "".join(parts), right, high + 26 + 14 * (len(held) + 1 if unseen else most)


def _door(x: float, *, is_open: bool) -> str:
    wide, high = DOOR
    colour = "#2b2118" if is_open else WOOD
    door = element("rect", x=x, y=2, width=wide, height=high, fill=colour, stroke=INK)
    if is_open:
        edges = ((x, 2.0), (x - 10, 10.0), (x - 10, high + 6), (x, high + 2))
        points = " ".join(f"{number(across)},{number(down)}" for across, down in edges)
        return door + element("polygon", points=points, fill=WOOD, stroke=INK)
    half = high / 2 - 11
    fields = [
        element("rect", x=x + 8, y=y, width=wide - 16, height=half, fill="none", stroke=GROOVE)
        for y in (9.0, high / 2 + 6)
    ]
    knob = element("circle", cx=x + wide - 6, cy=high / 2 + 2, r=2.6, fill="#f2c230")
    return "".join((door, *fields, knob))


def _tile_width(words: str) -> float:
    return max(TALL, text_width(words, SIZE) + 10)


def _tile(words: str, wide: float, high: float, colour: str | None, size: float) -> str:
    """A tile with words; without colour an outline."""
    is_there = colour is not None
    line, dashes = (INK, None) if is_there else (VOID, "3 3")
    face = element("rect", width=wide, height=high, rx=5, fill=colour or "none", stroke=line,
                   stroke_dasharray=dashes)  # fmt: skip
    ink = "#ffffff" if colour == BACK else INK if is_there else FAINT
    return face + (label(wide / 2, high / 2, words, size, fill=ink) if words else "")


def _per_row(cells: int, wide: float, place: Place) -> int:
    """Cells of a row, where all do not fit into one: rows of nearly equal length."""
    most = max(1, int(0.75 * place.room // (wide + 4)))
    return -(-cells // -(-cells // most))
