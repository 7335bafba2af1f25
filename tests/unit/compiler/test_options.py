"""What can be left out of the compiler is told by name."""

from __future__ import annotations

import pytest

from gamedsl.compiler.options import OPTIONAL, CompilerOptions, Rewrite, Strategy
from gamedsl.compiler.passes.pipeline import PASSES


def test_an_unknown_name_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(ValueError, match="cannot leave out pack, shares; what can") as refused:
        CompilerOptions(frozenset({"pack", "share", "shares"}))
    assert str(refused.value).endswith(", ".join(OPTIONAL))


def test_a_part_is_there_until_it_is_left_out() -> None:
    assert CompilerOptions().has(Strategy.FILLS)
    assert not CompilerOptions(frozenset({"fills"})).has(Strategy.FILLS)
    assert CompilerOptions(frozenset({"fills"})).has(Rewrite.SHARE)


def test_all_passes_but_packing_can_be_left_out() -> None:
    assert {name for name, _ in PASSES} == {"pack", *(part.value for part in Rewrite)}
