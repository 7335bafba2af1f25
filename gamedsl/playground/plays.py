"""Plays for the page: the picture, the legal actions, and the outcome.

A play is given by the game's text and the names of the actions. The last play is kept, so that a
longer play needs only the new steps.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from random import Random

from gamedsl.game import LoadedGame, load_source
from gamedsl.game.contract import Action
from gamedsl.game.paid import Paid
from gamedsl.game.pictures.last_move import arrival, squares_changed, squares_named
from gamedsl.game.pictures.pits import pits_of
from gamedsl.game.reading import Step
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.model.action_names import short_name
from gamedsl.model.nodes.looks import VariableLook
from gamedsl.reports.boards.as_svg import UNIT, cell_centres, position_svg, square_centres
from gamedsl.reports.boards.contents import Position, position_of
from gamedsl.reports.boards.geometry import Point
from gamedsl.reports.hidden_actions import action_as_seen
from gamedsl.reports.outcomes import outcome_words
from gamedsl.solvers.graphs.information import History
from gamedsl.source.text import source_from_text

MOST_TRIED = 40
"""Limit on actions for the search for changed squares beyond the squares in action names."""


@lru_cache(maxsize=2)
def load_text(text: str) -> LoadedGame:
    """The game defined by a text. Raises `GameSourceError`."""
    return load_source(source_from_text(text, "playground.game"), {})


class Play:
    """A game and the steps made in the game.

    Attributes:
        state: the state after the steps.
        steps: pairs of the state before a step and the action.
    """

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self.state = game.initial_state()
        self.steps: list[Step] = []
        self.names: list[str] = []

    @property
    def history(self) -> History:
        """The play as a history, for strategies by information sets."""
        return (*self.steps, (self.state, None))

    def go(self, moves: list[str]) -> None:
        """Change the play to these actions; raises `IllegalActionError`."""
        common = 0
        while common < min(len(moves), len(self.names)) and moves[common] == self.names[common]:
            common += 1
        if common < len(self.steps):
            self.state = self.steps[common][0]
            del self.steps[common:], self.names[common:]
        for name in moves[common:]:
            action = self.game.action_named(self.state, name)
            self.steps.append((self.state, action))
            self.state = self.game.result(self.state, action)
            self.names.append(name)


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
    drawn = replace(position_of(game, state, viewer, last), is_turned=is_turned)
    return {
        "svg": _tree_picture(text) if game.facts.is_tree else position_svg(drawn),
        "text": game.show(state, viewer),
        "standing": drawn.lines[-1],
        "unit": UNIT,
        "centres": {name: list(place) for name, place in _places(drawn).items()},
        "taken": _taken(drawn),
        "in_line": drawn.in_line,
        "can_turn": drawn.board is not None or bool(drawn.small_boards),
        "mover": _mover(mover),
        "player": max(int(mover), 0) if mover >= 0 else None,
        "choices": _choices(game, state, drawn),
        "outcome": _outcome(play) if mover == TERMINAL else "",
        "log": [_told(game, step, viewer) for step in play.steps],
    }


@lru_cache(maxsize=1)
def _tree_picture(text: str) -> str:
    """The whole tree of a game that is written as a tree."""
    from gamedsl.reports.trees.as_svg import tree_svg  # solvers come with the import
    from gamedsl.reports.trees.growth import grow

    game = load_text(text)
    return tree_svg(grow(game, game.initial_state()))


def _mover(mover: int) -> str:
    names = {int(TERMINAL): "nobody", int(CHANCE): "chance", int(SIMULTANEOUS): "all"}
    return names.get(mover, "player")


def _places(drawn: Position) -> dict[str, Point]:
    """The clickable places: squares of the board, and pits by the names of cells."""
    pits = {_pit(*cell): place for cell, place in cell_centres(drawn).items()}
    return {**square_centres(drawn), **pits}


def _taken(drawn: Position) -> list[str]:
    """The places with a drawing in the middle."""
    squares = () if drawn.board is None else drawn.board.squares
    men = [
        square.name
        for square, piece in zip(squares, drawn.pieces, strict=False)
        if not piece.is_blank
    ]
    men += [square for square, _ in drawn.men]
    return [*men, *(_pit(*cell) for cell in cell_centres(drawn))]


def _pit(variable: str, cell: int) -> str:
    return f"{variable} {cell}"


def _choices(game: LoadedGame, state: State, drawn: Position) -> list[dict[str, object]]:
    """The legal actions: one entry, or one per player for simultaneous moves."""
    mover = game.current_player(state)
    if mover in {TERMINAL, CHANCE}:
        return []
    choosers = range(len(game.players)) if mover == SIMULTANEOUS else [int(mover)]
    return [
        {
            "player": player,
            "actions": _actions(game, state, player, None if mover == SIMULTANEOUS else drawn),
        }
        for player in choosers
    ]


def _actions(
    game: LoadedGame, state: State, player: int, drawn: Position | None
) -> list[dict[str, object]]:
    """A player's actions with the places to click; `drawn` is None for simultaneous moves."""
    names = game.action_names(state, None if drawn is not None else player)
    squares = [squares_named(game.model, name) for name in names]
    if drawn is not None and not any(squares):
        actions = game.legal_actions(state)
        squares = _emptied(game, state, actions, drawn) or _changed_by_one(game, state, actions)
    elif drawn is not None and len(names) <= MOST_TRIED:
        squares = [
            _with_arrival(game, state, action, square_names)
            for action, square_names in zip(game.legal_actions(state), squares, strict=True)
        ]
    return [
        {"name": name, "short": short_name(name), "squares": list(square_names)}
        for name, square_names in zip(names, squares, strict=True)
    ]


def _with_arrival(
    game: LoadedGame, state: State, action: Action, named: tuple[str, ...]
) -> tuple[str, ...]:
    """The squares in an action's name, plus the arrival square of a piece moved in a direction."""
    if len(named) != 1:
        return named
    arrived = arrival(game.model, state, game.result(state, action), named[0])
    return named if arrived is None else (*named, arrived)


def _changed_by_one(
    game: LoadedGame, state: State, actions: tuple[Action, ...]
) -> list[tuple[str, ...]]:
    """For an action, the square that no other action changes, if unique.

    Examples: the square of a dropped disc, a slid tile.
    """
    if game.model.board is None or len(actions) > MOST_TRIED:
        return [()] * len(actions)
    changed = [squares_changed(game.model, state, game.result(state, action)) for action in actions]
    times = Counter(chain.from_iterable(changed))
    unique = [tuple(square for square in squares if times[square] == 1) for squares in changed]
    return [squares if len(squares) == 1 else () for squares in unique]


def _emptied(
    game: LoadedGame, state: State, actions: tuple[Action, ...], drawn: Position
) -> list[tuple[str, ...]]:
    """For an action, the pit that the action empties, if the actions have distinct pits in one row.

    Otherwise an empty list.
    """
    pits = [figure.variable for figure in drawn.figures if figure.look is VariableLook.PITS]
    if not pits or len(actions) > MOST_TRIED:
        return []
    after = [game.result(state, action) for action in actions]
    for variable in pits:
        for row in pits_of(variable).rows:
            taken = [
                [n for n in row if _is_less(variable.offset + n, state, later)] for later in after
            ]
            emptied = [cells[0] for cells in taken if len(cells) == 1]
            if len(set(emptied)) == len(actions):
                return [(_pit(variable.name, cell),) for cell in emptied]
    return []


def _is_less(cell: int, before: State, after: State) -> bool:
    was, became = before.cells[cell], after.cells[cell]
    return was is not None and became is not None and became < was


def _outcome(play: Play) -> str:
    game, paid = play.game, Paid(play.game)
    after = [state for state, _ in play.steps[1:]] + [play.state]
    for (state, action), following in zip(play.steps, after, strict=True):
        paid.add(state, action, following)
    payoffs = tuple(paid.total(game.utilities(play.state)))
    if game.facts.pays_at_the_end:
        return outcome_words(game.facts.players, payoffs, has_winners=game.facts.has_winners)
    pairs = zip(game.facts.players, payoffs, strict=True)
    return "payoffs " + ", ".join(f"{name}: {payoff}" for name, payoff in pairs)


def _told(game: LoadedGame, step: Step, viewer: int | None) -> dict[str, object]:
    """A log entry for a step; hidden actions are shown only as events."""
    state, action = step
    mover = game.current_player(state)
    name = game.action_name(state, action)
    who = game.facts.players[mover] if mover >= 0 else "chance" if mover == CHANCE else "all"
    if viewer is not None and mover != viewer and game.facts.has_secrets:
        name = _hidden(game, mover, name)
    return {"who": who, "name": name, "short": _notation(game, name)}


def _notation(game: LoadedGame, name: str) -> str:
    """A move in a record: the squares alone, `e2-e4`, or the name of a move without squares."""
    squares = squares_named(game.model, name)
    return "-".join(squares) if short_name(name) == ",".join(squares) else name


def _hidden(game: LoadedGame, mover: int, name: str) -> str:
    return "draws unseen" if mover == CHANCE else action_as_seen(game.model, name)


def draw(text: str, moves: list[str], seed: int) -> str:
    """The name of a chance outcome, drawn by the outcomes' probabilities."""
    play = play_at(text, moves)
    outcomes = play.game.chance_outcomes(play.state)
    weights = [float(chance) for _, chance in outcomes]
    drawn = Random(seed).choices([outcome for outcome, _ in outcomes], weights)[0]
    return play.game.action_name(play.state, drawn)
