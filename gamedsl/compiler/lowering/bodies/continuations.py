"""Writes the bodies of moves and of `setup:` that have chance events, cut at the events.

In: the statements of a body. Out: generated code. The function of the move runs the body up to the
first chance event on each path, and returns a state that waits for the event. Event N gets two
functions: `draws_N` gives the outcomes with their weights, and `draw_N` executes an outcome and
runs the rest of the body, up to the next event or the end. One `chance` statement in a loop is a
new event for each number of remaining rounds. A state that waits has, besides its words, the number
of the event (`at`; 0 where a player decides) and the values of the locals that the rest of the body
reads (`liveness`).

The rest of a body is a stack of frames, innermost first (`values.frames`). The statements after an
`if` with an event inside are written again in each branch.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.generated import Event
from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import (
    BOOL,
    FALSE,
    INT,
    all_of,
    integer,
    name,
    not_,
    select,
    state,
    to_int,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.lowering.bodies import blocks, draws, earnings, state_functions
from gamedsl.compiler.lowering.bodies.blocks import KEPT
from gamedsl.compiler.lowering.values import cells, conditions, numbers
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.frames import Body, Frame, LoopFrame, Rest
from gamedsl.compiler.lowering.values.scope import (
    Code,
    Held,
    Known,
    Later,
    Low,
    Meaning,
    Paying,
    Scope,
)
from gamedsl.model import nodes
from gamedsl.model.action_names import name_of_cell
from gamedsl.model.rewriting.liveness import kept_at_chance
from gamedsl.model.statement_facts import draws_in, facts_of, keeps_turn, sets_turn
from gamedsl.model.types import BOOLEAN, Scalar, element_of, scalar_of
from gamedsl.model.walk import statements as all_statements

MOST_EVENTS = 400
"""Greatest number of events of a game; beyond it, the game is not compiled."""

OUTCOME = name("outcome", INT)
"""The parameter, besides the state, of the function that executes an outcome."""


def run_body(lowering: Lowering, block: nodes.Block, scope: Scope, move: int, player: int) -> None:
    """Write a body from its start to the first chance event on each path, or to its end; `move` is
    the number of the move, -1 for `setup:`."""
    _check_guards(block)
    lowering.bodies.live |= kept_at_chance(block)
    if keeps_turn(block):
        lowering.builder.assign(KEPT, FALSE)
    run(lowering, Rest((Frame(block, scope),), Body(move, player, block)))


def _check_guards(block: nodes.Block) -> None:
    """Refuse a body with a guard after a chance event, which only the interpreter can play."""
    is_after_event = False
    for statement in all_statements(block):
        facts = facts_of(statement)
        is_after_event = is_after_event or facts.draws
        if is_after_event and facts.forbids:
            raise CannotCompileError("a guard after a chance event", statement.span)


def run(lowering: Lowering, rest: Rest) -> None:
    """Write the rest of a body, up to the first chance event on each path."""
    while True:
        top, below = rest.frames[0], Rest(rest.frames[1:], rest.body)
        if isinstance(top, LoopFrame) and top.values:
            _run_round(lowering, top, below)
            return
        if isinstance(top, Frame) and top.statements:
            statement, others = top.statements[0], top.statements[1:]
            if draws_in((statement,)):
                _run_cut(lowering, statement, top.scope, below.behind(Frame(others, top.scope)))
                return
            scope = lowering.write_statement(statement, top.scope)
            if scope is None:
                return
            rest = below.behind(Frame(others, scope))
        elif below.frames:
            rest = below
        else:
            _finish(lowering, rest.body, top.scope)
            return


def pass_turn(lowering: Lowering, block: nodes.Block, player: int) -> None:
    """Pass the turn to the next player, unless the body decides otherwise."""
    count, turn = len(lowering.model.players), lowering.field(TURN)
    next_player = integer((player + 1) % count)
    if sets_turn(block):
        lowering.builder.assign(turn, select(KEPT, turn, (turn + 1) % count))
    elif keeps_turn(block):
        lowering.builder.assign(turn, select(KEPT, integer(player), next_player))
    else:
        lowering.builder.assign(turn, next_player)


def _finish(lowering: Lowering, body: Body, scope: Scope) -> None:
    """Write the end of a cut body: pass the turn, except after `setup:`, and return the state; in a
    function that computes payments, return the payments."""
    if isinstance(scope.purpose, Paying):
        earnings.give_earnings(lowering, scope.purpose)
        return
    if body.move >= 0:
        pass_turn(lowering, body.block, body.player)
    lowering.builder.give_state()


def _run_cut(lowering: Lowering, statement: nodes.Statement, scope: Scope, after: Rest) -> None:
    """Write a statement that contains a chance event, and the statements that follow (`after`)."""
    lowering.comment(statement.span.start)
    match statement:
        case nodes.Chance():
            _pause(lowering, statement, scope, after)
        case nodes.Branch():
            _run_branch(lowering, statement, scope, after)
        case nodes.Loop():
            _run_loop(lowering, statement, scope, after)
        case _:
            raise AssertionError("no other statement holds a chance event")


def _run_branch(lowering: Lowering, statement: nodes.Branch, scope: Scope, after: Rest) -> None:
    """Write the branches, each with the statements that follow."""
    for condition, block in statement.branches:
        low = lowering.lower(condition, scope)
        if isinstance(low, Known):
            if low.value is True:
                run(lowering, after.behind(Frame(block, scope)))
                return
            continue
        with lowering.builder.when(low.expr):
            run(lowering, after.behind(Frame(block, scope)))
    run(lowering, after.behind(Frame(statement.otherwise, scope)))


def _run_loop(lowering: Lowering, statement: nodes.Loop, scope: Scope, after: Rest) -> None:
    """Write a loop round by round: over the known values of the domain or, for a range known only
    during play, over all values that the range can have, each tested against the ends."""
    values = lowering.evaluator.known(statement.domain, scope)
    if isinstance(values, tuple):
        run(lowering, after.behind(LoopFrame(statement, values, scope, None)))
        return
    domain = statement.domain
    element = element_of(domain.type)
    if domain.called != ".." or not isinstance(element, Scalar):
        raise CannotCompileError("a chance event in a loop over this", statement.span)
    ends = []
    for code, stem in zip(numbers.ends(lowering, domain, scope), ("low", "high"), strict=True):
        if not blocks.is_fixed_value(lowering, code.expr):
            local = name(f"{stem}_{statement.slot}", INT)
            lowering.builder.assign(local, code.expr)
            code = Code(local, code.type)
        ends.append(code.expr)
    low, high = element.interval
    possible = tuple(range(int(low), int(high) + 1))
    run(lowering, after.behind(LoopFrame(statement, possible, scope, (ends[0], ends[1]))))


def _run_round(lowering: Lowering, rounds: LoopFrame, below: Rest) -> None:
    """Write one round, run if its value is in the range and passes `where` and `while`; then the
    other rounds. `below`: the statements after the loop."""
    loop, value = rounds.loop, rounds.values[0]
    if_skipped = replace(rounds, values=rounds.values[1:])
    if_run = if_skipped
    round_scope = rounds.scope.having(loop.slot, Known(value))
    tests: list[Low] = []
    if rounds.within is not None:
        assert isinstance(value, int)
        low, high = rounds.within
        ends = [high.ge(value)] if low is None else [low.le(value), high.ge(value)]
        tests.append(Code(all_of(ends), BOOLEAN))
        if_run = replace(if_skipped, within=(None, high))
    if loop.condition is not None:
        tests.append(lowering.lower(loop.condition, round_scope))
    test = conditions.conjunction(lowering, tests)
    if isinstance(test, Known):
        if test.value is True:
            _run_going(lowering, loop, round_scope, below.behind(if_run), below)
        else:
            run(lowering, below.behind(if_skipped))
        return
    with lowering.builder.when(test.expr):
        _run_going(lowering, loop, round_scope, below.behind(if_run), below)
    run(lowering, below.behind(if_skipped))


def _run_going(lowering: Lowering, loop: nodes.Loop, scope: Scope, rest: Rest, below: Rest) -> None:
    """Write the body of a round and the `rest` behind it, if `while` holds; else leave the loop and
    go on with the statements `below`."""
    goes_on: Low = Known(True) if loop.going is None else lowering.lower(loop.going, scope)
    if isinstance(goes_on, Code):
        with lowering.builder.when(not_(goes_on.expr)):
            run(lowering, below)
    elif goes_on.value is not True:
        run(lowering, below)
        return
    run(lowering, rest.behind(Frame(loop.body, scope)))


def _pause(lowering: Lowering, statement: nodes.Chance, scope: Scope, after: Rest) -> None:
    """Return a state that waits for the event, with the locals that the rest of the body reads."""
    if isinstance(scope.purpose, Paying):  # the rest is paid with the outcome of the event
        earnings.give_earnings(lowering, scope.purpose)
        return
    rest = after.behind(Frame((), scope))  # the first holds the event's own scope
    number = _event(lowering, statement, rest)
    values = [to_int(local) for local in _saved(lowering, statement, rest)]
    if keeps_turn(rest.body.block):
        values.append(to_int(KEPT))
    lowering.bodies.most_saved = max(lowering.bodies.most_saved, len(values))
    lowering.builder.give_state(number, tuple(values))


def _saved(lowering: Lowering, statement: nodes.Chance, rest: Rest) -> list[Expr]:
    """The locals whose values a waiting state has: those that the event keeps, and the upper ends
    of the loops around it."""
    live = lowering.bodies.live[id(statement)]
    gathered: dict[Expr, None] = {}  # an ordered set
    for frame in rest.frames:
        _gather(lowering, _live_part(frame.scope, live), gathered)
        if isinstance(frame, LoopFrame) and frame.values and frame.within is not None:
            _add_names(lowering, frame.within[1], gathered)
    return list(gathered)


def _live_part(scope: Scope, live: frozenset[int]) -> Scope:
    """The scope without dead locals."""
    slots = {slot: meaning for slot, meaning in scope.slots.items() if slot in live}
    postponed = {
        slot: replace(meaning, scope=_live_part(meaning.scope, live))
        for slot, meaning in slots.items()
        if isinstance(meaning, Later) and meaning.scope is not None
    }
    return replace(scope, slots=slots | postponed)


def _gather(lowering: Lowering, scope: Scope, gathered: dict[Expr, None]) -> None:
    """Collect the locals in a scope's meanings, including postponed expressions."""
    for meaning in scope.slots.values():
        if isinstance(meaning, Held):
            raise CannotCompileError("a collection that is held over a chance event")
        if isinstance(meaning, Code):
            _add_names(lowering, meaning.expr, gathered)
        elif isinstance(meaning, Later) and meaning.scope is not None:
            _gather(lowering, meaning.scope, gathered)


def _add_names(lowering: Lowering, value: Expr, gathered: dict[Expr, None]) -> None:
    """Collect the locals that a value mentions."""
    names = (local for local in parts(value) if local.is_name)
    gathered |= {local: None for local in names if local.name not in lowering.program.fields}


def _event(lowering: Lowering, statement: nodes.Chance, rest: Rest) -> int:
    """The number of the event: a new one unless the same event has the same rest of the body."""
    # where the body assigns `turn`, the player who began the body is irrelevant
    body = rest.body
    player = -1 if sets_turn(body.block) else body.player
    live = lowering.bodies.live[id(statement)]
    signatures = tuple(_signature(replace(f, scope=_live_part(f.scope, live))) for f in rest.frames)
    key = (id(statement), body.move, player, signatures)
    if key not in lowering.bodies.numbers:
        number = len(lowering.bodies.events) + 1
        if number > MOST_EVENTS:
            raise CannotCompileError("so many chance events in one body", statement.span)
        lowering.bodies.numbers[key] = number
        lowering.bodies.events.append(Event(number, body.move, statement.name, statement.support))
        lowering.bodies.waiting.append((number, statement, rest))
    return lowering.bodies.numbers[key]


def write_events(lowering: Lowering) -> None:
    """Write the functions of all events, including events reached only from other events."""
    while lowering.bodies.waiting:
        number, statement, rest = lowering.bodies.waiting.pop()
        state_functions.state_function(
            lowering,
            f"draws_{number}",
            (draws.WEIGHTS,),
            partial(_write_draws, lowering, statement, rest),
        )
        state_functions.state_function(
            lowering,
            f"draw_{number}",
            (OUTCOME,),
            partial(_write_outcome, lowering, statement, rest),
        )
        if not isinstance(statement.place, int) and statement.place.indices:
            _write_cell(lowering, number, statement, statement.place, rest)
        if lowering.model.facts.has_rewards:
            write = partial(_write_outcome, lowering, statement, rest)
            earnings.earning_function(lowering, f"pays_{number}", (OUTCOME,), write)


def _write_cell(
    lowering: Lowering, number: int, statement: nodes.Chance, place: nodes.Place, rest: Rest
) -> None:
    """Add the cell that is drawn (`die[1]`) to the event, for the names of outcomes: a constant in
    the event's name, or the function `cell_N`, which gives the number of the cell during play.
    """
    event, variable = lowering.bodies.events[number - 1], place.variable
    cell = integer(-1)

    def write() -> None:
        nonlocal cell
        _restore(lowering, statement, rest)
        cell = cells.number_if_any(lowering, variable, place.indices, rest.frames[0].scope)
        lowering.builder.give(cell)

    body = lowering.program.body(write).body
    if cell.is_const:
        completed = replace(event, name=name_of_cell(variable, cell.const, event.name))
    else:
        completed = replace(event, drawn_into=variable)
        lowering.program.function(f"cell_{number}", (state(),), body)
    lowering.bodies.events[number - 1] = completed


def _restore(lowering: Lowering, statement: nodes.Chance, rest: Rest) -> None:
    """Assign to the saved locals the values `l0`, `l1` and so on of the waiting state."""
    saved = _saved(lowering, statement, rest)
    if keeps_turn(rest.body.block):
        saved.append(KEPT)
    for place, local in enumerate(saved):
        parameter = name(f"l{place}", INT)
        lowering.builder.assign(local, parameter.ne(0) if local.type is BOOL else parameter)


def _write_outcome(
    lowering: Lowering, statement: nodes.Chance, rest: Rest, paying: Paying | None = None
) -> None:
    """Write the execution of an outcome, and the rest of the body; the payments, if `paying`."""
    if paying is not None:
        frames = (replace(f, scope=replace(f.scope, purpose=paying)) for f in rest.frames)
        rest = Rest(tuple(frames), rest.body)
    _restore(lowering, statement, rest)
    lowering.comment(statement.span.start)
    support = statement.support
    value = cells.of_digit(lowering, OUTCOME, support, scalar_of(support.values))
    if len(support) == 1:
        drawn: Low = Known(support.values[0])
    else:
        slot = statement.place
        stem = f"drawn_{slot}" if isinstance(slot, int) else "drawn"
        local = name(stem, value.expr.type)
        lowering.builder.assign(local, value.expr)
        drawn = Code(local, value.type)
    own, first, *others = rest.frames
    scope = draws.assign(lowering, statement, own.scope, drawn)
    if isinstance(first, Frame):
        first = Frame(first.statements, _joined_scope(first.scope, scope))
    run(lowering, Rest((first, *others), rest.body))


def _joined_scope(outer: Scope, drawn: Scope) -> Scope:
    """The scope behind an event: `outer`, with the drawn value."""
    return replace(outer, slots={**outer.slots, **drawn.slots})


def _write_draws(lowering: Lowering, statement: nodes.Chance, rest: Rest) -> None:
    """Write statements that fill `weights` for every outcome and return the sum."""
    _restore(lowering, statement, rest)
    draws.fill_weights(lowering, statement, rest.frames[0].scope)


def _signature(frame: Frame | LoopFrame) -> object:
    """What identifies a frame, apart from the values that the saved locals have in play."""
    slots = _signature_of_scope(frame.scope)
    if isinstance(frame, Frame):
        return (tuple(id(s) for s in frame.statements), slots)
    return (id(frame.loop), frame.values, slots, frame.within)


def _signature_of_scope(scope: Scope) -> object:
    return tuple((slot, _signature_of(m, scope)) for slot, m in sorted(scope.slots.items()))


def _signature_of(meaning: Meaning, scope: Scope) -> object:
    match meaning:
        case Known():
            return (type(meaning.value), meaning.value)
        case Later():
            is_own = meaning.scope is None or meaning.scope is scope
            other = None if is_own or meaning.scope is None else _signature_of_scope(meaning.scope)
            return (id(meaning.node), other)
    return meaning
