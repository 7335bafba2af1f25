"""Nearly optimal behaviour in games of many histories, which are merged without loss.

In: a graph of states with what each player observes. Out: the mean behaviour of both players, with
bounds of the value from exact best responses. Histories that are images of each other under a
symmetry of the graph are one, and so are those that differ only in the order of actions in a turn
that nobody can ever tell apart (well-formed games: M. Lanctot and others, "No-regret learning in
extensive-form games with imperfect recall", ICML 2012). Regrets by CFR+.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Any

from gamedsl.model.action_names import arguments_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.model import Model
from gamedsl.model.rewriting.symmetries import possible
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamedsl.solvers.equilibria import regret_kernel
from gamedsl.solvers.equilibria.regret_minimisation import MOST_PAYOFF, RegretRule, weights_of
from gamedsl.solvers.graphs.information import leak
from gamedsl.solvers.histories import form_kernel, pairs_kernel, shares_kernel
from gamedsl.solvers.histories.native import Kernels
from gamedsl.solvers.histories.observed_graph import ObservedGraph
from gamedsl.solvers.histories.shares_kernel import ALL_SHARES
from gamedsl.solvers.interruptible import interruptible
from gamedsl.solvers.memory import NUMBER
from gamedsl.solvers.merged import merged_kernel, plans_kernel
from gamedsl.solvers.merged.merged_kernel import GOES_ON, PLAYERS, UNLIKE, WALKED
from gamedsl.solvers.merged.plans_kernel import SHARE

RARE = (0, ALL_SHARES // 1000, ALL_SHARES // 50)
"""Actions of the mean that are played less often are left out: all are tried."""
MOST_SYMMETRIES = 48
MOST_ROUNDS = 4096
AT_ONCE = 4_000_000
"""Steps of the walk between two looks at the clock."""
BYTES_A_NODE = 168
"""Memory for what is known of a node of a player, a part of the memory given."""
BITS = 62
"""Bits of the values of best responses, and of a reach times a share."""
Renaming = tuple[int, ...]


class MergedHistories:
    """The histories of a graph of two players, who move one at a time.

    Attributes:
        histories: number of histories after merging, at most `form_kernel.GREATEST`, without
            symmetries.
        base, total: the first player's most frequent payoff and the sum of payoffs, in units of
            1 / `ObservedGraph.share`; endings count from the base.
    """

    def __init__(
        self, graph: ObservedGraph, goes_on: Callable[[], bool], *, is_native: bool = True
    ) -> None:
        self.graph, arrays = graph, graph.arrays
        modules = merged_kernel, plans_kernel, regret_kernel, shares_kernel, form_kernel
        self.kernels = Kernels(graph.game, *modules, pairs_kernel, is_native=is_native)
        self.row, self.call = self.kernels.row, self.kernels.call
        states, edges = len(arrays.movers), len(arrays.nexts)
        self.pairs = self.kernels.pairs(3 * edges + 2 * states)
        codes, self._actions = self._codes()
        row = self.row
        base = Counter(
            arrays.paid[s * PLAYERS] for s, m in enumerate(arrays.movers) if m == TERMINAL
        )
        self.base = base.most_common(1)[0][0]
        self.total = int(sum(next(iter(graph.outcomes))) * graph.share)
        paid = array("q", (
            arrays.paid[s * PLAYERS] - self.base if mover == TERMINAL else 0
            for s, mover in enumerate(arrays.movers)
        ))  # fmt: skip
        self.most_paid = max(1, *map(abs, paid))
        self.observed = merged_kernel.Observed(
            told=row(edges * PLAYERS), seen=row(states * PLAYERS), acted=row(edges), codes=codes,
            paid=paid, forgets=row(PLAYERS), images=row(1), products=row(1),
            notes=self.kernels.record(merged_kernel.ObservedNotes),
        )  # fmt: skip
        self.observed.notes.observations = self.call("observe", arrays, self.pairs, self.observed)
        self._find_turns(goes_on)
        self.histories = self.call("count_merged", arrays, graph.order, self.observed, row(edges))

    @classmethod
    def suits(cls, graph: ObservedGraph) -> bool:
        """Whether two players move one at a time."""
        return SIMULTANEOUS not in graph.arrays.movers and len(graph.game.players) == PLAYERS

    @property
    def certain(self) -> int:
        """Certainty as the reach of a sequence of a judged plan: at least a share, so that values
        of best responses fit; else 0."""
        unit = self.graph.unit * self.order * self.most_paid
        bits = BITS - max(SHARE, unit.bit_length())
        return 1 << bits if bits >= SHARE else 0

    def _codes(self) -> tuple[array[int], list[tuple[bool, Any]]]:
        """The number of the action of each edge, and the actions, with chance or not."""
        numbers: dict[tuple[bool, Any], int] = {}
        codes, arrays = array("q"), self.graph.arrays
        for state, mover in enumerate(arrays.movers):
            for edge in range(arrays.firsts[state], arrays.firsts[state + 1]):
                key = mover == CHANCE, self.graph.choice(edge)
                codes.append(numbers.setdefault(key, len(numbers)))
        return codes, list(numbers)

    @cached_property
    def order(self) -> int:
        """The number of symmetries that the graph proves; the images of observations under the
        symmetries are noted."""
        keys = self._actions
        identity = tuple(range(len(keys)))
        renamings = [*dict.fromkeys((identity, *self._renamings(keys)))][:MOST_SYMMETRIES]
        observed, states = self.observed, len(self.graph.arrays.movers)
        size = observed.notes.observations
        proved: dict[Renaming, array[int]] = {}
        for renaming in renamings:
            observed.images, observed.notes.order = self.row(size), 1
            if self.call(
                "is_symmetry", 0, array("q", renaming), self.graph.order, self.row(states),
                self.graph.arrays, observed,
            ):  # fmt: skip
                proved[renaming] = array("q", observed.images)
        group = list(proved)
        if any(_after(one, other) not in proved for one, other in product(group, group)):
            group = [identity]
        observed.images = array("q", [image for one in group for image in proved[one]])
        observed.products = array(
            "q", [group.index(_after(one, other)) for one, other in product(group, group)]
        )
        observed.notes.order = len(group)
        return len(group)

    def _renamings(self, keys: list[tuple[bool, Any]]) -> Iterator[Renaming]:
        """Renamings of actions that may be symmetries."""
        model: Model | None = getattr(self.graph.game, "model", None)
        if model is None or not all(is_chance or isinstance(key, int) for is_chance, key in keys):
            return
        known = {key: number for number, key in enumerate(keys)}
        actions = {
            (move.name, arguments_of(move, action)): action
            for move in model.moves
            for action in range(move.first_id, move.first_id + move.size)
        }
        named = {action: key for key, action in actions.items()}
        for symmetry in possible(model):
            if symmetry.keeps_players:
                renamed = []
                for is_chance, key in keys:
                    if not is_chance:
                        name, arguments = named[key]
                        images = tuple(symmetry.renaming.get(a, a) for a in arguments)
                        key = actions.get((name, images))
                    renamed.append(known.get((is_chance, key), -1))
                if -1 not in renamed:
                    yield tuple(renamed)

    def turns_of(self, player: int, most: int) -> tuple[pairs_kernel.Pairs, Any, Any]:
        """What is known of turns of a player before the first is seen: room for `most` views."""
        turns = merged_kernel.Turns(
            path=self.row(3 * self.graph.longest + 3),
            known=self.row(most),
            notes=self.kernels.record(merged_kernel.TurnNotes),
        )
        turns.notes.player = player
        return self.kernels.pairs(most), self.kernels.pairs(most), turns

    def _find_turns(self, goes_on: Callable[[], bool]) -> None:
        """Note whose actions in a turn commute; where the time is up, nobody's."""
        seen, most = (self.graph.arrays, self.observed), 16 * len(self.graph.arrays.movers) + 64
        for player in range(PLAYERS):
            status, turns = GOES_ON, self.turns_of(player, most)
            while status == GOES_ON and goes_on():
                status = interruptible(partial(self.call, "find_turns", AT_ONCE, *seen, *turns))
            self.observed.forgets[player] = int(status == WALKED)


class MergedLearning:
    """Both players learning on merged histories.

    Attributes:
        graph: the graph of states.
        whole: certainty, in the mean.
        rounds: number of rounds played.
        is_whole: whether all histories were walked, before memory or time was used up.

    Raises GameRuleError if a player's actions differ after two plays that are one to the player.
    """

    def __init__(
        self, merged: MergedHistories, max_bytes: int, goes_on: Callable[[], bool]
    ) -> None:
        self.histories, self.rounds = merged, 0
        self.graph, self.whole = merged.graph, ALL_SHARES
        self._observed, self._graph = merged.observed, merged.graph.arrays
        self.unit = merged.graph.unit * merged.order
        self._walk = self._begun(max_bytes)
        status = GOES_ON
        while status == GOES_ON and goes_on():
            status = interruptible(partial(self._go_on, AT_ONCE))
        if status == UNLIKE:
            raise self._leak()
        self.is_whole = status == WALKED
        if self.is_whole:
            self._arrange()

    def _begun(self, max_bytes: int) -> merged_kernel.Merged:
        """The arrays of the walk, with the first step."""
        histories, row = self.histories, self.histories.row
        number = histories.histories // histories.order + 1000
        most = min(number, max_bytes // (4 * NUMBER))
        nodes = min(2 * number, max_bytes // BYTES_A_NODE)
        depth = histories.graph.longest + 1
        kernels = histories.kernels
        self._tables = [kernels.pairs(nodes) for _ in range(2)]
        self.pairs, self.links = self._tables
        self.widest = max(histories.graph.arrays.widths)
        walk = merged_kernel.Merged(
            path=kernels.rows(merged_kernel.Step, depth),
            **{name: row(depth * PLAYERS) for name in ("nodes", "turned", "bases", "played")},
            **{name: row(nodes) for name in (
                "fixing", "set_of", "moves", "owners", "levels", "firsts", "widths", "offers",
                "homes",
            )},
            links=row(2 * nodes), cells=row(most + 64),
            amounts=row(merged_kernel.AMOUNTS),
            notes=kernels.record(merged_kernel.MergedNotes),
        )  # fmt: skip
        walk.notes.sequences, walk.notes.amounts, walk.notes.histories = PLAYERS, 2, 1
        walk.path[0].weight, walk.path[0].least = self.unit, -1
        for player in range(PLAYERS):
            seen = self._observed.seen[player]
            node = pairs_kernel.pair_number(player, seen, self.pairs)
            walk.nodes[player] = walk.bases[player] = node
            walk.fixing[node] = (1 << histories.order) - 1
            walk.played[player] = player
        merged_kernel.enter_step(0, self._graph, self.links, self._observed, walk)
        return walk

    def _go_on(self, steps: int) -> int:
        return self.histories.call(
            "walk_merged", steps, self.widest, self._graph, *self._tables, self._observed,
            self._walk,
        )  # fmt: skip

    def _arrange(self) -> None:
        """Number sets and sequences, and make room for learning."""
        notes, row, walk = self._walk.notes, self.histories.row, self._walk
        sets, sequences = notes.sets, notes.sequences
        self.form = regret_kernel.SequenceForm(
            sequence_starts=row(PLAYERS + 1), set_starts=row(PLAYERS + 1), firsts=row(sets),
            widths=row(sets), enters=row(sets + 1), parents=row(notes.links),
        )  # fmt: skip
        self.places, self.ranks = row(sets), row(sequences)
        levels = max(walk.levels[:sets]) + 1
        arranged = levels, self.places, self.ranks, self.form, walk
        interruptible(partial(self.histories.call, "arrange_merged", *arranged))
        self._learnt, self._judged = (
            regret_kernel.Learnt(**{name: row(sequences) for name in regret_kernel.Learnt.FIELDS})
            for _ in range(2)
        )
        for start in self.form.sequence_starts[:PLAYERS]:
            self._learnt.plan[start] = regret_kernel.WHOLE
        self.histories.call("act", 0, sets, 0, self.form, self._learnt)
        amounts = walk.amounts[: notes.amounts]
        most = self.unit * self.histories.most_paid
        self._scaled = array("q", (amount * MOST_PAYOFF // most for amount in amounts))
        self._paid = array("q", amounts)
        self._weights = weights_of(RegretRule.CFR_PLUS, MOST_ROUNDS)

    def _leak(self) -> GameRuleError:
        """The error of rules that give a player different actions after two indistinguishable
        plays; it tells the second."""
        graph, path, notes = self.histories.graph, self._walk.path, self._walk.notes
        edges = [path[depth].edge - 1 for depth in range(notes.depth)]
        if path[notes.depth].state != notes.leaks - 1:
            edges.append(path[notes.depth].edge - 1)
        return leak(graph.game, graph.arrays.movers[notes.leaks - 1], graph.history(edges))

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of information sets, of sequences, and of cells."""
        notes = self._walk.notes
        return notes.sets, notes.sequences, notes.cells

    def play_round(self) -> None:
        """Play the next round, in which both players learn in turn."""
        for player in range(PLAYERS):
            learnt = self._scaled, self.form, self._walk, self._weights, self._learnt
            number = self.rounds, player
            interruptible(partial(self.histories.call, "learn_merged", *number, *learnt))
        self.rounds += 1

    def take_mean(self, rare: int) -> array[int]:
        """The mean without actions rarer than `rare`, in units of 1 / `ALL_SHARES`, to which the
        next best replies are: the share of each sequence in its set."""
        call = self.histories.call
        certain = self.histories.certain
        self._lost = call("take_plans", rare, certain, self.form, self._learnt, self._judged)
        return array("q", self._judged.local)

    def best_reply(self, player: int) -> Fraction:
        """A bound of the most that a player can get against the other's mean. Roundings of reaches
        count as losses of the other player."""
        histories, notes = self.histories, self._walk.notes
        work = partial(
            histories.call, "best_reply", player, self._paid, self.form, self._walk, self._judged
        )
        slack: int = self._lost * notes.cells * max(map(abs, self._paid))
        gain = Fraction(int(interruptible(work)) + slack, histories.certain * self.unit)
        own = histories.base if player == 0 else histories.total - histories.base
        bound: Fraction = (own + gain) / histories.graph.share
        return bound

    def judged(self, most_members: int = 0) -> Iterator[tuple[int, Fraction, array[int]]]:
        """For means without their rare actions and each player: the player, the most that the
        player gets against the mean, and the mean."""
        for rare in RARE:
            mean = self.take_mean(rare)
            for player in range(PLAYERS):
                yield player, self.best_reply(player), mean

    def choices_after(self, edges: Sequence[int], player: int) -> list[int] | None:
        """Like `Learnt.choices_after`: the sequence of each action."""
        graph, walk, row = self._graph, self._walk, len(edges) * PLAYERS + player
        state, number = 0, self.graph.end_of(edges)
        if graph.movers[number] != player:
            return None
        for depth, edge in enumerate(edges):
            walk.path[depth].state = state
            merged_kernel.go_along(edge, depth, 0, graph, self.pairs, self._observed, walk)
            state = graph.nexts[edge]
        node, turned = walk.nodes[row], walk.turned[row]
        moves = (
            merged_kernel.move_of(node, turned, self._observed.acted[edge], self._observed, walk)
            for edge in range(graph.firsts[number], graph.firsts[number + 1])
        )
        place = walk.set_of[node] - 1
        return [self.ranks[merged_kernel.sequence_of(place, move, walk)] for move in moves]


def _after(one: Renaming, other: Renaming) -> Renaming:
    """First `other`, then `one`."""
    return tuple(one[image] for image in other)
