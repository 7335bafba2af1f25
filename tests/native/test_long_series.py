"""Flat sums, unions, `and` and `or` of many terms in machine code."""

from __future__ import annotations

import pytest

import gamedsl
from tests.differential.test_long_series import LONG, RULES


@pytest.mark.parametrize("kind", LONG)
def test_a_long_series_counts_alike_natively(kind: str) -> None:
    text = RULES.format(condition=LONG[kind])
    native, plain = (gamedsl.load(text, engine=engine) for engine in ("native", "interpreter"))
    assert gamedsl.perft(native, 3) == gamedsl.perft(plain, 3)
