"""Cache of an engine's results for the states asked about last.

`Notes` of a state hold results if the same object was asked about recently, and are empty
otherwise. A caller that expands a state asks about the state once per action; without notes each
call would recompute the end of the game, and the legal actions or the outcomes of chance. Notes
belong to an engine; states are immutable.
"""

from __future__ import annotations

from gamedsl.model.state import State

UNASKED = object()
"""Mark in notes: not computed yet."""

REMEMBERED = 128
"""Number of states in each of the two generations of notes."""


class Notes:
    """Results about a state: `outcome` of the game, `legal` actions and the outcomes that chance
    `draws`, each UNASKED or the engine's answer."""

    __slots__ = ("draws", "legal", "outcome", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.outcome: object = UNASKED
        self.legal: object = UNASKED
        self.draws: object = UNASKED


class Recent:
    """Notes on the states asked about last.

    Notes are stored by the address of a state, without hashing. Notes keep their state alive, so
    that no other object has the address. Threads may share the notes: at worst a result is computed
    twice.
    """

    __slots__ = ("_earlier", "_later")

    def __init__(self) -> None:
        self._later: dict[int, Notes] = {}
        self._earlier: dict[int, Notes] = {}

    def __len__(self) -> int:
        return len(self._later.keys() | self._earlier.keys())

    def notes(self, state: State) -> Notes:
        """The notes on this object (by identity)."""
        notes = self._later.get(id(state))
        return self._renewed(state) if notes is None else notes

    def _renewed(self, state: State) -> Notes:
        """The notes on an object, moved to the later generation."""
        notes = self._earlier.get(id(state)) or Notes(state)
        if len(self._later) >= REMEMBERED:
            self._earlier, self._later = self._later, {}
        self._later[id(state)] = notes
        return notes
