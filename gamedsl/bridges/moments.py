"""A game with its numbers for other tools, and plays of the game as chains of moments.

`Numbered` says how many actions, outcomes and plies there are, what can be paid, and how a state is
seen (`planes`); all bridges read these numbers alone. A `Moment` is a state with the play before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from gamedsl.bridges.planes import Planes
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.game.loading import load_source
from gamedsl.game.paid import Paid
from gamedsl.game.steps import Choices, Steps, steps_of
from gamedsl.model import nodes
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.model.statement_facts import events_of, facts_of
from gamedsl.model.types import ListType, SetType
from gamedsl.model.walk import blocks_of, statements
from gamedsl.solvers.graphs.counting import longest_play
from gamedsl.solvers.graphs.graph import OutOfBudgetError, explore
from gamedsl.source import SourceFile
from gamedsl.source.components import components

LONGEST = 1000
"""Plies after which a play is broken off, unless the rules are known to end sooner."""
MOST_STATES = 10_000
"""Most states that are explored to find the longest play."""

Payoffs = tuple[Fraction, ...]


class Numbered:
    """A game with the numbers that other tools ask for.

    Attributes:
        game: the game.
        planes: the observations as vectors.
        longest: plies of players after which a play is broken off: then all are paid what the file
            says of endless play, or nothing.
        is_broken_off: whether plays may be broken off.
        steps: the most plies and chance events of a play, if known.
    """

    def __init__(self, game: LoadedGame, longest: int | None = None) -> None:
        if longest is not None and longest < 1:
            raise ValueError(f"the longest play has at least 1 ply, not {longest}")
        self.game = game
        self._asked = longest
        self.planes = Planes(game)
        lengths = _lengths(game)
        known = None if lengths is None else lengths[0]
        self.steps = None if lengths is None else lengths[1]
        self.is_broken_off = known is None or (longest is not None and longest < known)
        bound = LONGEST if longest is None else longest
        self.longest = bound if known is None else min(bound, max(known, 1))

    def __reduce__(self) -> tuple[object, ...]:
        settings = tuple(self.game.settings.items())
        return numbered, (self.game.source.own, settings, self._asked)

    @property
    def action_count(self) -> int:
        """The number of action ids of players."""
        return max(1, self.game.facts.action_count)

    @cached_property
    def outcome_count(self) -> int:
        """The number of ids of outcomes of chance; 0 without chance."""
        model = self.game.model
        if not self.game.facts.has_chance:
            return 0
        if model.tree is not None:
            return len(model.tree.labels)
        return max((len(event.support) for event in events_of(model)), default=0)

    @cached_property
    def payoff_sum(self) -> PayoffSum:
        """The kind of the sum of payoffs, with plays that are broken off."""
        facts = self.game.facts
        is_even = facts.endless is None and facts.payoff_sum is PayoffSum.CONSTANT
        return PayoffSum.GENERAL if self.is_broken_off and is_even else facts.payoff_sum

    @cached_property
    def sum_of_payoffs(self) -> float | None:
        """The sum of all payoffs; None if the sum is not constant."""
        if self.payoff_sum is PayoffSum.GENERAL:
            return None
        total = self.game.facts.payoff_total
        return None if total is None else float(total)

    @cached_property
    def payoff_bounds(self) -> tuple[float, float]:
        """The least and the greatest payoff of a player, rewards included."""
        facts, model = self.game.facts, self.game.model
        low, high = map(float, facts.utility_bounds)
        if self.is_broken_off or facts.discount != 1:
            low, high = min(low, 0.0), max(high, 0.0)
        choosing = len(facts.players) if facts.is_simultaneous else 1
        first = rewards_in(model.setup)
        lows, highs = zip((0.0, 0.0), *(rewards_in(move.body) for move in model.moves), strict=True)
        steps = self.longest * choosing
        return low + first[0] + steps * min(lows), high + first[1] + steps * max(highs)

    def _statements(self) -> Iterator[nodes.Statement]:
        model = self.game.model
        for body in (model.setup, *(move.body for move in model.moves)):
            yield from statements(body)

    @cached_property
    def waits(self) -> bool:
        """Whether in some positions a player chooses while further players wait."""
        return len(self.game.players) > 1 and (
            self.game.model.tree is not None
            or not all(move.is_simultaneous for move in self.game.model.moves)
        )

    @cached_property
    def first(self) -> Moment:
        """The moment before the first step."""
        facts = self.game.facts
        paid = Paid(self.game) if facts.has_rewards or facts.discount != 1 else None
        key = self.walk.key(self.game.initial_state())
        return Moment(self, key, None, None, 0, paid)

    @cached_property
    def walk(self) -> Steps:
        """The states as keys, with all data of a state in one call."""
        return steps_of(self.game)


@cache
def numbered(
    source: SourceFile, parameters: tuple[tuple[str, str], ...] = (), longest: int | None = None
) -> Numbered:
    """The numbers of the game of a source, its parameters in the language's notation; made once.

    Raises:
        GameSourceError: the text is not a valid game.
        ValueError: `longest` is below 1.
    """
    return Numbered(load_source(source, dict(parameters)), longest)


class Moment:
    """A state with the play before; never changed, so that a copy is the moment itself.

    Attributes:
        key: the state as a key of `Numbered.walk`.
        before, action: the moment before, and the step from `before`; None at the beginning.
        plies: choices of players so far.
        mover: a player, or CHANCE, SIMULTANEOUS, TERMINAL.
        is_cut: whether the play is broken off at the moment.
    """

    __slots__ = (
        "_choices", "_paid", "_shares", "_state", "action", "before", "is_cut", "key", "mover",
        "numbered", "plies",
    )  # fmt: skip

    def __init__(
        self,
        numbered: Numbered,
        key: Hashable,
        before: Moment | None,
        action: Action | JointAction | None,
        plies: int,
        paid: Paid | None,
    ) -> None:
        self.numbered = numbered
        self.key = key
        self.before = before
        self.action = action
        self.plies = plies
        self._paid = paid
        self._state: State | None = None
        self._choices: Choices = ()
        self._shares: Payoffs = ()
        if numbered.game.facts.is_simultaneous:  # joint actions would be listed
            self.mover = numbered.game.current_player(self.state)
        else:
            self.mover, self._choices, self._shares = numbered.walk.at(key)
        self.is_cut = plies >= numbered.longest and self.mover not in (CHANCE, TERMINAL)
        if self.is_cut:
            self.mover, self._choices = TERMINAL, ()

    @property
    def state(self) -> State:
        """The state."""
        if self._state is None:
            self._state = self.numbered.walk.state(self.key)
        return self._state

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _replayed, (self.numbered, [action for _, action in self.steps()[:-1]])

    @property
    def movers(self) -> tuple[int, ...]:
        """The players who choose."""
        if self.mover == SIMULTANEOUS:
            return tuple(range(len(self.numbered.game.players)))
        return (self.mover,) if self.mover >= 0 else ()

    def legal(self, player: int) -> tuple[Action, ...]:
        """The actions of a player; () for a player without a choice."""
        if self._choices and player == self.mover:
            return self._choices  # type: ignore[return-value]
        if player not in self.movers:
            return ()
        mine = player if self.mover == SIMULTANEOUS else None
        return self.numbered.game.legal_actions(self.state, mine)

    def shares(self) -> list[tuple[Action, Fraction]]:
        """The outcomes of chance, with their probabilities."""
        if self._choices:
            pairs = zip(self._choices, self._shares, strict=True)
            return list(pairs)  # type: ignore[arg-type]
        return [*self.numbered.game.chance_outcomes(self.state)]

    def outcomes(self) -> list[tuple[Action, float]]:
        """The outcomes of chance, with their probabilities as decimals."""
        return [(outcome, float(share)) for outcome, share in self.shares()]

    def after(self, action: Action | JointAction) -> Moment:
        """The moment after a step; a `JointAction` where all choose. Raises IllegalActionError."""
        numbered = self.numbered
        if isinstance(action, int) and action in self._choices:
            key: Hashable = numbered.walk.result(self.key, action)
        else:
            key = numbered.walk.key(numbered.game.result(self.state, action))
        plies = self.plies + (self.mover != CHANCE)
        paid = self._paid
        if paid is not None:
            paid = paid.copied()
            paid.add(self.state, action, numbered.walk.state(key))
        return Moment(numbered, key, self, action, plies, paid)

    @property
    def returns(self) -> Payoffs:
        """The payoffs of the play so far: rewards, and the outcome of a finished play."""
        game = self.numbered.game
        payoffs: Payoffs = (Fraction(0),) * len(game.players)
        if self.is_cut:
            payoffs = game.facts.endless or payoffs
        elif self.mover == TERMINAL:
            payoffs = self._shares or game.utilities(self.state)
        return payoffs if self._paid is None else self._paid.total(payoffs)

    @property
    def rewards(self) -> list[float]:
        """What the last choice of players has paid every player, with the chance events after."""
        earlier = self.before
        while earlier is not None and earlier.mover == CHANCE and earlier.before is not None:
            earlier = earlier.before
        if earlier is None:
            return [0.0] * len(self.numbered.game.players)
        return [float(now - then) for now, then in zip(self.returns, earlier.returns, strict=True)]

    def steps(self) -> list[tuple[State, Action | JointAction | None]]:
        """Every state of the play with the step taken in the state; None in the last state."""
        backwards: list[tuple[State, Action | JointAction | None]] = [(self.state, None)]
        moment = self
        while moment.before is not None:
            backwards.append((moment.before.state, moment.action))
            moment = moment.before
        return backwards[::-1]


def rewards_in(block: nodes.Block) -> tuple[float, float]:
    """The least and the greatest sum of rewards that a player may get from statements."""
    low = high = 0.0
    for statement in block:
        rounds = 1
        over = facts_of(statement).over
        if over is not None and isinstance(over.domain.type, SetType | ListType):
            rounds = over.domain.type.size
        if isinstance(statement, nodes.Reward):
            for _, amount in statement.shares:
                low += min(0.0, float(amount.type.interval[0]))
                high += max(0.0, float(amount.type.interval[1]))
        for inner in blocks_of(statement):
            least, most = rewards_in(inner)
            low, high = low + rounds * least, high + rounds * most
    return low, high


def _replayed(game: Numbered, actions: list[Action | JointAction]) -> Moment:
    """The moment after a play; the form in which a moment is pickled."""
    moment = game.first
    for action in actions:
        moment = moment.after(action)
    return moment


def _lengths(game: LoadedGame) -> tuple[int, int] | None:
    """The most plies of players in a play, and the most steps, chance events included; None if play
    may return, or for more than `MOST_STATES` states."""
    try:
        graph = explore(game, max_positions=MOST_STATES)
        order = components(graph.successors)
        return longest_play(graph, order), longest_play(graph, order, counts_chance=True)
    except (GameRuleError, OutOfBudgetError, UnsupportedGameError):
        return None
