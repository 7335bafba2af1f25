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
from gamedsl.solvers.running.forms import answer_of_equilibria
from gamedsl.solvers.solution import Others, Solution, with_evidence
from gamedsl.solvers.verdicts import Answer


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
        return replace(solution, answer=(Answer.STAGES,), solver=SolverName.STAGES)
    stages = sum(mover == SIMULTANEOUS for mover in problem.graph.movers)
    is_one_stage = stages == 1
    if solved.by_dominance:
        answer = Answer.DOMINANT if is_one_stage else Answer.DOMINANT_PERFECT
        return replace(
            solution, answer=(answer,), solver=SolverName.DOMINANT, others=Others.POSSIBLE
        )
    answer = Answer.ONLY_EQUILIBRIUM if is_one_stage else Answer.ONLY_PERFECT
    if problem.analysis.is_opposed:
        answer = Answer.PURE_STAGES
    is_only = solution.tie_breaks is None
    return replace(solution, answer=(answer,) if is_only else (), solver=SolverName.DOMINANCE)


def _by_equilibria_of_stages(solution: Solution, solved: SolvedGraph) -> Solution:
    """Simultaneous choices decided neither by dominance nor by opposed interests."""
    first = solved.equilibria.get(0)
    later = any(not stage.is_only for node, stage in solved.equilibria.items() if node)
    if first is None:
        answer: tuple[Answer, ...] = (Answer.PERFECT_STAGES,)
    elif len(solved.equilibria) > 1 or solved.graph.movers.count(SIMULTANEOUS) > 1:
        answer = answer_of_equilibria(first), Answer.GIVEN_LATER
    else:
        answer = (answer_of_equilibria(first),)
    solution = replace(
        solution,
        answer=(*answer, Answer.LATER_EQUILIBRIA) if later else answer,
        solver=SolverName.NORMAL_FORM,
        tie_breaks=None,
        alternatives=(),
    )
    solution = solution if first is None else with_equilibria(solution, first)
    return replace(solution, others=Others.POSSIBLE) if later else solution
