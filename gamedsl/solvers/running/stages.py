"""Solves games with simultaneous choices stage by stage."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.exact.simultaneous_stages import equilibria_of_first_stage
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.form_solutions import with_equilibria
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import Requirement, count_instead, refuse_unless
from gamedsl.solvers.running.acyclic import by_backward_induction
from gamedsl.solvers.running.forms import kind_of_equilibria
from gamedsl.solvers.solution import Others, Solution, with_evidence

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


def by_stages(problem: Problem) -> Solution:
    """Solves every stage after its successors: by dominance, saddle points, mixtures, or the
    equilibria of the stage."""
    _ = problem.analysis.order
    last = Requirement.LAST_MOVE
    seen, instead = {last: not problem.analysis.can_return}, {last: count_instead(problem.game)}
    refuse_unless(problem.game, frozenset({last}), seen=seen, instead=instead)
    solution = by_backward_induction(problem)
    solved = solution.solved
    assert isinstance(solved, SolvedGraph), "backward induction solves graphs"
    if solved.equilibria:
        return _by_equilibria_of_stages(solution, solved)
    if not (problem.analysis.is_opposed or solved.by_dominance):
        solution = with_evidence(solution, equilibria=equilibria_of_first_stage(solved))
    if solution.strategies:
        return replace(solution, kind=STAGES_KIND, solver=SolverName.STAGES)
    stages = sum(mover == SIMULTANEOUS for mover in problem.graph.movers)
    concept = "equilibrium" if stages == 1 else "subgame-perfect equilibrium"
    if solved.by_dominance:
        kind = DOMINANT_KIND.format(f"{'an' if stages == 1 else 'a'} {concept}")
        return replace(solution, kind=kind, solver=SolverName.DOMINANT, others=Others.POSSIBLE)
    kind = OPPOSED_STAGES_KIND if problem.analysis.is_opposed else ONLY_KIND.format(concept)
    is_only = solution.ties is None
    return replace(solution, kind=kind if is_only else None, solver=SolverName.DOMINANCE)


def _by_equilibria_of_stages(solution: Solution, solved: SolvedGraph) -> Solution:
    """Simultaneous choices decided neither by dominance nor by opposed interests."""
    first = solved.equilibria.get(0)
    later = any(not stage.is_only for node, stage in solved.equilibria.items() if node)
    kind = STAGES_KIND if first is None else kind_of_equilibria(first)
    if first is None:
        kind = "a subgame-perfect equilibrium: nobody gains by other choices in any position"
    elif len(solved.equilibria) > 1 or solved.graph.movers.count(SIMULTANEOUS) > 1:
        kind = f"{kind}, given what follows"
    if later:
        kind += LATER_KIND
    solution = replace(
        solution, kind=kind, solver=SolverName.NORMAL_FORM, ties=None, alternatives=()
    )
    solution = solution if first is None else with_equilibria(solution, first)
    return replace(solution, others=Others.POSSIBLE) if later else solution
