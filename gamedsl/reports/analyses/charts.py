"""Charts of the designer's report as SVG, without a plotting library.

In: numbers. Out: pictures as text, with axes, labels and a title for screen readers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from gamedsl.game import LoadedGame
from gamedsl.reports.analyses.sections import level_name
from gamedsl.reports.boards.as_svg import UNIT, position_svg, square_centres
from gamedsl.reports.boards.contents import position_of
from gamedsl.reports.svg import INK, document, element, label, number
from gamedsl.solvers.analysis.analysis import GameAnalysis
from gamedsl.solvers.matches.elo import Interval

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 544.0, 120.0, 16.0, 16.0, 40.0
BAR, GAP, SIZE = 24.0, 12.0, 13.0
COLOURS = ("#2563a8", "#c8553d", "#3f8f5f", "#8a5fb0", "#b08a2e", "#5f7f8a")
DRAWN, GRID, WARM = "#b8bec6", "#dfe3e8", "#c2410c"
BINS = 24


def _room() -> float:
    return WIDTH - LEFT - RIGHT


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def results_chart(analysis: GameAnalysis) -> str:
    """A bar for each strength: the shares of wins, draws and unfinished plays."""
    names = [*analysis.players, "draw", "unfinished"]
    colours = [*map(_colour, range(len(analysis.players))), DRAWN, "#ffffff"]
    drawn, top = [], TOP
    for level in analysis.levels:
        results = level.results
        counts = [*results.wins, results.draws + results.shared, results.unfinished]
        drawn.append(_row_name(level_name(level), top))
        left = LEFT
        for held, colour in zip(counts, colours, strict=True):
            width = _room() * held / max(1, results.plays)
            drawn.append(
                element(
                    "rect", x=left, y=top, width=width, height=BAR, fill=colour, stroke="#ffffff"
                )
            )
            if width > 40:
                ink = INK if colour in (DRAWN, "#ffffff") else "#ffffff"
                share = f"{held / results.plays:.0%}"
                drawn.append(label(left + width / 2, top + BAR / 2, share, SIZE, fill=ink))
            left += width
        top += BAR + GAP
    top += 4
    left = LEFT
    for name, colour in zip(names[: len(analysis.players) + 1], colours, strict=False):
        drawn.append(element("rect", x=left, y=top, width=12.0, height=12.0, fill=colour))
        drawn.append(label(left + 18, top + 6, name, SIZE, text_anchor="start"))
        left += 36 + 8 * len(name)
    return document(WIDTH, top + 28, "Results by strength", *drawn)


def _row_name(name: str, top: float) -> str:
    return label(LEFT - 10, top + BAR / 2, name, SIZE, text_anchor="end")


def lengths_chart(analysis: GameAnalysis) -> str:
    """The distribution of the lengths of play, at random and between the strongest players."""
    levels = [analysis.levels[0], *analysis.levels[1:][-1:]]
    least = min(level.lengths.least for level in levels)
    most = max(level.lengths.most for level in levels)
    step = max(1, -(-(most - least + 1) // BINS))
    bins = (most - least) // step + 1
    height, drawn = 150.0, list[str]()
    width = _room() / bins
    for place, level in enumerate(levels):
        plies = level.lengths.plies
        counted = Counter((length - least) // step for length in plies)
        highest = max(counted.values())
        part = width / len(levels)
        for n in range(bins):
            tall = height * counted[n] / highest
            x = LEFT + n * width + place * part
            drawn.append(
                element(
                    "rect",
                    x=x + 0.5,
                    y=TOP + height - tall,
                    width=max(0.5, part - 1),
                    height=tall,
                    fill=_colour(place),
                )
            )
        drawn.append(_key(place, level_name(level)))
    ticks = sorted({least, (least + most) // 2, most})
    drawn += [
        label(LEFT + ((tick - least) // step + 0.5) * width, TOP + height + 14, str(tick), SIZE)
        for tick in ticks
    ]
    drawn.append(label(LEFT + _room() / 2, TOP + height + 32, "plies", SIZE))
    drawn.append(_axis(TOP + height))
    return document(WIDTH, TOP + height + BOTTOM, "Lengths of play", *drawn)


def _key(place: int, name: str) -> str:
    top = TOP + 18 * place
    box = element("rect", x=8.0, y=top, width=12.0, height=12.0, fill=_colour(place))
    return box + label(26, top + 6, name, 11.0, text_anchor="start")


def _axis(y: float) -> str:
    return element("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, stroke=INK)


def curve_chart(values: Sequence[float], title: str, across: str) -> str:
    """A line of values from 0 to 1."""
    height = 150.0
    drawn = []
    for share in (0.0, 0.5, 1.0):
        y = TOP + height * (1 - share)
        drawn.append(element("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, stroke=GRID))
        drawn.append(label(LEFT - 10, y, f"{share:g}", SIZE, text_anchor="end"))
    points = " ".join(
        f"{number(LEFT + _room() * n / max(1, len(values) - 1))},"
        f"{number(TOP + height * (1 - value))}"
        for n, value in enumerate(values)
    )
    drawn.append(
        element("polyline", points=points, fill="none", stroke=COLOURS[0], stroke_width=2.5)
    )
    drawn.append(label(LEFT + _room() / 2, TOP + height + 24, across, SIZE))
    return document(WIDTH, TOP + height + BOTTOM, title, *drawn)


def branching_chart(widths: Sequence[float]) -> str:
    """The mean number of moves by ply."""
    most = max(widths)
    height = 110.0
    width = _room() / len(widths)
    drawn = [
        element(
            "rect",
            x=LEFT + n * width,
            y=TOP + height * (1 - value / most),
            width=max(0.5, width - 0.5),
            height=height * value / most,
            fill=COLOURS[0],
        )
        for n, value in enumerate(widths)
    ]
    drawn.append(label(LEFT - 10, TOP, f"{most:.0f}", SIZE, text_anchor="end"))
    drawn.append(label(LEFT - 10, TOP + height, "0", SIZE, text_anchor="end"))
    drawn.append(label(LEFT + _room() / 2, TOP + height + 24, "ply", SIZE))
    drawn.append(_axis(TOP + height))
    return document(WIDTH, TOP + height + BOTTOM, "Moves to choose from", *drawn)


def ladder_chart(analysis: GameAnalysis) -> str:
    """A bar for each step of the ladder: Elo, with the interval."""
    rungs = analysis.ladder
    low = min(0.0, *(rung.elo.low for rung in rungs))
    high = max(100.0, *(rung.elo.high for rung in rungs))

    def across(elo: float) -> float:
        return LEFT + _room() * (elo - low) / (high - low)

    drawn, top = [], TOP
    for rung in rungs:
        drawn.append(_row_name(f"{rung.stronger:,} plays", top))
        begin, end = sorted((across(0), across(rung.elo.mean)))
        drawn.append(
            element("rect", x=begin, y=top, width=end - begin, height=BAR, fill=COLOURS[0])
        )
        drawn.append(_whisker(rung.elo, across(rung.elo.low), across(rung.elo.high), top))
        top += BAR + GAP
    for tick in (0.0, 100.0, 200.0, 400.0):
        if low <= tick <= high:
            drawn.append(label(across(tick), top + 6, f"{tick:+z.0f}", SIZE))
    drawn.append(label(LEFT + _room() / 2, top + 24, "Elo for four times the search", SIZE))
    return document(WIDTH, top + BOTTOM, "Depth", *drawn)


def _whisker(interval: Interval, begin: float, end: float, top: float) -> str:
    middle = top + BAR / 2
    title = element("title", f"{interval.low:+z.0f} to {interval.high:+z.0f}")
    line = element("line", title, x1=begin, y1=middle, x2=end, y2=middle, stroke=INK)
    ends = (
        element("line", x1=x, y1=middle - 5, x2=x, y2=middle + 5, stroke=INK) for x in (begin, end)
    )
    return line + "".join(ends)


def squares_chart(analysis: GameAnalysis) -> str | None:
    """The first position, with a disc on each square as large as its share of use; None without a
    board."""
    usage = analysis.usage
    if usage is None or not usage.squares:
        return None
    uses = {use.name: use.strong if usage.plays[1] else use.plays for use in usage.squares}
    return board_chart(analysis, {name: float(times) for name, times in uses.items()}, "uses")


def openings_chart(analysis: GameAnalysis) -> str | None:
    """The first position, with the value of each first move on its square; None where first moves
    are not squares."""
    openings = analysis.openings
    if openings is None or len(openings.moves) < 2:
        return None
    values = {}
    for move in openings.moves:
        inside = move.name.partition("(")[2].rstrip(")")
        values[inside] = move.value
    names = {use.name for use in (analysis.usage.squares if analysis.usage else ())}
    if len(values) < len(openings.moves) or not set(values) <= names:
        return None
    return board_chart(analysis, values, "values")


def board_chart(analysis: GameAnalysis, numbers: dict[str, float], kind: str) -> str | None:
    """The first position with a number for each square."""
    rules = analysis.rules
    if not isinstance(rules, LoadedGame):
        return None
    position = replace(position_of(rules, rules.initial_state()), window=())
    centres = square_centres(position)
    if not centres:
        return None
    most = max(numbers.values(), default=0.0) or 1.0
    marks = []
    for name, (x, y) in centres.items():
        if name not in numbers:
            continue
        value = numbers[name]
        if kind == "values":
            strength = max(0.0, min(1.0, 0.5 + 2 * (value - 0.5)))
            marks.append(
                element("circle", cx=x, cy=y, r=0.42 * UNIT, fill=WARM, fill_opacity=strength)
            )
            ink = "#ffffff" if strength > 0.6 else INK
            marks.append(label(x, y, f"{100 * value:.0f}", SIZE, fill=ink))
        else:
            radius = 0.42 * UNIT * (value / most) ** 0.5
            marks.append(
                element("circle", cx=x, cy=y, r=radius, fill=COLOURS[0], fill_opacity=0.55)
            )
            if not value:
                marks.append(label(x, y, "×", 20.0, fill=WARM))
    return position_svg(position).replace("</svg>", f"{''.join(marks)}</svg>")
