"""Definitions that call themselves: compiled as the interpreter plays them, and natively."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.module import generate
from gamedsl.compiler.options import CompilerOptions
from gamedsl.game import load_source
from gamedsl.solvers.kernels.playouts import KernelPlayouts
from gamedsl.source import SourceFile
from tests.differential.lockstep import Lockstep
from tests.language.examples import examples, marks

PAGE = Path(__file__).resolve().parents[1] / "language" / "recursion.md"
GAMES = [
    one
    for one in examples(PAGE)
    if not any(
        kind == "error" and not code.startswith("E3") for _, kind, code, _, _ in marks(one.text)
    )
]
WALK = """game "Walk"
players A, B
board 10 wide 10 high
directions N, E, S, W

state:
    at[square]: empty | players = empty
    left: 0..12 = 12
    best: 0..100 = 0

def longest(s in square, seen subset of square) = max(
    0,
    1 + longest(t, seen | {t})
    for t in neighbours(s) where t not in seen and at[t] == turn)

move put(s in square):
    require at[s] == empty and left > 0
    at[s] = turn
    left -= 1
    best = max(best, 1 + longest(s, {s}))

end:
    if left == 0: payoff A: best, B: len(square) - best
"""


@pytest.mark.parametrize("example", GAMES, ids=[one.place for one in GAMES])
def test_examples_are_played_alike(example: object) -> None:
    game = load_source(SourceFile("example", example.text), {}, "interpreter")  # type: ignore[attr-defined]
    for seed in range(3):
        together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed))
        assert together.play(12) is None


@pytest.mark.parametrize("left_out", ["lift", "walk", "share", "tables", "prune"])
def test_the_same_is_played_with_a_part_of_the_compiler_left_out(left_out: str) -> None:
    for text in (GAMES[-2].text, WALK):
        game = gamedsl.load(text, "interpreter")
        generated = generate(game.model, CompilerOptions(frozenset({left_out})))
        engine = CompiledEngine(game.model, generated)
        assert Lockstep(game.engine, engine, random.Random(1)).play(8) is None


def test_a_definition_is_one_function_that_calls_itself() -> None:
    game = gamedsl.load(WALK, "python")
    assert isinstance(game.engine, CompiledEngine)
    functions = game.engine.generated.module().functions
    own = {title for title in functions if title.startswith("longest__r")}
    called = {title for title in own if not title.endswith("_first")}
    assert len(called) == 2  # for each player to move
    assert own - called == {f"{title}_first" for title in called}  # where the count of calls begins


def test_sets_of_more_squares_than_a_word_has_bits_go_down_natively(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    game = gamedsl.load(WALK, "python")
    assert isinstance(game.engine, CompiledEngine)
    state = game.initial_state()
    plain = KernelPlayouts(game.engine, native=False).run(state, 20, seed=1)
    assert KernelPlayouts(game.engine, folder=tmp_path).run(state, 20, seed=1) == plain


def test_fractions_are_refused_by_the_name_of_their_definition() -> None:
    halves = WALK.replace("def ", "def half(k in 0..9) = 0 if k == 0 else 1/2 + half(k - 1)\ndef ")
    game = gamedsl.load(halves.replace("A: best", "A: half(best % 9)"), "interpreter")
    with pytest.raises(CannotCompileError, match="a `def` that calls itself and gives fractions"):
        generate(game.model)


def test_as_many_levels_as_a_domain_allows() -> None:
    text = """game "Deep"
players A
state:
    y: 0..600 = 0
def depth(n in 0..499) = 1 + max(0, depth(n - 1) for k in 1..1 where n > 0)
move go: y = depth(499)
end:
    if y > 0: A wins y
expect value: 500
"""
    for engine in ("interpreter", "python"):
        game = gamedsl.load(text, engine)
        state = game.initial_state()
        (action,) = game.legal_actions(state)
        assert game.utilities(game.result(state, action))[0] == 500
