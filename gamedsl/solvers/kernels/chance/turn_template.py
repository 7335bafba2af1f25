"""One turn of a game as a graph that does not depend on the values of slow variables.

In: an engine, the division of variables (`TurnSplit`), and states in which turns begin. Out:
`Template`: states of a turn, successors first, with probabilities and rewards; and the classes of
outer actions: actions of a class have the same effect (`model.rewriting.turns.residues`), so a
single action represents its class. Raises UnsupportedGameError if a turn is no such graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.state_words import Words
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.action_names import number_of_move
from gamedsl.model.errors import GameRuleError
from gamedsl.model.rewriting.turns.residues import Residue, Residues
from gamedsl.model.rewriting.turns.splits import TurnSplit
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.source.records import dataclass

MOST_NODES = 60_000
"""Maximal number of states of a turn."""
MOST_RESIDUES = 100_000
"""Maximal number of outer actions in all states of a turn; an action takes some tenths of a
millisecond."""
CHANCE, CHOICE, END = range(3)
"""Kinds of states."""


@dataclass(frozen=True, slots=True)
class Node:
    """A state of a turn.

    Attributes:
        kind: `CHANCE`, `CHOICE` or `END`; turn: the player to move.
        edges: for each outcome, or inner action: the number of the successor, the weight (1 for an
            action), and the first player's reward.
        exits: the number of the set of classes of outer actions that may be legal; -1 for no set.
        payoff: the first player's payoff at an end.
    """

    state: State
    kind: int
    turn: int
    edges: tuple[tuple[int, int, Fraction], ...]
    exits: int
    payoff: Fraction


@dataclass(frozen=True, slots=True)
class Template:
    """A turn.

    Attributes:
        nodes: the states of the turn, successors first.
        number: the index of each node, by the words of its state without slow variables.
        entries: the states in which turns begin.
        exits: pairs of the player to move and a set of classes.
        examples: for each state that represents classes, the class of each representative action.
    """

    nodes: tuple[Node, ...]
    number: dict[Words, int]
    entries: tuple[int, ...]
    exits: tuple[tuple[int, tuple[int, ...]], ...]
    classes: int
    examples: tuple[tuple[int, dict[int, int]], ...]

    @property
    def denominator(self) -> int:
        """A common denominator of rewards and payoffs."""
        paid = [edge[2] for node in self.nodes for edge in node.edges]
        return lcm(
            *(amount.denominator for amount in [*paid, *(node.payoff for node in self.nodes)])
        )

    @property
    def heaviest(self) -> int:
        """The greatest sum of the weights of a chance event."""
        events = (node for node in self.nodes if node.kind == CHANCE)
        return max((sum(edge[1] for edge in node.edges) for node in events), default=1)

    @property
    def roundings(self) -> int:
        """The maximal number of chance events on a path through a turn."""
        deepest: list[int] = []
        for node in self.nodes:
            below = max((deepest[child] for child, _, _ in node.edges), default=0)
            deepest.append(below + (node.kind == CHANCE))
        return max(deepest)

    def class_beginnings(self) -> list[int]:
        """For each class, the entries, as bits, from which a turn can reach an action of the
        class."""
        begun = [0] * self.classes
        for place, entry in enumerate(self.entries):
            for number in self.reached_from([entry], passes_choices=True):
                exits = self.nodes[number].exits
                for class_number in self.exits[exits][1] if exits >= 0 else ():
                    begun[class_number] |= 1 << place
        return begun

    def reached_from(self, entries: Sequence[int], *, passes_choices: bool) -> set[int]:
        """The states reachable from `entries`; paths continue behind a player's choice only if
        `passes_choices`."""
        reached = set(entries)
        queue = list(reached)
        for number in queue:
            if self.nodes[number].kind == CHOICE and not passes_choices:
                continue
            for child, _, _ in self.nodes[number].edges:
                if child not in reached:
                    reached.add(child)
                    queue.append(child)
        return reached


def masks_of(engine: CompiledEngine, split: TurnSplit) -> Words:
    """For each word of a state, the bits of slow variables."""
    layout = engine.generated.layout
    slow = {variable.offset for variable in split.slow}
    masks = [0] * layout.words
    for place in layout.places:
        if place.variable.offset in slow:
            if isinstance(place, Planes):
                names = {name for _, name in place.names}
            else:
                names = set(place.names)
            for field in layout.fields:
                if field.name in names:
                    masks[field.word] |= field.mask << field.shift
    return tuple(masks)


def quick_words(words: Words, masks: Words) -> Words:
    """The words of a state without slow variables."""
    count = len(masks)
    quick = tuple(word & ~mask for word, mask in zip(words, masks, strict=False))
    return (*quick, *words[count:])


def _first(payoffs: Vector) -> Fraction:
    """The first player's payoff. Raises UnsupportedGameError if a second player's payoff is not the
    negative of it."""
    if len(payoffs) > 1 and sum(payoffs) != 0:
        raise UnsupportedGameError("what one player wins the other need not lose")
    return payoffs[0]


class TemplateSearch:
    """The exploration of a turn, with slow variables fixed as in the explored states."""

    def __init__(
        self, engine: CompiledEngine, split: TurnSplit, progress: Progress | None = None
    ) -> None:
        self._engine = engine
        self._progress = progress
        self._split = split
        self._masks = masks_of(engine, split)
        self._residues = Residues(engine.model, split.slow)
        self._nodes: list[Node] = []
        self._number: dict[Words, int] = {}
        self._classes: dict[Residue, int] = {}
        self._members: list[dict[int, int]] = []
        self._exits: dict[tuple[int, tuple[int, ...]], int] = {}
        self._entries: list[int] = []
        self._asked = 0
        outer = [n for n in range(len(engine.model.moves)) if n not in split.inner]
        self._outer = [engine.model.moves[number] for number in outer]

    def begin_at(self, state: State) -> None:
        """Explore the turns that begin in a state."""
        self._explore(state)
        self._entries.append(self._number[self._words(state)])

    def template(self) -> Template:
        """The explored part of the turn."""
        return Template(
            tuple(self._nodes),
            dict(self._number),
            tuple(self._entries),
            tuple(self._exits),
            len(self._classes),
            self._examples(),
        )

    def _words(self, state: State) -> Words:
        return quick_words(self._engine.words_of(state), self._masks)

    def _explore(self, root: State) -> None:
        """Explore depth first; a state is numbered after all its successors."""
        path: dict[Words, None] = {}
        stack = [(root, self._steps(root))] if self._words(root) not in self._number else []
        path.update((self._words(state), None) for state, _ in stack)
        while stack:
            state, steps = stack[-1]
            waiting = [
                successor for successor, _, _ in steps if self._words(successor) not in self._number
            ]
            if not waiting:
                stack.pop()
                words = self._words(state)
                del path[words]
                node = self._node(state, steps)
                self._number[words] = len(self._nodes)
                self._nodes.append(node)
                if self._progress is not None:
                    self._progress(len(self._nodes), len(stack))
                continue
            following = self._words(waiting[-1])
            if following in path:
                raise UnsupportedGameError("play can return within a turn")
            if len(self._nodes) + len(stack) > MOST_NODES:
                raise UnsupportedGameError(f"a turn has more than {MOST_NODES} states")
            path[following] = None
            stack.append((waiting[-1], self._steps(waiting[-1])))

    def _steps(self, state: State) -> list[tuple[State, int, Fraction]]:
        """The successors of a state within the turn, with weights and rewards."""
        engine = self._engine
        try:
            if state.pending is not None:
                chances = engine.chance_outcomes(state)
                whole = lcm(*(share.denominator for _, share in chances))
                weights = [(outcome, int(share * whole)) for outcome, share in chances]
            elif engine.is_terminal(state):
                if self._split.ends_by_slow:
                    raise UnsupportedGameError("play is over")
                return []
            else:
                moves = engine.model.moves
                legal = engine.legal_actions(state)
                inner = (a for a in legal if number_of_move(moves, a) in self._split.inner)
                weights = [(action, 1) for action in inner]
            return [
                (engine.result(state, action), weight, _first(engine.rewards(state, action)))
                for action, weight in weights
            ]
        except GameRuleError:
            raise UnsupportedGameError("the rules fail") from None

    def _node(self, state: State, steps: list[tuple[State, int, Fraction]]) -> Node:
        edges = tuple((self._number[self._words(successor)], *rest) for successor, *rest in steps)
        nothing = Fraction(0)
        if state.pending is not None:
            return Node(state, CHANCE, state.turn, edges, -1, nothing)  # type: ignore[arg-type]
        if self._engine.is_terminal(state):
            payoff = _first(self._engine.utilities(state))
            return Node(state, END, state.turn, (), -1, payoff)
        members: dict[int, int] = {}
        self._asked += sum(move.size for move in self._outer)
        if self._asked > MOST_RESIDUES:
            raise UnsupportedGameError("too many actions lead out of turns")
        for move in self._outer:
            for action in range(move.first_id, move.first_id + move.size):
                residue = self._residues.residue(move, action, state.cells, state.turn)
                if residue is not None:
                    members[action] = self._classes.setdefault(residue, len(self._classes))
        exits = -1
        if members:
            exit_classes = (state.turn, tuple(sorted(set(members.values()))))
            exits = self._exits.setdefault(exit_classes, len(self._exits))
        while len(self._members) <= len(self._nodes):
            self._members.append({})
        self._members[len(self._nodes)] = members
        return Node(state, CHOICE, state.turn, edges, exits, nothing)  # type: ignore[arg-type]

    def _examples(self) -> tuple[tuple[int, dict[int, int]], ...]:
        """States whose actions together represent every class, chosen greedily: always a state with
        the most missing classes, among equals a state with few inner actions."""
        missing = set(range(len(self._classes)))
        waiting = sorted(
            (number for number, members in enumerate(self._members) if members),
            key=lambda number: len(self._nodes[number].edges),
        )
        examples = []
        gains = {number: len(set(self._members[number].values())) for number in waiting}
        while missing:
            best, most = -1, 0
            for number in waiting:
                if gains[number] <= most:
                    continue
                gains[number] = len(missing.intersection(self._members[number].values()))
                if gains[number] > most:
                    best, most = number, gains[number]
            chosen: dict[int, int] = {}
            for action, class_number in self._members[best].items():
                if class_number in missing:
                    chosen[action] = class_number
                    missing.discard(class_number)
            examples.append((best, chosen))
        return tuple(examples)
