"""Propositions: what they are simplified to, and what they may take."""

from __future__ import annotations

import pytest

from gamedsl.model.rewriting.moments import NotToldError
from gamedsl.model.rewriting.propositions import (
    Proposition,
    all_of,
    bounded,
    negated,
    some_of,
    total_is,
)

LEVELS = 40
"""Of conditions that each hold the one below twice: a million millions of atoms, written out."""


def atom(number: int) -> Proposition:
    return ("cell", number, True)


def tower(levels: int) -> Proposition:
    """A condition in which each level holds the one below twice."""
    built = atom(0)
    for level in range(1, levels + 1):
        one, other = atom(2 * level), atom(2 * level + 1)
        built = some_of((all_of((one, built)), all_of((other, built))))
    return built


def test_negations_are_pushed_down_to_the_atoms() -> None:
    either = some_of((atom(1), all_of((atom(2), ("not", atom(3))))))
    assert negated(either) == all_of((("not", atom(1)), some_of((("not", atom(2)), atom(3)))))
    assert negated(total_is({(atom(1), 5): 1}, 5)) == ("not", total_is({(atom(1), 5): 1}, 5))
    assert negated(True) is False


def test_a_condition_that_is_held_twice_is_compared_and_negated_once() -> None:
    with bounded():
        assert negated(negated(tower(LEVELS))) == tower(LEVELS)
        kept = negated(tower(5))
    assert kept == negated(tower(5))


def test_work_without_bound_is_given_up() -> None:
    with bounded(100), pytest.raises(NotToldError, match="too many parts"):
        negated(tower(LEVELS))
    assert negated(tower(2)) != tower(2)
