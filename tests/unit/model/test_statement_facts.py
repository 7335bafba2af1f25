"""The row of facts of each statement, on a game that has every statement."""

from __future__ import annotations

import gamedsl
from gamedsl.model import nodes
from gamedsl.model.dataflow import forward
from gamedsl.model.statement_facts import (
    StatementFacts,
    draws_in,
    facts_in,
    facts_of,
    keeps_turn,
    written_in,
)
from gamedsl.model.walk import statements

TEXT = """
game "All statements"
players A, B
state:
    left: 0..9 = 9
    last: 0..3 = 0
move deal:
    require left > 0
    let half = left // 2
    for i in 1..2:
        left = half
    chance last in 0..3
    if last == 0:
        again
    reward turn: 1
otherwise
move pass_on(n in 1..2):
    require n is greatest
    turn = A
    ensure left < 9
otherwise
move roll:
    chance turn in {A, B}
end:
    if left == 0: turn wins
"""


def rows(name: str) -> dict[str, StatementFacts]:
    game = gamedsl.load(TEXT)
    blocks = {move.name: move.body for move in game.model.moves} | {"end": game.model.end}
    block = blocks[name]
    return {
        _title(statement, facts): facts
        for statement, facts in zip(statements(block), facts_in(block), strict=True)
    }


def _title(statement: nodes.Statement, facts: StatementFacts) -> str:
    """The class, and of an assignment the variable."""
    if isinstance(statement, nodes.Put) and facts.place is not None:
        return f"Put {facts.place.variable.name}"
    return type(statement).__name__


def test_each_statement_has_its_facts() -> None:
    deal = rows("deal")
    assert deal["Require"].forbids
    assert not deal["Reward"].forbids
    assert len(deal["Let"].binds) == len(deal["Loop"].binds) == 1
    assert deal["Put left"].writes is not None
    assert deal["Put left"].value is not None
    assert deal["Put left"].changes
    assert deal["Let"].value is not None
    over = deal["Loop"].over
    assert over is not None
    assert (over.name, over.slot) == ("i", *deal["Loop"].binds)
    assert [name for name, facts in deal.items() if facts.teaches] == ["Require"]
    assert deal["Chance"].draws
    assert deal["Chance"].writes is not None
    assert deal["Chance"].writes.name == "last"
    assert deal["Chance"].value is None
    assert not deal["Chance"].sets_turn
    assert deal["Put again"].keeps_turn
    assert deal["Put again"].writes is None
    assert not deal["Put again"].sets_turn
    assert not deal["Put again"].changes
    passed = rows("pass_on")
    assert passed["Greatest"].forbids
    assert passed["Put turn"].sets_turn
    assert passed["Put turn"].changes
    assert passed["Put turn"].writes is None
    assert passed["Put again"].keeps_turn
    assert rows("roll")["Chance"].sets_turn
    assert rows("roll")["Put again"].keeps_turn
    assert rows("end")["Win"].ends


def test_blocks_are_asked_with_all_below() -> None:
    model = gamedsl.load(TEXT).model
    deal, pass_on, _ = (move.body for move in model.moves)
    assert draws_in(deal)
    assert not draws_in(pass_on)
    assert keeps_turn(deal)
    assert not keeps_turn(model.end)
    assert written_in(deal) == {variable.offset for variable in model.variables}


def test_a_loop_is_entered_again_with_what_its_first_round_has_done() -> None:
    body = next(move.body for move in gamedsl.load(TEXT).model.moves)
    entered: list[tuple[str, bool]] = []

    def step(statement: nodes.Statement, changed: bool) -> bool:
        facts = facts_of(statement)
        entered.append((_title(statement, facts), changed))
        return changed or facts.writes is not None

    assert forward(body, False, step, lambda left, right: left or right)
    assert [changed for name, changed in entered if name == "Put left"] == [False, True]
    assert ("Require", False) in entered
    assert ("Chance", True) in entered
