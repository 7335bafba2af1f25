"""The whole generated module: one function for each thing an engine asks, for each player to move.

In: a checked model. Out: `Generated`: Python source that needs nothing but its own first lines
(`prelude`), the layout it works on, and what its guards mean. The functions take the words of a
state; what they are called is written in `Generated`'s methods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.dispatch import NEXT, OUT
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import BOTH_KINDS, Site, idle_message, no_moves
from gamedsl.compiler.flow import Event
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.ir.values import FALSE, Value, integer, select
from gamedsl.compiler.layout import TURN, Layout, lay_out
from gamedsl.compiler.moves import ACTION, ActionSink
from gamedsl.compiler.passes.pipeline import EVERYTHING, CompilerOptions, run_passes
from gamedsl.compiler.picking import Picking
from gamedsl.compiler.printers.python import print_module
from gamedsl.compiler.scope import Known, Scope
from gamedsl.compiler.state_words import encode
from gamedsl.compiler.statements import KEPT
from gamedsl.compiler.stuck import LENGTH, PAST
from gamedsl.model import nodes
from gamedsl.model.model import Model


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated module.

    Attributes:
        module: gives the functions, in terms of words.
        source: the same as Python; runs after a prelude.
        sites: what each guard in the code means. The last ones are for what the code itself does
            not look for: where players choose at once, one for each who cannot, and one for both
            kinds of moves; then that the player to move cannot and the game is not over.
        words: how many words a state has.
        start: the words before `setup:`, unsigned.
        saved: how many integers follow the words where there is chance: the number of the
            event (0: a player decides), then locals.
        events: the chance events, the first has number 1.
        groups: how many groups of moves there are between `otherwise` lines.
        move_names: of the moves that have instances.
        stuck_by_history: `end` is given two numbers more, with which it asks `stuck_now` whether
            the player to move is stuck: that depends on what has occurred.
        can_pick: there are `candidates` and `allowed`.
        can_walk: there are `walk` and `pick`.
    """

    module: Callable[[], Module]
    source: str
    layout: Layout
    codes: Codes
    sites: Sequence[Site]
    start: tuple[int, ...]
    saved: int
    events: tuple[Event, ...]
    groups: int
    move_names: tuple[str, ...]
    stuck_by_history: bool
    can_pick: bool
    can_walk: bool

    @property
    def words(self) -> int:
        """Words in a state, without what follows them."""
        return self.layout.words

    @property
    def initial(self) -> tuple[int, ...]:
        """What `setup` is given."""
        return (*self.start, *(0 for _ in range(self.saved)))


def generate(model: Model, options: CompilerOptions = EVERYTHING) -> Generated:
    """The module of a game. Raises CannotCompileError."""
    if model.tree is not None:
        raise CannotCompileError("an explicit tree")
    codes, layout = Codes(model), lay_out(model)
    possible = replace(model, moves=tuple(move for move in model.moves if move.size))
    return _Module(possible, codes, layout).generated(options)


class _Module(Picking):
    """Writes all functions of one game."""

    def generated(self, options: CompilerOptions) -> Generated:
        players = range(len(self.model.players))
        self.begin_flow()
        bodies = (self.model.setup, *(move.body for move in self.model.moves))
        self.has_draws = any(self.draws_in(body) for body in bodies)
        self._setup_function()
        for player in players:
            if self.model.facts.is_simultaneous:
                self._joint_functions(player)
            else:
                self._legal_function(player)
            self._end_function(player)
            for number, move in enumerate(self.model.moves):
                if move.is_simultaneous:
                    self._choose_function(number, move, player)
                else:
                    self._apply_function(number, move, player)
            if self.model.evaluation is not None:
                self._evaluate_functions(player)
            self._repeat_functions(player)
        self.write_events()
        self._dispatchers()
        self._end_after_functions()
        can_pick = self.write_picking(self._listing())
        if self.can_walk:
            self.write_walk()
            self.write_pick()
        cells = tuple(d for variable in self.model.variables for d in variable.initial)
        saved = self.most_saved + 1 if self.has_draws else 0
        module = run_passes(self.program.module, self.layout, saved, options)
        start = encode(self.layout, cells, 0)
        self._last_sites()
        return Generated(
            lambda: module,
            print_module(module),
            self.layout,
            self.codes,
            tuple(self.sites),
            start,
            saved,
            tuple(self.events),
            len(self.groups),
            tuple(move.name for move in self.model.moves),
            self.is_stuck_by_history,
            can_pick,
            self.can_walk,
        )

    def _last_sites(self) -> None:
        """The guards that the code itself does not have."""
        if self.model.facts.is_simultaneous:
            self.sites += [Site("E3003", None, idle_message(p.name)) for p in self.model.players]
            self.sites.append(Site("E3009", None, lambda _, __: BOTH_KINDS))
        self.sites.append(Site("E3003", None, self._no_moves))

    @property
    def no_moves_site(self) -> int:
        """The guard against a player to move who cannot, while the game is not over."""
        return self.site("E3003", None, self._no_moves, ("no moves",))

    def _no_moves(self, player: int, _: int) -> tuple[str, str | None]:
        return no_moves(self.model.players[player].name)

    # --- the functions ---------------------------------------------------------------------

    def _legal_function(self, player: int) -> None:
        def write() -> None:
            start = NEXT
            if len(self.groups) > 1:
                start = self.program.hold(NEXT, "start")
            for number, group in enumerate(self.groups):
                if number:
                    with self.builder.when(NEXT.gt(start)):
                        self.builder.give(NEXT)
                for move in group:
                    self.instances(move, self.scope_of(player, move.body), self._listing())
            self.builder.give(NEXT)

        self.state_function(f"legal_{player}", (OUT, NEXT), write)
        if any(rule.outcome is None for rule in self.model.repeats):
            for number, group in enumerate(self.groups):
                self.state_function(
                    f"group_{number}_{player}",
                    (OUT, NEXT),
                    partial(self._write_legal, list(group), self.scope_of(player)),
                )
        self.state_function(f"legal_count_{player}", (), lambda: self._count(player))

    def _listing(self) -> ActionSink:
        """Write down the legal ids, and behind all room for them what is being tried."""
        last = self.model.facts.action_count
        return ActionSink(
            self.write_down, on_attempt=lambda tried: self.builder.store(OUT, last, tried)
        )

    def _joint_functions(self, player: int) -> None:
        """For each group: the moves of a player to move, and the choices of a chooser."""
        me = Known(self.model.players[player])
        for number, group in enumerate(self.groups):
            alone = [move for move in group if not move.is_simultaneous]
            joint = [move for move in group if move.is_simultaneous]
            for name, moves, scope in (
                ("moves", alone, Scope(me)),
                ("choices", joint, Scope(self.anybody, me)),
            ):
                self.state_function(
                    f"{name}_{number}_{player}",
                    (OUT, NEXT),
                    partial(self._write_legal, moves, scope),
                )

    def _write_legal(self, moves: list[nodes.Move], scope: Scope) -> None:
        for move in moves:
            own = Scope(self.anybody) if self.sets_turn(move.body) else scope
            self.instances(move, own, self._listing())
        self.builder.give(NEXT)

    def _choose_function(self, number: int, move: nodes.Move, player: int) -> None:
        """What one player's choice changes; the turn does not pass."""

        def write() -> None:
            scope = Scope(self.anybody, Known(self.model.players[player]))
            self.block(move.body, self.arguments(move, scope))

        self.state_function(f"choose_{number}_{player}", (ACTION,), write, gives_state=True)

    def _end_function(self, player: int) -> None:
        asks, by_history = self.asks_stuck, self.is_stuck_by_history

        def write() -> None:
            scope = self.scope_of(player)
            if by_history:
                scope = Scope(scope.turn, stuck=self._stuck_now())
            elif asks:
                is_joint = self.model.facts.is_simultaneous
                stuck = self._joint_stuck_call(player) if is_joint else self._stuck_call(player)
                scope = Scope(scope.turn, stuck=stuck)
            self.end(scope)

        self.state_function(f"end_{player}", (PAST, LENGTH) if by_history else (), write)

    def _end_after_functions(self) -> None:
        """`end_after`: as `end`, for a state that a move has led to from one that was not over."""
        if not self._may_leave_out_tests():
            self.program.aliases["end_after"] = "end"
            return
        for player in range(len(self.model.players)):
            write = partial(self._end_after, player)
            self.state_function(f"end_after_{player}", (), write)
        self._dispatch("end_after", ())

    def _may_leave_out_tests(self) -> bool:
        """Whether some test of `end:` cannot have been made true by a move."""
        if self.has_draws or self.model.facts.is_simultaneous or self.model.repeats:
            return False
        if self.asks_stuck:
            return False
        for player in range(len(self.model.players)):
            self.program.body(partial(self._end_after, player))
        return self.has_left_out

    def _end_after(self, player: int) -> None:
        self.movers = self.movers_before(player)
        self.end(self.scope_of(player))
        self.movers = ()

    def _apply_function(self, number: int, move: nodes.Move, player: int) -> None:
        def run(scope: Scope) -> None:
            if self.keeps_turn(move.body):
                self.builder.assign(KEPT, FALSE)
            self.block(move.body, scope)
            self.pass_turn(move.body, player)

        def write() -> None:
            run(self.arguments(move, self.scope_of(player, move.body)))

        def write_cut() -> None:
            scope = self.arguments(move, self.scope_of(player, move.body))
            self.run_body(move.body, scope, number, player)

        if self.draws_in(move.body):
            self.state_function(f"apply_{number}_{player}", (ACTION,), write_cut)
        elif self.can_walk:
            self.do_function(number, move, player, run)
        else:
            self.state_function(f"apply_{number}_{player}", (ACTION,), write, gives_state=True)

    def pass_turn(self, block: nodes.Block, player: int) -> None:
        """The turn goes to the next player, unless the body said otherwise."""
        count, turn = len(self.model.players), self.field(TURN)
        after = integer((player + 1) % count)
        if self.sets_turn(block):
            self.builder.assign(turn, select(KEPT, turn, (turn + 1) % count))
        elif self.keeps_turn(block):
            self.builder.assign(turn, select(KEPT, integer(player), after))
        else:
            self.builder.assign(turn, after)

    def finish(self, block: nodes.Block, move: int, player: int) -> None:
        """The end of a body that was cut; after `setup:` the turn does not pass."""
        if move >= 0:
            self.pass_turn(block, player)
        self.builder.give_state()

    def event_function(
        self, title: str, more: tuple[Value, ...], write: Callable[[], None]
    ) -> None:
        """A function of a state in which chance decides."""
        self.state_function(title, more, write)

    def _setup_function(self) -> None:
        def write() -> None:
            self.block(self.model.setup, self.scope_of(0, self.model.setup))

        def write_cut() -> None:
            self.run_body(self.model.setup, self.scope_of(0, self.model.setup), -1, 0)

        if self.draws_in(self.model.setup):
            self.state_function("setup", (), write_cut)
        else:
            self.state_function("setup", (), write, gives_state=True)

    def _evaluate_functions(self, player: int) -> None:
        evaluation = self.model.evaluation
        assert evaluation is not None
        for other in range(len(self.model.players)):
            self.state_function(
                f"evaluate_{other}_{player}",
                (),
                partial(self.evaluation, self.scope_of(player), evaluation, other),
            )
            if evaluation.quiescent is not None:
                self.state_function(
                    f"quiescent_{other}_{player}",
                    (),
                    partial(self.quiescence, self.scope_of(player), evaluation, other),
                )

    def _repeat_functions(self, player: int) -> None:
        for number, rule in enumerate(self.model.repeats):
            if rule.outcome is not None:
                self.state_function(
                    f"repeat_{number}_{player}",
                    (),
                    partial(self.outcome, rule.outcome, self.scope_of(player)),
                )
