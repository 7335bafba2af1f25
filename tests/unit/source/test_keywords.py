"""Functions answer keywords that they have not with those that they have."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import gamedsl


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"depth": 3},
            r"search\(\) has no argument `depth`; there are game, algorithm, state, limit",
        ),
        ({"limt": 3}, r"no argument `limt`; did you mean `limit`\? There are game, "),
    ],
)
def test_a_keyword_that_there_is_not_is_answered_with_those_that_there_are(
    given: dict[str, Any], told: str
) -> None:
    with pytest.raises(TypeError, match=told):
        gamedsl.search("nim", "minimax", **given)


def test_functions_are_called_and_sent_elsewhere_as_before() -> None:
    assert gamedsl.perft("nim", depth=2)[2] == 113
    assert pickle.loads(pickle.dumps(gamedsl.search)) is gamedsl.search
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'depth'"):
        gamedsl.perft("nim")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"max_positions": 0}, ValueError, r"solve\(\): `max_positions` is at least 1, found 0"),
        ({"threads": -1}, ValueError, r"solve\(\): `threads` is at least 0, found -1"),
        ({"seed": "x"}, TypeError, r"solve\(\): `seed` is a whole number, found 'x'"),
        ({"max_seconds": "1"}, TypeError, r"solve\(\): `max_seconds` is a number, found '1'"),
    ],
)
def test_numbers_are_checked_before_the_work(
    arguments: dict[str, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        gamedsl.solve("nim", **arguments)
    with pytest.raises(ValueError, match="`count` is at least 0, found -1"):
        gamedsl.playouts("nim", -1)
