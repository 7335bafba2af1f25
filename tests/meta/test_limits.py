"""What a limit of the reference allows is played, and what is beyond it is refused.

That the reference names the limits of the program is a matter of `benchmarks/figures/limits.toml`.
"""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model import limits
from gamedsl.syntax.builders.expressions import LONGEST_NUMBER
from gamedsl.syntax.depth import DEEPEST_BRACKETS, DEEPEST_TREE

GAME = """players A
state:
    n: {domain} = {start}
move go{parameters}:
    require n == {start}
    n = {value}
end:
    if n != {start}: draw
"""


def test_a_tree_is_as_deep_as_the_rules_that_are_made_of_it() -> None:
    assert DEEPEST_TREE == limits.MOST_DEPTH


def load(domain: str = "0..9", parameters: str = "", value: str = "1", start: str = "0") -> None:
    text = GAME.format(domain=domain, parameters=parameters, value=value, start=start)
    gamedsl.load(text, engine="interpreter")


@pytest.mark.parametrize(
    ("limit", "written"),
    [
        (LONGEST_NUMBER, lambda n: {"value": f"0 * 1{'0' * (n - 1)} + 1"}),
        (DEEPEST_BRACKETS, lambda n: {"value": "(" * n + "1" + ")" * n}),
        (limits.MOST_VALUES, lambda n: {"domain": f"0..{n - 1}"}),
        (
            limits.MOST_SIDE_BY_SIDE,
            lambda n: {"parameters": f"({', '.join(f'p{i} in 1..1' for i in range(n))})"},
        ),
        (limits.MOST_SUBSETS, lambda n: {"parameters": f"(s subset of 1..{n.bit_length() - 1})"}),
    ],
)
def test_what_the_limit_allows_is_played_and_twice_as_much_is_refused(
    limit: int, written: object
) -> None:
    assert callable(written)
    load(**written(limit))
    with pytest.raises(gamedsl.GameSourceError):
        load(**written(2 * limit))
