"""A game of the language and a game of OpenSpiel, played in lockstep.

In: a row of the table and a number. Out: the play, and where the two first differ, if they do.
Compared in every position: who is to move, the legal actions as sets, the probabilities of chance,
whether the game is over, and its returns, rewards included; where the row says so, also whether a
player tells the same histories apart.

OpenSpiel's module needs nothing of what its package installs (`pip install --no-deps open_spiel`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import factorial, inf, isclose, prod
from pathlib import Path
from random import Random
from typing import Any

import pyspiel

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from gamedsl.model.state import CHANCE, SIMULTANEOUS
from tests.peers.played import Played

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"\w+")
OF_A_SET = re.compile(r"\w+\[(\d+)\]=")
FOLDERS = (ROOT / "games", ROOT / "games" / "openspiel")
GAMBIT = ROOT / "tests" / "gambit"


@dataclass(frozen=True, slots=True)
class Position:
    """A position of both systems, and the legal actions of the file, by name, of `player`."""

    game: LoadedGame
    state: State
    theirs: Any
    player: int
    legal: tuple[str, ...] = ()

    def __str__(self) -> str:
        """OpenSpiel's drawing."""
        return str(self.theirs)


Translate = Callable[[str, Position], str]
"""An action of OpenSpiel, as its text, in a position -> the action as the file writes it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A game in both systems.

    Attributes:
        file: the file, `games/NAME.game`, `games/openspiel/NAME.game`, or a name in `tests/gambit`.
        peer: OpenSpiel's name, with parameters.
        translate: the correspondence of actions.
        parameters: of the file.
        forced: moves of the file alone, made where no other move is legal: a pass after which the
            game is over, or the settlement of choices at once.
        settles_last: these moves are made after the end in OpenSpiel alone.
        plies: in a position, how many plies of the file are how many plies of OpenSpiel.
        observed: "state" or "observation": which text of OpenSpiel's says what a player knows; ""
            compares no knowledge.
        longest: the plies of players after which OpenSpiel breaks a play off.
        seats: OpenSpiel's number of each player of the file; the same numbers if ().
        merges: an action of the file -> the name under which several are one action there.
        aside: a known difference, which ends a comparison: the reason in a position, or "".
        pays: a payoff of the file in OpenSpiel's units.
        deal: the hands that the file draws at once, as texts of their elements -> the actions, as
            texts, by which OpenSpiel deals the cards one by one.
        drawn: OpenSpiel's position after an event of chance that it draws inside the game -> the
            outcomes in the file, in order; their probabilities are not compared.
        by_turns: whether OpenSpiel's choices at once are made in turn, unseen.
    """

    file: str
    peer: str
    translate: Translate
    parameters: Mapping[str, Any] = field(default_factory=dict)
    forced: tuple[str, ...] = ()
    settles_last: bool = False
    plies: Callable[[Position], tuple[int, int]] = lambda _: (1, 1)
    observed: str = ""
    longest: float = inf
    seats: tuple[int, ...] = ()
    merges: Callable[[str], str] = str
    aside: Callable[[Position], str] = lambda _: ""
    pays: Callable[[Fraction, Position], float] = lambda paid, _: float(paid)
    deal: Callable[[list[list[str]]], list[str]] | None = None
    drawn: Callable[[Any], list[str]] | None = None
    by_turns: bool = False

    @property
    def name(self) -> str:
        """Of the game in OpenSpiel, without parameters."""
        return self.peer.partition("(")[0]

    @property
    def path(self) -> Path:
        """Of the file."""
        if "." in self.file:
            return GAMBIT / self.file
        return next(
            folder / f"{self.file}.game"
            for folder in FOLDERS
            if (folder / f"{self.file}.game").is_file()
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One way on: the actions in both systems, one after another, and the probability."""

    ours: tuple[Any, ...]
    theirs: tuple[Any, ...]
    chance: float = 1.0


class DifferError(Exception):
    """The two differ in a position; the text says how."""


@cache
def _loaded(
    file: Path, parameters: tuple[tuple[str, Any], ...], peer: str, by_turns: bool
) -> tuple[Any, Any]:
    ours = gamedsl.load(file, "python", **dict(parameters))
    load = pyspiel.load_game_as_turn_based if by_turns else pyspiel.load_game
    return ours, load(peer.replace("tests/gambit", str(GAMBIT)))


class Lockstep:
    """Both systems in one position of a row's game."""

    def __init__(self, row: Row, rng: Random | None = None) -> None:
        listed = tuple((name, _hashable(value)) for name, value in row.parameters.items())
        self.row = row
        self.game, self.peer = _loaded(row.path, listed, row.peer, row.by_turns)
        self.state = self.game.initial_state()
        self.theirs = self.peer.new_initial_state()
        self.history: list[tuple[State, Any]] = []
        self.told: list[tuple[object, ...]] = [() for _ in self.game.players]
        self.paid: tuple[Fraction, ...] = (Fraction(0),) * len(self.game.players)
        self.plies = 0
        self._rng = rng or Random(0)
        self._settle()

    def _seat(self, player: int) -> int:
        """OpenSpiel's number of a player."""
        return self.row.seats[player] if self.row.seats else player

    @property
    def mover(self) -> Any:
        """The player to move, or the constant that stands for chance, all players or the end."""
        return self.game.current_player(self.state)

    @cached_property
    def simultaneous(self) -> int:
        """OpenSpiel's number of all players."""
        return int(pyspiel.PlayerId.SIMULTANEOUS)

    def position(self, player: int) -> Position:
        """The position, as a translation sees it."""
        mine = player if self.mover == SIMULTANEOUS else None
        return Position(self.game, self.state, self.theirs, player, tuple(self._ours(mine)))

    def is_over(self) -> bool:
        """Whether both games are over; raises `DifferError` where one alone is, or pays others."""
        ours, theirs = self.game.is_terminal(self.state), self.theirs.is_terminal()
        if ours != theirs:
            raise DifferError(f"over {'here' if ours else 'in OpenSpiel'} alone")
        if ours:
            here = Position(self.game, self.state, self.theirs, 0)
            outcome = self.game.utilities(self.state)
            paid = [
                self.row.pays(sum(one, Fraction(0)), here)
                for one in zip(self.paid, outcome, strict=True)
            ]
            returns = self.theirs.returns()
            due = [returns[self._seat(player)] for player in self.game.players]
            if not all(isclose(*one, abs_tol=1e-6) for one in zip(paid, due, strict=True)):
                raise DifferError(f"pays {paid} here, {due} there")
        return bool(ours)

    def steps(self) -> list[Step]:
        """All ways on; raises `DifferError` where the two differ."""
        here, there = self.mover, self.theirs.current_player()
        if there == self.simultaneous and len(self.game.players) == 1:
            there = 0
        if (here == SIMULTANEOUS) != (there == self.simultaneous):
            raise DifferError(f"{here!r} is to move here, {there} there")
        if here == SIMULTANEOUS:
            choices = [self._choices(player) for player in self.game.players]
            return [
                Step(
                    (tuple(one.ours[0] for one in joint),), (tuple(one.theirs[0] for one in joint),)
                )
                for joint in product(*choices)
            ]
        if (here == CHANCE) != (there == pyspiel.PlayerId.CHANCE):
            raise DifferError(f"{here!r} is to move here, {there} there")
        if here != CHANCE and self._seat(here) != there:
            raise DifferError(f"{here!r} is to move here, {there} there")
        return self._choices(0 if here == CHANCE else here)

    def _choices(self, player: int) -> list[Step]:
        """The ways on by one player, or by chance."""
        here = self.position(player)
        mine, yours = self.row.plies(here)
        ours: dict[str, tuple[tuple[int, ...], float]] = {}
        for name, (actions, chance) in self._sequences(player, mine):
            merged = self.row.merges(name)
            ours[merged] = (actions, chance + (ours[merged][1] if merged in ours else 0.0))
        found: dict[str, list[tuple[tuple[int, ...], float]]] = {}
        for actions, text, chance in self._their_sequences(self.theirs, self._seat(player), yours):
            found.setdefault(self.row.translate(text, here), []).append((actions, chance))
        if found.keys() != ours.keys():
            unknown, missed = sorted(found.keys() - ours.keys()), sorted(ours.keys() - found.keys())
            raise DifferError(f"legal there alone: {unknown[:9]}, here alone: {missed[:9]}")
        steps = []
        for text, same in found.items():
            actions, chance = ours[text]
            total = sum(one for _, one in same)
            if self.mover == CHANCE and not isclose(chance, total, abs_tol=1e-6):
                raise DifferError(f"the probability of {text} is {chance} here, {total} there")
            steps += [Step(actions, theirs, one) for theirs, one in same]
        return steps

    def _ours(self, player: int | None = None) -> dict[str, int]:
        if self.mover == CHANCE:
            ids: Iterable[int] = [action for action, _ in self.game.chance_outcomes(self.state)]
        else:
            ids = self.game.legal_actions(self.state, player)
        return {self.game.action_name(self.state, action): action for action in ids}

    def _sequences(
        self, player: int, count: int
    ) -> Iterator[tuple[str, tuple[tuple[int, ...], float]]]:
        """So many plies of the file, by their names in a row."""
        if self.mover == SIMULTANEOUS:
            for name, action in self._ours(player).items():
                yield name, ((action,), 1.0)
            return
        waiting: list[tuple[tuple[str, ...], tuple[int, ...], float, State]] = [
            ((), (), 1.0, self.state)
        ]
        for _ in range(count):
            further = []
            for names, actions, chance, state in waiting:
                if self.game.current_player(state) == CHANCE:
                    ways = [(one, float(part)) for one, part in self.game.chance_outcomes(state)]
                else:
                    ways = [(one, 1.0) for one in self.game.legal_actions(state)]
                further += [
                    (
                        (*names, self.game.action_name(state, one)),
                        (*actions, one),
                        chance * part,
                        self.game.result(state, one),
                    )
                    for one, part in ways
                ]
            waiting = further
        for names, actions, chance, _ in waiting:
            yield "; ".join(names), (actions, chance)

    def _their_sequences(
        self, state: Any, player: int, count: int
    ) -> Iterator[tuple[tuple[int, ...], str, float]]:
        if state.is_chance_node():
            ways = list(state.chance_outcomes())
            player = state.current_player()
        else:
            ways = [(one, 1.0) for one in state.legal_actions(player)]
        for action, chance in ways:
            text = state.action_to_string(player, action)
            if count == 1:
                yield (action,), text, chance
                continue
            further = state.clone()
            further.apply_action(action)
            for actions, texts, part in self._their_sequences(further, player, count - 1):
                yield (action, *actions), f"{text}; {texts}", chance * part

    def go(self, step: Step) -> None:
        """Both take a step."""
        for action in step.theirs:
            if isinstance(action, tuple):
                self._tell(range(len(action)), action)
                self.theirs.apply_actions(list(action))
            else:
                self._tell((self.theirs.current_player(),), (action,))
                self.theirs.apply_action(action)
        for action in step.ours:
            self.plies += self.mover != CHANCE
            self._act(action)
        self._settle()

    def _act(self, action: Any) -> None:
        if self.game.facts.has_rewards:
            now = self.game.rewards(self.state, action)
            self.paid = tuple(sum(one, Fraction(0)) for one in zip(self.paid, now, strict=True))
        self.history.append((self.state, action))
        self.state = self.game.result(self.state, action)

    def _deal(self) -> None:
        """Draw the hands that the file draws at once, and deal the same cards in OpenSpiel.

        Raises `DifferError` where a card cannot be dealt there, or the probabilities differ.
        """
        hands: list[list[str]] = []
        chance = 1.0
        while self.row.deal and self.mover == CHANCE:
            outcomes = self.game.chance_outcomes(self.state)
            if not (drawn := OF_A_SET.match(self.game.action_name(self.state, outcomes[0][0]))):
                break
            ids, shares = zip(*outcomes, strict=True)
            action = self.draw(ids, shares)
            if drawn[1] == "1":
                hands.append([])
            hands[-1].append(self.game.action_name(self.state, action).partition("=")[2])
            chance *= float(dict(outcomes)[action])
            self._act(action)
        for text in self.row.deal(hands) if self.row.deal and hands else ():
            player = self.theirs.current_player()
            ways = {
                self.theirs.action_to_string(player, a): (a, p)
                for a, p in self.theirs.chance_outcomes()
            }
            if text not in ways:
                raise DifferError(f"{text} is not dealt there")
            chance /= ways[text][1]
            self.theirs.apply_action(ways[text][0])
        orders = prod(factorial(len(hand)) for hand in hands)
        if not isclose(chance, orders, rel_tol=1e-6):
            raise DifferError(f"the hands {hands} are dealt with another probability there")

    def draw(self, ids: Sequence[int], shares: Sequence[Fraction]) -> int:
        """An outcome of a chance event that deals cards."""
        return self._rng.choices(ids, shares)[0]

    def _settle(self) -> None:
        """Deal, and make the moves that the file alone has."""
        self._deal()
        if self.row.drawn and self.theirs.is_chance_node():
            self.theirs.apply_action(0)
            for name in self.row.drawn(self.theirs):
                self._act(self._ours()[name])
        while self.row.forced and not self.game.is_terminal(self.state):
            if self.row.settles_last and not self.theirs.is_terminal():
                return
            at_once = self.mover == SIMULTANEOUS
            movers = self.game.players if at_once else (None,)
            legal = [self._ours(player) for player in movers]
            if any(len(one) != 1 for one in legal):
                return
            if any(NAME.match(next(iter(one)))[0] not in self.row.forced for one in legal):
                return
            actions = tuple(next(iter(one.values())) for one in legal)
            self._act(actions if at_once else actions[0])

    def _tell(self, movers: Iterable[int], actions: Iterable[int]) -> None:
        """Add what every player sees, and the movers' actions, to what OpenSpiel tells."""
        if self.row.observed != "observation":
            return
        chosen = dict(zip(movers, actions, strict=True))
        for player in range(len(self.told)):
            seen = self.theirs.observation_string(player)
            self.told[player] = (*self.told[player], seen, chosen.get(player))

    def knowledge(self) -> Iterator[tuple[int, tuple[object, ...], tuple[object, ...]]]:
        """Each player who is to act, with the player's knowledge here and in OpenSpiel."""
        if not self.row.observed or self.mover == CHANCE:
            return
        movers = self.game.players if self.mover == SIMULTANEOUS else (self.mover,)
        for player in movers:
            ours = self.game.information_state([*self.history, (self.state, None)], player)
            if self.row.observed == "state":
                theirs: tuple[object, ...] = (
                    self.theirs.information_state_string(self._seat(player)),
                )
            else:
                theirs = (
                    *self.told[self._seat(player)],
                    self.theirs.observation_string(self._seat(player)),
                )
            yield player, ours, theirs


def _hashable(value: Any) -> Any:
    return tuple(_hashable(one) for one in value) if isinstance(value, list) else value


Knowledge = dict[tuple[str, int, object], object]
"""Of a system, a player and the knowledge there: the knowledge in the other system."""


def compare_knowledge(together: Lockstep, known: Knowledge) -> None:
    """Raises `DifferError` where one system tells histories apart that the other does not."""
    for player, ours, theirs in together.knowledge():
        for place, other in ((("here", player, ours), theirs), (("there", player, theirs), ours)):
            if known.setdefault(place, other) != other:
                raise DifferError(f"player {player} knows more {'there' * (place[0] == 'here')}")


def play(row: Row, number: int, known: Knowledge | None = None) -> Played:
    """The play with this number."""
    rng = Random(number)
    together = Lockstep(row, rng)
    try:
        while True:
            if reason := row.aside(together.position(0)):
                return Played(together.plies, reason)
            broken = together.theirs.is_terminal() and together.plies >= row.longest
            if broken and not together.game.is_terminal(together.state):
                return Played(together.plies, "OpenSpiel breaks the play off")
            if together.is_over():
                return Played(together.plies, "over")
            if known is not None:
                compare_knowledge(together, known)
            steps = together.steps()
            together.go(steps[rng.randrange(len(steps))])
    except DifferError as differ:
        said = f"{row.peer}, play {number}: {differ}\n    by {together.theirs.history_str()}"
        return Played(together.plies, "", Counter(), said)


def walk(row: Row, limit: int) -> tuple[int, str]:
    """All histories of a small game, at most so many: how many, and where the two first differ."""
    known: Knowledge = {}
    count = 0
    waiting: list[tuple[Step, ...]] = [()]
    while waiting and count < limit:
        steps = waiting.pop()
        together = Lockstep(row)
        try:
            for step in steps:
                together.go(step)
            count += 1
            if not together.is_over():
                compare_knowledge(together, known)
                waiting += [(*steps, step) for step in together.steps()]
        except DifferError as differ:
            return count, f"{row.peer}: {differ}\n    by {together.theirs.history_str()}"
    return count, ""
