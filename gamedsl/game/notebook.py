"""Pictures of games and positions in notebooks, loaded when a notebook requests a picture.

Pictures are SVG or HTML. Drawing belongs to the reports floor, which imports the present module;
pictures are therefore drawn by `registry.draw`, which loads the drawing module on the first call
(docs/decisions/0005-pictures-in-notebooks.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gamedsl import registry
from gamedsl.game.contract import Game, History
from gamedsl.model.model import Model
from gamedsl.model.state import State
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.game.contents import Contents


class Shown(Game, Protocol):
    """A game whose states have views."""

    @property
    def model(self) -> Model:
        """The rules."""

    def view(self, state: State, viewer: int | None = None) -> StateView:
        """The state as a player sees it (None: everything)."""

    def action_names(self, state: State, player: int | None = None) -> tuple[str, ...]:
        """The names of the legal actions, or of the outcomes at a chance node."""


@dataclass(frozen=True, slots=True, repr=False)
class StateView:
    """A state with its game: the result of `LoadedGame.view`, to be read and drawn.

    `view["cell", "a1"]` is the content of a cell, `view.cell` the content of a variable, by index
    if the variable has an index (see `gamedsl.game.contents`). A variable with the name of an
    attribute of the view is read as `view["viewer"]`. `viewer` is the index of the viewing player;
    None sees everything. `history` is the play that led to the state, () if not known: every state
    with the action taken, and the state with None.
    """

    game: Shown
    state: State
    viewer: int | None = None
    history: History = ()

    def __getitem__(self, place: str | tuple[object, ...]) -> Contents:
        from gamedsl.game.contents import cell_of, contents_of, variable_named

        name, *index = place if isinstance(place, tuple) else (place,)
        variable = variable_named(self.game.model, str(name))
        if index:
            return cell_of(variable, self.state, self.viewer, *index)
        return contents_of(variable, self.state, self.viewer)

    def __getattr__(self, name: str) -> Contents:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(str(error)) from None

    @property
    def action_names(self) -> tuple[str, ...]:
        """The legal actions: of the viewing player, where all players choose simultaneously."""
        return self.game.action_names(self.state, self.viewer)

    def __str__(self) -> str:
        return self.game.show(self.state, self.viewer)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return drawn("state_svg", self.game, self.state, self.viewer)


def drawn(function: str, *arguments: object) -> str:
    """The picture that a function of `reports.notebook` makes of the arguments."""
    picture: str = registry.draw(function, *arguments)
    return picture
