"""Alpha-beta by kernels, run as plain Python: what the solver that looks at every state says."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NO_LIMITS, SearchLimits
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.search import (
    alpha_beta,
    alpha_beta_kernel,
    bounds_kernel,
    growth,
    position_search,
)
from gamedsl.solvers.kernels.search.alpha_beta import ALL_ORDERINGS, KernelAlphaBeta
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution, Status
from tests.generation.games import game_text
from tests.unit.compiler.test_prospects import GAME, TOLD
from tests.unit.solvers.kernels.solving import by_python, random_race
from tests.unit.solvers.kernels.test_induction import (
    COUNTING,
    FAILING,
    FRIENDLY,
    ROUND,
    STRIP,
    TALLY,
)

SHIPPED = [
    ("tic_tac_toe", {}),
    ("misere_tic_tac_toe", {}),
    ("hexapawn", {"height": "5"}),
    ("dots_and_boxes", {"height": "1"}),
    ("kayles", {}),
    ("domineering", {}),
    ("connect_small", {"width": "3"}),
]
HOPEFUL = ALL_ORDERINGS & ~alpha_beta_kernel.USES_PROSPECTS
BLIND = HOPEFUL & ~alpha_beta_kernel.USES_FORESIGHT
LEARNT = ALL_ORDERINGS & ~alpha_beta_kernel.USES_LINES
LINES = """game "Lines"
players A, B
board {board}
state:
    cell[square]: empty | stone | players = empty

{more}{move}
end:
    {end}
    {last}
"""
MARK = "move mark(s in square):\n    require cell[s] == empty\n    cell[s] = turn\n"
DROP = "move drop(c in columns):\n"
DROP += "    let s = first(q for q in square where column(q) == c and cell[q] == empty)\n"
DROP += "    require s != none\n    cell[s] = turn\n"
FALLING = {
    "board": "4 wide 3 high",
    "more": "",
    "move": DROP,
    "end": "for p in players: if line(cell, p, 3): p wins",
    "last": "if full(cell): draw",
}
FLOATING = FALLING | {"board": "3 wide 3 high", "move": MARK}
NEIGHBOURS = {
    "as it is": FALLING,
    "no line fits": FALLING | {"end": "for p in players: if line(cell, p, 5): p wins"},
    "another payoff": FALLING | {"end": "for p in players: if line(cell, p, 3): p wins 3"},
    "half a point": FLOATING | {"end": "for p in players: if line(cell, p, 3): p wins 1/2"},
    "two payoffs": FLOATING
    | {"end": "if line(cell, A, 3): A wins 2\n    if line(cell, B, 3): B wins 3"},
    "a sum that is not 0": FALLING
    | {
        "end": "if line(cell, A, 3): payoff A: 2, B: 0\n    if line(cell, B, 3): payoff A: 0, B: 2",
        "last": "if full(cell): payoff A: 1, B: 1",
    },
    "no gravity": FLOATING | {"board": "4 wide 3 high"},
    "gravity to the side": FALLING
    | {
        "board": "3 wide 4 high",
        "move": DROP.replace("columns", "rows").replace("column(q)", "row(q)"),
    },
    "gravity upwards": FALLING | {"move": DROP.replace("first(", "last(")},
    "the longer board": FALLING | {"board": "6 wide 2 high"},
    "misere": FALLING | {"end": "for p in players: if line(cell, p, 3): p loses"},
    "no draw": FLOATING | {"last": "if full(cell): B wins"},
    "only across": FALLING | {"end": "for p in players: if line(cell, p, 3, {E}): p wins"},
    "a blocked cell": FALLING | {"more": "setup:\n    cell[b1] = stone\n\n"},
    "a missing cell": FALLING | {"board": "4 wide 3 high where column != 2 or row != 2"},
    "a cylinder": FALLING | {"board": "4 wide 3 high wrap wide"},
    "a torus": FLOATING | {"board": "3 wide 3 high wrap"},
    "players are not alike": FLOATING
    | {"end": "if line(cell, A, 3): A wins\n    if line(cell, B, 2, {E}): B wins"},
    "two at a time": FLOATING
    | {
        "board": "4 wide 3 high",
        "move": "move lay(s in square):\n    require cell[s] == empty and cell[s + E] == empty\n"
        "    cell[s] = turn\n    cell[s + E] = turn\n",
        "last": "if stuck: draw",
    },
}
SHORTCUT = 'game "Shortcut"\nplayers A, B\n\nstate:\n    at: 0..6 = 0\n\n'
SHORTCUT += "move go(n in 1..6):\n    at = n\n\nend:\n    if at == 3: turn loses\nendless: draw\n"


def search_of(
    source: str, most: int | None = None, uses: int = ALL_ORDERINGS, **settings: str
) -> KernelAlphaBeta:
    engine = gamedsl.load(source, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    return KernelAlphaBeta(engine, native=False, limits=SearchLimits(most), uses=uses)


def difference(
    game: LoadedGame,
    wanted: Solution,
    *,
    uses: int = ALL_ORDERINGS,
    limits: SearchLimits = NO_LIMITS,
) -> str | None:
    """What the search says otherwise of the first state, or of one that follows; one table."""
    assert isinstance(game.engine, CompiledEngine)
    root = game.initial_state()
    after = [game.result(root, action) for action in game.legal_actions(root)]
    search = KernelAlphaBeta(game.engine, native=False, limits=limits, uses=uses)
    for state in (root, *(one for one in after if not game.is_terminal(one))):
        value = wanted.value_at(state)
        try:
            found = search.value(state)
        except UnsupportedGameError as refusal:
            return None if refusal.reason.startswith("play can return") else refusal.reason
        if found != value:
            return f"{state}: {found} instead of {value}"
        if search.bounds(state) != (value, value):
            return f"{state}: {search.bounds(state)} is kept, not {value}"
        if not all(search.gives(state, player, found) for player in (0, 1)):
            return f"{state}: {found} and not at least that"
    return None


@pytest.fixture
def _in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of a few entries, stacks that grow, slices that end often."""
    monkeypatch.setattr(alpha_beta, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(growth, "MOVED", 8)
    monkeypatch.setattr(growth, "FIRST_FRAMES", 1)
    monkeypatch.setattr(alpha_beta, "SLICE", 3)
    monkeypatch.setattr(bounds_kernel, "NEAR", 2)
    monkeypatch.setattr(bounds_kernel, "LEAST_APART", 8)


@pytest.mark.parametrize(("name", "settings"), SHIPPED)
def test_a_shipped_game_is_worth_what_the_whole_graph_says(
    name: str, settings: dict[str, str]
) -> None:
    game = gamedsl.load(name, "python", **settings)
    assert difference(game, solve(game)) is None


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_small"])
def test_images_and_wins_that_are_foreseen_change_no_value_and_spare_positions(name: str) -> None:
    """In the games of the other tests too: all of them use both, where rules give them."""
    game = gamedsl.load(name, "python", **({"width": "3"} if name == "connect_small" else {}))
    wanted = solve(game)
    assert isinstance(game.engine, CompiledEngine)
    counts = []
    for uses_symmetry, uses in ((True, HOPEFUL), (False, HOPEFUL), (False, BLIND)):
        limits = SearchLimits(uses_symmetry=uses_symmetry)
        assert difference(game, wanted, uses=uses, limits=limits) is None
        search = KernelAlphaBeta(game.engine, native=False, limits=limits, uses=uses)
        search.value(game.initial_state())
        counts.append(search.looked_at)
    assert counts == sorted(counts)
    assert counts[0] < counts[2]


@pytest.mark.parametrize("name", TOLD)
def test_chances_that_are_gone_change_no_value(name: str) -> None:
    game = gamedsl.load(GAME.format(**TOLD[name]), "python")
    assert difference(game, solve(game)) is None


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_games_like_those_with_a_known_order_are_worth_what_the_whole_graph_says(
    name: str,
) -> None:
    game = gamedsl.load(LINES.format(**NEIGHBOURS[name]), "python")
    wanted = solve(game)
    assert wanted.status is Status.STRONG
    for uses in (ALL_ORDERINGS, LEARNT):
        assert difference(game, wanted, uses=uses) is None


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("connect_small", {"width": "5", "height": "4"}),
        ("mnk", {"width": "4", "height": "4", "run": "4"}),
    ],
)
def test_an_order_that_is_known_spares_positions(name: str, settings: dict[str, str]) -> None:
    engine = gamedsl.load(name, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    counts = []
    for uses in (ALL_ORDERINGS, LEARNT):
        search = KernelAlphaBeta(engine, uses=uses)
        search.value(engine.initial_state())
        counts.append(search.looked_at)
    assert 3 * counts[0] < 2 * counts[1]


@pytest.mark.parametrize(
    ("name", "settings"), [("connect_small", {"width": "4"}), ("tic_tac_toe", {})]
)
def test_chances_that_are_gone_spare_positions(name: str, settings: dict[str, str]) -> None:
    engine = gamedsl.load(name, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    counts = []
    for uses in (ALL_ORDERINGS, HOPEFUL):
        search = KernelAlphaBeta(engine, native=False, uses=uses)
        search.value(engine.initial_state())
        counts.append(search.looked_at)
    assert counts[0] < counts[1]


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("uses", [0, ALL_ORDERINGS])
@pytest.mark.parametrize("room", [1 << 13, 1 << 16])
def test_a_table_that_forgets_changes_no_value(uses: int, room: int) -> None:
    game = gamedsl.load("connect_small", "python", width="3")
    assert difference(game, solve(game), uses=uses, limits=SearchLimits(bytes=room)) is None


def sizes_of_tables(
    monkeypatch: pytest.MonkeyPatch, search: KernelAlphaBeta, state: State
) -> list[int]:
    """The bytes of each table of a search for a value, from the first larger table on."""
    held = list[int]()
    table = search._run._arrays
    plain = table.call

    def call(name: str, *given: Any) -> int:
        if name == "enlarge" and given[1] == 0:
            held.append(len(given[3]) * NUMBER)
        return plain(name, *given)

    with monkeypatch.context() as patched:
        patched.setattr(table, "call", call)
        search.value(state)
    return held


@pytest.mark.parametrize("is_given_back", [True, False])
@pytest.mark.parametrize("room", [1 << 15, 3 << 14, 50_000])
def test_tables_fill_the_memory_and_no_more(
    room: int, is_given_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To within a tenth, if the memory of the old table is given back on the way."""
    monkeypatch.setattr(alpha_beta, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(alpha_beta, "SLICE", 100)
    monkeypatch.setattr(position_search, "bytes_for_tables", lambda most, *, native: most)
    monkeypatch.setattr(growth, "GIVES_BACK", is_given_back)
    game = gamedsl.load("connect_small", "python", width="4", height="4")
    assert isinstance(game.engine, CompiledEngine)
    search = KernelAlphaBeta(game.engine, limits=SearchLimits(bytes=room), uses=0)
    held = sizes_of_tables(monkeypatch, search, game.initial_state())
    assert held == sorted(held)
    if is_given_back:
        assert room * 9 / 10 < held[-1] <= room
    else:
        assert room / 2 < sum(held[-2:]) <= room


def test_more_memory_than_is_needed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables double, however much memory there is: the same search, position by position."""
    monkeypatch.setattr(alpha_beta, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(alpha_beta, "SLICE", 50)
    monkeypatch.setattr(position_search, "bytes_for_tables", lambda most, *, native: most)
    game = gamedsl.load("connect_small", "python", width="4", height="4")
    assert isinstance(game.engine, CompiledEngine)
    told = set[tuple[object, ...]]()
    for room in (1 << 19, 3 << 19, 1 << 23):
        search = KernelAlphaBeta(game.engine, limits=SearchLimits(bytes=room), uses=0)
        held = sizes_of_tables(monkeypatch, search, game.initial_state())
        assert len(held) > 3
        told.add((search.looked_at, *held))
    assert len(told) == 1


@pytest.mark.usefixtures("_in_small_steps")
def test_generated_games_and_races_are_worth_what_the_whole_graph_says() -> None:
    compared = 0
    for text in (*map(game_text, range(10)), *map(random_race, range(12))):
        game = gamedsl.load(text)
        if not isinstance(game.engine, CompiledEngine) or len(game.players) != 2:
            continue
        if alpha_beta.refusal(game.engine) is not None or game.is_terminal(game.initial_state()):
            continue
        wanted = by_python(game, 2_000)
        if not isinstance(wanted, Solution) or wanted.status is not Status.STRONG:
            continue
        found = difference(game, wanted)
        assert found is None, (text, found)
        compared += 1
    assert compared > 8


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("text", [COUNTING, TALLY, STRIP])
def test_states_and_payoffs_that_strain_an_entry_are_worth_the_same(text: str) -> None:
    game = gamedsl.load(text, "python")
    assert difference(game, solve(game)) is None


def test_what_only_play_shows_is_refused() -> None:
    text = ROUND.replace("1..2", "2..2")
    search, start = search_of(text), gamedsl.load(text).initial_state()
    for _ in range(2):
        with pytest.raises(UnsupportedGameError, match="can return"):
            search.value(start)


@pytest.mark.parametrize("less", ["0", "1"])
def test_interests_that_the_rules_do_not_oppose_are_refused(less: str) -> None:
    """Both wait, and get 0, in every ending that a proof of 0 for A meets; climbing pays both."""
    text = (
        "players A, B\nstate:\n    high[players]: 0..4 = 0\n    ply: 0..8 = 0\n"
        "move climb(n in 0..1):\n    high[turn] += n\n    ply += 1\n"
        f"end:\n    if ply == 8: payoff p: 4 if high[A] + high[B] == 8 else {less}\n"
    )
    for game in (text, FRIENDLY):
        with pytest.raises(UnsupportedGameError, match="opposed interests"):
            search_of(game)


def test_a_proof_that_meets_no_return_stands_though_play_could_return() -> None:
    """Whoever may move wins at once by going to 3; that all else can go round is of no account."""
    assert search_of(SHORTCUT).value(gamedsl.load(SHORTCUT).initial_state()) == (1, -1)


@pytest.mark.parametrize("name", ["pig", "three_player_race", "go", "hanoi"])
def test_games_that_the_rules_exclude_are_refused_at_once(name: str) -> None:
    with pytest.raises(UnsupportedGameError):
        search_of(name)


def test_rules_that_fail_are_an_error_of_the_game() -> None:
    with pytest.raises(GameRuleError, match="`left` can reach -1"):
        search_of(FAILING).value(gamedsl.load(FAILING).initial_state())


def test_a_search_that_is_interrupted_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if bounds are asked for on the way: no position is visited twice."""
    monkeypatch.setattr(alpha_beta, "SLICE", 1)
    root = gamedsl.load("connect_small", "python", width="4").initial_state()
    whole, parts = (search_of("connect_small", width="4") for _ in range(2))
    value, interruptions = None, 0
    while value is None:
        parts.max_positions = parts.looked_at + 4
        try:
            value = parts.value(root)
        except OutOfBudgetError:
            interruptions += 1
            parts.bounds(root)
    assert value == whole.value(root)
    assert interruptions > 20
    assert parts.looked_at <= whole.looked_at + 1  # the search for a first payoff is repeated


def test_when_the_budget_ends_what_is_proved_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect four on three columns is drawn: Red does not lose, which is proved first."""
    monkeypatch.setattr(alpha_beta, "SLICE", 1)
    game = gamedsl.load("connect_small", "python", width="3")
    root = game.initial_state()
    whole = search_of("connect_small", uses=HOPEFUL, width="3")
    assert whole.value(root) == (0, 0)
    known: list[object] = []
    for most in (1, whole.looked_at - 2):
        search = search_of("connect_small", most, HOPEFUL, width="3")
        with pytest.raises(OutOfBudgetError):
            search.value(root)
        assert search.looked_at == most + 1
        known.append(search.bounds(root))
    assert known == [(None, None), ((0, 0), None)]
