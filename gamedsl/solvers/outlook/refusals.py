"""Why an algorithm does not apply to a game, as far as the rules and a look at the graph tell.

In: a game and the name of an algorithm. Out: a reason, in the words of `solve --solver NAME`, or
None. Nothing is explored or solved here.
"""

from __future__ import annotations

from gamedsl.game.contract import Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.chance import value_iteration
from gamedsl.solvers.exact import puzzle, retrograde
from gamedsl.solvers.planner import FROM_THE_LAST_STAGE, ON_SEQUENCES, TOGETHER, required
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.solvers.solution import SolverName
from gamedsl.source.plurals import count

OWN = {
    SolverName.RETROGRADE: retrograde.REQUIRES,
    SolverName.VALUE_ITERATION: value_iteration.REQUIRES,
    SolverName.NATIVE_ALPHA_BETA: retrograde.REQUIRES,
    SolverName.NATIVE_PROOF_NUMBERS: retrograde.REQUIRES,
    SolverName.SHORTEST_SOLUTION: puzzle.REQUIRES,
    SolverName.NATIVE_SHORTEST_SOLUTION: puzzle.REQUIRES,
    SolverName.NATIVE_DEEPENING: puzzle.REQUIRES,
}
"""What algorithms require besides."""
FROM_THE_END = (SolverName.BACKWARD_INDUCTION, SolverName.NATIVE_ALPHA_BETA)
FOR_OPPOSED = (SolverName.STRATEGY_IMPROVEMENT, SolverName.NATIVE_PROOF_NUMBERS)


def why_not(game: Game, solver: SolverName, *, returns: bool, is_begun: bool = False) -> str | None:
    """The reason; None if the algorithm applies, or nothing is known that forbids it.

    `returns`: play is known to come back to an earlier position; `is_begun`: the position in
    question is not the first.
    """
    facts, name = game.facts, game.name
    players = len(facts.players)
    try:
        refuse_unless(game, required(game, solver))
        refuse_unless(game, OWN.get(solver, frozenset()))
    except UnsupportedGameError as refusal:
        return refusal.reason
    if solver in FROM_THE_END and returns:
        return (
            f"play of {name} can return to an earlier position, so there is no last move to "
            "begin with"
        )
    if solver in TOGETHER and not facts.is_simultaneous:
        return f"players of {name} never choose at the same time"
    if solver in FOR_OPPOSED and not facts.is_zero_sum:
        return "it is for two players with opposed interests"
    if solver in FROM_THE_LAST_STAGE and returns:
        return (
            f"players of {name} choose at the same time, and play can return to an earlier "
            "position, so there is no last stage to begin with"
        )
    if solver is SolverName.INFORMATION and not (facts.has_secrets and players == 1):
        return f"it is for one player who does not see the whole position of {name}"
    if solver in ON_SEQUENCES and not facts.has_secrets and not facts.is_simultaneous:
        return f"players of {name} see the whole position, one after the other"
    if solver in ON_SEQUENCES and returns:
        return (
            f"play of {name} can return to an earlier position, so there are plays without number"
        )
    if solver is SolverName.SEQUENCE_FORM and players != 2:
        return f"{name} has {count(players, 'player')}, and it is for two"
    if solver in {SolverName.NATIVE_ALPHA_BETA, SolverName.TEAM, *ON_SEQUENCES} and players == 1:
        return f"one player alone decides in {name}"
    if is_begun and solver in {SolverName.INFORMATION, *ON_SEQUENCES}:
        return f"what is known in a position of {name} depends on the play that led there"
    if solver is SolverName.POLICY_ITERATION and facts.pays_at_the_end:
        return f"nothing is paid in {name} before the end, and nothing discounted"
    if solver is SolverName.STATIONARY and players == 1:
        return f"one player alone decides in {name}"
    if solver in {SolverName.STATIONARY, SolverName.TEAM} and facts.is_zero_sum:
        return f"interests in {name} are opposed"
    return None
