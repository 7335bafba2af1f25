"""Colours of pictures: for a screen, for a dark screen, and for print."""

from __future__ import annotations

from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture.

    Attributes:
        paper, ink, quiet: the background, the words on it, and words of less weight.
        light, dark, line: squares of the two colours, and the lines between squares.
        plain: squares of a board of one colour.
        wood, grain: boards with men on points or in holes, and lines on such boards.
        frame: the upright frame into which men are dropped.
        last, ring: squares of the last move, and rings and arrows.
    """

    paper: str = "#ffffff"
    ink: str = "#1f2933"
    quiet: str = "#66707c"
    light: str = "#f1e4cb"
    dark: str = "#b98f68"
    line: str = "#8d8371"
    plain: str = "#f7f3ea"
    wood: str = "#e3bf85"
    grain: str = "#5a4630"
    frame: str = "#2b5fa5"
    last: str = "#ffd84d"
    ring: str = "#c2410c"


LIGHT = Theme()
DARK = Theme(paper="#171b21", ink="#e6e9ed", quiet="#a3adb8", plain="#d9d2c2", light="#dccfb4",
             dark="#98724f", wood="#c39f66", line="#8d8371", frame="#224e8a")  # fmt: skip
PRINT = Theme(ink="#000000", quiet="#333333", light="#ffffff", dark="#d4d4d4", line="#555555",
              plain="#ffffff", wood="#ffffff", grain="#000000", frame="#bdbdbd", last="#bfbfbf",
              ring="#000000")  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}
