"""Retrograde analysis by kernels, run as plain Python: what the solver over the contract says."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.accelerator import SearchLimits, SolvedPositions
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError
from gamedsl.solvers.kernels import memory, transposition_table
from gamedsl.solvers.kernels.retrograde import edge_lists, edges_kernel, endings, parts, retrograde
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.symmetry.permutations import all_permutations
from gamedsl.solvers.planner import solve
from tests.unit.archive.test_saved import TURNED
from tests.unit.solvers.kernels.solving import difference, random_duel, random_race

ROUND = 'game "Round"\nplayers A, B\n\nstate:\n    at: 0..3 = 0\n\n'
ROUND += "move go(n in 1..2):\n    at = (at + n) % 4\n\nend:\n    if at == 3: turn loses\n"
BOUNDED = ROUND + "endless: draw\n"
UNEQUAL = ROUND + "endless: payoff p: 1\n"
STONES = 'game "Stones"\nplayers A, B\n\nstate:\n    pile[1..3]: 0..6 = 3\n'
STONES += "    idle[1..50]: bool = false\n"
STONES += (
    "\nmove shift(p in 1..3, q in 1..3):\n    require p != q and pile[p] > 0 and pile[q] < 6\n"
)
STONES += "    pile[p] -= 1\n    pile[q] += 1\n\nmove take:\n    require pile[1] > pile[2]\n"
STONES += "    pile[1] -= 1\n\nend:\n    if pile[1] + pile[2] == 0: turn loses\n"
STONES += "    if stuck: draw\nendless: draw\n"
FAILING = 'game "Failing"\nplayers A, B\n\nstate:\n    at: 0..9 = 0\n\n'
FAILING += "move go(n in 1..2):\n    at += n\n\nmove back:\n    require at > 0\n    at -= 1\n\n"
FAILING += "end:\n    if at == 9: turn loses\nendless: draw\n"


def kernel_of(text: str) -> KernelRetrograde:
    game = gamedsl.load(text, "python")
    assert isinstance(game.engine, CompiledEngine)
    return KernelRetrograde(game.engine, native=False)


def solved(
    text: str,
    most: int = 1 << 24,
    positions: int | None = None,
    *,
    uses_symmetry: bool = True,
) -> SolvedPositions:
    state = gamedsl.load(text, "python").initial_state()
    limits = SearchLimits(positions, most, uses_symmetry=uses_symmetry)
    return kernel_of(text).solve(state, limits)


def sweep_in_another_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rules alone, or with the list of edges reversed at once or after some sweeps; as it
    usually is sweeps go along the list in games as small as these. A list is written again after
    each sweep or never, and one bit may tell for many entries whether one was settled."""
    monkeypatch.setattr(retrograde, "MOST_LISTED", 0 if seed % 3 == 0 else 1 << 30)
    monkeypatch.setattr(retrograde, "PATIENCE", 0 if seed % 3 == 1 else 2)
    monkeypatch.setattr(parts, "IN_VAIN", 1 << 20 if seed % 2 == 0 else 0)
    monkeypatch.setattr(edge_lists, "SIEVE", 0 if seed % 4 < 2 else 1 << 20)


@pytest.fixture
def _in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that grow often, and slices that end often."""
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 3)


@pytest.mark.parametrize("seed", range(40, 60))
def test_every_state_of_a_random_race_in_a_circle_is_worth_what_python_says(seed: int) -> None:
    assert difference(gamedsl.load(random_race(seed, returns=True), "python"), 3_000) is None


@pytest.mark.parametrize("seed", range(100, 108))
def test_every_state_of_a_random_circle_of_one_is_worth_what_python_says(seed: int) -> None:
    text = random_race(seed, returns=True, alone=True)
    assert difference(gamedsl.load(text, "python"), 3_000) is None


@pytest.mark.parametrize(("name", "settings"), [("hanoi", {}), ("lights_out", {"size": "2"})])
def test_every_state_of_a_shipped_puzzle_is_worth_what_python_says(
    name: str, settings: dict[str, str]
) -> None:
    assert difference(gamedsl.load(name, "python", **settings), 3_000) is None


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("text", [BOUNDED, STONES, FAILING])
def test_arrays_that_grow_in_small_steps_hold_the_same(text: str) -> None:
    assert difference(gamedsl.load(text, "python"), 3_000) is None


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize(
    ("opening", "marks"),
    [([], 2), (["put(a1)"], 8), (["put(b1)", "put(b3)"], 8), (["put(b1)", "put(a3)"], 2)],
)
def test_images_are_one_entry_and_are_counted_each(opening: list[str], marks: int) -> None:
    """An entry says of which images that the first position has not itself they are reached; where
    that is too much, players are swapped and no more."""
    game = gamedsl.load(TURNED, "python")
    root = game.initial_state()
    for name in opening:
        named = {game.action_name(root, one): one for one in game.legal_actions(root)}
        root = game.result(root, named[name])
    assert isinstance(game.engine, CompiledEngine)
    found = KernelRetrograde(game.engine, native=False).solve(root)
    plain = KernelRetrograde(game.engine, native=False).solve(
        root, SearchLimits(uses_symmetry=False)
    )
    wanted = solve(game, state=root)
    assert found.stored is not None
    assert plain.stored is not None
    assert found.entries is not None
    assert found.lengths is not None
    assert plain.lengths is not None
    assert (found.stored.facts["marks"], plain.stored.facts["symmetries"]) == (marks, [])
    states = list(found.entries())
    assert len(set(states)) == len(states) == found.positions == wanted.positions
    assert plain.stored.facts["entries"] == plain.positions > found.stored.facts["entries"]
    assert found.endings == plain.endings == wanted.terminals
    assert Counter(map(found.look_up, states)) == found.lengths.count() == plain.lengths.count()
    assert wanted.solved is not None
    for state in wanted.solved.states:
        answer = wanted.solved.value(state), wanted.solved.remoteness(state)
        assert found.look_up(state) == answer
    for answer in found.lengths.count():
        assert {found.look_up(state) for state in found.lengths.states(answer)} == {answer}


def test_what_is_an_image_of_a_position_but_cannot_be_reached_has_no_value() -> None:
    """Which players are swapped in: after one man it is never the first player's turn."""
    game = gamedsl.load(TURNED, "python")
    assert isinstance(game.engine, CompiledEngine)
    engine, found = game.engine, solved(TURNED)
    reached = game.result(game.initial_state(), 0)
    swap = next(one for one in all_permutations(engine) if one.name == "A and B swapped")
    words = swap.image(engine.words_of(reached))
    assert engine.packing.turn_of(words) == 0
    assert found.look_up(reached) is not None
    assert found.look_up(PackedState(engine.packing, words, 0, None)) is None


@pytest.mark.usefixtures("_in_small_steps")
@pytest.mark.parametrize("seed", range(12))
def test_where_players_are_swapped_every_state_is_worth_what_python_says(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = random_duel(seed)
    sweep_in_another_way(seed, monkeypatch)
    stored = solved(text).stored
    assert stored is not None
    assert stored.facts["symmetries"] == ["A and B swapped"]
    assert difference(gamedsl.load(text, "python"), 3_000) is None


@pytest.mark.parametrize("seed", range(18))
def test_sweeps_by_rules_and_lists_turned_round_say_the_same(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = gamedsl.load(random_race(seed, returns=True), "python")
    sweep_in_another_way(seed, monkeypatch)
    assert difference(game, 3_000) is None


def test_the_table_is_made_fuller_when_all_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 1 << 14)
    monkeypatch.setattr(retrograde, "put_in_order", lambda *_: None)
    wanted = solved(STONES).stored
    monkeypatch.setattr(endings, "SAVING", 1 << 20)
    found = solved(STONES).stored
    assert wanted is not None
    assert found is not None
    assert found.facts["tallies"] == wanted.facts["tallies"]
    assert 4 * len(wanted.arrays["table"]) < len(found.arrays["table"])


@pytest.mark.parametrize("bits", [*range(2, 63, 5), 31, 33, 61])
def test_numbers_of_fewer_bits_lie_side_by_side(bits: int) -> None:
    draw = random.Random(bits)
    numbers = [draw.getrandbits(bits) for _ in range(130)]
    row = [0] * parts.row_of(len(numbers), bits)
    for at in draw.sample(range(len(numbers)), len(numbers)):
        edges_kernel.add_number(at, draw.getrandbits(bits), bits, row)
        edges_kernel.put_number(at, numbers[at], bits, row)
    found = [edges_kernel.number_in(at, bits, row) for at in range(len(numbers))]
    assert found == numbers
    assert all(0 <= one < 1 << 63 for one in row)


def test_endless_play_has_no_length() -> None:
    found = solved(STONES)
    lengths = set()
    game = gamedsl.load(STONES, "python")
    state = game.initial_state()
    for action in game.legal_actions(state):
        known = found.look_up(game.result(state, action))
        assert known is not None
        lengths.add((known[0][0], known[1] is None))
    assert (0, True) in lengths


def test_numbers_that_do_not_fit_above_the_key_get_room_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = solved(STONES)
    monkeypatch.setattr(KernelRetrograde, "least_room", 6)
    found = solved(STONES)
    assert (found.positions, found.endings) == (wanted.positions, wanted.endings)
    assert found.positions > 8


def test_games_that_do_not_say_what_endless_play_is_worth_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="endless play is worth"):
        kernel_of(ROUND)


def test_endless_play_that_pays_both_is_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="more or less"):
        solved(UNEQUAL)


def test_rules_that_fail_are_an_error_of_the_game() -> None:
    with pytest.raises(GameRuleError, match="`at` can reach 10"):
        solved(FAILING)


def test_the_search_stops_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 100)
    count = solved(STONES).positions
    with pytest.raises(OutOfBudgetError):
        solved(STONES, positions=count - 1, uses_symmetry=False)
    assert solved(STONES, positions=count, uses_symmetry=False).positions == count
    assert solved(STONES, positions=count - 1).positions == count
    for most in (1_000, 1_500):
        with pytest.raises(OutOfMemoryError) as stopped:
            solved(STONES, most=most)
        assert 0 < stopped.value.explored <= count
        assert stopped.value.used_bytes <= most


def test_where_no_memory_is_given_back_a_table_stands_beside_the_one_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 1)
    found = solved(TURNED, most=3_500).stored
    for place in (memory, transposition_table):
        monkeypatch.setattr(place, "GIVES_BACK", False)
    with pytest.raises(OutOfMemoryError):
        solved(TURNED, most=3_500)
    wanted = solved(TURNED).stored
    assert found is not None
    assert wanted is not None
    assert found.facts["tallies"] == wanted.facts["tallies"]


def test_whoever_listens_to_the_progress_can_stop_any_part_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transposition_table, "SLICE", 16)
    told: list[tuple[int, int]] = []
    patience = [10**9]

    def listener(explored: int, waiting: int) -> None:
        told.append((explored, waiting))
        if len(told) > patience[0]:
            raise OutOfTimeError(explored, waiting)

    state = gamedsl.load(STONES, "python").initial_state()
    kernel_of(STONES).solve(state, SearchLimits(progress=listener))
    assert told[-1][1] == 0
    for patience[0] in range(0, len(told) - 1, len(told) // 5):
        told.clear()
        with pytest.raises(OutOfTimeError):
            kernel_of(STONES).solve(state, SearchLimits(progress=listener))


@pytest.mark.parametrize("text", [BOUNDED, STONES])
def test_states_are_counted_without_being_settled(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, positions = gamedsl.load(text, "python").initial_state(), solved(text).positions
    monkeypatch.setattr(retrograde.RetrogradeRun, "_begin_values", None)
    assert kernel_of(text).count(state) == positions
    with pytest.raises(OutOfBudgetError):
        kernel_of(text).count(state, SearchLimits(positions - 1))


def test_counting_states_meets_what_fails_in_them() -> None:
    with pytest.raises(GameRuleError):
        kernel_of(FAILING).count(gamedsl.load(FAILING, "python").initial_state())
