"""Find the secrets that every player can work out.

All players know the rules, S0, the public variables, and the moves. A secret variable whose values
follow from these alone hides nothing. Hidden, in turn, are values drawn by chance, the parameters
of secret moves, and all that is computed from hidden values or under a condition on hidden values.
The order of statements is left aside within a body: a public variable that a body fills with a
hidden value is hidden in the body, as a later statement may write over the value unseen.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.walk import blocks_of, expressions_of, within


def hidden_variables(model: Model) -> frozenset[int]:
    """The secret variables whose values somebody may not know, by offset."""
    hidden, size = set[int](), -1
    while size < (size := len(hidden)):
        _Body(hidden, ()).spread(model.setup)
        for move in model.moves:
            parameters = move.parameters if move.is_secret else ()
            _Body(hidden, (parameter.slot for parameter in parameters)).spread(move.body)
    return frozenset(hidden)


class _Body:
    """The hidden values of a body: secret variables, which are hidden everywhere, public variables
    and locals."""

    def __init__(self, hidden: set[int], slots: Iterable[int]) -> None:
        self._hidden, self._public, self._slots = hidden, set[int](), set(slots)

    def spread(self, block: nodes.Block) -> None:
        """Note all that is computed from hidden values."""
        size = -1
        while size < (size := len(self._hidden) + len(self._slots) + len(self._public)):
            self._spread(block, is_hidden=False)

    def _spread(self, block: nodes.Block, *, is_hidden: bool) -> None:
        for statement in block:
            facts = facts_of(statement)
            is_told = not (is_hidden or facts.draws)
            if not is_told or any(map(self._is_hidden, expressions_of(statement))):
                self._slots.update(facts.binds)
                if facts.place is not None:
                    variable = facts.place.variable
                    is_public = variable.viewers is None
                    (self._public if is_public else self._hidden).add(variable.offset)
                is_told = False
            for inner in blocks_of(statement):
                self._spread(inner, is_hidden=not is_told)

    def _is_hidden(self, expression: nodes.Expr) -> bool:
        for part in within(expression):
            if part.asks == "moves" or part.local in self._slots:
                return True
            if part.asks == "turn" and nodes.TURN in self._public:
                return True
            if part.reads is not None and part.reads.offset in self._hidden | self._public:
                return True
        return False
