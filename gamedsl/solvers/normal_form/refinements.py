"""Label equilibria of a small tree as subgame perfect or not, and as sequential or not.

In: an extensive form and an equilibrium of the form. Out: exact labels, or the label "not decided".
Subgame perfect: an equilibrium in every subgame (R. Selten, "Spieltheoretische Behandlung
eines Oligopolmodells mit Nachfragetraegheit", 1965). Sequential: optimal in every information set,
given beliefs that are the limit of small mistakes of all players (D. Kreps and R. Wilson,
"Sequential equilibria", Econometrica 50, 1982). An equilibrium of plans does not specify a player's
choice in information sets excluded by the player's own plan; a label holds if a completion
satisfies the label.
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
    Local,
    Place,
    Profile,
    SmallTree,
    Way,
)
from gamedsl.source.records import dataclass

MOST_COMPLETIONS = 64
"""Maximal number of completions of an equilibrium; with more, the labels are not decided."""
Trembles = frozenset[tuple[Place, int]]
"""Actions taken by mistake only."""


class Verdict(Enum):
    """Whether a property holds, as far as known."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "not decided"


@dataclass(frozen=True, slots=True)
class Refined:
    """Whether an equilibrium is subgame perfect and sequential, and whether the game has a proper
    subgame."""

    is_perfect: Verdict
    is_sequential: Verdict
    has_subgames: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in words."""
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
    """Labels the equilibria of a form. `can_judge` tells whether a form is small enough."""

    def __init__(self, form: ExtensiveForm) -> None:
        self.form = form
        self.tree = SmallTree(form)
        self.subgames = tuple(self.tree.subgames())

    @staticmethod
    def can_judge(form: ExtensiveForm) -> bool:
        """Whether the tree is small enough."""
        longest = max(
            (len(information_set.history) for sets in form.sets for information_set in sets),
            default=0,
        )
        return form.size.histories <= MOST_HISTORIES and longest <= MOST_PLIES

    def refined(self, profile: Sequence[Behaviour]) -> Refined:
        """The verdicts on an equilibrium."""
        free = self._free(profile)
        forced = self._forced(free)
        verdicts = Refined(Verdict.NO, Verdict.NO, len(self.subgames) > 1)
        open_places = [place for place in free if place not in forced]
        actions = [range(len(self.form.sets[p][n].actions)) for p, n in open_places]
        if prod(map(len, actions)) > MOST_COMPLETIONS:
            return Refined(Verdict.UNKNOWN, Verdict.UNKNOWN, verdicts.has_subgames)
        for chosen in product(*actions):
            filled = forced | dict(zip(open_places, chosen, strict=True))
            whole = self._filled(profile, filled)
            if not self._is_perfect(whole):
                continue
            verdict = self.sequential(whole)
            verdicts = replace(verdicts, is_perfect=Verdict.YES)
            if verdict is Verdict.YES:
                return replace(verdicts, is_sequential=verdict)
            if verdict is Verdict.UNKNOWN:
                verdicts = replace(verdicts, is_sequential=verdict)
        return self._by_mixing(profile, forced, open_places, verdicts) if open_places else verdicts

    def _by_mixing(
        self,
        profile: Sequence[Behaviour],
        forced: dict[Place, int],
        open_places: Sequence[Place],
        verdicts: Refined,
    ) -> Refined:
        """The verdicts with mixed completions, if no pure completion satisfies both properties.

        Mixtures are searched in subgames in which a single information set is open and the set's
        player has no further information set.
        """
        whole = self._filled(profile, forced)
        for place in open_places:
            start = self._alone_in(place, open_places)
            if start is None:
                perfect = Verdict.UNKNOWN if verdicts.is_perfect is Verdict.NO else Verdict.YES
                return replace(verdicts, is_perfect=perfect, is_sequential=Verdict.UNKNOWN)
            mixture = self._holding(whole, place, start)
            if mixture is None:
                return replace(verdicts, is_perfect=Verdict.NO, is_sequential=Verdict.NO)
            whole[place[0]][place[1]] = mixture
        if not self._is_perfect(whole):  # another mixture might pay the opponents more
            return replace(verdicts, is_perfect=Verdict.UNKNOWN, is_sequential=Verdict.UNKNOWN)
        is_sequential = self.sequential(whole) is Verdict.YES
        verdict = Verdict.YES if is_sequential else Verdict.UNKNOWN
        return replace(verdicts, is_perfect=Verdict.YES, is_sequential=verdict)

    def _alone_in(self, place: Place, open_places: Sequence[Place]) -> int | None:
        """The root of the smallest subgame that contains an information set. None if the subgame
        contains another open set, another set of the same player or a smaller subgame, or if the
        opponents have too many plans there."""
        tree = self.tree
        around = [
            root for root in self.subgames if set(tree.members[place]) <= set(tree.behind(root))
        ]
        start = max(around)
        inside = tree.behind(start)
        places = {tree.nodes[number].place for number in inside} - {None, place}
        is_alone = not any(
            neighbour in open_places or neighbour[0] == place[0]
            for neighbour in places
            if neighbour
        )
        is_last = not any(root in inside for root in self.subgames if root != start)
        completions = prod(
            len(self.form.sets[neighbour[0]][neighbour[1]].actions)
            for neighbour in places
            if neighbour
        )
        return start if is_alone and is_last and completions <= MOST_COMPLETIONS else None

    def _holding(self, profile: list[list[Local]], place: Place, start: int) -> Local | None:
        """A mixture of best actions of an information set against which no opponent in the subgame
        gains by a different plan; None if there is no such mixture.

        The mixture exists if and only if the value of a matrix game is at least 0: the row player
        picks the actions, the column player picks the opponents' plans. The opponents' gains are
        linear in the mixture.
        """
        player, number = place
        plans = self._plans(start, player)
        count = len(profile[player][number])
        alone = [tuple(Fraction(n == action) for n in range(count)) for action in range(count)]

        def paid(local: Local, chosen: dict[Place, int]) -> Vector:
            changed = self._filled(profile, chosen)
            changed[player][number] = local
            return self.tree.expected_payoffs(changed)[start]

        payoffs = [paid(local, {}) for local in alone]
        best = max(vector[player] for vector in payoffs)
        taken = [action for action in range(count) if payoffs[action][player] == best]
        rows = [
            [payoffs[n][opponent] - paid(alone[n], chosen)[opponent] for opponent, chosen in plans]
            for n in taken
        ]
        if not plans:
            return alone[taken[0]]
        held = solve_matrix(rows)
        if held.value < 0:
            return None
        shares = dict(zip(taken, held.row, strict=True))
        return tuple(shares.get(action, Fraction(0)) for action in range(count))

    def _plans(self, start: int, but: int) -> list[tuple[int, dict[Place, int]]]:
        """Each opponent with each of the opponent's plans in a subgame."""
        places = dict.fromkeys(self.tree.nodes[number].place for number in self.tree.behind(start))
        plans: list[tuple[int, dict[Place, int]]] = []
        for player, sets in enumerate(self.form.sets):
            player_places = [
                place for place in places if place is not None and place[0] == player != but
            ]
            choices = product(*(range(len(sets[n].actions)) for _, n in player_places))
            plans += [
                (player, dict(zip(player_places, choice, strict=True)))
                for choice in choices
                if player_places
            ]
        return plans

    # --- completions of an equilibrium ------------------------------------------------------

    def _free(self, profile: Sequence[Behaviour]) -> list[Place]:
        """Information sets excluded by the own plan of their player."""
        free = []
        for player, (sets, behaviour) in enumerate(zip(self.form.sets, profile, strict=True)):
            weights = plan(sets, behaviour)
            free += [
                (player, n)
                for n, information_set in enumerate(sets)
                if not weights[information_set.parent]
            ]
        return free

    def _forced(self, free: Sequence[Place]) -> dict[Place, int]:
        """The forced actions in free information sets: from the set on, the game has perfect
        information and a unique best action in each node."""
        tree, forced = self.tree, {}
        for place in free:
            (first, *more) = tree.members[place]
            if not more and (best := self._only_choices(first)) is not None:
                forced[place] = best
        return forced

    def _only_choices(self, start: int) -> int | None:
        """The best action of a node by backward induction, if the best actions in the node and in
        all its descendants are unique."""
        tree, values = self.tree, dict[int, Vector]()
        best = 0
        for number in reversed(tree.behind(start)):
            node = tree.nodes[number]
            if not node.following:
                values[number] = node.payoffs
                continue
            children = [values[child] for child in node.following]
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

    def _filled(
        self, profile: Sequence[Sequence[Local]], chosen: dict[Place, int]
    ) -> list[list[Local]]:
        filled = [list(behaviour) for behaviour in profile]
        for (player, number), action in chosen.items():
            count = len(filled[player][number])
            filled[player][number] = tuple(Fraction(n == action) for n in range(count))
        return filled

    # --- subgame perfect --------------------------------------------------------------------

    def _is_perfect(self, profile: Profile) -> bool:
        values = self.tree.expected_payoffs(profile)
        return all(
            self.tree.best_reply(profile, player, start) == values[start][player]
            for start in self.subgames
            for player in range(len(self.form.sets))
        )

    # --- sequential -------------------------------------------------------------------------

    def sequential(self, profile: Profile) -> Verdict:
        """Whether behaviour in all information sets is optimal, given consistent beliefs.

        In reached sets the beliefs are known. In unreached sets the beliefs follow from the
        mistakes that lead there; the possible beliefs are the solutions of linear inequalities.
        """
        values = self.tree.expected_payoffs(profile)
        families: dict[frozenset[Trembles], list[dict[Trembles, Vector]]] = {}
        for place, members in self.tree.members.items():
            gains = [self._gains(profile, values, member) for member in members]
            if not gains[0]:
                continue
            reaches = [self.tree.reach(profile, member) for member in members]
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
        """The gain of each action used in a node over each alternative, for the player to move."""
        node, shares = self.tree.nodes[number], self.tree.local(profile, number)
        assert node.place is not None, "a player chooses"
        payoffs = [values[child][node.place[0]] for child in node.following]
        taken = [n for n, share in enumerate(shares) if share]
        return tuple(
            payoffs[n] - alternative
            for n in taken
            for m, alternative in enumerate(payoffs)
            if m != n
        )

    def _classes(
        self, profile: Profile, place: Place, gains: Sequence[Vector]
    ) -> dict[Trembles, Vector]:
        """The nodes of an unreached information set, grouped by the mistakes that lead to a node,
        without the mistakes common to all nodes. For each class the gains, weighted by the
        probabilities apart from the mistakes."""
        members = self.tree.members[place]
        trembles = [frozenset(self._mistakes(profile, member)) for member in members]
        common = frozenset.intersection(*trembles)
        classes: dict[Trembles, Vector] = {}
        for member, mistakes, gained in zip(members, trembles, gains, strict=True):
            share = self._rest(profile, member)
            weighed = tuple(share * gain for gain in gained)
            old = classes.get(mistakes - common, (Fraction(0),) * len(weighed))
            classes[mistakes - common] = tuple(map(lambda u, v: u + v, old, weighed))
        return classes

    def _mistakes(self, profile: Profile, number: int) -> Iterator[tuple[Place, int]]:
        for before, action in self._path(number):
            place = self.tree.nodes[before].place
            if place is not None and not self.tree.local(profile, before)[action]:
                yield place, action

    def _rest(self, profile: Profile, number: int) -> Fraction:
        """The probability of a node's path apart from mistakes."""
        shares = (self.tree.local(profile, before)[action] for before, action in self._path(number))
        return prod((share for share in shares if share), start=Fraction(1))

    def _path(self, number: int) -> tuple[Way, ...]:
        return self.tree.nodes[number].way


def _weighed(weights: Sequence[Fraction], rows: Sequence[Vector]) -> list[Fraction]:
    return [
        sum((w * v for w, v in zip(weights, column, strict=True)), Fraction(0))
        for column in zip(*rows, strict=True)
    ]


def _can_hold(sets: Sequence[dict[Trembles, Vector]]) -> bool:
    """Whether some weights of common classes make all gains at least 0: the value of the matrix
    game "class against gain" is at least 0."""
    rows = [[gain for classes in sets for gain in classes[key]] for key in sets[0]]
    return solve_matrix(rows).value >= 0


def _is_held_evenly(sets: Sequence[dict[Trembles, Vector]]) -> bool:
    """Whether all gains are at least 0 with equally likely mistakes, so that only the classes with
    the fewest mistakes count."""
    fewest = min(map(len, sets[0]))
    return all(
        min(_weighed([Fraction(1)] * len(rows), rows)) >= 0
        for classes in sets
        for rows in [[gains for key, gains in classes.items() if len(key) == fewest]]
    )


def _are_apart(families: dict[frozenset[Trembles], list[dict[Trembles, Vector]]]) -> bool:
    """Whether mistakes can realise arbitrary weights of classes: all classes but at most one have a
    mistake of their own, and families share no mistakes."""
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
