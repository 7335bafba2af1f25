"""Solves games of one player with imperfect information by expectimax over beliefs.

In: a one-player game with hidden information, from the beginning. Out: `SolvedInformation`: the
exact value, and the action in every information set that best play can reach. A player with perfect
recall (rule 11 of the language) knows a probability for each state: the belief (Astrom, "Optimal
control of Markov processes with incomplete state information", J. Math. Anal. Appl. 10, 1965).
Information sets with equal beliefs are solved once. AIMA 3rd ed., section 17.4.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import field
from fractions import Fraction

from gamedsl.game.contract import Action, Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.solvers.equilibria.informed_play import InformedChoice, InformedPlay
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import REPORT_EVERY, OutOfBudgetError, Progress
from gamedsl.solvers.graphs.information import History, choices_after, leak, play_names, told_apart
from gamedsl.solvers.requirements import Requirement, refuse_unless
from gamedsl.source.components import components, is_cyclic
from gamedsl.source.records import dataclass

REQUIRES = frozenset({Requirement.ONE_PLAYER, Requirement.SEQUENTIAL})

MOST_STEPS = 200
"""Of a longer plan the beginning is given."""

Seen = tuple[str | None, ...]
"""Names of the events since the last decision; None for events that the player cannot know."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """The best actions in an information set.

    Attributes:
        seen: names of the earlier actions and chance results that the player can know.
        best: names of the best actions.
        value: the player's expected payoff from the information set on.
    """

    seen: tuple[str, ...]
    best: tuple[str, ...]
    value: Fraction


@dataclass(frozen=True, slots=True)
class SolvedInformation:
    """The solution of a one-player game.

    Attributes:
        value: the player's expected payoff under best play.
        first: the first decision's actions, with names and values; () if earlier chance results
            lead to several first decisions, or without decisions.
        plan: a step for each information set that best play can reach, in order of distance.
        payoffs: payoffs of the endings.
        positions, endings, chance_nodes: number of states found, with endings counted as positions.
        informed: the action after any play; the first of equally good actions.
    """

    value: Fraction
    first: tuple[tuple[Action, str, Fraction], ...]
    plan: tuple[PlanStep, ...]
    payoffs: frozenset[Fraction]
    positions: int
    endings: int
    chance_nodes: int
    informed: InformedPlay


def solve_information(
    game: Game, *, max_positions: int, progress: Progress | None = None
) -> SolvedInformation:
    """Solves a game of one player from the beginning.

    Raises:
        UnsupportedGameError: the game has several players, play can return, or the player forgets.
        OutOfBudgetError: the beliefs hold more than `max_positions` states together.
        GameRuleError: E3010, the rules leak.
    """
    refuse_unless(game, REQUIRES)
    search = _Search(game, max_positions, progress)
    search.explore()
    values = search.values()
    return search.solved(values)


@dataclass(slots=True)
class _Lot:
    """A possible state of a belief: the probability, a play to the state, and the payments and
    observable events since the last decision."""

    weight: Fraction
    history: History
    seen: Seen = ()
    gain: Fraction = Fraction(0)


@dataclass(slots=True)
class _Branch:
    """The result of an action: expected payments before the next decision, endings included, and
    the following beliefs with their probabilities; `lasting` is the discount factor of the
    following beliefs."""

    lasting: Fraction
    paid: Fraction = Fraction(0)
    following: list[tuple[Fraction, int, tuple[str, ...]]] = field(default_factory=list)
    """(probability, belief, the player's observations on the way)"""


@dataclass(slots=True)
class _Belief:
    """An information set, with the probabilities of the states."""

    lots: dict[State, _Lot]
    actions: tuple[Action, ...] = ()
    names: tuple[str, ...] = ()
    branches: list[_Branch] = field(default_factory=list)


class _Search:
    """Beliefs by number, found breadth first; `start` is the branch that leads to the first
    beliefs."""

    def __init__(self, game: Game, max_positions: int, progress: Progress | None) -> None:
        self.game = game
        self.max_positions = max_positions
        self.progress = progress
        self.beliefs: list[_Belief] = []
        self.number: dict[frozenset[tuple[State, Fraction]], int] = {}
        self.origins: dict[object, tuple[tuple[int, Action | None], History]] = {}
        """The previous decision of each information state, with a history. Two previous decisions
        mean that the player forgets."""
        self.places: dict[Hashable, tuple[int, tuple[str, ...]]] = {}
        """The belief of each information state, and the observations since the previous
        decision."""
        self.looked_at = 0
        self.met: dict[State, int] = {}
        """States with their movers."""
        self.payoffs: set[Fraction] = set()
        self.start = _Branch(Fraction(1))

    # --- finding the beliefs --------------------------------------------------------------------

    def explore(self) -> None:
        """Finds all possible beliefs."""
        root = self.game.initial_state()
        lots = [_Lot(Fraction(1), ((root, None),))]
        self.start = self._branch(lots, (-1, None), Fraction(1))
        for place, belief in enumerate(self.beliefs):
            self._open(belief)
            for action in belief.actions:
                moved = [self._moved(lot, action) for lot in belief.lots.values()]
                discount = self.game.facts.discount
                belief.branches.append(self._branch(moved, (place, action), discount))

    def _open(self, belief: _Belief) -> None:
        """Finds the legal actions of a belief, which must be equal in all states."""
        histories = [lot.history for lot in belief.lots.values()]
        belief.names = choices_after(self.game, histories[0], 0)
        for history in histories[1:]:
            if choices_after(self.game, history, 0) != belief.names:
                raise leak(self.game, 0, histories[0], history)
        belief.actions = self.game.legal_actions(histories[0][-1][0])

    def _moved(self, lot: _Lot, action: Action) -> _Lot:
        state = lot.history[-1][0]
        child = self.game.result(state, action)
        history = (*lot.history[:-1], (state, action), (child, None))
        return _Lot(lot.weight, history, gain=self._reward(state, action))

    def _reward(self, state: State, action: Action) -> Fraction:
        return self.game.rewards(state, action)[0] if self.game.facts.has_rewards else Fraction(0)

    def _branch(
        self, lots: list[_Lot], origin: tuple[int, Action | None], lasting: Fraction
    ) -> _Branch:
        """Plays out chance events, then groups the states by the player's observations."""
        branch = _Branch(lasting)
        groups: dict[Hashable, dict[State, _Lot]] = {}
        while lots:
            lot = lots.pop()
            state = lot.history[-1][0]
            mover = self._mover(state)
            if mover == CHANCE:
                lots += self._drawn(lot)
            elif mover == TERMINAL:
                payoff = self.game.utility(state, 0)
                self.payoffs.add(payoff)
                branch.paid += lot.weight * (lot.gain + lasting * payoff)
            else:
                branch.paid += lot.weight * lot.gain
                view = self.game.information_state(lot.history, 0)
                _put(groups.setdefault(view, {}), state, lot)
        ordered = sorted(groups.items(), key=lambda pair: _first_play(pair[1]))
        told = told_apart(
            [_told(members) for _, members in ordered], lambda n: self._shown(ordered[n][1])
        )
        for (seen, members), words in zip(ordered, told, strict=True):
            self._remember(seen, origin, next(iter(members.values())).history)
            total = sum((lot.weight for lot in members.values()), Fraction(0))
            place = self._numbered(members, total)
            self.places[seen] = place, words
            branch.following.append((total, place, words))
        return branch

    def _shown(self, members: dict[State, _Lot]) -> list[str]:
        """The lines shown to the player in a group's position, for any state of the group."""
        return self.game.show(next(iter(members)), 0, in_words=True).splitlines()

    def _mover(self, state: State) -> int:
        self.looked_at += 1
        if self.looked_at > self.max_positions:
            raise OutOfBudgetError(self.max_positions, len(self.met), 0)
        if self.progress is not None and self.looked_at % REPORT_EVERY == 0:
            self.progress(self.looked_at, 0)
        if state not in self.met:
            self.met[state] = int(self.game.current_player(state))
        return self.met[state]

    def _drawn(self, lot: _Lot) -> list[_Lot]:
        state = lot.history[-1][0]
        lots = []
        for outcome, chance in self.game.chance_outcomes(state):
            child = self.game.result(state, outcome)
            history = (*lot.history[:-1], (state, outcome), (child, None))
            seen = (*lot.seen, self.game.action_name(state, outcome))
            gain = lot.gain + self._reward(state, outcome)
            lots.append(_Lot(lot.weight * chance, history, seen, gain))
        return lots

    def _remember(
        self, seen: Hashable, origin: tuple[int, Action | None], history: History
    ) -> None:
        known, before = self.origins.setdefault(seen, (origin, history))
        if known != origin:
            early, late = (
                ", ".join(play_names(self.game, play)) or "the start" for play in (before, history)
            )
            raise UnsupportedGameError(
                f"the player of {self.game.name} forgets: after {early}, and after {late}, he has "
                "the same information set, so that no plan is best step by step",
                "give the nodes information sets of their own",
            )

    def _numbered(self, members: dict[State, _Lot], total: Fraction) -> int:
        key = frozenset((state, lot.weight / total) for state, lot in members.items())
        if key not in self.number:
            self.number[key] = len(self.beliefs)
            lots = {state: _Lot(lot.weight / total, lot.history) for state, lot in members.items()}
            self.beliefs.append(_Belief(lots))
        return self.number[key]

    # --- values of the beliefs ------------------------------------------------------------------

    def values(self) -> list[Fraction]:
        """The value of every belief, beliefs without a further decision first."""
        successors = [
            tuple(child for branch in belief.branches for _, child, _ in branch.following)
            for belief in self.beliefs
        ]
        values = [Fraction(0)] * len(self.beliefs)
        for component in components(successors):
            if is_cyclic(component, successors):
                raise self._returning(component[0])
            belief = self.beliefs[component[0]]
            values[component[0]] = max(
                _expected_payoff(branch, values) for branch in belief.branches
            )
        return values

    def _returning(self, place: int) -> UnsupportedGameError:
        lot = next(iter(self.beliefs[place].lots.values()))
        names = [
            self.game.action_name(state, action)
            for state, action in lot.history
            if action is not None
        ]
        start = f"after {', '.join(names)}" if names else "at the start"
        return UnsupportedGameError(
            f"the player of {self.game.name} can come to know no more than before ({start}, for "
            "one), so that what is hidden can be waited for without an end",
            "limit the length of play in the rules, for example with a counter",
        )

    # --- report of solution ---------------------------------------------------------------------

    def solved(self, values: list[Fraction]) -> SolvedInformation:
        """The parts of the answer."""
        first: tuple[tuple[Action, str, Fraction], ...] = ()
        if len(self.start.following) == 1 and self.start.following[0][0] == 1:
            belief = self.beliefs[self.start.following[0][1]]
            payoffs = [
                self.start.paid + _expected_payoff(branch, values) for branch in belief.branches
            ]
            first = tuple(zip(belief.actions, belief.names, payoffs, strict=True))
        movers = list(self.met.values())
        chance_nodes = movers.count(CHANCE)
        return SolvedInformation(
            _expected_payoff(self.start, values), first, tuple(self._plan(values)),
            frozenset(self.payoffs), len(movers) - chance_nodes, movers.count(TERMINAL),
            chance_nodes, _InformedPlay(self, values),
        )  # fmt: skip

    def _plan(self, values: list[Fraction]) -> Iterator[PlanStep]:
        """The information sets that best play can reach, nearest first."""
        queue = [(told, place) for _, place, told in self.start.following]
        for said, (seen, place) in enumerate(queue):
            if said == MOST_STEPS:
                return
            belief = self.beliefs[place]
            best = []
            for name, branch in zip(belief.names, belief.branches, strict=True):
                if _expected_payoff(branch, values) == values[place]:
                    best.append(name)
                    queue += [((*seen, name, *told), child) for _, child, told in branch.following]
            yield PlanStep(seen, tuple(best), values[place])


class _InformedPlay:
    """The action after any play; the first of equally good actions."""

    def __init__(self, search: _Search, values: list[Fraction]) -> None:
        self.game = search.game
        self._search = search
        self._values = values

    def at(self, history: History, player: int) -> InformedChoice | None:
        """The player's choice after a history; None if no history of the game matches the
        observations.

        Of several ways to a belief, the search has continued from the first: the first way's lots
        replace the lots of the history.
        """
        search, values = self._search, self._values
        way: History = ()
        seen: list[str] = []
        for state, action in history:
            way = (*way, (state, action))
            if self.game.current_player(state) != player:
                continue
            known = search.places.get(self.game.information_state((*way[:-1], (state, None)), 0))
            if known is None:
                return None
            place, told = known
            belief = search.beliefs[place]
            seen += told
            if action is None:
                payoffs = tuple(_expected_payoff(branch, values) for branch in belief.branches)
                best = payoffs.index(values[place])
                shares = (Fraction(n == best) for n in range(len(payoffs)))
                choices = tuple(zip(belief.names, shares, strict=True))
                local = LocalStrategy(0, (), tuple(seen), choices)
                return InformedChoice(local, payoffs, place)
            seen.append(self.game.action_name(state, action))
            way = (*belief.lots[state].history[:-1], (state, action))
        return None


def _expected_payoff(branch: _Branch, values: list[Fraction]) -> Fraction:
    rest = sum((share * values[place] for share, place, _ in branch.following), Fraction(0))
    return branch.paid + branch.lasting * rest


def _put(members: dict[State, _Lot], state: State, lot: _Lot) -> None:
    """Adds a lot to a group; two ways to a state are merged, and differing observations become
    unknown."""
    known = members.get(state)
    if known is None:
        members[state] = lot
    else:
        known.weight += lot.weight
        known.seen = _common(known.seen, lot.seen)


def _common(first: Seen, second: Seen) -> Seen:
    """The observations equal in both sequences; empty for different lengths."""
    if len(first) != len(second):
        return ()
    return tuple(a if a == b else None for a, b in zip(first, second, strict=True))


def _told(members: dict[State, _Lot]) -> tuple[str, ...]:
    """The player's knowledge of the way: the observations equal in all possible states."""
    lots = iter(members.values())
    seen = next(lots).seen
    for lot in lots:
        seen = _common(seen, lot.seen)
    return tuple(name for name in seen if name is not None)


def _first_play(members: dict[State, _Lot]) -> list[int]:
    """The numbers of the actions of the first play of a group: an order for groups."""
    plays = []
    for lot in members.values():
        plays.append([int(a) for _, a in lot.history if isinstance(a, int)])
    return min(plays)
