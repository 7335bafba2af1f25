"""Merged histories: nothing is lost by merging, and nothing is merged that can be told apart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.compiler.errors import has_llvm
from gamedsl.game import LoadedGame
from gamedsl.model.errors import GameRuleError
from gamedsl.solvers.equilibria.best_response import best_response_value
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.equilibria.informed_play import GraphPlay
from gamedsl.solvers.histories.observed_graph import observed_graph
from gamedsl.solvers.merged.learning import MergedHistories, MergedLearning
from gamedsl.solvers.merged.merged_kernel import GOES_ON, UNLIKE, WALKED
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

Shipped = Callable[..., LoadedGame]
MEMORY, MANY = 10_000_000, 1_000_000
LINE = """
game "Marks unseen"
players X, O
board 2 wide 2 high
state:
    mine[p in players, square]: bool = false secret to p
    met[p in players, square]: bool = false secret to p
    {notes}
move mark(s in square) secret:
    require not mine[turn, s] and not met[turn, s]
    if mine[opponent, s]:
        {met}
        met[turn, s] = true
        again
    else: mine[turn, s] = true
end:
    if all(mine[X, s] or mine[O, s] for s in square):
        payoff X: {paid}, O: 0 - ({paid})
"""
PINGS = """
game "Pings"
players A, B
state:
    sent: 0..3 = 0 secret
    step: 0..2 = 0
    is_right: bool = false
move ping secret:
    require step == 0
    sent = sent + 1
    if sent < 3: again
    else: step = 1
move guess(k in 0..3):
    require step == 1
    is_right = k == sent
    step = 2
move stop secret:
    require step == 0
    step = 1
end:
    if step == 2:
        if is_right: B wins sent + 1
        draw
"""
GLANCE = """
game "A glance"
players A, B
state:
    coin: 0..1 = 0 secret
    shown: 0..2 = 2 secret to A
    touched[1..2]: bool = false secret to A
    guessed: 0..3 = 3
setup:
    chance coin in 0..1
move touch(k in 1..2) secret:
    require not touched[k]
    if k == 1 and not touched[2]: shown = coin
    else: shown = 2
    touched[k] = true
    again
move guess(k in 0..1):
    require touched[1] and touched[2]
    guessed = k
end:
    if guessed < 3:
        if guessed == coin: A wins
        A loses
"""
CORNER = "3 if mine[X, a1] else 1"
DIAGONAL = "3 if mine[X, a1] == mine[X, b2] else 1"
ROW = "3 if mine[X, a1] == mine[X, b1] else 1"


def marks(paid: str = DIAGONAL, notes: str = "", met: str = "pass") -> LoadedGame:
    text = LINE.format(paid=paid, notes=notes, met=met)
    return gamedsl.load("\n".join(line for line in text.splitlines() if line.strip() != "pass"))


def merged(game: LoadedGame, *, is_native: bool = False) -> MergedHistories:
    graph = observed_graph(game, 100_000)
    assert graph is not None
    return MergedHistories(graph, lambda: True, is_native=is_native)


def learnt(game: LoadedGame, rounds: int, *, is_native: bool = False) -> MergedLearning:
    learning = MergedLearning(merged(game, is_native=is_native), MEMORY, lambda: True)
    assert learning.is_whole
    for _ in range(rounds):
        learning.play_round()
    return learning


@pytest.mark.parametrize(
    ("name", "parameters", "rounds"),
    [
        ("kuhn_poker", {}, 7),
        ("liars_dice", {}, 5),
        ("phantom_line", {}, 2),
        ("phantom_line", {"wide": 2, "high": 2}, 3),
        ("phantom_line", {"wide": 4, "k": 3}, 1),
        ("dark_hex", {"width": 2, "height": 2}, 1),
    ],
)
def test_best_replies_are_those_of_the_extensive_form(
    name: str, parameters: dict[str, object], rounds: int, shipped: Shipped
) -> None:
    """The same behaviour, judged by best replies on all histories, which share no code."""
    game = shipped(name, **parameters)
    learning = learnt(game, rounds)
    mean = learning.take_mean(1000)
    bounds = [learning.best_reply(player) for player in (0, 1)]
    play, form = GraphPlay(learning, (mean, mean)), extensive_form(game)
    profile = []
    for player, sets in enumerate(form.sets):
        choices = [play.at(entry.history, player) for entry in sets]
        profile.append(
            tuple(tuple(p for _, p in choice.local.choices) for choice in choices if choice)
        )
    for player, most in enumerate(bounds):
        exact = best_response_value(form, profile, player)
        assert exact <= most < exact + Fraction(1, 10**6)


def test_symmetries_are_those_of_rules_and_payoffs() -> None:
    assert merged(marks()).order == 8
    assert merged(marks(ROW)).order == 4
    assert merged(marks(CORNER)).order == 2
    assert merged(marks("3 if mine[X, a1] else (2 if mine[X, b1] else 1)")).order == 1


@pytest.mark.parametrize("indices", ["1..3, 1..3", "1..3, 1..3, 1..3"])
def test_indices_that_may_be_mirrored_leave_the_symmetries_of_the_board(indices: str) -> None:
    ones = ", ".join("1" for _ in indices.split(","))
    game = marks(notes=f"seen[{indices}]: bool = false", met=f"seen[{ones}] = true")
    assert merged(game).order == 8


def test_the_order_of_tries_counts_where_it_is_seen() -> None:
    assert list(merged(marks()).observed.forgets) == [1, 1]
    noted = marks(
        notes="last[p in players]: square | none = none secret to p", met="last[turn] = s"
    )
    assert list(merged(noted).observed.forgets) == [1, 0], "two tries in a turn has O alone"
    told = marks(notes="last: square | none = none", met="last = s")
    assert list(merged(told).observed.forgets) == [1, 0]


@pytest.mark.parametrize(("text", "value"), [(PINGS, -1), (GLANCE, 1)])
def test_what_a_player_saw_or_counted_in_a_turn_is_not_forgotten(text: str, value: int) -> None:
    """Two tries alike are more than one; and a view that has gone was seen."""
    options = SolveOptions(solver=SolverName.MERGED, rounds=64)
    solution = solve(gamedsl.load(text), options=options)
    assert solution.value is not None
    assert abs(solution.value[0] - value) <= solution.error_bound


def test_chances_of_many_digits_leave_fewer_to_reaches() -> None:
    """Chances are in units of 1 / 2,298,530,349."""
    chance = "    chance card[{}] in {{2: {}, 3: 1/3, 4: 2/3 - {}}}\n".format
    text = f"""game "Odd cards"
players A, B
state:
    card[p in players]: 2..4 = 2 secret to p
    bids: 0..2 = 0
    stake: 1..5 = 1
setup:
{chance("A", "1/15971", "1/15971")}{chance("B", "1/15991", "1/15991")}
move bid(n in 1..2):
    bids += 1
    stake += n
end:
    if bids == 2: payoff A: (stake - 3) * (card[A] - card[B]), B: (3 - stake) * (card[A] - card[B])
"""
    game = gamedsl.load(text)
    learnt, exact = (
        solve(game, options=SolveOptions(solver=solver, rounds=64))
        for solver in (SolverName.MERGED, SolverName.SEQUENCE_FORM)
    )
    assert learnt.value is not None
    assert exact.value is not None
    assert abs(learnt.value[0] - exact.value[0]) <= learnt.error_bound < Fraction(1, 50)


def test_turns_of_more_tries_than_there_is_room_for_are_not_merged() -> None:
    histories = merged(marks())
    for room, status in ((8, UNLIKE), (200, WALKED)):
        work = histories.graph.arrays, histories.observed, *histories.turns_of(0, room)
        assert histories.call("find_turns", MANY, *work) == status


def test_turns_are_not_merged_where_the_time_is_up() -> None:
    """A part at a time leads to the same answer; without time nobody forgets."""
    histories = merged(marks())
    work = histories.graph.arrays, histories.observed, *histories.turns_of(0, 200)
    parts = [histories.call("find_turns", 10, *work) for _ in range(200)]
    assert parts[0] == GOES_ON
    assert parts[-1] == WALKED
    assert not any(MergedHistories(histories.graph, lambda: False).observed.forgets)


@pytest.mark.skipif(not has_llvm(), reason="needs LLVM")
@pytest.mark.parametrize("name", ["kuhn_poker", "phantom_line"])
def test_machine_code_learns_the_same(name: str, shipped: Shipped) -> None:
    native, python = (learnt(shipped(name), 12, is_native=native) for native in (True, False))
    assert native.take_mean(0) == python.take_mean(0)
    assert [native.best_reply(n) for n in (0, 1)] == [python.best_reply(n) for n in (0, 1)]


def test_memory_that_does_not_suffice_leaves_the_walk_open(shipped: Shipped) -> None:
    assert not MergedLearning(merged(shipped("liars_dice")), 2_000, lambda: True).is_whole


@pytest.mark.parametrize(
    ("name", "value"), [("phantom_line", Fraction(1)), ("liars_dice", Fraction(1, 9))]
)
def test_many_histories_are_merged(name: str, value: Fraction, shipped: Shipped) -> None:
    solution = solve(shipped(name), options=SolveOptions(max_positions=400, rounds=64))
    assert solution.solver is SolverName.MERGED
    assert solution.value is not None
    assert abs(solution.value[0] - value) <= solution.error_bound < Fraction(1, 10)


@pytest.mark.parametrize("is_native", [False, pytest.param(True, marks=pytest.mark.skipif(
    not has_llvm(), reason="needs LLVM"))])  # fmt: skip
@pytest.mark.parametrize("allowed", ["k != 2 or coin == 1", "k != 1 + coin"])
def test_actions_that_show_a_secret_are_an_error(allowed: str, is_native: bool) -> None:
    game = gamedsl.load(GLANCE.replace("guess(k in 0..1)", "guess(k in 0..2)").replace(
        "touched[1] and touched[2]", f"touched[1] and ({allowed})"))  # fmt: skip
    with pytest.raises(GameRuleError, match=r"A cannot tell .* after coin=., touch\(.\).*: guess"):
        MergedLearning(merged(game, is_native=is_native), MEMORY, lambda: True)
