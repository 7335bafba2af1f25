"""What a chance event keeps of the local names: by hand, and as states that are one or two."""

from __future__ import annotations

import pytest

from gamedsl.game import load_source
from gamedsl.model import Model, nodes
from gamedsl.model.rewriting.liveness import kept_at_chance
from gamedsl.model.walk import statements
from gamedsl.solvers.graphs.graph import explore
from gamedsl.source import SourceFile
from tests.unit.model.reading import model_of

GAME = """game "Rolls"
players A
board 3 wide 1 high
type Side = heads | tails

state:
    n: 0..1 = 0
    t: 0..99 = 0
    at[square]: empty | A = empty

effect twice(k, near):
    chance one in 1..2 where one <= k
    for s in near where s in neighbours(a1):
        chance side in Side
        t += 1

move go(p in 1..2, q in 1..2):
    require n == 0
    n = 1
{body}

end:
    if n == 1: A wins t
"""


def kept(body: str) -> list[tuple[str, set[str]]]:
    """Of each chance event: its name, and the names that it keeps."""
    model = model_of(text_of(body))
    block = model.moves[0].body
    found = kept_at_chance(block)
    return [
        (statement.name, names(model, found[id(statement)]))
        for statement in statements(block)
        if isinstance(statement, nodes.Chance)
    ]


def text_of(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return GAME.format(body=lines)


def names(model: Model, slots: frozenset[int]) -> set[str]:
    return {model.slot_names[slot] for slot in slots}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("chance a in 1..6\nchance b in 1..6\nt = a + b", [("a", set()), ("b", {"a"})]),
        (
            "chance a in 1..6\nlet s = a + p\nchance b in 1..2\nt = s",
            [("a", {"p"}), ("b", {"s"})],
        ),
        ("chance a in p..2 where a <= q", [("a", {"p", "q"})]),
        ("chance a in 1..2\nif a == 1: t = p\nelif q == 1: t = 2", [("a", {"p", "q"})]),
        ("if p == 1:\n    chance a in 1..2\nt = q", [("a", {"q"})]),
        ("let s = 5\nchance a in 1..2\nif a == 1:\n    let r = p\n    t = r", [("a", {"p"})]),
        ("for i in 1..2:\n    chance a in 1..2\n    t += a", [("a", {"i"})]),
        (
            "for i in 1..p where i <= q:\n    chance a in 1..2\n    chance b in 1..2\n    t += a",
            [("a", {"i", "q"}), ("b", {"i", "q", "a"})],
        ),
        (
            "for i in 1..2:\n    let r = q\n    chance a in 1..2\n    t += r\n"
            "    for j in 1..2:\n        chance b in 1..2",
            [("a", {"i", "r", "q"}), ("b", {"i", "j", "q"})],
        ),
        (
            "let near = {a1, b1} if p == 1 else {c1}\nchance a in 1..2\nchance s in near",
            [("a", {"near", "p"}), ("s", {"near", "p"})],
        ),
        (
            "let near = {a1, b1} if p == 1 else {c1}\ntwice(q, near)",
            [("one", {"k", "near", "p"}), ("side", {"s"})],
        ),
    ],
)
def test_an_event_keeps_the_names_that_are_read_later(
    body: str, expected: list[tuple[str, set[str]]]
) -> None:
    assert kept(body) == expected


@pytest.mark.parametrize(
    ("body", "chances"),
    [
        ("chance a in 1..6\nlet s = a + p\nchance b in 1..2\nt = s if b == 1 else 0", 2 + 7),
        ("chance a in 1..6\nlet dead = a\nchance b in 1..2", 1 + 1),
        ("let dead = {s for s in square where at[s] == empty}\nchance a in 1..p", 2),
        ("let r = p\nfor i in q..r + 1:\n    chance a in 1..2", 5),
        ("for i in q..p + 1:\n    chance a in 1..2\n    chance b in 1..2", 10),
        ("for i in [1, 1]:\n    chance a in 1..2", 2),
        ("if p == 1: twice(q, {b1})\nelse: twice(q, {b1, c1})", 4 + 2),
    ],
)
def test_states_that_differ_in_dead_names_are_one_on_every_engine(body: str, chances: int) -> None:
    source = SourceFile("rolls.game", text_of(body))
    counts = {}
    for engine in ("interpreter", "python"):
        game = load_source(source, {}, engine)
        graph = explore(game, game.initial_state())
        counts[engine] = sum(1 for state in graph.states if state.pending is not None)
    assert counts == {"interpreter": chances, "python": chances}
