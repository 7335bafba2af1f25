"""Walks: plays counted by executing every legal action where the action is found.

The function `walk` keeps legal actions in sets where the actions form a set of squares or their ids
fit a word. The actions are taken out of the set one by one and executed with the arguments known
there; no ids are decoded. Other actions go through a list. Where the test for legality may fail,
all actions would have to be tested before the first is executed; games with such tests have no
walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import (
    BOOL,
    INT,
    WORD,
    Value,
    all_of,
    any_of,
    bits,
    call,
    count,
    load,
    lowest,
    name,
    not_,
    state,
)
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.bodies import (
    action_ids,
    enumeration,
    legal_counts,
    measures,
    state_functions,
)
from gamedsl.compiler.lowering.bodies.action_ids import ACTION, Instance
from gamedsl.compiler.lowering.bodies.dispatch import NEXT, OUT
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink, InstanceAt
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Scope
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.source.records import dataclass

LARGEST_WORD = 63

"""Limit on instances of a move whose ids are collected in a word when found one by one."""

IDS = bits(WORD)

"""Ids of instances as bits of a word."""

TOTAL, FIRST, DEPTH, PLACE = (name(title, INT) for title in ("total", "first", "depth", "place"))

IS_BULK = name("is_bulk", INT)

CHILD = state("c")


@dataclass(frozen=True, slots=True)
class ActionSource:
    """The place of legal actions.

    Attributes:
        bits: the local whose bits are the actions; None for actions in the list.
        is_filled: the actions have been put into the local one by one.
        apply: the state after the action at a bit, or at a place of the list.
        action_at: the id of the action at a bit, for the bits `places`.
    """

    bits: Value | None
    is_filled: bool
    apply: Callable[[Value], Value]
    action_at: Callable[[Value], Value]
    places: Sequence[int] = ()

    @property
    def is_some(self) -> Value:
        """Whether any actions are left."""
        return NEXT.gt(FIRST) if self.bits is None else self.bits.ne(0)

    @property
    def count(self) -> Value:
        """The number of actions left."""
        return NEXT - FIRST if self.bits is None else count(self.bits)


def can_walk(lowering: Lowering) -> bool:
    """Whether the game has a walk."""
    if lowering.bodies.is_walkable is None:
        lowering.bodies.is_walkable = _can_walk(lowering)
    return lowering.bodies.is_walkable


def _can_walk(lowering: Lowering) -> bool:
    if not lowering.does(Strategy.WALK):
        return False
    if (
        state_functions.has_draws(lowering)
        or lowering.model.facts.is_simultaneous
        or not lowering.model.moves
    ):
        return False
    if any(rule.outcome is None for rule in lowering.model.repeats):
        return False
    return all(
        enumeration.is_safe(lowering, move) or not enumeration.risks(lowering, move).paths
        for move in lowering.model.moves
    )


def do_function(
    lowering: Lowering, number: int, move: nodes.Move, player: int, run: Callable[[Scope], None]
) -> None:
    """Write `do`, which executes (`run`) an action given by its digits; `apply` calls `do`."""
    digits = action_ids.digit_names(move)

    def write() -> None:
        run(action_ids.with_digits(lowering, move, digits, player))

    parameters = tuple(digit for digit in digits if digit.is_name)
    state_functions.state_function(
        lowering, f"do_{number}_{player}", parameters, write, gives_state=True
    )

    def write_apply() -> None:
        lowering.builder.give(_done(lowering, player, move, action_ids.digits_of(move, ACTION)))

    state_functions.state_function(lowering, f"apply_{number}_{player}", (ACTION,), write_apply)


def _done(lowering: Lowering, player: int, move: nodes.Move, digits: tuple[Value, ...]) -> Value:
    """The state after an action."""
    arguments = [
        digit
        for digit, parameter in zip(digits, move.parameters, strict=True)
        if len(parameter.values) > 1
    ]
    title = f"do_{lowering.model.moves.index(move)}_{player}"
    return lowering.program.call_of(title, (state(), *arguments))


def write_walk(lowering: Lowering) -> None:
    """Write `walk`: one recursive function for all players."""
    last = len(lowering.model.players) - 1

    def write() -> None:
        lowering.builder.assign(TOTAL, 0)
        lowering.builder.assign(FIRST, NEXT)
        for player in range(last):
            with lowering.builder.when(lowering.field(TURN).eq(player)):
                _walk_of(lowering, player)
        _walk_of(lowering, last)

    state_functions.state_function(lowering, "walk", (DEPTH, IS_BULK, OUT, NEXT), write)


def _walk_of(lowering: Lowering, player: int) -> None:
    _go_through_sources(lowering, sources_of_all(lowering, player))
    legal_count = lowering.program.call_of(f"legal_count_{player}", (state(),))
    with lowering.builder.when(all_of([TOTAL.eq(0), legal_count.eq(0)])):
        lowering.builder.fault(legal_counts.no_moves_site(lowering), player)
    lowering.builder.give(TOTAL)


def sources_of_all(lowering: Lowering, player: int) -> list[ActionSource]:
    """The sources of the legal actions, valid after the code written here has run. Listed actions
    lie in `out` from `first` to before `n`; the list, if any, is the last source.
    """
    sources: list[ActionSource] = []
    listed = _list_of(lowering, player)
    is_listed = False
    for group in state_functions.groups(lowering):
        body, more, lists = _sources(lowering, group, player)
        is_later = bool(sources) or is_listed
        for source in more:
            if source.bits is not None and (is_later or source.is_filled):
                lowering.builder.assign(source.bits, 0)
        if is_later:
            before = [*sources, *([listed] if is_listed else [])]
            with lowering.builder.when(not_(_any_left(before))):
                lowering.builder.add_all(body)
        else:
            lowering.builder.add_all(body)
        sources += more
        is_listed = is_listed or lists
    return [*sources, listed] if is_listed else sources


def _sources(
    lowering: Lowering, group: Sequence[nodes.Move], player: int
) -> tuple[ir.Body, list[ActionSource], bool]:
    """The code that finds the legal instances of some moves, the sources of the instances, and
    whether some instances are listed.
    """
    sources: list[ActionSource] = []
    listing = [False]

    def write() -> None:
        if measures.is_measured(lowering, group):
            listing[0] = True
            _list_greatest(lowering, group, player)
            return
        for move in group:
            move_sources, lists = _sources_of(lowering, move, player)
            sources.extend(move_sources)
            listing[0] = listing[0] or lists

    return lowering.program.body(write).body, sources, listing[0]


def _list_greatest(lowering: Lowering, group: Sequence[nodes.Move], player: int) -> None:
    """The greatest instances are known only at the end: list the instances."""
    plain = ActionSink(partial(write_down, lowering))
    sink = measures.listed(lowering, group, player, plain, NEXT)
    enumeration.all_instances(lowering, group, player, sink)


def _sources_of(
    lowering: Lowering, move: nodes.Move, player: int
) -> tuple[list[ActionSource], bool]:
    """The sources of the legal instances of a move, valid after the code written here has run."""
    sources: list[ActionSource] = []
    ids = lowering.program.fresh("known", IDS)
    filled, listed = [False], [False]

    def on_action(instance: Instance) -> None:
        if move.size <= LARGEST_WORD and instance.number.is_const:
            filled[0] = True
            lowering.builder.assign(ids, ids | (1 << (instance.number.const - move.first_id)))
        else:
            listed[0] = True
            write_down(lowering, instance)

    def on_set_elements(held: Value, instance_at: InstanceAt, places: Sequence[int]) -> None:
        def done(place: Value) -> Value:
            return _done(lowering, player, move, instance_at(place).digits)

        def action_at(place: Value) -> Value:
            return instance_at(place).number

        sources.append(ActionSource(held, False, done, action_at, places))

    sink = ActionSink(on_action, on_set_elements=on_set_elements)
    enumeration.all_instances(lowering, (move,), player, sink)
    if filled[0]:
        sources.append(
            ActionSource(
                ids,
                True,
                lambda place: _done(
                    lowering, player, move, action_ids.digits_of(move, place + move.first_id)
                ),
                lambda place: place + move.first_id,
                range(move.size),
            )
        )
    return sources, listed[0]


def write_down(lowering: Lowering, instance: Instance) -> None:
    """Add the id of an instance to the list."""
    lowering.builder.store(OUT, NEXT, instance.number)
    lowering.builder.assign(NEXT, NEXT + 1)


def _list_of(lowering: Lowering, player: int) -> ActionSource:
    return ActionSource(
        None,
        False,
        lambda place: lowering.program.call_of(f"apply_{player}", (state(), load(OUT, place))),
        lambda place: load(OUT, place),
    )


def _any_left(sources: Sequence[ActionSource]) -> Value:
    return any_of([source.is_some for source in sources])


def _go_through_sources(lowering: Lowering, sources: Sequence[ActionSource]) -> None:
    """Execute all instances; the code behind each instance is large and written once."""
    if not sources:
        return
    builder = lowering.builder
    with builder.loop_while(_any_left(sources)):
        _take_one(lowering, sources)
        with builder.when(DEPTH.eq(1)):
            builder.assign(TOTAL, TOTAL + 1)
        with builder.otherwise(), builder.when(call("goes_on", (CHILD,), BOOL)):
            is_last = all_of([IS_BULK.ne(0), DEPTH.eq(2)])
            with builder.when(is_last):
                builder.assign(TOTAL, TOTAL + call("leaves", (CHILD,), INT))
            with builder.otherwise():
                more = call("walk", (CHILD, DEPTH - 1, IS_BULK, OUT, NEXT), INT)
                builder.assign(TOTAL, TOTAL + more)


def _take_one(lowering: Lowering, sources: Sequence[ActionSource]) -> None:
    """Take one action out of the first non-empty source and execute the action."""
    source, *rest = sources
    if not rest:
        _take(lowering, source)
        return
    with lowering.builder.when(source.is_some):
        _take(lowering, source)
    with lowering.builder.otherwise():
        _take_one(lowering, rest)


def _take(lowering: Lowering, source: ActionSource) -> None:
    if source.bits is not None:
        lowering.builder.assign(PLACE, lowest(source.bits))
        lowering.builder.assign(source.bits, source.bits & (source.bits - 1))
    else:
        lowering.builder.assign(NEXT, NEXT - 1)
        lowering.builder.assign(PLACE, NEXT)
    lowering.builder.assign_all((CHILD,), source.apply(PLACE))
