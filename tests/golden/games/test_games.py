"""Generated code, foresight and rewritten rules of the shipped games are as reviewed.

A slower or worse game gives the same answers, thus no other test fails. The command
`python -m tests.golden.games` also compares the variants, and all aspects of the long games;
`--snapshot-update` rewrites lines of `games.txt` that differ.
"""

from __future__ import annotations

import pytest

import gamedsl
from tests.golden.games.aspects import ASPECTS, aspects_of, folded_code
from tests.golden.games.table import HOW, TITLES, differences, reviewed, write
from tests.stages import SHIPPED, shipped_stages

SLOW = {"chess", "l_game"}
"""More than half of the time of all code goes into these two."""
LONG = {"chess", "go", "nine_mens_morris", "othello"}
"""Most of the time of all other aspects goes into these four: of these the test compares the code
alone."""


@pytest.mark.parametrize(
    "title", [pytest.param(t, marks=pytest.mark.slow) if t in SLOW else t for t in SHIPPED]
)
def test_a_game_is_as_reviewed(title: str, request: pytest.FixtureRequest) -> None:
    stages = shipped_stages(title)
    model = stages.model if stages else gamedsl.load(title, "interpreter").model
    generated = stages.generated if stages else None
    asked = ("code",) if title in LONG else aspects_of(model)
    found = {(title, aspect): str(ASPECTS[aspect](model, generated)) for aspect in asked}
    if request.config.getoption("--snapshot-update", default=False):
        write({**reviewed(), **found})
    assert not (told := "\n".join(differences(found))), f"\n{told}\n{HOW}"


def test_the_table_has_lines_for_every_shipped_game() -> None:
    assert tuple(dict.fromkeys(title for title, _ in reviewed())) == TITLES, HOW


def test_comments_and_names_of_locals_do_not_count() -> None:
    one = "def f(a):\n    # 3: x = a\n    x_2 = a + T0\n    return g__f7(x_2)\n"
    other = "def f(n):\n    y_4 = n + T0\n    # again\n    return g__f9(y_4)\n"
    assert folded_code(one) == folded_code(other)
    assert folded_code(one) != folded_code(one.replace("(x_2)", "(a)"))
    assert folded_code(one) != folded_code(one.replace("T0", "T1"))
