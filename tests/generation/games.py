"""Valid games as text: `games()` for Hypothesis, `game_text(seed)` for mass runs.

In: decisions. Out: the text of a game that is valid by construction: every value lies in the
domain that it is stored in, every chance event has an outcome, every state in which nobody can
move has an outcome, and a clock ends most games. What the text means is not known here.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from hypothesis import strategies as st

from tests.generation.declared import Declared
from tests.generation.definitions import Definitions
from tests.generation.dice import Dice, DrawnDice, SeededDice
from tests.generation.moves import MOVE_NAMES, Frame
from tests.generation.trees import Trees


class Wish(Enum):
    """Which kinds of games are wanted."""

    ANY = "any"
    SECRETS = "with secrets"
    ENDLESS = "for two, without a clock, chance or hidden information"
    OPEN = "without hidden information, paid at the end"
    REWARDS = "without hidden information, with rewards or a discount"
    FAULTS = "with rules that may break down in play"


def game_text(seed: int) -> str:
    """The game of a seed."""
    return written(SeededDice(seed))


def text_to_compare(seed: int) -> str:
    """The game of a seed where engines are compared: the rules of every third may break down in
    play, which is an answer like any other."""
    return written(SeededDice(seed), Wish.ANY if seed % 3 else Wish.FAULTS)


@st.composite
def games(draw: Callable[[st.SearchStrategy[int]], int], *, wish: Wish = Wish.ANY) -> str:
    """A valid game."""
    return written(DrawnDice(draw), wish)


def written(dice: Dice, wish: Wish = Wish.ANY) -> str:
    """The text of the game that the dice decide on."""
    if wish is Wish.ANY and dice.happens(13):
        lines = Trees(dice).lines()
    else:
        lines = _Game(dice, Declared(), wish).lines()
    return "".join(f"{line}\n" for line in lines)


class _Game(Definitions):
    """The whole of a game given by rules."""

    def __init__(self, dice: Dice, declared: Declared, wish: Wish) -> None:
        super().__init__(dice, declared)
        self.wish = wish

    def lines(self) -> list[str]:
        """All sections, in the order in which games are written."""
        self._decide()
        found = [f'game "Generated {self.dice.number(0, 99)}"', *self.players()]
        found += [*self.parameters(), *self.types(), *self.board(), "", *self.state(), ""]
        for _ in range(self.dice.choose((1, 0, 2))):
            found += self.definition()
        if self.dice.happens(30):
            found += self.recursive_definition()
        for _ in range(self.dice.choose((0, 1, 2))):
            found += self.effect()
        found += [*self.setup(), *self._moves(), "", *self._conclusion(), *self._claims()]
        return [*found, *self._looks()]

    def _looks(self) -> list[str]:
        """`show:`, which changes nothing."""
        if not self.dice.happens(12) or not self.declared.variables:
            return []
        variable = self.dice.choose(self.declared.variables)
        is_card = bool(variable.indices) or variable.sort.family != "bool"
        look = self.dice.choose(("text", "hidden", "cards") if is_card else ("text", "hidden"))
        colour = self.dice.choose(("red", "grey"))
        player = self.declared.players[0]
        return ["", "show:", f"    {variable.name} as {look}", f"    {player} as {colour}"]

    def _decide(self) -> None:
        """What kind of game this will be."""
        is_endless = self.is_plain = self.wish is Wish.ENDLESS
        is_open = is_endless or self.wish in {Wish.OPEN, Wish.REWARDS}
        self.can_fail = self.wish is Wish.FAULTS
        declared = self.declared
        declared.is_simultaneous = not is_open and self.dice.happens(12)
        has_secrets = not is_open and self.dice.happens(20)
        declared.has_secrets = has_secrets or self.wish is Wish.SECRETS
        self.may_draw = not (is_endless or declared.is_simultaneous) and self.dice.happens(50)
        self.is_even = is_endless or self.dice.happens(50)
        can_repeat = not (is_endless or self.may_draw or declared.is_simultaneous)
        self.repeats = can_repeat and self.dice.happens(40)
        wants_rewards = self.wish is Wish.REWARDS
        if wants_rewards or (self.wish is Wish.ANY and self.dice.happens(25)):
            self.has_rewards = True
            self.is_discounted = self.dice.happens(30)
        if declared.is_simultaneous or (not is_endless and self.dice.happens(85)):
            self.clock, self.limit = "clock", self.dice.number(2, 5)
            self.kept = frozenset({"clock"})

    @property
    def _frame(self) -> Frame:
        return Frame(self.clock, self.limit, self.phase, self.may_draw, self.repeats)

    phase: str = ""
    is_discounted: bool = False
    repeats: bool = False
    can_be_stuck: bool = True

    def _moves(self) -> list[str]:
        if self.declared.is_simultaneous:
            return self._joint_moves()
        found: list[str] = []
        names = MOVE_NAMES[: self.dice.choose((2, 1, 3, 4))]
        is_compared = not self.can_fail and self.dice.happens(12)
        for number, name in enumerate(names):
            if number and self.dice.happens(20):
                found += ["", "otherwise"]
                is_compared = not self.can_fail and self.dice.happens(12)
            is_free = number == len(names) - 1 and self.dice.happens(40)
            self.can_be_stuck = self.repeats or not is_free
            found += ["", *self.move(name, self._frame, is_free=is_free, is_compared=is_compared)]
        return found

    def _joint_moves(self) -> list[str]:
        """One or two choices of all at once, perhaps in turns with ordinary moves."""
        is_mixed = self.dice.happens(40)
        if is_mixed:
            first = self.declared.players[0]
            self.phase = f"clock[{first}] % 2 == 0"
        found: list[str] = []
        for name in MOVE_NAMES[: self.dice.choose((1, 2))]:
            found += ["", *self.simultaneous(name, self._frame)]
        if is_mixed:
            found += ["", *self.move("alone", self._frame, is_free=self.dice.happens(50))]
        return found

    def _conclusion(self) -> list[str]:
        found = self.end(self._frame, can_be_stuck=self.can_be_stuck)
        if self.repeats:
            found = [*self.repetition(), "", *found]
        if not self.clock or self.dice.happens(10):
            found += self.endless()
        if self.dice.happens(25):
            found += self.evaluation()
        if self.is_discounted:
            found += [f"discount = {self.dice.choose(('9/10', '1/2', '1'))}"]
        return found

    def _claims(self) -> list[str]:
        if not self.dice.happens(25):
            return []
        first = self.declared.players[0]
        claims = ["states: 5", "perft 3: 10", "perft 2 turns: 4", "plays: 2*3", "best: take"]
        claims += ["value: 0.25", "value: -0.5", "value: 1/3", "best: take, put(1)"]
        claims.append("progress: take")
        if len(self.declared.players) < 3:
            claims += [f"value: {first} wins", "value: draw", f"value: {first} loses 2"]
        if len(self.declared.players) == 2:
            claims.append("value: (1, -1)")
        numbers = [c for c in self.declared.constants if c.sort.family == "number"]
        claims += [f"states with {c.text} = {c.sort.low}: {n}" for c in numbers for n in (7, 8, 9)]
        return [f"expect {claim}" for claim in self.dice.some(claims, 1, 2)]
