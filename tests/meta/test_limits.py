"""The limits that the reference names are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gamedsl
from gamedsl.model import intervals, limits
from gamedsl.syntax.builders.expressions import LONGEST_NUMBER
from gamedsl.syntax.depth import DEEPEST_TREE
from gamedsl.syntax.including.expand import MOST_FILES
from gamedsl.syntax.parse import MOST_LEXEMES
from gamedsl.syntax.scan import DEEPEST_BRACKETS

PAGE = Path(__file__).parents[2] / "docs" / "language" / "reference.md"
LIMITS = {
    "words, numbers and signs": MOST_LEXEMES,
    "files that include": MOST_FILES,
    "digits of a number": LONGEST_NUMBER,
    "brackets": DEEPEST_BRACKETS,
    "expressions and blocks": limits.MOST_DEPTH,
    "parameters of a move": limits.MOST_SIDE_BY_SIDE,
    "expressions and statements": limits.MOST_STEPS,
    "squares of a board": limits.MOST_SQUARES,
    "values of a range": limits.MOST_VALUES,
    "cells of the state": limits.MOST_CELLS,
    "actions": limits.MOST_ACTIONS,
    "subsets that": limits.MOST_SUBSETS,
    "elements of the set behind": limits.MOST_CHOSEN_FROM,
    "offsets": intervals.MOST_OFFSETS,
    "bits of": limits.MOST_BITS,
    "rounds of the loops": limits.MOST_ROUNDS,
    "calls of one": limits.MOST_LEVELS,
}
GAME = """players A
state:
    n: {domain} = {start}
move go{parameters}:
    require n == {start}
    n = {value}
end:
    if n != {start}: draw
"""


def rows() -> list[tuple[str, int]]:
    section = PAGE.read_text("utf-8").partition("\n## Limits\n")[2]
    found = re.findall(r"^\| (.+) \| ([\d,]+) \|$", section, re.MULTILINE)
    return [(what, int(number.replace(",", ""))) for what, number in found]


def test_the_reference_names_every_limit_with_its_number() -> None:
    told = {
        next(start for start in LIMITS if what.startswith(start)): number for what, number in rows()
    }
    assert told == LIMITS
    assert len(rows()) == len(LIMITS)
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
