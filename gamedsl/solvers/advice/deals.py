"""Choices of a player who does not see all hands: random plays from other deals of what is unseen.

In: a game, a play, the player to choose. Out: `Deals`: positions that agree with what the player
has observed, and the mean payoffs of random plays from them after each action. A deal is the
position of the play in which things (the values of an index of hidden variables, such as cards)
that the player cannot tell apart have changed places. So the search for plays from the beginning,
which never meets a given hand of thirteen cards, is not needed. After M. Ginsberg, "GIB: Imperfect
information in a computationally challenging game", JAIR 14 (2001), section 3: Monte Carlo with
perfect information, here with random plays in place of a solver.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from operator import itemgetter
from random import Random

from gamedsl.game.accelerator import Accelerator, PlayoutCounts, PlayoutOptions
from gamedsl.game.contract import Action, Game, History
from gamedsl.game.sights import RuleSights, sights_of
from gamedsl.model import nodes
from gamedsl.model.action_names import arguments_of, move_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.model import Model
from gamedsl.model.state import CHANCE, Cells, State
from gamedsl.model.values import EMPTY, NONE, Domain, Value
from gamedsl.source.records import dataclass

TRIES = 24
"""Pairs of things that change places, at most, until a deal allows all past actions of others."""
SWAPS = 8
"""Pairs of things that change places between one deal that allows past actions and the next."""
PLAYS = 32
"""Random plays after each action in a deal, by machine code; in Python one."""
LEAST_DEALS = 2
"""Least number of deals, whatever the time."""


@dataclass(frozen=True, slots=True)
class DealtChoice:
    """The actions of the player, with the mean payoffs of the player, and the number of plays."""

    worths: Mapping[Action, Fraction]
    plays: int


class Deals:
    """Other deals of what a player has not seen along a play."""

    def __init__(self, game: Game, history: History, player: int) -> None:
        self._game, self._history, self._player = game, history, player
        self._hands: tuple[nodes.Variable, ...] = ()
        self._alike: tuple[tuple[Value, ...], ...] = ()
        self._groups: list[tuple[Value, ...]] = []
        self._last: tuple[dict[Value, Value], int] | None = None
        """The renaming of the last deal, and how far it is from allowing all past actions."""
        self._others: list[tuple[State, Action]] = []
        sights = sights_of(game)
        if not isinstance(sights, RuleSights) or game.facts.repeats:
            return
        model, is_secret = sights.engine.model, sights.engine.is_secret
        self._state_of = sights.engine.state_of
        self._hands = _hands(model, player)
        if not self._hands:
            return
        self._alike = _alike(model, self._hands, history, player)
        self._groups = [things for things in self._alike if len(things) > 1]
        self._others = [
            (state, action)
            for state, action in history[:-1]
            if isinstance(action, int)
            and game.current_player(state) not in {player, CHANCE}
            and not is_secret(action)
        ]

    def __bool__(self) -> bool:
        """Whether all that is hidden lies in hands, and something in them can change places."""
        return bool(self._groups)

    def position(self, rng: Random) -> State:
        """A deal. Raises GameRuleError where the rules do not allow for the deal."""
        return self._moving(self._renaming(rng))(self._history[-1][0])

    def _renaming(self, rng: Random) -> Mapping[Value, Value]:
        """A renaming of things that are alike, which forbids few past actions of others that the
        player has seen: a random renaming if that forbids none, else the renaming before, in which
        pairs of things change places as long as that forbids no more. So deals that forbid nothing
        are equally likely in the long run (N. Metropolis and others 1953)."""
        renamed: dict[Value, Value] = {}
        for things in self._alike:
            renamed.update(zip(things, rng.sample(things, len(things)), strict=True))
        forbidden, swaps = self._forbidden(renamed), 0
        if forbidden and self._last is not None:
            (renamed, forbidden), swaps = self._last, SWAPS
        for tried in range(TRIES):
            if not forbidden and tried >= swaps:
                break
            first, second = rng.sample(rng.choice(self._groups), 2)
            other = renamed | {first: renamed[second], second: renamed[first]}
            if (fewer := self._forbidden(other, forbidden)) <= forbidden:
                renamed, forbidden = other, fewer
        self._last = renamed, forbidden
        return renamed

    def _forbidden(self, renamed: Mapping[Value, Value], most: float = inf) -> int:
        """How far past actions of others are from being legal under a renaming of things: 0 if all
        are, else the number of legal actions in place of each, as of cards of the suit led that
        were not played; not counted on beyond `most`."""
        moved, others, total = self._moving(renamed), self._others, 0
        for place, (state, action) in enumerate(others):
            actions = self._game.legal_actions(moved(state))
            if action not in actions:
                others.insert(0, others.pop(place))  # likely to forbid the next renaming too
                total += max(1, len(actions))
                if total > most:
                    break
        return total

    def _moving(self, renamed: Mapping[Value, Value]) -> Callable[[State], State]:
        """The image of a state: what lay in a cell of a hand lies in the image of the cell. Things
        are the last index, which is the fastest."""
        domain, source = self._hands[0].indices[-1], list(range(len(self._history[-1][0].cells)))
        steps = [domain.digit[renamed[thing]] - n for n, thing in enumerate(domain.values)]
        for hand in self._hands:
            for number in hand.cells:
                cell = hand.offset + number
                source[cell + steps[number % len(domain)]] = cell
        moved = itemgetter(*source)
        return lambda state: self._state_of(moved(state.cells), state.turn)

    def choose(
        self,
        accelerator: Accelerator,
        rng: Random,
        *,
        is_machine: bool,
        goes_on: Callable[[int], bool],
        longest: int,
    ) -> DealtChoice:
        """The mean payoffs after each action, over random plays from deals.

        Args:
            goes_on: whether there is time for a further deal, after so many plays.
        """
        legal = self._game.legal_actions(self._history[-1][0])
        totals, counts = dict.fromkeys(legal, Fraction(0)), dict.fromkeys(legal, 0)
        deals = useless = tried = 0
        while useless < TRIES and (deals < LEAST_DEALS or goes_on(tried)):
            try:
                tallies = self._tallies(accelerator, rng, is_machine=is_machine, longest=longest)
            except GameRuleError:
                tallies = {}
            deals, useless = deals + bool(tallies), useless + (not tallies)
            for action, tally in tallies.items():
                tried += tally.playouts
                if (ended := tally.playouts - tally.unfinished) > 0:
                    totals[action] += tally.total(self._player)
                    counts[action] += ended
        worths = {action: totals[action] / counts[action] for action in legal if counts[action]}
        return DealtChoice(worths, tried)

    def _tallies(
        self, accelerator: Accelerator, rng: Random, *, is_machine: bool, longest: int
    ) -> dict[Action, PlayoutCounts]:
        """Random plays after each action in a new deal; none if other actions are legal there."""
        game, position = self._game, self.position(rng)
        legal = tuple(game.legal_actions(self._history[-1][0]))
        if tuple(game.legal_actions(position)) != legal:
            return {}
        number = PLAYS if is_machine else 1
        seeds = {action: PlayoutOptions(rng.getrandbits(30), longest) for action in legal}
        return {
            action: accelerator.playouts(
                game.result(position, action), number, options, is_machine=is_machine
            )
            for action, options in seeds.items()
        }


def _hands(model: Model, player: int) -> tuple[nodes.Variable, ...]:
    """The variables with cells that a player does not see, if all have the same last index; else
    nothing: what is hidden elsewhere would stay as it is, and be told."""
    hidden = [
        variable
        for variable in model.variables
        if not all(variable.is_seen(number, player) for number in variable.cells)
    ]
    things = {variable.indices[-1].values if variable.indices else () for variable in hidden}
    is_plain = all(not variable.missing and variable.domains is None for variable in hidden)
    return tuple(hidden) if len(things) == 1 and () not in things and is_plain else ()


def _alike(
    model: Model, hands: Sequence[nodes.Variable], history: History, player: int
) -> tuple[tuple[Value, ...], ...]:
    """The things that a player cannot tell apart, in groups."""
    domain = hands[0].indices[-1]
    marks: dict[Value, list[Hashable]] = {thing: [] for thing in domain.values}
    watched = [
        (variable.offset + number, variable.domain_of(number).values, thing, place)
        for variable in model.variables
        for number, thing, place in _shown(variable, domain, player)
    ]
    before: Cells = ()
    for step, (state, action) in enumerate(history):
        for cell, values, thing, place in watched:
            digit = state.cells[cell]
            if before and before[cell] == digit:
                continue  # things alike are shown as they were
            value = None if digit is None else values[digit]
            if thing is not None:
                marks[thing].append((step, place, value))
            elif value in marks:
                marks[value].append((step, place))
        before = state.cells
        for thing, place in _named(model, domain, state, action, player):
            marks[thing].append((step, place))
    groups: dict[Hashable, list[Value]] = defaultdict(list)
    for thing, told in marks.items():
        groups[tuple(told)].append(thing)
    return tuple(tuple(group) for group in groups.values())


def _shown(
    variable: nodes.Variable, domain: Domain, player: int
) -> Iterator[tuple[int, Value | None, Hashable]]:
    """The cells that a player sees and that show things: the number of a cell, the thing of its
    index (None: the thing is the content), and its place but for the thing."""
    holds_things = _are_things(variable.domain, domain)
    places = [n for n, index in enumerate(variable.indices) if _are_things(index, domain)]
    for number in variable.cells:
        if not variable.is_seen(number, player):
            continue
        indices = variable.indices_of(number)
        for place in places:
            if indices[place] not in domain.digit:
                continue
            others = (*indices[:place], *indices[place + 1 :])
            yield number, indices[place], (variable.name, place, others)
        if holds_things:
            yield number, None, (variable.name, number)


def _named(
    model: Model, domain: Domain, state: State, action: object, player: int
) -> Iterator[tuple[Value, Hashable]]:
    """The things that an action names which a player observes."""
    if not isinstance(action, int) or state.pending is not None:
        return
    move = move_of(model.moves, action)
    if move.is_secret and state.turn != player:
        return
    for place, (parameter, value) in enumerate(
        zip(move.parameters, arguments_of(move, action), strict=True)
    ):
        if value in domain.digit and _are_things(parameter.values, domain):
            yield value, ("named", place)


def _are_things(values: Domain, things: Domain) -> bool:
    """Whether some values are things; numbers are, if they are all of the things."""
    told = {*values.values} - {NONE, EMPTY}
    are_named = not any(isinstance(thing, int) for thing in things.values)
    return told == {*things.values} or (are_named and not told.isdisjoint(things.values))
