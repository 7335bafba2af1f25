"""Values that moves only carry about: found where they are, and not where moves look at them."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.model.rewriting.merging import Carried, carried
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.state import State

RING = 'game "Ring"\nplayers P\n\nstate:\n    a[i in 1..5]: 0..9 = i - 1\n{more}\n'
RING += "move go(i in 1..5, j in 1..5):\n    require a[i] == 0 and abs(i - j) in {{1, 4}}{asked}\n"
RING += "    a[i] = a[j]\n    a[j] = {left}\n\n"
RING += "end:\n    if a[1] == 1 and a[2] == 2: P wins\nendless: P loses\n"
SPUN = 'game "Spun"\nplayers P\n\nstate:\n    a[i in 1..4]: 0..4 = i\n\nmove spin:\n'
SPUN += "    a[1], a[2], a[3], a[4] = a[2], a[3], a[4], a[1]\n\nmove swap:\n"
SPUN += "    a[1], a[2] = a[2], a[1]\n\nend:\n    if a[1] == 2 and a[4] == 1: P wins\n"
SPUN += "endless: P loses\n"


def ring(asked: str = "", left: str = "0", more: str = "") -> str:
    return RING.format(asked=asked and f" and {asked}", left=left, more=more)


def told_apart(text: str) -> set[object] | str:
    found = carried(gamedsl.load(text).model)
    return found.reason if isinstance(found, Unknown) else set(found.told_apart)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (ring(), {0}),
        (SPUN, set()),
        ("eight_puzzle", {0}),
        (ring("a[j] != 3"), {0, 3}),
        (ring("a[j] in {3, 4}"), {0, 3, 4}),
        (ring(left="7"), {0, 7}),
        (ring("count(a[k] for k in 1..5 where a[k] == 3) == 1"), {0, 3}),
        (ring("sum(k for k in 1..5 where a[k] in {3, 4}) > 4"), {0, 3, 4}),
        (ring(left="(5 if a[j] == 6 else 0)"), {0, 5, 6}),
    ],
)
def test_values_are_told_apart_that_moves_ask_for_or_write(text: str, wanted: set[int]) -> None:
    assert told_apart(text) == wanted


@pytest.mark.parametrize(
    "asked", ["a[j] > a[6 - j]", "all(a[j] != a[k] for k in 1..5 where k != j)"]
)
def test_nothing_is_only_carried_where_moves_compare_values(asked: str) -> None:
    assert "only carry" in str(told_apart(ring(asked)))


@pytest.mark.parametrize(
    "asked", ["sum(a[k] for k in 1..5) < 36", "sum(a[k] for k in 1..5 where k < 5) > 6"]
)
def test_nothing_is_only_carried_where_values_are_added(asked: str) -> None:
    assert "only carry" in str(told_apart(ring(asked)))


def test_nothing_is_only_carried_where_moves_ask_for_groups() -> None:
    """A group holds the same, whatever that is: values taken for one another would join groups."""
    groups = 'game "Groups"\nplayers P\nboard graph:\n    p1-p2-p3-p4-p5-p1\n'
    groups += "state:\n    a[square]: 0..9\n"
    groups += "setup:\n    a[p1], a[p2], a[p3], a[p4], a[p5] = 0, 1, 2, 3, 4\n"
    groups += "move go(i in square, j in square):\n"
    groups += "    require a[i] == 0 and j in neighbours(i){asked}\n    a[i] = a[j]\n    a[j] = 0\n"
    groups += "end:\n    if a[p1] == 1 and a[p2] == 2: P wins\nendless: P loses\n"
    assert told_apart(groups.format(asked="")) == {0}
    assert "only carry" in str(told_apart(groups.format(asked=" and p3 in group(a, j)")))


def test_what_another_variable_is_told_by_a_value_tells_it_apart() -> None:
    noted = ring(more="    note: bool = false\n").replace(
        "    a[i] = a[j]", "    note = a[j] == 2\n    a[i] = a[j]"
    )
    assert told_apart(noted) == {0, 2}


def test_what_is_to_be_reached_is_what_the_ending_asks_of_cells() -> None:
    found = carried(gamedsl.load(ring()).model)
    assert isinstance(found, Carried)
    assert found.goals == ({0: 1, 1: 2},)


@pytest.mark.parametrize("text", [ring(), SPUN, "eight_puzzle"])
def test_moves_of_a_mapped_state_are_the_mapped_moves(text: str) -> None:
    game, draw = gamedsl.load(text, "python"), random.Random(1)
    found = carried(game.model)
    assert isinstance(found, Carried)
    domain, start = found.variable.domain, found.variable.offset
    free = [n for n, value in enumerate(domain.values) if value not in found.told_apart]

    def image(state: State) -> State:
        cells = list(state.cells)
        for n in range(start, start + found.variable.size):
            cells[n] = taken_for.get(cells[n], cells[n])
        return game.engine.state_of(tuple(cells), state.turn)

    for _ in range(5):
        taken_for = {digit: draw.choice(free) for digit in free}
        state = game.initial_state()
        for _ in range(20):
            other = image(state)
            if game.is_terminal(state) or game.is_terminal(other):
                break
            actions = game.legal_actions(state)
            assert game.legal_actions(other) == actions
            action = draw.choice(actions)
            state, after = game.result(state, action), game.result(other, action)
            assert image(state) == after
