"""Pictures of games and positions in notebooks, found by name when a notebook asks for one.

In: a value that a notebook wants to show. Out: SVG or HTML. Drawing is the business of the reports
floor, which imports this one; so it is looked up by name at that moment and imported by nobody
here (docs/decisions/0005-pictures-in-notebooks.md). Without a notebook nothing is ever loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from gamedsl.game.contents import Contents
from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.source.records import dataclass

DRAWING = "gamedsl.reports.notebook"
"""The module that draws; one function a kind of value."""


class Shown(Game, Protocol):
    """A game whose states have views."""

    def view(self, state: State, viewer: int | None = None) -> StateView:
        """The state as a player sees it (None: everything)."""
        ...

    def contents(self, state: State, viewer: int | None, name: str, *index: object) -> Contents:
        """What a variable, or one cell of it, holds. Raises `NoSuchCellError`."""
        ...

    def action_names(self, state: State, player: int | None = None) -> tuple[str, ...]:
        """The names of the legal actions, or of the outcomes at a chance node."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class StateView:
    """A state with its game: what `LoadedGame.view` gives, to be read and drawn.

    `view["cell", "a1"]` is what a cell holds, `view.cell` all of a variable, by index where it has
    one (see `gamedsl.game.contents`); a variable that is called as an attribute of the view is
    `view["viewer"]`. `viewer` is the index of the player who looks; None sees everything.
    """

    game: Shown
    state: State
    viewer: int | None = None

    def __getitem__(self, place: str | tuple[object, ...]) -> Contents:
        name, *index = place if isinstance(place, tuple) else (place,)
        return self.game.contents(self.state, self.viewer, str(name), *index)

    def __getattr__(self, name: str) -> Contents:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(str(error)) from None

    @property
    def action_names(self) -> tuple[str, ...]:
        """What can be done here: by who looks, where all choose at once."""
        return self.game.action_names(self.state, self.viewer)

    def __str__(self) -> str:
        return self.game.show(self.state, self.viewer)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return drawn("state_svg", self.game, self.state, self.viewer)


def drawn(function: str, *arguments: object) -> str:
    """What the named function of the drawing module makes of the arguments."""
    picture: str = getattr(import_module(DRAWING), function)(*arguments)
    return picture
