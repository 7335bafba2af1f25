"""`gamedsl probe` and `gamedsl verify`: query and verify saved solutions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gamedsl.archive.equilibria import (
    EquilibriumVerification,
    SavedEquilibrium,
    verify_equilibrium,
)
from gamedsl.archive.saved import SavedSolution
from gamedsl.archive.verification import AS_MANY_AS, Verification, verify_solution
from gamedsl.cli.bodies.shared import limits_of
from gamedsl.cli.bodies.solve import show_solution
from gamedsl.cli.boundary import wrong_usage
from gamedsl.cli.console import Console
from gamedsl.cli.exits import ExitCode
from gamedsl.cli.inputs import played, state_in
from gamedsl.cli.progress import ProgressLine
from gamedsl.cli.saved import opening, solution_at
from gamedsl.reports.json_text import data_of, game_data, json_text
from gamedsl.reports.outcomes import paid_words
from gamedsl.reports.paragraphs import fill
from gamedsl.solvers.decimals import rounded_up
from gamedsl.solvers.shards.ranks import ALONE, Ranks
from gamedsl.source.plurals import count

NO_POSITIONS = (
    "--at and --state ask for a position, and {} holds what players do by what they have seen",
    "`gamedsl best GAME --solution FILE --at MOVES` says what they do after a play",
)


def probe(path: Path, at: str, begin: Path | None, as_json: bool) -> ExitCode:
    """Print a solution's answer for the position after `at`, from the state in the file `begin`."""
    with opening(path) as saved:
        if isinstance(saved, SavedEquilibrium):
            if at or begin is not None:
                reason, advice = NO_POSITIONS
                raise wrong_usage(reason.format(path), advice)
            state = saved.game.initial_state()
            show_solution(saved.game, state, saved.solution(), as_json)
            return ExitCode.DONE
        root = saved.root if begin is None else state_in(saved.game, begin)
        state = played(saved.game, root, at)[1]
        solution = solution_at(saved, state)
        kept = replace(solution, seconds=0.0)  # of reading, not of solving
        show_solution(saved.solved, solution.state_of(state) or state, kept, as_json)
    return ExitCode.DONE


def verify(
    path: Path,
    positions: int | None,
    as_json: bool,
    quiet: bool,
    most_bytes: int | None = None,
    ranks: Ranks = ALONE,
) -> ExitCode:
    """Print whether a solution is right; NO if wrong. `positions`: number of positions checked;
    `most_bytes`: memory of a process; `ranks`: the processes that share the work."""
    with opening(path) as saved, ProgressLine("verifying", quiet) as progress:
        if isinstance(saved, SavedEquilibrium):
            held = verify_equilibrium(saved)
            text, data, fault = (
                _equilibrium_text(saved, held),
                data_of(held, "information_sets paid gains"),
                held.fault,
            )
        else:
            usual = None if saved.layers else AS_MANY_AS
            limits, most = limits_of(most_bytes, 0, progress, ranks), positions or usual
            verification = verify_solution(saved, most=most, limits=limits, ranks=ranks)
            text, data, fault = (
                _text(saved, verification),
                data_of(verification, "positions=of looked_at"),
                verification.fault,
            )
    console = Console(quiet)
    if as_json:
        about = {
            **game_data(saved.game),
            "rules_sha256": saved.facts["rules_sha256"],
        }
        console.out(json_text(about | data | {"is_right": fault is None, "fault": fault}))
    else:
        rules = f"{path}: {saved.game.name}, written by gamedsl {saved.facts['gamedsl']}"
        console.report(f"{rules}\n{text}")
    return ExitCode.DONE if fault is None else ExitCode.NO


def _equilibrium_text(saved: SavedEquilibrium, verification: EquilibriumVerification) -> str:
    if verification.fault is not None:
        return fill(f"wrong: {verification.fault}")
    most = max(verification.gains)
    gain = f"more than {rounded_up(most)}" if most else "anything"
    near = "" if most else ", which makes it an equilibrium"
    return fill(
        f"verified: by best replies in all {verification.information_sets:,} information sets "
        f"nobody gains {gain}{near}; it pays "
        f"{paid_words(saved.game.facts.players, verification.paid)}"
    )


def _text(saved: SavedSolution, verification: Verification) -> str:
    many = f"{verification.looked_at:,} of {count(verification.of, 'position')}"
    if verification.fault is not None:
        where = (
            f"\n\n{saved.game.show(verification.state)}" if verification.state is not None else ""
        )
        return f"wrong: {verification.fault}; after {many}{where}"
    if not verification.is_whole:
        return f"nothing wrong in {many}, picked at random (--positions all)"
    if saved.table.settled.chance is not None:
        claim = "every value is, within the error, what those after it say"
        events = " and chance events" if saved.game.facts.has_chance else ""
        return f"right: {claim}, in all {count(verification.of, 'position')}{events}"
    return f"verified: all {count(verification.of, 'position')}, by the rules in the file"
