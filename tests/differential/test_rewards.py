"""Compiled rewards are those of the definition, in the examples of the language."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.checking import checked_rules
from gamedsl.interpreter import RulesInterpreter
from gamedsl.source import SourceFile
from tests.differential.lockstep import Lockstep
from tests.language.examples import examples, marks

PAGE = Path(__file__).resolve().parents[1] / "language" / "rewards.md"
LOADED = [
    example
    for example in examples(PAGE)
    if not any(code != "E3005" for _, kind, code, _, _ in marks(example.text) if kind == "error")
]


@pytest.mark.parametrize("example", LOADED, ids=[example.place for example in LOADED])
def test_the_examples_pay_the_same(example: object) -> None:
    text = example.text  # type: ignore[attr-defined]
    model = checked_rules(SourceFile("example", text), {})
    pair = Lockstep(RulesInterpreter(model), CompiledEngine(model), random.Random(1))
    for _ in range(10):
        assert pair.play(8) is None
