"""No word of the language can be a name, whatever is named."""

from __future__ import annotations

import pytest

from gamedsl.model import check
from gamedsl.model.symbols.keywords import BUILTIN_VALUES, KEYWORDS
from gamedsl.source import SourceFile
from gamedsl.syntax.parse import parse

RULES = """game "Reserved"
players A, B
HEAD
state:
    left: 0..3 = 3
STATE
move take(n in 1..3):
    require n <= left
    left -= n
BODY
MOVE
end:
    if left == 0: opponent wins
END
"""

CHOICES = """game "Reserved"
players A, B
state:
    shown[players]: 0..2 = 0
simultaneous NAME(k in 1..2):
    shown[me] = k
end:
    if shown[A] > 0: draw
"""


def rules(**parts: str) -> str:
    text = RULES
    for place in ("HEAD", "STATE", "BODY", "MOVE", "END"):
        text = text.replace(f"{place}\n", parts.get(place, "") + "\n")
    return text


KINDS = {
    "param": rules(HEAD="param NAME = 2"),
    "player": RULES.replace("A, B", "A, NAME").replace("HEAD\nstate", "state"),
    "type": rules(HEAD="type NAME = red | blue"),
    "variable": rules(STATE="    NAME: 0..3 = 0"),
    "index": rules(STATE="    colour[NAME in 1..2]: 0..3 = 0"),
    "def": rules(HEAD="def NAME = 2"),
    "def with parameters": rules(HEAD="def NAME(k) = k"),
    "parameter of a def": rules(
        HEAD="def two(NAME) = 2 + NAME", BODY="    if two(1) == 3: left = 0"
    ),
    "effect": rules(HEAD="effect NAME(k):\n    left = k"),
    "parameter of an effect": rules(HEAD="effect put(NAME):\n    left = 1", BODY="    put(2)"),
    "move": rules(MOVE="move NAME:\n    left -= 1"),
    "move with parameters": rules(MOVE="move NAME(k in 1..2):\n    left -= k"),
    "simultaneous move": CHOICES,
    "parameter of a move": rules(MOVE="move pay(NAME in 1..2):\n    left -= 1"),
    "let": rules(BODY="    let NAME = 2"),
    "for": rules(BODY="    for NAME in 1..2: left = 0"),
    "quantifier": rules(BODY="    left = count(1 == 1 for NAME in 1..2)"),
    "chance": rules(BODY="    chance NAME in 1..2"),
    "point of a graph": rules(HEAD="board graph:\n    p1-NAME-p3"),
    "player of evaluate": rules(HEAD="evaluate NAME: 1"),
    "player of payoff": rules(END="    if left == 1: payoff NAME: 1"),
}
"""A text for each kind of name."""

VALUES = {
    "atom of a type": rules(HEAD="type Colour = red | NAME"),
    "atom of a domain": rules(STATE="    colour: red | NAME = red"),
}
"""Where a word may stand for the value that it is."""


def is_refused(text: str, name: str) -> bool:
    whole = text
    for place in ("HEAD", "STATE", "BODY", "MOVE", "END"):
        whole = whole.replace(f"{place}\n", "\n")
    program, wrong = parse(SourceFile("reserved.game", whole.replace("NAME", name)))
    _, more = check(program)
    return any(found.is_error for found in (*wrong, *more))


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_can_be_a_name(kind: str) -> None:
    assert not is_refused(KINDS[kind], "fresh")
    assert not [word for word in sorted(KEYWORDS) if not is_refused(KINDS[kind], word)]


@pytest.mark.parametrize("kind", VALUES)
def test_only_words_for_values_can_be_values(kind: str) -> None:
    words = sorted(KEYWORDS - set(BUILTIN_VALUES))
    assert not is_refused(VALUES[kind], "fresh")
    assert not is_refused(VALUES[kind], "none")
    assert not [word for word in words if not is_refused(VALUES[kind], word)]
