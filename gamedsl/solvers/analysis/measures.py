"""Measures of recorded plays, each defined by the states, the results and the evaluations of plays.

In: plays of players of equal strength. Out: numbers with intervals. The definitions, with their
sources, stand in `docs/analysis.md`. A value of a position is the expected payoff of a player,
scaled so that the least payoff of the rules is 0 and the greatest 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from statistics import fmean, quantiles

from gamedsl.game.accelerator import Payoffs
from gamedsl.model.state import State
from gamedsl.solvers.analysis.plays import RecordedPlay
from gamedsl.solvers.matches.elo import TAIL, Interval, mean_interval
from gamedsl.source.records import dataclass

LEAD = 0.05
"""Difference of values from which a player leads."""
DECIDED = 0.75
"""Value of the winner from which a play is decided, if the value never falls below again."""

Ending = tuple[Payoffs | None, int]
"""Payoffs, None if broken off, and the number of plays."""
Curve = tuple[float, ...]
"""A player's values along a play."""


@dataclass(frozen=True, slots=True)
class Results:
    """The results of plays.

    Attributes:
        plays: number of plays.
        wins: for each player the plays in which the player alone has the greatest payoff.
        draws: plays in which all players have equal payoffs.
        shared: plays in which some, not all, players share the greatest payoff.
        unfinished: plays broken off because of their length.
        payoffs: mean payoff of each player over the plays that ended; () if none ended.
    """

    plays: int
    wins: tuple[int, ...]
    draws: int
    shared: int
    unfinished: int
    payoffs: tuple[float, ...]

    @property
    def ended(self) -> int:
        """Plays that ended."""
        return self.plays - self.unfinished

    def share(self, plays: int) -> Interval:
        """A part of the plays that ended, with Wilson's interval."""
        return wilson(plays, self.ended)

    @property
    def first_score(self) -> Interval:
        """The mean score of the first player: 1 for a win alone, a half for a draw, 1/n where n
        players share the result."""
        ended, players = self.ended, max(1, len(self.wins))
        if not ended:
            return Interval(0.5, 0.0, 1.0)
        won = self.wins[0] if self.wins else 0
        drawn = 1 / players
        mean = (won + drawn * self.draws) / ended
        squares = won * (1 - mean) ** 2 + self.draws * (drawn - mean) ** 2
        squares += (ended - won - self.draws) * mean**2
        variance = max(squares / max(1, ended - 1), 0.25 / (ended + 1))
        error = TAIL * sqrt(variance / ended)  # equal results prove no certainty
        return Interval(mean, max(0.0, mean - error), min(1.0, mean + error))


def results_of(endings: Iterable[Ending], players: int) -> Results:
    """The results of plays with these endings."""
    wins, draws, shared, unfinished, plays = [0] * players, 0, 0, 0, 0
    total = [Fraction(0)] * players
    for payoffs, count in endings:
        plays += count
        if payoffs is None:
            unfinished += count
            continue
        best = [player for player in range(players) if payoffs[player] == max(payoffs)]
        total = [held + count * payoff for held, payoff in zip(total, payoffs, strict=True)]
        if players == 1:
            continue
        if len(best) == 1:
            wins[best[0]] += count
        elif len(best) == players:
            draws += count
        else:
            shared += count
    ended = plays - unfinished
    means = tuple(float(held / ended) for held in total) if ended else ()
    return Results(plays, tuple(wins), draws, shared, unfinished, means)


def wilson(hits: float, count: int) -> Interval:
    """A share, with the interval of E. B. Wilson, "Probable inference, the law of succession, and
    statistical inference", 1927."""
    if not count:
        return Interval(0.5, 0.0, 1.0)
    share, extra = hits / count, TAIL**2 / count
    middle = (share + extra / 2) / (1 + extra)
    spread = TAIL * sqrt(share * (1 - share) / count + extra / (4 * count)) / (1 + extra)
    return Interval(share, max(0.0, middle - spread), min(1.0, middle + spread))


@dataclass(frozen=True, slots=True)
class Lengths:
    """Plies of plays: mean, least, quartiles, greatest; with the plies of each play, ascending."""

    mean: float
    least: int
    lower: float
    median: float
    upper: float
    most: int
    plies: tuple[int, ...]


def lengths_of(plays: Sequence[RecordedPlay]) -> Lengths:
    """The lengths of plays, of which there is at least one."""
    plies = sorted(play.plies for play in plays)
    lower, median, upper = quantiles(plies, method="inclusive") if len(plies) > 1 else plies * 3
    return Lengths(fmean(plies), plies[0], lower, median, upper, plies[-1], tuple(plies))


@dataclass(frozen=True, slots=True)
class Branching:
    """Numbers of legal actions at the decisions of plays.

    Attributes:
        mean: the mean over all decisions; most: the greatest number.
        forced: share of decisions with a single legal action.
        by_ply: the mean at each ply, as far as a quarter of the plays lasts.
    """

    mean: float
    most: int
    forced: float
    by_ply: tuple[float, ...]


def branching_of(plays: Sequence[RecordedPlay]) -> Branching:
    """The branching of plays with at least one decision."""
    rows = [[width for width in play.widths if width] for play in plays]
    every = [width for row in rows for width in row] or [0]
    by_ply = []
    for ply in range(max(map(len, rows))):
        there = [row[ply] for row in rows if len(row) > ply]
        if 4 * len(there) < len(rows):
            break
        by_ply.append(fmean(there))
    return Branching(fmean(every), max(every), every.count(1) / len(every), tuple(by_ply))


@dataclass(frozen=True, slots=True)
class Tension:
    """Measures of the values along plays; each an interval of the mean over plays.

    Attributes:
        drama: root mean square of how far the later winner was behind; None without winners.
        lead_changes: changes of the leader, by ply.
        uncertainty: mean closeness of the players, 1 for equal chances, 0 for a sure result.
        decided: the part of the play after which the winner's value stays at `DECIDED` or above;
            None without winners.
        killer: the greatest change of a player's value by one move.
        curve: the mean value of the later winner, at the hundredths of plays; () without winners.
    """

    drama: Interval | None
    lead_changes: Interval
    uncertainty: Interval
    decided: Interval | None
    killer: Interval
    curve: Curve


def tension_of(
    plays: Sequence[RecordedPlay], bounds: tuple[Fraction, Fraction], lead: float = LEAD
) -> Tension | None:
    """The tension of plays with values; None if no play of several players has values."""
    valued = [(play, rows) for play in plays if len(rows := scaled_values(play, bounds)) > 1]
    if not valued or len(valued[0][1][0]) < 2:
        return None
    won = [(rows, play.winner) for play, rows in valued if play.winner is not None]
    has_winners = bool(won)
    return Tension(
        drama=mean_interval([_behind(rows, winner) for rows, winner in won]) if won else None,
        lead_changes=mean_interval([_lead_changes(rows, lead) for _, rows in valued]),
        uncertainty=mean_interval([fmean(map(_closeness, rows)) for _, rows in valued]),
        decided=mean_interval([_decided(rows, winner) for rows, winner in won]) if won else None,
        killer=mean_interval([_greatest_change(rows) for _, rows in valued]),
        curve=_mean_curve([[row[w] for row in rows] for rows, w in won]) if has_winners else (),
    )


def scaled_values(play: RecordedPlay, bounds: tuple[Fraction, Fraction]) -> list[Curve]:
    """The values of all players, 0 to 1, in the positions with known values, and the payoffs."""
    low, high = map(float, bounds)
    spread = (high - low) or 1.0
    rows: list[Sequence[float]] = [row for row in play.values if row]
    if play.payoffs is not None and rows:
        rows.append([float(payoff) for payoff in play.payoffs])
    return [tuple((value - low) / spread for value in row) for row in rows]


def _behind(rows: Sequence[Curve], winner: int) -> float:
    return sqrt(fmean((max(row) - row[winner]) ** 2 for row in rows))


def _closeness(row: Curve) -> float:
    """1 less the difference between the two greatest values."""
    best, second = sorted(row)[-1:-3:-1]
    return max(0.0, 1 - (best - second))


def _lead_changes(rows: Sequence[Curve], lead: float) -> float:
    leader, changes = None, 0
    for row in rows:
        best, second = sorted(row)[-1:-3:-1]
        if best - second > lead:
            ahead = row.index(best)
            changes += leader is not None and leader != ahead
            leader = ahead
    return changes / (len(rows) - 1)


def _decided(rows: Sequence[Curve], winner: int) -> float:
    low = [place for place, row in enumerate(rows) if row[winner] < DECIDED]
    return (low[-1] + 1) / (len(rows) - 1) if low else 0.0


def _greatest_change(rows: Sequence[Curve]) -> float:
    pairs = pairwise(rows)
    return max(abs(b - a) for old, new in pairs for a, b in zip(old, new, strict=True))


def _mean_curve(curves: Sequence[Sequence[float]], points: int = 100) -> Curve:
    """The mean of curves of different lengths, each stretched to `points` points."""
    columns = (
        [curve[round(place * (len(curve) - 1) / (points - 1))] for curve in curves]
        for place in range(points)
    )
    return tuple(map(fmean, columns))


def permanence_of(
    plays: Iterable[RecordedPlay], on_board: Sequence[int]
) -> tuple[float, int] | None:
    """The share of moves whose effect on the board the next move of another player leaves as it is,
    and the number of moves; None without such moves.

    Args:
        on_board: the numbers of the cells on the board.
    """
    kept = total = 0
    for play in plays:
        for (old, mover), (new, after), state in _triples(play):
            if mover < 0 or after < 0 or mover == after:
                continue
            cells = old.cells, new.cells, state.cells
            changed = [cell for cell in on_board if cells[0][cell] != cells[1][cell]]
            if changed:
                total += 1
                kept += all(cells[1][cell] == cells[2][cell] for cell in changed)
    return (kept / total, total) if total else None


def _triples(
    play: RecordedPlay,
) -> Iterator[tuple[tuple[State, int], tuple[State, int], State]]:
    states = [*(state for state, _ in play.steps), play.state]
    for place in range(len(play.steps) - 1):
        here, after = play.movers[place : place + 2]
        yield (states[place], here), (states[place + 1], after), states[place + 2]


def endings_of(plays: Iterable[RecordedPlay]) -> list[Ending]:
    """The endings of plays, with frequencies."""
    return list(Counter(play.payoffs for play in plays).items())
