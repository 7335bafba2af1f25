"""What comes out of a `def` that calls itself, from one level of it."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model import nodes
from gamedsl.model.elaborate.expressions import recursive
from gamedsl.model.types import Scalar, Type
from gamedsl.model.walk import statements, within

STEPS = [
    "0 if n == 0 else 1 + f(n - 1)",
    "n if n == 0 else f(n - 1) - 2",
    "max(0, k + f(n - 1) for k in 1..3 where n > 0)",
    "1 if n == 0 else f(n - 1) + (1 if n > 9 else 5)",
    "9 if n == 0 else first(f(n - 1) - k for k in {1, 3})",
]
OTHERS = [
    "0 if n == 0 else min(150, 1 + f(n - 1))",
    "0 if n == 0 else 7 - f(n - 1)",
    "n if n == 0 else f(n - 1) // 2 + n",
    "0 if n == 0 else abs(f(n - 1) - 3) + 1",
]


def type_of_f(value: str) -> Type:
    """The type of `f(n)` with this body, n being at most 200."""
    text = (
        'game "Growing"\nplayers A, B\nstate:\n    left: 0..200 = 200\n'
        f"def f(n in 0..200) = {value}\n"
        "move take:\n    require left > 0 and f(left) != 9999\n    left -= 1\n"
        "end:\n    if stuck: turn loses\n"
    )
    body = gamedsl.load(text, "interpreter").model.moves[0].body
    asked = [one.condition for one in statements(body) if isinstance(one, nodes.Require)]
    (found,) = {n.type for a in asked for n in within(a) if isinstance(n, nodes.ApplyRecursive)}
    return found


def by_level(value: str, monkeypatch: pytest.MonkeyPatch) -> Type:
    """The same, found by typing the body once a level."""
    with monkeypatch.context() as without:
        without.setattr(recursive, "_added_up", lambda *_: None)
        return type_of_f(value)


@pytest.mark.parametrize("value", STEPS)
def test_what_each_level_adds_is_added_up(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = by_level(value, monkeypatch)
    monkeypatch.setattr(recursive, "_climbed", None)
    assert type_of_f(value) == wanted


@pytest.mark.parametrize("value", OTHERS)
def test_what_does_more_than_add_is_not(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert type_of_f(value) == by_level(value, monkeypatch)


def test_the_numbers_are_those_of_all_levels() -> None:
    found = type_of_f("0 if n == 0 else 3 + f(n - 1)")
    assert isinstance(found, Scalar)
    assert found.interval[0] == 0
    assert 3 * 200 <= found.interval[1] <= 3 * 210
