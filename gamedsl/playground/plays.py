"""Plays for the page: the picture, the legal actions, and the outcome.

A play is given by the game's text and the names of the actions. The last play is kept, so that a
longer play needs only the new steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from random import Random

from gamedsl.game import LoadedGame
from gamedsl.game.play import Sitting
from gamedsl.game.steps import choosers, drawn_outcome
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.model.action_names import joined_name, joined_parts
from gamedsl.playground.reading import load_text
from gamedsl.reports.boards.as_svg import position_svg
from gamedsl.reports.boards.clicks import (
    actions_by_clicks,
    clickable_places,
    move_labels,
    place_size,
    taken_places,
)
from gamedsl.reports.boards.contents import Position, position_of
from gamedsl.reports.hidden_actions import action_as_seen
from gamedsl.reports.outcomes import outcome_words


class Play(Sitting):
    """A game and the steps made in the game.

    Attributes:
        names: the actions' names, as asked for.
        labels: the actions' names, as buttons and the record show them.
    """

    game: LoadedGame

    def __init__(self, game: LoadedGame) -> None:
        super().__init__(game)
        self.names: list[str] = []
        self.labels: list[str] = []

    def go(self, moves: list[str]) -> None:
        """Change the play to these actions; raises `IllegalActionError`."""
        common = 0
        while common < min(len(moves), len(self.names)) and moves[common] == self.names[common]:
            common += 1
        self.back_to(common)
        del self.names[common:], self.labels[common:]
        for name in moves[common:]:
            action = self.game.action_named(self.state, name)
            label = move_label(self.game, self.state, self.game.action_name(self.state, action))
            self.make(action)
            self.names.append(name)
            self.labels.append(label)


@lru_cache(maxsize=1)
def _play_of(text: str) -> Play:
    return Play(load_text(text))


def play_at(text: str, moves: list[str]) -> Play:
    """The play of a game with these actions.

    Raises `GameSourceError`, `IllegalActionError`, and `GameRuleError`.
    """
    play = _play_of(text)
    play.go(moves)
    return play


def position(
    text: str, moves: list[str], viewer: int | None = None, *, is_turned: bool = False
) -> dict[str, object]:
    """The position after a play, as seen by the player `viewer` (None: everything is visible). At
    the end of a play everything is visible. `is_turned`: from the other side of the board.
    """
    play = play_at(text, moves)
    game, state = play.game, play.state
    mover = game.current_player(state)
    if mover == TERMINAL:
        viewer = None
    is_seen = viewer is None or not game.facts.has_secrets
    last = play.steps[-1] if play.steps and is_seen else None
    drawn = replace(position_of(game, state, viewer, last, play.steps[:-1]), is_turned=is_turned)
    return {
        "svg": _whole_game(text) or position_svg(drawn),
        "text": game.show(state, viewer),
        "standing": drawn.lines[-1],
        "unit": place_size(drawn),
        "centres": {name: list(place) for name, place in clickable_places(drawn).items()},
        "taken": taken_places(drawn),
        "in_line": drawn.in_line,
        "can_turn": drawn.board is not None or bool(drawn.small_boards),
        "mover": _mover(mover),
        "player": max(int(mover), 0) if mover >= 0 else None,
        "choices": _choices(game, state, drawn),
        "outcome": _outcome(play) if mover == TERMINAL else "",
        "log": [_told(play, number, viewer) for number in range(len(play.steps))],
    }


@lru_cache(maxsize=1)
def _whole_game(text: str) -> str | None:
    """The picture of a game that one picture shows whole: of a tree, or of a single choice."""
    game = load_text(text)
    if game.facts.is_tree:
        from gamedsl.reports.trees.as_svg import tree_svg  # solvers come with the import
        from gamedsl.reports.trees.growth import grow

        return tree_svg(grow(game, game.initial_state()))
    if game.facts.is_simultaneous and not game.facts.has_chance:
        from gamedsl.python.exports import is_single_choice, matrix

        return matrix(game) if is_single_choice(game) else None
    return None


def _mover(mover: int) -> str:
    names = {int(TERMINAL): "nobody", int(CHANCE): "chance", int(SIMULTANEOUS): "all"}
    return names.get(mover, "player")


def _choices(game: LoadedGame, state: State, drawn: Position) -> list[dict[str, object]]:
    """The legal actions: one entry, or one per player for simultaneous moves."""
    where = None if game.current_player(state) == SIMULTANEOUS else drawn
    return [
        {"player": player, "actions": actions_by_clicks(game, state, player, where)}
        for player in choosers(game, state)
    ]


def _outcome(play: Play) -> str:
    game = play.game
    payoffs = play.payoffs or ()
    if game.facts.pays_at_the_end:
        return outcome_words(game.facts.players, payoffs, has_winners=game.facts.has_winners)
    pairs = zip(game.facts.players, payoffs, strict=True)
    return "payoffs " + ", ".join(f"{name}: {payoff}" for name, payoff in pairs)


def _told(play: Play, number: int, viewer: int | None) -> dict[str, object]:
    """A log entry for a step; hidden actions are shown only as events."""
    game, label, step = play.game, play.labels[number], play.steps[number]
    name, mover = game.action_name(*step), game.current_player(step[0])
    who = game.facts.players[mover] if mover >= 0 else "chance" if mover == CHANCE else "all"
    if viewer is not None and mover != viewer and game.facts.has_secrets:
        name = label = _hidden(game, mover, name)
    return {"who": who, "name": name, "short": label}


def move_label(game: LoadedGame, state: State, name: str) -> str:
    """The name of a legal move as the buttons show the name; outcomes of chance keep theirs."""
    mover = game.current_player(state)
    if mover == SIMULTANEOUS:
        choices = enumerate(joined_parts(name))
        return joined_name([move_labels(game, state, player)[part] for player, part in choices])
    return name if mover == CHANCE else move_labels(game, state)[name]


def line_labels(game: LoadedGame, state: State, names: Iterable[str]) -> list[str]:
    """The names of moves, one after the other, as the record shows the names."""
    labels = []
    for name in names:
        labels.append(move_label(game, state, name))
        state = game.result(state, game.action_named(state, name))
    return labels


def _hidden(game: LoadedGame, mover: int, name: str) -> str:
    return "draws unseen" if mover == CHANCE else action_as_seen(game.model, name)


def draw(text: str, moves: list[str], seed: int) -> str:
    """The name of a chance outcome, drawn by the outcomes' probabilities."""
    play = play_at(text, moves)
    drawn = drawn_outcome(play.game, play.state, Random(seed))
    return play.game.action_name(play.state, drawn)
