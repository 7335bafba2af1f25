"""Short ways to load and play, for the tests of this folder."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game import LoadedGame, load_source
from gamedsl.model import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.model.values import text_of
from gamedsl.source import SourceFile


def loaded(text: str, **parameters: str) -> LoadedGame:
    return load_source(SourceFile("test.game", text), parameters, "interpreter")


def shipped(name: str, **parameters: str) -> LoadedGame:
    import gamedsl

    return gamedsl.load(name, "interpreter", **parameters)


def play(game: LoadedGame, *names: str) -> State:
    """The state after these actions and outcomes."""
    state = game.initial_state()
    for name in names:
        state = game.result(state, game.action_named(state, name))
    return state


def cells(game: LoadedGame, state: State) -> dict[str, str]:
    """The value of each cell by its name."""
    return {
        variable.cell_name(number): text_of(
            variable.domain.values[state.cells[variable.offset + number] or 0]
        )
        for variable in game.model.variables
        for number in range(variable.size)
    }


def legal_names(game: LoadedGame, state: State) -> list[str]:
    return [game.action_name(state, action) for action in game.legal_actions(state)]


def endings(game: LoadedGame, state: State | None = None) -> list[tuple[Fraction, State]]:
    """Every way to play to the end: the probability of its chance events, and the last state."""
    state = game.initial_state() if state is None else state
    mover = game.current_player(state)
    if mover == TERMINAL:
        return [(Fraction(1), state)]
    if mover == CHANCE:
        return [
            (share * rest, last)
            for outcome, share in game.chance_outcomes(state)
            for rest, last in endings(game, game.result(state, outcome))
        ]
    assert mover != SIMULTANEOUS
    return [
        ending
        for action in game.legal_actions(state)
        for ending in endings(game, game.result(state, action))
    ]
