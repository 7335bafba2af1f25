"""Puzzles as text, as data, and as a sheet to be printed, with the solutions at the end."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from gamedsl.game import LoadedGame, state_to_json
from gamedsl.game.contract import settings_of
from gamedsl.reports.analyses.as_html import STYLE
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.json_text import data_of
from gamedsl.reports.pages import page
from gamedsl.reports.paragraphs import fill
from gamedsl.reports.phrases import titled
from gamedsl.solvers.analysis.puzzles import Puzzle, PuzzleSet
from gamedsl.source.plurals import count

MOST_SHOWN = 12
"""Moves of a line that are written."""
SHEET = """
.puzzles { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
           gap: 1.2rem }
.puzzles figure { margin: 0; width: auto; break-inside: avoid }
.puzzles svg { max-width: 100%; height: auto }
.puzzles figcaption { font-size: .95rem; color: #1f2933; margin-bottom: .3rem }
.solutions { break-before: page } .solutions li { margin: .2rem 0 }
"""


def puzzles_text(game: LoadedGame, puzzles: PuzzleSet) -> str:
    """The positions, then the solutions."""
    parts = [fill(_title(puzzles))]
    for number, puzzle in enumerate(puzzles.puzzles, 1):
        parts.append(f"{number}. {_task(puzzles, puzzle)}\n{game.show(puzzle.state)}")
    if puzzles.puzzles:
        lines = [
            fill(f"{number}. {_solution(puzzle)}", "  ", "     ")
            for number, puzzle in enumerate(puzzles.puzzles, 1)
        ]
        parts.append("\n".join(["solutions", *lines]))
    return "\n\n".join(parts)


def puzzles_data(game: LoadedGame, puzzles: PuzzleSet) -> dict[str, object]:
    """The puzzles, JSON-ready."""
    return data_of(
        puzzles,
        "game settings seed proof positions_examined=looked_at puzzles",
        game=puzzles.game.name,
        settings=dict(settings_of(puzzles.game)),
        puzzles=[
            data_of(
                puzzle,
                "state moves player solution=move line plies choices found_by_plays=found_at "
                "missed positions_searched=effort",
                state=state_to_json(game, puzzle.state),
                moves=_moves(puzzles, puzzle),
                player=_mover(puzzles, puzzle),
                missed=round(puzzle.missed, 4),
            )
            for puzzle in puzzles.puzzles
        ],
    )


def puzzles_html(game: LoadedGame, puzzles: PuzzleSet) -> str:
    """The sheet: pictures of the positions, and the solutions on a page of their own."""
    figures = "".join(_figures(game, puzzles))
    solutions = "".join(f"<li>{escape(_solution(puzzle))}</li>\n" for puzzle in puzzles.puzzles)
    title = titled(puzzles.game.name, settings_of(puzzles.game))
    body = (
        f"<h1>{escape(title)}: puzzles</h1>\n<p>{escape(_title(puzzles))}</p>\n"
        f'<div class="puzzles">\n{figures}</div>\n'
        f'<section class="solutions">\n<h2>Solutions</h2>\n<ol>\n{solutions}</ol>\n</section>\n'
    )
    return page(f"{title}: puzzles", body, STYLE + SHEET)


def _figures(game: LoadedGame, puzzles: PuzzleSet) -> Iterator[str]:
    for number, puzzle in enumerate(puzzles.puzzles, 1):
        caption = f"<b>{number}.</b> {escape(_task(puzzles, puzzle))}"
        last = puzzle.steps[-1] if puzzle.steps else None
        picture = state_svg(game, puzzle.state, last=last)
        yield f"<figure><figcaption>{caption}</figcaption>{picture}</figure>\n"


def _title(puzzles: PuzzleSet) -> str:
    number = len(puzzles.puzzles)
    if not number:
        return (
            f"{puzzles.game.name}: no puzzles: among {count(puzzles.looked_at, 'position')} none "
            "has exactly one winning move that is proved. More time (--time) finds more."
        )
    return (
        f"{puzzles.game.name}: {count(number, 'puzzle')}. In each position exactly one move wins, "
        f"proved by {puzzles.proof}; the hardest comes last."
    )


def _mover(puzzles: PuzzleSet, puzzle: Puzzle) -> str:
    return puzzles.game.players[puzzles.game.current_player(puzzle.state)].name


def _task(puzzles: PuzzleSet, puzzle: Puzzle) -> str:
    choices = count(puzzle.choices, "move")
    return f"{_mover(puzzles, puzzle)} to move and win, {choices} to choose from"


def _moves(puzzles: PuzzleSet, puzzle: Puzzle) -> str:
    """The play that leads to a position, for `--at`."""
    return " ".join(puzzles.game.action_name(*step) for step in puzzle.steps)


def _solution(puzzle: Puzzle) -> str:
    """The winning move, the line, the length and the difficulty."""
    parts = [puzzle.move]
    if len(puzzle.line) > 1:
        more = " ..." if len(puzzle.line) > MOST_SHOWN else ""
        parts.append(f"then {' '.join(puzzle.line[1:MOST_SHOWN])}{more}")
    if puzzle.plies is not None:
        parts.append(f"wins in {count(puzzle.plies, 'ply')}")
    if puzzle.found_at is not None:
        parts.append(f"a search of {puzzle.found_at:,} plays finds the move")
    elif puzzle.missed:
        parts.append("no search tried finds the move")
    return "; ".join(parts)
