"""The generated module: one function per query of an engine, for each player to move.

`generate` turns a checked model into a `Generated`: Python source that depends only on its own
first lines (`prelude`), the layout of states, and the meaning of the guards. The functions take the
words of a state; their names are given in `Generated`'s methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Lock

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import BOTH_KINDS, Site, idle_message
from gamedsl.compiler.generated import Generated, origin_of
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import FALSE
from gamedsl.compiler.layout import lay_out
from gamedsl.compiler.lowering.bodies import (
    action_ids,
    blocks,
    continuations,
    dispatch,
    earnings,
    endings,
    enumeration,
    legal_counts,
    measures,
    picks,
    state_functions,
    walks,
)
from gamedsl.compiler.lowering.bodies.action_ids import ACTION
from gamedsl.compiler.lowering.bodies.blocks import KEPT
from gamedsl.compiler.lowering.bodies.dispatch import NEXT, OUT
from gamedsl.compiler.lowering.bodies.enumeration import ActionSink
from gamedsl.compiler.lowering.bodies.legal_counts import LENGTH, PAST
from gamedsl.compiler.lowering.game import GameLowering
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import AfterMove, Paying, Scope
from gamedsl.compiler.options import EVERYTHING, CompilerOptions, Strategy
from gamedsl.compiler.passes.pipeline import run_passes
from gamedsl.compiler.printers.python import print_module
from gamedsl.compiler.state_words import encode
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.slicing.boards import on_squares
from gamedsl.model.statement_facts import draws_in, keeps_turn

MOST_WORDS = 256
"""Limit on words of a state: a cell with unknown index is searched word by word."""


def generate(model: Model, options: CompilerOptions = EVERYTHING) -> Generated:
    """The module of a game, with all functions for kernels. Raises CannotCompileError."""
    lowering = _lowering_of(model, options)
    with _placing(lowering):
        _write_for_play(lowering)
        return _finished(lowering, can_pick=_write_for_kernels(lowering))


def generate_for_play(model: Model, options: CompilerOptions = EVERYTHING) -> Generated:
    """The module of a game without the functions for kernels, which take about as long again. These
    functions are added on demand. Raises CannotCompileError.
    """
    lowering = _lowering_of(model, options)
    with _placing(lowering):
        _write_for_play(lowering)
        generated = _finished(lowering, can_pick=False)
    completion = _Completion(model, options, lowering, generated.module())
    return replace(generated, can_walk=False, for_kernels=completion)


class _Completion:
    """Completes a module once, on the first request."""

    def __init__(
        self, model: Model, options: CompilerOptions, lowering: Lowering, begun: Module
    ) -> None:
        self._model, self._options, self._begun = model, options, begun
        self._lowering: Lowering | None = lowering
        self._made: Generated | None = None
        self._lock = Lock()

    def __call__(self) -> Generated:
        with self._lock:
            lowering, self._lowering = self._lowering, None
            if self._made is None and lowering is None:  # interrupted halfway
                self._made = generate(self._model, self._options)
            elif self._made is None and lowering is not None:
                with _placing(lowering):
                    can_pick = _write_for_kernels(lowering)
                    self._made = _finished(lowering, can_pick=can_pick, made=self._begun)
            assert self._made is not None
            return self._made


def _lowering_of(model: Model, options: CompilerOptions) -> Lowering:
    if model.tree is not None:
        raise CannotCompileError("an explicit tree")
    model = on_squares(model)
    codes, layout = Codes(model), lay_out(model)
    if layout.words > MOST_WORDS:
        raise CannotCompileError("a state of so many words")
    possible = tuple(move for move in model.moves if move.size)
    without, measured = measures.taken_out(replace(model, moves=possible))
    return GameLowering(without, codes, layout, options, measured)


@contextmanager
def _placing(lowering: Lowering) -> Iterator[None]:
    """A context that adds places to the errors of the compiler."""
    source = lowering.model.source
    try:
        yield
    except CannotCompileError as error:
        raise error.placed(source) from error
    except RecursionError as error:
        deep = CannotCompileError("an expression of so many parts", lowering.origin.parts.last)
        raise deep.placed(source) from error


def _write_for_play(lowering: Lowering) -> None:
    players = range(len(lowering.model.players))
    _setup_function(lowering)
    for player in players:
        measures.write_measures(lowering, player)
        if lowering.model.facts.is_simultaneous:
            _joint_functions(lowering, player)
        else:
            _legal_function(lowering, player)
        _end_function(lowering, player)
        for number, move in enumerate(lowering.model.moves):
            if move.is_simultaneous:
                _choose_function(lowering, number, move, player)
            else:
                _apply_function(lowering, number, move, player)
            if lowering.model.facts.has_rewards:
                _reward_function(lowering, number, move, player)
        if lowering.model.evaluation is not None:
            _evaluate_functions(lowering, player)
        _repeat_functions(lowering, player)
    continuations.write_events(lowering)
    dispatch.dispatchers(lowering)


def _write_for_kernels(lowering: Lowering) -> bool:
    """Write the functions for kernels; return whether `candidates` is among them."""
    if not lowering.model.facts.is_simultaneous:
        for player in range(len(lowering.model.players)):
            write = partial(legal_counts.write_count, lowering, player)
            state_functions.state_function(lowering, f"legal_count_{player}", (), write)
        dispatch.dispatch(lowering, "legal_count", ())
    _end_after_functions(lowering)
    can_pick = picks.write_picking(lowering, _listing(lowering))
    if walks.can_walk(lowering):
        if not lowering.model.repeats:
            walks.write_walk(lowering)
        if not can_pick:
            picks.write_pick(lowering)
    return can_pick


def _finished(lowering: Lowering, *, can_pick: bool, made: Module | None = None) -> Generated:
    """The functions written so far as a module; `made`: the functions that are already finished."""
    cells = tuple(d for variable in lowering.model.variables for d in variable.initial)
    saved = lowering.bodies.most_saved + 1 if state_functions.has_draws(lowering) else 0
    module = run_passes(lowering.program.module, lowering.layout, saved, lowering.options, made)
    start = encode(lowering.layout, cells, 0)
    return Generated(
        origin_of(lowering.model, lowering.options),
        lambda: module,
        print_module(module),
        lowering.layout,
        lowering.codes,
        (*lowering.origin.sites, *_last_sites(lowering)),
        start,
        saved,
        tuple(lowering.bodies.events),
        len(state_functions.groups(lowering)),
        tuple(move.name for move in lowering.model.moves),
        legal_counts.is_stuck_by_history(lowering),
        can_pick,
        walks.can_walk(lowering),
        lowering.memo.levels,
    )


def _last_sites(lowering: Lowering) -> Iterator[Site]:
    """The sites of errors that the code itself does not detect."""
    if lowering.model.facts.is_simultaneous:
        for player in lowering.model.players:
            yield Site("E3003", None, idle_message(player.name))
        yield Site("E3009", None, lambda _, __: BOTH_KINDS)
    yield Site("E3003", None, partial(legal_counts.no_moves_message, lowering))


def _legal_function(lowering: Lowering, player: int) -> None:
    def write() -> None:
        start = NEXT
        if len(state_functions.groups(lowering)) > 1:
            start = lowering.program.hold(NEXT, "start")
        for number, group in enumerate(state_functions.groups(lowering)):
            if number:
                with lowering.builder.when(NEXT.gt(start)):
                    lowering.builder.give(NEXT)
            listing = measures.listed(lowering, group, player, _listing(lowering), NEXT)
            enumeration.all_instances(lowering, group, player, listing)
        lowering.builder.give(NEXT)

    state_functions.state_function(lowering, f"legal_{player}", (OUT, NEXT), write)
    if any(rule.outcome is None for rule in lowering.model.repeats):
        for number, group in enumerate(state_functions.groups(lowering)):
            state_functions.state_function(
                lowering,
                f"group_{number}_{player}",
                (OUT, NEXT),
                partial(_write_legal, lowering, group, player),
            )


def _listing(lowering: Lowering) -> ActionSink:
    """A sink that lists the legal ids and, behind the room for all ids, the attempted action."""
    last = lowering.model.facts.action_count
    return ActionSink(
        partial(walks.write_down, lowering),
        on_attempt=lambda tried: lowering.builder.store(OUT, last, tried),
    )


def _joint_functions(lowering: Lowering, player: int) -> None:
    """For each group: the moves of a player to move, and the choices of a chooser."""
    for number, group in enumerate(state_functions.groups(lowering)):
        for name, is_joint in (("moves", False), ("choices", True)):
            moves = [move for move in group if move.is_simultaneous == is_joint]
            state_functions.state_function(
                lowering,
                f"{name}_{number}_{player}",
                (OUT, NEXT),
                partial(_write_legal, lowering, moves, player),
            )


def _write_legal(lowering: Lowering, moves: Sequence[nodes.Move], player: int) -> None:
    listing = measures.listed(lowering, moves, player, _listing(lowering), NEXT)
    enumeration.all_instances(lowering, moves, player, listing)
    lowering.builder.give(NEXT)


def _choose_function(lowering: Lowering, number: int, move: nodes.Move, player: int) -> None:
    """The effect of one player's choice; the turn does not pass."""

    def write() -> None:
        blocks.write_block(lowering, move.body, action_ids.arguments(lowering, move, player))

    state_functions.state_function(
        lowering, f"choose_{number}_{player}", (ACTION,), write, gives_state=True
    )


def _end_function(lowering: Lowering, player: int) -> None:
    asks, by_history = legal_counts.asks_stuck(lowering), legal_counts.is_stuck_by_history(lowering)

    def write() -> None:
        scope = state_functions.scope_of(lowering, player)
        if by_history:
            scope = Scope(scope.turn, stuck=legal_counts.stuck_now())
        elif asks:
            is_joint = lowering.model.facts.is_simultaneous
            stuck = (
                legal_counts.joint_stuck_call(lowering, player)
                if is_joint
                else legal_counts.stuck_call(lowering, player)
            )
            scope = Scope(scope.turn, stuck=stuck)
        endings.write_end(lowering, scope)

    state_functions.state_function(
        lowering, f"end_{player}", (PAST, LENGTH) if by_history else (), write
    )


def _end_after_functions(lowering: Lowering) -> None:
    """`end_after`: as `end`, for a state reached by a move from a state that was not over."""
    if not _may_leave_out_tests(lowering):
        lowering.program.aliases["end_after"] = "end"
        return
    for player in range(len(lowering.model.players)):
        after = AfterMove(endings.movers_before(lowering, player))
        write = partial(_end_after, lowering, player, after)
        state_functions.state_function(lowering, f"end_after_{player}", (), write)
    dispatch.dispatch(lowering, "end_after", ())


def _may_leave_out_tests(lowering: Lowering) -> bool:
    """Whether some test of `end:` cannot have been made true by a move."""
    if not lowering.does(Strategy.END_AFTER):
        return False
    if (
        state_functions.has_draws(lowering)
        or lowering.model.facts.is_simultaneous
        or lowering.model.repeats
    ):
        return False
    if legal_counts.asks_stuck(lowering):
        return False
    purposes = []
    for player in range(len(lowering.model.players)):
        after = AfterMove(endings.movers_before(lowering, player))
        lowering.program.body(partial(_end_after, lowering, player, after))
        purposes.append(after)
    return any(after.left_out for after in purposes)


def _end_after(lowering: Lowering, player: int, after: AfterMove) -> None:
    scope = replace(state_functions.scope_of(lowering, player), purpose=after)
    endings.write_end(lowering, scope)


def _apply_function(lowering: Lowering, number: int, move: nodes.Move, player: int) -> None:
    def run(scope: Scope) -> None:
        if keeps_turn(move.body):
            lowering.builder.assign(KEPT, FALSE)
        blocks.write_block(lowering, move.body, scope)
        continuations.pass_turn(lowering, move.body, player)

    has_draws = draws_in(move.body)

    def write() -> None:
        scope = action_ids.arguments(lowering, move, player)
        if has_draws:
            continuations.run_body(lowering, move.body, scope, number, player)
        else:
            run(scope)

    if walks.can_walk(lowering):
        walks.do_function(lowering, number, move, player, run)
    else:
        state_functions.state_function(
            lowering, f"apply_{number}_{player}", (ACTION,), write, gives_state=not has_draws
        )


def _reward_function(lowering: Lowering, number: int, move: nodes.Move, player: int) -> None:
    """The payments of an action, up to the first chance event."""

    def write(paying: Paying) -> None:
        scope = replace(action_ids.arguments(lowering, move, player), purpose=paying)
        if draws_in(move.body):
            continuations.run_body(lowering, move.body, scope, number, player)
        else:
            blocks.write_block(lowering, move.body, scope)

    earnings.earning_function(lowering, f"reward_{number}_{player}", (ACTION,), write)


def _setup_function(lowering: Lowering) -> None:
    setup = lowering.model.setup
    has_draws = draws_in(setup)

    def write() -> None:
        scope = state_functions.scope_of(lowering, 0, setup)
        if has_draws:
            continuations.run_body(lowering, setup, scope, -1, 0)
        else:
            blocks.write_block(lowering, setup, scope)

    state_functions.state_function(lowering, "setup", (), write, gives_state=not has_draws)


def _evaluate_functions(lowering: Lowering, player: int) -> None:
    evaluation = lowering.model.evaluation
    assert evaluation is not None
    writers = {"evaluate": endings.write_evaluation}
    if evaluation.quiescent is not None:
        writers["quiescent"] = endings.write_quiescence
    scope = state_functions.scope_of(lowering, player)
    for viewpoint in range(len(lowering.model.players)):
        for name, writer in writers.items():
            write = partial(writer, lowering, scope, evaluation, viewpoint)
            state_functions.state_function(lowering, f"{name}_{viewpoint}_{player}", (), write)


def _repeat_functions(lowering: Lowering, player: int) -> None:
    for number, rule in enumerate(lowering.model.repeats):
        if rule.outcome is not None:
            scope = state_functions.scope_of(lowering, player)
            write = partial(endings.write_outcome, lowering, rule.outcome, scope)
            state_functions.state_function(lowering, f"repeat_{number}_{player}", (), write)
