"""The number of legal actions, and `stuck`: whether there are no legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gamedsl.compiler.faults import BOTH_KINDS, idle_message, no_moves
from gamedsl.compiler.ir.values import (
    BOOL,
    FALSE,
    INT,
    ROW,
    TRUE,
    ZERO,
    Value,
    any_of,
    call,
    count,
    name,
    state,
)
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.bodies import enumeration, measures, state_functions
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN
from gamedsl.model.walk import all_expressions

PAST, LENGTH = name("past", ROW), name("length", INT)

"""Parameters: the states that have occurred, and their number."""


def write_count(lowering: Lowering, player: int) -> None:
    """Write the number of legal instances."""
    total = lowering.program.hold(ZERO, "n")
    counted = ActionSink(
        lambda _: lowering.builder.assign(total, total + 1),
        lambda bits: lowering.builder.assign(total, total + count(bits)),
    )
    for number, group in enumerate(state_functions.groups(lowering)):
        if number:
            with lowering.builder.when(total.gt(0)):
                lowering.builder.give(total)
        sink = counted
        if measures.is_measured(lowering, group):
            sink = measures.only_greatest(
                lowering, player, counted, lambda: lowering.builder.assign(total, 0)
            )
        enumeration.all_instances(lowering, group, player, sink)
    lowering.builder.give(total)


def asks_stuck(lowering: Lowering) -> bool:
    """Whether `end:` uses `stuck`, in either form."""
    return any(e.asks == "moves" for e in all_expressions(lowering.model.end))


def is_stuck_by_history(lowering: Lowering) -> bool:
    """Whether the value of `stuck` depends on past states."""
    return asks_stuck(lowering) and any(rule.outcome is None for rule in lowering.model.repeats)


def stuck_now() -> Value:
    """A call of `stuck_now`, which the engine answers from the past states."""
    return call("stuck_now", (state(), PAST, LENGTH), BOOL)


def joint_stuck_call(lowering: Lowering, player: int) -> Value:
    """Whether no player can act: neither the player to move nor all players simultaneously. As in
    `legal_actions`, an error is raised if only some players can choose, or if both kinds of moves
    are legal.
    """
    idle = [
        lowering.origin.site("E3003", None, idle_message(player.name), ("idle", player.name))
        for player in lowering.model.players
    ]
    both = lowering.origin.site("E3009", None, lambda _, __: BOTH_KINDS)

    def number(moves: list[nodes.Move], chooser: int, stem: str) -> Value:
        write = partial(_write_number, lowering, moves, chooser)
        return lowering.program.hold(lowering.program.call("instances", write), stem)

    def write() -> None:
        builder = lowering.builder
        for group in state_functions.groups(lowering):
            alone = [move for move in group if not move.is_simultaneous]
            joint = [move for move in group if move.is_simultaneous]
            alone_count = number(alone, player, "own")
            if joint:
                counts = [
                    number(joint, chooser, "choices")
                    for chooser in range(len(lowering.model.players))
                ]
                with builder.when(any_of([choice_count.gt(0) for choice_count in counts])):
                    for choice_count, site in zip(counts, idle, strict=True):
                        with builder.when(choice_count.eq(0)):
                            builder.fault(site)
                    with builder.when(alone_count.gt(0)):
                        builder.fault(both)
                    builder.give(FALSE)
            with builder.when(alone_count.gt(0)):
                builder.give(FALSE)
        builder.give(TRUE)

    return lowering.program.call("stuck", write)


def _write_number(lowering: Lowering, moves: list[nodes.Move], player: int) -> None:
    total = lowering.program.hold(ZERO, "n")
    sink = ActionSink(lambda _: lowering.builder.assign(total, total + 1))
    enumeration.all_instances(lowering, moves, player, sink)
    lowering.builder.give(total)


def stuck_call(lowering: Lowering, player: int) -> Value:
    """Whether the player to move has no legal action.

    Where the moves behind a legal action are gone through, too, since they may fail, the answer
    takes about as long as the list of legal actions. It is then a function of the state, which an
    engine answers from the list.
    """
    moves = lowering.model.moves
    is_counted = lowering.bodies.measured and not all(
        enumeration.is_safe(lowering, m) for m in moves
    )

    def write() -> None:
        if is_counted:
            number = lowering.program.call("instances", lambda: write_count(lowering, player))
            lowering.builder.give(number.eq(0))
            return
        for group in state_functions.groups(lowering):
            _leave_if_any_is_legal(lowering, player, group)
        lowering.builder.give(TRUE)

    if not is_counted and all(enumeration.cannot_fail(lowering, move) for move in moves):
        return lowering.program.call("stuck", write)
    title = f"stuck_{player}"
    state_functions.state_function(lowering, title, (), write)
    return lowering.program.call_of(title, (state(),))


def stuck_among(lowering: Lowering, player: Low, moves: tuple[str, ...]) -> Low:
    """Whether a player has none of the named moves, by their own conditions."""
    players = lowering.model.players
    if isinstance(player, Known):
        return _stuck_of(lowering, players.index(player.value), moves)
    asked = name("asked", INT)

    def write() -> None:
        for place, atom in enumerate(players[:-1]):
            with lowering.builder.when(asked.eq(lowering.codes.code(atom))):
                lowering.builder.give(_stuck_of(lowering, place, moves).expr)
        lowering.builder.give(_stuck_of(lowering, len(players) - 1, moves).expr)

    of_player = lowering.program.call("stuck_of", write, {asked: player.expr}, copies=1)
    return Code(of_player, BOOLEAN)


def _stuck_of(lowering: Lowering, player: int, moves: tuple[str, ...]) -> Code:
    """As `stuck_among`; the function is written once for each player."""

    def write() -> None:
        lowering.builder.assign(lowering.field(TURN), player)
        some = ActionSink(lambda _: lowering.builder.give(FALSE), partial(_if_any, lowering))
        named = (move for move in lowering.model.moves if move.name in moves)
        enumeration.all_instances(lowering, named, player, some)
        lowering.builder.give(TRUE)

    key = ("stuck", player, moves)
    known = lowering.memo.lowered.get(key)
    if known is None:
        call_of = lowering.program.call("stuck", write, copies=1)
        known = lowering.memo.lowered[key] = Code(call_of, BOOLEAN)
    assert isinstance(known, Code)
    return known


def _leave_if_any_is_legal(lowering: Lowering, player: int, group: Sequence[nodes.Move]) -> None:
    """Return FALSE if a move of a group has a legal instance.

    Moves that can fail come first up to the last of them: behind a legal instance their bodies
    are run only where running may fail, so that no error is missed. The first legal instance of
    the moves behind them returns at once.
    """
    builder = lowering.builder
    can_fail = [not enumeration.cannot_fail(lowering, move) for move in group]
    risky = max((place + 1 for place, fails in enumerate(can_fail) if fails), default=0)
    if risky:
        some = lowering.program.hold(ZERO, "some")

        def on_set(bits: Value) -> None:
            with builder.when(bits.ne(0)):
                builder.assign(some, 1)

        noted = ActionSink(lambda _: builder.assign(some, 1), on_set, is_wanted=some.eq(0))
        for move, fails in zip(group[:risky], can_fail, strict=False):
            if fails:
                enumeration.all_instances(lowering, (move,), player, noted)
            else:
                with builder.when(some.eq(0)):
                    sink = replace(noted, is_wanted=None)
                    enumeration.all_instances(lowering, (move,), player, sink)
        with builder.when(some.ne(0)):
            builder.give(FALSE)
    returned = ActionSink(lambda _: builder.give(FALSE), partial(_if_any, lowering))
    enumeration.all_instances(lowering, group[risky:], player, returned)


def _if_any(lowering: Lowering, bits: Value) -> None:
    with lowering.builder.when(bits.ne(0)):
        lowering.builder.give(FALSE)


def no_moves_site(lowering: Lowering) -> int:
    """The guard against a player to move without legal action, while the game is not over."""
    return lowering.origin.site("E3003", None, partial(no_moves_message, lowering), ("no moves",))


def no_moves_message(lowering: Lowering, player: int, _: int) -> tuple[str, str | None]:
    """The message about a player who cannot move."""
    return no_moves(lowering.model.players[player].name)
