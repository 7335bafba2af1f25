"""Reader of Gambit's extensive games: nodes in the order of a walk through the tree.

In: a reader behind the word `EFG`. Out: a `GambitGame`, or GambitError. An outcome without payoffs
refers to an earlier outcome; payoffs at inner nodes are added to the endings below.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction

from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax.gambit.scan import Kind, Lexeme, Reader, told
from gamedsl.syntax.gambit.tree import GambitGame, GambitNode

DEEPEST = 250
"""Nodes on a path from the root."""
ROOM = 1_000 + 20 * DEEPEST
"""Nested Python calls that the stages need for trees of depth `DEEPEST`, with a margin."""
Amounts = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class _Set:
    """An information set as first given."""

    at: Lexeme
    actions: tuple[str, ...]
    weights: Amounts


class _Efg:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.players: tuple[str, ...] = ()
        self.outcomes: dict[int, Amounts] = {}
        self.sets: dict[tuple[int, int], _Set] = {}
        self.set_names: dict[tuple[int, int], str] = {}

    def game(self) -> GambitGame:
        reader = self.reader
        title = reader.expect(Kind.TEXT, "the title of the game").text
        opening = reader.next
        self.players = names_in_braces(reader, "the players' names")
        if not self.players:
            reader.refuse("a game has at least one player", opening)
        if reader.next.kind is Kind.TEXT:
            reader.take()
        root = self._node((Fraction(0),) * len(self.players), 1)
        if reader.next.kind is not Kind.END:
            message = f"the tree is complete, and this stands behind it: {told(reader.next)}"
            reader.refuse(message, reader.next)
        return GambitGame(title, self.players, opening.span, root, self.set_names)

    def _node(self, paid: Amounts, depth: int) -> GambitNode:
        reader = self.reader
        head = reader.expect(Kind.WORD, "a node (`c`, `p` or `t`)")
        if head.text not in {"c", "p", "t"}:
            message = (
                f"a node begins with `c` (chance), `p` (player) or `t` (ending), not {told(head)}"
            )
            reader.refuse(message, head)
        if depth > DEEPEST:
            reader.refuse(f"trees are at most {DEEPEST} nodes deep", head)
        if reader.next.kind is Kind.TEXT:
            reader.take()
        if head.text == "t":
            paid = self._outcome(paid)
            span = Span(head.span.start, reader.last_end)
            return GambitNode(span, None, payoffs=paid, end=span.end)
        player = -1
        if head.text == "p":
            number = reader.whole("the number of the player", 1)
            player = int(number.number) - 1
            if player >= len(self.players):
                message = f"there is no player {number.text}; the file names {len(self.players)}"
                reader.refuse(message, number)
        place, information_set = self._set(player)
        paid = self._outcome(paid)
        span = Span(head.span.start, reader.last_end)
        children = tuple(self._node(paid, depth + 1) for _ in information_set.actions)
        known = information_set.actions, information_set.weights, children
        return GambitNode(span, player, place, *known, end=reader.last_end)

    def _set(self, player: int) -> tuple[int, _Set]:
        """The number of a node's information set, and the information set; actions are listed at
        the first occurrence."""
        reader = self.reader
        at = reader.whole("the number of the information set", 1)
        key = (player, int(at.number))
        if reader.next.kind is Kind.TEXT:
            self.set_names.setdefault(key, reader.take().text)
        known = self.sets.get(key)
        if reader.next.kind is not Kind.OPEN:
            if known is None:
                message = f"information set {at.text} is new, and has to list its actions"
                reader.refuse(message, reader.next, 'as in { "left" "right" }')
            return key[1], known
        information_set = self._actions(at, player)
        if known is not None and known.actions != information_set.actions:
            reader.refuse(
                f"information set {at.text} has the actions {', '.join(known.actions)} where it "
                f"was given first, and here {', '.join(information_set.actions)}",
                at,
            )
        self.sets.setdefault(key, information_set)
        return key[1], information_set

    def _actions(self, at: Lexeme, player: int) -> _Set:
        reader = self.reader
        opening = reader.expect(Kind.OPEN, "the list of actions")
        actions: list[str] = []
        weights: list[Fraction] = []
        while reader.next.kind is not Kind.CLOSE:
            actions.append(reader.expect(Kind.TEXT, "the name of an action").text)
            if player < 0:
                weights.append(reader.expect(Kind.NUMBER, "the probability of the action").number)
        reader.take()
        if not actions:
            reader.refuse("an information set has at least one action", opening)
        if player < 0 and min(weights) < 0:
            reader.refuse(f"a probability cannot be {min(weights)}", opening)
        if player < 0 and sum(weights) != 1:
            message = f"the probabilities of this chance event add up to {sum(weights)}, not 1"
            reader.refuse(message, opening, "they are exact: write 1/3, not 0.3333")
        return _Set(at, tuple(actions), tuple(weights))

    def _outcome(self, paid: Amounts) -> Amounts:
        """The payoffs so far, with the outcome of a node added; outcome 0 means no payoffs."""
        reader = self.reader
        at = reader.whole("the number of the outcome", 0)
        number = int(at.number)
        if reader.next.kind is Kind.TEXT:
            reader.take()
        if reader.next.kind is Kind.OPEN:
            amounts = payoffs_in_braces(reader, len(self.players))
            if number and self.outcomes.setdefault(number, amounts) != amounts:
                reader.refuse(f"outcome {number} pays something else where it was given first", at)
        elif number == 0:
            return paid
        elif number not in self.outcomes:
            reader.refuse(f"outcome {number} is new, and has to list its payoffs", at)
        else:
            amounts = self.outcomes[number]
        return tuple(a + b for a, b in zip(paid, amounts, strict=True))


def read_efg(reader: Reader) -> GambitGame:
    """The game of an extensive form, behind the words of the first line."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), ROOM))
    return _Efg(reader).game()


def names_in_braces(reader: Reader, subject: str) -> tuple[str, ...]:
    """`{ "one" "two" }`."""
    reader.expect(Kind.OPEN, subject)
    names = []
    while reader.next.kind is not Kind.CLOSE:
        names.append(reader.expect(Kind.TEXT, "a name").text)
    reader.take()
    return tuple(names)


def payoffs_in_braces(reader: Reader, players: int) -> Amounts:
    """`{ 1, -1/2 }`: a number for each player."""
    opening = reader.expect(Kind.OPEN, "the payoffs")
    payoffs: list[Fraction] = []
    while reader.next.kind is not Kind.CLOSE:
        payoffs.append(reader.expect(Kind.NUMBER, "a payoff").number)
    reader.take()
    _check(reader, payoffs, players, opening)
    return tuple(payoffs)


def _check(reader: Reader, payoffs: Sequence[Fraction], players: int, at: Lexeme) -> None:
    if len(payoffs) != players:
        message = f"a payoff for each player is expected, {players}; there are {len(payoffs)}"
        reader.refuse(message, at)
