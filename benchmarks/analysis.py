"""Analyses games of the library, compares the measures with published figures, and makes the table
beside which `gamedsl analyse` puts a game.

    python -m benchmarks.analysis                    # all games, beside published figures
    python -m benchmarks.analysis hex othello        # some games
    python -m benchmarks.analysis --write            # also writes the table of the library

Published figures: V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994),
section 6.3 (mean length and branching of play by experts); shares of random tic-tac-toe by
enumeration; values of solved games as in `docs/atlas`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import gamedsl
from gamedsl.reports.analyses.library import measured
from gamedsl.solvers.analysis.analysis import GameAnalysis

TABLE = Path(gamedsl.__file__).parent / "reports" / "analyses" / "library.json"
SECONDS = 10.0


@dataclass(frozen=True)
class Known:
    """A game with published figures: measure to figure and tolerance."""

    file: str
    parameters: dict[str, int] = field(default_factory=dict)
    figures: dict[str, tuple[float, float]] = field(default_factory=dict)


GAMES = (
    Known(
        "tic_tac_toe",
        figures={"random first": (0.585, 0.02), "random draws": (0.127, 0.02), "draws": (1, 0.2)},
    ),
    Known("connect_four", figures={"length": (36, 8), "branching": (4, 2.5)}),
    Known(
        "hex",
        {"width": 7, "height": 7},
        {
            "random first": (0.537, 0.02),
            "random length": (42.3, 1),
            "draws": (0, 0),
            "branching": (40.5, 6),
            "uncertainty": (0.62, 0.12),
            "killer": (0.29, 0.15),
            "decided": (0.77, 0.15),
        },
    ),
    Known("othello", figures={"length": (58, 4), "branching": (10, 3)}),
    Known("nine_mens_morris", figures={"length": (50, 60), "branching": (10, 6)}),
    Known("domineering", {"width": 8, "height": 8}, {"length": (30, 8), "branching": (8, 15)}),
    Known("breakthrough", {"width": 5, "height": 5}, {"draws": (0, 0), "first": (0, 0.45)}),
    Known("kalah", figures={"length": (60, 35), "branching": (3.5, 2)}),
    Known("checkers", figures={"length": (70, 50), "branching": (2.8, 5)}),
    Known("chess", figures={"branching": (35, 15)}),
    Known("hexapawn", figures={"first": (0, 0.25), "draws": (0, 0)}),
    Known("pig", {"goal": 100}, {"first": (0.5306, 0.2)}),
    Known("go"),
    Known("dots_and_boxes"),
    Known("quixo"),
    Known("dobutsu_shogi", figures={"first": (0, 0.5)}),
)
"""The games, with figures as (published, tolerance)."""


def main() -> None:
    """Analyse and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    wanted = parser.parse_args()
    table = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    missed = 0
    for known in GAMES:
        if wanted.games and known.file not in wanted.games:
            continue
        game = gamedsl.load(known.file, **known.parameters)
        analysis = gamedsl.analyse(game, seconds=wanted.seconds, threads=wanted.threads)
        table[title(known, analysis)] = measured(analysis)
        for name, measure, (figure, within) in compared(known, analysis):
            is_near = abs(measure - figure) <= within
            missed += not is_near
            mark = "agrees" if is_near else "DIFFERS"
            told = f"{measure:8.3f}  published {figure:g} ± {within:g}  {mark}"
            print(f"{known.file:18} {name:14} {told}")
        print(f"{known.file:18} {json.dumps(table[title(known, analysis)])}", flush=True)
        if wanted.write:
            TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{missed} figures differ")


def title(known: Known, analysis: GameAnalysis) -> str:
    """The title of a game with its size."""
    sizes = "x".join(map(str, known.parameters.values()))
    return f"{analysis.game} {sizes}".strip()


def compared(
    known: Known, analysis: GameAnalysis
) -> Iterator[tuple[str, float, tuple[float, float]]]:
    """The published figures with the measures."""
    random = analysis.levels[0]
    results = random.results
    values = measured(analysis) | {
        "random first": results.wins[0] / results.ended,
        "random draws": results.draws / results.ended,
        "random length": random.lengths.mean,
    }
    for name, figure in known.figures.items():
        yield name, values[name], figure


if __name__ == "__main__":
    main()
