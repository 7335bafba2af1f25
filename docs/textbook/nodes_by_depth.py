"""A plot for the textbook: leaves that alpha-beta visits, by depth, in three orders of moves.

`python docs/textbook/nodes_by_depth.py` draws it anew; a test compares.
"""

from __future__ import annotations

from math import log10
from pathlib import Path

import gamedsl
from gamedsl.reports.svg import document, element, label, number

HERE = Path(__file__).resolve().parent
PICTURE = HERE / "pictures" / "nodes_by_depth.svg"
BRANCHES, DEEPEST = 3, 8
SEARCHES = (
    ("minimax: b^m", "minimax", "declared", "#5f6873"),
    ("alpha-beta, worst moves first", "alpha-beta", "worst", "#b5434b"),
    ("alpha-beta, as the file has them", "alpha-beta", "declared", "#2f6fb3"),
    ("alpha-beta, best moves first", "alpha-beta", "best", "#3f8f4f"),
)
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640.0, 360.0, 60.0, 20.0, 20.0, 50.0
DECADES = 4


def leaves(algorithm: str, order: str) -> list[int]:
    """How many leaves are visited at each depth from 1 to `DEEPEST`."""
    games = [
        gamedsl.load(HERE / "uniform.game", b=BRANCHES, m=depth) for depth in range(1, DEEPEST + 1)
    ]
    return [gamedsl.search(game, algorithm, order=order).leaves for game in games]


def at(depth: float, count: float) -> tuple[float, float]:
    """Where a number of leaves at a depth stands; the scale of numbers is logarithmic."""
    x = LEFT + (WIDTH - LEFT - RIGHT) * depth / DEEPEST
    return x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log10(count) / DECADES


def plot() -> str:
    """The picture."""
    parts = []
    for decade in range(DECADES + 1):
        x, y = at(0, 10**decade)
        parts.append(element("line", x1=x, y1=y, x2=WIDTH - RIGHT, y2=y, stroke="#d5dbe1"))
        parts.append(label(x - 8, y, f"{10**decade:,}", 12, text_anchor="end"))
    for depth in range(1, DEEPEST + 1):
        parts.append(label(at(depth, 1)[0], HEIGHT - BOTTOM + 16, str(depth), 12))
    parts.append(label(WIDTH / 2, HEIGHT - 14, "depth m; leaves visited, b = 3", 13))
    for place, (words, algorithm, order, colour) in enumerate(SEARCHES):
        points = [at(depth, n) for depth, n in enumerate(leaves(algorithm, order), start=1)]
        written = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        parts.append(
            element("polyline", points=written, fill="none", stroke=colour, stroke_width=2)
        )
        parts += [element("circle", cx=x, cy=y, r=3, fill=colour) for x, y in points]
        y = TOP + 12 + 18 * place
        parts.append(element("rect", x=LEFT + 14, y=y - 4, width=14, height=8, fill=colour))
        parts.append(label(LEFT + 36, y, words, 12, text_anchor="start"))
    return document(WIDTH, HEIGHT, "leaves visited by depth, in three orders", *parts) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(plot(), "utf-8")
