"""Legality is tested no further than needed, and no error of a test is missed."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.lowering.bodies import blocks
from gamedsl.compiler.lowering.bodies.failure_paths import NOWHERE, Risks, Way
from gamedsl.compiler.lowering.bodies.failure_proofs import Proofs
from gamedsl.model.errors import GameRuleError
from gamedsl.model.semantics.safety import Safety
from tests.differential.lockstep import Lockstep

COUNTER = """game "Behind the first"
players A, B
board 3 wide 3 high
state:
    n: 0..9 = 0
    at: square = b2
    hit: 0..1 = 0
effect walk(d, k):
    {walk}
move step(k in 1..3, d in {{N, E}}):
    walk(d, k)
    ensure n != 5
move rest:
    require n < 9
    hit = 1
end:
    if stuck: draw
    if n == 9: A wins
"""
MAY_NOT_FIT = "n = n + k"
MAY_LEAVE = "if k == 3 and n + k < 9: at = at + d\n    n = min(9, n + k)"
NEVER_FAILS = "n = min(9, n + k)"
IN_A_LOOP = (
    "for j in 1..k:\n        let m = j + n\n        if m > 8: at = at + d\n    n = min(9, n + k)"
)


def game_of(walk: str) -> gamedsl.Game:
    return gamedsl.load(COUNTER.format(walk=walk), "interpreter")


@pytest.mark.parametrize("walk", [MAY_NOT_FIT, MAY_LEAVE, NEVER_FAILS, IN_A_LOOP])
def test_stuck_is_what_the_interpreter_says(walk: str) -> None:
    game = game_of(walk)
    engine = CompiledEngine(game.model)
    for seed in range(30):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None


def test_an_error_behind_a_legal_action_is_raised() -> None:
    game = game_of(MAY_NOT_FIT)
    state = game.engine.state_of((8, 4, 0), 0)
    for engine in (game.engine, CompiledEngine(game.model)):
        with pytest.raises(GameRuleError, match="10"):
            engine.is_terminal(state)


def paths(walk: str) -> list[list[str]]:
    """The conditions under which `step` may fail, as written."""
    model = game_of(walk).model
    move = model.moves[0]
    risks = Risks(Safety(), frozenset(parameter.slot for parameter in move.parameters))
    risks.read(move.body, blocks.last_guard(move.body))
    text = model.source.text
    return [[text[node.span.start : node.span.end] for node in path] for path in risks.paths]


def test_conditions_on_arguments_of_an_effect_are_asked_in_advance() -> None:
    assert paths(MAY_LEAVE) == [["k == 3", "n + k < 9"]]
    assert paths(NEVER_FAILS) == []
    assert paths(MAY_NOT_FIT) == [[]]


def test_a_condition_behind_a_change_is_asked_as_far_as_possible() -> None:
    walk = "n = min(9, n + k)\n    if k == 3 and n < 9: at = at + d"
    assert paths(walk) == [["k == 3"]]


def test_a_condition_on_the_round_of_a_loop_is_not_asked_in_advance() -> None:
    assert paths(IN_A_LOOP) == [[]]


MARKER = """game "A square in front"
players A, B
board 3 wide 3 high
state:
    man[s in square]: 0..2 = row(s) - 1
    marked[s in square]: bool = false
    n: 0..9 = 0
def up(p) = N if p == A else S
def is_low(s) = row(s) in {{1, 2}}
effect mark(s):
    {mark}
move go(s in square{where}):
    {require}
    n = min(9, n + 1)
    mark(s)
    ensure n < 9
move change(s in square, v in 0..2):
    require n == 9
    man[s] = v
end:
    if stuck: draw
"""
IMPOSSIBLE = [
    (" where row(s) <= 2", "require n < 9", "marked[s + N] = true"),
    ("", "require is_low(s) or man[s] == 1 and row(s) != 3", "marked[s + N] = true"),
    ("", "require man[s] != 2 or is_low(s)", "if row(s) == 3: marked[s + S] = true"),
    ("", "require man[s] == 0 or is_low(s)", "if man[s] == 2: marked[s + N] = true"),
    ("", "require row(s) == 2", "marked[s + up(turn)] = true"),
    ("", "require n < 9", "for d in {N, E} where man[s + d] in {0, 1, 2}: marked[s + d] = true"),
    ("", "require row(s) < 3", "for d in {N, N+E} where column(s) < 3:\n        man[s + d] = 1"),
    ("", "require row(s) < 3", "let q = s + N\n    if man[q] == 2: man[q] = 1"),
]
POSSIBLE = [
    ("", "require n < 9", "marked[s + N] = true"),
    (" where row(s) >= 2", "require n < 9", "marked[s + N] = true"),
    ("", "require is_low(s) or man[s] == 2", "marked[s + N] = true"),
    (
        "",
        "require man[s] != 2 or is_low(s)",
        "man[s] = 2\n    if man[s] == 2: marked[s + N] = true",
    ),
    ("", "require man[s] != 1 or is_low(s)", "if man[s] == 2: marked[s + N] = true"),
    ("", "require row(s) != 3", "turn = B\n    marked[s + up(turn)] = true"),
    ("", "require row(s) < 3", "for d in {N, S} where man[s + N] < 3: marked[s + d] = true"),
    ("", "require row(s) < 3", "n = n + 5 if row(s) == 2 else min(9, n + row(s))"),
]


def marker(where: str, require: str, mark: str) -> gamedsl.Game:
    return gamedsl.load(MARKER.format(where=where, require=require, mark=mark), "interpreter")


def ways(game: gamedsl.Game) -> tuple[list[Way], list[Way]]:
    """The ways to fail, and the ways that are not proved impossible."""
    move = game.model.moves[0]
    risks = Risks(Safety(), frozenset(parameter.slot for parameter in move.parameters))
    conditions = [p.condition for p in move.parameters if p.condition is not None]
    risks.read(move.body, blocks.last_guard(move.body), risks.under(NOWHERE, conditions))
    every = list(risks.ways)
    risks.keep(Proofs(game.model, move.parameters, risks.bound).may_happen)
    return every, risks.ways


@pytest.mark.parametrize(("where", "require", "mark"), IMPOSSIBLE)
def test_a_failure_in_no_instance_is_no_risk(where: str, require: str, mark: str) -> None:
    every, left = ways(marker(where, require, mark))
    assert every
    assert not left


@pytest.mark.parametrize(("where", "require", "mark"), POSSIBLE)
def test_a_failure_in_a_later_instance_alone_is_a_risk(where: str, require: str, mark: str) -> None:
    assert ways(marker(where, require, mark))[1]


@pytest.mark.parametrize(("where", "require", "mark"), [*IMPOSSIBLE, *POSSIBLE])
def test_errors_of_later_instances_are_those_of_the_interpreter(
    where: str, require: str, mark: str
) -> None:
    game = marker(where, require, mark)
    engine = CompiledEngine(game.model)
    errors = 0
    for seed in range(3):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None
    for draw in range(40):
        rng = random.Random(draw)
        cells = (*(rng.randrange(3) for _ in range(9)), *[0] * 9, rng.randrange(8))
        state = game.engine.state_of(cells, draw % 2)
        said = [answer(engine, state) for engine in (game.engine, engine)]
        assert said[0] == said[1]
        errors += isinstance(said[0], str)
    assert bool(errors) == ((where, require, mark) in POSSIBLE)


def answer(engine: gamedsl.model.engine.Engine, state: object) -> bool | str:
    """Whether a play is over; or the error."""
    try:
        return engine.is_terminal(state)
    except GameRuleError as error:
        return str(error)
