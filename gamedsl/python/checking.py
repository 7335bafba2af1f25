"""The work of `gamedsl check`: read, check and play a game, and verify the claims of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from gamedsl.compiler.options import NOT_COUNTED
from gamedsl.conformance import PlayTest, explore
from gamedsl.conformance.time_limits import MOST_SECONDS, Pace
from gamedsl.game import LoadedGame, find_source, load_source, read_program
from gamedsl.game.checking import rules_of
from gamedsl.model import GameRuleError, GameSourceError, Model, check_most_players
from gamedsl.model import check as check_rules
from gamedsl.model.expectations import Expectation
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.python.coerce import GivenGame
from gamedsl.python.explored import graph_of, native_count
from gamedsl.reports.checks.findings import FileReport
from gamedsl.reports.checks.rule_errors import rule_error_diagnostic
from gamedsl.solvers.expectations import Verdict, Verifier
from gamedsl.solvers.graphs.graph import Progress, StateGraph
from gamedsl.solvers.planner import why_refused
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.collecting import uncollected
from gamedsl.source.keywords import answering
from gamedsl.source.meant import unmarked
from gamedsl.source.records import dataclass
from gamedsl.syntax.ast import Program
from gamedsl.syntax.including.expand import Loader

SMALL = 2_000
"""Limit on positions for a trial solution, if the rules do not tell whether the game is solvable.
"""

MOST_LISTED = 50_000
"""Limit on the actions of a game whose first moves the interpreter lists for a claim."""

MOST_CLAIMED, MOST_POSITIONS = 200, 2_000
"""Limits for a claim of several plies that the interpreter counts: the claimed number of plays, and
the positions that list their moves if every action is always legal."""


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """Limits of a check.

    Attributes:
        plays: whether to play the game.
        positions: most positions of the search for errors; None: a number suited to the game.
        max_positions: positions for the verification of claims; None: the default of `solve`.
        max_seconds: time limit for a file; claims get the time left by reading and playing.
        max_rounds: limit on the rounds of loops in a body; None: the language's default.
    """

    plays: bool = True
    positions: int | None = None
    max_positions: int | None = None
    max_seconds: float | None = None
    max_rounds: int | None = None


NO_LIMITS = CheckLimits()
PART_OF_PLAY = 0.6
"""Share of the time limit for the search for errors; claims get the rest."""
OF_FILES = "E00"
"""Prefix of the codes about the file, such as an unreadable file."""


@answering
def check(
    game: GivenGame,
    *,
    plays: bool = True,
    positions: int | None = None,
    max_positions: int | None = None,
    max_seconds: float | None = None,
    claims: str | Path | None = None,
    progress: Progress | None = None,
) -> FileReport:
    """All findings about a game: `report.is_ok`, `report.findings()`, or the printed report.

    Unlike `load`, `check` reports mistakes in the text instead of raising exceptions.

    Args:
        game: a game, or a path, text or name as accepted by `load`.
        plays, positions, max_positions, max_seconds: limits as in `CheckLimits`.
        claims: a file of claims, or the text of the file, as in `check_source`.
        progress: called with (explored, waiting) at intervals.
    """
    if not isinstance(game, str | Path):
        source: SourceFile | Diagnostic = game.source
        parameters, rounds = dict(game.parameters), game.model.max_rounds
    else:
        source, parameters, rounds = find_source(game), {}, None
    if isinstance(source, Diagnostic):
        return FileReport(source.file_name, None, (source,))
    limits = CheckLimits(plays, positions, max_positions, max_seconds, rounds)
    claimed = None if claims is None else find_source(claims)
    if isinstance(claimed, Diagnostic):
        return FileReport(claimed.file_name, None, (claimed,))
    file = None if not isinstance(game, str | Path) or "\n" in str(game) else str(game)
    return check_source(source, parameters, limits, file=file, claims=claimed, progress=progress)


def check_source(
    source: SourceFile,
    parameters: Mapping[str, str],
    limits: CheckLimits = NO_LIMITS,
    *,
    file: str | None = None,
    claims: SourceFile | None = None,
    progress: Progress | None = None,
    load: Loader | None = None,
) -> FileReport:
    """All findings of a text.

    Args:
        source: the text of the game.
        parameters: parameter values in the language's notation.
        limits: limits of the check.
        file: the name of the text in the report; None: the source's name.
        claims: a file that includes a game. The text replaces the included game, and the claims of
            the file are verified instead of the text's. Answers can therefore be kept apart from
            an exercise.
        progress: called with (explored, waiting) at intervals.
        load: finds included files; None: files on disk.
    """
    file = source.name if file is None else file
    report = _checked(source, parameters, limits, file, claims, progress, load)
    report = replace(report, diagnostics=unmarked(report.diagnostics))
    if claims is None:
        return report
    diagnostics = tuple(_of_the_rules(diagnostic, source) for diagnostic in report.diagnostics)
    return replace(report, diagnostics=diagnostics, claims=claims.name)


def _of_the_rules(diagnostic: Diagnostic, source: SourceFile) -> Diagnostic:
    """Assign a finding about the whole game to the text of the rules.

    Without a place such a finding would be assigned to the file of claims that includes the rules.
    """
    if diagnostic.primary is not None or diagnostic.code.startswith(OF_FILES):
        return diagnostic
    return replace(diagnostic, source=source, file=source.name)


@uncollected()
def _checked(
    source: SourceFile,
    parameters: Mapping[str, str],
    limits: CheckLimits,
    file: str,
    claims: SourceFile | None,
    progress: Progress | None,
    load: Loader | None,
) -> FileReport:
    """The findings; garbage is collected after the return, when most of it has gone by itself."""
    begun = perf_counter()
    program, diagnostics = read_program(claims or source, None if claims is None else source, load)
    model, more = check_rules(program, parameters, limits.max_rounds or MOST_ROUNDS)
    diagnostics = (*diagnostics, *more)
    if model is None or any(diagnostic.is_error for diagnostic in diagnostics):
        return FileReport(file, program.source, diagnostics)
    diagnostics += check_most_players(program, model, parameters)
    game = LoadedGame(model, "auto", NOT_COUNTED)
    if not limits.plays:
        return FileReport(file, game.source, diagnostics, facts=game.facts)
    return _played(file, program, game, parameters, diagnostics, limits, progress, begun)


def _news(met: Iterable[Diagnostic], known: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What was met in play, without variables that never changed and that no rule asks for."""
    idle = {note.primary for note in known if note.code == "W1002"}
    return (note for note in met if note.code != "W3108" or note.primary not in idle)


def _played(
    file: str,
    program: Program,
    game: LoadedGame,
    parameters: Mapping[str, str],
    diagnostics: tuple[Diagnostic, ...],
    limits: CheckLimits,
    progress: Progress | None,
    begun: float,
) -> FileReport:
    exploration = explore(
        game,
        max_positions=limits.positions,
        progress=progress,
        count=native_count,
        pace=Pace(),
        max_seconds=None if limits.max_seconds is None else limits.max_seconds * PART_OF_PLAY,
    )
    if exploration.per_second is not None:
        limits = replace(limits, max_seconds=perf_counter() - begun + MOST_SECONDS)
    diagnostics = (*diagnostics, *_news(exploration.diagnostics, diagnostics))
    verified = _Verified()
    left_out, refusal = 0, None
    if not any(diagnostic.is_error for diagnostic in diagnostics):
        claims = _claims(game, parameters)
        left_out = len(game.expectations) - len(claims)
        if limits.max_seconds is not None:
            left = limits.max_seconds - (perf_counter() - begun)
            limits = replace(limits, max_seconds=max(0.0, left))
        explored = _graph_of(game, exploration)
        verified = _verified(program, game, claims, parameters, limits, progress, explored)
        diagnostics = (*diagnostics, *verified.failures)
        is_small = exploration.is_complete and exploration.positions <= SMALL
        if not verified.has_solution:
            refusal = why_refused(game, returns=exploration.returns, is_small=is_small)
    return FileReport(
        file,
        game.source,
        diagnostics,
        verified.verdicts,
        game.facts,
        replace(exploration, visits=None),
        left_out,
        refusal,
        game.fallback,
    )


def _graph_of(game: LoadedGame, exploration: PlayTest) -> Callable[[], StateGraph] | None:
    """The graph of a completely explored game without errors, reused for the claims."""
    visits = exploration.visits
    if not exploration.is_complete or visits is None or game.facts.is_simultaneous:
        return None
    return lambda: graph_of(game, visits)


def _claims(game: LoadedGame, parameters: Mapping[str, str]) -> tuple[Expectation, ...]:
    """The claims about the game with these parameters.

    A claim refers to the file's parameters, except for parameters that the claim sets.
    """
    if not parameters:
        return game.expectations
    changed = _changed(game, parameters)
    return tuple(
        claim for claim in game.expectations if changed <= {name for name, _ in claim.settings}
    )


def _changed(game: LoadedGame, parameters: Mapping[str, str]) -> set[str]:
    """The parameters with values different from the file's."""
    try:
        written = load_source(game.source, {}, max_rounds=game.model.max_rounds).parameters
    except GameSourceError:
        return set(parameters)
    return {name for name in parameters if game.parameters[name] != written[name]}


@dataclass(frozen=True, slots=True)
class _Verified:
    """The verdicts on all claims.

    Attributes:
        failures: errors in the rules met during the verification.
        has_solution: whether a claim has had the game solved.
    """

    verdicts: tuple[Verdict, ...] = ()
    failures: tuple[Diagnostic, ...] = ()
    has_solution: bool = False


def _is_short(model: Model, claims: tuple[Expectation, ...], settings: Mapping[str, str]) -> bool:
    """Whether all claims with these settings count few moves.

    The interpreter lists the moves of few positions sooner than the rules are compiled, unless a
    move has very many instances. A wrong claim may concern more positions than claimed, up to the
    number given by the declarations.
    """
    facts = model.facts
    if facts.has_chance or facts.action_count > MOST_LISTED:
        return False
    for claim in claims:
        if dict(claim.settings) == settings:
            depth = claim.number or 0
            if claim.fact != "perft" or claim.in_turns:
                return False
            is_few = claim.claims[0] in range(MOST_CLAIMED + 1)
            if depth > 1 and not (is_few and facts.action_count ** (depth - 1) <= MOST_POSITIONS):
                return False
    return True


def _verified(
    program: Program,
    game: LoadedGame,
    claims: tuple[Expectation, ...],
    parameters: Mapping[str, str],
    limits: CheckLimits,
    progress: Progress | None,
    explored: Callable[[], StateGraph] | None,
) -> _Verified:
    """Verify the claims."""

    def reload(settings: Mapping[str, str]) -> LoadedGame:
        bound = {**parameters, **settings}
        model = rules_of(program, (), bound, game.model.max_rounds)
        engine = "interpreter" if _is_short(model, claims, settings) else game.engine_name
        return LoadedGame(model, engine, NOT_COUNTED)

    verifier = Verifier(
        game,
        reload,
        claims,
        max_positions=limits.max_positions,
        max_seconds=limits.max_seconds,
        progress=progress,
        explored=explored,
    )
    verdicts: list[Verdict] = []
    failures: list[Diagnostic] = []
    for expectation in claims:
        try:
            verdicts.append(verifier.verify(expectation))
        except GameRuleError as error:
            failures.append(rule_error_diagnostic(error, game))
        except GameSourceError as error:
            failures += [diagnostic for diagnostic in error.diagnostics if diagnostic.is_error]
    return _Verified(tuple(verdicts), tuple(dict.fromkeys(failures)), verifier.has_solution)
