"""What a game in lockstep came to, whoever the peer is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Played:
    """One game.

    Attributes:
        reason: why it was over, by the peer.
        notes: how often something worth counting occurred.
        difference: where the two differ; "" if they do not.
    """

    plies: int
    reason: str
    notes: Counter[str] = field(default_factory=Counter)
    difference: str = ""
