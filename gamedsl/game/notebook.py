"""Pictures of games and positions in notebooks, found by name when a notebook asks for one.

In: a value that a notebook wants to show. Out: SVG or HTML. Drawing is the business of the reports
floor, which imports this one; so it is looked up by name at that moment and imported by nobody
here (docs/decisions/0005-pictures-in-notebooks.md). Without a notebook nothing is ever loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from gamedsl.model.state import State

DRAWING = "gamedsl.reports.notebook"
"""The module that draws; one function a kind of value."""


class Shown(Protocol):
    """What a view asks of its game."""

    def show(self, state: State, viewer: int | None = None) -> str:
        """The state as text, as the player `viewer` sees it (None: everything)."""
        ...


@dataclass(frozen=True, slots=True)
class StateView:
    """A state with its game, for a notebook to show: what `LoadedGame.view` gives.

    `viewer` is the index of the player who looks; None sees everything.
    """

    game: Shown
    state: State
    viewer: int | None = None

    def __str__(self) -> str:
        return self.game.show(self.state, self.viewer)

    def _repr_svg_(self) -> str:
        return drawn("state_svg", self.game, self.state, self.viewer)


def drawn(function: str, *arguments: object) -> str:
    """What the named function of the drawing module makes of the arguments."""
    picture: str = getattr(import_module(DRAWING), function)(*arguments)
    return picture
