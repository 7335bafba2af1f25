"""Bodies with chance events: cut where chance decides.

In: a body that holds `chance`. Out: for every chance event, reached with every number of rounds
left, two functions: what can come out, and how the body goes on. Between them a state has, besides
its words, the number of the event (`at`, 0 where a player decides) and the locals in scope.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import NOTHING_TO_DRAW
from gamedsl.compiler.faults import WEIGHTS as WHOLE
from gamedsl.compiler.ir.statements import parts
from gamedsl.compiler.ir.values import (
    BOOL,
    FALSE,
    INT,
    ROW,
    all_of,
    integer,
    load,
    name,
    not_,
    to_int,
)
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.moves import Moves
from gamedsl.compiler.scope import Code, Held, Known, Later, Meaning, Scope
from gamedsl.compiler.statements import KEPT
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, element_of, scalar_of
from gamedsl.model.values import Domain, Value, text_of
from gamedsl.model.walk import statements

MOST_EVENTS = 400
WEIGHTS, OUTCOME = name("weights", ROW), name("outcome", INT)
"""What the functions of a chance event are given besides the state."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The statements of a block that are still to be run."""

    statements: nodes.Block
    scope: Scope


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a loop that are still to be run; `within`: the test of a range's ends."""

    loop: nodes.Loop
    values: tuple[Value, ...]
    scope: Scope
    within: tuple[Expr, Expr] | None


Frames = tuple[Frame | Rounds, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A chance event as the engine sees it.

    Attributes:
        move: the number of the move in whose body it stands, -1 for `setup:`.
        name: the target as written.
        support: an outcome's id is its position here.
    """

    number: int
    move: int
    name: str
    support: Domain


class Flow(Moves):
    """The bodies of one game that stop for chance."""

    _move: int = -1
    _player: int = 0
    _whole: nodes.Block = ()

    @staticmethod
    def draws_in(block: nodes.Block) -> bool:
        """Whether a body holds a chance event."""
        return any(isinstance(s, nodes.Chance) for s in statements(block))

    @property
    def events(self) -> list[Event]:
        """All chance events so far."""
        return self._events

    def begin_flow(self) -> None:
        """Nothing has been cut yet."""
        self._events: list[Event] = []
        self._known_events: dict[object, int] = {}
        self._waiting: list[tuple[int, nodes.Chance, Frames, int, int, nodes.Block]] = []
        self.most_saved = 0

    # --- running a body ----------------------------------------------------------------------

    def run_body(self, block: nodes.Block, scope: Scope, move: int, player: int) -> None:
        """A body from its start to its first chance event or its end."""
        self._check_guards(block)
        self._move, self._player, self._whole = move, player, block
        if self.keeps_turn(block):
            self.builder.assign(KEPT, FALSE)
        self._run((Frame(block, scope),))

    @staticmethod
    def _check_guards(block: nodes.Block) -> None:
        drawn = False
        for statement in statements(block):
            drawn = drawn or isinstance(statement, nodes.Chance)
            if drawn and isinstance(statement, nodes.Require | nodes.Ensure):
                raise CannotCompileError("a guard after a chance event", statement.span)

    def _run(self, frames: Frames) -> None:
        while frames:
            top, below = frames[0], frames[1:]
            if isinstance(top, Rounds):
                if top.values:
                    self._run_round(top, below)
                    return
                frames = below
                continue
            if not top.statements:
                frames = below
                continue
            statement, rest = top.statements[0], top.statements[1:]
            if self.draws_in((statement,)):
                self._run_cut(statement, top.scope, (Frame(rest, top.scope), *below))
                return
            scope = self._statement(statement, top.scope)
            if scope is None:
                return
            frames = (Frame(rest, scope), *below)
        self.finish(self._whole, self._move, self._player)

    def finish(self, block: nodes.Block, move: int, player: int) -> None:
        """The end of a body."""
        raise NotImplementedError

    def _run_cut(self, statement: nodes.Statement, scope: Scope, after: Frames) -> None:
        """A statement that holds a chance event, and all that follows it."""
        self.comment(statement.span.start)
        match statement:
            case nodes.Chance():
                self._pause(statement, scope, after)
            case nodes.Branch():
                self._run_branch(statement, scope, after)
            case nodes.Loop():
                self._run_loop(statement, scope, after)
            case nodes.Perform():
                inner = Scope(scope.turn, scope.me, {}, scope.stuck)
                for slot, argument in zip(statement.slots, statement.arguments, strict=True):
                    stem = f"{statement.name}_{slot}"
                    inner = inner.having(slot, self.held_value(argument, scope, stem, slot))
                self._run((Frame(statement.body, inner), *after))
            case _:
                raise AssertionError("no other statement holds a chance event")

    def _run_branch(self, statement: nodes.Branch, scope: Scope, after: Frames) -> None:
        for condition, block in statement.branches:
            low = self.lower(condition, scope)
            if isinstance(low, Known):
                if low.value is True:
                    self._run((Frame(block, scope), *after))
                    return
                continue
            with self.builder.when(low.expr):
                self._run((Frame(block, scope), *after))
        self._run((Frame(statement.otherwise, scope), *after))

    def _run_loop(self, statement: nodes.Loop, scope: Scope, after: Frames) -> None:
        values = self.known_value(statement.domain, scope)
        if isinstance(values, tuple):
            self._run((Rounds(statement, values, scope, None), *after))
            return
        domain = statement.domain
        kind = element_of(domain.type)
        if not isinstance(domain, nodes.Range) or not isinstance(kind, Scalar):
            raise CannotCompileError("a chance event in a loop over this", statement.span)
        ends = []
        for end, stem in ((domain.low, "low"), (domain.high, "high")):
            code = self.numeric(end, scope)
            if not self.is_fixed_value(code.expr):
                local = name(f"{stem}_{statement.slot}", INT)
                self.builder.assign(local, code.expr)
                code = Code(local, code.type)
            ends.append(code)
            if code.expr.is_name:
                scope = scope.having(-10 * statement.slot - len(ends), code)
        low, high = kind.interval
        every = tuple(range(int(low), int(high) + 1))
        self._run((Rounds(statement, every, scope, (ends[0].expr, ends[1].expr)), *after))

    def _run_round(self, rounds: Rounds, below: Frames) -> None:
        """One round, if its value is in the range and passes `where` and `while`."""
        loop, value = rounds.loop, rounds.values[0]
        rest: Frames = (replace(rounds, values=rounds.values[1:]), *below)
        inner = rounds.scope.having(loop.slot, Known(value))
        tests: list[Low] = []
        if rounds.within is not None:
            assert isinstance(value, int)
            low, high = rounds.within
            tests.append(Code(all_of([low.le(value), high.ge(value)]), BOOLEAN))
        if loop.condition is not None:
            tests.append(self.lower(loop.condition, inner))
        test = self.all_of(tests)
        if isinstance(test, Known):
            if test.value is True:
                self._run_going(loop, inner, rest, below)
            else:
                self._run(rest)
            return
        with self.builder.when(test.expr):
            self._run_going(loop, inner, rest, below)
        self._run(rest)

    def _run_going(self, loop: nodes.Loop, scope: Scope, rest: Frames, below: Frames) -> None:
        goes_on: Low = Known(True) if loop.going is None else self.lower(loop.going, scope)
        if isinstance(goes_on, Code):
            with self.builder.when(not_(goes_on.expr)):
                self._run(below)
        elif goes_on.value is not True:
            self._run(below)
            return
        self._run((Frame(loop.body, scope), *rest))

    # --- stopping and going on ---------------------------------------------------------------

    def _pause(self, statement: nodes.Chance, scope: Scope, after: Frames) -> None:
        frames: Frames = (Frame((), scope), *after)
        number = self._event(statement, frames)
        values = [to_int(local) for local in self._saved(frames)]
        if self.keeps_turn(self._whole):
            values.append(to_int(KEPT))
        self.most_saved = max(self.most_saved, len(values))
        self.builder.give_state(number, tuple(values))

    def _saved(self, frames: Frames) -> list[Expr]:
        """The locals in scope."""
        found: dict[Expr, None] = {}
        for frame in frames:
            self._gather(frame.scope, found)
        return list(found)

    def _gather(self, scope: Scope, found: dict[Expr, None]) -> None:
        """The locals that a scope's meanings are, those of postponed expressions included."""
        for meaning in scope.slots.values():
            if isinstance(meaning, Held):
                raise CannotCompileError("a collection that is held over a chance event")
            if isinstance(meaning, Code):
                names = (one for one in parts(meaning.expr) if one.is_name)
                found |= {one: None for one in names if one.name not in self.program.fields}
            elif (
                isinstance(meaning, Later)
                and meaning.scope is not None
                and meaning.scope is not scope
            ):
                self._gather(meaning.scope, found)

    def _event(self, statement: nodes.Chance, frames: Frames) -> int:
        # where the body assigns `turn`, it does not matter who began it
        player = -1 if self.sets_turn(self._whole) else self._player
        key = (id(statement), self._move, player, tuple(_signature(f) for f in frames))
        if key not in self._known_events:
            number = len(self._events) + 1
            if number > MOST_EVENTS:
                raise CannotCompileError("so many chance events in one body", statement.span)
            self._known_events[key] = number
            self._events.append(Event(number, self._move, statement.name, statement.support))
            self._waiting.append((number, statement, frames, self._move, self._player, self._whole))
        return self._known_events[key]

    def write_events(self) -> None:
        """The functions of all events, those included that are reached from them alone."""
        while self._waiting:
            number, statement, frames, self._move, self._player, self._whole = self._waiting.pop()
            scope = frames[0].scope
            self.event_function(
                f"draws_{number}",
                (WEIGHTS,),
                partial(self._write_draws, statement, scope, frames),
            )
            self.event_function(
                f"draw_{number}",
                (OUTCOME,),
                partial(self._write_outcome, statement, scope, frames),
            )

    def event_function(self, title: str, more: tuple[Expr, ...], write: Callable[[], None]) -> None:
        """A function of a state in which chance decides."""
        raise NotImplementedError

    def _restore(self, frames: Frames) -> None:
        saved = self._saved(frames)
        if self.keeps_turn(self._whole):
            saved.append(KEPT)
        for place, local in enumerate(saved):
            given = name(f"l{place}", INT)
            self.builder.assign(local, given.ne(0) if local.type is BOOL else given)

    def _write_outcome(self, statement: nodes.Chance, scope: Scope, frames: Frames) -> None:
        """Carry out an outcome, then go on."""
        self._restore(frames)
        self.comment(statement.span.start)
        support = statement.support
        value = self.of_digit(OUTCOME, support, scalar_of(support.values))
        if len(support) == 1:
            drawn: Low = Known(support.values[0])
        else:
            stem = "drawn" if statement.slot is None else f"drawn_{statement.slot}"
            local = name(stem, value.expr.type)
            self.builder.assign(local, value.expr)
            drawn = Code(local, value.type)
        scope = self._target(statement, scope, drawn)
        first, *rest = frames[1:]
        if isinstance(first, Frame):
            first = Frame(first.statements, self._joined_scope(first.scope, scope))
        self._run((first, *rest))

    @staticmethod
    def _joined_scope(outer: Scope, drawn: Scope) -> Scope:
        return replace(outer, slots={**outer.slots, **drawn.slots})

    def _target(self, statement: nodes.Chance, scope: Scope, drawn: Low) -> Scope:
        if statement.slot is not None:
            return scope.having(statement.slot, drawn)
        assert statement.variable is not None
        lows, _ = self.place(statement.variable, statement.indices, scope)
        lows = [self._hold(low, "at") for low in lows]
        self.store(statement.variable, lows, drawn, statement)
        return scope

    # --- what can come out -------------------------------------------------------------------

    def _write_draws(self, statement: nodes.Chance, scope: Scope, frames: Frames) -> None:
        """Fill `weights` for every outcome; give back what they add up to."""
        self._restore(frames)
        place = self.program.fresh("n")
        with self.builder.loop_range(place, 0, len(statement.support)):
            self.builder.store(WEIGHTS, place, 0)
        if isinstance(statement.domain, nodes.Weighted):
            self._write_weighted(statement, statement.domain, scope)
        else:
            self._write_uniform(statement, statement.domain, scope)

    def _write_uniform(self, statement: nodes.Chance, domain: nodes.Expr, scope: Scope) -> None:
        total = self.program.hold(integer(0), "total")

        def candidate(low: Low) -> None:
            held = self._hold(low, "value")
            digit = self.digit_of(held, statement.support)

            def count() -> None:
                with self.builder.when(load(WEIGHTS, digit).eq(0)):
                    self.builder.store(WEIGHTS, digit, 1)
                    self.builder.assign(total, total + 1)

            if statement.condition is None:
                count()
                return
            test = self._as_if_drawn(statement, statement.condition, scope, held)
            with self.builder.when(test):
                count()

        self.go_through(domain, scope, candidate, "value")
        message = f"nothing can come out of `chance {statement.name}`"
        site = self.site(
            "E3004", statement.span, lambda _, __: (message, NOTHING_TO_DRAW), ("nothing",)
        )
        with self.builder.when(total.eq(0)):
            self.builder.fault(site)
        self.builder.give(total)

    def _as_if_drawn(
        self, statement: nodes.Chance, condition: nodes.Expr, scope: Scope, held: Low
    ) -> Expr:
        """Whether `where` holds once the value has been drawn."""
        if statement.slot is not None:
            return self.condition(condition, scope.having(statement.slot, held))

        def write() -> None:
            self._target(statement, scope, held)
            self.builder.give(self.condition(condition, scope))

        return self.program.call("passes", write)

    def _write_weighted(
        self, statement: nodes.Chance, domain: nodes.Weighted, scope: Scope
    ) -> None:
        total = self.program.hold(integer(0), "total")
        per = lcm(*(self.denominator(weight, scope, domain) for _, weight in domain.pairs))

        def pairs(inner: Scope) -> None:
            for key, weight in domain.pairs:
                held = self._hold(self.lower(key, inner), "value")
                share = self.numeric(weight, inner)
                one = self.program.hold(share.expr * (per // share.per), "share")
                self._check_share(statement, held, one, per)
                digit = self.digit_of(held, statement.support)
                self.builder.store(WEIGHTS, digit, load(WEIGHTS, digit) + one)
                self.builder.assign(total, total + one)

        if domain.clauses:
            self.rounds(domain.clauses, scope, pairs)
        else:
            pairs(scope)

        def message(sum_: int, _: int) -> tuple[str, str | None]:
            whole = Fraction(sum_, per)
            text = f"the weights of `chance {statement.name}` add up to {whole}, not 1"
            return text, WHOLE

        site = self.site("E3004", statement.span, message, ("sum", per))
        with self.builder.when(total.ne(per)):
            self.builder.fault(site, total)
        self.builder.give(total)

    def denominator(self, node: nodes.Expr, scope: Scope, domain: nodes.Weighted) -> int:
        """The denominator over which a weight is worked out."""
        found: list[int] = []

        def write() -> None:
            if domain.clauses:
                self.rounds(
                    domain.clauses, scope, lambda inner: found.append(self.numeric(node, inner).per)
                )
            else:
                found.append(self.numeric(node, scope).per)

        self.program.body(write)
        return lcm(1, *found)

    def _check_share(self, statement: nodes.Chance, held: Low, share: Expr, per: int) -> None:
        kind = held.type if isinstance(held, Code) else None
        known = held.value if isinstance(held, Known) else None

        def message(found: int, value: int) -> tuple[str, str | None]:
            whose = text_of(self.codes.value(value, kind) if kind is not None else known)  # type: ignore[arg-type]
            weight = Fraction(found, per)
            return f"the weight of {whose} in `chance {statement.name}` is {weight}", None

        site = self.site("E3004", statement.span, message, ("share", kind, known, per))
        with self.builder.when(share.lt(0)):
            self.builder.fault(site, share, to_int(held.expr) if isinstance(held, Code) else 0)


def _signature(frame: Frame | Rounds) -> object:
    """What distinguishes one continuation from another, besides the saved locals' values."""
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
            inner = None if is_own or meaning.scope is None else _signature_of_scope(meaning.scope)
            return (id(meaning.node), inner)
    return meaning
