"""The steps of a game played in turns: legality and effects of each move of the role that chooses.

In: ground rules, formulas and turns. Out: a `Step` for each role and move, with formulas of the
fluents that may change. The moves of all further roles are forced: the formula of `does` is
TRUE, or the legality of the move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.ground import Ground
from gamedsl.syntax.kif.rules import Term
from gamedsl.syntax.kif.turns import Phase, Turns

MOST_OF_A_KIND = 1_000_000
"""Most combinations of the values of parameters of a move."""
MoveTerm = tuple[str, tuple[Term, ...]]
"""The relation of a `does` atom, and the arguments without the role."""
MoveKind = tuple[Term, ...]
"""A relation, and the values of the arguments by which its moves are told apart."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a role.

    Attributes:
        role: the number of the role.
        move: the number of the `does` atom.
        legal: the formula of legality, in the phases of the role.
        changes: the new values of fluents that may change, as formulas of the state before.
        movers: the possible next movers, with formulas of the state before; the last formula is
            TRUE.
    """

    role: int
    move: int
    legal: int
    changes: tuple[tuple[int, int], ...]
    movers: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as formulas.

    Attributes:
        following: the next value of each fluent.
        legal: for each role the legality of each move, by the number of the `does` atom.
        terminal: whether play is over.
        goals: for each role the values with their conditions, in the order of the file.
        kinds: by the term of a move, the moves with which the move may share parameters.
    """

    ground: Ground
    formulas: Formulas
    known: Mapping[int, int]
    following: Mapping[int, int]
    legal: tuple[Mapping[int, int], ...]
    terminal: int
    goals: tuple[Mapping[int, int], ...]
    kinds: Mapping[MoveTerm, MoveKind]

    def kind_of(self, move: int) -> MoveKind:
        """The kind of a move, by the number of the `does` atom."""
        relation, arguments = self.ground.atoms[move]
        return self.kinds[relation, arguments[1:]]

    @property
    def roots(self) -> list[int]:
        """The formulas of the game."""
        rows = [self.following, *self.legal, *self.goals]
        return [self.terminal, *(formula for row in rows for formula in row.values())]

    def without(self, fluents: Iterable[int]) -> Game:
        """The game without fluents that never hold."""
        never = dict.fromkeys(fluents, FALSE)
        if not never:
            return self
        formulas = self.formulas
        rows = [self.known, self.following, *self.legal, *self.goals]
        put = formulas.put([*self.known.values(), *self.roots], never, {})
        formulas.views.update(put[view] for view in [*formulas.views] if view in put)
        known, following, *rest = (
            {key: put[formula] for key, formula in row.items()} for row in rows
        )
        legal, goals = rest[: len(self.legal)], rest[len(self.legal) :]
        terminal = put[self.terminal]
        return replace(
            self,
            known={**known, **never},
            following={fluent: new for fluent, new in following.items() if fluent not in never},
            legal=(*legal,),
            terminal=terminal,
            goals=(*goals,),
        )


def kinds_of(moves: Iterable[MoveTerm]) -> dict[MoveTerm, MoveKind]:
    """The kind of each move: the relation, and, where the values of all arguments have too many
    combinations, the values of the arguments that leave the fewest."""
    groups: defaultdict[MoveKind, dict[MoveTerm, None]] = defaultdict(dict)
    for move in moves:
        groups[move[0],][move] = None
    kinds: dict[MoveTerm, MoveKind] = {}
    pending = [*groups.items()]
    while pending:
        kind, group = pending.pop()
        if _combinations(group) <= MOST_OF_A_KIND or len(group) == 1:
            kinds.update(dict.fromkeys(group, kind))
            continue
        ways = []
        for place in range(len(next(iter(group))[1])):
            parts: defaultdict[Term, dict[MoveTerm, None]] = defaultdict(dict)
            for move in group:
                parts[move[1][place]][move] = None
            if len(parts) > 1:
                ways.append((sum(map(_combinations, parts.values())), place, parts))
        _, _, best = min(ways, key=lambda way: way[:2])
        pending += [((*kind, value), part) for value, part in best.items()]
    return kinds


def _combinations(moves: Iterable[MoveTerm]) -> int:
    """The combinations of the values of all arguments."""
    return prod(
        len({*column}) for column in zip(*(arguments for _, arguments in moves), strict=True)
    )


class Steps:
    """Works out the steps of a game."""

    def __init__(self, game: Game, turns: Turns) -> None:
        self.game = game
        self.formulas = game.formulas
        self.turns = turns
        self._sort_bodies()

    def all(self) -> list[Step]:
        """The steps, role by role, in the order of the moves."""
        return [
            step
            for role, moves in enumerate(self.game.legal)
            if self.turns.of_role(role)
            for step in self._of_role(role, moves)
        ]

    @property
    def effort(self) -> int:
        """About how many formulas are looked at for all steps."""
        rests = [rest for parted in self.sorted.values() for moves, rest in parted if not moves]
        rests += [self.game.following[fluent] for fluent in self.mixed]
        moves = sum(
            len(moves) for role, moves in enumerate(self.game.legal) if role in self.turns.movers
        )
        return moves * (len(self.formulas.below(rests)) + len(self.sorted))

    def are_short(self, steps: Iterable[Step], most: int) -> bool:
        """Whether all steps have at most so many formulas, a formula counted once for each step."""
        for step in steps:
            values = (value for _, value in step.changes)
            most -= len(self.formulas.below((step.legal, *values)))
            if most < 0:
                return False
        return True

    def together(self) -> list[Step]:
        """A step for each role and kind of moves, with the moves as atoms of the formulas, of
        which exactly one holds; no atoms where all moves of a kind have the same arguments."""
        formulas, kind_of = self.formulas, self.game.kind_of
        steps, groups = [], self._groups()
        sizes = Counter(self.game.kinds.values())
        for role, group in groups:
            moves, mine = self.game.legal[role], self.turns.of_role(role)
            fixed = self._fixed([self.turns.phases[number] for number in mine])
            is_alone = sizes[kind_of(group[0])] == 1
            values = {
                **fixed,
                **self._forced(role, mine, fixed),
                **dict.fromkeys(moves.keys() - {*group}, FALSE),
                **(dict.fromkeys(group, TRUE) if is_alone else {}),
            }
            put = formulas.put(self.game.following.values(), values, {})
            after = {fluent: put[value] for fluent, value in self.game.following.items()}
            legal = formulas.put([moves[move] for move in group], fixed, {})
            chosen = [(TRUE if is_alone else formulas.atom(move), move) for move in group]
            condition = formulas.either(
                formulas.both((does, legal[moves[move]])) for does, move in chosen
            )
            known = {**fixed, **formulas.fixed_by(condition)}
            changes = self._changes(after, known)
            movers = self._movers(role, group, mine, after, known)
            steps.append(Step(role, group[0], condition, changes, movers))
        return steps

    def _groups(self) -> list[tuple[int, list[int]]]:
        """For each role and kind of moves, the role and the moves that it may make."""
        groups = []
        for role, moves in enumerate(self.game.legal):
            mine = self.turns.of_role(role)
            candidates = {move for number in mine for move in self.turns.candidates[number][role]}
            kinds: dict[MoveKind, list[int]] = {}
            for move in moves:
                if move in candidates:
                    kinds.setdefault(self.game.kind_of(move), []).append(move)
            groups += [(role, group) for group in kinds.values()]
        return groups

    def _sort_bodies(self) -> None:
        """Sort the rules of `next` by the moves in the conditions.

        A fluent is mixed if a rule of the fluent negates a move, or reaches moves through further
        relations.
        """
        formulas, game = self.formulas, self.game
        bodies, atoms = game.ground.bodies, game.ground.atoms
        depends: set[int] = set()
        for number, kind in enumerate(formulas.kinds):
            parts = formulas.parts[number]
            is_move = kind == "atom" and atoms[parts[0]][0].startswith("does ")
            if is_move or (kind not in {"atom", "const"} and not depends.isdisjoint(parts)):
                depends.add(number)
        numbers = {atom: number for number, atom in enumerate(atoms)}
        self.mixed: set[int] = set()
        self.made: dict[int, frozenset[int]] = {}
        self.sorted: dict[int, list[tuple[tuple[frozenset[int], ...], int]]] = {}
        for fluent in game.following:
            relation, arguments = atoms[fluent]
            head = numbers.get(("next" + relation[4:], arguments), 0)
            parted = [self._parted(body, depends) for body in bodies.get(head, {}).values()]
            if None in parted:
                self.mixed.add(fluent)
            else:
                self.sorted[fluent] = [pair for pair in parted if pair is not None]

    def _parted(
        self, body: Sequence[int], depends: set[int]
    ) -> tuple[tuple[frozenset[int], ...], int] | None:
        """The moves in a body, for each literal the moves of which one is made, and the conjunction
        of the rest; None if the rest depends on moves."""
        moves, rest = [], []
        for part in body:
            formula = self.game.known.get(abs(part), FALSE)
            if formula not in depends:
                rest.append(formula if part > 0 else self.formulas.negation(formula))
            elif part > 0 and (made := self._made(formula)):
                moves.append(made)
            else:
                return None
        return tuple(moves), self.formulas.both(rest)

    def _made(self, formula: int) -> frozenset[int]:
        """The moves of which one is made where a formula holds; none for a formula of more."""
        made = self.made.get(formula)
        if made is None:
            formulas, atoms = self.formulas, self.game.ground.atoms
            parts = formulas.parts[formula] if formulas.kinds[formula] == "or" else (formula,)
            are_atoms = all(formulas.kinds[part] == "atom" for part in parts)
            moves = frozenset(formulas.parts[part][0] for part in parts if are_atoms)
            are_moves = all(atoms[move][0].startswith("does ") for move in moves)
            made = self.made[formula] = moves if are_moves else frozenset()
        return made

    def _of_role(self, role: int, moves: Mapping[int, int]) -> Iterable[Step]:
        formulas = self.formulas
        mine = self.turns.of_role(role)
        fixed = self._fixed([self.turns.phases[number] for number in mine])
        values = {**fixed, **self._forced(role, mine, fixed)}
        places = {move: 1 << place for place, move in enumerate(moves)}
        common: dict[int, int] = {}
        touched: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for fluent, where in self._conditions(places, values):
            usual = [held for held, made in where.items() if 2 * made.bit_count() > len(places)]
            order = sorted(where, key=lambda held: held not in usual)
            usually = formulas.either(usual)
            if usually != formulas.atom(fluent):
                common[fluent] = usually
            unusual = 0
            for held, made in where.items():
                unusual |= ~made & ((1 << len(places)) - 1) if held in usual else made
            for move, place in places.items() if unusual else ():
                if unusual & place:
                    held_here = (held for held in order if where[held] & place)
                    touched[move][fluent] = formulas.either(held_here)
        for move, legality in moves.items():
            if not any(move in self.turns.candidates[number][role] for number in mine):
                continue
            legal = formulas.put([legality], fixed, {})[legality]
            after = {**common, **touched[move]}
            if self.mixed:
                after.update(self._mixed(role, move, values))
            known = {**fixed, **formulas.fixed_by(legal)}
            movers = self._movers(role, [move], mine, after, known)
            yield Step(role, move, legal, self._changes(after, known), movers)

    def _conditions(
        self, places: Mapping[int, int], values: Mapping[int, int]
    ) -> Iterator[tuple[int, dict[int, int]]]:
        """For each fluent that is not mixed the conditions under which it holds after a step, each
        with the moves of a role, as bits, after which it then does.

        `places`: the bit of each move of the role; `values`: what is known of atoms.
        """
        formulas, every = self.formulas, (1 << len(places)) - 1
        put: dict[int, int] = {}
        bits_of: dict[frozenset[int], int] = {}
        for fluent, parted in self.sorted.items():
            where: defaultdict[int, int] = defaultdict(int)
            for sets, rest in parted:
                formulas.put([rest], values, put)
                cases = [(every, put[rest])]
                for made in sets:
                    if made not in bits_of:
                        bits_of[made] = sum(places.get(move, 0) for move in made)
                    own = bits_of[made]
                    others = (values.get(move, FALSE) for move in made if move not in places)
                    other = formulas.either(others)
                    cases = [
                        case
                        for bits, held in cases
                        for case in ((bits & own, held), (bits, formulas.both((held, other))))
                        if case[0] and case[1] != FALSE
                    ]
                for bits, held in cases:
                    where[held] |= bits
            where.pop(FALSE, None)
            yield fluent, where

    def _mixed(self, role: int, move: int, values: Mapping[int, int]) -> dict[int, int]:
        role_moves = dict.fromkeys(self.game.legal[role], FALSE)
        roots = {fluent: self.game.following[fluent] for fluent in self.mixed}
        put = self.formulas.put(roots.values(), {**values, **role_moves, move: TRUE}, {})
        return {fluent: put[formula] for fluent, formula in roots.items()}

    def _changes(
        self, after: Mapping[int, int], values: Mapping[int, int]
    ) -> tuple[tuple[int, int], ...]:
        """The changed fluents with the new values; free fluents without a constant value, such as
        counters, have the values for all roles."""
        formulas = self.formulas
        put = formulas.put(after.values(), values, {})
        changes = {
            fluent: put[value]
            for fluent, value in after.items()
            if put[value] != values.get(fluent, formulas.atom(fluent))
        }
        if self.turns.is_by_play:
            return tuple(sorted(changes.items()))
        atoms, free = self.game.ground.atoms, self.turns.free
        counters = {
            atoms[changed][0]
            for changed, value in changes.items()
            if changed in free and value > TRUE
        }
        for fluent in free & self.game.following.keys():
            value = self.game.following[fluent]
            if atoms[fluent][0] in counters and value != formulas.atom(fluent):
                changes[fluent] = value
        return tuple(sorted(changes.items()))

    def known(self, role: int) -> list[int]:
        """What is known, as formulas, whenever a role moves."""
        turns, formulas = self.turns, self.formulas
        mine = [turns.phases[number] for number in turns.of_role(role)]
        fixed = self._fixed(mine) if mine else {}
        return [
            formulas.atom(fluent) if value == TRUE else formulas.negation(formulas.atom(fluent))
            for fluent, value in fixed.items()
        ]

    def _fixed(self, phases: list[Phase]) -> dict[int, int]:
        """The free fluents with equal values in all phases."""
        always = frozenset.intersection(*phases)
        ever = frozenset.union(*phases)
        return {
            **dict.fromkeys(always, TRUE),
            **dict.fromkeys(self.turns.free - ever, FALSE),
        }

    def _forced(self, role: int, mine: list[int], fixed: Mapping[int, int]) -> dict[int, int]:
        """The moves of the further roles, as formulas, in the phases of a role."""
        values: dict[int, int] = {}
        for other, moves in enumerate(self.game.legal):
            if other == role:
                continue
            seen = [self.turns.candidates[number][other] for number in mine]
            possible = {move for candidates in seen for move in candidates}
            for move, legality in moves.items():
                if move not in possible:
                    values[move] = FALSE
                elif all(len(candidates) < 2 for candidates in seen) and len(possible) == 1:
                    values[move] = TRUE
                else:
                    values[move] = self.formulas.put([legality], fixed, {})[legality]
        return values

    def _movers(
        self,
        role: int,
        moves: Iterable[int],
        mine: list[int],
        after: Mapping[int, int],
        known: Mapping[int, int],
    ) -> tuple[tuple[int, int], ...]:
        turns = self.turns
        if turns.is_by_play:
            return self._movers_by_play(role, after, known)
        movers: defaultdict[int, list[Phase]] = defaultdict(list)
        for number in mine:
            if not turns.candidates[number][role].keys().isdisjoint(moves):
                mover = turns.movers[turns.after(number)]
                assert mover is not None, "the game is played in turns"
                movers[mover].append(turns.phases[number])
        options = []
        rest = dict(movers)
        while len(rest) > 1:
            mover, phases = rest.popitem()
            others = [phase for more in rest.values() for phase in more]
            options.append((mover, self._told_apart(phases, others)))
        return (*options, (next(iter(rest)), TRUE))

    def _movers_by_play(
        self, role: int, after: Mapping[int, int], known: Mapping[int, int]
    ) -> tuple[tuple[int, int], ...]:
        """The next movers, by the next phase; the next player is last if possible, or alone where
        no phase follows: the step is never made, or the claim of the turns is wrong."""
        turns, formulas = self.turns, self.formulas
        usual = (role + 1) % len(self.game.legal)
        told: defaultdict[int, list[int]] = defaultdict(list)
        for (fluent,), mover in zip(turns.phases, turns.movers, strict=True):
            assert mover is not None, "the game is played in turns"
            told[mover].append(after.get(fluent, formulas.atom(fluent)))
        put = formulas.put((formula for parts in told.values() for formula in parts), known, {})
        whole = {m: formulas.either(put[part] for part in parts) for m, parts in told.items()}
        possible = [mover for mover in whole if whole[mover] != FALSE] or [usual]
        possible.sort(key=lambda mover: mover == usual)
        *options, last = possible
        return (*((mover, whole[mover]) for mover in options), (last, TRUE))

    def _told_apart(self, phases: list[Phase], others: list[Phase]) -> int:
        """A formula that holds in all `phases` and in no phase of `others`."""
        if not phases or not others:
            return TRUE if phases else FALSE
        fluents = frozenset.union(*phases, *others) - frozenset.intersection(*phases, *others)

        def mistakes(fluent: int) -> tuple[int, int]:
            inside = sum(fluent in phase for phase in phases)
            outside = sum(fluent in phase for phase in others)
            straight = len(phases) - inside + outside
            return min(straight, len(phases) + len(others) - straight), fluent

        fluent = min(fluents, key=mistakes)
        formulas, atom = self.formulas, self.formulas.atom(fluent)
        parts = []
        for has, condition in ((True, atom), (False, formulas.negation(atom))):
            inner = self._told_apart(
                [phase for phase in phases if (fluent in phase) == has],
                [phase for phase in others if (fluent in phase) == has],
            )
            parts.append(formulas.both((condition, inner)))
        return formulas.either(parts)
