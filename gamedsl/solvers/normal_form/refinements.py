"""Which equilibria of a small tree rest on no idle threat: subgame-perfect and sequential ones.

In: an extensive form and an equilibrium of it. Out: labels, exact, or words that it was not
decided. Subgame perfect: an equilibrium in every subgame (R. Selten, "Spieltheoretische Behandlung
eines Oligopolmodells mit Nachfragetraegheit", 1965). Sequential: in every information set best,
given beliefs that are the limit of small mistakes of everybody (D. Kreps and R. Wilson,
"Sequential equilibria", Econometrica 50, 1982). What a player does where it does not come to by its
own plan is no part of an equilibrium of plans; it has the label if that can be filled in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from itertools import product
from math import prod

from gamedsl.solvers.equilibria.best_response import plan
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.small_tree import (
    MOST_HISTORIES,
    MOST_PLIES,
    Place,
    Profile,
    SmallTree,
    Way,
)
from gamedsl.source.records import dataclass

MOST_COMPLETIONS = 64
"""Ways to fill in what an equilibrium leaves open; with more nothing is decided."""
Trembles = frozenset[tuple[Place, int]]
"""Actions that are taken by mistake alone."""


class Verdict(Enum):
    """What is known of a property."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "not decided"


@dataclass(frozen=True, slots=True)
class Refined:
    """Whether an equilibrium is subgame perfect and sequential, and whether there is a subgame
    besides the whole game."""

    is_perfect: Verdict
    is_sequential: Verdict
    has_subgames: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """In words."""
        perfect = {
            Verdict.YES: "subgame perfect",
            Verdict.NO: "not subgame perfect",
            Verdict.UNKNOWN: "subgame perfection not decided",
        }
        sequential = {
            Verdict.YES: "sequential",
            Verdict.NO: "not sequential",
            Verdict.UNKNOWN: "sequential or not was not decided",
        }
        told = [perfect[self.is_perfect]] if self.has_subgames else []
        if not told or self.is_perfect is Verdict.YES:
            told.append(sequential[self.is_sequential])
        return tuple(told)


class Refinements:
    """Judges equilibria of one form. `can_judge` says of a form whether it is small enough."""

    def __init__(self, form: ExtensiveForm) -> None:
        self.form = form
        self.tree = SmallTree(form)
        self.subgames = tuple(self.tree.subgames())

    @staticmethod
    def can_judge(form: ExtensiveForm) -> bool:
        """Whether the tree is small enough."""
        longest = max((len(one.history) for sets in form.sets for one in sets), default=0)
        return form.size.histories <= MOST_HISTORIES and longest <= MOST_PLIES

    def refined(self, profile: Sequence[Behaviour]) -> Refined:
        """What is known of an equilibrium."""
        free = self._free(profile)
        forced = self._forced(free)
        found = Refined(Verdict.NO, Verdict.NO, len(self.subgames) > 1)
        open_places = [place for place in free if place not in forced]
        actions = [range(len(self.form.sets[p][n].actions)) for p, n in open_places]
        if prod(map(len, actions)) > MOST_COMPLETIONS:
            return Refined(Verdict.UNKNOWN, Verdict.UNKNOWN, found.has_subgames)
        for chosen in product(*actions):
            filled = forced | dict(zip(open_places, chosen, strict=True))
            whole = self._filled(profile, filled)
            if not self._is_perfect(whole):
                continue
            verdict = self.sequential(whole)
            found = replace(found, is_perfect=Verdict.YES)
            if verdict is Verdict.YES:
                return replace(found, is_sequential=verdict)
            if verdict is Verdict.UNKNOWN:
                found = replace(found, is_sequential=verdict)
        if open_places:  # mixtures there have not been tried
            found = replace(found, is_sequential=Verdict.UNKNOWN)
            if found.is_perfect is Verdict.NO:
                found = replace(found, is_perfect=Verdict.UNKNOWN)
        return found

    # --- what an equilibrium leaves open ----------------------------------------------------

    def _free(self, profile: Sequence[Behaviour]) -> list[Place]:
        """Information sets to which the own plan does not lead."""
        found = []
        for player, (sets, own) in enumerate(zip(self.form.sets, profile, strict=True)):
            weights = plan(sets, own)
            found += [(player, n) for n, one in enumerate(sets) if not weights[one.parent]]
        return found

    def _forced(self, free: Sequence[Place]) -> dict[Place, int]:
        """What must be done in those from which on everybody sees everything and has one best
        action in each node."""
        tree, found = self.tree, {}
        for place in free:
            (first, *more) = tree.members[place]
            if not more and (best := self._only_choices(first)) is not None:
                found[place] = best
        return found

    def _only_choices(self, start: int) -> int | None:
        """The best action of a node by backward induction, where there is one only, there and
        behind."""
        tree, values = self.tree, dict[int, Vector]()
        best = 0
        for number in reversed(tree.behind(start)):
            node = tree.nodes[number]
            if not node.following:
                values[number] = node.payoffs
                continue
            children = [values[one] for one in node.following]
            if node.place is None:
                columns = zip(*children, strict=True)
                values[number] = tuple(
                    sum((p * v for p, v in zip(node.chances, column, strict=True)), Fraction(0))
                    for column in columns
                )
                continue
            gains = [child[node.place[0]] for child in children]
            if len(tree.members[node.place]) > 1 or gains.count(max(gains)) > 1:
                return None
            best = gains.index(max(gains))
            values[number] = children[best]
        return best

    def _filled(self, profile: Sequence[Behaviour], chosen: dict[Place, int]) -> Profile:
        found = [list(own) for own in profile]
        for (player, number), action in chosen.items():
            count = len(found[player][number])
            found[player][number] = tuple(Fraction(n == action) for n in range(count))
        return found

    # --- subgame perfect --------------------------------------------------------------------

    def _is_perfect(self, profile: Profile) -> bool:
        values = self.tree.worth(profile)
        return all(
            self.tree.best_reply(profile, player, start) == values[start][player]
            for start in self.subgames
            for player in range(len(self.form.sets))
        )

    # --- sequential -------------------------------------------------------------------------

    def sequential(self, profile: Profile) -> Verdict:
        """Whether behaviour everywhere is best given consistent beliefs. Where play comes to,
        beliefs are known; elsewhere the mistakes that lead there decide, and whoever may be
        thought to have made which is a system of linear inequalities."""
        values = self.tree.worth(profile)
        families: dict[frozenset[Trembles], list[dict[Trembles, Vector]]] = {}
        for place, members in self.tree.members.items():
            gains = [self._gains(profile, values, one) for one in members]
            if not gains[0]:
                continue
            reaches = [self.tree.reach(profile, one) for one in members]
            if any(reaches):
                if min(_weighed(reaches, gains)) < 0:
                    return Verdict.NO
                continue
            classes = self._classes(profile, place, gains)
            if not _can_hold([classes]):
                return Verdict.NO
            families.setdefault(frozenset(classes), []).append(classes)
        if not all(map(_can_hold, families.values())):
            return Verdict.NO
        if _are_apart(families) or all(map(_is_held_evenly, families.values())):
            return Verdict.YES
        return Verdict.UNKNOWN

    def _gains(self, profile: Profile, values: Sequence[Vector], number: int) -> Vector:
        """What each action that is taken in a node gains over each other, to its player."""
        node, shares = self.tree.nodes[number], self.tree.local(profile, number)
        assert node.place is not None, "a player chooses"
        worth = [values[child][node.place[0]] for child in node.following]
        taken = [n for n, share in enumerate(shares) if share]
        return tuple(worth[n] - other for n in taken for m, other in enumerate(worth) if m != n)

    def _classes(
        self, profile: Profile, place: Place, gains: Sequence[Vector]
    ) -> dict[Trembles, Vector]:
        """The nodes of an information set that is not come to, by the mistakes that lead to each
        besides those that lead to all: their gains, each as likely as else."""
        members = self.tree.members[place]
        trembles = [frozenset(self._mistakes(profile, one)) for one in members]
        common = frozenset.intersection(*trembles)
        found: dict[Trembles, Vector] = {}
        for one, own, gained in zip(members, trembles, gains, strict=True):
            share = self._rest(profile, one)
            weighed = tuple(share * gain for gain in gained)
            old = found.get(own - common, (Fraction(0),) * len(weighed))
            found[own - common] = tuple(map(lambda u, v: u + v, old, weighed))
        return found

    def _mistakes(self, profile: Profile, number: int) -> Iterator[tuple[Place, int]]:
        for before, action in self._ways(number):
            place = self.tree.nodes[before].place
            if place is not None and not self.tree.local(profile, before)[action]:
                yield place, action

    def _rest(self, profile: Profile, number: int) -> Fraction:
        """The probability of all on the way that is no mistake."""
        shares = (self.tree.local(profile, before)[action] for before, action in self._ways(number))
        return prod((share for share in shares if share), start=Fraction(1))

    def _ways(self, number: int) -> tuple[Way, ...]:
        return self.tree.nodes[number].way


def _weighed(weights: Sequence[Fraction], rows: Sequence[Vector]) -> list[Fraction]:
    return [
        sum((w * v for w, v in zip(weights, column, strict=True)), Fraction(0))
        for column in zip(*rows, strict=True)
    ]


def _can_hold(sets: Sequence[dict[Trembles, Vector]]) -> bool:
    """Whether some weights of the same classes make all gains at least 0: a player who picks a
    class does not lose against one who picks a gain."""
    rows = [[gain for one in sets for gain in one[key]] for key in sets[0]]
    return solve_matrix(rows).value >= 0


def _is_held_evenly(sets: Sequence[dict[Trembles, Vector]]) -> bool:
    """Whether that is so where all mistakes are as likely, so that the fewest count."""
    fewest = min(map(len, sets[0]))
    return all(
        min(_weighed([Fraction(1)] * len(rows), rows)) >= 0
        for one in sets
        for rows in [[gains for key, gains in one.items() if len(key) == fewest]]
    )


def _are_apart(families: dict[frozenset[Trembles], list[dict[Trembles, Vector]]]) -> bool:
    """Whether mistakes can be chosen for any weights of classes: each class has one of its own,
    but for one class, and no family has a mistake of another."""
    met: set[tuple[Place, int]] = set()
    for family in families:
        every = [mistake for key in family for mistake in key]
        if met & set(every):
            return False
        met |= set(every)
        with_own = sum(any(every.count(mistake) == 1 for mistake in key) for key in family)
        if with_own < len(family) - 1:
            return False
    return True
