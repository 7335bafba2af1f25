"""The lengths of best play from all positions, as text and as data.

A table of counts and the hardest positions, from the `Lengths` of a solution. The data follow the
schema of the machine interface.
"""

from __future__ import annotations

from textwrap import indent

from gamedsl.game import LoadedGame, state_to_json
from gamedsl.reports.json_text import data_of
from gamedsl.reports.outcomes import outcome_words
from gamedsl.solvers.exact.lengths import Lengths, OfResult
from gamedsl.source.plurals import count

ENDLESS = "endless"
DRAWN = 3
"""Number of hardest positions drawn per result."""


def lengths_text(game: LoadedGame, lengths: Lengths) -> str:
    """A column for each result, a line for each number of plies, and the hardest positions."""
    parts = ["positions by plies of best play:", indent(_table(game, lengths), "  ")]
    for result in lengths.results:
        if result.plies:
            parts += [
                _longest(game, result),
                *(indent(game.show(s), "  ") for s in result.hardest[:DRAWN]),
            ]
    return "\n\n".join(parts)


def _longest(game: LoadedGame, result: OfResult) -> str:
    number = result.counts[-1][1]
    shown = min(len(result.hardest), DRAWN)
    some = f", {shown} of them" if shown < number else ""
    words, plies = _words(game, result), count(result.counts[-1][0], "ply")
    return f"longest: {words} after {plies}, {count(number, 'position')}{some}:"


def _words(game: LoadedGame, result: OfResult) -> str:
    return outcome_words(game.facts.players, result.value, has_winners=game.facts.has_winners)


def _table(game: LoadedGame, lengths: Lengths) -> str:
    names = [_words(game, result) for result in lengths.results]
    columns = [dict(result.counts) for result in lengths.results]
    plies = sorted(set().union(*columns))
    rows = [[str(n), *(_number(column.get(n, 0)) for column in columns)] for n in plies]
    if any(result.endless for result in lengths.results):
        rows.append([ENDLESS, *(_number(result.endless) for result in lengths.results)])
    sums = [sum(column.values()) for column in columns]
    totals = [n + result.endless for n, result in zip(sums, lengths.results, strict=True)]
    rows = [["plies", *names], *rows, ["all", *map(_number, totals)]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        for row in rows
    )


def _number(number: int) -> str:
    return f"{number:,}" if number else "-"


def lengths_data(game: LoadedGame, lengths: Lengths) -> list[dict[str, object]]:
    """The lengths, JSON-ready: an object for each result."""
    return [
        data_of(
            result,
            "value positions endless plies hardest",
            positions={str(plies): number for plies, number in result.counts},
            hardest=[state_to_json(game, state) for state in result.hardest],
        )
        for result in lengths.results
    ]
