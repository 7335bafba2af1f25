"""Alpha-beta by kernels, run as plain Python: what the solver that looks at every state says."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.search import alpha_beta, alpha_beta_kernel, bounds_kernel
from gamedsl.solvers.kernels.search.alpha_beta import ALL_ORDERINGS, KernelAlphaBeta
from gamedsl.solvers.kernels.transposition_table import TranspositionTable
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
SHORTCUT = 'game "Shortcut"\nplayers A, B\n\nstate:\n    at: 0..6 = 0\n\n'
SHORTCUT += "move go(n in 1..6):\n    at = n\n\nend:\n    if at == 3: turn loses\nendless: draw\n"


def search_of(
    source: str, most: int | None = None, uses: int = ALL_ORDERINGS, **settings: str
) -> KernelAlphaBeta:
    engine = gamedsl.load(source, "python", **settings).engine
    assert isinstance(engine, CompiledEngine)
    return KernelAlphaBeta(engine, native=False, max_positions=most, uses=uses)


def difference(game: LoadedGame, wanted: Solution, **options: int) -> str | None:
    """What the search says otherwise of the first state, or of one that follows; one table."""
    assert isinstance(game.engine, CompiledEngine)
    root = game.initial_state()
    after = [game.result(root, action) for action in game.legal_actions(root)]
    search = KernelAlphaBeta(game.engine, native=False, **options)
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
    monkeypatch.setattr(alpha_beta, "GROWTH", 2)
    monkeypatch.setattr(alpha_beta, "FIRST_FRAMES", 1)
    monkeypatch.setattr(alpha_beta, "SLICE", 3)
    monkeypatch.setattr(bounds_kernel, "NEAR", 2)
    monkeypatch.setattr(bounds_kernel, "LEAST_APART", 8)
    monkeypatch.setattr(alpha_beta_kernel, "LEAST_EFFORT", 1)
    monkeypatch.setattr(alpha_beta_kernel, "SPARED", 0)
    monkeypatch.setattr(alpha_beta_kernel, "LONGEST", 2)


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
        assert difference(game, wanted, uses=uses, uses_symmetry=uses_symmetry) is None
        search = KernelAlphaBeta(game.engine, native=False, uses=uses, uses_symmetry=uses_symmetry)
        search.value(game.initial_state())
        counts.append(search.looked_at)
    assert counts == sorted(counts)
    assert counts[0] < counts[2]


@pytest.mark.parametrize("name", TOLD)
def test_chances_that_are_gone_change_no_value(name: str) -> None:
    game = gamedsl.load(GAME.format(**TOLD[name]), "python")
    assert difference(game, solve(game)) is None


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
    assert difference(game, solve(game), uses=uses, max_bytes=room) is None


@pytest.mark.parametrize("room", [1 << 17, 3 << 16])
def test_a_table_and_the_larger_one_beside_it_fit_the_memory(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []
    plain = TranspositionTable.call

    def call(self: TranspositionTable, name: str, *given: Any) -> int:
        if name == "enlarge":
            held.append((len(given[0]) + len(given[1])) * NUMBER)
        return plain(self, name, *given)

    monkeypatch.setattr(alpha_beta, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(alpha_beta, "SLICE", 100)
    monkeypatch.setattr(alpha_beta, "bytes_for_tables", lambda most, *, native: most)
    monkeypatch.setattr(TranspositionTable, "call", call)
    game = gamedsl.load("connect_small", "python", width="4")
    assert isinstance(game.engine, CompiledEngine)
    search = KernelAlphaBeta(game.engine, max_bytes=room, uses=HOPEFUL)
    search.value(game.initial_state())
    assert room / 2 < max(held) <= room


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
        assert found is None or "need not lose" in found, (text, found)
        compared += 1
    assert compared > 8


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("text", [COUNTING, TALLY, STRIP])
def test_states_and_payoffs_that_strain_an_entry_are_worth_the_same(text: str) -> None:
    game = gamedsl.load(text, "python")
    assert difference(game, solve(game)) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [(ROUND.replace("1..2", "2..2"), "can return"), (FRIENDLY, "need not lose")],
)
def test_what_only_play_shows_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UnsupportedGameError, match=reason):
        search_of(text).value(gamedsl.load(text).initial_state())


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
