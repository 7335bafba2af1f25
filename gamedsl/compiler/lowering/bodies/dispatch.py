"""Dispatchers: one function per query, which calls the function of the turn, action or event."""

from __future__ import annotations

from gamedsl.compiler.ir.values import INT, ROW, Value, name, state
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.bodies import legal_counts, state_functions
from gamedsl.compiler.lowering.bodies.action_ids import ACTION
from gamedsl.compiler.lowering.bodies.continuations import OUTCOME
from gamedsl.compiler.lowering.bodies.draws import WEIGHTS
from gamedsl.compiler.lowering.bodies.legal_counts import LENGTH, PAST
from gamedsl.compiler.lowering.values.context import Lowering

OUT, NEXT = name("out", ROW), name("n", INT)

"""Parameters: the row for the ids of legal actions, and its first free place."""

EVENT = name("at", INT)

"""The chance event of a state; 0 where a player decides."""


def dispatchers(lowering: Lowering) -> None:
    """Write one function for each query, independent of the player to move."""
    state_functions.state_function(
        lowering, "turn_of", (), lambda: lowering.builder.give(lowering.field(TURN))
    )
    dispatch(lowering, "end", (PAST, LENGTH) if legal_counts.is_stuck_by_history(lowering) else ())
    for number, rule in enumerate(lowering.model.repeats):
        if rule.outcome is not None:
            dispatch(lowering, f"repeat_{number}", ())
    if lowering.bodies.events:
        _dispatch_event(lowering, "draws", WEIGHTS)
        _dispatch_event(lowering, "draw", OUTCOME)
        if lowering.model.facts.has_rewards:
            _dispatch_event(lowering, "pays", OUTCOME)
    if lowering.model.facts.is_simultaneous:
        for number in range(len(state_functions.groups(lowering))):
            dispatch(lowering, f"moves_{number}", (OUT, NEXT))
        for player in range(len(lowering.model.players)):
            _dispatch_action(lowering, player)
        dispatch(lowering, "apply", (ACTION,))
        return
    if any(rule.outcome is None for rule in lowering.model.repeats):
        for number in range(len(state_functions.groups(lowering))):
            dispatch(lowering, f"group_{number}", (OUT, NEXT))
    dispatch(lowering, "legal", (OUT, NEXT))
    for player in range(len(lowering.model.players)):
        _dispatch_action(lowering, player)
    dispatch(lowering, "apply", (ACTION,))


def _give_call(lowering: Lowering, title: str, more: tuple[Value, ...]) -> None:
    """Return the result of a function of the state."""
    lowering.builder.give(lowering.program.call_of(title, (state(), *more)))


def _dispatch_event(lowering: Lowering, title: str, more: Value) -> None:
    """`title(state, more)`: the function of the pending event of the state."""

    def write() -> None:
        for event in lowering.bodies.events[:-1]:
            with lowering.builder.when(EVENT.eq(event.number)):
                _give_call(lowering, f"{title}_{event.number}", (more,))
        _give_call(lowering, f"{title}_{lowering.bodies.events[-1].number}", (more,))

    state_functions.state_function(lowering, title, (more,), write)


def dispatch(lowering: Lowering, title: str, more: tuple[Value, ...]) -> None:
    """`title(state, more)`: the function of the player to move."""

    def write() -> None:
        last = len(lowering.model.players) - 1
        for player in range(last):
            with lowering.builder.when(lowering.field(TURN).eq(player)):
                _give_call(lowering, f"{title}_{player}", more)
        _give_call(lowering, f"{title}_{last}", more)

    state_functions.state_function(lowering, title, more, write)


def _dispatch_action(lowering: Lowering, player: int) -> None:
    """The function of the move that an action belongs to."""
    _of_move(lowering, player, "apply", ("apply", "choose"))
    if lowering.model.facts.has_rewards:
        _of_move(lowering, player, "reward", ("reward", "reward"))


def _of_move(lowering: Lowering, player: int, title: str, words: tuple[str, str]) -> None:
    def write() -> None:
        last = len(lowering.model.moves) - 1
        if last < 0:
            lowering.builder.give(state())
        for number, move in enumerate(lowering.model.moves):
            called = f"{words[move.is_simultaneous]}_{number}_{player}"
            if number == last:
                _give_call(lowering, called, (ACTION,))
                continue
            with lowering.builder.when(ACTION.lt(move.first_id + move.size)):
                _give_call(lowering, called, (ACTION,))

    state_functions.state_function(lowering, f"{title}_{player}", (ACTION,), write)
