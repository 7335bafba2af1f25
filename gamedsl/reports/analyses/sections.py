"""The designer's report in words: sections of labelled sentences, for all formats.

In: a `GameAnalysis`. Out: `Section`s. A measure that was left out is told with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.analyses.suggestions import score_words, share_words, suggestions
from gamedsl.reports.paragraphs import listed
from gamedsl.reports.solutions.sentences import outcome_in_short
from gamedsl.solvers.analysis.analysis import GameAnalysis, Level
from gamedsl.solvers.analysis.measures import Results
from gamedsl.solvers.matches.elo import Interval
from gamedsl.solvers.reach import rounded
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_NAMED = 12
"""Names in a sentence, at most."""
MOST_MOVES = 20
"""Rows of moves, at most."""

Row = tuple[str, str]
"""A label and a text."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    title: str
    rows: tuple[Row, ...]


def sections_of(analysis: GameAnalysis) -> tuple[Section, ...]:
    """The sections with content, in order."""
    sections = (
        Section("In short", tuple(("", text) for text in suggestions(analysis))),
        Section("Results", tuple(_results(analysis))),
        Section("Length and choice", tuple(_lengths(analysis))),
        Section("Tension", tuple(_tension(analysis))),
        Section("Depth", tuple(_depth(analysis))),
        Section("First moves", tuple(_openings(analysis))),
        Section("Use of the rules", tuple(_usage(analysis))),
        Section("Size", tuple(_size(analysis))),
        Section("Left out", analysis.left_out),
    )
    return tuple(section for section in sections if section.rows)


def level_name(level: Level) -> str:
    """`random`, `100 plays`: the strength of a level."""
    return f"{level.strength:,} plays" if level.strength else "random"


def _results(analysis: GameAnalysis) -> Iterator[Row]:
    for level in analysis.levels:
        yield level_name(level), results_words(analysis, level.results)
    solution = analysis.solution
    if solution is not None:
        yield "best play", f"{outcome_in_short(solution)} (proved)"


def results_words(analysis: GameAnalysis, results: Results) -> str:
    """The results of a level: who wins how often, draws, unfinished plays, payoffs."""
    parts = []
    if len(analysis.players) > 1:
        parts += [
            f"{player} {share_words(results.share(wins))}"
            for player, wins in zip(analysis.players, results.wins, strict=True)
        ]
        if results.draws:
            parts.append(f"draws {share_words(results.share(results.draws))}")
        if results.shared:
            parts.append(f"shared {share_words(results.share(results.shared))}")
    shows_payoffs = not analysis.has_winners or len(analysis.players) != 2
    if results.payoffs and (shows_payoffs or _are_numbers(analysis)):
        means = ", ".join(f"{payoff:.3g}" for payoff in results.payoffs)
        parts.append(f"mean payoff {means}")
    if results.unfinished:
        parts.append(f"unfinished {results.unfinished / results.plays:.0%}")
    return f"{'; '.join(parts)} ({count(results.plays, 'play')})"


def _are_numbers(analysis: GameAnalysis) -> bool:
    return analysis.rules is not None and analysis.rules.facts.pays_numbers


def _lengths(analysis: GameAnalysis) -> Iterator[Row]:
    for level in analysis.levels:
        lengths, branching = level.lengths, level.branching
        yield (
            level_name(level),
            f"{lengths.mean:.1f} plies: least {lengths.least}, quartiles {lengths.lower:g} "
            f"{lengths.median:g} {lengths.upper:g}, most {lengths.most}; "
            f"{branching.mean:.1f} moves to choose from, at most {branching.most}, one alone in "
            f"{branching.forced:.0%} of the decisions",
        )


def _tension(analysis: GameAnalysis) -> Iterator[Row]:
    level = analysis.strongest
    tension = level.tension
    if level.permanence is not None:
        yield "permanence", f"{level.permanence:.0%} of the moves outlast the reply"
    if tension is None:
        return
    yield "uncertainty", f"{_mean(tension.uncertainty)} (1: even chances, 0: a sure result)"
    if tension.decided is not None:
        yield (
            "decided after",
            f"{tension.decided.mean:.0%} of the play the later winner stays at 0.75 or above",
        )
    if tension.drama is not None:
        yield "drama", f"{_mean(tension.drama)} is how far behind the later winner was"
    yield "lead changes", f"{_mean(tension.lead_changes)} a ply"
    yield "killer move", f"{_mean(tension.killer)} is the greatest change by a move of a play"


def _mean(interval: Interval) -> str:
    return f"{interval.mean:.2f} ({max(0.0, interval.low):.2f} to {interval.high:.2f})"


def _depth(analysis: GameAnalysis) -> Iterator[Row]:
    for rung in analysis.ladder:
        elo = rung.elo
        yield (
            f"{rung.stronger:,} plays",
            f"{round(elo.mean):+} Elo ({elo.low:+z.0f} to {elo.high:+z.0f}) against "
            f"{rung.weaker:,} plays ({count(rung.pairs, 'pair')} of games)",
        )


def _openings(analysis: GameAnalysis) -> Iterator[Row]:
    openings = analysis.openings
    if openings is None or len(analysis.players) < 2:
        return
    moves = openings.moves
    best, worst, fairest = moves[0], moves[-1], openings.fairest
    yield "best", f"{best.name} {best.value:.2f}"
    if len(moves) > 1:
        yield "worst", f"{worst.name} {worst.value:.2f}"
        yield "above a half", f"{openings.winning} of {count(len(moves), 'move')}"
        yield "fairest", f"{fairest.name} {fairest.value:.2f}"
    yield "search", f"{openings.plays:,} simulated plays of each move"


def _usage(analysis: GameAnalysis) -> Iterator[Row]:
    usage = analysis.usage
    if usage is None:
        return
    for move in usage.moves[:MOST_MOVES]:
        share = f"; strong players made it {move.strong:,} times" if usage.plays[1] else ""
        legal = sum(move.legal)
        told = f"legal in {legal:,} of {usage.positions:,} positions{share}"
        yield move.name, told if legal else f"never legal in {usage.positions:,} positions"
    if usage.coverage is not None:
        yield "squares used", f"{usage.coverage:.0%} of the board in a play"
        dead = usage.dead_squares
        yield "dead squares", listed(dead, MOST_NAMED) if dead else "none"
    if usage.missing_values:
        names = [f"{variable} = {value}" for variable, value in usage.missing_values]
        yield "never present", listed(names, MOST_NAMED)
    if usage.unchanged:
        yield "never changed", listed(usage.unchanged, MOST_NAMED)
    idle = analysis.idle
    if idle is None:
        return
    tried = f"{idle.tried} of {count(idle.all, 'part')} left out one at a time"
    seen = f"in {count(idle.positions, 'position')}; {tried}"
    yield "idle rules", f"{count(len(idle.parts), 'part')} made no difference {seen}"
    for line, column, text in idle.parts:
        yield f"{line}:{column}", text


def _size(analysis: GameAnalysis) -> Iterator[Row]:
    size = analysis.size
    if size is None:
        return
    if size.positions is not None:
        yield "positions", f"{size.positions:,}"
    elif size.about is not None:
        least, most = size.likely
        yield "positions", f"about {rounded(size.about)} ({rounded(least)} to {rounded(most)})"
    else:
        least = max(size.counted, size.probable)
        bound = "" if size.proved is None else f", at most {rounded(size.proved)}"
        yield "positions", f"at least {rounded(least)}{bound}"
    yield (
        "game tree",
        f"10^{analysis.tree_size:.1f}: mean number of moves to the power of the mean length",
    )
    yield "solving", solving_words(analysis)


def solving_words(analysis: GameAnalysis) -> str:
    """Whether `solve` would find a value."""
    size, solution = analysis.size, analysis.solution
    if solution is not None:
        return f"solved: {score_words(outcome_in_short(solution))}"
    if size is None:
        return "not tried"
    if size.refused is not None:
        return f"`gamedsl solve` refuses the game: {size.refused}"
    if size.out_of_reach is not None:
        return size.out_of_reach
    solver = size.taken or "a solver that shows on the way"
    return f"within reach, by {solver}; `gamedsl solve`"
