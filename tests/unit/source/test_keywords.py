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
