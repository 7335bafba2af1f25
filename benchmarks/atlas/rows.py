"""The rows of the atlas: a shipped game with some parameters, solved, beside what is published.

In: a name and how long a row may take. Out: a row as JSON has it. Rows are those of the defaults
and of every set of parameters that an `expect` line or a line of `published` speaks of.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import perf_counter, process_time
from typing import Any

from benchmarks.atlas.published import FURTHER
from gamedsl.game.loading import find_source, load_source
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.expectations import Expectation
from gamedsl.reports.outcomes import outcome_words
from gamedsl.reports.phrases import decimal_text
from gamedsl.solvers.claimed_values import VALUES
from gamedsl.solvers.expectations import Verdict, Verifier
from gamedsl.solvers.feasibility.estimate import estimate
from gamedsl.solvers.graphs.graph import OutOfTimeError, Progress
from gamedsl.solvers.graphs.visits import Visits
from gamedsl.solvers.reach import rounded
from gamedsl.solvers.solution import Solution, Status
from gamedsl.source.text import SourceFile

Settings = tuple[tuple[str, str], ...]
Row = dict[str, Any]

FACTS = {*VALUES, "plies", "best", "progress", "states", "terminals", "infosets"}
"""What is held against a solution; counts of plays say nothing of best play."""
MEASURED = ("seconds", "bytes", "needs")
"""Fields that differ from run to run."""
MOST_NAMED = 12
"""First moves that are named; of more, their number."""
PLAYS, SEEN, LONGEST = 200, 60_000, 200
MOST_GONE_THROUGH = 500_000
"""Positions of a solution up to which the longest best play is looked for."""
TO_ESTIMATE = 1.0
"""Seconds for what an open row would need."""


class Shipped:
    """A shipped game with its claims, those of `published` included."""

    def __init__(self, name: str) -> None:
        source = find_source(name)
        assert isinstance(source, SourceFile), name
        further = FURTHER.get(name, "")
        self.name = name
        if further:
            source = SourceFile(source.name, f"{source.text.rstrip()}\n{further}", source.path)
        self._source = source
        self.game = load_source(source, {})

    def rows(self) -> dict[Settings, list[Expectation]]:
        """The claims of each row, the defaults first."""
        found: dict[Settings, list[Expectation]] = {(): []}
        for one in self.game.expectations:
            if one.fact in FACTS and not one.after:
                found.setdefault(tuple(sorted(one.settings)), []).append(one)
        return found

    def source_of(self, claim: Expectation) -> str:
        """The comment at a claim, or at the nearest one above that has one."""
        lines = self._source.text.splitlines()
        number = next((n for n, line in enumerate(lines) if line.startswith(claim.text)), -1)
        for line in reversed(lines[: number + 1]):
            if not line.startswith("expect"):
                break
            _, sign, comment = line.partition("#")
            if sign:
                return comment.strip()
        return ""

    def reload(self, settings: Mapping[str, str]) -> Any:
        """The game with other parameters."""
        return load_source(self._source, dict(settings))


def key_of(name: str, settings: Settings) -> str:
    """How a row is called: as one would type it."""
    return " ".join([name, *(f"-D {a}={b}" for a, b in settings)])


def row(shipped: Shipped, settings: Settings, claims: list[Expectation], seconds: float) -> Row:
    """One row, worked out in this process: strongly in so many seconds, else in as many again what
    its claims ask for, which may be the value alone."""
    game = shipped.reload(dict(settings)) if settings else shipped.game
    found: Row = {"game": shipped.name, "title": game.name, "parameters": dict(settings)}
    started = perf_counter()
    for asked in ((), tuple(claims)):
        limit = until(process_time() + seconds)
        verifier = Verifier(shipped.game, shipped.reload, asked, progress=limit)
        try:
            solution = verifier.solution(settings)
        except (UnsupportedGameError, GameRuleError) as refusal:
            reason = getattr(refusal, "reason", str(refusal))
            return found | {"status": "refused", "outcome": reason, "seconds": 0.0, "claims": []}
        except RuntimeError:
            solution = None
        if solution is not None and solution.status is not Status.OPEN:
            break
    else:
        return found | _open(game, solution)
    took = perf_counter() - started
    verdicts = [verifier.verify(one) for one in claims]
    claimed = {"claims": [_claim(shipped, one) for one in verdicts], "seconds": round(took, 2)}
    return found | answers(game, solution) | claimed


def answers(game: Any, solution: Solution) -> Row:
    """What a solution tells, for a row."""
    return {
        "status": str(solution.status),
        "value": _value(solution),
        "outcome": solution.outcome,
        "best": list(solution.best[:MOST_NAMED]),
        "best_of": [len(solution.best), len(solution.moves)],
        "positions": solution.positions,
        "plies": solution.plies,
        "longest": _longest(solution),
        "branching": _branching(game),
        "solver": str(solution.solver),
    }


def until(deadline: float) -> Progress:
    """A listener that ends a search after so much computing, however busy the machine is."""

    def listener(explored: int, frontier: int) -> None:
        if process_time() > deadline:
            raise OutOfTimeError(explored, frontier)

    return listener


def _open(game: Any, solution: Solution | None) -> Row:
    if solution is not None and "out of reach" in solution.outcome:
        return _open_row(game, solution.outcome.removeprefix("not solved, "))
    look = estimate(game, seconds=TO_ESTIMATE)
    taken = "no solver" if look.taken is None else str(look.taken)
    least = rounded(max(look.counted, look.probable))
    (forecast,) = [f for f in look.forecasts if f.solver is look.taken] or [None]
    needs = f"very probably at least {least} positions; {taken}"
    if forecast is not None and forecast.bytes is not None:
        needs += f", {forecast.bytes[0] / 1e9:.2g} GB or more"
    return _open_row(game, needs)


def _open_row(game: Any, needs: str) -> Row:
    return {
        "status": "open", "outcome": "not solved", "branching": _branching(game), "claims": [],
        "needs": needs, "seconds": 0.0,
    }  # fmt: skip


def _value(solution: Solution) -> list[str]:
    """Exact, or the digits that the error leaves."""
    assert solution.value is not None
    if not solution.error_bound:
        return [str(payoff) for payoff in solution.value]
    digits = max(0, math.floor(-math.log10(float(solution.error_bound))) - 1)
    return [f"{float(decimal_text(payoff)):.{min(digits, 9)}f}" for payoff in solution.value]


def _longest(solution: Solution) -> dict[str, int]:
    """The most plies of best play from any position, by its result."""
    if solution.positions > MOST_GONE_THROUGH:
        return {}
    try:
        results = solution.lengths().results
    except UnsupportedGameError:
        return {}
    players = solution.players
    return {outcome_words(players, one.value): one.plies for one in results if one.plies}


def _branching(game: Any) -> float:
    """Actions of a position on average, in random plays that are always the same ones."""
    visits = Visits(game, game.initial_state(), Random(0), LONGEST)
    visits.play(PLAYS, SEEN, math.inf)
    return round(visits.branching, 2)


def _claim(shipped: Shipped, verdict: Verdict) -> Row:
    claim = verdict.expectation
    return {
        "claim": claim.text.removeprefix("expect ").strip(),
        "agrees": verdict.ok,
        "source": shipped.source_of(claim),
    }


def in_a_process(work: Callable[[], Row]) -> Row:
    """What the work gives, with the computing time and the memory that it took."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as stream:
                json.dump(work(), stream)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as stream:
        text = stream.read()
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError("a row could not be worked out")
    found: Row = json.loads(text)
    found["seconds"] = round(usage.ru_utime + usage.ru_stime, 2)
    found["bytes"] = usage.ru_maxrss * 1024
    return found


def all_rows(names: list[str]) -> Iterator[tuple[str, Shipped, Settings, list[Expectation]]]:
    """Every row that the atlas should have."""
    for name in names:
        shipped = Shipped(name)
        for settings, claims in shipped.rows().items():
            yield key_of(name, settings), shipped, settings, claims
