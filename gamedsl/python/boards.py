"""A board to click on, for notebooks: a widget of anywidget (`pip install 'gamedsl[widgets]'`).

In: a game, agents for players. Out: a widget with the picture of the position, whose squares are
buttons, and the moves as buttons below. `Seating` is the play without the widget.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from gamedsl.bridges.extras import needed
from gamedsl.game import LoadedGame
from gamedsl.game.play import Agent, Play, Sitting, choice_of
from gamedsl.game.steps import choosers
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.python.coerce import GivenGame, game_of
from gamedsl.reports.boards.as_svg import position_svg
from gamedsl.reports.boards.clicks import (
    actions_by_clicks,
    clickable_places,
    place_size,
    taken_places,
)
from gamedsl.reports.boards.contents import position_of
from gamedsl.source.keywords import answering

SCRIPT = Path(__file__).with_name("board.js")
"""What the widget does in a browser."""


class Seating(Sitting):
    """A play of a person, or of several, with agents; chance is drawn.

    Attributes:
        waiting: the choices made where all choose at once, by player.
    """

    game: LoadedGame

    def __init__(self, game: LoadedGame, agents: Mapping[int, Agent], moves: str, seed: int):
        super().__init__(game)
        self.agents, self._rng = agents, Random(seed)
        self.read(moves)
        self.first = len(self.steps)
        self.waiting: dict[int, int] = {}
        self._go_on()

    @property
    def asked(self) -> int | None:
        """The player whose choice is awaited; None at the end."""
        mover = self.game.current_player(self.state)
        if mover == SIMULTANEOUS:
            return next(p for p in self.game.players if p not in {*self.waiting, *self.agents})
        return None if mover == TERMINAL else int(mover)

    def choose(self, name: str) -> None:
        """Take the move of a name for the player who is asked. Raises IllegalActionError."""
        player = self.asked
        if player is None:
            return
        is_joint = self.game.current_player(self.state) == SIMULTANEOUS
        action = self.game.action_named(self.state, name, player if is_joint else None)
        assert isinstance(action, int), "a player chooses"
        if not is_joint:
            self.make(action)
        else:
            self.waiting[player] = action
        self._go_on()

    def undo(self) -> None:
        """Back to before the last choice of a person."""
        self.waiting = {}
        for place in range(len(self.steps) - 1, self.first - 1, -1):
            mover = self.game.current_player(self.steps[place][0])
            if mover != CHANCE and mover not in self.agents:
                self.back_to(place)
                return

    def restart(self) -> None:
        """Back to the first position."""
        self.waiting = {}
        self.back_to(self.first)
        self._go_on()

    def _go_on(self) -> None:
        """Chance, and the moves of agents, until a person is asked."""
        while True:
            mover = self.game.current_player(self.state)
            if mover == TERMINAL:
                return
            if any(p not in {*self.agents, *self.waiting} for p in choosers(self.game, self.state)):
                return
            self.make(choice_of(self.game, self._answers(), self.history, self._rng))
            self.waiting = {}

    def _answers(self) -> list[Agent]:
        """The agents of all players; persons who have chosen give their choices."""
        return [
            self.agents.get(p, lambda view: self.waiting[view.viewer or 0])
            for p in self.game.players
        ]

    def shown(self) -> dict[str, Any]:
        """The position for the script: the picture, the places to click, the moves."""
        game, state, asked = self.game, self.state, self.asked
        viewer = asked if game.facts.has_secrets else None
        last = self.steps[-1] if self.steps and viewer is None else None
        drawn = position_of(game, state, viewer, last, self.steps[:-1])
        is_joint = game.current_player(state) == SIMULTANEOUS
        where = None if is_joint else drawn
        return {
            "svg": position_svg(drawn),
            "unit": place_size(drawn),
            "places": {name: list(place) for name, place in clickable_places(drawn).items()},
            "taken": taken_places(drawn),
            "asked": "" if asked is None else game.facts.players[asked],
            "actions": [] if asked is None else actions_by_clicks(game, state, asked, where),
            "can_undo": len(self.steps) > self.first,
        }


@answering
def board(
    game: GivenGame,
    agents: Mapping[str, Agent] | None = None,
    moves: str = "",
    *,
    seed: int = 0,
) -> Any:
    """A board to click on in a notebook: click the squares of a move in order, or a move below.

    The widget has the attributes `play` (the play so far, as of `game.play`), `state`, and `moves`,
    the names of the moves. In games with secrets the player who is asked sees the position.

    Args:
        agents: who plays for a player, by name: `{"O": gamedsl.best_agent()}`; all others are
            persons.
        moves: the moves before the first position.
        seed: decides chance events.

    Raises:
        MissingExtraError: anywidget is not installed.
        ValueError: no player has the name.
    """
    widget_of = _widget_class()
    loaded = game_of(game)
    names = {player.name: int(player) for player in loaded.players}
    wrong = next((name for name in agents or {} if name not in names), None)
    if wrong is not None:
        raise ValueError(f"the players are {', '.join(names)}; none is {wrong!r}")
    seated = {names[name]: agent for name, agent in (agents or {}).items()}
    return widget_of(Seating(loaded, seated, moves, seed))


@cache
def _widget_class() -> Any:
    """The class of the widget. Raises MissingExtraError."""
    anywidget, traitlets = needed("widgets", "anywidget", "traitlets")
    base: Any = anywidget.AnyWidget

    class BoardWidget(base):  # type: ignore[misc]  # the base may be missing
        """A play on a board; `play`, `state` and `moves` follow the clicks."""

        _esm = SCRIPT
        shown = traitlets.Dict().tag(sync=True)
        moves = traitlets.List(traitlets.Unicode())

        def __init__(self, seating: Seating) -> None:
            super().__init__()
            self.seating = seating
            self.on_msg(self._hear)
            self._show()

        @property
        def play(self) -> Play:
            """The play so far."""
            return self.seating.play

        @property
        def state(self) -> State:
            """The position."""
            return self.seating.state

        def _hear(self, _: Any, message: dict[str, Any], buffers: Any) -> None:
            hear(self.seating, message)
            self._show()

        def _show(self) -> None:
            self.shown = self.seating.shown()
            self.moves = list(self.seating.play.names)

    return BoardWidget


def hear(seating: Seating, message: Mapping[str, Any]) -> None:
    """Do what a person has clicked: `{"do": "choose", "name": NAME}`, `undo` or `restart`."""
    if message.get("do") == "choose":
        seating.choose(str(message.get("name")))
    elif message.get("do") == "undo":
        seating.undo()
    elif message.get("do") == "restart":
        seating.restart()
