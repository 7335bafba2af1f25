"""The cell `%%game` of notebooks: the rules of a game, checked as the cell runs.

`%load_ext gamedsl` registers the cell. The first line may name the variable for the game, and set
parameters: `%%game nim -D n=4`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Protocol

from gamedsl.game import LoadedGame, load_source
from gamedsl.model import GameSourceError
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.reports.checks.findings import FileReport, summary
from gamedsl.source.records import dataclass
from gamedsl.source.render import render
from gamedsl.source.text import source_from_text

USUAL_NAME = "game"
"""The variable for a game without a name on the first line."""
SECONDS = 5.0
"""Time limit of a check."""
USAGE = "write `%%game`, `%%game NAME` or `%%game NAME -D PARAMETER=VALUE`"


class Shell(Protocol):
    """The part of IPython's shell that is used."""

    user_ns: dict[str, Any]

    def register_magic_function(
        self, func: Callable[[str, str], object], magic_kind: str, magic_name: str
    ) -> None:
        """Make a function a cell `%%NAME`."""


@dataclass(frozen=True, slots=True)
class CheckedCell:
    """The findings in a cell, and its game: what a notebook shows below the cell.

    Attributes:
        report: the findings.
        game: the game; None for rules with errors.
    """

    report: FileReport
    game: LoadedGame | None

    def __str__(self) -> str:
        return str(self.report)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        findings = "\n".join(render(finding) for finding in self.report.findings())
        words = f"<pre>{escape(findings)}</pre>" * bool(findings)
        picture = "" if self.game is None else self.game._repr_svg_()
        return f"{picture}{words}<p>{escape(summary(self.report))}</p>"


def register_cells(shell: Shell) -> None:
    """Make `%%game` a cell of a shell of IPython."""

    def game(line: str, cell: str) -> CheckedCell | None:
        """Check the rules in the cell, and put the game into a variable."""
        try:
            name, settings = _first_line(line)
        except ValueError as error:
            print(f"error: {error}: {USAGE}")
            return None
        checked = check_cell(cell, settings, name)
        if checked.game is not None:
            shell.user_ns[name] = checked.game
        return checked

    shell.register_magic_function(game, "cell", "game")


def check_cell(text: str, settings: Mapping[str, str], name: str = USUAL_NAME) -> CheckedCell:
    """The findings in rules, and the game. A game with a false claim is a game."""
    source = source_from_text(text, f"<{name}>")
    limits = CheckLimits(max_seconds=SECONDS)
    report = check_source(source, settings, limits, file=name)
    try:
        game = load_source(source, settings)
    except GameSourceError:
        return CheckedCell(report, None)
    return CheckedCell(report, game)


def _first_line(line: str) -> tuple[str, dict[str, str]]:
    """The name of the variable, and the parameters. Raises ValueError."""
    names: list[str] = []
    settings: dict[str, str] = {}
    words = iter(shlex.split(line))
    for word in words:
        if word in {"-D", "--define"}:
            parameter, equals, value = next(words, "").partition("=")
            if not (parameter and equals and value):
                raise ValueError("a parameter and its value are needed after -D")
            settings[parameter] = value
        else:
            names.append(word)
    if len(names) > 1 or not all(name.isidentifier() for name in names):
        raise ValueError(f"{' '.join(names)!r} is no name of a variable")
    return (names or [USUAL_NAME])[0], settings
