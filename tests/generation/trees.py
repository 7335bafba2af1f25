"""Makes games given by `tree:`: choices, chance events, information sets, payoffs of all kinds."""

from __future__ import annotations

from tests.generation.declarations import PLAYERS
from tests.generation.dice import Dice
from tests.generation.layout import STEP, indented

LABELS = ("left", "right", "pass", "in", "2", "b_1", "wins", "heads", "for")
WEIGHTS = (("1",), ("1/2", "1/2"), ("1/3", "2/3"), ("1/4", "1/4", "1/2"), ("(1 - 3/4)", "3/4"))


class Trees:
    """Makes a tree."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.players: tuple[str, ...] = ()
        self.parameters: tuple[str, ...] = ()
        self.sets = 0

    def lines(self) -> list[str]:
        """The whole game."""
        self.players = self.dice.choose(PLAYERS)[: self.dice.choose((2, 2, 1, 3))]
        found = ['game "Generated tree"', f"players {', '.join(self.players)}"]
        if self.dice.happens(30):
            self.parameters = ("stake",)
            found.append("param stake = 3")
        return [*found, "", "tree:", *indented(self._choice(self.dice.number(1, 4)))]

    # --- nodes -----------------------------------------------------------------------------

    def _choice(self, depth: int) -> list[str]:
        """A node over several lines; the first one ends with its colon."""
        if self.dice.happens(30):
            weights = self.dice.choose(WEIGHTS)
            labels = self.dice.some(LABELS, len(weights), len(weights))
            heads = [f"{w} {label}" for w, label in zip(weights, labels, strict=True)]
            return ["chance:", *indented(self._branches(heads, depth))]
        player = self.dice.choose(self.players)
        labels = self.dice.some(LABELS, 1, 3)
        if depth > 1 and self.dice.happens(25):
            return self._hidden(player, depth)
        return [f"{player}:", *indented(self._branches(list(labels), depth))]

    def _hidden(self, player: str, depth: int) -> list[str]:
        """A chance event or a choice that the next player does not see."""
        self.sets += 1
        labels = self.dice.some(LABELS, 2, 2)
        name = f"blind{self.sets}"
        chooser = self.dice.choose([p for p in self.players if p != player] or ["chance"])
        heads = ["1/2 low", "1/2 high"] if chooser == "chance" else ["low", "high"]
        found = [f"{chooser}:"]
        for head in heads:
            inner = self._branches(list(labels), depth - 1)
            found += indented([f"{head} -> {player} [{name}]:", *indented(inner)])
        return found

    def _branches(self, heads: list[str], depth: int) -> list[str]:
        found: list[str] = []
        for head in heads:
            if depth > 1 and self.dice.happens(60):
                inner = self._choice(depth - 1)
                found += [f"{head} -> {inner[0]}", *inner[1:]]
            elif depth > 1 and self.dice.happens(20):
                found.append(f"{head} -> {self._on_one_line()}")
            else:
                found.append(f"{head} -> {self._leaf()}")
        if self.dice.happens(50) and all(STEP not in line and ":" not in line for line in found):
            return [", ".join(found)]
        return found

    def _on_one_line(self) -> str:
        player = self.dice.choose(self.players)
        labels = self.dice.some(LABELS, 1, 3)
        return f"{player}: " + ", ".join(f"{label} -> {self._leaf()}" for label in labels)

    # --- leaves ----------------------------------------------------------------------------

    def _leaf(self) -> str:
        if len(self.players) > 2 or self.dice.happens(40):
            payoffs = [self._number() for _ in self.players]
            if len(payoffs) > 1:
                return f"({', '.join(payoffs)})"
        kind = self.dice.number(0, 3)
        value = self.dice.number(0, 6)
        return str(value) if kind < 2 else f"-{value}" if kind == 2 else f"{value}/3"

    def _number(self) -> str:
        names = [f"{self.dice.number(0, 5)}", f"-{self.dice.number(1, 5)}", "1/2"]
        names += [f"2*{name} - 1" for name in self.parameters]
        return self.dice.choose(names)
