"""`python -m benchmarks.ablation [--only GAME ...] [--seconds N] [--write]`.

The worth of each optimisation: the same work with the optimisation left out, beside the work with
all of them. A cell is a ratio of speeds: 0.5 means that leaving the part out takes twice as long;
`same` means that the same code is made, and nothing is timed. The answer of each contender is
checked first. All contenders of a game then take turns, and of each the shortest time of the
processor counts, since other work on the machine only ever adds to a time.

Four tables of time: the parts of the compiler, by counts of native code and by counts of generated
Python (random plays for `picking`), and the parts of the searches for values and for wins. A fifth
table has the Elo of alpha-beta with `evaluate` without each part, in paired games against the whole
search at an equal number of positions a move. `--write` puts the columns of the
games into the table with the same title in `docs/engines.md`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from time import process_time
from typing import Any

import gamedsl
from benchmarks import ours
from benchmarks.answers import PERFT, VALUES
from benchmarks.timing import WrongAnswerError
from gamedsl.compiler import native
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SearchLimits, ValueSearch
from gamedsl.game.contract import Action, History
from gamedsl.solvers.kernels.search import alpha_beta_kernel, cutoff_kernel, proof_number_kernel
from gamedsl.solvers.kernels.search.alpha_beta import KernelAlphaBeta
from gamedsl.solvers.kernels.search.cutoff import ALL_PARTS, KernelCutoff
from gamedsl.solvers.kernels.search.proof_number import KernelProofNumber
from gamedsl.solvers.matches.elo import elo_interval
from gamedsl.solvers.matches.match import play_pair

PAGE = Path(__file__).resolve().parents[1] / "docs" / "engines.md"

DEPTHS = {
    "checkers": (10, 5),
    "othello": (10, 6),
    "connect_four": (9, 6),
    "teeko": (6, 4),
    "kalah": (10, 7),
    "go": (5, 3),
    "hex": (6, 4),
    "dobutsu_shogi": (9, 6),
    "peg_solitaire": (10, 7),
    "chess": (5, 3),
}
"""Plies counted by native code, and by Python."""
OF_PLAYS = "picking"
"""The part that only random plays use."""
PLAYS = 100

SEARCHED: Mapping[str, dict[str, Any]] = {
    "connect_small": {"width": 5, "height": 5},
    "mnk": {"width": 4, "height": 4, "run": 4},
    "cubic_tic_tac_toe": {},
    "hex": {"width": 4, "height": 4},
    "kalah": {"pits": 4, "seeds": 3},
    "dots_and_boxes": {"width": 3, "height": 2},
    "domineering": {"width": 6, "height": 5},
    "cram": {"width": 5, "height": 5},
    "hexapawn": {"width": 5, "height": 5},
    "breakthrough": {"width": 5, "height": 4},
}
EVALUATED: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "chess": ({}, ""),
    "othello": ({}, ""),
    "breakthrough": (
        {"width": 6, "height": 6},
        "evaluate p: count(s for s in square where man[s] == p)"
        " - count(s for s in square where man[s] == other(p))\n",
    ),
    "checkers": (
        {},
        "def worth(p) = count(s for s in square where man[s] == p)"
        " + count(s for s in square where man[s] == p and king[s])\n"
        "evaluate p where not any(can_jump(s, d) for s in square for d in directions):"
        " worth(p) - worth(other(p))\n",
    ),
}
"""Parameters, and an evaluation that the file lacks."""
POSITIONS, PAIRS, LONGEST = 1_000, 12, 200
"""Positions a move, pairs of games, and plies of a game at most, of a match between searches."""


def _bits(module: object) -> dict[str, int]:
    """The parts of a search by name."""
    return {
        name.removeprefix("USES_").lower().replace("_", " "): bit
        for name, bit in vars(module).items()
        if name.startswith("USES_")
    }


USES = _bits(alpha_beta_kernel)
SYMMETRY = "symmetry"

EVERYTHING, AGAIN, NOTHING = "", "nothing", "all of them"
"""The contender with all parts, the same once more as a measure of the noise, and without any."""
SAME = "same"
ENDLESS = 3
"""A contender that takes so many times as long as everything is timed twice only."""
FEWEST, MOST = 3, 12
"""Rounds."""

Work = Callable[[], Callable[[], object]]
"""Makes a piece of work ready; the answer of the call is compared, its time counts."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is timed, and for each part the cells by game."""

    title: str
    games: tuple[str, ...]
    rows: Mapping[str, Mapping[str, str]]

    def text(self) -> str:
        """The table as Markdown."""
        lines = [f"| {self.title}, without | {' | '.join(self.games)} |"]
        lines.append("|---" * (len(self.games) + 1) + "|")
        for part, cells in self.rows.items():
            lines.append(f"| {part} | {' | '.join(cells[game] for game in self.games)} |")
        return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write if asked to. Raises WrongAnswerError."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="GAME", help="these games")
    parser.add_argument("--tables", nargs="+", default=TABLES, choices=TABLES, metavar="TITLE")
    parser.add_argument("--seconds", type=float, default=2, help="for each contender, about")
    parser.add_argument("--write", action="store_true", help=f"write the columns to {PAGE.name}")
    options = parser.parse_args(arguments)
    for title in options.tables:
        games, cells_of = TABLES[title]
        for game in games:
            if options.only and game not in options.only:
                continue
            cells = cells_of(game, seconds=options.seconds)
            table = Table(title, (game,), {part: {game: cell} for part, cell in cells.items()})
            print(f"\n{table.text()}", flush=True)
            if options.write:
                _write(table)
    return 0


def _write(table: Table) -> None:
    """Put columns into the table with this title; columns of other games stay."""
    page = PAGE.read_text("utf-8")
    old = re.search(rf"^\| {table.title}, without \|.*?\n(?=\n)", page, re.DOTALL | re.MULTILINE)
    assert old is not None, f"{PAGE} has no table of this title: {table.title}"
    head, _, *lines = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in old[0].split("\n")[:-1]
    )
    before = {part: dict(zip(head[1:], cells, strict=True)) for part, *cells in lines}
    columns = tuple(game for game in TABLES[table.title][0] if game in {*head, *table.games})
    rows = {
        part: {game: before.get(part, {}).get(game, "") for game in columns} | dict(cells)
        for part, cells in table.rows.items()
    }
    text = f"{Table(table.title, columns, rows).text()}\n"
    PAGE.write_text(page[: old.start()] + text + page[old.end() :], "utf-8")


def ratios(works: Mapping[str, Work], right: object, seconds: float) -> dict[str, float]:
    """The speed of each contender, as a ratio to `EVERYTHING`.

    Raises WrongAnswerError if an answer is not the right one.
    """
    shortest = {}
    for name, work in works.items():
        shortest[name], answer = _timed(work)
        if answer != right:
            raise WrongAnswerError(f"without {name}: {answer} and not {right}")
    rounds = round(seconds / shortest[EVERYTHING])
    for number in range(min(max(rounds, FEWEST), MOST)):
        for name, work in works.items():
            if number == 0 or shortest[name] < ENDLESS * shortest[EVERYTHING]:
                shortest[name] = min(shortest[name], _timed(work)[0])
    return {name: shortest[EVERYTHING] / time for name, time in shortest.items()}


def _timed(work: Work) -> tuple[float, object]:
    run = work()
    before = process_time()
    answer = run()
    return process_time() - before, answer


def _cells(parts: Sequence[str], measured: Mapping[str, float]) -> dict[str, str]:
    return {part: f"{measured[part]:.2f}" if part in measured else SAME for part in parts}


def _of_compiler(game: str, seconds: float, *, is_native: bool) -> dict[str, str]:
    """The cells of a game: passes and strategies of the compiler."""
    depth = DEPTHS[game][0 if is_native else 1]
    counts: dict[str, Work] = {}
    plays: dict[str, Work] = {}
    for name, without in _left_out():
        if without and _source(game, without) == _source(game, ()):
            continue
        own = _own(game, without, is_native=is_native)
        if name != OF_PLAYS:
            own.perft(1, is_bulk=True)  # machine code is made
            counts[name] = partial(partial, own.perft, depth, is_bulk=True)
        if name in (EVERYTHING, OF_PLAYS):
            plays[name] = partial(partial, _plays, own, PLAYS if is_native else 1)
    found = ratios(counts, PERFT[game][depth], seconds)
    if OF_PLAYS in plays:
        found |= ratios(plays, True, seconds)
    names = [name for name, _ in _left_out() if name]
    return _cells(names, found)


def _left_out() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The contenders' names, with the parts left out."""
    yield EVERYTHING, ()
    yield AGAIN, ()
    for part in ours.PARTS:
        yield part, (part,)
    yield NOTHING, ours.PARTS


@cache
def _own(game: str, without: tuple[str, ...], *, is_native: bool) -> ours.Ours:
    return ours.Ours(game, "native" if is_native else "python", without=without)


def _source(game: str, without: tuple[str, ...]) -> str:
    return _own(game, without, is_native=True).source


def _plays(own: ours.Ours, count: int) -> bool:
    return sum(own.playouts(count, seed=1).outcomes) == count


def _of_search(
    game: str, seconds: float, *, kind: Callable[..., ValueSearch], parts: Mapping[str, int]
) -> dict[str, str]:
    """The cells of a game: the parts of a search for values or for wins, from an empty table.

    Each search has its own kernels: all are optimised at once and kept: no compiling is timed.
    """
    native.SHORT, native.WORTH_KEEPING = sys.maxsize, 0
    loaded = gamedsl.load(game, **SEARCHED[game])
    assert isinstance(loaded.engine, CompiledEngine)
    engine, root = loaded.engine, loaded.initial_state()
    everything = sum(parts.values())
    bits = {EVERYTHING: 0, AGAIN: 0, **parts, NOTHING: everything}

    def work(bit: int, uses_symmetry: bool) -> Callable[[], object]:
        limits = SearchLimits(uses_symmetry=uses_symmetry)
        search = kind(engine, limits=limits, uses=everything & ~bit)
        return lambda: int(search.value(root)[0])

    works: dict[str, Work] = {
        name: partial(work, bit, bit != everything) for name, bit in bits.items()
    }
    works[SYMMETRY] = partial(work, 0, False)
    for name in (EVERYTHING, SYMMETRY):  # machine code is made
        works[name]()()
    return _cells([name for name in works if name], ratios(works, VALUES[game], seconds))


class Searcher:
    """A player of matches: alpha-beta with `evaluate`, without some parts."""

    unadvised = 0

    def __init__(self, engine: CompiledEngine, without: int) -> None:
        self._search = KernelCutoff(engine)
        self._search.uses &= ~without

    def prepare(self, history: History) -> None:
        """Nothing."""

    def choose(self, history: History, player: int) -> Action:
        """The action after so many positions, or after depth 1."""
        self._search.start(history[-1][0])
        self._search.run(POSITIONS)
        while (report := self._search.report()) is None:
            self._search.run(POSITIONS)
        return report.line[0]


def _of_estimates(game: str, seconds: float) -> dict[str, str]:
    """The cells of a game: Elo without each part of alpha-beta with `evaluate`; equal numbers of
    positions are compared, so `seconds` do not matter."""
    parameters, evaluation = EVALUATED[game]
    text = gamedsl.load(game).source.text
    loaded = gamedsl.load(f"{text}\n{evaluation}", **parameters)
    engine = loaded.engine
    assert isinstance(engine, CompiledEngine)
    bits = {AGAIN: 0, **_bits(cutoff_kernel), NOTHING: ALL_PARTS}
    if loaded.model.evaluation is None or loaded.model.evaluation.quiescent is None:
        del bits["quiescence"]
    cells = {}
    for name, bit in bits.items():
        players = Searcher(engine, bit), Searcher(engine, 0)
        pairs = [play_pair(loaded, players, number, 1, LONGEST) for number in range(PAIRS)]
        measured = elo_interval([pair.score for pair in pairs])
        mean, low, high = (round(n) for n in (measured.mean, measured.low, measured.high))
        cells[name] = f"{mean:+} ({low:+}..{high:+})"
    return {name: cells.get(name, SAME) for name in (AGAIN, *_bits(cutoff_kernel), NOTHING)}


TABLES: Mapping[str, tuple[tuple[str, ...], Callable[..., Mapping[str, str]]]] = {
    "native code": (tuple(DEPTHS), partial(_of_compiler, is_native=True)),
    "generated Python": (tuple(DEPTHS), partial(_of_compiler, is_native=False)),
    "search for values": (
        tuple(SEARCHED),
        partial(_of_search, kind=KernelAlphaBeta, parts=USES),
    ),
    "search for wins": (
        ("hex", "domineering", "cram", "hexapawn", "breakthrough"),
        partial(_of_search, kind=KernelProofNumber, parts=_bits(proof_number_kernel)),
    ),
    "search by estimates": (tuple(EVALUATED), _of_estimates),
}
"""The games of each table, and what measures a game's cells."""


if __name__ == "__main__":
    sys.exit(main())
