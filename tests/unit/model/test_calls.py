"""How often a `def` calls itself is decided before anything is played, as far as it is certain."""

from __future__ import annotations

import pytest

from gamedsl.game import read_program
from gamedsl.model import check
from gamedsl.source import SourceFile
from tests.unit.model.reading import HEAP, spoilt


def refused(parameters: str, value: str, call: str, at_most: int = 10_000_000) -> list[str]:
    """What is said of a `def` that calls itself."""
    text = spoilt(HEAP, "n <= left", f"{call} >= 0") + f"def f({parameters}) = {value}\n"
    program, _ = read_program(SourceFile("test.game", text))
    _, found = check(program, max_rounds=at_most)
    wrong = [one for one in found if one.is_error]
    assert {one.code for one in wrong} <= {"E1206"}, wrong
    return [one.message for one in wrong]


TWICE = "1 if n <= 1 else f(n-1) + f(n-1)"


@pytest.mark.parametrize(
    ("parameters", "value", "call", "dearest"),
    [
        ("n in 0..60", TWICE, "f(3)", "`f(60)` takes more than 1,000,000,000,000,000 calls"),
        ("n in 0..40", "n if n < 2 else f(n-1) + f(n-2)", "f(3)", "`f(40)` takes 331,160,281"),
        ("n in 0..20", "1 if n == 0 else sum(f(n-1) for i in 1..3)", "f(3)", "`f(20)` takes"),
        ("m in 0..9, n in 0..60", "m if n == 0 else f(m, n-1) + f(0, n-1)", "f(3, 3)", "60)`"),
        ("n in 0..60, m in 0..9", "m if n == 0 else f(n-1, m) + f(n-1, 0)", "f(3, 3)", "`f(60"),
        ("n in 0..60", "1 if n <= 1 else left if left > 9 else f(n-1) + f(n-1)", "f(3)", ""),
        ("n in 0..60", "1 if n <= 1 else f(n-1) + (f(n-1) if left > 9 else 0)", "f(3)", ""),
        ("n in 0..60", "1 if n <= 1 else 2 * f(n-1)", "f(3)", ""),
        ("n in 0..19", TWICE, "f(3)", ""),
    ],
)
def test_calls_that_are_certain_are_counted(
    parameters: str, value: str, call: str, dearest: str
) -> None:
    found = refused(parameters, value, call)
    assert len(found) == bool(dearest)
    assert all(dearest in message for message in found)


def test_the_number_is_exact_and_the_limit_a_tenth_of_that_of_rounds() -> None:
    assert refused("n in 0..5", TWICE, "f(3)", 310) == []  # 2**5 - 1 calls
    assert refused("n in 0..5", TWICE, "f(3)", 309) == [
        "`f(5)` takes 31 calls of `f`: at most 30 are possible"
    ]


def test_a_single_truth_is_not_counted_but_there_are_two_ways_to_say_what_is_meant() -> None:
    text = spoilt(HEAP, "n <= left", "count(n == left) + count(left == 3) < 2")
    program, _ = read_program(SourceFile("test.game", text))
    _, found = check(program)
    assert [one.code for one in found] == ["E1105", "E1105"]
    hint = "`count([n == left, ...])` counts several, `1 if n == left else 0` this one"
    assert found[0].hint == hint
    meant = spoilt(HEAP, "n <= left", "count([n == left, left == 3]) < 2")
    _, found = check(read_program(SourceFile("test.game", meant))[0])
    assert not [one for one in found if one.is_error]


@pytest.mark.parametrize(
    ("asked", "example"),
    [
        ("sum(bid) > 1", "sum(bid[k, p] for k in 1..2 for p in players)"),
        ("max(bid[1]) > 1", "max(bid[1][p] for p in players)"),
        ("any(edge)", "any(edge[a, b] for a in 1..2 for b in a+1..3)"),
        ("sum(left) > 1", "sum(... for k in 1..9)"),
    ],
)
def test_a_whole_variable_is_gone_through_by_its_own_indices(asked: str, example: str) -> None:
    more = "    bid[k in 1..2, players]: 0..1 = 0\n    edge[a in 1..2, b in a+1..3]: bool = false\n"
    text = spoilt(HEAP, "n <= left", asked).replace("state:\n", f"state:\n{more}")
    _, found = check(read_program(SourceFile("test.game", text))[0])
    assert [one.hint for one in found if one.code == "E1105"] == [f"as in `{example}`"]
