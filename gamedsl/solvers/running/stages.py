"""Solves games with simultaneous choices stage by stage."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.exact.backward_induction import equilibria_of_first_stage
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import Requirement, count_instead, refuse_unless
from gamedsl.solvers.running.acyclic import by_backward_induction
from gamedsl.solvers.running.forms import (
    kind_of_equilibria,
)
from gamedsl.solvers.solution import Others
from gamedsl.solvers.solution_parts import (
    SolutionParts,
    with_equilibria,
)
from gamedsl.solvers.solver_names import SolverName

LATER_KIND = (
    "; later positions have several equilibria too, and there the first was taken (--policy shows "
    "what it pays)"
)

OPPOSED_STAGES_KIND = (
    "an equilibrium in pure strategies: neither gains by another choice, and there is no "
    "equilibrium with another value"
)

STAGES_KIND = (
    "an equilibrium: in every position with choices made at once, neither gains on average by "
    "other probabilities; all equilibria have this value"
)

ONLY_KIND = (
    "the only {}: what is left when choices are crossed out, one after the other, that are worse "
    "than another whatever the others do"
)

DOMINANT_KIND = (
    "{} in weakly dominant choices: none is worse than another of the same player, whatever the "
    "others do; there may be other equilibria, with other payoffs"
)


def by_stages(problem: Problem) -> SolutionParts:
    """Solves every stage after its successors: by dominance, saddle points, mixtures, or the
    equilibria of the stage."""
    _ = problem.analysis.order
    last = Requirement.LAST_MOVE
    seen, instead = {last: not problem.analysis.can_return}, {last: count_instead(problem.game)}
    refuse_unless(problem.game, frozenset({last}), seen=seen, instead=instead)
    parts = by_backward_induction(problem)
    assert isinstance(parts.solved, SolvedGraph), "backward induction solves graphs"
    if parts.solved.equilibria:
        return _by_equilibria_of_stages(parts, parts.solved)
    is_open = problem.analysis.is_opposed or parts.solved.by_dominance
    if not is_open:
        parts = replace(parts, equilibria=equilibria_of_first_stage(parts.solved))
    if parts.strategies:
        return replace(parts, kind=STAGES_KIND, solver=SolverName.STAGES)
    stages = sum(mover == SIMULTANEOUS for mover in problem.graph.movers)
    what = "equilibrium" if stages == 1 else "subgame-perfect equilibrium"
    if isinstance(parts.solved, SolvedGraph) and parts.solved.by_dominance:
        kind = DOMINANT_KIND.format(f"{'an' if stages == 1 else 'a'} {what}")
        return replace(parts, kind=kind, solver=SolverName.DOMINANT, others=Others.POSSIBLE)
    kind = OPPOSED_STAGES_KIND if problem.analysis.is_opposed else ONLY_KIND.format(what)
    is_only = parts.ties is None
    return replace(parts, kind=kind if is_only else None, solver=SolverName.DOMINANCE)


def _by_equilibria_of_stages(parts: SolutionParts, solved: SolvedGraph) -> SolutionParts:
    """Simultaneous choices decided neither by dominance nor by opposed interests."""
    first = solved.equilibria.get(0)
    later = any(not one.is_only for node, one in solved.equilibria.items() if node)
    kind = STAGES_KIND if first is None else kind_of_equilibria(first)
    if first is None:
        kind = "a subgame-perfect equilibrium: nobody gains by other choices in any position"
    elif len(solved.equilibria) > 1 or solved.graph.movers.count(SIMULTANEOUS) > 1:
        kind = f"{kind}, given what follows"
    if later:
        kind += LATER_KIND
    parts = replace(parts, kind=kind, solver=SolverName.NORMAL_FORM, ties=None, alternatives=())
    parts = parts if first is None else with_equilibria(parts, first)
    return replace(parts, others=Others.POSSIBLE) if later else parts
