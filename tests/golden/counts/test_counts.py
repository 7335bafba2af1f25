"""The size of the code of every shipped game, as a table: a change that makes code longer shows.

`pytest tests/golden/counts --snapshot-update` rewrites the lines that differ; review them: fewer
values, guards and lines are less work, more need a reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.counts.counting import counted, heading, row
from tests.stages import SHIPPED, shipped_stages

TABLE = Path(__file__).with_name("counts.txt")
LARGE = {"chess", "l_game"}
"""More than half of the time goes into these two."""
HOW = f"\n`pytest tests/golden/{TABLE.parent.name} --snapshot-update` rewrites the table"


def rows() -> dict[str, str]:
    """The table: its first line under "game", then each game's."""
    lines = TABLE.read_text("utf-8").splitlines() if TABLE.exists() else []
    return {line.split()[0]: line for line in lines}


def write(table: dict[str, str]) -> None:
    kept = [table[title] for title in SHIPPED if title in table]
    TABLE.write_text("\n".join([heading(), *kept]) + "\n", "utf-8")


@pytest.mark.parametrize(
    "title", [pytest.param(t, marks=pytest.mark.slow) if t in LARGE else t for t in SHIPPED]
)
def test_the_code_of_a_game_is_as_large_as_reviewed(
    title: str, request: pytest.FixtureRequest
) -> None:
    stages = shipped_stages(title)
    found = row(title, None if stages is None else counted(stages.generated))
    if request.config.getoption("--snapshot-update", default=False):
        write({**rows(), title: found})
    reviewed = rows().get(title, "nothing")
    assert found == reviewed, f"\n{heading()}\n{reviewed}   reviewed\n{found}   now{HOW}"


def test_the_table_has_a_line_for_every_shipped_game_that_is_no_variant() -> None:
    assert list(rows()) == ["game", *SHIPPED], HOW
    assert rows()["game"] == heading(), HOW
