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
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import BOTH_KINDS, Site, idle_message, no_moves
from gamedsl.compiler.flow import Event
from gamedsl.compiler.layout import TURN, Layout, lay_out
from gamedsl.compiler.moves import Found, Instance
from gamedsl.compiler.picking import Picking
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.state_words import encode
from gamedsl.compiler.statements import KEPT
from gamedsl.compiler.words import ALL_SAVED, GIVEN, padding
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.types import Scalar


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated module.

    Attributes:
        source: constants, tables and functions; runs after a prelude.
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


def generate(model: Model) -> Generated:
    """The module of a game. Raises CannotCompileError."""
    if model.tree is not None:
        raise CannotCompileError("an explicit tree")
    codes, layout = Codes(model), lay_out(model)
    possible = replace(model, moves=tuple(move for move in model.moves if move.size))
    return _Module(possible, codes, layout).generated()


class _Module(Picking):
    """Writes all functions of one game."""

    def generated(self) -> Generated:
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
        after = self._end_after_functions()
        can_pick = self.write_picking(self._listing())
        if self.can_walk:
            self.write_walk()
            self.write_pick()
        cells = tuple(d for variable in self.model.variables for d in variable.initial)
        source = self._with_locals(
            "\n\n\n".join(["\n".join(self.program.constants), *self.program.texts(), *after]) + "\n"
        )
        start = encode(self.layout, cells, 0)
        if self.model.facts.is_simultaneous:
            for one in self.model.players:
                self.site("E3003", None, idle_message(one.name))
            self.site("E3009", None, lambda _, __: BOTH_KINDS)
        self.site("E3003", None, self._no_moves)
        saved = self.most_saved + 1 if self.has_draws else 0
        return Generated(
            source,
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

    def _with_locals(self, source: str) -> str:
        """The places of saved locals filled in, now that it is known how many there are."""
        names = "".join(f", l{n}" for n in range(self.most_saved))
        source = source.replace(ALL_SAVED, f", at{names}" if self.has_draws else "")
        for used in range(self.most_saved + 1):
            source = source.replace(padding(used), ", 0" * (self.most_saved - used))
        return source

    def _no_moves(self, player: int, _: int) -> tuple[str, str | None]:
        return no_moves(self.model.players[player].name)

    # --- the functions ---------------------------------------------------------------------

    def _legal_function(self, player: int) -> None:
        def write() -> None:
            writer = self.program.writer
            if len(self.groups) > 1:
                writer.assign("start", "n")
            for number, group in enumerate(self.groups):
                if number:
                    with writer.block("if n > start"):
                        writer.line("return n")

                for move in group:
                    self.instances(move, self.scope_of(player, move.body), self._listing())
            writer.line("return n")

        self.state_function(f"legal_{player}", ["out", "n"], write)
        if any(rule.outcome is None for rule in self.model.repeats):
            for number, group in enumerate(self.groups):
                self.state_function(
                    f"group_{number}_{player}",
                    ["out", "n"],
                    partial(self._write_legal, list(group), self.scope_of(player)),
                )
        self.state_function(f"legal_count_{player}", [], lambda: self._count(player))

    def _listing(self) -> Found:
        """Write down the legal ids, and behind all room for them what is being tried."""

        def one(instance: Instance) -> None:
            self.program.writer.line(f"out[n] = {instance.number}")
            self.program.writer.line("n += 1")

        last = self.model.facts.action_count
        return Found(one, trying=lambda tried: self.program.writer.line(f"out[{last}] = {tried}"))

    def _joint_functions(self, player: int) -> None:
        """For each group: the moves of a player to move, and the choices of a chooser."""
        turn = Code(TURN, Scalar(atoms=frozenset(self.model.players)))
        me = Known(self.model.players[player])
        for number, group in enumerate(self.groups):
            alone = [move for move in group if not move.is_simultaneous]
            joint = [move for move in group if move.is_simultaneous]
            for name, moves, scope in (
                ("moves", alone, Scope(me)),
                ("choices", joint, Scope(turn, me)),
            ):
                self.state_function(
                    f"{name}_{number}_{player}",
                    ["out", "n"],
                    partial(self._write_legal, moves, scope),
                )

    def _write_legal(self, moves: list[nodes.Move], scope: Scope) -> None:
        writer = self.program.writer
        for move in moves:
            sets_turn = self.sets_turn(move.body)
            own = (
                Scope(Code(TURN, Scalar(atoms=frozenset(self.model.players))))
                if sets_turn
                else scope
            )
            self.instances(move, own, self._listing())
        writer.line("return n")

    def _choose_function(self, number: int, move: nodes.Move, player: int) -> None:
        """What one player's choice changes; the turn does not pass."""

        def write() -> None:
            turn = Code(TURN, Scalar(atoms=frozenset(self.model.players)))
            scope = Scope(turn, Known(self.model.players[player]))
            self.block(move.body, self.arguments(move, scope))

        self.state_function(f"choose_{number}_{player}", ["action"], write, packs=True)

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

        self.state_function(f"end_{player}", ["past", "length"] if by_history else [], write)

    def _end_after_functions(self) -> list[str]:
        """`end_after`: as `end`, for a state that a move has led to from one that was not over."""
        plain = ["end_after = end"]
        if self.has_draws or self.model.facts.is_simultaneous or self.model.repeats:
            return plain
        if self.asks_stuck:
            return plain

        def write(player: int) -> None:
            self.movers = self.movers_before(player)
            self.end(self.scope_of(player))
            self.movers = ()

        players = range(len(self.model.players))
        for player in players:
            self.program.body(partial(write, player))
        if not self.has_left_out:
            return plain
        for player in players:
            self.state_function(f"end_after_{player}", [], partial(write, player))
        self._dispatch("end_after", [])
        return []

    def _apply_function(self, number: int, move: nodes.Move, player: int) -> None:
        def run(scope: Scope) -> None:
            if self.keeps_turn(move.body):
                self.program.writer.assign(KEPT, "False")
            self.block(move.body, scope)
            self.pass_turn(move.body, player)

        def write() -> None:
            run(self.arguments(move, self.scope_of(player, move.body)))

        def write_cut() -> None:
            scope = self.arguments(move, self.scope_of(player, move.body))
            self.run_body(move.body, scope, number, player)

        if self.draws_in(move.body):
            self.state_function(f"apply_{number}_{player}", ["action"], write_cut)
        elif self.can_walk:
            self.do_function(number, move, player, run)
        else:
            self.state_function(f"apply_{number}_{player}", ["action"], write, packs=True)

    def pass_turn(self, block: nodes.Block, player: int) -> None:
        """The turn goes to the next player, unless the body said otherwise."""
        writer = self.program.writer
        count = len(self.model.players)
        if self.sets_turn(block):
            writer.assign(TURN, f"{TURN} if {KEPT} else ({TURN} + 1) % {count}")
        elif self.keeps_turn(block):
            writer.assign(TURN, f"{player} if {KEPT} else {(player + 1) % count}")
        else:
            writer.assign(TURN, str((player + 1) % count))

    def finish(self, block: nodes.Block, move: int, player: int) -> None:
        """The end of a body that was cut; after `setup:` the turn does not pass."""
        if move >= 0:
            self.pass_turn(block, player)
        self.give_words("0", [])

    def give_words(self, at: str, values: list[str]) -> None:
        """`return` the words, filled in once it is known which of them have changed."""
        more = "".join(f", {value}" for value in values)
        self.program.writer.line(f"return ({GIVEN}, {at}{more}{padding(len(values))})")

    def event_function(self, name: str, more: list[str], write: Callable[[], None]) -> None:
        """A function of a state in which chance decides."""
        self.state_function(name, more, write)

    def _setup_function(self) -> None:
        def write() -> None:
            self.block(self.model.setup, self.scope_of(0, self.model.setup))

        def write_cut() -> None:
            self.run_body(self.model.setup, self.scope_of(0, self.model.setup), -1, 0)

        if self.draws_in(self.model.setup):
            self.state_function("setup", [], write_cut)
        else:
            self.state_function("setup", [], write, packs=True)

    def _evaluate_functions(self, player: int) -> None:
        evaluation = self.model.evaluation
        assert evaluation is not None
        for other in range(len(self.model.players)):
            self.state_function(
                f"evaluate_{other}_{player}",
                [],
                partial(self.evaluation, self.scope_of(player), evaluation, other),
            )
            if evaluation.quiescent is not None:
                self.state_function(
                    f"quiescent_{other}_{player}",
                    [],
                    partial(self.quiescence, self.scope_of(player), evaluation, other),
                )

    def _repeat_functions(self, player: int) -> None:
        for number, rule in enumerate(self.model.repeats):
            if rule.outcome is not None:
                self.state_function(
                    f"repeat_{number}_{player}",
                    [],
                    partial(self.outcome, rule.outcome, self.scope_of(player)),
                )
