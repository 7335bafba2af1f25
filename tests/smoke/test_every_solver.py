"""One question a solver: a small game, the solver that answers, and the answer.

A solver that is added has to be asked here, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

import gamedsl
from gamedsl.solvers import problem
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal
from tests.native.test_solving import THREE_BOXES
from tests.unit.solvers.exact.test_stages import AUCTION
from tests.unit.solvers.kernels.test_deepening import SLIDING

BOTH_WIN = """\
game "Meet"
players A, B
state:
    at[p in players]: nowhere | left | right = nowhere
simultaneous go(to in {left, right}):
    at[me] = to
end:
    if at[A] != nowhere:
        if at[A] != at[B]: draw
        payoff p: 2 if at[A] == right else 1
"""
BOTH_RACE = """\
game "Race"
players A, B
state:
    at[players]: 0..5 = 0
    round: 0..5 = 0
    went[players]: bool = false
simultaneous go(n in 0..1):
    require not went[me]
    went[me] = true
    at[me] += n
move settle:
    require went[A]
    round += 1
    for p in players: went[p] = false
end:
    if round == 5: payoff A: at[A], B: at[B]
"""
UNTIL_DECIDED = """\
game "Until decided"
players A, B
state:
    hand[p in players]: none | 0..2 = none
simultaneous throw(h in 0..2):
    hand[me] = h
end:
    if hand[A] != none and hand[B] != none:
        if (hand[A] - hand[B]) % 3 == 1: A wins
        if (hand[B] - hand[A]) % 3 == 1: B wins
endless: draw
"""
BY_TABLES = dict.fromkeys(("WORTH_COMPILING", "A_LOOK", "SMALL_PUZZLE", "LARGE_PUZZLE"), 50)
"""Limits of a problem by which small games are given to native code, too."""

SWITCHES = """game "Switches"
players P
state:
    on[1..40]: bool = false
move switch(n in 1..40):
    require not on[n]
    on[n] = true
end:
    if all(on[n] for n in 1..40): P wins
"""
"""A puzzle with 2^40 positions, whose every play is a solution."""


@dataclass(frozen=True, slots=True)
class Question:
    """A game, what is asked of it, and the beginning of the outcome in words."""

    game: str
    outcome: str
    parameters: dict[str, str] = field(default_factory=dict)
    after: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)


def by_name(solver: SolverName, **options: object) -> dict[str, object]:
    return {"solver": solver, **options}


QUESTIONS: dict[SolverName, Question] = {
    SolverName.BACKWARD_INDUCTION: Question("tic_tac_toe", "draw"),
    SolverName.NATIVE_INDUCTION: Question("nim", "B wins", {"sizes": "[9, 9, 9, 9]"}),
    SolverName.RETROGRADE: Question("hanoi", "Solver wins"),
    SolverName.NATIVE_RETROGRADE: Question("rook_endgame", "White wins", {"size": "5"}),
    SolverName.VALUE_ITERATION: Question(
        "piglet", "A wins with probability 6/11", {"goal": "3"}
    ),
    SolverName.NATIVE_VALUE_ITERATION: Question(
        "pig", "A wins with probability ≈0.5679147", {"goal": "30"}
    ),
    SolverName.NATIVE_EXPECTIMINIMAX: Question(
        "tic_tac_toe_random", "", limits=BY_TABLES, options={"uses_turns": False}
    ),
    SolverName.NATIVE_STAGES: Question(
        "goofspiel", "expected payoffs A: ≈0.000000000", {"n": "4"}, limits=BY_TABLES
    ),
    SolverName.NATIVE_EQUILIBRIA: Question(
        BOTH_RACE, "payoffs A: 5, B: 5", limits=BY_TABLES
    ),
    SolverName.NATIVE_TURNS: Question(THREE_BOXES, "expected payoffs", limits=BY_TABLES),
    SolverName.POLICY_ITERATION: Question("grid_world", "expected payoffs Robot: ≈0.705308"),
    SolverName.DOMINANCE: Question("prisoners_dilemma", "payoffs Row: 1, Column: 1"),
    SolverName.DOMINANT: Question(AUCTION, "payoffs A: 1, B: 0"),
    SolverName.INFORMATION: Question("monty_hall", "expected payoffs Guest: 2/3"),
    SolverName.STAGES: Question("goofspiel", "expected payoffs A: 0, B: 0"),
    SolverName.STRATEGY_IMPROVEMENT: Question(UNTIL_DECIDED, "A wins with probability 1/2"),
    SolverName.SEQUENCE_FORM: Question("kuhn_poker", "expected payoffs Ann: -1/18, Bob: 1/18"),
    SolverName.REGRETS: Question(
        "kuhn_poker_several", "not solved: what was found", options={"rounds": 100}
    ),
    **{
        solver: Question(
            "kuhn_poker", "not solved: Ann gets between", options=by_name(solver, rounds=50)
        )
        for solver in (
            SolverName.CFR, SolverName.CFR_PLUS, SolverName.LINEAR_CFR, SolverName.DISCOUNTED_CFR,
            SolverName.PREDICTIVE_CFR_PLUS, SolverName.EXTERNAL_SAMPLING, SolverName.VIEWS,
            SolverName.MERGED,
        )
    },
    SolverName.NORMAL_FORM: Question("battle_of_the_sexes", "3 equilibria"),
    SolverName.TEAM: Question(BOTH_WIN, "payoffs A: 2, B: 2"),
    SolverName.QUANTAL_RESPONSE: Question(
        "kuhn_poker", "by a model of behaviour", options=by_name(SolverName.QUANTAL_RESPONSE)
    ),
    SolverName.STATIONARY: Question(
        "three_player_race", "payoffs A: 2, B: 3, C: 4", options=by_name(SolverName.STATIONARY)
    ),
    SolverName.NATIVE_ALPHA_BETA: Question(
        "connect_small", "draw", {"width": "4", "height": "5"}, options={"goal": Goal.VALUE}
    ),
    SolverName.NATIVE_PROOF_NUMBERS: Question(
        "chess", "Black wins", after="f2f3 e7e5 g2g4", options={"goal": Goal.VALUE}
    ),
    SolverName.SHORTEST_SOLUTION: Question(
        "hanoi", "Solver wins", {"discs": "3"}, options=by_name(SolverName.SHORTEST_SOLUTION)
    ),
    SolverName.NATIVE_SHORTEST_SOLUTION: Question(
        "hanoi", "Solver wins", {"discs": "6"}, limits=BY_TABLES
    ),
    SolverName.NATIVE_DEEPENING: Question(SLIDING, "", limits=BY_TABLES),
    SolverName.BEST_FIRST: Question(
        SWITCHES, "P wins", options=by_name(SolverName.BEST_FIRST)
    ),
    SolverName.NATIVE_DEPTH_FIRST: Question(
        SWITCHES, "P wins", options={"goal": Goal.VALUE, "max_positions": 2_000}
    ),
}  # fmt: skip


@pytest.mark.parametrize("solver", SolverName, ids=lambda solver: solver.replace(" ", "-"))
def test_a_question_is_answered(solver: SolverName, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solver in QUESTIONS, f"QUESTIONS lacks a question for {solver}"
    question = QUESTIONS[solver]
    for name, limit in question.limits.items():
        monkeypatch.setattr(problem, name, limit)
    game = gamedsl.load(question.game, **question.parameters)
    solution = solve(game, game.position(question.after), SolveOptions(**question.options))
    assert solution.solver is solver
    assert solution.outcome.startswith(question.outcome)
