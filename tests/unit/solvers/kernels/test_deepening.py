"""IDA* with pattern databases from the rules, run as plain Python."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits, ShortestPlay
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.exact.puzzle import of_play, shortest_solution
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.puzzles import deepening
from gamedsl.solvers.kernels.puzzles.deepening import KernelDeepening
from gamedsl.solvers.kernels.puzzles.patterns import carried_in, divided
from tests.unit.solvers.exact.test_puzzle import SLIDING

TWO_AT_ONCE = SLIDING.replace("    tile[from] = 0\n", "    tile[from] = 0\n    {}\n")
SWAPS = TWO_AT_ONCE.format("tile[a1], tile[c2] = tile[c2], tile[a1]")
DROPS = TWO_AT_ONCE.format("if d == N: tile[a1] = 0")


def engine_of(game: LoadedGame) -> CompiledEngine:
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


def play_of(game: LoadedGame, state: State | None = None, **limits: int) -> ShortestPlay:
    root = game.initial_state() if state is None else state
    return KernelDeepening(engine_of(game), native=False).solve(root, SearchLimits(**limits))


def random_tokens(seed: int) -> str:
    """Tokens on a random graph with one or two holes; a token goes along an edge into a hole; the
    goal is some of them where a random play has brought them."""
    draw = random.Random(seed)
    places = draw.randint(6, 7)
    edges = {(n, draw.randint(1, n - 1)) for n in range(2, places + 1)}
    edges |= {tuple(draw.sample(range(1, places + 1), 2)) for _ in range(2)}
    ways = sorted({*edges, *((b, a) for a, b in edges)})
    holes = draw.randint(1, 2)
    start = [*range(1, places - holes + 1), *[0] * holes]
    draw.shuffle(start)
    now = list(start)
    for _ in range(25):
        a, b = draw.choice([(a, b) for a, b in ways if now[a - 1] and not now[b - 1]])
        now[a - 1], now[b - 1] = 0, now[a - 1]
    asked = draw.sample(range(places), draw.randint(2, places))
    wanted = " and ".join(f"at[{n + 1}] == {now[n]}" for n in asked)
    pairs = ", ".join(map(str, ways))
    lines = [f'game "Tokens {seed}"', "players P", f"param start = {start}", "", "state:"]
    lines += [f"    at[n in 1..{places}]: 0..{places - holes} = start[n]", ""]
    lines += [f"move go(a in 1..{places}, b in 1..{places}):"]
    lines += [f"    require (a, b) in {{{pairs}}} and at[a] != 0 and at[b] == 0"]
    lines += ["    at[b] = at[a]", "    at[a] = 0", "", "end:", f"    if {wanted}: P wins"]
    lines += ["    if stuck: P loses", "endless: P loses"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(10))
def test_random_tokens_have_the_shortest_solutions_that_python_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deepening, "MOST_MAPPED", (60 + 200 * (seed % 3), 2_000))
    monkeypatch.setattr(deepening, "MOST_AT_FIRST", 300)
    game = gamedsl.load(random_tokens(seed), "python")
    root, wanted = game.initial_state(), shortest_solution(game)
    if game.is_terminal(root):
        return
    found = of_play(game, root, play_of(game))
    assert wanted is not None
    assert found is not None
    assert (len(found.line), found.first_actions) == (len(wanted.line), wanted.first_actions)
    assert sorted((*found.detours, *found.undecided)) == sorted(
        (*wanted.detours, *wanted.undecided)
    )
    state = root
    for action in found.line:
        assert action in game.legal_actions(state)
        state = game.result(state, action)
    assert game.utilities(state) == (1,)


def test_every_value_is_in_one_pattern() -> None:
    game = gamedsl.load("eight_puzzle", "python")
    root = game.initial_state()
    found = carried_in(engine_of(game), root)
    for most in (10, 100, 3_000, 10**9):
        patterns = divided(found, root, most)
        assert sorted(digit for one in patterns for digit in one) == list(range(1, 9))
    assert divided(found, root, 3_000) == ((1, 2), (3, 4), (5, 6), (7, 8))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (SWAPS, "carries several"),
        (DROPS, "carries several"),
        (SLIDING.replace("4 5 0", "4 4 0"), "several times"),
        ("lights_out", "only carry"),
        ("nim", "one player only"),
    ],
)
def test_what_gives_no_database_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UnsupportedGameError, match=reason):
        play_of(gamedsl.load(text, "python"))


def test_a_search_without_a_solution_ends_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = gamedsl.load(SLIDING.replace("4 5 0", "5 4 0"), "python")
    assert shortest_solution(odd) is None
    assert play_of(odd).line is None  # as a database of all values shows
    monkeypatch.setattr(deepening, "MOST_MAPPED", (100, 100))
    with pytest.raises(OutOfBudgetError):
        play_of(odd, positions=2_000)
