"""Interval iteration by a kernel, here in Python, against value iteration on the state graph."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Rows
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits, SolvedPositions
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.exact.solved import Solved
from gamedsl.solvers.graph_solutions import solution_from_table
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.chance import bounds_kernel, components_kernel, interval
from gamedsl.solvers.kernels.chance import interval_kernel as kernel
from gamedsl.solvers.kernels.chance.components_kernel import (
    CHOICE_SHIFT,
    KIND_SHIFT,
    LEAST_KIND,
)
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE, Toll
from gamedsl.solvers.kernels.chance.interval import KernelInterval
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solved_table import SolvedTable


def random_walk(seed: int, *, returns: bool, alone: bool) -> str:
    """A race in which dice decide how far a move goes; `returns`: some moves go back."""
    draw = random.Random(seed)
    last = draw.randint(6, 25)
    lines = [f'game "Walk {seed}"', "players A, B", "", "state:", f"    at: 0..{last} = 0", ""]
    for name in range(draw.randint(1, 3)):
        lines += [f"move go{name}:", f"    chance die in 1..{draw.randint(2, 6)}"]
        if returns:
            lines.append(f"    at = (at * {draw.randint(1, 2)} + die) % {last + 1}")
        else:
            lines.append(f"    at = min(at + die + {draw.randint(0, 2)}, {last})")
        lines += [*draw.choice(([], [f"    if die == {draw.randint(1, 3)}: again"])), ""]
    lines += ["move rest:", "    require at % 3 == 1", "    at += 1", ""] if returns else []
    lines += ["end:", f"    if at == {last}: turn {draw.choice(['wins', 'loses'])}"]
    for square in sorted(draw.sample(range(1, last), 2)):
        payoff = f"{draw.randint(-3, 3)} / {draw.randint(1, 3)}"
        lines.append(f"    if at == {square}: payoff p: ({payoff} if p == A else -({payoff}))")
    lines.append(f"endless: {draw.choice(['A wins', 'A loses', 'draw'])}")
    text = "\n".join(lines) + "\n"
    return text.replace("A, B", "A") if alone else text


def kernel_of(game: LoadedGame) -> KernelInterval:
    assert isinstance(game.engine, CompiledEngine)
    return KernelInterval(game.engine, native=False)


def settled(game: LoadedGame) -> SolvedPositions:
    return kernel_of(game).solve(game.initial_state())


def table_of(game: LoadedGame) -> SolvedTable:
    found = settled(game)
    return SolvedTable(game, game.initial_state(), found, SolverName.NATIVE_VALUE_ITERATION)


def assert_near(table: SolvedTable, wanted: Solved) -> None:
    """The same states, values within both bounds, and a choice that is among the best."""
    assert list(table.states) == list(wanted.states)
    allowed = table.error_bound + wanted.error_bound
    for state in wanted.states:
        for found, value in zip(table.value(state), wanted.value(state), strict=True):
            assert abs(found - value) <= allowed
        best = [one.action for one in wanted.assessed(state) if one.is_best]
        choice = table.choice(state)
        assert choice in best if best else choice is None


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("alone", [False, True])
def test_values_are_those_of_value_iteration(returns: bool, alone: bool) -> None:
    refused = 0
    for seed in range(12):
        game = gamedsl.load(random_walk(seed, returns=returns, alone=alone), "python")
        wanted = solve(game).solved
        assert wanted is not None
        try:
            assert_near(table_of(game), wanted)
        except UnsupportedGameError:
            refused += 1
    assert refused <= (4 if returns else 0)


def with_payments(text: str, seed: int, *, alone: bool) -> str:
    """The walk with rewards before and behind the throw, a discount, or all of them."""
    draw = random.Random(seed)
    kinds = draw.choice((("before",), ("behind",), ("discount",), ("before", "behind", "discount")))
    players = (("A", ""),) if alone else (("A", ""), ("B", "-"))
    lines = []
    for line in text.splitlines():
        if line.startswith("state:") and "discount" in kinds:
            lines += [f"discount = {draw.randint(1, 9)}/10", ""]
        lines.append(line)
        here = draw.randint(-3, 3)
        if line.startswith("move ") and "before" in kinds:
            paid = ", ".join(f"{player}: {sign}({here} / 7)" for player, sign in players)
            lines.append(f"    reward {paid}")
        if "chance die" in line and "behind" in kinds:
            paid = ", ".join(f"{player}: {sign}(die * {here} / 5)" for player, sign in players)
            lines.append(f"    reward {paid}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("alone", [False, True])
def test_values_with_rewards_and_discounts_are_those_of_python(returns: bool, alone: bool) -> None:
    solved = 0
    for seed in range(7):
        text = with_payments(random_walk(seed, returns=returns, alone=alone), seed, alone=alone)
        game = gamedsl.load(text, "python")
        try:
            found = table_of(game)
        except UnsupportedGameError:
            continue
        solved += 1
        try:
            wanted = solve(game).solved
        except UnsupportedGameError:  # it cannot tell that a loop costs in the mean
            continue
        assert wanted is not None
        assert_near(found, wanted)
    assert solved >= (3 if returns else 7)


UNOPPOSED = """game "Unopposed"
players A, B
state:
    at: 0..9 = 0
move go:
    chance die in 1..3
    reward A: die
    at = min(9, at + die)
end:
    if at == 9: turn wins
"""


def test_rewards_without_opposed_interests_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="need not pay"):
        settled(gamedsl.load(UNOPPOSED, "python"))


def test_discounted_payoffs_of_another_sum_than_zero_are_refused() -> None:
    text = UNOPPOSED.replace("    reward A: die\n", "").replace("turn wins", "payoff p: p == A")
    text = text.replace("payoff p: p == A", "payoff p: (1 if p == A else 0)")
    discounted = text.replace("state:", "discount = 1/2\nstate:", 1)
    with pytest.raises(UnsupportedGameError, match="discounted"):
        settled(gamedsl.load(discounted, "python"))


def test_sums_of_rewards_beyond_the_first_bounds_are_bounded_in_greater_units() -> None:
    text = UNOPPOSED.replace("A: die", "A: die, B: -die").replace("9", "700")
    game = gamedsl.load(text, "python")
    assert_near(table_of(game), solve(game).solved)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["piglet", "secretary", "knuth_yao_die"])
def test_shipped_games_have_the_values_of_value_iteration(name: str) -> None:
    game = gamedsl.load(name, "python")
    assert_near(table_of(game), solve(game).solved)  # type: ignore[arg-type]


def test_positions_endings_and_chance_events_are_those_of_the_graph() -> None:
    game = gamedsl.load("pig", "python", goal="10")
    found, wanted = settled(game), solve(game)
    assert found.chance is not None
    assert (found.positions, found.endings) == (wanted.positions, wanted.terminals)
    assert found.chance.events == wanted.chance_nodes
    assert found.chance.ends_surely


CIRCLE = """game "Circle"
players A, B
state:
    at: 0..3 = 0
move circle:
    require at < 2
    at = 1 - at
move dare:
    require at < 2
    chance die in 1..2
    at = die + 1
end:
    if at == 2: turn wins
    if at == 3: draw
endless: draw
"""
"""Who dares may lose and cannot win, so both circle for ever."""


def test_a_player_who_may_circle_for_ever_gets_the_value_of_endless_play() -> None:
    game = gamedsl.load(CIRCLE, "python")
    (value, _), _ = settled(game).look_up(game.initial_state())
    assert abs(value) < Fraction(1, 10**9)
    assert solve(game).value == (0, 0)


def test_play_that_need_not_end_is_not_said_to_end_surely() -> None:
    """Circling loses nothing, and daring loses."""
    text = CIRCLE.replace("A, B", "A").replace("turn wins", "A loses")
    found = settled(gamedsl.load(text, "python"))
    assert found.chance is not None
    assert not found.chance.ends_surely


def test_weights_beyond_what_bounds_can_be_multiplied_with_are_refused() -> None:
    rare = CIRCLE.replace("die in 1..2", "die in {1: 1/1000000007, 2: 1000000006/1000000007}")
    with pytest.raises(UnsupportedGameError, match="weights"):
        settled(gamedsl.load(rare, "python"))


def test_a_limit_of_positions_is_kept() -> None:
    game = gamedsl.load("pig", "python")
    with pytest.raises(OutOfBudgetError):
        kernel_of(game).solve(game.initial_state(), SearchLimits(positions=500))


def test_a_finer_tolerance_is_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load("pig", "python", goal="6")
    found = settled(game)
    assert found.chance is not None
    monkeypatch.setattr(interval, "TOLERANCE", Fraction(1, 10**16))
    with pytest.raises(UnsupportedGameError, match="stay apart"):
        settled(game)


def test_guesses_change_nothing_but_the_way_to_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load("pig", "python", goal="8")
    state = game.initial_state()
    guessed, answers = settled(game), []
    monkeypatch.setattr(kernel, "MOST_ESTIMATES", 1)
    plain = settled(game)
    for found in (guessed, plain):
        assert found.chance is not None
        assert found.chance.error_bound < Fraction(1, 10**11)
        answers.append(found.look_up(state))
    (one, _), (other, _) = answers  # type: ignore[misc]
    assert one != other
    assert abs(one[0] - other[0]) < Fraction(1, 10**11)


@pytest.fixture
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The constants of a game that pays at the end."""
    monkeypatch.setattr(components_kernel, "IS_NARROW", False, raising=False)
    for name, constant in {"PAYS": False, "LASTING": 1, "WHOLE": 1, "EVENT_AT": 0}.items():
        for module in (kernel, bounds_kernel):
            monkeypatch.setattr(module, name, constant, raising=False)


def stayer(kind: int, lower: list[int], upper: list[int]) -> kernel.BoundedGraph:
    """A state of some kind that leads to itself and to an ending; a player chooses the ending."""
    state = kind - LEAST_KIND << KIND_SHIFT | (0 if kind == NATURE else 2) << CHOICE_SHIFT
    ending = -LEAST_KIND << KIND_SHIFT | 2
    return kernel.BoundedGraph(
        nodes=[state, ending, 2],
        edges=[1, 0],
        ranks=[3 << 32 | 4],
        order=[1 << 32 | 3],
        tolls=Rows(Toll, [1, 0, 0, 0, 0]),
        lower=lower,
        upper=upper,
        before=[],
        marks=[0],
    )


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize(("kind", "is_proved"), [(-1, False), (NATURE, True)])
def test_a_guess_that_only_staying_for_ever_would_keep_is_taken_back(
    kind: int, *, is_proved: bool
) -> None:
    """One state that leads to itself and to what is worth 78, guessed to be worth at least 76. A
    player may choose to stay: the estimate begins anew with the payoff of endless play, and then
    the widest bounds are taken. Chance leaves in the end."""
    notes = kernel.IntervalNotes([0] * len(kernel.IntervalNotes.FIELDS))
    notes.put_numbers(("used", "least", "most", "is_free"), (2, 40, 100, 1))
    notes.endless_low, notes.endless_high = (50, 99) if kind == -1 else (0, 50)
    for tries in range(2):
        notes.stage, notes.give_up_at = kernel.GUESSED, 9
        lower, upper = [76, 78], [90, 78]
        kernel.prove(1, 1, stayer(kind, lower, upper), notes)
        assert notes.stage == (kernel.KNOWN if is_proved or tries else kernel.ESTIMATED)
        if is_proved:
            assert (lower[0], upper[0]) == (77, 84)
        else:
            assert lower[0] == (40 if tries else notes.endless_low)


@pytest.mark.usefixtures("_plain")
@pytest.mark.parametrize(("lower", "upper"), [(80, 90), (60, 70)])
def test_a_guess_that_is_wrong_is_taken_back_after_some_sweeps(lower: int, upper: int) -> None:
    """Chance stays or leads to what is worth 78."""
    notes = kernel.IntervalNotes([0] * len(kernel.IntervalNotes.FIELDS))
    notes.put_numbers(("used", "least", "most", "is_free", "slack"), (2, 40, 100, 1, 2))
    notes.stage = kernel.GUESSED
    for tries_left, wanted in ((1, kernel.GUESSED), (0, kernel.KNOWN)):
        lows, highs = [lower, 78], [upper, 78]
        notes.sweeps, notes.give_up_at = 5, 5 + tries_left
        kernel.prove(1, 1, stayer(NATURE, lows, highs), notes)
        assert notes.stage == wanted
    assert (lows[0], highs[0], notes.leaving) == (40, 100, 0)


@pytest.mark.parametrize("start", [0, 1 << 52])
def test_leaps_find_where_a_linear_sweep_stands_still(start: int) -> None:
    """A sweep brings a value a tenth of the way to 3 << 50."""
    at, goal, length, moved_before, sweeps = start, 3 << 50, 1 << kernel.PART, 0, 0
    while abs(at - goal) > 1 << 20:
        moved = (at * 9 + goal) // 10 - at
        length = kernel.length_of_leap(length, moved, moved_before)
        at += moved + kernel.share_of(moved, length - (1 << kernel.PART))
        moved_before, sweeps = moved, sweeps + 1
    assert sweeps <= 6


def test_a_leap_of_unknown_length_is_none() -> None:
    plain = 1 << kernel.PART
    assert kernel.length_of_leap(plain, 5, 5) == plain
    assert kernel.length_of_leap(plain, 9, 3) == plain
    assert kernel.length_of_leap(plain, 1 << 50, (1 << 50) + 1) == plain


@pytest.mark.parametrize("players", ["A", "A, B"])
def test_endless_play_is_among_the_payoffs_that_bound_the_value(players: str) -> None:
    """All endings pay the same; play ends with probability one third."""
    game = gamedsl.load(
        f'game "Found or lost"\nplayers {players}\nstate:\n    at: 0..3 = 0\n'
        "move walk:\n    chance c in 1..6\n    if at == 0 and c <= 3: at = 1 if c == 1 else 2\n"
        "    elif at >= 2: at = 5 - at\n"
        "end:\n    if at == 1: A wins\nendless: draw\n",
        "python",
    )
    solver = SolverName.NATIVE_VALUE_ITERATION
    told = solution_from_table(table_of(game), solver)
    assert told.error_bound > 0
    for paid in (told.value, *(move.value for move in told.moves)):
        assert paid is not None
        assert abs(paid[0] - Fraction(1, 3)) <= told.error_bound < Fraction(1, 10**6)


def network(nodes: list[tuple[str, list[int]]], ends: list[int], endless: int) -> str:
    """A token on a graph: `nodes` with the player to move, or dice, and the ways; behind the nodes
    the payoffs of endings."""

    def number(values: list[int]) -> str:
        return " ".join(f"{value} if i == {i} else" for i, value in enumerate(values)) + " 0"

    def is_at(kind: str) -> str:
        return (
            f"at in {{99, {', '.join(str(i) for i, node in enumerate(nodes) if node[0] == kind)}}}"
        )

    ways = [(way, i, k) for i, node in enumerate(nodes) for k, way in enumerate(node[1])]
    to = " ".join(f"{way} if i == {i} and k == {k} else" for way, i, k in ways)
    text = f"""\
game "Network"
players A, B
state:
    at: 0..{len(nodes) + len(ends)} = 0
def to(i, k) = {to} 0
def width(i) = {number([len(ways) for _, ways in nodes])}
def worth(i) = {number([0] * len(nodes) + ends)}
move go(k in 0..2):
    require k < width(at) and (k == 0 or not ({is_at("dice")}))
    if {is_at("dice")}:
        chance r in 0..2 where r < width(at)
        at = to(at, r)
    else:
        at = to(at, k)
    turn = B if {is_at("B")} else A
end:
    if at >= {len(nodes)}: payoff p: worth(at) if p == A else -worth(at)
endless: payoff p: {endless} if p == A else {-endless}
"""
    return text.replace(", }", "}")


STAYING = [
    (
        [("A", [4, 6, 4]), ("dice", [5, 0, 4]), ("dice", [1, 0, 7]), ("A", [8, 7, 3]),
         ("dice", [0, 2]), ("A", [5, 1]), ("dice", [2, 8])],
        [2, 3], 3, Fraction(69, 25),
    ),
    (
        [("A", [1, 3]), ("dice", [1, 2]), ("B", [4, 2]), ("A", [0, 6]), ("A", [2, 0, 5]),
         ("dice", [0, 7]), ("A", [1, 8])],
        [0, 2], 0, Fraction(2),
    ),
    ([("A", [0, 2]), ("dice", [5, 4]), ("dice", [4, 3]), ("A", [5, 0])], [0, 2], -2, Fraction(1)),
    ([("A", [7, 1]), ("dice", [4, 7]), ("B", [8, 3]), ("dice", [8, 2, 0]), ("B", [4, 8, 6]),
      ("dice", [7, 6, 0]), ("dice", [1, 5])], [1, 1], 0, Fraction(1)),
]  # fmt: skip
"""Networks in which a player may stay for ever, and the exact value by all pairs of choices."""


@pytest.mark.parametrize(("nodes", "ends", "endless", "value"), STAYING)
def test_bounds_meet_where_a_player_may_stay_for_ever(nodes, ends, endless, value) -> None:
    game = gamedsl.load(network(nodes, ends, endless))
    known = settled(game)
    payoffs, _ = known.look_up(game.initial_state())
    assert known.chance.error_bound < Fraction(1, 10**9)
    assert abs(payoffs[0] - value) <= known.chance.error_bound


def test_the_frozen_lake_is_bounded_by_native_code() -> None:
    game = gamedsl.load("frozen_lake")
    known = settled(game)
    payoffs, _ = known.look_up(game.initial_state())
    assert abs(payoffs[0] - Fraction(14, 17)) <= known.chance.error_bound < Fraction(1, 10**9)
