"""Games with repetition rules, solved by positions, against the whole graph of their histories."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl.archive.checkpoints import CheckpointFile
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.feasibility.estimate import estimate
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.repetitions import by_endless_variant, endless_variant
from gamedsl.solvers.solution import Status
from gamedsl.solvers.verdicts import Answer


def network(seed: int) -> str:
    """A token on a graph of a few squares; a repetition pays a random number."""
    draw = random.Random(seed)
    size = draw.randint(3, 5)
    ways = [[draw.randrange(size + 2) for _ in range(draw.choice([2, 2, 3]))] for _ in range(size)]
    to = " ".join(
        f"{way} if i == {i} and k == {k} else"
        for i, row in enumerate(ways)
        for k, way in enumerate(row)
    )
    width = " ".join(f"{len(row)} if i == {i} else" for i, row in enumerate(ways))
    of_b = ", ".join(map(str, [99, *draw.sample(range(1, size), draw.randint(1, size - 1))]))
    worth, repeated = [draw.randint(-2, 2) for _ in range(2)], draw.randint(-2, 2)
    return f"""
game "Network"
players A, B
state:
    at: 0..{size + 1} = 0
def to(i, k) = {to} 0
def width(i) = {width} 1
def worth(i) = {worth[0]} if i == {size} else {worth[1]}
move go(k in 0..2):
    require k < width(at)
    at = to(at, k)
    turn = B if at in {{{of_b}}} else A
end:
    if at >= {size}: payoff p: worth(at) if p == A else -worth(at)
repeat state {draw.choice([2, 2, 3])} times: payoff p: {repeated} if p == A else {-repeated}
"""


@pytest.mark.parametrize("plies", [0, 1])
def test_positions_have_the_value_and_the_best_moves_of_histories(
    plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    for seed in range(40):
        game = gamedsl.load(network(seed), "python")
        root = game.initial_state()
        if plies:
            root = game.result(root, game.legal_actions(root)[-1])
        if game.is_terminal(root) or not game.facts.repeats:
            continue
        known = solve(game, root)
        with monkeypatch.context() as patch:
            patch.setattr(Problem, "first_look", 1)
            answer = by_endless_variant(game, root, SolveOptions(), solve)
        if answer is None:
            continue
        compared += 1
        best = {move.name for move in known.moves if move.is_best}
        names = {move.name for move in answer.moves}
        assert answer.value == known.value, seed
        assert names <= best <= names | set(answer.undecided), seed
        assert answer.plies in (None, known.plies), seed
        assert answer.status is Status.WEAK
    assert compared > (5 if plies else 30)


RING = """
game "Ring"
players A, B
state:
    at[0..9]: 0..1 = 0
    token: 0..9 = 0
move step(k in 1..2):
    token = (token + k) % 10
    at[token] = 1 - at[token]
end:
    if sum(at[i] for i in 0..9) == 9: turn wins
repeat state 3 times: draw
"""


def test_a_game_with_too_many_histories_is_solved_by_its_positions() -> None:
    solution = solve(gamedsl.load(RING))
    assert solution.value is not None
    assert solution.answer == (Answer.REPETITIONS,)
    assert solution.positions <= 2 * 10 * 2**10
    assert estimate(gamedsl.load(RING), seconds=1).proved <= 2 * 10 * 2**10


@pytest.mark.parametrize(
    "rule",
    [
        "repeat state: illegal",
        "repeat token: draw",
        "repeat state without at: draw",
        "repeat state 3 times: turn loses",
        "repeat state: draw\nrepeat state 3 times: A wins",
    ],
)
def test_other_rules_keep_the_past(rule: str) -> None:
    game = gamedsl.load(RING.replace("repeat state 3 times: draw", rule))
    assert endless_variant(game, game.initial_state()) is None


def test_a_state_that_has_come_back_has_no_value_of_its_own() -> None:
    game = gamedsl.load(RING)
    early = game.position("step(1)")
    assert endless_variant(game, early) is not None
    text = RING.replace("at[token] = 1 - at[token]", "at[0] = 0").replace("== 9", "== 1")
    back = gamedsl.load(text).position(" ".join(["step(1)"] * 10))
    assert endless_variant(gamedsl.load(text), back) is None


def test_saving_is_refused_before_the_work_begins(tmp_path: Path) -> None:
    game = gamedsl.load(RING)
    root = game.initial_state()
    checkpoints = CheckpointFile(tmp_path / "ring", game, root, every=1.0, tell=print)
    with pytest.raises(UnsupportedGameError, match="the past is part of every position"):
        solve(game, root, SolveOptions(checkpoints=checkpoints))
