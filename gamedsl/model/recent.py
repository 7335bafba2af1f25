"""What an engine has found about the states it was asked about last.

In: a state. Out: its `Notes`, empty unless the same object was asked about a short while ago.
Whoever expands a state asks about it once for each action; without notes each question would work
out the end of the game and the legal actions again. The notes belong to one engine: a state
itself never changes.
"""

from __future__ import annotations

from gamedsl.model.state import State

UNASKED = object()
"""In notes: not worked out yet."""

REMEMBERED = 128
"""Notes on so many states that were asked about last are kept, and on as many before them."""


class Notes:
    """What is known of one state: `outcome` and `legal`, each UNASKED or what an engine says."""

    __slots__ = ("legal", "outcome", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.outcome: object = UNASKED
        self.legal: object = UNASKED


class Recent:
    """Notes on the states asked about last.

    They are found by the address of a state, so nothing is hashed: notes keep their state alive,
    so nothing else has its address. Threads may share them: at worst something is worked out
    twice.
    """

    __slots__ = ("_earlier", "_later")

    def __init__(self) -> None:
        self._later: dict[int, Notes] = {}
        self._earlier: dict[int, Notes] = {}

    def __len__(self) -> int:
        return len(self._later.keys() | self._earlier.keys())

    def notes(self, state: State) -> Notes:
        """The notes on this very object."""
        found = self._later.get(id(state))
        return self._renewed(state) if found is None else found

    def _renewed(self, state: State) -> Notes:
        """The notes on an object, now among the later ones."""
        found = self._earlier.get(id(state)) or Notes(state)
        if len(self._later) >= REMEMBERED:
            self._earlier, self._later = self._later, {}
        self._later[id(state)] = found
        return found
