"""Random plays of a game in GDL, many side by side: a bit of each number is a play.

In: the formulas of a game. Out: the states met, and the goals met together. A state of all plays is
a number for each fluent; a formula is evaluated for all plays by one operation for each connective
(bit-parallel simulation, as of logic circuits). Claims about all states are tried on plays before
a proof is sought.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.steps import Game

WIDTH = 256
"""Plays side by side."""
ALL = (1 << WIDTH) - 1
MOST_PLIES = 100
MOST_EVALUATED = 1_500_000
"""Formulas evaluated in all plies together."""
Values = list[int]
"""By number of a formula, the plays in which the formula holds, as bits."""


class Clash(NamedTuple):
    """Several goals of a role in a terminal state, or a role without a legal move before (then no
    goals), and the play to the state: for each step the moves of all roles, as numbers of `does`
    atoms."""

    role: int
    goals: tuple[int, ...]
    play: tuple[tuple[int, ...], ...]


class Plays:
    """The plies of plays that begin anew where they end.

    Attributes:
        clash: the first terminal state met in which a role has several goals; None if none was met.
        dead_end: the first state met that is not terminal and in which a role has no legal move.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.formulas = game, game.formulas
        formulas, atoms = game.formulas, game.ground.atoms
        legal = [formula for moves in game.legal for formula in moves.values()]
        goals = [formula for values in game.goals for formula in values.values()]
        self.watched = [game.terminal, *goals]
        depends: set[int] = set()
        self.order = formulas.below([*legal, *self.watched, *game.following.values()])
        for number in self.order:
            kind, parts = formulas.kinds[number], formulas.parts[number]
            is_move = kind == "atom" and atoms[parts[0]][0].startswith("does ")
            if is_move or (kind in {"not", "and", "or"} and not depends.isdisjoint(parts)):
                depends.add(number)
        self.early = [number for number in self.order if number not in depends]
        self.late = [number for number in self.order if number in depends]
        self.met: dict[tuple[int, ...], None] = {}
        self.clash: Clash | None = None
        self.dead_end: Clash | None = None
        self._steps: list[tuple[int, dict[int, int]]] = []
        """For each ply the plays that begin anew after it, and the plays by move."""
        self._rng = Random(seed)

    def states(self) -> Iterator[Mapping[int, int]]:
        """The states of all plays, ply by ply: by fluent, the plays in which the fluent holds."""
        game, rng = self.game, self._rng
        start = {fluent: ALL * (fluent in game.ground.initial) for fluent in game.following}
        state = dict(start)
        values = [0] * len(self.formulas.kinds)
        values[TRUE] = ALL
        for _ in range(min(MOST_PLIES, 1 + MOST_EVALUATED // (1 + len(self.order)))):
            yield state
            _evaluate(self.formulas, self.early, state, values)
            self._note([values[formula] for formula in self.watched])
            over = values[game.terminal]
            chosen, stuck = self._chosen(values, rng)
            _evaluate(self.formulas, self.late, chosen, values)
            over |= stuck
            self._steps.append((over, chosen))
            going = ALL & ~over
            state = {
                fluent: (values[formula] & going) | (start[fluent] & over)
                for fluent, formula in game.following.items()
            }

    def _chosen(self, values: Values, rng: Random) -> tuple[dict[int, int], int]:
        """A move of each role in each play, and the plays in which a role has none."""
        chosen: dict[int, int] = {}
        stuck = 0
        for role, moves in enumerate(self.game.legal):
            legal = [(move, values[formula]) for move, formula in moves.items() if values[formula]]
            rng.shuffle(legal)
            free = ALL
            taken = dict.fromkeys(moves, 0)
            for is_last in (False, True):
                for move, where in legal:
                    mine = where & free if is_last else where & free & rng.getrandbits(WIDTH)
                    taken[move] |= mine
                    free &= ~mine
            stuck |= free
            dead = free & ~values[self.game.terminal]
            if dead and self.dead_end is None:
                self.dead_end = Clash(role, (), self._play(dead & -dead))
            chosen.update(taken)
        return chosen, stuck

    def _note(self, columns: list[int]) -> None:
        """Note the combinations of values of the `watched` formulas."""
        rest = columns[0]
        if rest and self.clash is None:
            self._look_for_a_clash(rest, columns[1:])
        while rest:
            lowest = rest & -rest
            alike = rest
            held = []
            for formula, bits in zip(self.watched, columns, strict=True):
                has = bits & lowest
                alike &= bits if has else ~bits
                held.append(formula if has else self.formulas.negation(formula))
            self.met[*held] = None
            rest &= ~alike

    def _look_for_a_clash(self, over: int, columns: Iterable[int]) -> None:
        """Note a play in which a role has several goals, of the plays that are over."""
        goals = iter(columns)
        for role, values in enumerate(self.game.goals):
            seen = twice = 0
            plays = {value: next(goals) & over for value in values}
            for bits in plays.values():
                twice |= seen & bits
                seen |= bits
            if twice:
                bit = twice & -twice
                several = tuple(value for value, bits in plays.items() if bits & bit)
                self.clash = Clash(role, several, self._play(bit))
                return

    def _play(self, bit: int) -> tuple[tuple[int, ...], ...]:
        """The moves of a play to the state of now."""
        moves: list[tuple[int, ...]] = []
        for over, chosen in reversed(self._steps):
            if over & bit:
                break
            moves.append(tuple(move for move, where in chosen.items() if where & bit))
        return tuple(reversed(moves))

    def has_seen(self, formulas: Iterable[int]) -> bool:
        """Whether `watched` formulas, or negations, held together in a terminal state."""
        together = {*formulas}
        return any(together.issubset(held) for held in self.met)


def _evaluate(
    formulas: Formulas, order: Iterable[int], atoms: Mapping[int, int], values: Values
) -> None:
    """The values of formulas, parts first; atoms without a value are false."""
    kinds, parts_of = formulas.kinds, formulas.parts
    for number in order:
        parts = parts_of[number]
        match kinds[number]:
            case "atom":
                values[number] = atoms.get(parts[0], 0)
            case "not":
                values[number] = ALL ^ values[parts[0]]
            case "and":
                value = ALL
                for part in parts:
                    value &= values[part]
                values[number] = value
            case "or":
                value = FALSE
                for part in parts:
                    value |= values[part]
                values[number] = value
